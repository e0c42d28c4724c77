//! From approximate initial values to consistent ones.

mod closing;
mod failure;
mod misfits;

pub(super) use closing::close;
use closing::{close_velocities, gap};
pub use failure::{AssemblyFailure, GivenCoordinate, Misfit};
use misfits::corrections;

use crate::analysis::held::{HeldPart, contradiction, holding};
use crate::analysis::projector::Projector;
use crate::analysis::rank::{Diagnosis, diagnose};
use crate::model::finding::{Finding, Subject};
use crate::system::{State, System};

/// What the assembly may have to change of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corrected {
    /// Where it is.
    Position,
    /// How it is turned.
    Rotation,
    /// How fast it moves.
    Velocity,
    /// How fast it turns.
    AngularVelocity,
}

impl Corrected {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Corrected::Position => "position",
            Corrected::Rotation => "rotation",
            Corrected::Velocity => "velocity",
            Corrected::AngularVelocity => "angular velocity",
        }
    }

    /// The unit of its amount.
    pub fn unit(self) -> &'static str {
        match self {
            Corrected::Position => "m",
            Corrected::Rotation => "rad",
            Corrected::Velocity => "m/s",
            Corrected::AngularVelocity => "rad/s",
        }
    }
}

/// How far the assembly had to move a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// The body.
    pub body: usize,
    /// Its name.
    pub name: String,
    /// What was corrected.
    pub what: Corrected,
    /// By how much.
    pub amount: f64,
}

/// An assembled mechanism.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// A state that satisfies the constraints.
    pub state: State,
    /// Largest position residual: joints, drivers and normalisations.
    pub position_residual: f64,
    /// Largest velocity residual.
    pub velocity_residual: f64,
    /// Iterations it took.
    pub iterations: usize,
    /// Corrections above round-off, largest first, those of the same size in the order of the bodies.
    pub corrections: Vec<Correction>,
    /// Degrees of freedom and redundancies.
    pub diagnosis: Diagnosis,
}

/// Makes the given state consistent and diagnoses it.
pub fn assemble(system: &System) -> Result<Assembly, AssemblyFailure> {
    let mut state = system.given.clone();
    let scale = length_scale(system);
    let weights = inverse_weights(system, scale);
    let keep = |fixed: &[bool]| -> Vec<f64> {
        weights.iter().zip(fixed).map(|(w, f)| if *f { 0.0 } else { *w }).collect()
    };
    // given joint coordinates are kept by equations of their own
    let target = holding(system, HeldPart::Values);
    let (mut projector, mut work) = (Projector::new(&target, keep(&system.fixed)), target.work());
    let iterations = match close(&target, &mut projector, &mut work, &mut state, scale, None) {
        Ok(iterations) => iterations,
        Err(failure) => {
            let closes = |target: &System| {
                let (mut state, mut work) = (system.given.clone(), target.work());
                let mut projector = Projector::new(target, keep(&system.fixed));
                close(target, &mut projector, &mut work, &mut state, scale, None).is_ok()
            };
            if let Some(failure) = contradiction(system, HeldPart::Values, closes) {
                return Err(failure);
            }
            let AssemblyFailure::Inconsistent { misfits, length, angle, .. } = failure else {
                return Err(failure);
            };
            let gap = gap(&target, &mut projector, &mut work, &misfits, scale);
            return Err(AssemblyFailure::Inconsistent { misfits, length, angle, gap });
        }
    };
    target.set_state(&mut work, &state);
    target.count_turns(&mut work);
    state.turns.copy_from_slice(&work.turns);
    let velocity_weights = keep(&system.fixed_velocity);
    let velocity_residual = if system.held.is_empty() {
        projector.set_inverse_weights(velocity_weights);
        close_velocities(system, &mut projector, &mut work, &mut state)?
    } else {
        let residual = hold_velocities(system, &velocity_weights, &mut state)?;
        (projector, work) = (Projector::new(system, weights.clone()), system.work());
        residual
    };
    projector.set_inverse_weights(weights);
    system.set_state(&mut work, &state);
    system.settle_pieces(&mut work);
    state.pieces.copy_from_slice(&work.pieces);
    let diagnosis = diagnose(system, &mut projector, &mut work, &state, scale);
    system.set_state(&mut work, &state);
    system.evaluate_constraints(&mut work);
    Ok(Assembly {
        position_residual: largest(&work.phi).max(normalisation_residual(system, &state)),
        velocity_residual,
        iterations,
        corrections: corrections(system, &state, scale),
        diagnosis,
        state,
    })
}

/// Makes velocities consistent, given rates of joint coordinates kept.
fn hold_velocities(system: &System, weights: &[f64], state: &mut State) -> Result<f64, AssemblyFailure> {
    let run = |target: &System, state: &mut State| {
        let (mut projector, mut work) = (Projector::new(target, weights.to_vec()), target.work());
        close_velocities(target, &mut projector, &mut work, state)
    };
    let before = state.clone();
    run(&holding(system, HeldPart::Rates), state).map_err(|failure| {
        let closes = |target: &System| run(target, &mut before.clone()).is_ok();
        contradiction(system, HeldPart::Rates, closes).unwrap_or(failure)
    })
}

/// Bodies that the assembly had to move far from where the model puts them: probably not what was meant.
pub fn far_moves(system: &System, assembly: &Assembly) -> Vec<Finding> {
    let (d, scale) = (system.dimensions(), length_scale(system));
    let far = |c: &Correction| {
        let (moves, turns) = system.nodes[c.body].split(&system.given.v[system.nodes.v(c.body)]);
        let (limit, field) = match c.what {
            Corrected::Position => (0.3 * scale, "position"),
            Corrected::Rotation => (0.3, if d == 3 { "orientation" } else { "angle" }),
            // velocities left at zero are for the assembly to find
            Corrected::Velocity => (positive(0.5 * square(moves).sqrt()), "velocity"),
            Corrected::AngularVelocity => (positive(0.5 * square(turns).sqrt()), "angular_velocity"),
        };
        // where joints have placed a body, the rest is for the assembly to find
        (c.amount > limit && !system.placed[c.body]).then(|| {
            let message = format!(
                "the assembly had to change the {} of body `{}` by {:.3} {}",
                c.what.name(),
                c.name,
                c.amount,
                c.what.unit()
            );
            Finding::warning("corrected-far", Subject::Body(c.body), field, message)
                .hint("check the given values, or mark those that must not change as `fixed`")
        })
    };
    assembly.corrections.iter().filter_map(far).collect()
}

/// The number, or infinity if it is not positive.
fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { f64::INFINITY }
}

/// A length typical of the mechanism: the mean distance of joint points from the centres of mass.
pub fn length_scale(system: &System) -> f64 {
    let ground = system.bodies();
    let places = system.joint_places.iter().flatten().flatten();
    let lengths = places.filter(|p| p.body != ground).map(|p| p.s.iter().map(|x| x * x).sum::<f64>().sqrt());
    let (sum, count) = lengths.filter(|l| *l > 0.0).fold((0.0, 0), |(s, n), l| (s + l, n + 1));
    if count > 0 && sum > 0.0 { sum / f64::from(count) } else { 1.0 }
}

/// A turn by one radian counts as much as a displacement by the length scale.
fn inverse_weights(system: &System, scale: f64) -> Vec<f64> {
    system.nodes.turning().map(|turns| if turns { 1.0 / (scale * scale) } else { 1.0 }).collect()
}

fn largest(x: &[f64]) -> f64 {
    // a comparison that lets NaN through
    x.iter().fold(0.0, |m, x| if x.abs() > m || x.is_nan() { x.abs() } else { m })
}

fn square(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

fn normalisation_residual(system: &System, state: &State) -> f64 {
    let attitudes = system.nodes.normalised().map(|body| &state.q[system.nodes.q(body)][3..]);
    let norms = attitudes.map(|p| (square(p) - 1.0).abs());
    norms.fold(0.0, f64::max)
}
