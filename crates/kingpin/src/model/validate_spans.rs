//! Checks of the elements of beams.

use super::finding::{Finding, Subject};
use super::{GROUND, Model, Space, Span};
use crate::element::place::Given;
use crate::expr::closest;
use crate::system::System;
use nalgebra::{DMatrix, SymmetricEigen};
use std::collections::{HashMap, HashSet};

/// Most nodes of an element.
const MOST: usize = 65;
/// How far the arc through the nodes may be from the length of an element, as a part of it.
const ARC: f64 = 0.2;

/// What is wrong with elements before bodies are numbered.
pub(super) fn errors(model: &Model, given: &Given, findings: &mut Vec<Finding>) {
    let mut seen = HashMap::new();
    for (k, span) in model.spans.iter().enumerate() {
        let mut complain = |field: &'static str, message: String| {
            findings.push(Finding::error(Subject::Span(k), field, message));
        };
        let name = &span.name;
        if name.is_empty() {
            complain("name", "an element of a beam must have a name".into());
        }
        if seen.insert(name, k).is_some() {
            complain("name", format!("there are two elements of beams called `{name}`"));
        }
        if !(span.length > 0.0 && span.length.is_finite()) {
            complain("length", format!("the length of `{name}` must be greater than zero"));
        }
        if !(span.damping >= 0.0 && span.damping.is_finite()) {
            complain("damping", format!("the damping of `{name}` must not be negative"));
        }
        if let Some(why) = span.stiffness.iter().find_map(|own| faulty_section(own, model.space)) {
            complain("stiffness", format!("the stiffness of `{name}` {why}"));
        }
        if ![1, span.bodies.len().saturating_sub(1)].contains(&span.stiffness.len()) {
            let number = span.stiffness.len();
            complain(
                "stiffness",
                format!(
                    "`{name}` has the stiffness of {number} sections; give one, or one for each pair of \
                     neighbouring nodes"
                ),
            );
        }
        if !(2..=MOST).contains(&span.bodies.len()) {
            let number = span.bodies.len();
            complain("bodies", format!("`{name}` has {number} nodes; an element has 2 to {MOST}"));
        }
        bodies(model, given, (k, span), findings);
    }
}

/// Nodes are frames that move, each another.
fn bodies(model: &Model, given: &Given, (k, span): (usize, &Span), findings: &mut Vec<Finding>) {
    let mut taken = HashSet::new();
    for body in &span.bodies {
        let found = given.names.bodies.get(body);
        let why = match found {
            None => format!("there is no body called `{body}`"),
            Some(_) if body == GROUND => {
                format!("`{}` cannot have a node on the ground; fix one of its bodies by a joint", span.name)
            }
            Some(&found) if !given.carriers[found].has_axes() => {
                format!("`{body}` is a point mass, but a node of `{}` needs axes", span.name)
            }
            Some(_) if !taken.insert(body) => format!("`{body}` is a node of `{}` twice", span.name),
            Some(_) => continue,
        };
        let mut finding = Finding::error(Subject::Span(k), "bodies", why);
        if found.is_none() {
            let all = model.bodies.iter().map(|b| b.name.as_str());
            finding.hint = closest(body, all).map(|n| format!("did you mean `{n}`?"));
        }
        findings.push(finding);
    }
}

/// What is wrong with the section of an element.
fn faulty_section(stiffness: &[[f64; 6]; 6], space: Space) -> Option<&'static str> {
    let (c, n) = (crate::system::section(stiffness, space), if space == Space::Planar { 3 } else { 6 });
    let matrix = DMatrix::from_fn(n, n, |i, j| c[i][j]);
    if !matrix.iter().all(|x| x.is_finite()) {
        return Some("must consist of finite numbers");
    }
    if (&matrix - matrix.transpose()).amax() > 1e-9 * matrix.amax() {
        return Some("is not symmetric");
    }
    // in units in which its diagonal is one
    let scaled = DMatrix::from_fn(n, n, |i, j| c[i][j] / (c[i][i] * c[j][j]).sqrt());
    let definite = scaled.iter().all(|x| x.is_finite())
        && SymmetricEigen::new(scaled).eigenvalues.iter().all(|value| *value > 1e-12);
    (!definite).then_some("is not positive definite")
}

/// Elements whose nodes are not where their length says.
pub(super) fn warnings(system: &System, findings: &mut Vec<Finding>) {
    let d = system.dimensions();
    for (k, beam) in system.beams.iter().enumerate() {
        let stretch = |rest: &[f64; 6]| rest[..d].iter().map(|x| x * x).sum::<f64>().sqrt();
        let worst = beam
            .rest
            .iter()
            .map(stretch)
            .fold(1.0, |worst: f64, x| if (x - 1.0).abs() > (worst - 1.0).abs() { x } else { worst });
        if (worst - 1.0).abs() > ARC {
            let message = format!(
                "the line through the nodes of `{}` is {worst:.3} times as long as its `length`",
                beam.name
            );
            findings.push(Finding::warning("bent-beam", Subject::Span(k), "length", message).hint(
                "nodes must be at the Gauss-Lobatto points; a strongly curved element needs more nodes",
            ));
        }
    }
}
