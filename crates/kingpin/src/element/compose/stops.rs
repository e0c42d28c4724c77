//! Coordinates of joints, and stops on them.

use super::{Composer, Probe};
use crate::element::equation::{Direction, Term, Words};
use crate::element::law::Strength;
use crate::element::stop_law::{Stop, StopsLaw};
use crate::element::switch::{Gauge, Switch};

impl Composer<'_> {
    /// The angle or the displacement of a joint, and what a force on it is called.
    pub fn joint_coordinate(&mut self, joint: &str, angle: bool) -> Option<(Probe, Words)> {
        if angle {
            Some((self.joint_angle("joint", joint)?, Words::strength("torque", "torque")))
        } else {
            Some((self.joint_displacement("joint", joint)?, Words::strength("force", "force")))
        }
    }

    /// Stops below and above on a weighted sum of one or two coordinates, with stiffness and damping. Events tell of
    /// them by the name of the owner.
    pub fn stops(
        &mut self,
        sum: &[(f64, Probe)],
        limits: [Option<f64>; 2],
        [stiffness, damping]: [f64; 2],
        (owner, words): (&str, Words),
    ) {
        let inputs: Vec<Probe> = sum.iter().map(|(_, probe)| *probe).collect();
        let mut weights = [0.0; 2];
        weights.iter_mut().zip(sum).for_each(|(to, (weight, _))| *to = *weight);
        let mut stops = Vec::new();
        for (limit, upper) in limits.into_iter().zip([false, true]) {
            let Some(limit) = limit else { continue };
            let stop = Stop { limit, upper, stiffness, damping, weights };
            stops.push((stop, self.switches.len()));
            self.switches.push(Switch {
                gauge: Gauge::Stop(stop),
                inputs: inputs.clone(),
                flags: Vec::new(),
                reads: Vec::new(),
                name: owner.into(),
                road: String::new(),
            });
        }
        let names: Vec<String> = (0..sum.len()).map(|k| format!("coordinate {}", k + 1)).collect();
        for (k, (weight, probe)) in sum.iter().enumerate() {
            let law = StopsLaw { stops: stops.clone(), accounts: k == 0 };
            self.terms.push(Term {
                strength: Strength::Stops(law),
                inputs: inputs.clone(),
                names: names.clone(),
                flags: Vec::new(),
                direction: Direction::Along(*probe, -weight),
                words: if k == 0 { words } else { Words::strength("", "") },
            });
        }
    }
}
