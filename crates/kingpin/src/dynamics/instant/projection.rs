//! The least motion, measured by kinetic energy, that satisfies the constraints.

use super::{Dynamics, Trouble, largest};
use crate::accel::{Elimination, Gathered, Numbers};
use crate::analysis::length_scale;
use crate::system::System;

/// Moves states onto the constraints: dv = -M^-1 Phi_v^T S^-1 residual, with the factor of the reduced matrix S.
pub struct Projection {
    elimination: Elimination,
    /// Size of the mechanism.
    length: f64,
    /// Whether each equation is about an angle.
    is_angle: Vec<bool>,
    gathered: Gathered,
    residual: Vec<f64>,
    kept: Vec<f64>,
    none: Vec<f64>,
    change: Vec<f64>,
}

/// Residuals below this need no projection, relative to the size of the mechanism and the largest coordinate.
const CLOSED: f64 = 5e-14;
/// Velocity residuals above this are always worth a projection.
const FASTEST: f64 = 1e-11;
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
            length: length_scale(mechanism.system),
            is_angle: (0..problem.all_rows).map(|row| mechanism.system.row_is_angle(row)).collect(),
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
        let sizes = self.sizes(system, q);
        let mut moved = normalise(system, q);
        let mut factored = false;
        for iteration in 0.. {
            system.set(&mut mechanism.work, t, q, v);
            system.evaluate_constraints(&mut mechanism.work);
            let open = self.relative(&mechanism.work.phi, sizes);
            if open <= CLOSED {
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
            system.displace(q, &self.change);
            moved = true;
        }
        let size = mechanism.velocity_residual(v, &mut self.residual);
        if size > FASTEST || self.relative(&self.residual, self.speeds(system, v)) > CLOSED {
            self.solve(mechanism, true)?;
            v.iter_mut().zip(&self.change).for_each(|(v, dv)| *v += dv);
            moved = true;
        }
        Ok(moved)
    }

    /// What rounding errors of lengths and of angles are relative to in a position.
    fn sizes(&self, system: &System, q: &[f64]) -> [f64; 2] {
        let d = system.dimensions();
        let (mut place, mut turn) = (0.0_f64, 0.0_f64);
        for q in system.nodes.by_q(q) {
            (place, turn) = (place.max(largest(&q[..d])), turn.max(largest(&q[d..])));
        }
        [self.length + place, 1.0 + turn]
    }

    /// The same for the velocities.
    fn speeds(&self, system: &System, v: &[f64]) -> [f64; 2] {
        let d = system.dimensions();
        let (mut moves, mut turns) = (0.0_f64, 0.0_f64);
        for v in system.nodes.by_v(v) {
            (moves, turns) = (moves.max(largest(&v[..d])), turns.max(largest(&v[d..])));
        }
        let speed = moves + self.length * turns;
        [speed, speed / self.length]
    }

    /// The largest residual over the size of its kind; NaN if there is one.
    fn relative(&self, residual: &[f64], [length, angle]: [f64; 2]) -> f64 {
        let of = |(x, is_angle): (&f64, &bool)| {
            if *x == 0.0 { 0.0 } else { (x / if *is_angle { angle } else { length }).abs() }
        };
        residual
            .iter()
            .zip(&self.is_angle)
            .map(of)
            .fold(0.0, |most, x| if x <= most || most.is_nan() { most } else { x })
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
    fn solve(&mut self, mechanism: &Dynamics, refactor: bool) -> Result<(), Trouble> {
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
fn normalise(system: &System, q: &mut [f64]) -> bool {
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

fn worst(phi: &[f64]) -> Option<usize> {
    (0..phi.len()).max_by(|&a, &b| phi[a].abs().total_cmp(&phi[b].abs()))
}
