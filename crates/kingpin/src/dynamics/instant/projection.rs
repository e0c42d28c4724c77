//! The least motion, measured by kinetic energy, that satisfies the constraints.

use super::closeness::Closeness;
use super::{Dynamics, Trouble, largest};
use crate::accel::{Elimination, Gathered, Numbers};
use crate::system::System;

/// Moves states onto the constraints: dv = -M^-1 Phi_v^T S^-1 residual, with the factor of the reduced matrix S.
pub struct Projection {
    elimination: Elimination,
    closeness: Closeness,
    gathered: Gathered,
    residual: Vec<f64>,
    kept: Vec<f64>,
    none: Vec<f64>,
    change: Vec<f64>,
}

/// Iterations more for the last digits.
const POLISHED: usize = 2;
/// Most iterations for the positions.
const ITERATIONS: usize = 8;

impl Projection {
    /// Room and structure for a mechanism.
    pub fn new(mechanism: &Dynamics) -> Self {
        let problem = &mechanism.accelerator.problem;
        let elimination = Elimination::new(problem, mechanism.accelerator.plan());
        Self {
            elimination,
            closeness: Closeness::new(mechanism),
            gathered: Gathered::default(),
            residual: vec![0.0; problem.all_rows],
            kept: vec![0.0; problem.rows],
            none: vec![0.0; mechanism.system.velocities()],
            change: vec![0.0; mechanism.system.velocities()],
        }
    }

    /// Moves a state onto the constraints; whether it had to move. Leaves the constraints evaluated.
    pub fn apply(
        &mut self,
        mechanism: &mut Dynamics,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<bool, Trouble> {
        let system = mechanism.system;
        let sizes = self.closeness.sizes(system, q);
        let mut moved = normalise(system, q);
        let mut factored = false;
        for iteration in 0.. {
            system.set(&mut mechanism.work, t, q, v);
            system.evaluate_constraints(&mut mechanism.work);
            let open = self.closeness.relative(&mechanism.work.phi, sizes);
            if open <= Closeness::CLOSED {
                break;
            }
            if !open.is_finite() || iteration == ITERATIONS {
                let residual = largest(&mechanism.work.phi);
                return Err(Trouble::Positions { row: worst(&mechanism.work.phi), residual });
            }
            self.residual.copy_from_slice(&mechanism.work.phi);
            // the factor of the first iteration does for the next two
            self.solve(mechanism, !factored || iteration >= 3)?;
            factored = true;
            mechanism.corrections.position_iterations += 1;
            system.displace(q, &self.change);
            moved = true;
        }
        let size = mechanism.velocity_residual(v, &mut self.residual);
        let speeds = self.closeness.speeds(system, v);
        if size > Closeness::FASTEST || self.closeness.relative(&self.residual, speeds) > Closeness::CLOSED {
            self.solve(mechanism, true)?;
            v.iter_mut().zip(&self.change).for_each(|(v, dv)| *v += dv);
            moved = true;
        }
        mechanism.corrections.moved += usize::from(moved);
        Ok(moved)
    }

    /// The same to the last digits: near singular positions rounding errors of states are magnified in accelerations.
    pub fn apply_exactly(
        &mut self,
        mechanism: &mut Dynamics,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<(), Trouble> {
        self.apply(mechanism, t, q, v)?;
        let system = mechanism.system;
        for _ in 0..POLISHED {
            if largest(&mechanism.work.phi) <= 2.0 * f64::EPSILON * (1.0 + largest(q)) {
                break;
            }
            self.residual.copy_from_slice(&mechanism.work.phi);
            self.solve(mechanism, true)?;
            system.displace(q, &self.change);
            normalise(system, q);
            system.set(&mut mechanism.work, t, q, v);
            system.evaluate_constraints(&mut mechanism.work);
        }
        for k in 0..POLISHED {
            let size = mechanism.velocity_residual(v, &mut self.residual);
            if size <= 4.0 * f64::EPSILON * (1.0 + largest(v)) {
                break;
            }
            self.solve(mechanism, k == 0)?;
            v.iter_mut().zip(&self.change).for_each(|(v, dv)| *v += dv);
        }
        Ok(())
    }

    /// `change` = -M^-1 Phi_v^T S^-1 residual.
    fn solve(&mut self, mechanism: &mut Dynamics, refactor: bool) -> Result<(), Trouble> {
        mechanism.corrections.systems += 1;
        mechanism.corrections.factorisations += usize::from(refactor);
        let problem = &mechanism.accelerator.problem;
        let numbers = problem.gather(&mechanism.work, &mut self.gathered);
        if refactor {
            self.elimination.refactor(problem, numbers.phi_v).map_err(|_| Trouble::Partition)?;
        }
        for (k, kept) in self.kept.iter_mut().enumerate() {
            *kept = self.residual[problem.system_row(k)];
        }
        self.elimination.solve_again(&mut self.kept);
        let numbers = Numbers { force: &self.none, ..numbers };
        problem.accelerations(&numbers, &self.kept, &mut self.change);
        Ok(())
    }
}

/// Makes Euler parameters unit vectors; whether one was not.
pub(super) fn normalise(system: &System, q: &mut [f64]) -> bool {
    let mut moved = false;
    for body in system.nodes.normalised() {
        let p = &mut q[system.nodes.q(body)][3..];
        let square: f64 = p.iter().map(|e| e * e).sum();
        if (square - 1.0).abs() > 4.0 * f64::EPSILON {
            let size = square.sqrt();
            p.iter_mut().for_each(|e| *e /= size);
            moved = true;
        }
    }
    moved
}

pub(super) fn worst(phi: &[f64]) -> Option<usize> {
    (0..phi.len()).max_by(|&a, &b| phi[a].abs().total_cmp(&phi[b].abs()))
}
