//! Angles of a rotation sequence.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Axis, Composer, Probe};
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// An angle of the sequence of three rotations from the axes of the first body (or marker) to those of the
    /// second: about an axis of the first, then about a once rotated axis, then about a twice rotated axis. The first
    /// and last angles are between -180 and 180 degrees; the second between -90 and 90 degrees, or between 0 and 180
    /// degrees if the first and last axis have the same name. At the ends of its range the first and the last axis
    /// are parallel and only the sum of their angles is determined: a model must not start in that position.
    pub struct MeasuredSequence {
        /// The axes in the order of the rotations: `zyx` gives yaw, pitch and roll, `zxz` the Euler angles.
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
