//! The shapes of every body: its own, or bars to the points where something is attached and a ball at the centre of
//! mass. Nodes of beams and cables have none of their own: these are drawn whole. Points of structures have none
//! either. Of superelements the frame has bars to its interfaces, and nothing else.

use super::attach::Attachments;
use super::colour;
use super::solid::{Look, Solid};
use kingpin::element::force::ForceSymbol;
use kingpin::element::shape::ShapeElement;
use kingpin::element::shape::colour::parse;
use kingpin::element::shape::surface::Triangles;
use kingpin::model::{FlexiblePart, Model};
use nalgebra::Vector3;
use std::sync::Arc;

/// How a body looks, or a shape of it; `None` for the ground.
fn look(model: &Model, body: usize, shape: Option<&dyn ShapeElement>) -> Look {
    let own = model.bodies.get(body);
    let said = shape.and_then(|shape| shape.colour()).and_then(parse);
    let of_body = own.and_then(|own| own.colour.as_deref()).and_then(parse);
    let colour = said.or(of_body).unwrap_or_else(|| colour::of_body(body));
    let said = shape.and_then(|shape| shape.opacity());
    Look { colour, opacity: said.unwrap_or_else(|| own.map_or(1.0, |own| own.opacity)) }
}

/// One list per body, ground last, and the meshes they are made of.
pub(super) fn shapes(model: &Model, attachments: &Attachments) -> (Vec<Vec<Solid>>, Vec<Arc<Triangles>>) {
    let ground = model.bodies.len();
    let mut meshes = Vec::new();
    let mut all: Vec<Vec<Solid>> = vec![Vec::new(); ground + 1];
    let shapes_of_bodies = model.shapes.iter().take(model.own_shapes());
    for (shape, at) in shapes_of_bodies.zip(&attachments.shapes) {
        if let (Some(body), Some(point)) = (at.bodies.first(), at.points.first()) {
            let body = body.unwrap_or(ground);
            let look = look(model, body, Some(shape.kind.element()));
            all[body].extend(Solid::of(&shape.kind, (*point, at.orientation), look, &mut meshes));
        }
    }
    let points = points(model, attachments);
    let reach =
        |k: usize| points[k].iter().map(|p| (p - model.bodies[k].centre()).norm()).fold(0.0, f64::max);
    let masses = ground - model.state_parts().len();
    let typical = 2.0 * median((0..masses).map(reach)).unwrap_or(0.5);
    let mass = median(model.bodies[..masses].iter().map(|body| body.mass)).unwrap_or(1.0);
    let inside = |part: &FlexiblePart, k: &usize| part.bodies.contains(k) && *k != part.bodies.start;
    let node = |k: &usize| {
        model.parts().iter().any(|part| part.bodies.contains(k))
            || model.flexible_parts().iter().any(|part| inside(part, k))
            || model.structure_parts().iter().any(|part| part.bodies.contains(k))
            || model.cable_parts().iter().any(|part| part.bodies.contains(k))
            || model.state_parts().iter().any(|part| part.body.contains(k))
    };
    let bare: Vec<usize> = (0..ground).filter(|k| all[*k].is_empty() && !node(k)).collect();
    for (k, body) in bare.into_iter().map(|k| (k, &model.bodies[k])) {
        let (bar, shade) = (0.035 * typical, look(model, k, None));
        let ball = (0.1 * (body.mass / mass).cbrt()).clamp(0.06, 0.3) * typical;
        let bars = points[k].iter().filter(|p| (*p - body.centre()).norm() > 1e-9 * typical);
        all[k].extend(bars.map(|p| Solid::bar(*p, body.centre(), bar, shade)));
        all[k].push(Solid::ball(body.centre(), ball, shade));
    }
    (all, meshes)
}

/// Points of each body that joints, drivers and forces act on, each once.
fn points(model: &Model, attachments: &Attachments) -> Vec<Vec<Vector3<f64>>> {
    let mut points: Vec<Vec<Vector3<f64>>> = vec![Vec::new(); model.bodies.len()];
    // what touches a road is no point of the body
    let wheel = |k: &usize| model.forces[*k].kind.element().portrait().symbol == ForceSymbol::Contact;
    let forces = (0..model.forces.len()).filter(|k| !wheel(k)).map(|k| &attachments.forces[k]);
    for item in attachments.joints.iter().chain(&attachments.drivers).chain(forces) {
        for (body, point) in item.bodies.iter().zip(&item.points) {
            let Some(body) = body else { continue };
            let point = Vector3::from(*point);
            if !points[*body].iter().any(|p| (p - point).norm() < 1e-9) {
                points[*body].push(point);
            }
        }
    }
    points
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.filter(|x| *x > 0.0).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
