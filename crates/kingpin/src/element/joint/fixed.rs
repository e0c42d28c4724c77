//! Fixed.

use super::{JointElement, JointSymbol};
use crate::described;
use crate::element::articulation::Articulation;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// Connects two bodies rigidly: the points coincide and the frames keep their relative orientation. With markers,
    /// their axes are aligned; with bodies, the given relative orientation is kept. Spatial: 6 equations, points
    /// coincide and x1 . y2 = x1 . z2 = y1 . z2 = 0. Planar: 3 equations.
    pub struct Fixed {}
}

impl JointElement for Fixed {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    fn compose(&self, c: &mut Composer) {
        c.coincide();
        c.same_orientation();
    }
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Block
    }
    fn articulate(&self, c: &Composer) -> Option<Articulation> {
        if c.is_spatial() || c.by_markers { c.carry(&[]) } else { c.carry_from_given(&[]) }
    }
}
