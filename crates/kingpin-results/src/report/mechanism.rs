//! The mechanism as the page draws it.

use super::data::{Body, Force, Joint, Model, Shape};
use super::road;
use crate::error::Error;
use crate::scene::{Attached, Attachments, pose_channels};
use crate::store::{Of, Reader};
use kingpin::element::force::ForceKind;
use kingpin::element::joint::JointKind;
use kingpin::element::shape::ShapeKind;
use kingpin::expr::Curve;
use kingpin::model::{self, Space, Subject};
use kingpin::system::System;

pub(super) fn model(
    reader: &Reader,
    model: &model::Model,
    system: &System,
    attachments: &Attachments,
) -> Result<Model, Error> {
    let mut shapes: Vec<Vec<Shape>> = vec![Vec::new(); model.bodies.len() + 1];
    for (described, at) in model.shapes.iter().zip(&attachments.shapes) {
        if let (Some(body), Some(point)) = (at.bodies.first(), at.points.first()) {
            shapes[body.unwrap_or(model.bodies.len())].push(shape(&described.kind, *point, at.orientation));
        }
    }
    let ground = shapes.pop().unwrap_or_default();
    let bodies = model.bodies.iter().zip(shapes).zip(pose_channels(model, reader)?);
    let bodies: Vec<Body> = bodies
        .map(|((body, shapes), pose)| {
            let (name, com) = (body.name.clone(), body.com.into());
            Body { name, mass: body.mass, com, shapes, pose }
        })
        .collect();
    Ok(Model {
        name: model.name.clone(),
        description: model.description.clone(),
        space: if model.space == Space::Planar { "planar" } else { "spatial" },
        gravity: model.gravity.into(),
        parameters: reader.header().parameters.clone(),
        roads: road::roads(reader, model, &bodies)?,
        bodies,
        joints: joints(model, system, attachments),
        drivers: drivers(model, system, attachments),
        forces: forces(reader, model, attachments),
        ground,
    })
}

fn shape(kind: &ShapeKind, point: [f64; 3], orientation: [f64; 4]) -> Shape {
    let placed = Shape { kind: kind.tag(), point, orientation, ..Shape::default() };
    match kind {
        ShapeKind::Cuboid(s) => Shape { size: Some(s.size.into()), colour: s.colour.clone(), ..placed },
        ShapeKind::Sphere(s) => Shape { radius: Some(s.radius), colour: s.colour.clone(), ..placed },
        ShapeKind::Cylinder(s) => Shape {
            radius: Some(s.radius),
            length: Some(s.length),
            direction: Some(s.direction.into()),
            colour: s.colour.clone(),
            ..placed
        },
        ShapeKind::Rod(s) => {
            Shape { radius: Some(s.radius), to: Some(s.to.into()), colour: s.colour.clone(), ..placed }
        }
    }
}

/// Equations of joints or drivers; `number` tells which one a subject is.
fn equations(system: &System, count: usize, number: fn(&Subject) -> Option<usize>) -> Vec<usize> {
    let mut equations = vec![0; count];
    for group in &system.layout.groups {
        if let Some(room) = number(&group.subject).and_then(|k| equations.get_mut(k)) {
            *room = group.rows.len();
        }
    }
    equations
}

fn item(name: &str, kind: &'static str, at: &Attached, joints: Vec<String>, equations: usize) -> Joint {
    let Attached { bodies, points, axes, .. } = at.clone();
    Joint { name: name.into(), kind, bodies, points, axes, joints, equations }
}

fn joints(model: &model::Model, system: &System, attachments: &Attachments) -> Vec<Joint> {
    let rows = equations(system, model.joints.len(), |subject| match subject {
        Subject::Joint(k) => Some(*k),
        _ => None,
    });
    let joint = |(k, (joint, at)): (usize, (&model::Joint, &Attached))| {
        let coupled = match &joint.kind {
            JointKind::Gear(gear) => vec![gear.joint1.clone(), gear.joint2.clone()],
            JointKind::RackAndPinion(rack) => vec![rack.pinion.clone(), rack.rack.clone()],
            _ => Vec::new(),
        };
        item(&joint.name, joint.kind.tag(), at, coupled, rows[k])
    };
    model.joints.iter().zip(&attachments.joints).enumerate().map(joint).collect()
}

fn drivers(model: &model::Model, system: &System, attachments: &Attachments) -> Vec<Joint> {
    let rows = equations(system, model.drivers.len(), |subject| match subject {
        Subject::Driver(k) => Some(*k),
        _ => None,
    });
    let driver = |(k, (driver, at)): (usize, (&model::Driver, &Attached))| {
        let driven = driver.kind.element().joint().map(String::from).into_iter().collect();
        item(&driver.name, driver.kind.tag(), at, driven, rows[k])
    };
    model.drivers.iter().zip(&attachments.drivers).enumerate().map(driver).collect()
}

fn forces(reader: &Reader, model: &model::Model, attachments: &Attachments) -> Vec<Force> {
    let strengths = strengths(reader, model.forces.len());
    let force = |(k, (force, at)): (usize, (&model::Force, &Attached))| {
        let Attached { bodies, points, axes, .. } = at.clone();
        let strength = strengths[k];
        let plain = Force {
            name: force.name.clone(),
            kind: force.kind.tag(),
            bodies,
            points,
            axes,
            strength,
            ..Force::default()
        };
        match &force.kind {
            ForceKind::Spring(s) => Force {
                stiffness: Some(s.stiffness + slope(s.spring_curve.as_ref())),
                damping: Some(s.damping + slope(s.damper_curve.as_ref())),
                ..plain
            },
            ForceKind::TorsionSpring(s) => Force {
                stiffness: Some(s.stiffness + slope(s.spring_curve.as_ref())),
                damping: Some(s.damping + slope(s.damper_curve.as_ref())),
                ..plain
            },
            ForceKind::Bushing(b) => {
                Force { stiffness: Some(b.stiffness.max()), damping: Some(b.damping.max()), ..plain }
            }
            ForceKind::AppliedForce(f) => {
                Force { direction: Some(f.direction.into()), body_fixed: Some(f.body_fixed), ..plain }
            }
            ForceKind::AppliedTorque(f) => {
                Force { direction: Some(f.direction.into()), body_fixed: Some(f.body_fixed), ..plain }
            }
            ForceKind::Tyre(t) => Force {
                radius: Some(t.radius),
                stiffness: Some(t.stiffness),
                damping: Some(t.damping),
                ..plain
            },
        }
    };
    model.forces.iter().zip(&attachments.forces).enumerate().map(force).collect()
}

/// Mean slope of a curve, so that a spring given by one is drawn as a spring.
fn slope(curve: Option<&Curve>) -> f64 {
    let ends = curve.and_then(|curve| Some((curve.points().next()?, curve.points().last()?)));
    ends.map_or(0.0, |((x0, y0), (x1, y1))| if x1 > x0 { (y1 - y0) / (x1 - x0) } else { 0.0 })
}

/// The channels of the strengths of forces.
fn strengths(reader: &Reader, count: usize) -> Vec<Option<usize>> {
    let mut strengths = vec![None; count];
    for (k, channel) in reader.header().channels.iter().enumerate() {
        let Some(Of::Force(force)) = channel.of else { continue };
        if let Some(room @ None) = strengths.get_mut(force)
            && (channel.name.ends_with(".force") || channel.name.ends_with(".torque"))
        {
            *room = Some(k);
        }
    }
    strengths
}
