//! What comes after the last good state.

use crate::accel::Problem;
use crate::analysis::{AssemblyFailure, Misfit, assemble};
use crate::dynamics::instant::Dynamics;
use crate::model::{Finding, Subject};
use crate::system::{State, System, Work};

/// Part of the run that is looked ahead.
const GLANCE: f64 = 0.01;

/// An instant a little later: past the step planned and past a small part of the run, not past the end.
pub(super) fn later(t: f64, t_start: f64, t_end: f64, planned: f64) -> f64 {
    (t + planned.max(GLANCE * (t_end - t_start))).min(t_end)
}

/// Joints and drivers that cannot be closed at a later instant, near the last good state, drivers first; none if they
/// can.
pub(super) fn misfits(system: &System, state: &State, t: f64) -> Vec<Misfit> {
    let mut later = system.clone();
    later.given = State { t, ..state.clone() };
    let mut work = later.work();
    later.set_state(&mut work, &later.given);
    later.settle_pieces(&mut work);
    later.given.pieces = work.pieces;
    later.fixed.fill(false);
    later.fixed_velocity.fill(false);
    let (Err(AssemblyFailure::Inconsistent { mut misfits, .. })
    | Err(AssemblyFailure::NoConvergence { mut misfits, .. })) = assemble(&later)
    else {
        return Vec::new();
    };
    // what is nearly alike comes in the order of the model, drivers first
    let worst = misfits.iter().map(|m| m.length + m.angle).fold(f64::MIN_POSITIVE, f64::max);
    let percent = |m: &Misfit| (100.0 * (m.length + m.angle) / worst).round() as u32;
    let is_joint = |m: &Misfit| !matches!(m.subject, Subject::Driver(_));
    misfits.sort_by_key(|m| (is_joint(m), std::cmp::Reverse(percent(m)), m.subject.clone()));
    misfits
}

/// The first force, driver or event that has no finite value at the state or soon after it, within `horizon`. If it
/// still has none `later`, it is described there: the values it depends on then differ from the last good ones.
pub(super) fn bad_number(
    system: &System,
    problem: &Problem,
    state: &State,
    horizon: f64,
    later: f64,
) -> Option<Finding> {
    let mut mechanism = Dynamics::of(system, problem, problem.brief_method());
    system.set_state(&mut mechanism.work, state);
    if let Some(finding) = system.first_bad_force(&mechanism.work) {
        return Some(finding);
    }
    if mechanism.accelerate(state.t, &state.q, &state.v).is_err() {
        mechanism.result.acc.fill(0.0);
    }
    let mut along = Along { system, state, acc: &mechanism.result.acc, work: mechanism.work };
    let mut tau = 1e-15 * (1.0 + state.t.abs());
    while tau <= horizon {
        if let Some(first) = along.bad_number(tau) {
            let second = along.bad_number(later.max(tau));
            return second.filter(|second| second.subject == first.subject).or(Some(first));
        }
        tau *= 1.5;
    }
    None
}

/// The motion with the accelerations of the last good state.
struct Along<'a> {
    system: &'a System,
    state: &'a State,
    acc: &'a [f64],
    work: Work,
}

impl Along<'_> {
    fn bad_number(&mut self, tau: f64) -> Option<Finding> {
        let State { t, q, v, .. } = self.state;
        let way: Vec<f64> = v.iter().zip(self.acc).map(|(v, a)| tau * (v + 0.5 * tau * a)).collect();
        let v: Vec<f64> = v.iter().zip(self.acc).map(|(v, a)| v + tau * a).collect();
        let mut q = q.clone();
        self.system.displace(&mut q, &way);
        if q.iter().chain(&v).any(|x| !x.is_finite()) {
            return None;
        }
        self.system.set(&mut self.work, t + tau, &q, &v);
        self.system.settle_pieces(&mut self.work);
        self.system.first_bad_force(&self.work)
    }
}

/// Equation, rate and second derivative of the driver whose motion changes most quickly.
pub(super) fn fastest_driver(system: &System, state: &State) -> Option<(usize, f64, f64)> {
    let mut work = system.work();
    system.set_state(&mut work, state);
    system.evaluate_constraints(&mut work);
    let groups = system.layout.groups.iter().filter(|group| matches!(group.subject, Subject::Driver(_)));
    let moving = groups.flat_map(|group| group.rows.clone()).filter(|&row| work.gamma[row] != 0.0);
    let rows = moving.map(|row| (row, work.nu[row], work.gamma[row]));
    rows.min_by(|a, b| (a.1 / a.2).abs().total_cmp(&(b.1 / b.2).abs()))
}
