//! Gear.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// Couples the angles of two hinges: angle 2 = -ratio angle 1 counted from the given pose (external gears);
    /// a negative ratio couples them in the same sense (internal gears, belts). 1 equation.
    pub struct Gear {
        /// The first hinge.
        joint1: String [Kind::Refer(Target::Joint)];
        /// The second hinge.
        joint2: String [Kind::Refer(Target::Joint)];
        /// Speed of the second over the speed of the first, taken positive for external gears.
        ratio: f64 [Kind::Number(""), range = Range::NonZero];
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
    fn compose(&self, c: &mut Composer) {
        if self.joint1 == self.joint2 {
            c.complain("joint2", format!("a gear couples two hinges, but both are `{}`", self.joint1));
            return;
        }
        let turns = (c.joint_angle("joint1", &self.joint1), c.joint_angle("joint2", &self.joint2));
        if let (Some(first), Some(second)) = turns {
            c.couple(vec![(self.ratio, first), (1.0, second)], "angles in proportion");
        }
    }
}
