//! Linear actuator: a cylinder that is told its force.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::element::equation::Words;
use crate::model::ends::{Ends, EndsKind};
use crate::model::function::Function;

described! {
    /// A cylinder or another linear actuator between two points, or along the displacement of a joint. Its force is
    /// given, positive when it pushes the points apart or increases the displacement; a driver prescribes the stroke
    /// instead. Its power is the power delivered to the mechanism.
    pub struct Actuator {
        /// The joint on whose displacement it acts, instead of its own ends.
        joint: Option<String> [Kind::Refer(Target::Joint)] = None;
        /// Force as a function of time `t`, `stroke`, `speed` and measures.
        force: Function [Kind::Function { unit: "N", variables: &[("t", "s"), ("stroke", "m"), ("speed", "m/s")], measures: true }];
    }
}

impl ForceElement for Actuator {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn ends_of(&self, ends: &Ends) -> EndsKind {
        // on a joint it needs no ends; if it has some all the same, they are resolved and `compose` complains
        if self.joint.is_some() && *ends == Ends::default() { EndsKind::None } else { self.ends() }
    }
    fn joint(&self) -> Option<&str> {
        self.joint.as_deref()
    }
    fn portrait(&self) -> Portrait {
        Portrait { symbol: ForceSymbol::Damper, ..Portrait::default() }
    }
    fn compose(&self, c: &mut Composer) {
        if self.joint.is_some() && c.places.is_some() {
            c.complain("joint", "give either `joint` or ends, not both".into());
            return;
        }
        let probe = match &self.joint {
            Some(joint) => c.joint_displacement("joint", joint),
            None => Some(c.probe_distance()),
        };
        let Some(probe) = probe else { return };
        c.actuate(probe, &self.force, Words::actuator("push", "force"));
    }
}
