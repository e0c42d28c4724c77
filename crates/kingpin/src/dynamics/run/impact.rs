//! Impacts: prescribed motions whose velocity jumps at a known time.
//!
//! All velocities jump with it. Impulses are finite forces for no time, so positions stay and
//! `M dv + Phi_v^T P = 0`, `Phi_v (v + dv) = nu` behind the jump: an acceleration problem without applied forces.

use crate::dynamics::instant::{Dynamics, Trouble};
use crate::model::finding::Subject;
use crate::system::{State, System, Work};

/// What became of the velocities at an impact.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::dynamics) struct Impact {
    /// Driver, jump and impulses in words.
    pub what: String,
    /// Work done by the impulses: the change of kinetic energy.
    pub work: f64,
}

/// Impulses named in the words of an impact.
const NAMED: usize = 6;
/// Impulses smaller than this part of the largest are not named.
const SMALL: f64 = 1e-9;

/// Carries a state through a stop: the pieces of the work are those behind it, those of the state those before.
/// `None` if no velocity jumps; an error if a position does.
pub(in crate::dynamics) fn pass(
    mechanism: &mut Dynamics,
    state: &mut State,
) -> Result<Option<Impact>, Trouble> {
    let (system, work) = (mechanism.system, &mechanism.work);
    if let Some(jump) = system.driver_jump(state.t, 0, &state.pieces, &work.pieces) {
        return Err(Trouble::Jump(jump));
    }
    let Some(jump) = system.driver_jump(state.t, 1, &state.pieces, &work.pieces) else { return Ok(None) };
    let before = system.kinetic_energy(work);
    solve(mechanism, state)?;
    let Dynamics { work, result, .. } = mechanism;
    for (v, dv) in state.v.iter_mut().zip(&result.acc) {
        *v += dv;
    }
    let impulses = impulses(system, work, &result.lam);
    system.set(work, state.t, &state.q, &state.v);
    let unit = if jump.angle { "rad/s" } else { "m/s" };
    let what = format!("driver `{}` jumps by {} {unit}: impact{impulses}", jump.driver, shown(jump.by));
    Ok(Some(Impact { what, work: system.kinetic_energy(work) - before }))
}

/// The jump of all velocities in the accelerations, the impulses in the multipliers.
fn solve(mechanism: &mut Dynamics, state: &State) -> Result<(), Trouble> {
    let Dynamics { system, work, accelerator, result, .. } = mechanism;
    system.set(work, state.t, &state.q, &state.v);
    system.evaluate_constraints(work);
    let mut gap = vec![0.0; work.nu.len()];
    system.jacobian_times(work, &state.v, &mut gap);
    for (gap, nu) in gap.iter_mut().zip(&work.nu) {
        *gap = nu - *gap;
    }
    // at rest nothing depends on velocities any more, whatever form the solver works in
    system.set(work, state.t, &state.q, &vec![0.0; state.v.len()]);
    system.evaluate_constraints(work);
    work.gamma.copy_from_slice(&gap);
    work.force.fill(0.0);
    accelerator.solve(system, work, result)?;
    Ok(())
}

/// The impulses of joints and drivers in words, drivers first, then the largest.
fn impulses(system: &System, work: &Work, p: &[f64]) -> String {
    let mut all: Vec<(bool, f64, String)> = Vec::new();
    for (group, reaction) in system.reactions(work, p).into_iter().enumerate() {
        let size = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let (push, turn) = (size(reaction.force), size(reaction.torque));
        let drives = matches!(system.group_subject(group), Subject::Driver(_));
        let kind = if drives { "driver" } else { "joint" };
        let name = &system.layout.groups[group].name;
        let parts = [(push, "N s"), (turn, "N m s")];
        let most = push.max(turn);
        let words: Vec<String> = parts
            .iter()
            .filter(|(x, _)| *x > SMALL * most)
            .map(|(x, unit)| format!("{} {unit}", shown(*x)))
            .collect();
        if !words.is_empty() {
            all.push((!drives, -most, format!("{} from {kind} `{name}`", words.join(" and "))));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let most = all.iter().map(|x| -x.1).fold(0.0, f64::max);
    all.retain(|x| -x.1 > SMALL * most);
    let rest = all.len().saturating_sub(NAMED);
    let mut words: Vec<String> = all.into_iter().take(NAMED).map(|x| x.2).collect();
    if rest > 0 {
        words.push(format!("{rest} more"));
    }
    if words.is_empty() { String::new() } else { format!(" with {}", words.join(", ")) }
}

/// A number with four digits.
fn shown(x: f64) -> String {
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    format!("{rounded}")
}
