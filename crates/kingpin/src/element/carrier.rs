//! What carries a frame.
//!
//! Joints, drivers, forces and measures hold frames, not bodies. What a frame can give depends on what carries it: a
//! marker of a rigid body has a place anywhere on it and axes that turn with it, a point has its own place alone, the
//! ground has both and never moves. Elements are composed of basic functions that say which axes they use
//! ([`Basic::axes`]); [`complaint`] compares the two, so no element knows the kinds. Another kind is a variant here and
//! a node of its own in `system::Nodes`.

use super::basic::Basic;
use super::equation::{Direction, Equation, EquationForm, Term};
use super::place::Given;
use crate::model::finding::{Finding, Subject};
use crate::model::{Body, Ends, Model};

/// The kinds of carriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A frame anywhere on a rigid body.
    Rigid,
    /// A point mass: one place, no axes.
    Point,
    /// What never moves.
    Ground,
}

impl Carrier {
    /// What a body carries frames as.
    pub fn of(body: &Body) -> Carrier {
        if body.point { Carrier::Point } else { Carrier::Rigid }
    }

    /// Whether its frames have axes that mean something.
    pub fn has_axes(self) -> bool {
        self != Carrier::Point
    }

    /// Whether frames can be anywhere on it.
    pub fn has_extent(self) -> bool {
        self != Carrier::Point
    }
}

impl Basic {
    /// Which of its two ends must have axes; places are all that the others need.
    pub fn axes(&self) -> [bool; 2] {
        match self {
            Basic::Distance(_) | Basic::Midpoint(_) => [false, false],
            Basic::Dot2(_) => [true, false],
            Basic::Dot1(_) | Basic::Angle(_) | Basic::Rotation(_) | Basic::Sequence(_) => [true, true],
        }
    }

    /// The first body whose axes it uses although there are none.
    pub fn lacks_axes(&self, given: &Given) -> Option<usize> {
        let ends = self.bodies().into_iter().zip(self.axes());
        ends.filter(|(_, axes)| *axes).map(|(body, _)| body).find(|&body| !given.carriers[body].has_axes())
    }
}

/// The same of an equation.
fn of_equation(equation: &Equation, given: &Given) -> Option<usize> {
    match &equation.form {
        EquationForm::Coincide(_) => None,
        EquationForm::Single(basic, _) | EquationForm::Held(basic, _) => basic.lacks_axes(given),
        EquationForm::Sum(terms, _) => terms.iter().find_map(|(_, basic)| basic.lacks_axes(given)),
    }
}

/// The same of what a force acts along.
fn of_term(term: &Term, given: &Given) -> Option<usize> {
    match &term.direction {
        Direction::Along(basic, _) => basic.lacks_axes(given),
        Direction::BodyForce { body, .. } | Direction::Torque { body, .. } => {
            (!given.carriers[*body].has_axes()).then_some(*body)
        }
    }
}

/// What is wrong with an element that uses axes where it is held on a point; `ends` are as the model gives them.
pub fn complaint(
    (model, given): (&Model, &Given),
    subject: &Subject,
    ends: &Ends,
    (equations, terms, probe): (&[Equation], &[Term], Option<&Basic>),
) -> Option<Finding> {
    let body = (equations.iter().find_map(|e| of_equation(e, given)))
        .or_else(|| terms.iter().find_map(|t| of_term(t, given)))
        .or_else(|| probe.and_then(|p| p.lacks_axes(given)))?;
    let name = model.bodies.get(body)?.name.as_str();
    let on = |marker: &str| given.names.markers.get(marker).map(|&k| model.markers[k].body.as_str());
    let bodies = [("body", &ends.body), ("body1", &ends.body1), ("body2", &ends.body2)];
    let markers = [("marker", &ends.marker), ("marker1", &ends.marker1), ("marker2", &ends.marker2)];
    let held = |(_, body): &&(&'static str, &Option<String>)| body.as_deref() == Some(name);
    let marked = |(_, marker): &&(&'static str, &Option<String>)| {
        marker.as_deref().is_some_and(|marker| on(marker) == Some(name))
    };
    // through other elements: those have been complained about where they stand
    let (field, _) = bodies.iter().find(held).or_else(|| markers.iter().find(marked))?;
    let message = format!("this needs axes, but `{name}` is a point mass without orientation");
    let hint = "connect it by a spherical joint, a distance joint or a spring, define the axes on the first \
         end if that is a body or the ground, or give the body an inertia";
    Some(Finding::error(subject.clone(), field, message).hint(hint))
}

/// What is wrong with a place on a body that has none but its own.
pub fn misplaced(name: &str) -> String {
    format!("`{name}` is a point mass: only its own position can be used")
}

/// What is wrong with a body that has one coordinate alone.
pub fn scalar_faults(k: usize, body: &Body) -> Vec<Finding> {
    if !body.scalar {
        return Vec::new();
    }
    let mut all = Vec::new();
    if !body.point {
        let message = format!("`{}` is a scalar coordinate, not a point", body.name);
        all.push(Finding::error(Subject::Body(k), "scalar", message).hint("add `point = true`"));
    }
    for (field, given) in [("position", &body.position), ("velocity", &body.velocity)] {
        if given.y != 0.0 || given.z != 0.0 {
            let message = format!(
                "`{}` is a scalar coordinate along x: its {field} has no y and z components",
                body.name
            );
            let finding = Finding::error(Subject::Body(k), field, message);
            all.push(finding.hint("set them to zero, or remove `scalar = true`"));
        }
    }
    all
}

/// What is wrong with the fields of a point.
pub fn faults(k: usize, body: &Body) -> Vec<Finding> {
    let none = Body::default();
    let given = [
        ("inertia", body.inertia != none.inertia),
        ("unphysical_inertia", body.unphysical_inertia),
        ("com", body.centre() != none.centre()),
        ("orientation", body.orientation != none.orientation),
        ("angle", body.angle != none.angle),
        ("angular_velocity", body.angular_velocity != none.angular_velocity),
    ];
    let mut all: Vec<Finding> = (given.into_iter().filter(|(_, given)| *given))
        .map(|(field, _)| {
            let message =
                format!("`{field}` is not valid for `{}`: a point has only mass and position", body.name);
            Finding::error(Subject::Body(k), field, message)
                .hint("remove it, or remove `point = true` for a body that can rotate")
        })
        .collect();
    for (field, words) in [("fixed", &body.fixed), ("fixed_velocity", &body.fixed_velocity)] {
        if words.iter().any(|word| word == "rotation") {
            let message = format!("`{}` is a point mass: it has no `rotation` to fix", body.name);
            all.push(Finding::error(Subject::Body(k), field, message));
        }
    }
    all
}
