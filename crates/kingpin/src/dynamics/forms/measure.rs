//! The error of a step in all bodies, from that of the independent coordinates.

use super::chart::FARTHEST;
use super::plane::combine;
use super::recover::along_tangent;
use super::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::scales::Yardstick;
use crate::integrate::{ErrorMeasure, Loss};

/// The time in which what errors are relative to changes, at a state whose accelerations were solved last.
pub(in crate::dynamics) fn natural_time(
    yardstick: &Yardstick,
    mechanism: &Dynamics,
    q: &[f64],
    v: &[f64],
) -> Option<f64> {
    let mut rates = vec![0.0; mechanism.system.coordinates()];
    mechanism.system.rates(q, v, &mut rates);
    rates.extend(&mechanism.result.acc);
    yardstick.natural_time(&[q, v].concat(), &rates)
}

/// The part of a step that is tried next after trouble in it.
pub(in crate::dynamics) fn retreat(trouble: &Trouble) -> f64 {
    match trouble {
        Trouble::Turn { angle, .. } => (FARTHEST / angle).clamp(0.1, 0.9),
        _ => 0.25,
    }
}

impl Reduced<'_> {
    /// The worst of all bodies in position, turn, velocity and angular velocity, of an error of the independent
    /// coordinates and their rates in a step of size `h`; `None` without a yardstick. O(entries of the factors)
    pub(in crate::dynamics) fn measure_bodies(
        &mut self,
        h: f64,
        error: &[f64],
        loss: Option<Loss>,
    ) -> Option<f64> {
        let yardstick = self.yardstick.as_ref()?;
        let (positions, rates) = error.split_at(self.partition.independent.len());
        if self.plane.is_some() {
            combine(&self.base.motions, positions, &mut self.change);
            combine(&self.base.motions, rates, &mut self.rate_change);
        } else {
            for (&c, (x, rate)) in self.partition.independent.iter().zip(positions.iter().zip(rates)) {
                (self.change[c], self.rate_change[c]) = (*x, *rate);
            }
            let changes = [&mut self.change[..], &mut self.rate_change[..]];
            along_tangent(&self.tangent, &self.partition, &self.base, changes, &mut self.pair);
        }
        let changes = (&self.change[..], &self.rate_change[..]);
        Some(yardstick.tangent((h.abs(), loss), (&self.q, &self.velocity), changes))
    }

    /// Bases the chart at the end of a step, given by its independent values, and writes these values and
    /// accelerations there in the new chart: what a stepper remembers. Lists of accelerations may be empty.
    pub(in crate::dynamics) fn rebase_with(
        &mut self,
        t: f64,
        y: &mut [f64],
        accelerations: [&mut [f64]; 2],
    ) -> Result<(), Trouble> {
        self.accept(t, y)?;
        let (mut factored, mut known) = (false, false);
        for list in accelerations.into_iter().rev().filter(|list| !list.is_empty()) {
            let mut own = std::mem::take(&mut self.own);
            self.read(&self.end.xddot, &mut own);
            let at_end = self.end.solved && own == list;
            self.own = own;
            if at_end {
                self.acc.copy_from_slice(&self.end.acc);
            } else {
                factored = factored || self.factor_here().is_ok();
                if factored {
                    self.complete(list);
                    self.solved = false;
                } else {
                    // coordinates that are worn out do not determine the others any more
                    self.solve()?;
                    self.acc.copy_from_slice(&self.mechanism.result.acc);
                }
            }
            self.read(&self.acc, list);
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
    pub(in crate::dynamics) fn rebase_here(&mut self) {
        self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut self.acc);
        self.set_base();
    }
}
