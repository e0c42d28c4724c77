//! Velocity of a point.

use super::MeasureElement;
use crate::described;
use crate::element::basic::Basic;
use crate::element::compose::{Axis, Composer, Probe};
use crate::model::ends::EndsKind;

described! {
    /// A component of the velocity of the second point relative to the moving frame of the first body (or marker),
    /// along an axis of that body (or marker) or of a third; with `body1 = "ground"` the velocity in global axes. Its
    /// `rate` is the same component of the relative acceleration: a channel of results, which functions cannot read.
    /// With `body1 = "ground"` and `axes` of the second body the rate is the reading of an accelerometer, without
    /// gravity.
    pub struct MeasuredVelocity {
        /// Which component.
        component: String [Kind::Choice(&["x", "y", "z"])];
        /// The body in whose axes the component is; default: the first body.
        axes: Option<String> [Kind::Refer(Target::Body)] = None;
        /// The marker in whose axes it is, instead of a body.
        axes_marker: Option<String> [Kind::Refer(Target::Marker)] = None;
    }
}

impl MeasuredVelocity {
    /// The axis along which it is.
    pub(crate) fn axis(&self) -> Axis {
        match self.component.as_str() {
            "x" => Axis::X,
            "y" => Axis::Y,
            _ => Axis::Z,
        }
    }
}

impl MeasureElement for MeasuredVelocity {
    fn ends(&self) -> EndsKind {
        EndsKind::OwnFrames
    }
    fn unit(&self) -> &'static str {
        "m/s"
    }
    fn is_rate(&self) -> bool {
        true
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        let axis = self.axis();
        if axis == Axis::Z && !c.is_spatial() {
            c.complain("component", "a velocity in the plane has no component `z`".into());
            return None;
        }
        let seen = c.probe_offset(axis);
        if self.axes.is_none() && self.axes_marker.is_none() {
            return Some(seen);
        }
        let (frame, axes) = c.axes_named(self.axes.as_deref(), self.axes_marker.as_deref())?;
        let Basic::Dot2(mut way) = seen else { return Some(seen) };
        // axes that do not turn before the observer are as good as its own; others are seen to where this is read
        if frame == way.bodies[0] {
            way.a = axes.column(axis as usize).into_owned().into();
        }
        Some(Basic::Dot2(way))
    }
}
