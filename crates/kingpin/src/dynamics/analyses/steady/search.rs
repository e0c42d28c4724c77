//! In which axes a motion is steady and small motions about it have constant coefficients, from a state alone.

use super::{Axes, SteadyMotion, angular_velocity, attitude, velocity};
use crate::accel::{Problem, Solver};
use crate::dynamics::analyses::pencil::Linearised;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::spatial::{V3, apply, cross, dot, scale, sub};
use crate::system::{NodeKind, State, System};
use nalgebra::DMatrix;

/// Angular velocities that differ by less than this part are the same.
const SAME: f64 = 1e-9;
/// Turns of the fastest rate after which coefficients are compared, rad: no harmonic of one repeats in both.
const LATER: [f64; 2] = [0.7, 1.9];
/// Relative changes of coefficients below this are round-off.
const CONSTANT: f64 = 1e-7;

/// The axes in which the motion of a state is steady and coefficients are constant: axes that do not turn, or those
/// that turn with a body; `None` if there are none. Whether the forces of the state are in balance with the motion
/// does not matter. O(n^3) for each candidate in which no place moves
pub(in crate::dynamics) fn steady_motion(
    system: &System,
    problem: &Problem,
    state: &State,
) -> Result<Option<SteadyMotion>, Trouble> {
    if system.is_at_rest(&state.v) {
        return Ok(Some(SteadyMotion::rest(system)));
    }
    for axes in candidates(system, problem, state)? {
        if let Some(motion) = SteadyMotion::seen_in(system, state, axes)
            && is_constant(system, problem, state, &motion)?
        {
            return Ok(Some(motion));
        }
    }
    Ok(None)
}

/// Axes that do not turn, axes that turn with each of the bodies, and those in which the place of a body goes round in a
/// circle: a point has no attitude that would turn.
pub(super) fn candidates(system: &System, problem: &Problem, state: &State) -> Result<Vec<Axes>, Trouble> {
    let mut all = vec![Axes::default()];
    let mut add = |rate: V3, body: usize| {
        let size = dot(&rate, &rate).sqrt();
        let same = |other: &V3| {
            let apart = sub(&rate, other);
            dot(&apart, &apart).sqrt() <= SAME * size
        };
        if size.is_normal() && !all.iter().any(|axes| same(&axes.rate)) {
            all.push(Axes { rate, body: system.body_names.get(body).cloned() });
        }
    };
    for (body, node) in system.nodes.iter().enumerate().filter(|(_, node)| node.turns()) {
        add(apply(&attitude(node, state), &angular_velocity(node, state)), body);
    }
    let mut mechanism = Dynamics::of(system, problem, Solver::Elimination);
    system.set_state(&mut mechanism.work, state);
    mechanism.accelerate(state.t, &state.q, &state.v)?;
    // v x a / v^2
    for (body, node) in system.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Point) {
        let speed = velocity(node, state);
        let acceleration = std::array::from_fn(|axis| node.along(&mechanism.result.acc, node.v, axis));
        add(scale(1.0 / dot(&speed, &speed), &cross(&speed, &acceleration)), body);
    }
    Ok(all)
}

/// Whether the equations of small motions, seen in the axes of a motion, are the same at two later instants.
pub(super) fn is_constant(
    system: &System,
    problem: &Problem,
    state: &State,
    motion: &SteadyMotion,
) -> Result<bool, Trouble> {
    let first = linearised(system, problem, state, motion)?;
    if first.mass.is_empty() {
        return Ok(true);
    }
    for turn in LATER {
        let tau = turn / motion.fastest;
        let there = motion.later(system, state, tau);
        let Some(then) = SteadyMotion::seen_in(system, &there, motion.axes.clone()) else { return Ok(false) };
        // the bodies of a motion that is not steady may come where the constraints are singular
        let Ok(mut later) = linearised(system, problem, &there, &then) else { return Ok(false) };
        later.motions = motion.turned_back(system, &later.motions, tau);
        if change(&first, &later, motion.fastest).is_none_or(|change| change > CONSTANT) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The equations of small motions about a state, seen in the axes of its motion.
fn linearised(
    system: &System,
    problem: &Problem,
    state: &State,
    motion: &SteadyMotion,
) -> Result<Linearised, Trouble> {
    let mut reduced = Reduced::new(Dynamics::of(system, problem, Solver::Elimination), state)?;
    reduced.solve()?;
    let mut linearised = Linearised::new(&mut reduced)?;
    linearised.seen_in(motion, &reduced);
    Ok(linearised)
}

/// The largest relative change of a coefficient, in the coordinates of the first; `None` if motions are others.
fn change(first: &Linearised, later: &Linearised, rate: f64) -> Option<f64> {
    // the later instant may have other independent coordinates: changes of the first in those
    let svd = later.motions.clone().svd(true, true);
    let into = svd.solve(&first.motions, 1e-12 * svd.singular_values.max()).ok()?;
    let left = &later.motions * &into - &first.motions;
    let mut worst = left.amax() / first.motions.amax();
    let by_mass = diagonal_sizes(&first.mass);
    let pairs = [
        (&first.mass, &later.mass, 1.0),
        (&first.damping, &later.damping, rate),
        (&first.stiffness, &later.stiffness, rate * rate),
    ];
    for (first, later, unit) in pairs {
        let later = into.tr_mul(&(later * &into));
        let sizes = diagonal_sizes(first);
        for i in 0..first.nrows() {
            for j in 0..first.ncols() {
                let size = (sizes[i] * sizes[j]).sqrt() + unit * (by_mass[i] * by_mass[j]).sqrt();
                worst = worst.max((first[(i, j)] - later[(i, j)]).abs() / size.max(f64::MIN_POSITIVE));
            }
        }
    }
    worst.is_finite().then_some(worst)
}

/// The largest number of each row and column.
fn diagonal_sizes(m: &DMatrix<f64>) -> Vec<f64> {
    (0..m.nrows()).map(|k| m.row(k).amax().max(m.column(k).amax())).collect()
}
