//! Rigid stops on coordinates of joints, and friction.

use super::{Composer, Probe};
use crate::element::equation::{Direction, Term, Words};
use crate::element::friction_law::{FrictionLaw, ThroughRest};
use crate::element::hold::{HoldKind, JointHold, NEVER, RigidStop};
use crate::element::law::Strength;
use crate::element::reading::{Reading, ReadingPart};
use crate::element::switch::{Flag, Gauge, Switch};

impl Composer<'_> {
    /// Rigid stops below and above on a coordinate of a joint; the force is what they hold with.
    pub fn rigid_stops(
        &mut self,
        (probe, words): (Probe, Words),
        limits: [Option<f64>; 2],
        restitution: f64,
        joint: &str,
    ) {
        let first = self.holds.len();
        for (limit, upper) in limits.into_iter().zip([false, true]) {
            let Some(limit) = limit else { continue };
            let stop = RigidStop { limit, upper, restitution, switch: self.switches.len() };
            self.hold(probe, HoldKind::Stop(stop), Gauge::Strike(stop), joint);
        }
        let holds = (first..self.holds.len()).collect();
        self.held_term(probe, Strength::Rigid(holds), Vec::new(), words);
    }

    /// Friction on a coordinate of a joint: of the law how it goes through rest is filled in, if it is to stick.
    pub fn friction(&mut self, (probe, words): (Probe, Words), mut law: FrictionLaw, joint: &str) {
        let mut flags = Vec::new();
        if law.reacts
            && let Some(&index) = self.given.names.joints.get(joint)
        {
            flags.push(Flag::Input(self.first_reading() + self.readings.len()));
            self.readings.push(Reading { group: index, part: ReadingPart::ForceSize });
        }
        let mut hold = None;
        if let ThroughRest::Sticks(switch) = &mut law.rest {
            *switch = self.switches.len();
            hold = Some(self.holds.len());
            self.hold(probe, HoldKind::Friction(law.clone()), Gauge::Slide, joint);
        }
        self.held_term(probe, Strength::Friction(Box::new((law, hold))), flags, words);
    }

    /// Adds what may hold a coordinate, with its switch and the place where its value is kept.
    fn hold(&mut self, probe: Probe, kind: HoldKind, gauge: Gauge, joint: &str) {
        let (switch, slot) = (self.switches.len(), self.turns.len());
        let index = self.given.names.joints.get(joint).copied().unwrap_or(0);
        self.turns.push(NEVER);
        self.holds.push(JointHold { probe, joint: index, owner: joint.into(), switch, slot, kind });
        self.switches.push(Switch {
            gauge,
            inputs: vec![probe],
            flags: Vec::new(),
            reads: Vec::new(),
            name: joint.into(),
            road: String::new(),
        });
    }

    fn held_term(&mut self, probe: Probe, strength: Strength, flags: Vec<Flag>, words: Words) {
        let (inputs, names) = (vec![probe], vec!["coordinate".to_string()]);
        let direction = Direction::Along(probe, -1.0);
        self.terms.push(Term { strength, inputs, names, flags, direction, words });
    }
}
