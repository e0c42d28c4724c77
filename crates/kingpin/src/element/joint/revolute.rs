//! Revolute.

use super::{Coordinate, JointElement, JointSymbol};
use crate::described;
use crate::element::articulation::{Articulation, Move};
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::Z;

described! {
    /// A hinge: the points coincide and, in space, the axes remain parallel. Spatial: 5 equations, points coincide
    /// and x1 . z2 = y1 . z2 = 0, z along the axis. Planar: 2 equations.
    pub struct Revolute {}
}

impl JointElement for Revolute {
    fn ends(&self) -> EndsKind {
        EndsKind::SpatialAxes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    fn compose(&self, c: &mut Composer) {
        c.coincide();
        c.axes_parallel();
    }
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Pin
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Angle]
    }
    fn articulate(&self, c: &Composer) -> Option<Articulation> {
        // about z2, which its equations keep across x1 and y1 to the last digit
        c.carry(&[Move::TurnSecond(Z)])
    }
    fn starts(&self) -> &'static [&'static str] {
        &["angle"]
    }
}
