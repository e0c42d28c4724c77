//! Screw.

use super::{Coordinate, JointElement, JointSymbol};
use crate::described;
use crate::element::articulation::{Articulation, Move};
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::{X, Y, Z};

described! {
    /// A screw: a cylindrical joint whose displacement is proportional to the angle, `pitch` per revolution. 5
    /// equations: those of the cylindrical joint and z1 . d - pitch angle / (2 pi) = its value in the given pose.
    pub struct Screw {
        /// Displacement along the axis per revolution; negative for a left-handed thread.
        pitch: f64 [Kind::Number("m"), range = Range::NonZero];
    }
}

impl JointElement for Screw {
    fn ends(&self) -> EndsKind {
        EndsKind::Axes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn compose(&self, c: &mut Composer) {
        c.axes_parallel();
        c.no_offset(X);
        c.no_offset(Y);
        let (slide, turn) = (c.probe_displacement(), c.probe_angle());
        c.couple(vec![(1.0, slide), (-self.pitch / std::f64::consts::TAU, turn)], "displacement follows the angle");
    }
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Sleeve
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Angle, Coordinate::Displacement]
    }
    fn articulate(&self, c: &Composer) -> Option<Articulation> {
        c.carry(&[Move::Screw(Z, self.pitch / std::f64::consts::TAU)])
    }
    fn starts(&self) -> &'static [&'static str] {
        &["angle", "displacement"]
    }
}
