//! The steady motion near a state, by Newton's method in the axes of the motion.

use super::SteadyMotion;
use super::search::{candidates, is_constant};
use crate::accel::{Problem, Solver};
use crate::analysis::{Diagnosis, length_scale};
use crate::dynamics::analyses::held::not_linear;
use crate::dynamics::analyses::pencil::{Linearised, Pencil};
use crate::dynamics::analyses::spectrum::Spectrum;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::SecondOrder;
use crate::model::{Finding, Subject};
use crate::system::{State, System};
use nalgebra::DVector;
use std::fmt;

/// Newton steps, and halvings of one.
const STEPS: usize = 60;
const HALVINGS: usize = 12;
/// Accelerations that are left, as a part of those of the motion, of weight and of the first imbalance.
const BALANCED: f64 = 1e-11;
/// Corrections that are round-off, as a part of a radian and of the length of the mechanism.
const SETTLED: f64 = 1e-11;
/// Corrections that are small enough where round-off ends the iteration.
const NEARLY: f64 = 1e-8;
/// Velocities that constraints refuse, as a part of the fastest.
const REFUSED: f64 = 1e-7;

/// Why no steady motion is found.
#[derive(Clone, Debug, PartialEq)]
pub enum NoSteadyMotion {
    /// The equations cannot be evaluated.
    Trouble(Trouble),
    /// Nothing moves at the start.
    Still,
    /// In no axes do the joints allow one whose coefficients are constant, or the iteration does not converge.
    Nowhere,
}

impl From<Trouble> for NoSteadyMotion {
    fn from(trouble: Trouble) -> Self {
        NoSteadyMotion::Trouble(trouble)
    }
}

impl fmt::Display for NoSteadyMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSteadyMotion::Trouble(trouble) => trouble.fmt(f),
            NoSteadyMotion::Still => write!(f, "nothing moves at the start"),
            NoSteadyMotion::Nowhere => write!(
                f,
                "the mechanism cannot move steadily near its start, neither in axes that do not turn nor in those that turn \
                 with a body"
            ),
        }
    }
}

impl std::error::Error for NoSteadyMotion {}

impl NoSteadyMotion {
    /// The message, at the item where it shows.
    pub fn finding(&self, diagnosis: &Diagnosis) -> Finding {
        let message = format!("no steady motion: {self}");
        match self {
            NoSteadyMotion::Trouble(trouble) => Finding::error(trouble.subject(diagnosis), "", message),
            NoSteadyMotion::Still => Finding::error(Subject::Model, "", message).hint(
                "give a driver or an initial velocity, or linearise at the equilibrium (`--at equilibrium`)",
            ),
            NoSteadyMotion::Nowhere => Finding::error(Subject::Model, "", message)
                .hint("start closer to a steady motion, or check by a run that there is one"),
        }
    }
}

/// The steady motion near a state, in the first axes in which there is one: places move with the axes, bodies spin as
/// they do about axes of symmetry, and forces are in balance. Drivers and loads stay at the time of the state. O(n^3) for
/// each step
pub fn steady_state(system: &System, problem: &Problem, state: &State) -> Result<State, NoSteadyMotion> {
    if let Some(trouble) = not_linear(system, state) {
        return Err(trouble.into());
    }
    if system.is_at_rest(&state.v) {
        return Err(NoSteadyMotion::Still);
    }
    let (system, _) = system.without_loads_of_time();
    for axes in candidates(&system, problem, state)? {
        let wanted = SteadyMotion::wanted(&system, state, axes.clone());
        let Some(found) = balanced(&system, problem, state, &wanted)? else { continue };
        if let Some(motion) = SteadyMotion::seen_in(&system, &found, axes)
            && (motion.is_still() || is_constant(&system, problem, &found, &motion)?)
        {
            return Ok(found);
        }
    }
    Err(NoSteadyMotion::Nowhere)
}

/// An iterate: its state, its motion, and what its accelerations lack to be those of the motion.
struct Iterate<'a> {
    reduced: Reduced<'a>,
    state: State,
    motion: SteadyMotion,
    lacking: DVector<f64>,
    /// The largest acceleration that is lacking, and the largest of the motion.
    size: f64,
    steady: f64,
}

/// Newton's method for the balance of forces in a motion; `None` if joints do not allow the motion or it does not converge.
fn balanced(
    system: &System,
    problem: &Problem,
    start: &State,
    wanted: &SteadyMotion,
) -> Result<Option<State>, Trouble> {
    let length = length_scale(system);
    let weight = system.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
    let Some(mut at) = iterate(system, problem, start, wanted)? else { return Ok(None) };
    let floor = weight.max(at.steady).max(at.size);
    for _ in 0..STEPS {
        if at.size <= BALANCED * floor {
            return Ok(Some(at.state));
        }
        // K_y y = Mhat (a - a of the motion), by least squares where K_y is singular
        let mut linearised = Linearised::new(&mut at.reduced)?;
        linearised.seen_in(&at.motion, &at.reduced);
        let pencil = Pencil::of(linearised, &at.reduced)?;
        let natural = (weight / length).max(10.0 * at.motion.fastest * at.motion.fastest);
        let Some(spectrum) = Spectrum::new(&pencil.stiffness, natural) else { return Ok(None) };
        let change = pencil.independent(&spectrum.solve(&pencil.in_metric(at.lacking.as_slice())));
        // stiff parts turn round-off of positions into accelerations
        if change.amax() <= SETTLED * length.min(1.0) {
            return Ok(Some(at.state));
        }
        // positions, as far as the imbalance becomes smaller
        let n = at.reduced.dim();
        let mut next = None;
        for halving in 0..HALVINGS {
            let mut y = vec![0.0; 2 * n];
            at.reduced.independent(&mut y);
            let part = 0.5_f64.powi(halving as i32);
            y.iter_mut().zip(change.iter()).for_each(|(y, change)| *y += part * change);
            let mut there = at.state.clone();
            let moved = at.reduced.recover_at(start.t, &y);
            if moved.is_ok() {
                at.reduced.write_state(&mut there);
            }
            at.reduced.start(&at.state);
            at.reduced.solve()?;
            if moved.is_ok()
                && let Ok(Some(iterate)) = iterate(system, problem, &there, wanted)
                && iterate.size < (1.0 - 0.1 * part) * at.size
            {
                next = Some(iterate);
                break;
            }
        }
        match next {
            Some(next) => at = next,
            // round-off
            None => return Ok((change.amax() <= NEARLY * length.min(1.0)).then_some(at.state)),
        }
    }
    Ok(None)
}

/// The state at the places of another one in a motion; `None` if constraints refuse its velocities.
fn iterate<'a>(
    system: &'a System,
    problem: &Problem,
    places: &State,
    wanted: &SteadyMotion,
) -> Result<Option<Iterate<'a>>, Trouble> {
    let mut state = places.clone();
    wanted.carry(system, &mut state);
    let Some(motion) = SteadyMotion::seen_in(system, &state, wanted.axes.clone()) else { return Ok(None) };
    let mut reduced = Reduced::new(Dynamics::of(system, problem, Solver::Elimination), &state)?;
    // dependent velocities that follow from the independent ones
    let mut y = vec![0.0; 2 * reduced.dim()];
    reduced.independent(&mut y);
    reduced.recover_at(state.t, &y)?;
    let fastest = state.v.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let apart = reduced.velocity.iter().zip(&state.v).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    if apart > REFUSED * fastest.max(motion.fastest) {
        return Ok(None);
    }
    reduced.start(&state);
    reduced.solve()?;
    let steady = motion.accelerations(system, &state.v);
    let acc = &reduced.mechanism.result.acc;
    let lacking: Vec<f64> = acc.iter().zip(&steady).map(|(acc, steady)| acc - steady).collect();
    let largest = |x: &[f64]| x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let (size, steady) = (largest(&lacking), largest(&steady));
    let lacking = reduced.partition.independent.iter().map(|&c| lacking[c]);
    let lacking = DVector::from_iterator(reduced.dim(), lacking);
    Ok(Some(Iterate { reduced, state, motion, lacking, size, steady }))
}
