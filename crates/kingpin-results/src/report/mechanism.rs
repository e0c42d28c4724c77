//! The mechanism as the page draws it.

use super::column::single;
use super::data::{Body, Force, Joint, Model, Shape};
use super::road;
use crate::error::Error;
use crate::scene::{Attached, Attachments, pose_channels};
use crate::store::{Of, Reader};
use kingpin::element::force::Portrait;
use kingpin::element::shape::{Part, ShapeKind};
use kingpin::model::{self, Space, Subject};
use kingpin::results::Role;
use kingpin::system::System;

pub(super) fn model(
    reader: &Reader,
    model: &model::Model,
    system: &System,
    attachments: &Attachments,
) -> Result<Model, Error> {
    let mut shapes: Vec<Vec<Shape>> = vec![Vec::new(); model.bodies.len() + 1];
    // beams are drawn whole, not by rods between their nodes
    let shapes_of_bodies = model.shapes.iter().take(model.own_shapes());
    for (described, at) in shapes_of_bodies.zip(&attachments.shapes) {
        if let (Some(body), Some(point)) = (at.bodies.first(), at.points.first()) {
            let own = body.map(|body| &model.bodies[body]);
            let list = &mut shapes[body.unwrap_or(model.bodies.len())];
            list.extend(parts(&described.kind, own, *point, at.orientation));
        }
    }
    let ground = shapes.pop().unwrap_or_default();
    let bodies = model.bodies.iter().zip(shapes).zip(pose_channels(model, reader)?);
    let bodies: Vec<Body> = bodies
        .map(|((body, shapes), pose)| {
            let (name, com) = (body.name.clone(), body.centre().into());
            let opacity = Some(body.opacity).filter(|own| *own < 1.0);
            let (mass, colour) = (body.mass, body.colour.clone());
            Body { name, mass, com, shapes, pose, point: body.point, colour, opacity }
        })
        .collect();
    Ok(Model {
        name: model.name.clone(),
        description: model.description.clone(),
        space: if model.space == Space::Planar { "planar" } else { "spatial" },
        gravity: model.gravity.into(),
        text: super::meshes::readable(&reader.model_text()?),
        parameters: reader.header().parameters.clone(),
        roads: road::roads(reader, model, &bodies)?,
        meshes: super::meshes::meshes(model, &bodies),
        bodies,
        beams: super::beams::beams(model),
        joints: joints(model, system, attachments),
        drivers: drivers(model, system, attachments),
        forces: forces(reader, model, attachments),
        ground,
    })
}

/// The parts of a shape of a body at its place.
fn parts(
    kind: &ShapeKind,
    body: Option<&model::Body>,
    point: [f64; 3],
    orientation: [f64; 4],
) -> impl Iterator<Item = Shape> {
    let element = kind.element();
    let colour = element.colour().map(String::from).or_else(|| body?.colour.clone());
    let opacity = element.opacity().or_else(|| Some(body?.opacity)).filter(|own| *own < 1.0);
    element.drawn().into_iter().map(move |part| {
        let placed = Shape { point, orientation, colour: colour.clone(), opacity, ..Shape::default() };
        match part {
            Part::Cuboid { size } => Shape { kind: "box", size: Some(size.into()), ..placed },
            Part::Ball { radius } => Shape { kind: "sphere", radius: Some(radius), ..placed },
            Part::Cylinder { radius, length, direction } => Shape {
                kind: "cylinder",
                radius: Some(radius),
                length: Some(length),
                direction: Some(direction.into()),
                ..placed
            },
            Part::Tube { radius, inner, length, direction } => Shape {
                kind: "tube",
                radius: Some(radius),
                inner: Some(inner),
                length: Some(length),
                direction: Some(direction.into()),
                ..placed
            },
            Part::Cone { radius, length, direction } => Shape {
                kind: "cone",
                radius: Some(radius),
                length: Some(length),
                direction: Some(direction.into()),
                ..placed
            },
            Part::Bar { to, radius } => {
                Shape { kind: "rod", radius: Some(radius), to: Some(to.into()), ..placed }
            }
            Part::Mesh(own) => Shape {
                kind: "mesh",
                count: Some(own.points.len()),
                points: Some(single(
                    own.points.iter().flat_map(|x| [x.x, x.y, x.z]).collect::<Vec<_>>().as_slice(),
                )),
                triangles: Some(own.triangles.iter().flatten().copied().collect()),
                ..placed
            },
        }
    })
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

/// A joint or driver that sits on its bodies.
fn item(at: &Attached, own: Joint) -> Joint {
    let Attached { bodies, points, axes, .. } = at.clone();
    Joint { bodies, points, axes, ..own }
}

fn joints(model: &model::Model, system: &System, attachments: &Attachments) -> Vec<Joint> {
    let rows = equations(system, model.joints.len(), |subject| match subject {
        Subject::Joint(k) => Some(*k),
        _ => None,
    });
    let joint = |(k, (joint, at)): (usize, (&model::Joint, &Attached))| {
        let element = joint.kind.element();
        let own = Joint {
            name: joint.name.clone(),
            kind: joint.kind.tag(),
            symbol: element.symbol().name(),
            joints: element.couples().into_iter().map(String::from).collect(),
            equations: rows[k],
            ..Joint::default()
        };
        item(at, own)
    };
    model.joints.iter().zip(&attachments.joints).enumerate().map(joint).collect()
}

fn drivers(model: &model::Model, system: &System, attachments: &Attachments) -> Vec<Joint> {
    let rows = equations(system, model.drivers.len(), |subject| match subject {
        Subject::Driver(k) => Some(*k),
        _ => None,
    });
    let driver = |(k, (driver, at)): (usize, (&model::Driver, &Attached))| {
        let own = Joint {
            name: driver.name.clone(),
            kind: driver.kind.tag(),
            joints: driver.kind.element().joint().map(String::from).into_iter().collect(),
            equations: rows[k],
            ..Joint::default()
        };
        item(at, own)
    };
    model.drivers.iter().zip(&attachments.drivers).enumerate().map(driver).collect()
}

fn forces(reader: &Reader, model: &model::Model, attachments: &Attachments) -> Vec<Force> {
    let strengths = strengths(reader, model.forces.len());
    let force = |(k, (force, at)): (usize, (&model::Force, &Attached))| {
        let Attached { bodies, points, axes, .. } = at.clone();
        let portrait = force.kind.element().portrait();
        let Portrait { symbol, stiffness, damping, direction, body_fixed, radius } = portrait;
        Force {
            name: force.name.clone(),
            kind: force.kind.tag(),
            symbol: symbol.name(),
            bodies,
            points,
            axes,
            stiffness,
            damping,
            direction: direction.map(Into::into),
            body_fixed,
            radius,
            strength: strengths[k],
        }
    };
    // the shares of nodes in the load of a beam are not shown
    model.forces[..model.drawn_forces()].iter().zip(&attachments.forces).enumerate().map(force).collect()
}

/// The channels of the strengths of forces.
fn strengths(reader: &Reader, count: usize) -> Vec<Option<usize>> {
    let mut strengths: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (k, channel) in reader.header().channels.iter().enumerate() {
        let Some(Of::Force(force)) = channel.of else { continue };
        if let Some(room) = strengths.get_mut(force)
            && channel.role == Role::Strength
        {
            room.push(k);
        }
    }
    // what acts in several directions has no strength
    strengths.iter().map(|own| own.first().copied().filter(|_| own.len() == 1)).collect()
}
