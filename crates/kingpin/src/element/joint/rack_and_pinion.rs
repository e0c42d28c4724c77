//! RackAndPinion.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// Couples a slider to a hinge: displacement = radius angle, counted from the given pose. 1 equation.
    pub struct RackAndPinion {
        /// The hinge of the pinion.
        pinion: String [Kind::Refer(Target::Joint)];
        /// The slider of the rack.
        rack: String [Kind::Refer(Target::Joint)];
        /// Pitch radius of the pinion; negative to reverse the sense.
        radius: f64 [Kind::Number("m"), range = Range::NonZero];
    }
}

impl JointElement for RackAndPinion {
    fn ends(&self) -> EndsKind {
        EndsKind::None
    }
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    fn couples(&self) -> Vec<&str> {
        vec![&self.pinion, &self.rack]
    }
    fn compose(&self, c: &mut Composer) {
        if self.pinion == self.rack {
            let message = format!("a rack couples a slide to a hinge, but both are `{}`", self.rack);
            c.complain_with_hint(
                "rack",
                message,
                "a joint whose displacement follows its own angle is a `screw`",
            );
            return;
        }
        let pair = (c.joint_angle("pinion", &self.pinion), c.joint_displacement("rack", &self.rack));
        if let (Some(turn), Some(slide)) = pair {
            c.couple(vec![(1.0, slide), (-self.radius, turn)], "displacement follows the angle");
        }
    }
}
