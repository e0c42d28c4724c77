//! Angles of a rotation sequence.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Axis, Composer, Probe};
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// An angle of the three turns that make the axes of the second body (or marker) of those of the first: about an axis
    /// of the first, then about an axis that was turned with it, then about one that was turned twice. First and last
    /// angles lie between minus and plus half a turn; the second between minus and plus a quarter, or between 0 and half a
    /// turn if the first axis is the last. At the ends of its range the first and the last axis are parallel and their
    /// angles are not known apart: a model must not start in that position.
    pub struct MeasuredSequence {
        /// The axes, in the order of the turns: `zyx` are yaw, pitch and roll, `zxz` Euler's angles.
        sequence: String [Kind::Choice(&[
            "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz",
        ])];
        /// Which of its angles.
        angle: String [Kind::Choice(&["first", "second", "third"])];
    }
}

impl MeasureElement for MeasuredSequence {
    fn ends(&self) -> EndsKind {
        EndsKind::OwnFrames
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn unit(&self) -> &'static str {
        "rad"
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        let axis = |letter| match letter {
            'x' => Axis::X,
            'y' => Axis::Y,
            _ => Axis::Z,
        };
        let axes: Vec<Axis> = self.sequence.chars().map(axis).collect();
        let angle = ["first", "second", "third"].iter().position(|word| *word == self.angle)?;
        let axes: [Axis; 3] = axes.try_into().ok()?;
        c.is_spatial().then(|| c.probe_sequence(axes, angle))
    }
}
