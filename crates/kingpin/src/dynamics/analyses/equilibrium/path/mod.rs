//! Paths of equilibria under loads that grow, and fall where less of them can be borne: continuation by arc length, with
//! the points at which a mechanism snaps or may leave the path.

mod critical;
mod follow;
mod point;

use super::NoEquilibrium;
use super::loaded::UnderLoad;
use crate::accel::{Accelerations, Problem};
use crate::dynamics::instant::Dynamics;
use crate::dynamics::stepping::Matrices;
use crate::system::{State, System};
use follow::LoadWalk;

/// How far to follow loads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathChoice {
    /// The load factor at which to stop: what weight and applied forces and torques are multiplied by.
    pub to: f64,
    /// Most points.
    pub points: usize,
}

impl Default for PathChoice {
    fn default() -> Self {
        Self { to: 1.0, points: 1000 }
    }
}

/// A mechanism at rest under loads that grow.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadPath {
    /// From the mechanism without loads on.
    pub points: Vec<LoadPoint>,
    /// Why there are no more.
    pub end: PathEnd,
}

/// A point of the path.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadPoint {
    /// What the loads are multiplied by.
    pub factor: f64,
    /// Where the mechanism is at rest under them.
    pub state: State,
    /// What is left of the accelerations, and the multipliers.
    pub accelerations: Accelerations,
    /// Directions of negative stiffness.
    pub unstable_directions: usize,
    /// What is special here.
    pub kind: LoadPointKind,
}

/// What a point of a path may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadPointKind {
    /// One like others.
    Regular,
    /// The load cannot grow, or fall, further: the mechanism snaps to another path. Who moves most.
    Limit(String),
    /// Another path crosses this one: the mechanism buckles. Who moves most.
    Branching(String),
}

impl LoadPointKind {
    /// Its name in tables.
    pub fn name(&self) -> &'static str {
        match self {
            LoadPointKind::Regular => "regular",
            LoadPointKind::Limit(_) => "limit",
            LoadPointKind::Branching(_) => "branching",
        }
    }

    /// Who moves most where stiffness vanishes.
    pub fn body(&self) -> Option<&str> {
        match self {
            LoadPointKind::Regular => None,
            LoadPointKind::Limit(body) | LoadPointKind::Branching(body) => Some(body),
        }
    }
}

/// Why a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// All loads are borne.
    Reached,
    /// It leads back, to loads as large of the other sign.
    Back,
    /// There are as many points as were wanted.
    Points,
    /// Steps have become too short.
    Short,
}

/// Follows the equilibria of a mechanism under loads that grow from nothing, from the equilibrium without loads next to a
/// consistent state. Velocities count as zero, time stands still, drivers hold the position of that time.
///
/// Points are as far apart as a few of Newton's iterations reach; where the number of unstable directions changes, the
/// point where it does is found by bisection. O(entries of the factors) per iteration.
pub fn load_path(
    system: &System,
    problem: &Problem,
    state: &State,
    choice: PathChoice,
) -> Result<LoadPath, NoEquilibrium> {
    if let Some(own) = system.states.first() {
        return Err(NoEquilibrium::States { name: own.name.clone() });
    }
    if let Some(sampler) = system.samplers.first() {
        return Err(NoEquilibrium::Sampled { name: sampler.name.clone() });
    }
    let frozen = system.frozen(state.t);
    let unloaded = || {
        let mut mechanism = Dynamics::of(&frozen, problem, problem.brief_method());
        mechanism.work.load = 0.0;
        mechanism
    };
    let mut start = state.clone();
    start.v.fill(0.0);
    let mut mechanism = UnderLoad::new(unloaded(), &start)?;
    if mechanism.rest(0.0, f64::INFINITY, UNLOADED).is_none() {
        let found = super::search(&unloaded, &start, Matrices::Auto)?;
        mechanism = UnderLoad::new(unloaded(), &found.state)?;
    }
    LoadWalk::new(mechanism, choice).run()
}

/// Iterations to rest without loads.
const UNLOADED: usize = 12;
