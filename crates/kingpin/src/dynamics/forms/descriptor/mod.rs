//! The descriptor form: accelerations and multipliers are unknowns of a stage, none is eliminated from another.

mod memory;
mod pair;
mod pattern;
mod saddle;

pub use saddle::Saddle;

use super::form::Partitioned;
use super::reduced::Reduced;
use crate::dynamics::instant::Trouble;
use crate::integrate::{Loss, Norm, SecondOrder, Unfit};

/// The equations of a mechanism for methods whose unknowns are accelerations [Negrut 1998, section 3.3]. What is
/// discretised is the same as in [`Reduced`]: the motion of the independent coordinates. But the unknowns of a stage
/// are all of (x'', lam), corrected with the sparse [`Saddle`] matrix, and no acceleration problem is solved.
///
/// The unknowns are the accelerations of the independent coordinates, those of the dependent ones along the pivots,
/// and the multipliers of the equations that are kept; in the tangent plane the accelerations of its coordinates, those of
/// all coordinates, and the multipliers. Methods with other unknowns solve their linear systems with the same matrix.
pub struct Descriptor<'a> {
    /// The mechanism in independent coordinates.
    pub reduced: Reduced<'a>,
    room: Room,
}

/// Accelerations, multipliers and residuals in all coordinates.
#[derive(Clone, Debug, Default)]
struct Room {
    /// v' of all bodies, and the balance of their forces.
    acc: Vec<f64>,
    balance: Vec<f64>,
    /// M v'.
    inertia: Vec<f64>,
    /// Multipliers and residuals of all joint equations.
    lam: Vec<f64>,
    equations: Vec<f64>,
    /// What the matrix changed of all unknowns.
    changed: Vec<f64>,
}

impl<'a> Descriptor<'a> {
    /// The form around a mechanism in independent coordinates.
    pub fn new(reduced: Reduced<'a>) -> Self {
        let (system, mut room) = (reduced.mechanism.system, Room::default());
        room.resize(system.velocities(), system.layout.rows);
        Self { reduced, room }
    }

    /// The residual of the equations of motion at an instant with unknowns `a`, in all coordinates and then in the
    /// kept equations, to the right side of the matrix: what [`SecondOrder::correct`] makes vanish. The accelerations
    /// used are left in the reduced form.
    pub fn residual<'m>(
        &mut self,
        matrix: &'m mut Saddle,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
    ) -> Result<&'m [f64], Trouble> {
        self.reduced.recover(t, v, vdot)?;
        let Self { reduced, room } = self;
        let system = reduced.mechanism.system;
        let work = &mut reduced.mechanism.work;
        system.set(work, t, &reduced.q, &reduced.velocity);
        system.evaluate_constraints(work);
        if system.readings.is_empty() {
            system.evaluate_forces(work);
        }

        // unknowns to their places
        let multipliers = place(reduced, a);
        room.lam.fill(0.0);
        let kept = reduced.jacobian.equation.iter();
        kept.zip(multipliers).for_each(|(&e, lam)| room.lam[e] = *lam);
        self.balance(&mut matrix.right);
        let Self { reduced, .. } = self;
        if let Some(plane) = &reduced.plane {
            let first = reduced.xddot.len() + reduced.jacobian.equation.len();
            let lack = &mut matrix.right[first..];
            plane.read(&reduced.xddot, lack);
            lack.iter_mut().zip(a).for_each(|(lack, a)| *lack = a - *lack);
        }
        Ok(&matrix.right)
    }

    /// The residual of the unknowns in `xddot` and `lam` at the instant evaluated last:
    /// `M v' + Phi_v^T lam - Q` in coordinates and `Phi_v v' - gamma`.
    fn balance(&mut self, out: &mut [f64]) {
        let Self { reduced, room } = self;
        let (system, work) = (reduced.mechanism.system, &mut reduced.mechanism.work);
        if !system.readings.is_empty() {
            // forces go with the reactions of these multipliers
            system.take_readings(&room.lam, work);
            system.evaluate_forces(work);
        }
        let (forces, equations) = out.split_at_mut(system.velocities());
        // as a rule coordinates of the plane are those of the accelerations
        equations.fill(0.0);
        reduced.chart.accelerations(&reduced.x, &reduced.xdot, &reduced.xddot, &mut room.acc);
        system.transpose_times(work, &room.lam, &mut room.balance);
        system.mass_times(&room.acc, &mut room.inertia);
        system.add_shared_inertia(work, &room.acc, &mut room.inertia);
        for (((out, x), m), q) in forces.iter_mut().zip(&room.balance).zip(&room.inertia).zip(&work.force) {
            *out = x + m - q;
        }
        reduced.chart.forces(forces);
        system.jacobian_times(work, &room.acc, &mut room.equations);
        for (out, &e) in equations.iter_mut().zip(&reduced.jacobian.equation) {
            *out = room.equations[e] - work.gamma[e];
        }
    }

    /// The accelerations among the unknowns that follow those of the form's own coordinates.
    fn others<'u>(&'u self, xddot: &'u [f64]) -> impl Iterator<Item = &'u f64> {
        others(&self.reduced, xddot)
    }

    /// Solves for the correction that belongs to the residual in the right side and adds it to the unknowns.
    fn advance(&mut self, matrix: &mut Saddle) {
        let Self { reduced, room } = self;
        matrix.right.iter_mut().for_each(|x| *x = -*x);
        matrix.solve();
        let (x, lam) = matrix.right.split_at(reduced.xddot.len());
        reduced.xddot.iter_mut().zip(x).for_each(|(a, x)| *a += x);
        let kept = reduced.jacobian.equation.iter().zip(lam);
        kept.for_each(|(&e, x)| room.lam[e] += x);
    }

    /// What is left of the linear equations after an advance, with M and Phi_x of this instant instead of those of
    /// the matrix: the residual that the new unknowns have here, and what they move.
    fn remain(&mut self, matrix: &mut Saddle) {
        self.room.changed.clone_from(&matrix.right);
        self.balance(&mut matrix.right);
        matrix.add_columns(&self.room.changed);
    }
}

impl<'a> Partitioned<'a> for Descriptor<'a> {
    fn around(reduced: Reduced<'a>) -> Self {
        Self::new(reduced)
    }

    fn reduced(&self) -> &Reduced<'a> {
        &self.reduced
    }

    fn reduced_mut(&mut self) -> &mut Reduced<'a> {
        &mut self.reduced
    }

    fn into_reduced(self) -> Reduced<'a> {
        self.reduced
    }
}

/// Accelerations of unknowns to their places; the rest are multipliers.
fn place<'u>(reduced: &mut Reduced, unknowns: &'u [f64]) -> &'u [f64] {
    let Reduced { partition, xddot, plane, .. } = reduced;
    if plane.is_some() {
        let (all, multipliers) = unknowns[partition.independent.len()..].split_at(xddot.len());
        xddot.copy_from_slice(all);
        return multipliers;
    }
    let (own, rest) = unknowns.split_at(partition.independent.len());
    let (others, multipliers) = rest.split_at(partition.dependent.len());
    partition.independent.iter().zip(own).for_each(|(&c, a)| xddot[c] = *a);
    partition.dependent.iter().zip(others).for_each(|(&c, a)| xddot[c] = *a);
    multipliers
}

/// Those of the dependent coordinates, along the pivots; those of all coordinates in the plane.
fn others<'u>(reduced: &'u Reduced, xddot: &'u [f64]) -> impl Iterator<Item = &'u f64> {
    let (all, some) = match &reduced.plane {
        Some(_) => (xddot, &[][..]),
        None => (&[][..], &reduced.partition.dependent[..]),
    };
    all.iter().chain(some.iter().map(|&c| &xddot[c]))
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

impl SecondOrder for Descriptor<'_> {
    type Error = Trouble;
    type Matrix = Saddle;

    fn dim(&self) -> usize {
        self.reduced.dim()
    }

    fn acceleration(&mut self, t: f64, v: &[f64], vdot: &[f64], out: &mut [f64]) -> Result<(), Trouble> {
        let (own, rest) = out.split_at_mut(v.len());
        self.reduced.acceleration(t, v, vdot, own)?;
        let multipliers = self.reduced.mechanism.accelerator.kept_multipliers();
        let others = self.others(&self.reduced.xddot).chain(multipliers);
        rest.iter_mut().zip(others).for_each(|(out, x)| *out = *x);
        Ok(())
    }

    /// The derivatives are always exact; they go into the saddle matrix.
    fn linearise(&mut self, t: f64, v: &[f64], vdot: &[f64], out: &mut Saddle) -> Result<(), Trouble> {
        self.reduced.solve_at(t, v, vdot)?;
        self.reduced.differentiate(None)?;
        out.read(&self.reduced).map_err(|_| Trouble::Partition)
    }

    fn unknowns(&self) -> usize {
        let Reduced { plane, x, partition, .. } = &self.reduced;
        let own = if plane.is_some() { partition.independent.len() } else { 0 };
        own + x.len() + partition.rows.len()
    }

    fn correct(
        &mut self,
        matrix: &mut Saddle,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        da: &mut [f64],
    ) -> Result<(), Trouble> {
        if v.is_empty() {
            // nothing is left to iterate: no correction tells whether the other unknowns are right
            self.acceleration(t, v, vdot, da)?;
            da.iter_mut().zip(a).for_each(|(da, a)| *da -= a);
            return Ok(());
        }
        self.residual(matrix, (t, v, vdot), a)?;
        self.advance(matrix);
        // the matrix is that of another instant; refined, unknowns beside the accelerations do not slow the iteration
        self.remain(matrix);
        self.advance(matrix);
        let Reduced { xddot, jacobian, .. } = &self.reduced;
        let (own, rest) = da.split_at_mut(v.len());
        self.reduced.read(xddot, own);
        let multipliers = jacobian.equation.iter().map(|&e| &self.room.lam[e]);
        let others = self.others(xddot).chain(multipliers);
        rest.iter_mut().zip(others).for_each(|(out, x)| *out = *x);
        da.iter_mut().zip(a).for_each(|(da, a)| *da -= a);
        Ok(())
    }

    fn imbalance(
        &mut self,
        matrix: &mut Saddle,
        at: (f64, &[f64], &[f64]),
        a: &[f64],
        lack: &mut [f64],
    ) -> Result<(), Trouble> {
        let residual = self.residual(matrix, at, a)?;
        lack.iter_mut().zip(residual).for_each(|(lack, x)| *lack = -x);
        Ok(())
    }

    /// Multipliers iterate along, and steps are as short as they need: what is left in each adds up over more of them.
    fn strictness(&self) -> f64 {
        10.0
    }

    fn fit(&self, matrix: &mut Saddle) -> Result<(), Unfit> {
        matrix.fit(&self.reduced)
    }

    /// The unknowns of a list are all accelerations, and multipliers, which are the same in every chart; or the
    /// independent accelerations alone.
    fn rebase(&mut self, t: f64, y: &mut [f64], accelerations: [&mut [f64]; 2]) -> Result<(), Trouble> {
        let unknowns = self.unknowns();
        let reduced = &mut self.reduced;
        if accelerations.iter().any(|list| !list.is_empty() && list.len() != unknowns) {
            return reduced.rebase_with(t, y, accelerations);
        }
        reduced.accept(t, y)?;
        for list in accelerations.into_iter().rev().filter(|list| !list.is_empty()) {
            place(reduced, list);
            reduced.chart.accelerations(&reduced.x, &reduced.xdot, &reduced.xddot, &mut reduced.acc);
            let (own, rest) = list.split_at_mut(reduced.partition.independent.len());
            reduced.read(&reduced.acc, own);
            rest.iter_mut().zip(others(reduced, &reduced.acc)).for_each(|(a, x)| *a = *x);
        }
        reduced.solved = false;
        reduced.set_base();
        reduced.independent(y);
        Ok(())
    }

    fn measure(&mut self, norm: &Norm, h: f64, error: &[f64], ends: (&[f64], &[f64])) -> f64 {
        self.reduced.measure(norm, h, error, ends)
    }

    fn measure_losing(&mut self, norm: &Norm, h: f64, error: (&[f64], Loss), ends: (&[f64], &[f64])) -> f64 {
        self.reduced.measure_losing(norm, h, error, ends)
    }

    fn natural_time(&self) -> Option<Option<f64>> {
        self.reduced.natural_time()
    }

    fn longest_step(&self) -> f64 {
        self.reduced.longest_step()
    }

    fn retreat(&self, error: &Trouble) -> f64 {
        self.reduced.retreat(error)
    }
}
