//! Forces: one file each, composed of laws acting along directions. To add one, write its file and a line below.

use super::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::{Ends, EndsKind};

/// What every force must be able to say.
pub trait ForceElement {
    /// Which ends it has.
    fn ends(&self) -> EndsKind;
    /// Which ends it has, given the ends that were described: an element that may refer to a joint instead
    /// has none then.
    fn ends_of(&self, _: &Ends) -> EndsKind {
        self.ends()
    }
    /// In which models it makes sense.
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    /// Its terms.
    fn compose(&self, c: &mut Composer);
}

crate::element_list! {
    /// All forces.
    pub enum ForceKind: ForceElement {
        spring::Spring = "spring",
        torsion_spring::TorsionSpring = "torsion-spring",
        bushing::Bushing = "bushing",
        applied_force::AppliedForce = "force",
        applied_torque::AppliedTorque = "torque",
        tyre::Tyre = "tyre",
    }
}
