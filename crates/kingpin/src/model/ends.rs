//! Where an element is attached: one or two places on bodies, said in one of three ways.

use super::describe::{Field, Spaces};
use super::value::Vec3;
use crate::described;

described! {
    /// The ends of an element. Each end is a marker (`marker1`), or a body and a point on it: `point1` in the axes of
    /// the body, or `at1` in global axes for the given pose of the body. `at` and `axis` (global, given pose) apply
    /// to both ends; the default point is the origin of the body. `axis1` and `axis2` are directions in the axes of
    /// the bodies.
    pub struct Ends {
        /// The body, for elements with one end.
        body: Option<String> [Kind::Refer(Target::Body)] = None;
        /// The marker, for elements with one end.
        marker: Option<String> [Kind::Refer(Target::Marker)] = None;
        /// The point in the axes of the body.
        point: Option<Vec3> [Kind::Vector("m")] = None;
        /// The first body, or `ground`.
        body1: Option<String> [Kind::Refer(Target::Body)] = None;
        /// The second body, or `ground`.
        body2: Option<String> [Kind::Refer(Target::Body)] = None;
        /// The first marker, instead of a body and a point on it.
        marker1: Option<String> [Kind::Refer(Target::Marker)] = None;
        /// The second marker, instead of a body and a point on it.
        marker2: Option<String> [Kind::Refer(Target::Marker)] = None;
        /// The point on the first body, in the axes of that body.
        point1: Option<Vec3> [Kind::Vector("m")] = None;
        /// The point on the second body, in the axes of that body.
        point2: Option<Vec3> [Kind::Vector("m")] = None;
        /// The point on the first body, in global axes for the given pose.
        at1: Option<Vec3> [Kind::Vector("m")] = None;
        /// The point on the second body, in global axes for the given pose.
        at2: Option<Vec3> [Kind::Vector("m")] = None;
        /// The common point in global axes for the given pose.
        at: Option<Vec3> [Kind::Vector("m")] = None;
        /// The axis on the first body, in the axes of that body.
        axis1: Option<Vec3> [Kind::Direction] = None;
        /// The axis on the second body, in the axes of that body.
        axis2: Option<Vec3> [Kind::Direction] = None;
        /// The common axis in global axes for the given pose.
        axis: Option<Vec3> [Kind::Direction] = None;
    }
}

/// Which ends an element has, and so which fields of [`Ends`] it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndsKind {
    /// None: the element refers to other elements.
    None,
    /// One place.
    One,
    /// Two places.
    Points,
    /// Two places with axes. In spatial models the axis is the z axis of the frames, in planar ones the x axis.
    Axes,
    /// Two places, with axes in spatial models only (a planar hinge needs none).
    SpatialAxes,
    /// Two places, each with an axis of its own.
    TwoAxes,
    /// Two places with frames; without an axis, those of the first body.
    Frames,
    /// Two places, each with the axes of its own body or marker.
    OwnFrames,
}

impl EndsKind {
    /// Whether the field of [`Ends`] called `name` belongs to such an element; where it makes sense.
    pub fn takes(self, name: &str) -> Option<Spaces> {
        let one = matches!(name, "body" | "marker" | "point" | "at");
        let axes = matches!(name, "axis" | "axis1" | "axis2");
        let both = name == "at" || !(one || axes);
        match self {
            EndsKind::None => None,
            EndsKind::One => one.then_some(Spaces::Both),
            EndsKind::Points | EndsKind::OwnFrames => both.then_some(Spaces::Both),
            EndsKind::Axes | EndsKind::Frames => (both || axes).then_some(Spaces::Both),
            EndsKind::TwoAxes => (both || axes && name != "axis").then_some(Spaces::Both),
            EndsKind::SpatialAxes if axes => Some(Spaces::Spatial),
            EndsKind::SpatialAxes => both.then_some(Spaces::Both),
        }
    }

    /// The fields of [`Ends`] such an element takes.
    pub fn fields(self) -> Vec<Field> {
        use super::describe::Described;
        let all = Ends::fields().iter();
        all.filter_map(|f| self.takes(f.name).map(|spaces| Field { spaces, ..*f })).collect()
    }
}

impl Ends {
    /// Two bodies joined at `at` (global axes, given pose).
    pub fn at(body1: &str, body2: &str, at: [f64; 3]) -> Ends {
        Ends { at: Some(at.into()), ..Ends::bodies(body1, body2) }
    }

    /// Two bodies at their origins.
    pub fn bodies(body1: &str, body2: &str) -> Ends {
        Ends { body1: Some(body1.into()), body2: Some(body2.into()), ..Ends::default() }
    }

    /// Two places, each in the axes of its body.
    pub fn points(body1: &str, point1: [f64; 3], body2: &str, point2: [f64; 3]) -> Ends {
        Ends { point1: Some(point1.into()), point2: Some(point2.into()), ..Ends::bodies(body1, body2) }
    }

    /// Two markers.
    pub fn markers(marker1: &str, marker2: &str) -> Ends {
        Ends { marker1: Some(marker1.into()), marker2: Some(marker2.into()), ..Ends::default() }
    }

    /// One place on a body, in its axes.
    pub fn on(body: &str, point: [f64; 3]) -> Ends {
        Ends { body: Some(body.into()), point: Some(point.into()), ..Ends::default() }
    }

    /// With a common axis (global axes, given pose).
    pub fn axis(self, axis: [f64; 3]) -> Ends {
        Ends { axis: Some(axis.into()), ..self }
    }

    /// With an axis on each body, in the axes of that body.
    pub fn axes(self, axis1: [f64; 3], axis2: [f64; 3]) -> Ends {
        Ends { axis1: Some(axis1.into()), axis2: Some(axis2.into()), ..self }
    }
}
