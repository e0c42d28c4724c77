//! Superelements become bodies and joints.

use super::{ReducedBody, ReducedInterface, Superelement};
use crate::element::joint::Interface;
use crate::model::value::{Mat3, Vec3};
use crate::model::{Body, Ends, Joint, Model, Orientation, Space, Start};
use crate::spatial::euler;
use std::ops::Range;

/// What became of one superelement.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FlexiblePart {
    /// Its name.
    pub name: String,
    /// Its bodies: the frame, the interfaces, then the amplitudes.
    pub bodies: Range<usize>,
    /// How many of these are interfaces.
    pub interfaces: usize,
    /// The joints that hold its interfaces on it.
    pub joints: Range<usize>,
    /// Whether it stands in the model by its names alone.
    pub faulty: bool,
}

impl FlexiblePart {
    /// Its interfaces among the bodies.
    pub fn held(&self) -> Range<usize> {
        self.bodies.start + 1..self.bodies.start + 1 + self.interfaces
    }

    /// Its amplitudes among the bodies.
    pub fn amplitudes(&self) -> Range<usize> {
        self.bodies.start + 1 + self.interfaces..self.bodies.end
    }
}

/// Adds what superelements are made of, behind all that the model has.
pub(in crate::model) fn take_apart(model: &mut Model) -> Vec<FlexiblePart> {
    let all = std::mem::take(&mut model.superelements);
    let mut parts = Vec::new();
    for own in &all {
        let (bodies, joints) = (model.bodies.len(), model.joints.len());
        let interfaces = match &own.reduced {
            Some(reduced) => {
                add(model, own, reduced);
                reduced.interfaces.len()
            }
            None => {
                let names = own.interface_names();
                names.iter().for_each(|name| model.bodies.push(stand_in(own, name)));
                names.len()
            }
        };
        parts.push(FlexiblePart {
            name: own.fields.name.clone(),
            bodies: bodies..model.bodies.len(),
            interfaces,
            joints: joints..model.joints.len(),
            faulty: own.reduced.is_none(),
        });
    }
    model.superelements = all;
    parts
}

impl Superelement {
    /// The name of an interface among the bodies: nodes of beams keep theirs.
    pub fn body_name(&self, interface: &str) -> String {
        if self.fields.of.is_empty() { self.inner_name(interface) } else { interface.into() }
    }

    fn inner_name(&self, what: &str) -> String {
        format!("{}.{what}", self.fields.name)
    }

    /// The name of the scalar that is an amplitude.
    fn amplitude_name(&self, k: usize) -> String {
        self.inner_name(&format!("mode{}", k + 1))
    }

    /// Its interfaces, by name, where it has no body.
    fn interface_names(&self) -> Vec<String> {
        let fields = &self.fields;
        if !fields.of.is_empty() {
            // the nodes of its beams are there
            return Vec::new();
        }
        let sets = fields.interfaces.iter().chain(&fields.mean_interfaces);
        sets.chain(fields.points.iter().map(|(name, _)| name)).cloned().collect()
    }

    /// The axes of the mesh at first.
    fn axes(&self, space: Space) -> Mat3 {
        let turn = Orientation::Angle(self.fields.angle);
        let own = if space == Space::Spatial { &self.fields.orientation } else { &turn };
        own.matrix().unwrap_or_else(|_| Mat3::identity())
    }

    /// A body at a place of the mesh that moves with the others at first.
    fn body(&self, space: Space, name: String, place: &Vec3) -> Body {
        let fields = &self.fields;
        let axes = self.axes(space);
        let turning = axes * fields.angular_velocity;
        let arm = axes * place;
        Body {
            name,
            position: fields.position + arm,
            orientation: if space == Space::Spatial { fields.orientation } else { Orientation::IDENTITY },
            angle: fields.angle,
            velocity: fields.velocity + turning.cross(&arm),
            angular_velocity: fields.angular_velocity,
            ..Body::default()
        }
    }
}

fn add(model: &mut Model, own: &Superelement, reduced: &ReducedBody) {
    let (space, frame) = (model.space, own.fields.name.clone());
    model.bodies.push(Body {
        mass: reduced.mass,
        inertia: reduced.inertia * 0.5,
        unphysical_inertia: true,
        com: Some(reduced.centre),
        ..own.body(space, frame.clone(), &Vec3::zeros())
    });
    for interface in &reduced.interfaces {
        let (name, rigid) = (own.body_name(&interface.name), !interface.point);
        let body = turned(own.body(space, name, &interface.place), interface.axes.as_ref(), space);
        let body = if rigid {
            Body { mass: interface.mass, inertia: Mat3::identity() * interface.inertia, ..body }
        } else {
            let (position, velocity, name) = (body.position, body.velocity, body.name.as_str());
            Body { position, velocity, ..Body::point(name, interface.mass) }
        };
        model.bodies.push(body);
    }
    let amplitudes: Vec<String> = (0..reduced.amplitudes()).map(|k| own.amplitude_name(k)).collect();
    for (name, mass) in amplitudes.iter().zip(&reduced.masses) {
        model.bodies.push(Body::scalar(name, 0.5 * mass));
    }
    for interface in &reduced.interfaces {
        model.joints.push(joint(own, &frame, &amplitudes, interface));
    }
}

/// A body that has the axes of a superelement, with those of an interface there.
fn turned(body: Body, axes: Option<&Mat3>, space: Space) -> Body {
    let Some(axes) = axes else { return body };
    if space == Space::Planar {
        return Body { angle: body.angle + axes[(1, 0)].atan2(axes[(0, 0)]), ..body };
    }
    let whole = body.orientation.matrix().unwrap_or_else(|_| Mat3::identity()) * axes;
    Body {
        orientation: Orientation::EulerParameters(euler::parameters(&whole)),
        angular_velocity: axes.transpose() * body.angular_velocity,
        ..body
    }
}

fn joint(own: &Superelement, frame: &str, amplitudes: &[String], interface: &ReducedInterface) -> Joint {
    let kind = Interface {
        axes: interface.axes,
        amplitudes: amplitudes.to_vec(),
        motion: interface.motion.clone(),
        turns: !interface.point,
    };
    let ends = Ends {
        body1: Some(frame.into()),
        body2: Some(own.body_name(&interface.name)),
        point1: Some(interface.place),
        point2: Some(Vec3::zeros()),
        ..Ends::default()
    };
    let name = own.inner_name(&interface.name);
    Joint { name, ends, start: Start::default(), fittings: Default::default(), kind: kind.into() }
}

/// A body by the name of one of a superelement without numbers, so that nobody is blamed for using it.
fn stand_in(own: &Superelement, interface: &str) -> Body {
    Body { mass: 1.0, inertia: Mat3::identity(), name: own.body_name(interface), ..Body::default() }
}
