//! Gear.

use super::{JointElement, Play};
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// Couples the angles of two hinges: angle 2 = -ratio angle 1 counted from the given pose (external gears); a
    /// negative ratio couples them in the same sense (internal gears, belts). 1 equation, or with `backlash` no
    /// equation but a torque, the force `NAME.play`.
    pub struct Gear {
        /// The first hinge.
        joint1: String [Kind::Refer(Target::Joint)];
        /// The second hinge.
        joint2: String [Kind::Refer(Target::Joint)];
        /// Speed of the second divided by the speed of the first, positive for external gears.
        ratio: f64 [Kind::Number(""), range = Range::NonZero];
        /// Play between the teeth, as an angle of the second hinge, half of it on each side of the given pose. The
        /// gear is then compliant and has no equation; 0 for compliant teeth without play.
        backlash: Option<f64> [Kind::Number("rad"), range = Range::NonNegative] = None;
        /// Stiffness of the teeth in contact, at the second hinge; required with `backlash`.
        stiffness: Option<f64> [Kind::Number("N*m/rad"), range = Range::Positive] = None;
        /// Damping of the teeth in contact, at the second hinge; teeth can push but not pull.
        damping: f64 [Kind::Number("N*m*s/rad"), range = Range::NonNegative] = 0.0;
    }
}

impl JointElement for Gear {
    fn ends(&self) -> EndsKind {
        EndsKind::None
    }
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    fn couples(&self) -> Vec<&str> {
        vec![&self.joint1, &self.joint2]
    }
    fn play(&self) -> Option<Play<'_>> {
        let (width, stiffness) = (self.backlash?, self.stiffness?);
        let joints = [&self.joint1[..], &self.joint2];
        Some(Play { joints, ratio: self.ratio, width, teeth: [stiffness, self.damping] })
    }
    fn compose(&self, c: &mut Composer) {
        if self.joint1 == self.joint2 {
            c.complain("joint2", format!("a gear couples two different hinges, but both are `{}`", self.joint1));
            return;
        }
        let turns = (c.joint_angle("joint1", &self.joint1), c.joint_angle("joint2", &self.joint2));
        if self.backlash.is_some() != self.stiffness.is_some() {
            let (field, other) =
                if self.backlash.is_some() { ("backlash", "stiffness") } else { ("stiffness", "backlash") };
            c.complain(field, format!("a gear with `{field}` also needs `{other}`"));
        }
        if self.damping > 0.0 && self.backlash.is_none() {
            c.complain("damping", "a gear without `backlash` is rigid, so damping has no effect".into());
        }
        if let (Some(first), Some(second)) = turns
            && self.backlash.is_none()
        {
            c.couple(vec![(self.ratio, first), (1.0, second)], "angles in proportion");
        }
    }
}
