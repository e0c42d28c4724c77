//! The instant at hand, the base of the chart and the end of the step: going from one to another.

use super::bordered::level;
use super::{LevelBase, Whole, set_constant_mass};
use crate::dynamics::forms::recover::{Recovering, stillness};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::system::moving;

impl<const EXACT: bool> Whole<'_, EXACT> {
    /// Places the instant at hand, whose coordinates and rates were set, and evaluates the constraints there.
    fn arrive(&mut self) {
        self.chart.place(&self.x, &mut self.q);
        self.chart.velocities(&self.xdot, &mut self.velocity);
        self.mechanism.look(self.t, &self.q, &self.velocity);
        (self.solved, self.warm, self.recovered) = (false, false, true);
        self.read_jacobian();
        self.ask_for_itself();
    }

    /// Notes that the instant at hand is the one that was asked for.
    pub(super) fn ask_for_itself(&mut self) {
        let (x, xdot) = self.asked.split_at_mut(self.x.len());
        x.copy_from_slice(&self.x);
        xdot.copy_from_slice(&self.xdot);
    }

    pub(super) fn return_to_base(&mut self) {
        let base = &self.base;
        if self.t != base.t || self.x != base.x || self.xdot != base.xdot {
            self.t = base.t;
            self.x.copy_from_slice(&base.x);
            self.xdot.copy_from_slice(&base.xdot);
            self.arrive();
        }
    }

    fn return_to_end(&mut self) {
        let end = &self.end;
        if self.t != end.t || self.x != end.x || self.xdot != end.xdot {
            self.t = end.t;
            self.x.copy_from_slice(&end.x);
            self.xdot.copy_from_slice(&end.xdot);
            self.arrive();
        }
    }

    /// Whether these are the coordinates of the base.
    pub(super) fn is_base(&self, t: f64, v: &[f64], vdot: &[f64]) -> bool {
        t == self.base.t && v == self.base.x && vdot == self.base.xdot
    }

    /// Whether the instant at hand is the one that these coordinates ask for.
    pub(super) fn is_at(&self, t: f64, v: &[f64], vdot: &[f64]) -> bool {
        let (x, xdot) = self.asked.split_at(v.len());
        self.recovered && t == self.t && v == x && vdot == xdot
    }

    /// Recovers the state at the end of a step and leaves the constraints evaluated there. Called again for the same
    /// coordinates it gives the same bits, whatever was looked at in between.
    pub fn take_over(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let (v, vdot) = y.split_at(self.x.len());
        if self.end.known && t == self.end.t && y == self.end_asked {
            self.return_to_end();
            return Ok(());
        }
        if self.is_base(t, v, vdot) {
            self.return_to_base();
        } else if !self.is_at(t, v, vdot) {
            self.recover(t, v, vdot)?;
            self.mechanism.look(self.t, &self.q, &self.velocity);
        }
        let end = &mut self.end;
        (end.t, end.known, end.solved) = (t, true, self.solved);
        end.x.copy_from_slice(&self.x);
        end.xdot.copy_from_slice(&self.xdot);
        end.xddot.copy_from_slice(&self.xddot);
        end.acc.copy_from_slice(&self.mechanism.result.acc);
        self.end_asked.copy_from_slice(y);
        Ok(())
    }

    /// Bases the chart at the instant at hand, whose constraints are evaluated and whose accelerations are in `acc`.
    pub(super) fn set_base(&mut self) {
        let system = self.mechanism.system;
        self.chart.base(&self.q, &mut self.x);
        self.xdot.copy_from_slice(&self.velocity);
        self.xddot.copy_from_slice(&self.room.acc);
        self.read_jacobian();
        self.read_mass();
        self.ask_for_itself();
        let base = &mut self.base;
        base.t = self.t;
        base.x.copy_from_slice(&self.x);
        base.xdot.copy_from_slice(&self.xdot);
        base.xddot.copy_from_slice(&self.xddot);
        base.phi.copy_from_slice(&self.values);
        // a failure is no harm yet: only the next step needs it
        let LevelBase { metric, phi, factor, .. } = base;
        base.regular = level(&self.structure.single, metric, [phi, phi], factor);
        (self.warm, self.recovered, self.end.known) = (false, true, false);
        base.still = stillness(system, &self.x);
    }

    /// The mass where it is not constant.
    fn read_mass(&mut self) {
        let Dynamics { system, work, .. } = &self.mechanism;
        if !system.is_coupled() {
            return;
        }
        set_constant_mass(system, &mut self.base.mass);
        let each = system.inertances.iter().zip(&work.rates).zip(&system.layout.inertance_pairs);
        for ((inertance, rate), map) in each {
            for (a, left, rows) in moving(system, &inertance.basic) {
                for (b, right, columns) in moving(system, &inertance.basic) {
                    let place = |body: usize| map.bodies.iter().position(|&m| m == body).unwrap_or(0);
                    let pair = map.pairs[place(left) * map.bodies.len() + place(right)];
                    let at = system.layout.pairs[pair as usize].at;
                    for (i, g) in rate.row[a][..rows.len()].iter().enumerate() {
                        for (j, other) in rate.row[b][..columns.len()].iter().enumerate() {
                            self.base.mass[at + i * columns.len() + j] += inertance.amount * g * other;
                        }
                    }
                }
            }
        }
        let all = system.floating.iter().zip(&work.floating).zip(&system.layout.floating_pairs);
        for ((body, own), map) in all {
            system.floating_entries(body, own, |nodes, [i, j], m| {
                let [a, b] = nodes.map(|node| map.bodies.iter().position(|&own| own == node).unwrap_or(0));
                let pair = &system.layout.pairs[map.pairs[a * map.bodies.len() + b] as usize];
                self.base.mass[pair.at + i * pair.nv[1] + j] += m;
            });
        }
    }

    /// Accelerations at coordinates, unless they are at hand.
    pub(super) fn solve_at(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        if !self.is_at(t, v, vdot) {
            if self.is_base(t, v, vdot) {
                self.return_to_base();
            } else {
                self.recover(t, v, vdot)?;
            }
        }
        if self.solved { Ok(()) } else { self.solve() }
    }

    /// Accelerations at the instant at hand.
    pub(super) fn solve(&mut self) -> Result<(), Trouble> {
        self.solved = false;
        self.mechanism.accelerate(self.t, &self.q, &self.velocity)?;
        self.chart.of_accelerations(&self.x, &self.xdot, &self.mechanism.result.acc, &mut self.xddot);
        self.solved = true;
        Ok(())
    }
}
