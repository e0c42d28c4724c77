//! What holds coordinates of joints at an instant, what it takes, and how an impulse on one of them spreads.

use super::{Dynamics, Trouble};
use crate::element::basic::Basic;
use crate::element::hold::JointHold;
use crate::system::State;

/// What a unit impulse along a coordinate does.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Response {
    /// To all velocities.
    pub v: Vec<f64>,
    /// The impulse, in velocities.
    pub push: Vec<f64>,
    /// To the rate of the coordinate: not negative, and zero if it cannot move.
    pub rate: f64,
    /// The same if no joint held its bodies.
    pub free: f64,
}

impl Response {
    /// Whether the coordinate can move.
    pub fn can_move(&self) -> bool {
        self.rate > 1e-10 * self.free
    }

    /// What a unit impulse along another does to the rate of the coordinate.
    pub fn along(&self, other: &Response) -> f64 {
        self.push.iter().zip(&other.v).map(|(x, v)| x * v).sum()
    }

    /// How much slower than by itself the coordinate is at a given energy.
    pub fn share(&self) -> f64 {
        (self.rate / self.free).sqrt().min(1.0)
    }
}

impl Dynamics<'_> {
    /// How far all switches are from their edges, and all that holds from letting go; the instant is set.
    pub(in crate::dynamics) fn margins(&mut self, out: &mut [f64]) {
        let evaluated = self.knows_reactions();
        self.system.switch_margins(&self.work, out);
        for &hold in evaluated.then_some(&self.system.active).into_iter().flatten() {
            out[self.system.holds[hold].switch] = self.hold_margin(hold);
        }
        for (hold, wander) in self.system.holds.iter().zip(&self.wander) {
            if hold.is_idle(&self.work.pieces) {
                out[hold.switch] = wander - self.system.basic_value_and_rate(&hold.probe, &self.work).1.abs();
            }
        }
    }

    /// The same of one switch.
    pub(in crate::dynamics) fn margin(&mut self, k: usize) -> f64 {
        let system = self.system;
        let mut idle = system.holds.iter().zip(&self.wander);
        if let Some((hold, wander)) =
            idle.find(|(hold, _)| hold.switch == k && hold.is_idle(&self.work.pieces))
        {
            return wander - system.basic_value_and_rate(&hold.probe, &self.work).1.abs();
        }
        let held = system.active.iter().find(|&&hold| system.holds[hold].switch == k);
        match held.filter(|_| self.knows_reactions()) {
            Some(&hold) => self.hold_margin(hold),
            None => {
                if held.is_none() && system.reads_in_switches {
                    self.knows_reactions();
                }
                system.switch_margin(k, &self.work)
            }
        }
    }

    /// Finds reactions where somebody asks for them; whether there are any.
    fn knows_reactions(&mut self) -> bool {
        (!self.system.active.is_empty() || self.system.reads_in_switches) && self.evaluate().is_ok()
    }

    /// How far something that holds is from letting go; accelerations and multipliers are those of the instant.
    fn hold_margin(&self, hold: usize) -> f64 {
        let (system, lam) = (self.system, &self.result.lam);
        let own = &system.holds[hold];
        let load = system.hold_row(hold).map_or(0.0, |row| lam[row]);
        own.margin(load, size(system.reaction(own.joint, &self.work, lam).force))
    }

    /// What a unit impulse along a coordinate does at a state, whatever its velocities.
    pub(in crate::dynamics) fn respond(&mut self, state: &State, basic: &Basic) -> Result<Response, Trouble> {
        let Dynamics { system, work, accelerator, result, .. } = self;
        system.set(work, state.t, &state.q, &vec![0.0; state.v.len()]);
        system.evaluate_constraints(work);
        work.gamma.fill(0.0);
        work.force.fill(0.0);
        let rows = system.basic_row(basic, work);
        for (body, row) in basic.bodies().into_iter().zip(rows).filter(|(body, _)| *body < system.bodies()) {
            let own = &mut work.force[system.nodes.v(body)];
            own.iter_mut().zip(row).for_each(|(force, x)| *force += x);
        }
        let push = work.force.clone();
        let mut alone = vec![0.0; push.len()];
        system.inverse_mass_times(&push, &mut alone);
        accelerator.solve(system, work, result)?;
        let along = |v: &[f64]| v.iter().zip(&push).map(|(v, x)| v * x).sum::<f64>();
        let (rate, free) = (along(&result.acc), along(&alone));
        Ok(Response { v: result.acc.clone(), push, rate, free })
    }

    /// The second derivative of a coordinate at a state, and the size of what it is the sum of.
    pub(in crate::dynamics) fn second_rate(
        &mut self,
        state: &State,
        hold: &JointHold,
    ) -> Result<(f64, f64), Trouble> {
        self.system.set_state(&mut self.work, state);
        self.evaluate()?;
        Ok(self.second_rate_here(hold))
    }

    /// The same where accelerations are known.
    pub(in crate::dynamics) fn second_rate_here(&self, hold: &JointHold) -> (f64, f64) {
        let (system, acc) = (self.system, &self.result.acc);
        let (row, curvature) = system.basic_row_and_curvature(&hold.probe, &self.work);
        let (mut sum, mut size) = (curvature, curvature.abs());
        for (body, row) in
            hold.probe.bodies().into_iter().zip(row).filter(|(body, _)| *body < system.bodies())
        {
            for (a, x) in acc[system.nodes.v(body)].iter().zip(row) {
                (sum, size) = (sum + a * x, size + (a * x).abs());
            }
        }
        (sum, size)
    }
}

/// The length of a vector.
pub(in crate::dynamics) fn size(x: [f64; 3]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
