//! What a user describes: bodies, markers, joints, forces, measures, roads, shapes; plain data.
//!
//! Everything a model file can say is said here in Rust: fill a [`Model`], then
//! [`Mechanism::new`](crate::mechanism::Mechanism::new) it.

#[doc(hidden)]
pub mod beam;
#[doc(hidden)]
pub mod body;
#[doc(hidden)]
pub mod closure;
#[doc(hidden)]
pub mod controller;
#[doc(hidden)]
pub mod describe;
#[doc(hidden)]
pub mod ends;
#[doc(hidden)]
pub mod event;
#[doc(hidden)]
pub mod finding;
#[doc(hidden)]
pub mod first_order;
#[doc(hidden)]
pub mod fitting;
#[doc(hidden)]
pub mod function;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
pub mod list;
#[doc(hidden)]
pub mod long_cable;
mod made;
#[doc(hidden)]
pub mod settings;
#[doc(hidden)]
pub mod span;
#[doc(hidden)]
pub mod start;
#[doc(hidden)]
pub mod structure;
#[doc(hidden)]
pub mod substructure;
#[doc(hidden)]
pub mod superelement;
#[doc(hidden)]
pub mod validate;
mod validate_events;
mod validate_idle;
mod validate_names;
mod validate_sizes;
mod validate_spans;
pub(crate) mod validate_tables;
#[doc(hidden)]
pub mod value;
mod weigh;

pub use beam::{Beam, BeamPart, SectionMatrix, Stations};
pub use body::{Body, Marker};
pub use closure::{Closure, SmoothLaw};
pub use controller::{Controller, ControllerKind};
pub use ends::{Ends, EndsKind};
pub use event::{Event, EventAction};
pub use finding::{Finding, Severity, Subject};
pub use first_order::StateVariable;
pub use fitting::{FittedPart, Fitting, Fittings};
pub use function::Function;
pub use input::Input;
pub use long_cable::{CablePart, LongCable};
pub use made::MadeParts;
pub use settings::Simulation;
pub use span::Span;
pub use start::Start;
#[doc(hidden)]
pub use structure::{MeshCell, MeshSet, StructureMesh, StructurePart};
pub use structure::{MeshStructure, StructureFields};
pub use substructure::Substructure;
pub use superelement::{
    FlexiblePart, ReducedBody, ReducedInterface, ReducedSurface, Superelement, SuperelementFields,
};
pub use value::{Mat3, Orientation, Vec3};

use crate::element::driver::DriverKind;
use crate::element::force::ForceKind;
use crate::element::joint::JointKind;
use crate::element::measure::MeasureKind;
use crate::element::road::RoadKind;
use crate::element::shape::ShapeKind;

/// The name of the body that never moves.
pub const GROUND: &str = "ground";

/// Two or three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Space {
    /// Bodies move in the x-y plane: x, y, angle.
    Planar,
    /// Bodies move in space: position and Euler parameters.
    #[default]
    Spatial,
}

/// A joint: equations between bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Where it is attached.
    pub ends: Ends,
    /// Start point.
    pub start: Start,
    /// Springs, dampers and stops on the coordinates it leaves free.
    pub fittings: Fittings,
    /// What it does.
    pub kind: JointKind,
}

/// A driver: a motion prescribed in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    /// Its name.
    pub name: String,
    /// Where it is attached.
    pub ends: Ends,
    /// What it prescribes.
    pub kind: DriverKind,
}

/// A force element.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// Its name.
    pub name: String,
    /// Where it is attached.
    pub ends: Ends,
    /// What it does.
    pub kind: ForceKind,
}

/// A quantity that expressions may use: its value under its name, its rate as `name.rate`.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// Where it is taken.
    pub ends: Ends,
    /// What it is.
    pub kind: MeasureKind,
}

/// A road profile that tyres run on.
#[derive(Clone, Debug, PartialEq)]
pub struct Road {
    /// Its name.
    pub name: String,
    /// The profile.
    pub kind: RoadKind,
}

/// A shape to draw, fixed to a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The place on a body; the shape is centred there.
    pub ends: Ends,
    /// The shape.
    pub kind: ShapeKind,
}

/// A mechanism as described: named, not yet numbered.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// A sentence or two.
    pub description: String,
    /// Planar or spatial.
    pub space: Space,
    /// Acceleration of free fall.
    pub gravity: Vec3,
    /// Bodies; `ground` is always there besides.
    pub bodies: Vec<Body>,
    /// Beams.
    pub beams: Vec<Beam>,
    /// Cables that sag and swing.
    pub cables: Vec<LongCable>,
    /// Superelements.
    pub superelements: Vec<Superelement>,
    /// Structures.
    pub structures: Vec<MeshStructure>,
    /// Markers.
    pub markers: Vec<Marker>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Drivers.
    pub drivers: Vec<Driver>,
    /// Forces.
    pub forces: Vec<Force>,
    /// Elements of beams.
    pub spans: Vec<Span>,
    /// Measures.
    pub measures: Vec<Measure>,
    /// First-order states.
    pub states: Vec<StateVariable>,
    /// Controllers.
    pub controllers: Vec<Controller>,
    /// Events.
    pub events: Vec<Event>,
    /// Inputs.
    pub inputs: Vec<Input>,
    /// Substructures.
    pub substructures: Vec<Substructure>,
    /// Roads.
    pub roads: Vec<Road>,
    /// Shapes.
    pub shapes: Vec<Shape>,
    /// Simulation settings.
    pub simulation: Simulation,
    /// What was made of its cables, beams, superelements, structures, states and controllers, once that is done.
    #[doc(hidden)]
    pub made: Option<MadeParts>,
}

impl Model {
    /// An empty model.
    pub fn new(name: &str, space: Space) -> Model {
        Model { name: name.into(), space, ..Model::default() }
    }

    /// Adds a body.
    pub fn body(&mut self, body: Body) -> &mut Model {
        self.bodies.push(body);
        self
    }

    /// Adds a beam.
    pub fn beam(&mut self, beam: Beam) -> &mut Model {
        self.beams.push(beam);
        self
    }

    /// Adds a cable that sags and swings.
    pub fn cable(&mut self, cable: LongCable) -> &mut Model {
        self.cables.push(cable);
        self
    }

    /// Adds a superelement.
    pub fn superelement(&mut self, superelement: Superelement) -> &mut Model {
        self.superelements.push(superelement);
        self
    }

    /// Adds a structure.
    pub fn structure(&mut self, structure: MeshStructure) -> &mut Model {
        self.structures.push(structure);
        self
    }

    /// Adds a marker.
    pub fn marker(&mut self, marker: Marker) -> &mut Model {
        self.markers.push(marker);
        self
    }

    /// Adds a joint.
    pub fn joint(&mut self, name: &str, ends: Ends, kind: impl Into<JointKind>) -> &mut Model {
        self.joint_from(name, ends, Start::default(), kind)
    }

    /// Adds a joint that starts from given coordinates.
    pub fn joint_from(
        &mut self,
        name: &str,
        ends: Ends,
        start: Start,
        kind: impl Into<JointKind>,
    ) -> &mut Model {
        let fittings = Fittings::default();
        self.joints.push(Joint { name: name.into(), ends, start, fittings, kind: kind.into() });
        self
    }

    /// Fits the joint added last with springs, dampers and stops.
    pub fn fit(&mut self, fittings: Fittings) -> &mut Model {
        if let Some(joint) = self.joints.last_mut() {
            joint.fittings = fittings;
        }
        self
    }

    /// Adds a driver.
    pub fn driver(&mut self, name: &str, ends: Ends, kind: impl Into<DriverKind>) -> &mut Model {
        self.drivers.push(Driver { name: name.into(), ends, kind: kind.into() });
        self
    }

    /// Adds a force.
    pub fn force(&mut self, name: &str, ends: Ends, kind: impl Into<ForceKind>) -> &mut Model {
        self.forces.push(Force { name: name.into(), ends, kind: kind.into() });
        self
    }

    /// Adds an element of a beam.
    pub fn span(&mut self, span: Span) -> &mut Model {
        self.spans.push(span);
        self
    }

    /// Adds a measure.
    pub fn measure(&mut self, name: &str, ends: Ends, kind: impl Into<MeasureKind>) -> &mut Model {
        self.measures.push(Measure { name: name.into(), ends, kind: kind.into() });
        self
    }

    /// Adds a first-order state.
    pub fn state(&mut self, state: StateVariable) -> &mut Model {
        self.states.push(state);
        self
    }

    /// Adds a controller.
    pub fn controller(&mut self, name: &str, kind: impl Into<ControllerKind>) -> &mut Model {
        self.controllers.push(Controller { name: name.into(), kind: kind.into() });
        self
    }

    /// Adds an event.
    pub fn event(&mut self, event: Event) -> &mut Model {
        self.events.push(event);
        self
    }

    /// Adds an input with its value at the start.
    pub fn input(&mut self, name: &str, value: f64) -> &mut Model {
        self.inputs.push(Input { name: name.into(), value });
        self
    }

    /// Adds a road.
    pub fn road(&mut self, name: &str, kind: impl Into<RoadKind>) -> &mut Model {
        self.roads.push(Road { name: name.into(), kind: kind.into() });
        self
    }

    /// Adds a shape.
    pub fn shape(&mut self, ends: Ends, kind: impl Into<ShapeKind>) -> &mut Model {
        self.shapes.push(Shape { ends, kind: kind.into() });
        self
    }
}
