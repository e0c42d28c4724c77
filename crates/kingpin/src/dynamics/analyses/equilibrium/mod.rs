//! Static equilibrium: where a mechanism at rest stays at rest.

mod search;
mod stability;
mod words;
mod yardstick;

use crate::accel::{Accelerations, Problem};
use crate::dynamics::instant::projection::Projection;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::system::{State, System};
use search::EquilibriumSearch;
use std::fmt;

/// More degrees of freedom than this take dense matrices too far.
pub(in crate::dynamics) const MOST_FREEDOM: usize = 1000;

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
    /// The equations cannot be evaluated.
    Trouble(Trouble),
    /// More degrees of freedom than dense matrices can take.
    TooLarge {
        /// How many.
        dof: usize,
    },
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
                write!(f, "nothing stops an acceleration of {acceleration:.3} m/s^2")
            }
            NoEquilibrium::NoConvergence { acceleration, iterations, .. } => {
                write!(f, "after {iterations} steps an acceleration of {acceleration:.3e} m/s^2 is left")
            }
            NoEquilibrium::Trouble(trouble) => trouble.fmt(f),
            NoEquilibrium::TooLarge { dof } => {
                write!(f, "{dof} degrees of freedom are too many (at most {MOST_FREEDOM})")
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
/// O(n^3) per step in the degrees of freedom n.
pub fn equilibrium(system: &System, state: &State, redundant: &[bool]) -> Result<Equilibrium, NoEquilibrium> {
    equilibrium_of(system, &Problem::new(system, redundant), state)
}

/// The same for a problem whose structure may have been looked at before.
pub fn equilibrium_of(
    system: &System,
    problem: &Problem,
    state: &State,
) -> Result<Equilibrium, NoEquilibrium> {
    let frozen = system.frozen(state.t);
    let mechanism = Dynamics::of(&frozen, problem, problem.brief_method());
    let mut start = state.clone();
    start.v.fill(0.0);
    EquilibriumSearch::new(mechanism, &start)?.run()
}

/// The state from which a run sets off at equilibrium: its positions, with the velocities of the given state. Where
/// these do not fit the constraints in the new position, they change as little as possible, measured by kinetic
/// energy.
pub fn settle_at_equilibrium(
    system: &System,
    problem: &Problem,
    state: &State,
) -> Result<(State, Equilibrium), NoEquilibrium> {
    let equilibrium = equilibrium_of(system, problem, state)?;
    let mut moving = State { v: state.v.clone(), ..equilibrium.state.clone() };
    let mut mechanism = Dynamics::of(system, problem, problem.brief_method());
    system.set_state(&mut mechanism.work, &moving);
    Projection::new(&mechanism).apply(&mut mechanism, moving.t, &mut moving.q, &mut moving.v)?;
    Ok((moving, equilibrium))
}
