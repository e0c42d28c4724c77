//! What pulls along the line between two points and has mass there: bars and cables.

use super::{Composer, Probe};
use crate::element::bar_law::{BarLaw, Strain, WhenSlack};
use crate::element::equation::{PairMass, Words};
use crate::element::switch::{Gauge, Switch};

/// A line of material between the two points of an element, as its fields say.
pub struct ElasticLine<'a> {
    /// Force per strain.
    pub stiffness: f64,
    /// Force per strain rate.
    pub damping: f64,
    /// Length without load; without it, that in the given pose.
    pub rest_length: Option<f64>,
    /// `linear` or `green`.
    pub strain: &'a str,
    /// Mass of the whole.
    pub mass: f64,
    /// `consistent` or `lumped`.
    pub inertia: &'a str,
    /// What it does where it is shorter than at rest.
    pub short: Short,
}

/// What a line does where it is shorter than at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Short {
    /// It pushes.
    Pushes,
    /// It fades over this strain.
    Fades(f64),
    /// It lets go at an instant.
    LetsGo,
}

impl Composer<'_> {
    /// The tension of a line of material between the two points, and its mass.
    pub fn elastic_line(&mut self, line: &ElasticLine) {
        let probe = self.probe_distance();
        let rest = line.rest_length.unwrap_or_else(|| self.value_in_given_pose(&probe));
        let strain = if line.strain == "green" { Strain::Green } else { Strain::Linear };
        let (stiffness, damping) = (line.stiffness, line.damping);
        let mut law = BarLaw { stiffness, damping, rest, strain, slack: WhenSlack::Pushes };
        match line.short {
            Short::Pushes => {}
            Short::Fades(width) => law.slack = WhenSlack::Smooth(width),
            Short::LetsGo => self.let_go(probe, &mut law),
        }
        let words = Words {
            label: "tension",
            value: "length",
            rate: "rate",
            strength: "force",
            power: "",
            about: None,
        };
        self.bar(probe, law, words);
        if line.mass > 0.0 {
            self.pair_mass(&PairMass::of_line(line.mass, line.inertia));
        }
    }

    /// Adds the switch that tells whether the line is taut.
    fn let_go(&mut self, probe: Probe, law: &mut BarLaw) {
        law.slack = WhenSlack::Switched(self.switches.len());
        self.switches.push(Switch {
            gauge: Gauge::Taut(*law),
            inputs: vec![probe],
            flags: Vec::new(),
            reads: Vec::new(),
            name: self.name.clone(),
            road: String::new(),
        });
    }
}
