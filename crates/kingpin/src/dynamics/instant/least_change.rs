//! The state on the constraints that is nearest to a predicted one [Negrut 2003, sections 2 and 3].
//!
//! Positions minimise (q - q0)^T W (q - q0) subject to Phi(q) = 0, velocities (v - v0)^T W (v - v0) subject to
//! Phi_v v = nu, both through the reduced matrix E2 = Phi_v W^-1 Phi_v^T. Changes of attitude are z = 2 G(p) (p - p0)
//! about body-fixed axes. With the mass as W, E2 is the matrix of the accelerations, and what solves those solves these.

use super::closeness::Closeness;
use super::projection::{normalise, worst};
use super::{Dynamics, Trouble, largest};
use crate::accel::{Elimination, Gathered, Numbers, Weights};
use crate::dynamics::instant::stabilisation::ChangeWeights;
use crate::system::System;

/// Most iterations for the positions, and most systems for the velocities.
const ITERATIONS: usize = 12;
/// Error of the change that an iterative solver may leave, over the change.
const SOLVED: f64 = 1e-10;

/// The nearest state on the constraints.
pub struct LeastChange {
    /// The factor of E2; where the solver of accelerations is an iterative one for the same matrix, that does.
    elimination: Option<Elimination>,
    /// One over each weight; the mass if there are none.
    inverse: Option<Vec<f64>>,
    closeness: Closeness,
    gathered: Gathered,
    /// Where it started from.
    predicted: Vec<f64>,
    /// From there to the state at hand, in velocity space.
    way: Vec<f64>,
    residual: Vec<f64>,
    kept: Vec<f64>,
    none: Vec<f64>,
    change: Vec<f64>,
    /// Positions at which the factor is that of the mass, if they are known: there it gives accelerations too.
    factored_at: Vec<f64>,
    factored: bool,
}

impl LeastChange {
    /// Room and structure for a mechanism.
    pub fn new(mechanism: &Dynamics, weights: &ChangeWeights) -> LeastChange {
        let (system, accelerator) = (mechanism.system, &mechanism.accelerator);
        let (n, problem) = (system.velocities(), &accelerator.problem);
        let inverse = match weights {
            ChangeWeights::Mass => None,
            ChangeWeights::Unit => Some(vec![1.0; n]),
            ChangeWeights::Given(weights) => Some(weights.iter().map(|w| 1.0 / w).collect()),
        };
        let shared = inverse.is_none() && accelerator.iterative().is_some() && !system.is_coupled();
        let elimination = (!shared).then(|| match &inverse {
            None => Elimination::new(problem, accelerator.plan()),
            Some(inverse) => Elimination::weighed(problem, accelerator.plan(), Weights::Diagonal(inverse)),
        });
        LeastChange {
            elimination,
            inverse,
            closeness: Closeness::new(mechanism),
            gathered: Gathered::default(),
            predicted: vec![0.0; system.coordinates()],
            way: vec![0.0; n],
            residual: vec![0.0; problem.all_rows],
            kept: vec![0.0; problem.rows],
            none: vec![0.0; n],
            change: vec![0.0; n],
            factored_at: vec![0.0; system.coordinates()],
            factored: false,
        }
    }

    /// Moves a state to the nearest on the constraints. Leaves these evaluated.
    pub fn apply(
        &mut self,
        mechanism: &mut Dynamics,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<(), Trouble> {
        self.factored = false;
        let moved = [self.positions(mechanism, t, q, v)?, self.velocities(mechanism, q, v)?];
        mechanism.corrections.moved += usize::from(moved.contains(&true));
        Ok(())
    }

    /// Newton's method on the optimality conditions: with the way e from the predicted positions, the next way is
    /// x = -W^-1 Phi_v^T E2^-1 (Phi - Phi_v e), so what it ends with is nearest to where it began, not to its last
    /// iterate. Whether it had to move.
    fn positions(
        &mut self,
        mechanism: &mut Dynamics,
        t: f64,
        q: &mut [f64],
        v: &[f64],
    ) -> Result<bool, Trouble> {
        let system = mechanism.system;
        let sizes = self.closeness.sizes(system, q);
        normalise(system, q);
        self.predicted.copy_from_slice(q);
        // what another iteration would still change: the last change times the part of its size that the way is
        let mut left = 0.0;
        for iteration in 0.. {
            system.set(&mut mechanism.work, t, q, v);
            system.evaluate_constraints(&mut mechanism.work);
            let open = self.closeness.relative(&mechanism.work.phi, sizes);
            let closed = open <= Closeness::CLOSED;
            if closed && (left <= Closeness::CLOSED * sizes[0] || iteration == ITERATIONS) {
                return Ok(iteration > 0);
            }
            if !open.is_finite() || iteration == ITERATIONS {
                let residual = largest(&mechanism.work.phi);
                return Err(Trouble::Positions { row: worst(&mechanism.work.phi), residual });
            }
            way(system, &self.predicted, q, &mut self.way);
            system.jacobian_times(&mechanism.work, &self.way, &mut self.residual);
            let open = self.residual.iter_mut().zip(&mechanism.work.phi);
            open.for_each(|(x, phi)| *x = phi - *x);
            self.solve(mechanism, true)?;
            let reach = largest(&self.change) / sizes[0];
            self.change.iter_mut().zip(&self.way).for_each(|(x, e)| *x -= e);
            left = reach * largest(&self.change);
            system.displace(q, &self.change);
            mechanism.corrections.position_iterations += 1;
        }
        Ok(true)
    }

    /// The linear problem of the velocities: one system, and more only where the solver leaves something. Whether they
    /// had to change.
    fn velocities(&mut self, mechanism: &mut Dynamics, q: &[f64], v: &mut [f64]) -> Result<bool, Trouble> {
        let system = mechanism.system;
        let (mut changed, mut before) = (false, f64::INFINITY);
        for iteration in 0..ITERATIONS {
            let size = mechanism.velocity_residual(v, &mut self.residual);
            let speeds = self.closeness.speeds(system, v);
            let open = self.closeness.relative(&self.residual, speeds);
            let closed = size <= Closeness::FASTEST && open <= Closeness::CLOSED;
            // round-off leaves what it leaves
            if closed || size > 0.5 * before {
                break;
            }
            before = size;
            self.solve(mechanism, iteration == 0)?;
            v.iter_mut().zip(&self.change).for_each(|(v, dv)| *v += dv);
            changed = true;
            if self.elimination.is_some() {
                break;
            }
        }
        if changed && self.inverse.is_none() && self.elimination.is_some() && !system.is_coupled() {
            self.factored_at.copy_from_slice(q);
            self.factored = true;
        }
        Ok(changed)
    }

    /// `change` = -W^-1 Phi_v^T E2^-1 residual.
    fn solve(&mut self, mechanism: &mut Dynamics, refactor: bool) -> Result<(), Trouble> {
        mechanism.corrections.systems += 1;
        let Some(elimination) = &mut self.elimination else { return self.solve_with_solver(mechanism) };
        let problem = &mechanism.accelerator.problem;
        let numbers = problem.gather(&mechanism.work, &mut self.gathered);
        let weights = self.inverse.as_ref().map_or(Weights::Mass(&problem.inertia), |w| Weights::Diagonal(w));
        if refactor {
            elimination.refactor_by(weights, numbers.phi_v).map_err(|_| Trouble::Partition)?;
            mechanism.corrections.factorisations += 1;
        }
        for (k, kept) in self.kept.iter_mut().enumerate() {
            *kept = self.residual[problem.system_row(k)];
        }
        elimination.solve_again(&mut self.kept);
        match &self.inverse {
            None => {
                let numbers = Numbers { force: &self.none, ..numbers };
                problem.accelerations(&numbers, &self.kept, &mut self.change);
            }
            Some(inverse) => {
                self.change.fill(0.0);
                for block in &problem.blocks {
                    let rows =
                        numbers.phi_v[block.at..block.at + block.rows * block.nv].chunks_exact(block.nv);
                    for (lam, row) in self.kept[problem.groups[block.group].clone()].iter().zip(rows) {
                        let to = &mut self.change[block.v..block.v + block.nv];
                        to.iter_mut().zip(row).for_each(|(x, j)| *x -= lam * j);
                    }
                }
                self.change.iter_mut().zip(inverse).for_each(|(x, w)| *x *= w);
            }
        }
        Ok(())
    }

    /// The same by the iterative solver of the accelerations.
    fn solve_with_solver(&mut self, mechanism: &mut Dynamics) -> Result<(), Trouble> {
        let Dynamics { accelerator, work, corrections, .. } = mechanism;
        for (k, kept) in self.kept.iter_mut().enumerate() {
            *kept = self.residual[accelerator.problem.system_row(k)];
        }
        let taken =
            accelerator.solve_reduced(work, SOLVED, &mut self.kept).map_err(|_| Trouble::Partition)?;
        corrections.solver_iterations += taken;
        let problem = &accelerator.problem;
        let numbers = problem.gather(work, &mut self.gathered);
        problem.accelerations(&Numbers { force: &self.none, ..numbers }, &self.kept, &mut self.change);
        Ok(())
    }

    /// Accelerations where the velocities were corrected last, by the factor that was made for them.
    pub fn accelerate(
        &mut self,
        mechanism: &mut Dynamics,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Option<Result<(), Trouble>> {
        let elimination = self.elimination.as_mut().filter(|_| self.factored && self.factored_at == q)?;
        self.factored = false;
        let Dynamics { system, work, accelerator, result, solves, .. } = mechanism;
        system.set(work, t, q, v);
        *solves += 1;
        system.evaluate_constraints(work);
        system.evaluate_forces(work);
        let problem = &accelerator.problem;
        let numbers = problem.gather(work, &mut self.gathered);
        elimination.accelerate_again(problem, &numbers, &mut result.acc, &mut self.kept);
        let finite = result.acc.iter().all(|x| x.is_finite());
        Some(if finite { Ok(()) } else { Err(crate::accel::AccelFailure::NotFinite.into()) })
    }

    /// The state it led to last is no longer of interest.
    pub fn forget(&mut self) {
        self.factored = false;
    }
}

/// The way from one position to another in velocity space: places, and 2 G(p) (p - p0) of attitudes, where p0 is taken
/// with the sign that is nearer.
fn way(system: &System, from: &[f64], to: &[f64], out: &mut [f64]) {
    for node in system.nodes.iter() {
        let (a, b, out) = (&from[node.q()], &to[node.q()], &mut out[node.v()]);
        if node.nq != 7 {
            out.iter_mut().zip(b.iter().zip(a)).for_each(|(x, (b, a))| *x = b - a);
            continue;
        }
        for k in 0..3 {
            out[k] = b[k] - a[k];
        }
        let (p0, p) = (&a[3..], &b[3..]);
        let sign = if p.iter().zip(p0).map(|(x, y)| x * y).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        // G(p) p = 0, so G(p) (p - p0) = -G(p) p0 with G = [-e, -e~ + e0 I]
        let [e0, e1, e2, e3] = [p[0], p[1], p[2], p[3]];
        let [a0, a1, a2, a3] = [p0[0], p0[1], p0[2], p0[3]];
        out[3] = -2.0 * sign * (-e1 * a0 + e0 * a1 + e3 * a2 - e2 * a3);
        out[4] = -2.0 * sign * (-e2 * a0 - e3 * a1 + e0 * a2 + e1 * a3);
        out[5] = -2.0 * sign * (-e3 * a0 + e2 * a1 - e1 * a2 + e0 * a3);
    }
}
