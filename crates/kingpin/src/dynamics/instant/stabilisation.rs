//! How explicit methods keep states on the constraints, as users choose it.

use super::Dynamics;
use super::Trouble;
use super::least_change::LeastChange;
use super::projection::{Projection, normalise};

/// What is done with the end of a step of an explicit method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stabilisation {
    /// Moved onto the constraints by the least motion, measured by kinetic energy, step by step of the iteration.
    #[default]
    Projection,
    /// The state that satisfies the constraints and is nearest to the predicted one, by given weights; solved with the
    /// solver of accelerations where that can be.
    Optimisation,
    /// Nothing: the constraints are invariants of the equations, and errors of steps add up.
    None,
}

impl Stabilisation {
    /// All there are, the default first.
    pub const ALL: [Stabilisation; 3] =
        [Stabilisation::Projection, Stabilisation::Optimisation, Stabilisation::None];
    /// Their names, in the same order.
    pub const NAMES: &'static [&'static str] = &["projection", "optimisation", "none"];

    /// The name users give.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Stabilisation> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// One line on what it does.
    pub fn about(self) -> &'static str {
        match self {
            Stabilisation::Projection => {
                "smallest correction in the mass metric, with its own factorisation (default)"
            }
            Stabilisation::Optimisation => {
                "closest state by weights, with the solver for accelerations if possible"
            }
            Stabilisation::None => "no correction; the run warns when residuals exceed the tolerance",
        }
    }
}

/// The weights of changes of positions and velocities.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ChangeWeights {
    /// Mass and inertia: the reduced matrix is that of the accelerations.
    #[default]
    Mass,
    /// One for every velocity, of the centres of mass and about body-fixed axes.
    Unit,
    /// A weight greater than zero for each velocity of the system.
    Given(Vec<f64>),
}

impl ChangeWeights {
    /// Names of those that need no numbers, the default first.
    pub const NAMES: &'static [&'static str] = &["mass", "unit"];

    /// The name users give, or `given`.
    pub fn name(&self) -> &'static str {
        match self {
            ChangeWeights::Mass => Self::NAMES[0],
            ChangeWeights::Unit => Self::NAMES[1],
            ChangeWeights::Given(_) => "given",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<ChangeWeights> {
        [ChangeWeights::Mass, ChangeWeights::Unit].into_iter().find(|weights| weights.name() == name)
    }
}

/// Counts of what it took to keep the steps of a run on the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corrections {
    /// Ends of steps that had to be moved.
    pub moved: usize,
    /// Iterations for positions.
    pub position_iterations: usize,
    /// Systems solved for positions and velocities.
    pub systems: usize,
    /// Factorisations for them.
    pub factorisations: usize,
    /// Iterations of an iterative solver for them.
    pub solver_iterations: usize,
}

impl Corrections {
    /// As numbers, to be kept.
    pub fn numbers(&self) -> [usize; 5] {
        [self.moved, self.position_iterations, self.systems, self.factorisations, self.solver_iterations]
    }

    /// From these numbers.
    pub fn from_numbers(numbers: [usize; 5]) -> Corrections {
        let [moved, position_iterations, systems, factorisations, solver_iterations] = numbers;
        Corrections { moved, position_iterations, systems, factorisations, solver_iterations }
    }
}

/// The way chosen, ready for a mechanism.
pub(in crate::dynamics) enum Stabiliser {
    Projection(Box<Projection>),
    Optimisation(Box<LeastChange>),
    None,
}

impl Stabiliser {
    /// Room and structure.
    pub fn new(mechanism: &Dynamics, kind: Stabilisation, weights: &ChangeWeights) -> Stabiliser {
        match kind {
            Stabilisation::Projection => Stabiliser::Projection(Box::new(Projection::new(mechanism))),
            Stabilisation::Optimisation => {
                Stabiliser::Optimisation(Box::new(LeastChange::new(mechanism, weights)))
            }
            Stabilisation::None => Stabiliser::None,
        }
    }

    /// Moves a state onto the constraints, if that is what it does; Euler parameters are unit vectors in any case.
    pub fn apply(
        &mut self,
        mechanism: &mut Dynamics,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<(), Trouble> {
        match self {
            Stabiliser::Projection(projection) => projection.apply(mechanism, t, q, v).map(|_| ()),
            Stabiliser::Optimisation(nearest) => nearest.apply(mechanism, t, q, v),
            Stabiliser::None => {
                normalise(mechanism.system, q);
                Ok(())
            }
        }
    }

    /// Accelerations at the state it led to last, where it can still tell them at the price of a right side.
    pub fn accelerate(
        &mut self,
        mechanism: &mut Dynamics,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Option<Result<(), Trouble>> {
        match self {
            // what goes with reactions needs more than one right side
            Stabiliser::Optimisation(nearest) if mechanism.system.readings.is_empty() => {
                nearest.accelerate(mechanism, t, q, v)
            }
            _ => None,
        }
    }

    /// Forgets the state it led to last.
    pub fn forget(&mut self) {
        if let Stabiliser::Optimisation(nearest) = self {
            nearest.forget();
        }
    }
}
