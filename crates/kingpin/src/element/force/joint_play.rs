//! Play between two hinges that mesh, as a gear with backlash asks for.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::element::equation::Words;
use crate::model::ends::EndsKind;

described! {
    /// Stops on ratio angle 1 + angle 2, counted from the given pose, at half the width on either side.
    pub struct JointPlay {
        /// The gear, for messages.
        owner: String [Kind::Text];
        /// The first hinge.
        joint1: String [Kind::Refer(Target::Joint)];
        /// The second hinge.
        joint2: String [Kind::Refer(Target::Joint)];
        /// Weight of the first angle.
        ratio: f64 [Kind::Number(""), range = Range::NonZero];
        /// Width of the play.
        width: f64 [Kind::Number("rad"), range = Range::NonNegative];
        /// Torque on the second hinge per angle of it.
        stiffness: f64 [Kind::Number("*"), range = Range::NonNegative] = 0.0;
        /// Torque on the second hinge per angular speed of it.
        damping: f64 [Kind::Number("*"), range = Range::NonNegative] = 0.0;
    }
}

impl ForceElement for JointPlay {
    fn ends(&self) -> EndsKind {
        EndsKind::None
    }
    fn joint(&self) -> Option<&str> {
        Some(&self.joint2)
    }
    fn portrait(&self) -> Portrait {
        Portrait::of_law(ForceSymbol::Ring, (self.stiffness, None), (self.damping, None))
    }
    fn compose(&self, c: &mut Composer) {
        // the gear has complained if there is no such hinge
        let complaints = c.findings.len();
        let turns = (c.joint_angle("joint1", &self.joint1), c.joint_angle("joint2", &self.joint2));
        c.findings.truncate(complaints);
        let (Some(first), Some(second)) = turns else { return };
        let middle = self.ratio * c.value_in_given_pose(&first) + c.value_in_given_pose(&second);
        let limits = [middle - 0.5 * self.width, middle + 0.5 * self.width].map(Some);
        let words = Words::strength("torque on the second hinge, against its angle", "torque");
        // the second hinge first: its torque is what is shown
        let sum = [(1.0, second), (self.ratio, first)];
        c.stops(&sum, limits, [self.stiffness, self.damping], (&self.owner, words));
    }
}
