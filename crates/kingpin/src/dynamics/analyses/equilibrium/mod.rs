//! Static equilibrium: where a mechanism at rest stays at rest.

mod bending;
mod dense;
mod ground;
mod loaded;
pub(in crate::dynamics) mod path;
mod search;
mod sparse;
mod stability;
mod words;
mod yardstick;

use crate::accel::{Accelerations, Problem};
use crate::dynamics::analyses::held::{beyond_stop, without_reactions};
use crate::dynamics::analyses::modes::{Mode, ModeChoice, modes_of};
use crate::dynamics::instant::projection::Projection;
use crate::dynamics::instant::{DENSE, Dynamics, Trouble};
use crate::dynamics::stepping::Matrices;
use crate::system::{State, System};
use bending::Bending;
use dense::DenseGround;
use search::EquilibriumSearch;
use sparse::SparseGround;
use std::fmt;

/// A force without stiffness below this part of the natural ones is round-off.
const NO_PUSH: f64 = 1e-9;
/// Growth below this part of the fastest rate is round-off.
const GROWS: f64 = 1e-9;
/// Unstable directions that are listed, at most.
const LISTED: usize = 100;

/// A mechanism at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// Positions of rest, without velocities.
    pub state: State,
    /// What is left of the accelerations, and the multipliers.
    pub accelerations: Accelerations,
    /// Steps it took.
    pub iterations: usize,
    /// Largest acceleration that is left, in m/s^2; angular ones count by the size of the mechanism.
    pub residual: f64,
    /// Directions in which nothing holds the mechanism and nothing pushes it: a vehicle can roll.
    pub free: usize,
    /// Directions in which it runs away when disturbed, fastest first; none in a stable equilibrium.
    pub unstable: Vec<Unstable>,
    /// How many of these there are in all; of a large mechanism only the fastest are listed.
    pub unstable_directions: usize,
    /// Whether it was found with sparse matrices.
    pub sparse: bool,
}

/// A direction in which an equilibrium is unstable.
#[derive(Clone, Debug, PartialEq)]
pub struct Unstable {
    /// Growth rate without damping, 1/s.
    pub rate: f64,
    /// The body that takes part most.
    pub body: String,
}

/// Why no equilibrium was found.
#[derive(Clone, Debug, PartialEq)]
pub enum NoEquilibrium {
    /// Something is pushed and nothing holds it, however far it goes.
    Unheld {
        /// The body with the largest acceleration.
        body: usize,
        /// That acceleration, m/s^2.
        acceleration: f64,
    },
    /// The search has not come to an end.
    NoConvergence {
        /// The body with the largest acceleration.
        body: usize,
        /// That acceleration, m/s^2.
        acceleration: f64,
        /// Steps taken.
        iterations: usize,
    },
    /// Loads that grow bit by bit are borne up to a part of them.
    Overloaded {
        /// That part.
        factor: f64,
        /// The body with the largest acceleration under all of them.
        body: usize,
    },
    /// Something moves freely without loads, so that no path of equilibria sets out there.
    Loose {
        /// The body that moves most.
        body: usize,
    },
    /// A controller works at samples, so that its output at rest is not known.
    Sampled {
        /// The controller.
        name: String,
    },
    /// Paths of loads do not know states.
    States {
        /// The first of them.
        name: String,
    },
    /// The equations cannot be evaluated.
    Trouble(Trouble),
    /// It is at rest, but whether it stays there was not found out: the iteration for its eigenvalues has not converged.
    NoStability,
}

impl From<Trouble> for NoEquilibrium {
    fn from(trouble: Trouble) -> Self {
        NoEquilibrium::Trouble(trouble)
    }
}

impl fmt::Display for NoEquilibrium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoEquilibrium::Unheld { acceleration, .. } => {
                write!(f, "an acceleration of {acceleration:.3} m/s^2 cannot be balanced")
            }
            NoEquilibrium::NoConvergence { acceleration, iterations, .. } => {
                write!(f, "after {iterations} steps the residual acceleration is {acceleration:.3e} m/s^2")
            }
            NoEquilibrium::Overloaded { factor, .. } => {
                write!(f, "loads can be carried up to a factor of {factor:.3}")
            }
            NoEquilibrium::Loose { .. } => write!(f, "without loads, a part of the mechanism moves freely"),
            NoEquilibrium::Sampled { name } => write!(f, "controller `{name}` is sampled"),
            NoEquilibrium::States { name } => write!(f, "the model has the state `{name}`"),
            NoEquilibrium::Trouble(trouble) => trouble.fmt(f),
            NoEquilibrium::NoStability => {
                write!(f, "the eigenvalue iteration for the stiffness did not converge")
            }
        }
    }
}

/// Finds the equilibrium that a mechanism settles in from a consistent state. `redundant` marks the equations that
/// the assembly found to follow from others.
///
/// Velocities count as zero, time stands still, drivers hold the position of that time. Newton's method with the
/// exact stiffness; where that is negative or steps are too long to be trusted, steps follow the forces instead.
/// Directions without stiffness and without force are left alone: the heaviest body stays where it is along them.
/// O(n^3) per step in the degrees of freedom n with dense matrices, O(entries of the factors) with sparse ones; those
/// predicted to take less time are chosen.
pub fn equilibrium(system: &System, state: &State, redundant: &[bool]) -> Result<Equilibrium, NoEquilibrium> {
    equilibrium_of(system, &Problem::new(system, redundant), state, Matrices::Auto)
}

/// The same for a problem whose structure may have been looked at before, with matrices to choose.
pub fn equilibrium_of(
    system: &System,
    problem: &Problem,
    state: &State,
    matrices: Matrices,
) -> Result<Equilibrium, NoEquilibrium> {
    if let Some(sampler) = system.samplers.first() {
        return Err(NoEquilibrium::Sampled { name: sampler.name.clone() });
    }
    if let Some(trouble) = without_reactions(system, problem, state, matrices) {
        return Err(trouble.into());
    }
    let found = equilibrium_between(system, problem, state, matrices)?;
    match beyond_stop(system, &found.state, -1.0) {
        Some(trouble) => Err(trouble.into()),
        None => Ok(found),
    }
}

/// The same, whatever rigid stops there are.
fn equilibrium_between(
    system: &System,
    problem: &Problem,
    state: &State,
    matrices: Matrices,
) -> Result<Equilibrium, NoEquilibrium> {
    let frozen = system.standing(state.t);
    let mechanism = || Dynamics::of(&frozen, problem, problem.brief_method());
    let mut start = state.clone();
    // states are coordinates while time stands still
    for own in &system.states {
        let node = &system.nodes[own.node];
        start.q[node.q] = state.v[node.v];
    }
    start.v.fill(0.0);
    let dense = mechanism().freedoms() <= DENSE && !system.states.is_empty();
    let matrices = if dense { Matrices::Dense } else { matrices };
    let found = moving_states(system, at_rest(system, &mechanism, &start, matrices)?);
    if system.states.is_empty() { Ok(found) } else { with_stability(system, problem, found) }
}

/// Where there are states, stiffness does not tell whether a mechanism comes back: the eigenvalues of its motion do.
fn with_stability(
    system: &System,
    problem: &Problem,
    found: Equilibrium,
) -> Result<Equilibrium, NoEquilibrium> {
    let choice = ModeChoice { matrices: Matrices::Dense, ..ModeChoice::default() };
    let modes = modes_of(&system.frozen(found.state.t), problem, &found.state, &choice);
    let modes = modes.map_err(|_| NoEquilibrium::NoStability)?;
    let fastest = modes.modes.first().map_or(0.0, Mode::magnitude);
    let grows = modes.modes.iter().filter(|mode| mode.real > GROWS * fastest);
    let unstable = grows.map(|mode| Unstable {
        rate: mode.real,
        body: mode.bodies.first().map_or_else(String::new, |share| share.name.clone()),
    });
    let mut unstable: Vec<Unstable> = unstable.collect();
    unstable.sort_by(|a, b| b.rate.total_cmp(&a.rate));
    Ok(Equilibrium { unstable_directions: unstable.len(), unstable, free: modes.free.len(), ..found })
}

/// Gives states back their place among the velocities.
fn moving_states(system: &System, mut found: Equilibrium) -> Equilibrium {
    for own in &system.states {
        let node = &system.nodes[own.node];
        found.state.v[node.v] = std::mem::take(&mut found.state.q[node.q]);
    }
    found
}

fn at_rest<'a>(
    system: &System,
    mechanism: &impl Fn() -> Dynamics<'a>,
    start: &State,
    matrices: Matrices,
) -> Result<Equilibrium, NoEquilibrium> {
    if system.beams.is_empty() && system.cells.is_empty() {
        return search(mechanism, start, matrices);
    }
    // of beams and cells the stiffest motions are so much faster than the slowest that dense matrices lose these in rounding errors
    let matrices = if matrices == Matrices::Auto { Matrices::Sparse } else { matrices };
    let (borne, unstable) = match bending::bend(mechanism(), start) {
        Bending::Found(bent, steps) => match search(mechanism, &bent, matrices) {
            Ok(found) => (1.0, Some(Equilibrium { iterations: found.iterations + steps, ..found })),
            Err(_) => (1.0, None),
        },
        Bending::Stuck(borne) => (borne, None),
    };
    if let Some(found) = unstable.as_ref().filter(|found| found.unstable_directions == 0) {
        return Ok(found.clone());
    }
    // another may be stable
    match (search(mechanism, start, matrices), unstable) {
        (Ok(found), Some(other)) => Ok(if found.unstable_directions == 0 { found } else { other }),
        (Err(_), Some(found)) => Ok(found),
        (Err(NoEquilibrium::NoConvergence { body, .. } | NoEquilibrium::Unheld { body, .. }), None)
            if borne > 0.0 && borne < 1.0 =>
        {
            Err(NoEquilibrium::Overloaded { factor: borne, body })
        }
        (found, None) => found,
    }
}

/// The search from a state at rest.
fn search<'a>(
    mechanism: &impl Fn() -> Dynamics<'a>,
    start: &State,
    matrices: Matrices,
) -> Result<Equilibrium, NoEquilibrium> {
    let sparse = || EquilibriumSearch::new(SparseGround::new(mechanism(), start)?, start).run();
    if matrices.is_sparse(&mechanism()) {
        return sparse();
    }
    let found = EquilibriumSearch::new(DenseGround::new(mechanism(), start)?, start).run();
    // places among independent coordinates take stiff hinges out of their way: all coordinates may do better
    let lost = matches!(found, Err(NoEquilibrium::NoConvergence { .. }));
    let may_be_sparse = matrices == Matrices::Auto && !mechanism().system.forces_read;
    if lost && may_be_sparse { sparse().or(found) } else { found }
}

/// The state from which a run sets off at equilibrium: its positions, with the velocities of the given state. Where
/// these do not fit the constraints in the new position, they change as little as possible, measured by kinetic
/// energy.
pub fn settle_at_equilibrium(
    system: &System,
    problem: &Problem,
    state: &State,
    matrices: Matrices,
) -> Result<(State, Equilibrium), NoEquilibrium> {
    let equilibrium = equilibrium_of(system, problem, state, matrices)?;
    let mut moving = State { v: state.v.clone(), ..equilibrium.state.clone() };
    for own in &system.states {
        let v = system.nodes[own.node].v;
        moving.v[v] = equilibrium.state.v[v];
    }
    let mut mechanism = Dynamics::of(system, problem, problem.brief_method());
    system.set_state(&mut mechanism.work, &moving);
    Projection::new(&mechanism).apply(&mut mechanism, moving.t, &mut moving.q, &mut moving.v)?;
    Ok((moving, equilibrium))
}
