//! Where joints, drivers, forces and shapes sit on bodies, in the axes of the body frames.

use kingpin::element::place::{Given, Place, Resolver};
use kingpin::model::{Ends, EndsKind, Model, Space, Subject};
use nalgebra::Vector3;

/// One item on its bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Attached {
    /// Bodies; `None` is the ground.
    pub bodies: Vec<Option<usize>>,
    /// A point per body.
    pub points: Vec<[f64; 3]>,
    /// An axis per body; none where the item has no axis.
    pub axes: Vec<[f64; 3]>,
    /// Axes of the last place against the body, as Euler parameters.
    pub orientation: [f64; 4],
}

/// All items of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attachments {
    pub joints: Vec<Attached>,
    pub drivers: Vec<Attached>,
    pub forces: Vec<Attached>,
    pub shapes: Vec<Attached>,
}

impl Attachments {
    /// Items that cannot be placed have no bodies; the model would not compile with them.
    pub fn new(model: &Model) -> Attachments {
        let given = Given::new(model);
        let mut resolver = Resolver { model, given: &given, findings: Vec::new() };
        let mut place = |subject: Subject, ends: &Ends, kind: EndsKind| {
            let places = match kind {
                EndsKind::None => None,
                EndsKind::One => resolver.one(&subject, ends).map(|[_, place]| vec![place]),
                _ => resolver.pair(&subject, ends, kind).map(|(places, _)| places.to_vec()),
            };
            places.map_or_else(Attached::default, |places| attached(model, &given, &places, kind))
        };
        let joints = model.joints.iter().enumerate();
        let joints: Vec<Attached> = joints
            .map(|(k, joint)| place(Subject::Joint(k), &joint.ends, joint.kind.element().ends()))
            .collect();
        let drivers = model.drivers.iter().enumerate();
        let drivers = drivers
            .map(|(k, driver)| place(Subject::Driver(k), &driver.ends, driver.kind.element().ends()))
            .collect();
        let forces = model.forces.iter().enumerate().map(|(k, force)| {
            let element = force.kind.element();
            let mut own = place(Subject::Force(k), &force.ends, element.ends_of(&force.ends));
            // it may sit on a joint
            if let (true, Some(joint)) = (own.bodies.is_empty(), element.joint()) {
                let named = model.joints.iter().position(|other| other.name == joint);
                own = named.map_or(own, |k| joints[k].clone());
            }
            own
        });
        let forces = forces.collect();
        let shapes = model.shapes.iter().enumerate();
        let shapes = shapes.map(|(k, shape)| place(Subject::Shape(k), &shape.ends, EndsKind::One)).collect();
        Attachments { joints, drivers, forces, shapes }
    }
}

fn attached(model: &Model, given: &Given, places: &[Place], kind: EndsKind) -> Attached {
    let spatial = model.space == Space::Spatial;
    // the column of the joint axis
    let axis = match kind {
        EndsKind::Axes => Some(if spatial { 2 } else { 0 }),
        EndsKind::SpatialAxes | EndsKind::TwoAxes if spatial => Some(2),
        EndsKind::TwoAxes => Some(0),
        _ => None,
    };
    Attached {
        bodies: places.iter().map(|place| (place.body != given.ground()).then_some(place.body)).collect(),
        points: places.iter().map(|place| (Vector3::from(place.s) + given.coms[place.body]).into()).collect(),
        axes: axis.map_or(Vec::new(), |k| {
            places.iter().map(|place| place.c.column(k).into_owned().into()).collect()
        }),
        orientation: places
            .last()
            .map_or([1.0, 0.0, 0.0, 0.0], |place| kingpin::spatial::euler::parameters(&place.c)),
    }
}
