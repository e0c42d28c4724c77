//! Differential.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// Couples the angles of three hinges: (1 + ratio) carrier = angle 1 + ratio angle 2, counted from the given
    /// pose. With ratio 1 the carrier rotates by the mean of its two shafts (as in the axle of a car); with the
    /// number of teeth of the ring divided by that of the sun it is a planetary gear, with the sun first. 1 equation.
    pub struct Differential {
        /// The hinge of the carrier (case, cage, planet carrier).
        carrier: String [Kind::Refer(Target::Joint)];
        /// The hinge of the first shaft, or of the sun.
        joint1: String [Kind::Refer(Target::Joint)];
        /// The hinge of the second shaft, or of the ring.
        joint2: String [Kind::Refer(Target::Joint)];
        /// Weight of the second angle relative to the first.
        ratio: f64 [Kind::Number(""), range = Range::Positive] = 1.0;
    }
}

impl JointElement for Differential {
    fn ends(&self) -> EndsKind {
        EndsKind::None
    }
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    fn couples(&self) -> Vec<&str> {
        vec![&self.carrier, &self.joint1, &self.joint2]
    }
    fn compose(&self, c: &mut Composer) {
        let named = [("carrier", &self.carrier), ("joint1", &self.joint1), ("joint2", &self.joint2)];
        for (k, (field, name)) in named.iter().enumerate() {
            if named[..k].iter().any(|(_, other)| other == name) {
                c.complain(field, format!("a differential couples three different hinges, but `{name}` is given twice"));
                return;
            }
        }
        let turns = named.map(|(field, name)| c.joint_angle(field, name));
        if let [Some(carrier), Some(first), Some(second)] = turns {
            let terms = vec![(1.0, first), (self.ratio, second), (-1.0 - self.ratio, carrier)];
            c.couple(terms, "angles in proportion");
        }
    }
}
