//! Cables that sag and swing: before a model is compiled each becomes points and elastic cables between them.

mod catenary;
#[cfg(test)]
mod tests;

use super::finding::{Finding, Subject};
use super::value::Vec3;
use super::{Body, Ends, Force, Model, Space};
use crate::described;
use crate::element::force::Cable;
use catenary::Links;
use std::ops::Range;

/// The greatest number of elements of a cable.
pub const MOST_ELEMENTS: usize = 1_000_000;

described! {
    /// A cable that sags, swings and goes slack: a chain of tension-only elements with mass and without bending
    /// stiffness; use a `[[beam]]` if that matters. Joints, forces and measures connect to its ends, `NAME.start` and
    /// `NAME.end`, which are points. Its initial shape is the catenary between them, along gravity (without gravity
    /// along -z, in planar models along -y), or a straight line if it is too short.
    pub struct LongCable {
        /// Its name.
        name: String [Kind::Name];
        /// Start point.
        from: Vec3 [Kind::Vector("m")];
        /// End point.
        to: Vec3 [Kind::Vector("m")];
        /// Length without load; default: the distance of its ends.
        length: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
        /// Number of elements, of equal length.
        elements: usize [Kind::Count] = 20;
        /// Force per strain: Young's modulus times area.
        axial_stiffness: f64 [Kind::Number("N"), range = Range::Positive];
        /// Force per strain rate.
        axial_damping: f64 [Kind::Number("N*s"), range = Range::NonNegative] = 0.0;
        /// Mass per length.
        mass_per_length: f64 [Kind::Number("kg/m"), range = Range::Positive];
        /// How elements become slack: `smooth`, over a strain of `smoothing`; `event`, at located instants.
        slack: String [Kind::Choice(&["smooth", "event"])] = "smooth".to_string();
        /// Strain over which the transition is smoothed; at rest length the tension corresponds to half of it.
        smoothing: f64 [Kind::Number("1"), range = Range::Positive] = 1e-4;
        /// Radius for drawing; a thin line if not given.
        radius: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
    }
}

/// What became of one cable.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CablePart {
    /// Its name.
    pub name: String,
    /// The points at its nodes, its ends first and last.
    pub bodies: Range<usize>,
    /// Its elements, among the forces.
    pub forces: Range<usize>,
    /// Length without load.
    pub length: f64,
    /// Its mass.
    pub mass: f64,
    /// Whether something is wrong with it, so that it stands in the model by its names alone.
    pub faulty: bool,
}

impl LongCable {
    /// The name of a node: `start`, `end`, or its number from 1 on.
    fn node_name(&self, node: usize) -> String {
        match node {
            0 => format!("{}.start", self.name),
            k if k == self.elements => format!("{}.end", self.name),
            k => format!("{}.{}", self.name, k + 1),
        }
    }

    /// Length without load, or what is wrong with the cable: the field and a sentence.
    fn own_length(&self) -> Result<f64, (&'static str, String)> {
        let distance = (self.to - self.from).norm();
        let length = self.length.unwrap_or(distance);
        // also what is no number is no length
        if !(length > 0.0 && length.is_finite()) {
            let message = "it has no length: `from` and `to` are the same point, and no `length` is given";
            return Err(("to", message.into()));
        }
        if self.elements < 1 || self.elements > MOST_ELEMENTS {
            let message =
                format!("the number of elements must be 1 to {MOST_ELEMENTS}, but is {}", self.elements);
            return Err(("elements", message));
        }
        Ok(length)
    }

    /// As a chain under gravity; without it, as one that weighs something and does not stretch.
    fn links(&self, length: f64, gravity: f64) -> Links {
        let (weight, stiffness) = if gravity > 0.0 {
            (self.mass_per_length * gravity, self.axial_stiffness)
        } else {
            (1.0, f64::INFINITY)
        };
        Links { length, count: self.elements, weight, stiffness }
    }

    /// One of its elements.
    fn element(&self, length: f64) -> Cable {
        let part = length / self.elements as f64;
        Cable {
            axial_stiffness: self.axial_stiffness,
            axial_damping: self.axial_damping,
            rest_length: Some(part),
            slack: self.slack.clone(),
            smoothing: self.smoothing,
            mass: self.mass_per_length * part,
            radius: self.radius,
            ..Cable::default()
        }
    }

    /// Adds what the cable is made of; its names alone if something is wrong with it. O(elements).
    fn add(&self, number: usize, model: &mut Model) -> (CablePart, Option<Finding>) {
        let (bodies, forces) = (model.bodies.len(), model.forces.len());
        let length = self.own_length();
        let fault = length.as_ref().err().map(|(field, message)| {
            let message = format!("cable `{}`: {message}", self.name);
            Finding::error(Subject::Cable(number), field, message)
        });
        let mut part = CablePart { name: self.name.clone(), faulty: fault.is_some(), ..CablePart::default() };
        let point = |name: String, mass: f64, position: Vec3| Body { position, ..Body::point(&name, mass) };
        match length {
            Ok(length) => {
                let places =
                    self.links(length, model.gravity.norm()).hanging([self.from, self.to], &down(model));
                for (k, place) in places.into_iter().enumerate() {
                    model.bodies.push(point(self.node_name(k), 0.0, place));
                }
                let element = self.element(length);
                for k in 0..self.elements {
                    let ends = Ends::bodies(&self.node_name(k), &self.node_name(k + 1));
                    let name = format!("{}.{}", self.name, k + 1);
                    model.forces.push(Force { name, ends, kind: element.clone().into() });
                }
                (part.length, part.mass) = (length, length * self.mass_per_length);
            }
            Err(_) => {
                for (name, place) in [("start", self.from), ("end", self.to)] {
                    model.bodies.push(point(format!("{}.{name}", self.name), 1.0, place));
                }
            }
        }
        (part.bodies, part.forces) = (bodies..model.bodies.len(), forces..model.forces.len());
        (part, fault)
    }
}

/// Adds what all cables are made of, behind all that the model has.
pub(super) fn take_apart(model: &mut Model) -> (Vec<CablePart>, Vec<Finding>) {
    let (mut parts, mut findings) = (Vec::new(), Vec::new());
    let cables = std::mem::take(&mut model.cables);
    for (k, cable) in cables.iter().enumerate() {
        let (part, fault) = cable.add(k, model);
        parts.push(part);
        findings.extend(fault);
    }
    model.cables = cables;
    (parts, findings)
}

/// Where things fall, or would.
fn down(model: &Model) -> Vec3 {
    let own = if model.space == Space::Planar { -Vec3::y() } else { -Vec3::z() };
    model.gravity.try_normalize(0.0).unwrap_or(own)
}
