//! Dependent positions and velocities from the independent ones.

use super::chart::Chart;
use super::partition::Partition;
use super::reduced::{Base, Reduced};
use super::tangent::Tangent;
use crate::dynamics::instant::{Trouble, largest, position_trouble};
use crate::system::{System, Work};

/// Corrections below this, relative to the largest coordinate (or rate), end an iteration.
pub(in crate::dynamics) const STILL: f64 = 1e-12;
/// Corrections greater than this many times that lead nowhere.
pub(in crate::dynamics) const FAR: f64 = 1e14;
/// Most iterations of a recovery.
pub(in crate::dynamics) const ITERATIONS: usize = 25;
/// Convergence slower than this makes a new factor worth its price.
const SLOW: f64 = 0.1;
/// What corrections of iterates may leave, in parts of the tolerance: the next iterate is corrected from there.
const IGNORED: f64 = 0.01;

/// Coordinates that constraints complete, by corrections with the factor of an earlier configuration
/// [Negrut 1998, section 3.1].
pub(in crate::dynamics) trait Recovering {
    /// One correction of the positions, after the constraints are evaluated; its size.
    fn correct_positions(&mut self) -> Result<f64, Trouble>;
    /// One correction of the velocities; its size.
    fn correct_velocities(&mut self) -> Result<f64, Trouble>;
    /// Factors in the configuration of the work.
    fn refactor(&mut self) -> Result<(), Trouble>;
    /// Corrections of positions and of velocities that count as none.
    fn still(&self) -> [f64; 2];
    /// What it is all about.
    fn sight(&mut self) -> Sight<'_>;

    /// Reads Phi_x in the configuration of the work.
    fn read_jacobian(&mut self) {
        let Sight { work, system, chart, values, .. } = self.sight();
        chart.jacobian(system, work, values);
    }

    /// Takes positions or velocities over that are found.
    fn settled(&mut self, velocities: bool) {
        let Sight { chart, x: [x, xdot], state: [q, v], .. } = self.sight();
        if velocities { chart.velocities(xdot, v) } else { chart.place(x, q) }
    }
}

/// A mechanism in the middle of a recovery.
pub(in crate::dynamics) struct Sight<'a> {
    pub system: &'a System,
    pub work: &'a Work,
    pub chart: &'a mut Chart,
    /// Coordinates of the chart and their rates.
    pub x: [&'a [f64]; 2],
    /// Those of bodies, and their velocities.
    pub state: [&'a mut [f64]; 2],
    /// Phi_x.
    pub values: &'a mut [f64],
}

/// Positions, then velocities; leaves the constraints evaluated in this configuration.
pub(in crate::dynamics) fn recover<R: Recovering>(of: &mut R) -> Result<(), Trouble> {
    recover_positions(of, of.still()[0])?;
    of.read_jacobian();
    let still = of.still()[1];
    let found = repeat(of, R::correct_velocities, [still, f64::INFINITY])?;
    of.settled(true);
    if found { Ok(()) } else { Err(Trouble::Partition) }
}

/// The same where factors of this configuration are wanted all the same: velocities are linear, and need them once. The
/// last correction of positions is at most `enough`, and what it leaves is less by the rate of the iteration.
fn recover_and_factor<R: Recovering>(of: &mut R, enough: f64) -> Result<(), Trouble> {
    recover_positions(of, enough)?;
    of.refactor()?;
    let size = of.correct_velocities()?;
    of.settled(true);
    if size.is_finite() { Ok(()) } else { Err(Trouble::Partition) }
}

fn recover_positions<R: Recovering>(of: &mut R, enough: f64) -> Result<(), Trouble> {
    let far = FAR * of.still()[0];
    if !repeat(of, R::correct_positions, [enough, far])? {
        return Err(position_trouble(of.sight().work));
    }
    of.settled(false);
    Ok(())
}

/// Repeats a correction until it vanishes; whether it did. A factor that brings less than a digit is renewed.
#[inline(always)]
fn repeat<R: Recovering>(
    of: &mut R,
    correct: impl Fn(&mut R) -> Result<f64, Trouble>,
    [still, far]: [f64; 2],
) -> Result<bool, Trouble> {
    let mut before = f64::INFINITY;
    for _ in 0..ITERATIONS {
        let size = correct(of)?;
        if !size.is_finite() || size > far {
            return Ok(false);
        }
        if size <= still {
            return Ok(true);
        }
        if size > SLOW * before {
            of.refactor()?;
        }
        before = size;
    }
    Ok(false)
}

/// Corrections that count as none at coordinates x of a chart: angles may count hundreds of turns, and only their rounding
/// errors grow with them.
pub(in crate::dynamics) fn stillness(system: &System, x: &[f64]) -> f64 {
    let far = system.nodes.split_v(x).take(system.masses()).map(|(place, _)| largest(place));
    let far = far.fold(0.0, f64::max);
    STILL * (1.0 + far) + f64::EPSILON * largest(x)
}

impl Reduced<'_> {
    /// Dependent positions and velocities; leaves the constraints evaluated in this configuration.
    pub(in crate::dynamics) fn recover(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        self.recover_by(recover, (t, v, vdot), false)?;
        self.recovered = true;
        Ok(())
    }

    /// The same for an iterate of a stage, as well as it matters, and leaves Phi_u factored there; whether it starts
    /// from the last iterate and its factors.
    pub(in crate::dynamics) fn recover_stage(
        &mut self,
        at: (f64, &[f64], &[f64]),
        returned: bool,
    ) -> Result<(), Trouble> {
        let step = (at.0 - self.base.t).abs();
        let least = self.yardstick.as_ref().map_or(0.0, |yardstick| yardstick.least(IGNORED, step));
        let enough = least.max(self.base.still);
        self.recover_by(|of| recover_and_factor(of, enough), at, returned)
    }

    fn recover_by(
        &mut self,
        way: impl Fn(&mut Self) -> Result<(), Trouble>,
        (t, v, vdot): (f64, &[f64], &[f64]),
        at_hand: bool,
    ) -> Result<(), Trouble> {
        self.solved = false;
        if at_hand && self.plane.is_none() {
            // the first correction is the best prediction there is
            self.set_independent(v, vdot);
        } else {
            self.predict(t, v, vdot);
        }
        if !self.factored {
            self.partition.lu.copy_numbers(&self.base.lu);
            self.plane.iter_mut().for_each(|plane| plane.return_to(&self.base.motions));
        }
        self.t = t;
        let (z, rates) = self.asked.split_at_mut(v.len());
        z.copy_from_slice(v);
        rates.copy_from_slice(vdot);
        let recovered = way(self);
        (self.factored, self.recovered) = (recovered.is_ok(), false);
        recovered
    }

    /// Along the motion of the base, corrected for the independent values by the tangent there. Values at the
    /// time of the last recovery are close to it: the next iterate of a stage.
    fn predict(&mut self, t: f64, v: &[f64], vdot: &[f64]) {
        if t != self.t || !self.factored {
            let (base, tau) = (&self.base, t - self.base.t);
            for c in 0..self.x.len() {
                self.x[c] = base.x[c] + tau * (base.xdot[c] + 0.5 * tau * base.xddot[c]);
                self.xdot[c] = base.xdot[c] + tau * base.xddot[c];
            }
        }
        if let Some(plane) = &mut self.plane {
            plane.reach(&self.base.motions, v, &mut self.x);
            plane.reach(&self.base.motions, vdot, &mut self.xdot);
            return;
        }
        self.set_independent(v, vdot);
        let changes = [&mut self.change[..], &mut self.rate_change[..]];
        along_tangent(&self.tangent, &self.partition, &self.base, changes, &mut self.pair);
        for &u in &self.partition.dependent {
            self.x[u] += self.change[u];
            self.xdot[u] += self.rate_change[u];
        }
    }

    /// Takes independent values over, and notes their changes.
    fn set_independent(&mut self, v: &[f64], vdot: &[f64]) {
        for (&c, (v, vdot)) in self.partition.independent.iter().zip(v.iter().zip(vdot)) {
            (self.change[c], self.rate_change[c]) = (v - self.x[c], vdot - self.xdot[c]);
            (self.x[c], self.xdot[c]) = (*v, *vdot);
        }
    }

    /// Takes a correction of the dependent coordinates, or of their rates, which is in `step`, without changing the
    /// coordinates of the form; its size.
    fn take_off(&mut self, velocities: bool) -> f64 {
        let Self { partition, plane, step, change, x, xdot, .. } = self;
        let x = if velocities { xdot } else { x };
        let Some(plane) = plane else {
            step.iter().zip(&partition.dependent).for_each(|(step, &u)| x[u] -= step);
            return largest(step);
        };
        change.fill(0.0);
        step.iter().zip(&partition.dependent).for_each(|(step, &u)| change[u] = *step);
        plane.level(change);
        x.iter_mut().zip(&*change).for_each(|(x, change)| *x -= change);
        largest(change)
    }
}

impl Recovering for Reduced<'_> {
    /// Phi_u du = -Phi.
    fn correct_positions(&mut self) -> Result<f64, Trouble> {
        self.chart.check(&self.x)?;
        self.chart.place(&self.x, &mut self.q);
        self.mechanism.look(self.t, &self.q, &self.velocity);
        for (r, &row) in self.step.iter_mut().zip(&self.partition.rows) {
            *r = self.mechanism.work.phi[self.jacobian.equation[row]];
        }
        self.partition.lu.solve(&mut self.step);
        Ok(self.take_off(false))
    }

    /// Phi_u u' = nu - Phi_v v', linear.
    fn correct_velocities(&mut self) -> Result<f64, Trouble> {
        for (k, (x, &row)) in self.step.iter_mut().zip(&self.partition.rows).enumerate() {
            let nu = self.mechanism.work.nu[self.jacobian.equation[row]];
            *x = product(self.tangent.row(k), &self.values, &self.xdot) - nu;
        }
        self.partition.lu.solve(&mut self.step);
        Ok(self.take_off(true))
    }

    /// Factors Phi_u.
    fn refactor(&mut self) -> Result<(), Trouble> {
        self.read_jacobian();
        if self.partition.lu.factor(&self.values) == 0.0 { Err(Trouble::Partition) } else { self.follow() }
    }

    fn still(&self) -> [f64; 2] {
        [self.base.still, STILL * (1.0 + largest(&self.xdot))]
    }

    fn sight(&mut self) -> Sight<'_> {
        Sight {
            system: self.mechanism.system,
            work: &self.mechanism.work,
            chart: &mut self.chart,
            x: [&self.x, &self.xdot],
            state: [&mut self.q, &mut self.velocity],
            values: &mut self.values,
        }
    }
}

/// Changes of the dependent coordinates, and of their rates, for those of the independent ones, by the tangent at the base:
/// du = -Phi_u^-1 Phi_v dv. O(entries of the factors)
pub(in crate::dynamics) fn along_tangent(
    rows: &Tangent,
    partition: &Partition,
    base: &Base,
    [change, rate_change]: [&mut [f64]; 2],
    room: &mut [[f64; 2]],
) {
    for (pivot, out) in room.iter_mut().enumerate() {
        *out = [0.0; 2];
        for &(place, c) in rows.free_row(pivot) {
            let (value, c) = (base.values[place as usize], c as usize);
            *out = [out[0] - value * change[c], out[1] - value * rate_change[c]];
        }
    }
    base.lu.solve_two(room);
    for (x, &u) in room.iter().zip(&partition.dependent) {
        [change[u], rate_change[u]] = *x;
    }
}

/// A row of Phi_x, given by places and coordinates, times x.
#[inline(always)]
fn product(row: &[(u32, u32)], values: &[f64], x: &[f64]) -> f64 {
    row.iter().map(|&(place, c)| values[place as usize] * x[c as usize]).sum()
}
