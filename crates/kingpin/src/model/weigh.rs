//! Mass, centre of mass and inertia of bodies from their shapes.

use super::finding::{Finding, Subject};
use super::value::{Mat3, Vec3};
use super::{Body, Model, Shape};
use crate::element::place::Given;
use crate::element::shape::material::{MATERIALS, named};
use crate::element::shape::volume::Volume;
use crate::expr::closest;

impl Model {
    /// Whether some bodies have the mass of their shapes and are not weighed yet.
    pub(crate) fn has_weights(&self) -> bool {
        self.bodies.iter().any(|body| body.density.is_some() || body.material.is_some())
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
            let body = &self.bodies[k];
            if body.density.is_none() && body.material.is_none() {
                continue;
            }
            match weighed(self, &given, k) {
                Ok(body) => self.bodies[k] = body,
                Err(finding) => findings.push(finding),
            }
        }
        findings
    }
}

/// A body with the mass of its shapes.
fn weighed(model: &Model, given: &Given, k: usize) -> Result<Body, Finding> {
    let body = &model.bodies[k];
    let fault = |field, message: String| Finding::error(Subject::Body(k), field, message);
    let name = &body.name;
    if body.inertia != Mat3::zeros() || body.com != Vec3::zeros() {
        let field = if body.com == Vec3::zeros() { "inertia" } else { "com" };
        let message = format!("body `{name}` has its {field} of its shapes, so it must not be given");
        return Err(fault(field, message).hint("leave it out, or `density` and `material`"));
    }
    let density = density(body, k)?;
    let mut sum = Volume::none();
    for shape in model.shapes.iter().filter(|shape| holder(model, shape) == Some(name)) {
        let element = shape.kind.element();
        let sign = if element.is_hole() { -1.0 } else { 1.0 };
        let (turn, point) = place(model, given, k, shape);
        for part in element.parts() {
            let own = part.volume().times(sign * element.density().unwrap_or(density));
            sum = sum.and(own.placed(&turn, &point));
        }
    }
    if !(sum.volume > 0.0) {
        let message = format!("body `{name}` has the mass of its shapes, but these have none together");
        return Err(fault("name", message).hint("give it shapes, or `mass` and `inertia`"));
    }
    let scale = if body.mass > 0.0 { body.mass / sum.volume } else { 1.0 };
    let sum = sum.times(scale);
    let whole = Body { mass: sum.volume, com: sum.centre, inertia: sum.inertia, ..body.clone() };
    Ok(Body { density: None, material: None, ..whole })
}

/// The density of a body.
fn density(body: &Body, k: usize) -> Result<f64, Finding> {
    let fault = |field, message: String| Finding::error(Subject::Body(k), field, message);
    match (body.density, body.material.as_deref()) {
        (Some(_), Some(_)) => {
            Err(fault("material", format!("give either the density of body `{}` or its material", body.name)))
        }
        (Some(density), None) => Ok(density),
        (None, Some(material)) => named(material).map(|known| known.density).ok_or_else(|| {
            let mut finding = fault("material", format!("there is no material called `{material}`"));
            let meant = closest(material, MATERIALS.iter().map(|known| known.name));
            let all = MATERIALS.map(|known| format!("`{}`", known.name)).join(", ");
            finding.hint = Some(meant.map_or(format!("there are {all}"), |name| format!("did you mean `{name}`?")));
            finding
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
    let marker = shape.ends.marker.as_ref().and_then(|name| model.markers.iter().find(|own| own.name == *name));
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
