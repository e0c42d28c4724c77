//! Inerter: a force in proportion to relative acceleration.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::element::equation::Words;
use crate::model::ends::EndsKind;

described! {
    /// Inerter between two points, as in suspensions: a flywheel driven by the relative motion of its ends. The
    /// tension, positive when it pulls the points together, is inertance times the second time derivative of their
    /// distance; it stores the kinetic energy 1/2 inertance rate^2. It has no weight and no force at rest.
    pub struct Inerter {
        /// Force per acceleration.
        inertance: f64 [Kind::Number("kg"), range = Range::Positive];
    }
}

impl ForceElement for Inerter {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn portrait(&self) -> Portrait {
        Portrait { symbol: ForceSymbol::Damper, ..Portrait::default() }
    }
    fn compose(&self, c: &mut Composer) {
        let words = Words { label: "tension", value: "length", rate: "rate", strength: "force", power: "", about: None };
        let probe = c.probe_distance();
        c.inertance(probe, self.inertance, words);
    }
}
