//! What holds coordinates of joints at an instant, what it takes, and how an impulse on one of them spreads.

use super::{Dynamics, Trouble};
use crate::accel::Accelerations;
use crate::element::basic::Basic;
use crate::element::hold::JointHold;
use crate::system::State;

/// What a unit impulse along a coordinate does.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Response {
    /// To all velocities.
    pub v: Vec<f64>,
    /// To the multipliers.
    pub lam: Vec<f64>,
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
}

/// Iterations for normal forces, and what is left of them at the end.
const MOST: usize = 60;
const CLOSE: f64 = 1e-14;

impl Dynamics<'_> {
    /// Accelerations and multipliers where the instant is set; of friction that goes with reactions too.
    pub(in crate::dynamics) fn evaluate(&mut self) -> Result<(), Trouble> {
        self.solves += 1;
        if !self.system.normals.is_empty() {
            self.find_normals()?;
        }
        self.accelerator.evaluate(self.system, &mut self.work, &mut self.result)?;
        Ok(())
    }

    /// Reactions that friction goes with, as inputs. Multipliers are linear in them: one solution without any and one for
    /// each tell how, and Newton's method finds those that agree with the friction they make.
    fn find_normals(&mut self) -> Result<(), Trouble> {
        let system = self.system;
        let (first, count) = (system.inputs.len(), system.normals.len());
        let unit = system.inertia.iter().map(|inertia| inertia.weight).sum::<f64>().max(1e-6) * 10.0;
        self.work.inputs[first..].fill(0.0);
        let none = self.solution()?;
        let own = |work: &crate::system::Work, lam: &[f64]| -> Vec<[f64; 3]> {
            system.normals.iter().map(|&group| system.reaction(group, work, lam).force).collect()
        };
        let base = own(&self.work, &none.lam);
        let mut slopes = Vec::with_capacity(count);
        for k in 0..count {
            self.work.inputs[first + k] = unit;
            let with = self.solution()?;
            self.work.inputs[first + k] = 0.0;
            let change: Vec<f64> = with.lam.iter().zip(&none.lam).map(|(a, b)| (a - b) / unit).collect();
            slopes.push(own(&self.work, &change));
        }
        let found = agree(&base, &slopes, unit);
        let normals = found.ok_or_else(|| {
            let joint = system.normals.first().map_or("", |&group| &system.layout.groups[group].name);
            Trouble::Held {
                joint: joint.into(),
                why: "no reaction agrees with the friction that it makes: it jams".into(),
            }
        })?;
        self.work.inputs[first..].copy_from_slice(&normals);
        Ok(())
    }

    fn solution(&mut self) -> Result<Accelerations, Trouble> {
        self.accelerator.evaluate(self.system, &mut self.work, &mut self.result)?;
        Ok(self.result.clone())
    }

    /// How far all switches are from their edges, and all that holds from letting go; the instant is set.
    pub(in crate::dynamics) fn margins(&mut self, out: &mut [f64]) {
        self.system.switch_margins(&self.work, out);
        for (switch, margin) in self.hold_margins() {
            out[switch] = margin;
        }
    }

    /// The same of one switch.
    pub(in crate::dynamics) fn margin(&mut self, k: usize) -> f64 {
        let held = self.hold_margins().into_iter().find(|(switch, _)| *switch == k);
        held.map_or_else(|| self.system.switch_margin(k, &self.work), |(_, margin)| margin)
    }

    /// How far all that holds is from letting go, by switches.
    fn hold_margins(&mut self) -> Vec<(usize, f64)> {
        if self.system.active.is_empty() || self.evaluate().is_err() {
            return Vec::new();
        }
        let (system, work, lam) = (self.system, &self.work, &self.result.lam);
        let of = |&hold: &usize| {
            let own = &system.holds[hold];
            let load = system.hold_row(hold).map_or(0.0, |row| lam[row]);
            (own.switch, own.margin(load, size(system.reaction(own.joint, work, lam).force)))
        };
        system.active.iter().map(of).collect()
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
        Ok(Response { v: result.acc.clone(), lam: result.lam.clone(), rate, free })
    }

    /// The second derivative of a coordinate at a state; accelerations and multipliers are those of the state.
    pub(in crate::dynamics) fn second_rate(
        &mut self,
        state: &State,
        hold: &JointHold,
    ) -> Result<f64, Trouble> {
        self.system.set_state(&mut self.work, state);
        self.evaluate()?;
        let (system, acc) = (self.system, &self.result.acc);
        let (row, curvature) = system.basic_row_and_curvature(&hold.probe, &self.work);
        let on = |(body, row): (usize, [f64; 6])| {
            let own = if body < system.bodies() { &acc[system.nodes.v(body)] } else { &[][..] };
            own.iter().zip(row).map(|(a, x)| a * x).sum::<f64>()
        };
        Ok(curvature + hold.probe.bodies().into_iter().zip(row).map(on).sum::<f64>())
    }
}

/// The length of a vector.
pub(in crate::dynamics) fn size(x: [f64; 3]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The sizes N of forces f_j = base_j + sum_k slopes_kj N_k, by Newton's method; `None` if there are none.
fn agree(base: &[[f64; 3]], slopes: &[Vec<[f64; 3]>], unit: f64) -> Option<Vec<f64>> {
    let count = base.len();
    let mut n: Vec<f64> = base.iter().map(|f| size(*f)).collect();
    for _ in 0..MOST {
        let mut matrix = nalgebra::DMatrix::<f64>::identity(count, count);
        let mut left = nalgebra::DVector::<f64>::zeros(count);
        for j in 0..count {
            let force: [f64; 3] =
                std::array::from_fn(|a| base[j][a] + (0..count).map(|k| slopes[k][j][a] * n[k]).sum::<f64>());
            let length = size(force);
            left[j] = length - n[j];
            for k in (0..count).filter(|_| length > 0.0) {
                matrix[(j, k)] -= (0..3).map(|a| force[a] * slopes[k][j][a]).sum::<f64>() / length;
            }
        }
        let step = matrix.lu().solve(&left)?;
        n.iter_mut().zip(step.iter()).for_each(|(n, step)| *n = (*n + step).max(0.0));
        let most = n.iter().fold(unit, |most: f64, n| most.max(*n));
        if step.iter().all(|step| step.abs() <= CLOSE * most) {
            return n.iter().all(|n| n.is_finite()).then_some(n);
        }
    }
    None
}
