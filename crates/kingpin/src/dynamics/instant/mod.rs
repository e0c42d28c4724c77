//! A mechanism ready for accelerations at any instant, moved onto its constraints, and how far these are from being
//! dependent.

mod chatter;
mod closeness;
pub(super) mod holds;
pub(super) mod independence;
pub(super) mod least_change;
mod memory;
pub(super) mod nearness;
pub(super) mod projection;
pub(super) mod readings;
pub(super) mod stabilisation;

pub use chatter::Chatter;

use crate::accel::{AccelFailure, Accelerations, Accelerator, Problem, Solver};
use crate::analysis::Diagnosis;
use crate::model::{Finding, Subject};
use crate::system::{Jump, System, Work};
use crate::threads::{STRETCH, gathered};
use readings::ReadingRoom;
use stabilisation::Corrections;
use std::fmt;
use std::ops::Range;

/// A system with its solver and the numbers of one instant.
pub struct Dynamics<'a> {
    /// The equations.
    pub system: &'a System,
    /// The instant.
    pub work: Work,
    /// The solver of the acceleration problem.
    pub accelerator: Accelerator,
    /// Accelerations and multipliers of the instant.
    pub result: Accelerations,
    /// Equations left out because they follow from others.
    pub redundant: Vec<bool>,
    /// Acceleration problems solved so far.
    pub solves: usize,
    /// What it took so far to keep the ends of steps on the constraints.
    pub corrections: Corrections,
    /// Room for reactions that forces depend on.
    pub(in crate::dynamics) readings: ReadingRoom,
    /// Rates that show that what others hold does move, of all that may hold; none where nobody looks.
    pub(in crate::dynamics) wander: Vec<f64>,
}

/// Most degrees of freedom of the methods that hold dense matrices of that size.
pub const DENSE: usize = 2000;

/// Why the equations of motion cannot be evaluated at some state.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The acceleration problem has no unique solution, or a number is not finite.
    Accelerations(AccelFailure),
    /// Positions that satisfy the constraints were not found from the independent coordinates.
    Positions {
        /// The worst equation, among the joint equations; `None` for a normalisation.
        row: Option<usize>,
        /// What is left of it.
        residual: f64,
    },
    /// A body turns by more than half a turn in one step.
    Turn {
        /// The body.
        body: usize,
        /// By how much, rad.
        angle: f64,
    },
    /// The dependent coordinates do not follow from the independent ones: their Jacobian is singular.
    Partition,
    /// The mechanism has too many degrees of freedom for methods that hold dense matrices of that size.
    TooLarge {
        /// Degrees of freedom.
        freedoms: usize,
    },
    /// The factors of sparse matrices would take more memory than there is.
    Memory {
        /// The structure whose they are, if it is the only one.
        structure: Option<usize>,
        /// Its name.
        name: String,
        /// Bytes that they need at least.
        needed: u64,
        /// Bytes that there are.
        there: u64,
    },
    /// A prescribed motion jumps to another position.
    Jump(Jump),
    /// A switch goes to and fro without getting on.
    Chatter(Chatter),
    /// A stop or friction of a joint cannot be followed.
    Held {
        /// The joint.
        joint: String,
        /// Why.
        why: String,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Accelerations(failure) => failure.fmt(f),
            Trouble::Positions { residual, .. } => {
                write!(f, "no positions satisfy the constraints (residual {residual:.1e})")
            }
            Trouble::Turn { angle, .. } => {
                write!(f, "a body rotates by {:.0} degrees in one step", angle.to_degrees())
            }
            Trouble::Partition => write!(f, "the constraints are dependent in this configuration"),
            Trouble::TooLarge { freedoms } => {
                write!(f, "{freedoms} degrees of freedom are too many for dense matrices: at most {DENSE}")
            }
            Trouble::Memory { structure, name, needed, there } => {
                let of = if structure.is_some() { format!(" of `{name}`") } else { String::new() };
                let size = |bytes: &u64| match *bytes as f64 {
                    large if large >= 1e9 => format!("{:.1} GB", large / 1e9),
                    small => format!("{:.0} MB", small / 1e6),
                };
                let [needed, there] = [needed, there].map(size);
                write!(
                    f,
                    "the factorisation of the matrix{of} needs {needed} of memory, but {there} are \
                         available; use fewer elements or nodes, or divide the work among ranks with \
                         `--domains`"
                )
            }
            Trouble::Jump(Jump { driver, t, by, angle }) => {
                write!(f, "driver `{driver}` jumps by {by} {} at t = {t} s", if *angle { "rad" } else { "m" })
            }
            Trouble::Chatter(chatter) => chatter.fmt(f),
            Trouble::Held { joint, why } => write!(f, "joint `{joint}`: {why}"),
        }
    }
}

impl std::error::Error for Trouble {}

impl Trouble {
    /// The item where it shows, in a mechanism with that diagnosis.
    pub fn subject(&self, diagnosis: &Diagnosis) -> Subject {
        match self {
            Trouble::Accelerations(AccelFailure::Singular { row: Some(row), .. }) => row.subject.clone(),
            Trouble::Partition => {
                diagnosis.singular.first().map_or(Subject::Model, |joint| joint.subject.clone())
            }
            Trouble::Memory { structure: Some(k), .. } => Subject::Structure(*k),
            _ => Subject::Model,
        }
    }
}

impl Trouble {
    /// The message, at the item where it shows.
    pub fn finding(&self, diagnosis: &Diagnosis) -> Finding {
        Finding::error(self.subject(diagnosis), "", self.to_string())
    }
}

impl From<AccelFailure> for Trouble {
    fn from(failure: AccelFailure) -> Self {
        Trouble::Accelerations(failure)
    }
}

impl<'a> Dynamics<'a> {
    /// Symbolic phase; `redundant` marks the equations that the assembly found to follow from others.
    pub fn new(system: &'a System, redundant: &[bool], solver: Solver) -> Self {
        Self::of(system, &Problem::new(system, redundant), solver)
    }

    /// The same for a problem whose structure may have been looked at before.
    pub fn of(system: &'a System, problem: &Problem, solver: Solver) -> Self {
        let accelerator = Accelerator::of(system, problem, solver);
        Self {
            system,
            work: system.work(),
            result: accelerator.result(),
            accelerator,
            redundant: problem.redundant(),
            solves: 0,
            corrections: Corrections::default(),
            readings: ReadingRoom::new(system),
            wander: Vec::with_capacity(system.holds.len()),
        }
    }

    /// Degrees of freedom: coordinates less independent equations, normalisations among them.
    pub fn freedoms(&self) -> usize {
        let equations = self.accelerator.problem.rows + self.system.normalisations();
        self.system.coordinates().saturating_sub(equations)
    }

    /// Goes to an instant and evaluates the constraints there.
    pub(in crate::dynamics) fn look(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.system.set(&mut self.work, t, q, v);
        self.system.evaluate_constraints(&mut self.work);
    }

    /// Accelerations and multipliers at an instant.
    pub fn accelerate(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        self.system.set(&mut self.work, t, q, v);
        self.evaluate()
    }

    /// Accelerations alone at an instant. Constraints that they do not depend on are not evaluated, and the
    /// multipliers are those of some other instant.
    pub fn accelerate_only(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        self.system.set(&mut self.work, t, q, v);
        if !self.system.readings.is_empty() {
            return self.evaluate();
        }
        self.solves += 1;
        self.accelerator.accelerate(self.system, &mut self.work, &mut self.result.acc)?;
        Ok(())
    }

    /// Largest residual of the position equations evaluated last, normalisations included.
    pub fn position_residual(&self) -> f64 {
        let joints = largest(&self.work.phi);
        if self.system.normalisations() == 0 {
            return joints;
        }
        let moving = &self.work.bodies[..self.system.bodies()];
        let norms = moving.iter().map(|b| b.p.iter().map(|e| e * e).sum::<f64>() - 1.0);
        norms.fold(joints, |most, x| if x.abs() <= most { most } else { x.abs() })
    }

    /// Largest residual of the velocity equations evaluated last; `room` has one place per equation.
    pub fn velocity_residual(&self, v: &[f64], room: &mut [f64]) -> f64 {
        self.system.jacobian_times(&self.work, v, room);
        room.iter_mut().zip(&self.work.nu).for_each(|(x, nu)| *x -= nu);
        largest(room)
    }
}

/// The worst position equation of the instant evaluated last.
pub(in crate::dynamics) fn position_trouble(work: &Work) -> Trouble {
    let worst = |(row, most): (Option<usize>, f64), (r, phi): (usize, &f64)| {
        if phi.abs() <= most { (row, most) } else { (Some(r), phi.abs()) }
    };
    let (row, residual) = work.phi.iter().enumerate().fold((None, 0.0), worst);
    Trouble::Positions { row, residual }
}

/// Largest magnitude; NaN if there is one.
pub(super) fn largest(x: &[f64]) -> f64 {
    // bits of magnitudes are in the order of the magnitudes, and those of NaN above all
    let of = |some: Range<usize>| x[some].iter().fold(0, |most, x| most.max(x.abs().to_bits()));
    f64::from_bits(gathered(0..x.len(), STRETCH, &of, &|a, b| a.max(b)))
}
