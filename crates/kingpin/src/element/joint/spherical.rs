//! Spherical.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// A ball joint: the points coincide. 3 equations.
    pub struct Spherical {}
}

impl JointElement for Spherical {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn compose(&self, c: &mut Composer) {
        c.coincide();
    }
}
