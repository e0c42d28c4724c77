//! The descriptor form: accelerations and multipliers are unknowns of a stage, none is eliminated from another.

mod memory;
mod saddle;
mod stepper;

pub use saddle::Saddle;
pub use stepper::Inflated;

use super::mechanism::Trouble;
use super::reduced::Reduced;
use crate::integrate::{IterationMatrix, Linearisation, SecondOrder, Weights};
use crate::spatial::euler;

/// The equations of a mechanism for methods whose unknowns are accelerations [thesis, section 3.3]. What is
/// discretised is the same as in [`Reduced`]: the motion of the independent coordinates. But the unknowns of a stage
/// are all of (q'', lam), corrected with the sparse [`Saddle`] matrix, and no acceleration problem is solved.
///
/// The unknowns are the accelerations of the independent coordinates, those of the dependent ones along the pivots,
/// and the multipliers of the equations that are kept. Normalisations have none: the accelerations p'' satisfy them
/// exactly, and then their multipliers do not matter.
pub struct Descriptor<'r, 'a> {
    /// The mechanism in independent coordinates.
    pub reduced: &'r mut Reduced<'a>,
    /// The matrix.
    pub saddle: &'r mut Saddle,
    /// Room for the residual.
    pub room: &'r mut Room,
}

/// Accelerations, multipliers and residuals in all coordinates.
#[derive(Clone, Debug, Default)]
pub struct Room {
    /// v' of all bodies, and the balance of their forces.
    acc: Vec<f64>,
    balance: Vec<f64>,
    /// M v'.
    inertia: Vec<f64>,
    /// Multipliers and residuals of all joint equations.
    lam: Vec<f64>,
    equations: Vec<f64>,
    /// What the normalisations, and then also the matrix, changed of the accelerations.
    changed: Vec<f64>,
    /// What the matrix changed, in its places.
    correction: Vec<f64>,
}

impl Descriptor<'_, '_> {
    /// The residual of the equations of motion at an instant with unknowns `a`, in all coordinates and then in the
    /// kept equations: what [`SecondOrder::correct`] makes vanish. The accelerations p'' are first made to satisfy
    /// the normalisations; those used are left in `qddot` of the reduced form.
    pub fn residual(&mut self, t: f64, v: &[f64], vdot: &[f64], a: &[f64]) -> Result<&[f64], Trouble> {
        self.reduced.recover(t, v, vdot)?;
        let Self { reduced, room, .. } = self;
        let system = reduced.mechanism.system;
        let work = &mut reduced.mechanism.work;
        system.set(work, t, &reduced.q, &reduced.velocity);
        system.evaluate_constraints(work);
        system.evaluate_forces(work);
        room.resize(system.velocities(), system.layout.rows);

        // unknowns to their places
        let partition = &reduced.partition;
        let (own, rest) = a.split_at(partition.independent.len());
        let (others, multipliers) = rest.split_at(partition.dependent.len());
        partition.independent.iter().zip(own).for_each(|(&c, a)| reduced.qddot[c] = *a);
        partition.dependent.iter().zip(others).for_each(|(&c, a)| reduced.qddot[c] = *a);
        room.lam.fill(0.0);
        let kept = reduced.jacobian.equation.iter().flatten();
        kept.zip(multipliers).for_each(|(&e, lam)| room.lam[e] = *lam);

        // p.p'' = -p'.p'
        room.changed.clear();
        room.changed.resize(reduced.qddot.len(), 0.0);
        if system.nq() == 7 {
            let each = reduced.qddot.chunks_exact_mut(7).zip(room.changed.chunks_exact_mut(7));
            for ((qddot, moved), body) in each.zip(&work.bodies[..system.bodies()]) {
                let (p, pdot) = (&body.p, &body.pdot);
                let radial: f64 = (0..4).map(|k| p[k] * qddot[3 + k] + pdot[k] * pdot[k]).sum();
                let size: f64 = p.iter().map(|e| e * e).sum();
                for k in 0..4 {
                    moved[3 + k] = -radial / size * p[k];
                    qddot[3 + k] += moved[3 + k];
                }
            }
        }
        self.balance();
        Ok(&self.saddle.right)
    }

    /// The residual of the unknowns in `qddot` and `lam` at the instant evaluated last, to the right side of the
    /// matrix: `M v' + Phi_v^T lam - Q` in coordinates, `Phi_v v' - gamma`, and nothing in normalisations.
    fn balance(&mut self) {
        let Self { reduced, saddle, room } = self;
        let (system, work) = (reduced.mechanism.system, &reduced.mechanism.work);
        let (forces, equations) = saddle.right.split_at_mut(system.coordinates());
        if system.nq() == 3 {
            room.acc.copy_from_slice(&reduced.qddot);
        } else {
            let each = reduced.qddot.chunks_exact(7).zip(room.acc.chunks_exact_mut(6));
            for ((qddot, acc), body) in each.zip(&work.bodies) {
                acc[..3].copy_from_slice(&qddot[..3]);
                let turn = euler::g_times(&body.p, &[qddot[3], qddot[4], qddot[5], qddot[6]]);
                (0..3).for_each(|k| acc[3 + k] = 2.0 * turn[k]);
            }
        }
        system.transpose_times(work, &room.lam, &mut room.balance);
        system.mass_times(&room.acc, &mut room.inertia);
        for ((x, m), q) in room.balance.iter_mut().zip(&room.inertia).zip(&work.force) {
            *x += m - q;
        }
        if system.nq() == 3 {
            forces.copy_from_slice(&room.balance);
        } else {
            let each = forces.chunks_exact_mut(7).zip(room.balance.chunks_exact(6));
            for ((out, x), body) in each.zip(&work.bodies) {
                out[..3].copy_from_slice(&x[..3]);
                let turn = euler::gt_times(&body.p, &[x[3], x[4], x[5]]);
                (0..4).for_each(|k| out[3 + k] = 2.0 * turn[k]);
            }
        }
        system.jacobian_times(work, &room.acc, &mut room.equations);
        for (out, equation) in equations.iter_mut().zip(&reduced.jacobian.equation) {
            *out = equation.map_or(0.0, |e| room.equations[e] - work.gamma[e]);
        }
    }

    /// Solves for the correction that belongs to the residual in the right side and adds it to the unknowns.
    fn advance(&mut self) {
        let Self { reduced, saddle, room } = self;
        saddle.right.iter_mut().for_each(|x| *x = -*x);
        saddle.solve();
        let (x, lam) = saddle.right.split_at(reduced.qddot.len());
        reduced.qddot.iter_mut().zip(x).for_each(|(a, x)| *a += x);
        let kept = reduced.jacobian.equation.iter().zip(lam);
        kept.for_each(|(e, x)| e.iter().for_each(|&e| room.lam[e] += x));
    }

    /// What is left of the linear equations after an advance, with M and Phi_q of this instant instead of those of
    /// the matrix: the residual that the new unknowns have here, and what they move.
    fn remain(&mut self) {
        self.room.correction.clone_from(&self.saddle.right);
        self.balance();
        let Self { reduced, saddle, room } = self;
        room.changed.iter_mut().zip(&room.correction).for_each(|(all, x)| *all += x);
        saddle.add_columns(&room.changed);
        let normalisations = reduced.mechanism.system.normalisations();
        let (n, joints) = (reduced.q.len(), reduced.partition.rows.len() - normalisations);
        for (b, body) in reduced.mechanism.work.bodies.iter().enumerate().take(normalisations) {
            let (forces, equations) = saddle.right.split_at_mut(n);
            let forces = &mut forces[b * 7 + 3..b * 7 + 7];
            // the multiplier of the normalisation takes what is along p
            let radial: f64 = forces.iter().zip(&body.p).map(|(f, p)| f * p).sum();
            forces.iter_mut().zip(&body.p).for_each(|(f, p)| *f -= radial * p);
            let turned = &room.correction[b * 7 + 3..b * 7 + 7];
            equations[joints + b] += 2.0 * turned.iter().zip(&body.p).map(|(x, p)| x * p).sum::<f64>();
        }
    }
}

impl Room {
    fn resize(&mut self, velocities: usize, equations: usize) {
        for list in [&mut self.acc, &mut self.balance, &mut self.inertia] {
            list.resize(velocities, 0.0);
        }
        for list in [&mut self.lam, &mut self.equations] {
            list.resize(equations, 0.0);
        }
    }
}

impl SecondOrder for Descriptor<'_, '_> {
    type Error = Trouble;

    fn dim(&self) -> usize {
        self.reduced.dim()
    }

    fn acceleration(&mut self, t: f64, v: &[f64], vdot: &[f64], out: &mut [f64]) -> Result<(), Trouble> {
        let (own, rest) = out.split_at_mut(v.len());
        self.reduced.acceleration(t, v, vdot, own)?;
        let partition = &self.reduced.partition;
        let others = partition.dependent.iter().map(|&c| &self.reduced.qddot[c]);
        let multipliers = self.reduced.mechanism.accelerator.kept_multipliers();
        rest.iter_mut().zip(others.chain(multipliers)).for_each(|(out, x)| *out = *x);
        Ok(())
    }

    /// The derivatives are always exact; they go into the saddle matrix.
    fn linearise(&mut self, t: f64, v: &[f64], vdot: &[f64], _: &mut Linearisation) -> Result<(), Trouble> {
        self.reduced.solve_at(t, v, vdot)?;
        self.reduced.differentiate(None)?;
        self.saddle.read(self.reduced).map_err(|_| Trouble::Partition)
    }

    fn unknowns(&self) -> usize {
        let normalisations = self.reduced.mechanism.system.normalisations();
        self.reduced.q.len() + self.reduced.partition.rows.len() - normalisations
    }

    fn factor(&mut self, _: &mut IterationMatrix, weights: Weights) -> Result<(), usize> {
        self.saddle.factor(weights)
    }

    fn correct(
        &mut self,
        _: &mut IterationMatrix,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        da: &mut [f64],
    ) -> Result<(), Trouble> {
        self.residual(t, v, vdot, a)?;
        // positions and velocities do not know yet what was done for the normalisations
        if self.reduced.mechanism.system.normalisations() > 0 {
            self.saddle.add_columns(&self.room.changed);
        }
        self.advance();
        // the matrix is that of another instant; refined, unknowns beside the accelerations do not slow the iteration
        self.remain();
        self.advance();
        let Reduced { partition, qddot, jacobian, .. } = &*self.reduced;
        let accelerations = partition.independent.iter().chain(&partition.dependent).map(|&c| qddot[c]);
        let multipliers = jacobian.equation.iter().flatten().map(|&e| self.room.lam[e]);
        for ((da, a), new) in da.iter_mut().zip(a).zip(accelerations.chain(multipliers)) {
            *da = new - a;
        }
        Ok(())
    }

    fn filter(&mut self, _: &mut IterationMatrix, x: &mut [f64]) {
        self.saddle.filter(x);
    }
}
