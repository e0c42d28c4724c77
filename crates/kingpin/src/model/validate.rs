//! Checks that concern a model as a whole, or one item beyond the range of its fields.

use super::describe::{Described, Field, FieldValues, Kind, LARGEST, SMALLEST};
use super::finding::{Finding, Subject};
use super::value::{Mat3, Value};
use super::{Body, Function, GROUND, Marker, Model, Space};
use crate::element::carrier;
use crate::element::place::{Given, marker_axes};
use crate::expr::closest;
use crate::system::System;
use std::collections::HashMap;

/// All errors that can be seen before elements are composed.
pub fn validate(model: &Model, given: &Given) -> Vec<Finding> {
    let mut findings = Vec::new();
    if model.bodies.is_empty() {
        let finding = Finding::warning("no-bodies", Subject::Model, "", "the model has no bodies");
        findings.push(finding.hint("add a `[[body]]` block"));
    }
    super::validate_names::errors(model, &mut findings);
    fields(model, &mut findings);
    for (k, body) in model.bodies.iter().enumerate() {
        findings.append(&mut carrier::scalar_faults(k, body));
        if body.point {
            findings.append(&mut carrier::faults(k, body));
            continue;
        }
        if body.inertia != Mat3::zeros() || !body.is_to_be_weighed() {
            inertia(k, body, model.space, &mut findings);
        }
        if model.space == Space::Spatial
            && let Err(why) = body.orientation.matrix()
        {
            findings.push(Finding::error(
                Subject::Body(k),
                "orientation",
                format!("body `{}`: {why}", body.name),
            ));
        }
    }
    for (k, marker) in model.markers.iter().enumerate() {
        if !given.names.bodies.contains_key(&marker.body) {
            let all = model.bodies.iter().map(|b| b.name.as_str()).chain([GROUND]);
            let message = format!("there is no body called `{}`", marker.body);
            let mut finding = Finding::error(Subject::Marker(k), "body", message);
            finding.hint = closest(&marker.body, all).map(|n| format!("did you mean `{n}`?"));
            findings.push(finding);
        }
        if let Some(&body) = given.names.bodies.get(&marker.body) {
            let offset = if marker.global { marker.position - given.origins[body] } else { marker.position };
            if !given.can_hold(body, &offset) {
                let message = carrier::misplaced(&marker.body);
                findings.push(Finding::error(Subject::Marker(k), "position", message));
            }
        }
        if let Err(why) = marker_axes(marker, model.space) {
            findings.push(Finding::error(
                Subject::Marker(k),
                "orientation",
                format!("marker `{}`: {why}", marker.name),
            ));
        }
    }
    spaces(model, &mut findings);
    super::fitting::errors(model, &mut findings);
    super::validate_events::errors(model, &mut findings);
    super::validate_events::inputs(model, &mut findings);
    super::validate_events::states(model, &mut findings);
    super::substructure::resolve(model, &mut findings);
    super::validate_sizes::errors(model, &mut findings);
    super::validate_spans::errors(model, given, &mut findings);
    findings
}

/// Ranges of all numbers, as the file reader checks them.
fn fields(model: &Model, findings: &mut Vec<Finding>) {
    let mut check = |subject: Subject, fields: &[Field], values: FieldValues| {
        for (name, value) in values {
            let Some(field) = fields.iter().find(|f| f.name == name) else { continue };
            if let Some(why) = complaint(field, &value) {
                findings.push(Finding::error(subject.clone(), field.name, format!("`{name}` {why}")));
            }
        }
    };
    for (k, x) in model.bodies.iter().enumerate() {
        // points may have their mass from elements; what cannot be weighed is told where it is weighed
        let none = x.mass == 0.0 && (x.point || x.is_to_be_weighed());
        let values = x.values().into_iter().filter(|(name, _)| !none || *name != "mass");
        check(Subject::Body(k), Body::fields(), values.collect());
    }
    for (k, x) in model.beams.iter().enumerate() {
        check(Subject::Beam(k), super::Beam::fields(), x.values());
    }
    for (k, x) in model.cables.iter().enumerate() {
        check(Subject::Cable(k), super::LongCable::fields(), x.values());
    }
    for (k, x) in model.superelements.iter().enumerate() {
        check(Subject::Superelement(k), super::SuperelementFields::fields(), x.fields.values());
    }
    for (k, x) in model.structures.iter().enumerate() {
        check(Subject::Structure(k), super::StructureFields::fields(), x.fields.values());
    }
    for (k, x) in model.markers.iter().enumerate() {
        check(Subject::Marker(k), super::Marker::fields(), x.values());
    }
    for (k, x) in model.joints.iter().enumerate() {
        check(Subject::Joint(k), x.kind.fields(), x.kind.values());
        check(Subject::Joint(k), super::Ends::fields(), x.ends.values());
        let coordinates = x.kind.element().coordinates();
        check(Subject::Joint(k), &super::Fitting::fields_for(coordinates), x.fittings.values(coordinates));
    }
    for (k, x) in model.drivers.iter().enumerate() {
        check(Subject::Driver(k), x.kind.fields(), x.kind.values());
        check(Subject::Driver(k), super::Ends::fields(), x.ends.values());
    }
    for (k, x) in model.forces.iter().enumerate() {
        check(Subject::Force(k), x.kind.fields(), x.kind.values());
        check(Subject::Force(k), super::Ends::fields(), x.ends.values());
    }
    for (k, x) in model.measures.iter().enumerate() {
        check(Subject::Measure(k), super::Ends::fields(), x.ends.values());
    }
    for (k, x) in model.states.iter().enumerate() {
        check(Subject::State(k), super::StateVariable::fields(), x.values());
    }
    for (k, x) in model.controllers.iter().enumerate() {
        check(Subject::Controller(k), x.kind.fields(), x.kind.values());
    }
    for (k, x) in model.events.iter().enumerate() {
        check(Subject::Event(k), super::Event::fields(), x.values());
    }
    for (k, x) in model.inputs.iter().enumerate() {
        check(Subject::Input(k), super::Input::fields(), x.values());
    }
    for (k, x) in model.substructures.iter().enumerate() {
        check(Subject::Substructure(k), super::Substructure::fields(), x.values());
    }
    for (k, x) in model.roads.iter().enumerate() {
        check(Subject::Road(k), x.kind.fields(), x.kind.values());
    }
    for (k, x) in model.shapes.iter().enumerate() {
        check(Subject::Shape(k), x.kind.fields(), x.kind.values());
    }
    check(Subject::Simulation, super::Simulation::fields(), model.simulation.values());
    if !model.gravity.iter().all(|x| x.is_finite()) {
        findings.push(Finding::error(Subject::Model, "gravity", "`gravity` must be finite"));
    }
}

/// What is wrong with a value for its field, if anything is.
pub fn complaint(field: &Field, value: &Value) -> Option<String> {
    match (field.kind, value) {
        (_, Value::Number(x) | Value::Function(Function::Constant(x))) => {
            field.range.complaint(*x).map(String::from)
        }
        (Kind::Direction, Value::Vector(v)) if v.norm() < 1e-12 => Some("has zero length".into()),
        (_, Value::Vector(v)) => v.iter().find_map(|x| field.range.complaint(*x)).map(String::from),
        (_, Value::Path(points)) => {
            points.iter().flatten().find_map(|x| field.range.complaint(*x)).map(String::from)
        }
        (_, Value::Numbers(list)) => list.iter().find_map(|x| field.range.complaint(*x)).map(String::from),
        (_, Value::Matrix(rows)) => {
            rows.iter().flatten().find_map(|x| field.range.complaint(*x)).map(String::from)
        }
        (_, Value::Places(places)) => {
            places.iter().find_map(|(_, x)| field.range.complaint(*x)).map(String::from)
        }
        (_, Value::Section(m)) => {
            let numbers = m.0.iter().flat_map(|(x, own)| own.0.iter().flatten().chain([x]));
            numbers.into_iter().find_map(|x| field.range.complaint(*x)).map(String::from)
        }
        (_, Value::Inertia(m)) => {
            (!m.iter().all(|x| x.is_finite())).then(|| "must consist of finite numbers".into())
        }
        (Kind::Choice(words), Value::Text(word)) if !words.contains(&word.as_str()) => {
            Some(format!("must be one of {}", listed(words)))
        }
        (Kind::Choices(words), Value::Texts(chosen)) => chosen
            .iter()
            .any(|word| !words.contains(&word.as_str()))
            .then(|| format!("may contain {} only", listed(words))),
        _ => None,
    }
}

fn listed(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

/// The inertia tensor must be symmetric, positive definite, and that of real mass.
fn inertia(k: usize, body: &Body, space: Space, findings: &mut Vec<Finding>) {
    let mut complain = |message: String, hint: &str| {
        findings.push(Finding::error(Subject::Body(k), "inertia", message).hint(hint));
    };
    let j = &body.inertia;
    if !j.iter().all(|x| x.is_finite()) {
        return;
    }
    let largest = if space == Space::Planar { j[(2, 2)] } else { j.amax() };
    if largest > LARGEST || (largest > 0.0 && largest < SMALLEST) {
        let message = format!("the inertia of `{}` is {largest:e} kg*m^2, which is out of range", body.name);
        complain(message, "moments of inertia must be between 1e-60 and 1e60 kg*m^2; check the units");
        return;
    }
    if space == Space::Planar {
        if j[(2, 2)] <= 0.0 {
            complain(
                format!("the inertia of `{}` must be greater than zero", body.name),
                "a uniform rod of length L has m*L^2/12",
            );
        }
        return;
    }
    if (j - j.transpose()).norm() > 1e-9 * j.norm() {
        complain(
            format!("the inertia tensor of `{}` is not symmetric", body.name),
            "give six entries xx, yy, zz, xy, xz, yz instead",
        );
        return;
    }
    let mut principal: Vec<f64> = j.symmetric_eigenvalues().iter().copied().collect();
    principal.sort_by(f64::total_cmp);
    let [a, b, c] = principal[..] else { return };
    let shown = format!("{a:.4e}, {b:.4e}, {c:.4e}");
    if a <= 1e-12 * c || c <= 0.0 {
        let message =
            format!("the inertia of `{}` is not positive definite (principal moments {shown})", body.name);
        complain(message, "even a thin rod has a small moment about its own axis");
    } else if a + b < c * (1.0 - 1e-6) && !body.unphysical_inertia {
        let message = format!(
            "the inertia of `{}` is not physical: the sum of two principal moments is never less \
                 than the third ({shown})",
            body.name
        );
        complain(
            message,
            "check the signs of products of inertia and the reference point; to use published data \
                 unchanged, set `unphysical_inertia = true`",
        );
    }
}

/// Elements that do not exist in the model's space.
fn spaces(model: &Model, findings: &mut Vec<Finding>) {
    let word = if model.space == Space::Planar { "planar" } else { "spatial" };
    let mut check = |subject: Subject, tag: &str, fits: bool| {
        if !fits {
            let message = format!("`{tag}` is not available in {word} models");
            findings.push(Finding::error(subject, "type", message));
        }
    };
    for (k, joint) in model.joints.iter().enumerate() {
        check(Subject::Joint(k), joint.kind.tag(), joint.kind.element().spaces().contain(model.space));
    }
    for (k, force) in model.forces.iter().enumerate() {
        check(Subject::Force(k), force.kind.tag(), force.kind.element().spaces().contain(model.space));
    }
    for (k, measure) in model.measures.iter().enumerate() {
        check(Subject::Measure(k), measure.kind.tag(), measure.kind.element().spaces().contain(model.space));
    }
}

/// What is legal but suspicious.
pub fn warnings(model: &Model, system: &System) -> Vec<Finding> {
    let mut findings = Vec::new();
    lonely_bodies(model, system, &mut findings);
    gyration(model, &mut findings);
    ratios(model, &mut findings);
    super::validate_events::warnings(model, &mut findings);
    super::validate_sizes::warnings(model, &mut findings);
    super::validate_spans::warnings(system, &mut findings);
    super::validate_idle::warnings(model, &mut findings);
    super::validate_sizes::colours(model, &mut findings);
    findings
}

/// A body nothing holds or touches.
fn lonely_bodies(model: &Model, system: &System, findings: &mut Vec<Finding>) {
    let mut touched = vec![false; model.bodies.len() + 1];
    system.layout.blocks.iter().for_each(|b| touched[b.body] = true);
    system.terms.iter().flat_map(|t| t.targets()).for_each(|b| touched[b] = true);
    system.inertances.iter().flat_map(|i| i.basic.bodies()).for_each(|b| touched[b] = true);
    system.beams.iter().flat_map(|beam| &beam.bodies).for_each(|&b| touched[b] = true);
    system.cells.iter().flat_map(|cell| &cell.bodies).for_each(|&b| touched[b] = true);
    system.floating.iter().flat_map(|body| body.nodes()).for_each(|b| touched[b] = true);
    for (k, body) in model.bodies.iter().enumerate() {
        if !touched[k] {
            let message = format!("no joint or force acts on body `{}`", body.name);
            findings.push(
                Finding::warning("free-body", Subject::Body(k), "", message)
                    .hint("it will fall freely; add a joint or a force, or remove the body"),
            );
        }
    }
}

/// A radius of gyration far larger than the shapes of the body.
fn gyration(model: &Model, findings: &mut Vec<Finding>) {
    let mut reach: HashMap<&str, f64> = HashMap::new();
    let markers: HashMap<&str, &Marker> = model.markers.iter().map(|m| (m.name.as_str(), m)).collect();
    for shape in &model.shapes {
        let (place, offset) = match (&shape.ends.body, &shape.ends.marker) {
            (Some(body), _) => (Some(body), shape.ends.point.map_or(0.0, |p| p.norm())),
            (_, Some(name)) => {
                let marker = markers.get(name.as_str());
                (marker.map(|m| &m.body), marker.map_or(0.0, |m| m.position.norm()))
            }
            _ => (None, 0.0),
        };
        if let Some(body) = place {
            let r = reach.entry(body).or_default();
            *r = r.max(offset + shape.kind.element().reach());
        }
    }
    for (k, body) in model.bodies.iter().enumerate() {
        let Some(&reach) = reach.get(body.name.as_str()) else { continue };
        let gyration = (largest_moment(&body.inertia, model.space) / body.mass).sqrt();
        if gyration > 3.0 * reach {
            let message = format!(
                "the radius of gyration of `{}` is {gyration:.3e} m, but its shapes reach only {reach:.3e} m",
                body.name
            );
            findings.push(
                Finding::warning("implausible-inertia", Subject::Body(k), "inertia", message)
                    .hint("check whether the inertia is in kg*m^2"),
            );
        }
    }
}

fn largest_moment(j: &Mat3, space: Space) -> f64 {
    if space == Space::Planar { j[(2, 2)] } else { j[(0, 0)].max(j[(1, 1)]).max(j[(2, 2)]) }
}

/// Masses or stiffnesses so far apart that round-off will show.
fn ratios(model: &Model, findings: &mut Vec<Finding>) {
    let own = model.bodies.len() - model.state_parts().len();
    let masses =
        model.bodies[..own].iter().enumerate().map(|(k, b)| (Subject::Body(k), b.name.clone(), b.mass));
    // points without mass of their own have it from elements
    ratio("mass", "kg", "mass", masses.filter(|(.., mass)| *mass > 0.0).collect(), findings);
    for (field, unit) in [("stiffness", "N/m"), ("stiffness", "N*m/rad")] {
        let of = |(k, force): (usize, &super::Force)| {
            let own = force.kind.fields().iter().find(|f| f.name == field && f.kind == Kind::Number(unit))?;
            let value = force.kind.values().into_iter().find(|(n, _)| *n == own.name)?.1;
            match value {
                Value::Number(x) if x > 0.0 => Some((Subject::Force(k), force.name.clone(), x)),
                _ => None,
            }
        };
        ratio("stiffness", unit, field, model.forces.iter().enumerate().filter_map(of).collect(), findings);
    }
}

fn ratio(
    what: &str,
    unit: &str,
    field: &'static str,
    all: Vec<(Subject, String, f64)>,
    findings: &mut Vec<Finding>,
) {
    let most = all.iter().max_by(|a, b| a.2.total_cmp(&b.2));
    let least = all.iter().min_by(|a, b| a.2.total_cmp(&b.2));
    if let (Some((big, big_name, x)), Some((small, small_name, y))) = (most, least)
        && x / y > 1e8
    {
        let message = format!(
            "the {what} of `{big_name}` ({x:.3e} {unit}) is {:.1e} times that of `{small_name}` ({y:.3e} {unit})",
            x / y
        );
        let finding = Finding::warning("ratio-of-sizes", big.clone(), field, message)
            .related(small.clone(), "the other one is here");
        findings.push(finding.hint("ratios above 1e8 reduce accuracy; check the units"));
    }
}
