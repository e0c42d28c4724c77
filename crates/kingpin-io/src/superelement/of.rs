//! Superelements made of beams and bars of the same model.

use super::frames::{FrameFault, Frames};
use super::recipe::{field_of, recipe_basis, told};
use super::taken::Taken;
use super::{MeshFault, numbers};
use kingpin::element::shape::ShapeKind;
use kingpin::model::{Finding, Mat3, Model, ReducedBody, ReducedSurface, Shape, SuperelementFields, Vec3};
use kingpin::system::System;
use kingpin_flex::reduce::{Floating, Hold, Interface, NodeChoice, Recipe, reduce_with_fields};
use nalgebra::{DMatrix, Matrix3};
use std::collections::HashMap;

/// Corners of the rings that a beam is drawn with.
const CORNERS: usize = 8;
/// How far nodes may be from a straight line, in parts of its length.
const STRAIGHT: f64 = 1e-9;

/// Why there is no body: something with the superelement, or with what it is made of.
pub(super) enum PartFault {
    Own(MeshFault),
    Parts(Vec<Finding>),
}

impl From<MeshFault> for PartFault {
    fn from(fault: MeshFault) -> PartFault {
        PartFault::Own(fault)
    }
}

/// The body that beams and bars make together.
pub(super) fn reduced(
    fields: &SuperelementFields,
    whole: &Model,
    taken: &Taken,
) -> Result<ReducedBody, PartFault> {
    let (model, faults) = taken.model(whole).expand();
    if !faults.is_empty() {
        return Err(PartFault::Parts(taken.told(faults)));
    }
    let (system, _) = System::compile(&model).map_err(|findings| PartFault::Parts(taken.told(findings)))?;
    let frames = Frames::of(&model, &system).map_err(|fault| match fault {
        FrameFault::Stretched(k) => {
            let message = format!("bar `{}` is stretched in the initial position", model.forces[k].name);
            MeshFault::new("of", message)
                .hint("superelements are initially free of stress: remove its `rest_length`")
        }
        FrameFault::Structure(error) => told(fields, "of", &error),
    })?;
    let (nodes, interfaces) = interfaces(fields, &model, &frames)?;
    let recipe = Recipe { interfaces: &interfaces, basis: recipe_basis(fields)?, keep: None };
    let told = |error| PartFault::Own(told(fields, field_of(fields, &error), &error));
    let (mut body, shapes) = reduce_with_fields(&frames.structure, &recipe).map_err(told)?;
    body.foreshortening = shortening(&nodes, &system, &frames, &shapes);
    let floating = body.floating().map_err(told)?;
    let mut own = numbers::body(&floating, frames.structure.places.len());
    for (interface, &node) in own.interfaces.iter_mut().zip(&nodes) {
        interface.axes = Some(frames.axes[node]);
    }
    own.surface = Some(surface(&model, &system, &frames, &shapes, &floating));
    Ok(own)
}

/// The bodies that are interfaces, and these.
fn interfaces(
    fields: &SuperelementFields,
    model: &Model,
    frames: &Frames,
) -> Result<(Vec<usize>, Vec<Interface>), MeshFault> {
    for (field, given) in [
        ("mean_interfaces", !fields.mean_interfaces.is_empty()),
        ("points", !fields.points.is_empty()),
        ("node_sets", !fields.node_sets.is_empty()),
    ] {
        if given {
            let message = format!("`{field}` applies to meshes, but `{}` consists of beams", fields.name);
            return Err(MeshFault::new(field, message).hint("list nodes of its beams in `interfaces`"));
        }
    }
    if fields.interfaces.is_empty() {
        return Err(MeshFault::new("interfaces", format!("`{}` has no interface", fields.name))
            .hint("list nodes of its beams in `interfaces`, such as `arm.start`"));
    }
    let mut nodes = Vec::new();
    for name in &fields.interfaces {
        let node = model.bodies.iter().position(|body| body.name == *name).ok_or_else(|| {
            let message =
                format!("`{}` is not a node of the beams of `{}`", name.escape_debug(), fields.name);
            let named = model.parts().iter().flat_map(|part| &part.named).map(|&k| &model.bodies[k].name);
            let all: Vec<String> = named.map(|name| format!("`{name}`")).collect();
            MeshFault::new("interfaces", message).hint(format!("there are {}", all.join(", ")))
        })?;
        if nodes.contains(&node) {
            return Err(MeshFault::new("interfaces", format!("`{name}` is named twice")));
        }
        nodes.push(node);
    }
    let interface = |(&node, name): (&usize, &String)| Interface {
        name: name.clone(),
        nodes: NodeChoice::Numbers(vec![frames.frame_of[node] as u64 + 1]),
        hold: Hold::Rigid,
        place: Some(frames.origins[node]),
    };
    let all = nodes.iter().zip(&fields.interfaces).map(interface).collect();
    Ok((nodes, all))
}

/// `G = int w'^T w' ds` of a straight beam that is held at its ends, w the displacement of its line across it.
fn shortening(
    nodes: &[usize],
    system: &System,
    frames: &Frames,
    shapes: &DMatrix<f64>,
) -> Option<DMatrix<f64>> {
    let ([a, b], [_]) = (nodes, &system.parts[..]) else { return None };
    let (start, chord) = (frames.origins[*a], frames.origins[*b] - frames.origins[*a]);
    let length = chord.norm();
    let along = chord / length;
    let across = Matrix3::identity() - along * along.transpose();
    let off = |body: usize| {
        let arm = frames.origins[body] - start;
        (across * arm).norm() > STRAIGHT * length
            || !(-STRAIGHT..=1.0 + STRAIGHT).contains(&(arm.dot(&along) / length))
    };
    if (0..system.bodies()).any(off) {
        return None;
    }
    let across = DMatrix::from_fn(3, 3, |i, j| across[(i, j)]);
    let mut sum = DMatrix::zeros(shapes.ncols(), shapes.ncols());
    for beam in &system.beams {
        let moved: Vec<DMatrix<f64>> =
            beam.bodies.iter().map(|&body| frames.moved(body, &frames.origins[body], shapes)).collect();
        for (place, weight) in beam.rule.gauss.iter().enumerate() {
            let mut slope = DMatrix::zeros(3, shapes.ncols());
            for (own, [_, by]) in moved.iter().zip(beam.rule.at(place)) {
                slope += own * (by / beam.half);
            }
            let slope = &across * slope;
            sum += slope.tr_mul(&slope) * (weight * beam.half);
        }
    }
    Some(sum)
}

/// Tubes round the lines of the beams, as thick as their sections.
fn surface(
    model: &Model,
    system: &System,
    frames: &Frames,
    shapes: &DMatrix<f64>,
    floating: &Floating,
) -> ReducedSurface {
    let rod = |shape: &Shape| match (&shape.kind, &shape.ends.body) {
        (ShapeKind::Rod(rod), Some(body)) => Some((body.clone(), rod.radius)),
        _ => None,
    };
    let thick: HashMap<String, f64> = model.shapes.iter().filter_map(rod).collect();
    let fields = shapes * &floating.amounts;
    let mut drawn = ReducedSurface { shapes: vec![Vec::new(); fields.ncols()], ..ReducedSurface::default() };
    let mut first = vec![u32::MAX; system.bodies()];
    for &body in system.beams.iter().flat_map(|beam| &beam.bodies) {
        if first[body] != u32::MAX {
            continue;
        }
        first[body] = drawn.points.len() as u32;
        let radius = thick.get(&model.bodies[body].name).copied().unwrap_or(0.0);
        for corner in 0..CORNERS {
            let angle = std::f64::consts::TAU * corner as f64 / CORNERS as f64;
            let place = ring_corner(&frames.origins[body], &frames.axes[body], radius, angle);
            let moved = frames.moved(body, &place, &fields);
            drawn.points.push(single(&place));
            for (k, list) in drawn.shapes.iter_mut().enumerate() {
                let rigid = floating.rigid.column(k);
                let (shift, turn) =
                    (Vec3::new(rigid[0], rigid[1], rigid[2]), Vec3::new(rigid[3], rigid[4], rigid[5]));
                let own = Vec3::new(moved[(0, k)], moved[(1, k)], moved[(2, k)]);
                list.push(single(&(own + shift + turn.cross(&place))));
            }
        }
    }
    for pair in system.beams.iter().flat_map(|beam| beam.bodies.windows(2)) {
        let [a, b] = [first[pair[0]], first[pair[1]]];
        for corner in 0..CORNERS as u32 {
            let next = (corner + 1) % CORNERS as u32;
            drawn.triangles.extend([[a + corner, a + next, b + corner], [a + next, b + next, b + corner]]);
        }
    }
    drawn
}

/// A corner of a ring across the x axis of a node.
fn ring_corner(origin: &Vec3, axes: &Mat3, radius: f64, angle: f64) -> Vec3 {
    origin + axes * Vec3::new(0.0, radius * angle.cos(), radius * angle.sin())
}

fn single(x: &Vec3) -> [f32; 3] {
    [x.x as f32, x.y as f32, x.z as f32]
}
