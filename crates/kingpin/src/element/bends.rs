//! Curves of forces with sharp bends, at which steps end.

use super::basic::Basic;
use super::compose::Composer;
use super::switch::{Gauge, Switch};
use crate::expr::Curve;

impl Composer<'_> {
    /// A curve over a variable of a probe, the value (1) or the rate (2), less `rest`; its sharp bends become a switch.
    pub(super) fn bent(&mut self, curve: Curve, probe: Basic, variable: usize, rest: f64) -> Curve {
        let bends = curve.bends();
        if bends.is_empty() {
            return curve;
        }
        let x = bends.iter().map(|&k| curve.knots()[k] + rest).collect();
        self.switches.push(Switch {
            gauge: Gauge::Bends { x, variable, of: format!("force `{}`", self.name), jumps: curve.jumps() },
            inputs: vec![probe],
            flags: Vec::new(),
            reads: Vec::new(),
            name: self.name.clone(),
            road: String::new(),
        });
        curve.parted_by(self.switches.len() - 1, bends)
    }
}
