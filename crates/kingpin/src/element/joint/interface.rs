//! Interface of a flexible body.

use super::JointElement;
use crate::element::compose::Composer;
use crate::model::describe::{Described, Field, FieldValues, Spaces};
use crate::model::ends::EndsKind;
use crate::model::value::Mat3;

/// Holds an interface on a flexible body: from the place where it is at rest in the floating frame, the first body, it is
/// displaced and turned by the amplitudes, linearly; its turn is the sine of the angle times the axis. Models have it of superelements, so
/// files cannot have it by itself.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Interface {
    /// Bodies with one coordinate: the amplitudes.
    pub amplitudes: Vec<String>,
    /// Displacement and turn by each of them, in the axes of the first body.
    pub motion: Vec<[f64; 6]>,
    /// Whether the second body turns; it is a point if not.
    pub turns: bool,
    /// The axes of the second body at rest in those of the first, if they are others.
    pub axes: Option<Mat3>,
}

impl Described for Interface {
    fn fields() -> &'static [Field] {
        &[]
    }
    fn from_values(_: &mut FieldValues) -> Option<Self> {
        None
    }
    fn values(&self) -> FieldValues {
        Vec::new()
    }
    fn doc() -> &'static str {
        "Fixes an interface to a flexible body."
    }
}

impl JointElement for Interface {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    fn compose(&self, c: &mut Composer) {
        c.follow(&self.amplitudes, &self.motion, self.turns.then(|| self.axes.unwrap_or_else(Mat3::identity)));
    }
}
