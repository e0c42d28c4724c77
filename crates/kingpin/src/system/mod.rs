//! The compiled equations of a mechanism: numbered, immutable, shared between threads.
//!
//! A [`System`] knows the layout of coordinates and equations; a [`Work`] holds the numbers of one instant.
//! Two forms of the same equations are offered. In velocities v = (r', w), for every evaluation:
//! `M v' + Phi_v^T lam = Q`, `Phi_v v' = gamma`. In coordinates q = (r, p) with the normalisation p.p = 1 as
//! further constraints, for the derivatives that implicit methods need ([`Derivatives`]).
//! Planar models have v = q', and the two forms agree.

mod bad_numbers;
mod beam_elements;
mod beams;
mod cell_elements;
mod cell_reference;
mod cells;
mod compile;
mod compile_control;
mod constraint_derivatives;
mod derivatives;
mod derivatives_room;
mod energy;
mod evaluate;
mod first_order;
mod floating;
mod floating_bodies;
mod floating_reference;
mod force_derivatives;
mod forces;
mod frozen;
mod given_state;
mod inertance;
mod input_forces;
mod joined;
mod layout;
mod mass;
mod masses;
mod modes;
mod naming;
mod nodes;
mod power;
mod reference;
mod samplers;
mod start;
mod start_beams;
mod state;
mod stops;
mod substructures;
mod switches;
mod tree;

pub(crate) use beam_elements::section;
pub use derivatives::Derivatives;
pub use first_order::StateNode;
pub use floating::FloatingInstant;
pub(crate) use inertance::moving;
pub use joined::JoinedBody;
pub use layout::{Block, EquationGroup, Layout, NONE, Pair};
pub use modes::HeldSystems;
pub use naming::RowName;
pub(crate) use nodes::NodeRoom;
pub use nodes::{Node, NodeKind, Nodes};
pub use power::Powers;
pub use samplers::{ControllerOutput, ReadFunction, SampleCount, Sampler};
pub use start::Held;
pub use state::{Exchanged, State, Work};
pub use stops::{Jump, Stops};
pub use substructures::SubstructureSize;
pub use tree::Tree;

use crate::element::articulation::Articulation;
use crate::element::basic::Basic;
use crate::element::beam::BeamElement;
use crate::element::cell::CellElement;
use crate::element::equation::{Inertance, Term};
use crate::element::floating::FloatingBody;
use crate::element::hold::JointHold;
use crate::element::joint::Observed;
use crate::element::place::Place;
use crate::element::reading::Reading;
use crate::element::switch::Switch;
use crate::element::turned::TurnedRate;
use crate::linalg::{Arithmetic, Subdivision};
use crate::model::finding::{Finding, Subject};
use crate::model::{BeamPart, CablePart, Model, Space, StructurePart};
use crate::spatial::{M3, V3};
use crate::topology::Wish;

/// A force element as compiled: its terms in the list of all terms.
#[derive(Clone, Debug)]
pub struct ForceGroup {
    /// Name of the force.
    pub name: String,
    /// Its terms.
    pub terms: std::ops::Range<usize>,
    /// Its inertances in the list of all.
    pub inertances: std::ops::Range<usize>,
    /// Whether it belongs to the inside of a body.
    pub inner: bool,
}

/// A measure as compiled.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// The unit of its value, such as `m`.
    pub unit: &'static str,
    /// What is looked at.
    pub sight: MeasuredBy,
}

/// What a measure looks at.
#[derive(Clone, Copy, Debug)]
pub enum MeasuredBy {
    /// A basic function, with its rate.
    Probe(Basic),
    /// The rate of a basic function, with the rate of that.
    Rate(Basic),
    /// The rate of a way in the axes of a third body, with its acceleration in the same axes.
    Turned(TurnedRate),
    /// A reaction, by its number among those that are read.
    Reading(usize),
}

impl Measured {
    /// Whether it has a rate.
    pub fn has_rate(&self) -> bool {
        !matches!(self.sight, MeasuredBy::Reading(_))
    }

    /// The basic function that it probes.
    pub fn probe(&self) -> Option<&Basic> {
        match &self.sight {
            MeasuredBy::Probe(basic) | MeasuredBy::Rate(basic) => Some(basic),
            MeasuredBy::Turned(_) | MeasuredBy::Reading(_) => None,
        }
    }
}

/// Mass properties of a body, about its centre of mass.
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    /// Mass.
    pub mass: f64,
    /// The mass that weighs on it: its own, but for points that share mass with others.
    pub weight: f64,
    /// One over the mass.
    pub inverse_mass: f64,
    /// Inertia tensor in the axes of the body (planar: first entry).
    pub tensor: M3,
    /// Its inverse.
    pub inverse: M3,
    /// Inertia of the third velocity where a node has three: the moment of a frame in the plane, the mass of a point
    /// in space.
    pub third: f64,
    /// One over that.
    pub inverse_third: f64,
}

impl Inertia {
    /// The mass of a point in every direction.
    pub fn point(mass: f64) -> Inertia {
        let (none, inverse_mass) = ([[0.0; 3]; 3], 1.0 / mass);
        let (third, inverse_third) = (mass, inverse_mass);
        Inertia { mass, weight: mass, inverse_mass, tensor: none, inverse: none, third, inverse_third }
    }
}

/// A mechanism, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct System {
    /// The arithmetic of solvers, to be set before any is made.
    pub arithmetic: Arithmetic,
    /// Bodies or joints of a piece of work that one thread does, at most; to be set before any solver is made.
    pub grain: usize,
    /// Sub-domains that matrices of implicit methods are cut into; to be set before any is made.
    pub subdivision: Option<Subdivision>,
    /// Bytes that matrices of implicit methods may take, if that is known; to be set before any is made.
    pub memory: Option<u64>,
    /// Planar or spatial.
    pub space: Space,
    /// Names of the bodies.
    pub body_names: Vec<String>,
    /// Their nodes: ranges of coordinates and velocities.
    pub nodes: Nodes,
    /// Mass properties of the bodies.
    pub inertia: Vec<Inertia>,
    /// Centre of mass of each body in its own frame.
    pub coms: Vec<V3>,
    /// Acceleration of free fall.
    pub gravity: V3,
    /// Numbering of coordinates, equations and blocks.
    pub layout: Layout,
    /// Force terms.
    pub terms: Vec<Term>,
    /// Mass beyond that of the bodies, which couples two of them.
    pub inertances: Vec<Inertance>,
    /// Elements of beams.
    pub beams: Vec<BeamElement>,
    /// Cells of structures.
    pub cells: Vec<CellElement>,
    /// Flexible bodies in floating frames.
    pub floating: Vec<FloatingBody>,
    /// Force elements over the terms and inertances.
    pub forces: Vec<ForceGroup>,
    /// Where forces are not smooth: events in the order of the model, then tyres.
    pub switches: Vec<Switch>,
    /// First-order states: the last nodes.
    pub states: Vec<StateNode>,
    /// Controllers that work at samples.
    pub samplers: Vec<Sampler>,
    /// Outputs of controllers.
    pub outputs: Vec<ControllerOutput>,
    /// What may hold coordinates of joints for a while.
    pub holds: Vec<JointHold>,
    /// Those that hold: each is an equation, behind all others.
    pub active: Vec<usize>,
    /// The systems in which some hold.
    pub held_systems: HeldSystems,
    /// Reactions that are inputs, the last of them.
    pub readings: Vec<Reading>,
    /// Whether forces go with them.
    pub forces_read: bool,
    /// Whether others than friction do.
    pub reads_bend: bool,
    /// Whether switches look at them.
    pub reads_in_switches: bool,
    /// Frames of the joints, for reactions and joint coordinates; `None` for couplings.
    pub joint_places: Vec<Option<[Place; 2]>>,
    /// Frames of the drivers: their own, or those of the joint they drive.
    pub driver_places: Vec<Option<[Place; 2]>>,
    /// How each joint can carry its second body from its first; `None` for those that must be cut.
    pub articulations: Vec<Option<Articulation>>,
    /// Whether the user wants each joint in the spanning tree or cut.
    pub wishes: Vec<Wish>,
    /// Joint coordinates and rates that the model gives, for the assembly to keep.
    pub held: Vec<Held>,
    /// Bodies that joints have placed because joint coordinates are given.
    pub placed: Vec<bool>,
    /// Coordinates of the joints that results show.
    pub joint_coordinates: Vec<Vec<Observed>>,
    /// Measures.
    pub measures: Vec<Measured>,
    /// What became of the beams of the model.
    pub parts: Vec<BeamPart>,
    /// What became of its structures.
    pub structures: Vec<StructurePart>,
    /// What cables became.
    pub cables: Vec<CablePart>,
    /// Names of the substructures, and that of each body.
    pub substructures: Vec<String>,
    pub substructure_of: Vec<Option<usize>>,
    /// Names of the inputs; their values are part of the state.
    pub inputs: Vec<String>,
    /// The state as described: not yet assembled.
    pub given: State,
    /// Coordinates and velocities the assembly must leave alone, one flag per velocity.
    pub fixed: Vec<bool>,
    /// Velocities the assembly must leave alone.
    pub fixed_velocity: Vec<bool>,
}

impl System {
    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.body_names.len()
    }

    /// Dimensions of space.
    pub fn dimensions(&self) -> usize {
        if self.space == Space::Spatial { 3 } else { 2 }
    }

    /// Coordinates q in all.
    pub fn coordinates(&self) -> usize {
        self.nodes.coordinates()
    }

    /// Velocities v in all.
    pub fn velocities(&self) -> usize {
        self.nodes.velocities()
    }

    /// Equations of joints and drivers.
    pub fn joint_equations(&self) -> usize {
        self.layout.rows
    }

    /// Normalisation constraints of Euler parameters.
    pub fn normalisations(&self) -> usize {
        self.nodes.normalisations()
    }

    /// Constraints in all, normalisations counted.
    pub fn constraints(&self) -> usize {
        self.joint_equations() + self.normalisations()
    }

    /// The item an equation group came from.
    pub fn group_subject(&self, group: usize) -> &Subject {
        &self.layout.groups[group].subject
    }
}

/// Errors of compilation carry the findings; warnings come along with success.
pub type Compiled = Result<(System, Vec<Finding>), Vec<Finding>>;

impl System {
    /// Numbers and checks a model, whose beams, superelements and structures are taken apart first. All findings are reported together.
    pub fn compile(model: &Model) -> Compiled {
        if !model.is_whole() {
            return System::compile_expanded(model, Vec::new());
        }
        let (model, faults) = model.clone().expand();
        System::compile_expanded(&model, faults)
    }

    /// The same for a model whose beams are taken apart already, and what was found wrong with them.
    pub(crate) fn compile_expanded(model: &Model, mut faults: Vec<Finding>) -> Compiled {
        crate::tally::note(|tally| &mut tally.compilations);
        let told = |findings: Vec<Finding>| match &model.made {
            Some(made) => made.told(findings),
            None => findings,
        };
        let compiled = compile::compile(model);
        match compiled {
            Ok((system, findings)) if faults.is_empty() => Ok((system, told(findings))),
            // warnings wait until there are no errors
            Ok(_) => Err(faults),
            Err(findings) => {
                faults.extend(told(findings));
                Err(faults)
            }
        }
    }
}

/// Calls a generic function with the coordinates of the space.
macro_rules! in_space {
    ($space:expr, $C:ident => $body:expr) => {
        match $space {
            $crate::model::Space::Planar => {
                type $C = $crate::spatial::PlanarCoords;
                $body
            }
            $crate::model::Space::Spatial => {
                type $C = $crate::spatial::SpatialCoords;
                $body
            }
        }
    };
}
pub(crate) use in_space;
