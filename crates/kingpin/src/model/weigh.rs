//! Mass, centre of mass and inertia of bodies from their shapes.

use super::finding::{Finding, Subject};
use super::validate_sizes::no_wall;
use super::value::{Mat3, Vec3};
use super::{Body, Model, Shape};
use crate::element::place::Given;
use crate::element::shape::material::{MATERIALS, named};
use crate::element::shape::surface::Gap;
use crate::element::shape::volume::Volume;
use crate::element::shape::{Part, ShapeKind};
use crate::expr::closest;

impl Model {
    /// Whether some bodies have the mass of their shapes and are not weighed yet.
    pub(crate) fn has_weights(&self) -> bool {
        self.bodies.iter().any(Body::is_to_be_weighed)
    }

    /// Gives bodies with a `density` or `material` the mass, centre of mass and inertia of their shapes, after which
    /// they have neither. What cannot be weighed is left as it is, and told.
    pub fn weigh(&mut self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.has_weights() {
            return findings;
        }
        let given = Given::new(self);
        for k in 0..self.bodies.len() {
            if !self.bodies[k].is_to_be_weighed() {
                continue;
            }
            match weighed(self, &given, k) {
                Ok(body) => self.bodies[k] = body,
                Err(finding) => findings.push(*finding),
            }
        }
        findings
    }
}

impl Body {
    /// Whether it has the mass of its shapes and is not weighed yet.
    pub(super) fn is_to_be_weighed(&self) -> bool {
        self.density.is_some() || self.material.is_some()
    }
}

/// A body with the mass of its shapes.
fn weighed(model: &Model, given: &Given, k: usize) -> Result<Body, Box<Finding>> {
    let body = &model.bodies[k];
    let fault = |field, message: String| Finding::error(Subject::Body(k), field, message);
    let name = &body.name;
    let density = density(body, k)?;
    let mut sum = Volume::none();
    let own = model.shapes.iter().enumerate().filter(|(_, shape)| holder(model, shape) == Some(name));
    for (number, shape) in own {
        let element = shape.kind.element();
        let sign = if element.is_hole() { -1.0 } else { 1.0 };
        let (turn, point) = place(model, given, k, shape);
        if let Some(fault) = no_wall(number, shape) {
            return Err(Box::new(fault));
        }
        if element.density() != Some(0.0) {
            closed(number, shape)?;
        }
        for part in element.parts() {
            let own = part.volume().times(sign * element.density().unwrap_or(density));
            sum = sum.and(own.placed(&turn, &point));
        }
    }
    if sum.volume.is_nan() || sum.volume <= 0.0 {
        let message = format!("the total mass of the shapes of body `{name}` is zero");
        let finding =
            fault("name", message).hint("add shapes, or give `mass` and `inertia` instead of a density");
        return Err(Box::new(finding));
    }
    let scale = if body.mass > 0.0 { body.mass / sum.volume } else { 1.0 };
    let sum = sum.times(scale);
    if body.point {
        return Ok(Body { mass: sum.volume, density: None, material: None, ..body.clone() });
    }
    // what is said wins
    let com = Some(body.com.unwrap_or(sum.centre));
    let inertia = if body.inertia == Mat3::zeros() { sum.inertia } else { body.inertia };
    Ok(Body { mass: sum.volume, com, inertia, density: None, material: None, ..body.clone() })
}

/// A mesh must be closed to have a volume.
fn closed(number: usize, shape: &Shape) -> Result<(), Box<Finding>> {
    if let ShapeKind::Mesh(own) = &shape.kind
        && own.surface.0.is_none()
    {
        let message = "the triangles of this mesh were not read, so its volume is not defined";
        return Err(Box::new(Finding::error(Subject::Shape(number), "file", message)));
    }
    for part in shape.kind.element().parts() {
        let Part::Mesh(own) = part else { continue };
        let Some(Gap { holes, edges, edge: [from, to] }) = own.gap() else { continue };
        let point = |x: Vec3| format!("({}, {}, {})", rounded(x.x), rounded(x.y), rounded(x.z));
        let holes = if holes == 1 { "a hole".into() } else { format!("{holes} holes") };
        let message = format!(
            "the mesh is not closed, so its volume is not defined: it has {holes} with a total of \
                 {edges} edges, one of them from {} to {} m",
            point(from),
            point(to)
        );
        let hint = "close it, or set `density = 0` for a shape that is only drawn";
        return Err(Box::new(Finding::error(Subject::Shape(number), "file", message).hint(hint)));
    }
    Ok(())
}

/// Six digits are enough to find a place.
fn rounded(x: f64) -> f64 {
    let digits = format!("{x:.5e}");
    digits.parse().unwrap_or(x) + 0.0
}

/// The density of a body.
fn density(body: &Body, k: usize) -> Result<f64, Box<Finding>> {
    let fault = |field, message: String| Finding::error(Subject::Body(k), field, message);
    match (body.density, body.material.as_deref()) {
        (Some(_), Some(_)) => Err(Box::new(fault(
            "material",
            format!("give either the density of body `{}` or its material", body.name),
        ))),
        (Some(density), None) => Ok(density),
        (None, Some(material)) => named(material).map(|known| known.density).ok_or_else(|| {
            let mut finding = fault("material", format!("there is no material called `{material}`"));
            let meant = closest(material, MATERIALS.iter().map(|known| known.name));
            let all = MATERIALS.map(|known| format!("`{}`", known.name)).join(", ");
            finding.hint =
                Some(meant.map_or(format!("there are {all}"), |name| format!("did you mean `{name}`?")));
            Box::new(finding)
        }),
        (None, None) => Ok(0.0),
    }
}

/// The body that a shape sits on.
fn holder<'m>(model: &'m Model, shape: &'m Shape) -> Option<&'m String> {
    match &shape.ends.marker {
        Some(marker) => model.markers.iter().find(|own| own.name == *marker).map(|own| &own.body),
        None => shape.ends.body.as_ref(),
    }
}

/// Where a shape is on its body: axes and place in those of the body.
fn place(model: &Model, given: &Given, body: usize, shape: &Shape) -> (Mat3, Vec3) {
    let marker =
        shape.ends.marker.as_ref().and_then(|name| model.markers.iter().find(|own| own.name == *name));
    if let Some(marker) = marker {
        let place = given.marker(body, marker, model.space);
        return (place.c, Vec3::from(place.s) + given.coms[body]);
    }
    let point = match shape.ends.at {
        Some(at) => given.rotations[body].transpose() * (at - given.origins[body]),
        None => shape.ends.point.unwrap_or_default(),
    };
    (Mat3::identity(), point)
}
