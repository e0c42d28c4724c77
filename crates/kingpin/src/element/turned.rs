//! Velocities that one body sees, in the axes of another.

use super::basic::{Basic, Dot1, Dot2};
use super::bind::Bound;
use super::compose::Composer;
use super::measure::MeasureKind;
use super::place::Given;
use crate::expr::{Expr, closest};
use crate::model::controller::{Numbering, Variable};
use crate::model::finding::Finding;
use crate::model::function::Function;
use crate::model::{Mat3, Model, Space};

/// Variables from here on are those that stand for parts of velocities, before they are inputs.
const PARTS: usize = 1 << 20;

/// The rate of the way from one body to a point of another as the first sees it, along an axis of a third. It is no rate
/// of anything, but the sum over the axes e of the observer of (axis . e) times the rate of the offset along e, all of
/// them basic functions of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnedRate {
    /// The way, along any axis of the observer.
    way: Dot2,
    /// The third body,
    frame: usize,
    /// and the axis there.
    axis: [f64; 3],
}

impl TurnedRate {
    /// The same way along other axes; `None` if these do not turn before the observer, so that the way will do.
    pub fn new(way: Dot2, frame: usize, axis: [f64; 3]) -> Option<TurnedRate> {
        (frame != way.bodies[0]).then_some(TurnedRate { way, frame, axis })
    }

    /// Products of the cosine that an axis of the observer has with the axis, and the rate of the offset along it.
    pub fn parts(&self, space: Space) -> impl Iterator<Item = [Basic; 2]> {
        let TurnedRate { way, frame, axis } = *self;
        let axes = if space == Space::Planar { 2 } else { 3 };
        (0..axes).map(move |k| {
            let mut along = [0.0; 3];
            along[k] = 1.0;
            let cosine = Dot1 { bodies: [frame, way.bodies[0]], a: axis, b: along };
            [Basic::Dot1(cosine), Basic::Dot2(Dot2 { a: along, ..way })]
        })
    }
}

/// What a measure of a velocity sees, if that is in the axes of a third body.
pub fn turned(model: &Model, given: &Given, measure: usize, probe: Option<&Basic>) -> Option<TurnedRate> {
    let MeasureKind::MeasuredVelocity(own) = &model.measures.get(measure)?.kind else { return None };
    let Some(Basic::Dot2(way)) = probe else { return None };
    let (frame, axes) = named_axes(model, given, own.axes.as_deref(), own.axes_marker.as_deref())?;
    TurnedRate::new(*way, frame, axes.column(own.axis() as usize).into_owned().into())
}

/// The body that axes belong to, and these in its own; `None` if none are named.
pub fn named_axes(
    model: &Model,
    given: &Given,
    body: Option<&str>,
    marker: Option<&str>,
) -> Option<(usize, Mat3)> {
    if let Some(body) = body {
        return Some((*given.names.bodies.get(body)?, Mat3::identity()));
    }
    let marker = &model.markers[*given.names.markers.get(marker?)?];
    let body = *given.names.bodies.get(&marker.body)?;
    Some((body, given.marker(body, marker, model.space).c))
}

impl Composer<'_> {
    /// The axes that an element names for its components, those of the ground if none; `None` after a complaint.
    pub fn axes_named(&mut self, body: Option<&str>, marker: Option<&str>) -> Option<(usize, Mat3)> {
        if body.is_some() && marker.is_some() {
            self.complain("axes_marker", "give either `axes` or `axes_marker`, not both".into());
            return None;
        }
        if body.is_none() && marker.is_none() {
            return Some((self.given.ground(), Mat3::identity()));
        }
        let Some((of, axes)) = named_axes(self.model, self.given, body, marker) else {
            let (word, field, name) = match body {
                Some(body) => ("body", "axes", body),
                None => ("marker", "axes_marker", marker.unwrap_or_default()),
            };
            let message = format!("there is no {word} called `{name}`");
            let known: Vec<&str> = match body {
                Some(_) => self.model.bodies.iter().map(|own| own.name.as_str()).collect(),
                None => self.model.markers.iter().map(|own| own.name.as_str()).collect(),
            };
            let meant = closest(name, known).map(|name| format!("did you mean `{name}`?"));
            let is_marker = body.is_some_and(|name| self.given.names.markers.contains_key(name));
            let other = is_marker.then(|| format!("`{name}` is a marker: give it as `axes_marker`"));
            let mut finding = Finding::error(self.subject.clone(), field, message);
            finding.hint = other.or(meant);
            self.findings.push(finding);
            return None;
        };
        if !self.given.carriers[of].has_axes() {
            let name = &self.model.bodies[of].name;
            let message = format!("`{name}` is a point mass without orientation");
            let field = if body.is_some() { "axes" } else { "axes_marker" };
            self.complain_with_hint(field, message, "choose a body with an inertia, or `ground`");
            return None;
        }
        Some((of, axes))
    }

    /// A function with the parts of velocities put in their place; `None` after a complaint.
    pub(super) fn with_turned(&mut self, field: &'static str, f: Function, own: usize) -> Option<Function> {
        let numbering = Numbering::of(self.model, own);
        let turned = |v: usize| match numbering.what(v) {
            Variable::Measure(k, false) => self.turned(k).map(|_| k),
            _ => None,
        };
        match &f {
            Function::Expr(expr) => {
                let parts: Vec<(usize, Expr)> = expr
                    .variables()
                    .filter_map(|v| {
                        let axes = if self.is_spatial() { 3 } else { 2 };
                        let first = PARTS + 6 * turned(v)?;
                        let factors = (0..axes).map(|k| [first + 2 * k, first + 2 * k + 1]);
                        Some((v, Expr::products("velocity", factors)))
                    })
                    .collect();
                if parts.is_empty() {
                    return Some(f);
                }
                let part = |v: usize| parts.iter().find(|(own, _)| *own == v).map(|(_, part)| part);
                let whole = expr.with_parts(part);
                if whole.is_none() {
                    let message = format!(
                        "`{field}` and the velocities that it reads need too many intermediate values"
                    );
                    self.complain(field, message);
                }
                whole.map(Function::Expr)
            }
            _ => Some(f),
        }
    }

    /// What a measure sees, if that is a velocity in the axes of a third body.
    pub(super) fn turned(&self, measure: usize) -> Option<TurnedRate> {
        turned(self.model, self.given, measure, self.measures.get(measure)?.as_ref())
    }

    /// The place of a part of a velocity among the variables of a term, which gets another input if it must.
    pub(super) fn part_of_velocity(&self, v: usize, bound: &mut Bound) -> Option<usize> {
        let (measure, part) = ((v.checked_sub(PARTS)?) / 6, (v - PARTS) % 6);
        let input = self.turned(measure)?.parts(self.model.space).nth(part / 2)?[part % 2];
        let place = bound.inputs.iter().position(|known| *known == input).unwrap_or_else(|| {
            bound.inputs.push(input);
            bound.names.push(format!("{} in parts", self.model.measures[measure].name));
            bound.inputs.len() - 1
        });
        Some(1 + 2 * place + part % 2)
    }
}

/// Whether a variable is a part of a velocity.
pub(super) fn is_part(v: usize) -> bool {
    v >= PARTS
}
