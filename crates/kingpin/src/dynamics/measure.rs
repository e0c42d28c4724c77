//! The error of a step in all bodies, from that of the independent coordinates.

use super::mechanism::Trouble;
use super::recover::along_tangent;
use super::reduced::Reduced;
use crate::integrate::Tolerance;

/// What errors of bodies are measured against. An error of a position or velocity may be `atol + rtol size`; turns
/// have no size but what they turn in the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// Of positions and turns.
    pub position: Tolerance,
    /// Of velocities and angular velocities.
    pub velocity: Tolerance,
}

/// The larger of two sizes.
fn size(a: &[f64], b: &[f64]) -> f64 {
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    square(a).max(square(b)).sqrt()
}

fn part(error: &[f64], size: f64, tolerance: Tolerance) -> f64 {
    let square = error.iter().map(|x| x * x).sum::<f64>();
    square.sqrt() / (tolerance.atol + tolerance.rtol * size).max(f64::MIN_POSITIVE)
}

impl Reduced<'_> {
    /// The worst of all bodies in position, turn, velocity and angular velocity. What else the model holds makes no
    /// difference to a body. O(entries of the factors)
    pub(super) fn measure_bodies(&mut self, tolerances: &Tolerances, error: &[f64]) -> f64 {
        let system = self.mechanism.system;
        let (nv, d, n) = (system.nv(), system.dimensions(), self.partition.independent.len());
        let (positions, rates) = error.split_at(n);
        let mut worst = 0.0_f64;
        for (own, of_rates) in [(positions, false), (rates, true)] {
            for (&c, x) in self.partition.independent.iter().zip(own) {
                self.change[c] = *x;
            }
            let rows = &self.jacobian.rows;
            along_tangent(rows, &self.partition, &self.base, &mut self.change, &mut self.step);
            for b in 0..system.bodies() {
                let at = b * nv..b * nv + d;
                let turn = b * nv + d..(b + 1) * nv;
                let (tolerance, before, now) = if of_rates {
                    (tolerances.velocity, &self.base.xdot, &self.velocity)
                } else {
                    (tolerances.position, &self.base.x, &self.x)
                };
                let spin = if of_rates { size(&before[turn.clone()], &now[turn.clone()]) } else { 0.0 };
                let moved = part(&self.change[at.clone()], size(&before[at.clone()], &now[at]), tolerance);
                let turned = part(&self.change[turn], spin, tolerance);
                // an error that is no number is none that could be accepted
                if !(moved <= worst && turned <= worst) {
                    worst = if moved > turned { moved } else { turned };
                }
                if !worst.is_finite() {
                    return f64::NAN;
                }
            }
        }
        worst
    }

    /// Bases the chart at the end of a step, given by its independent values, and writes these values and
    /// accelerations there in the new chart: what a stepper remembers. Lists of accelerations may be empty.
    pub(super) fn rebase_with(
        &mut self,
        t: f64,
        y: &mut [f64],
        accelerations: [&mut [f64]; 2],
    ) -> Result<(), Trouble> {
        self.accept(t, y)?;
        let (mut factored, mut known) = (false, false);
        for list in accelerations.into_iter().rev().filter(|list| !list.is_empty()) {
            let mut own = self.partition.independent.iter().zip(list.iter());
            if self.end.solved && own.all(|(&c, a)| self.end.xddot[c] == *a) {
                self.acc.copy_from_slice(&self.end.acc);
            } else {
                if !factored {
                    self.factor_here()?;
                    factored = true;
                }
                self.complete(list);
                self.solved = false;
            }
            let places = self.partition.independent.iter().zip(list.iter_mut());
            places.for_each(|(&c, a)| *a = self.acc[c]);
            known = true;
        }
        if !known {
            self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut self.acc);
        }
        self.set_base();
        self.independent(y);
        Ok(())
    }

    /// Bases the chart at an accepted state.
    pub(super) fn rebase_here(&mut self) {
        self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut self.acc);
        self.set_base();
    }
}
