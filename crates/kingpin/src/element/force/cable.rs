//! Cable: a bar that pulls and never pushes.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::{Composer, ElasticLine, Short};
use crate::model::ends::EndsKind;

described! {
    /// Elastic cable between two points: a tension-only `bar`. With the strain e, the tension of a taut cable is
    /// axial_stiffness e + axial_damping de/dt, times length / rest_length for the strain of Green. For a long cable
    /// that sags, use a `[[cable]]`.
    pub struct Cable {
        /// Force per strain: Young's modulus times area.
        axial_stiffness: f64 [Kind::Number("N"), range = Range::Positive];
        /// Force per strain rate.
        axial_damping: f64 [Kind::Number("N*s"), range = Range::NonNegative] = 0.0;
        /// Length without load; default: the length in the given pose.
        rest_length: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
        /// Strain measure: `linear`, (length - rest_length) / rest_length; `green`, (length^2 - rest_length^2) / (2
        /// rest_length^2).
        strain: String [Kind::Choice(&["linear", "green"])] = "linear".to_string();
        /// How it becomes slack: `event`, at the located instant at which its tension vanishes; `smooth`, without an
        /// event: the strain is replaced by (e + sqrt(e^2 + smoothing^2)) / 2, and damping fades out with it.
        slack: String [Kind::Choice(&["event", "smooth"])] = "event".to_string();
        /// Strain over which a cable with `slack = "smooth"` becomes slack; at rest length its tension corresponds to
        /// half of it.
        smoothing: f64 [Kind::Number("1"), range = Range::Positive] = 1e-4;
        /// Mass of the whole cable.
        mass: f64 [Kind::Number("kg"), range = Range::NonNegative] = 0.0;
        /// Mass matrix: `consistent`, mass/6 [2 1; 1 2]; `lumped`, one half at each end.
        inertia: String [Kind::Choice(&["consistent", "lumped"])] = "consistent".to_string();
        /// Radius for drawing; a thin line if not given.
        radius: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
    }
}

impl ForceElement for Cable {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn is_inner(&self) -> bool {
        true
    }
    fn portrait(&self) -> Portrait {
        Portrait { symbol: ForceSymbol::Bar, radius: self.radius, ..Portrait::default() }
    }
    fn compose(&self, c: &mut Composer) {
        c.elastic_line(&ElasticLine {
            stiffness: self.axial_stiffness,
            damping: self.axial_damping,
            rest_length: self.rest_length,
            strain: &self.strain,
            mass: self.mass,
            inertia: &self.inertia,
            short: if self.slack == "smooth" { Short::Fades(self.smoothing) } else { Short::LetsGo },
        });
    }
}
