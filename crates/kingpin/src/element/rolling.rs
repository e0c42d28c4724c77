//! How tyres are composed: the force, and the switches where it is not smooth.

use super::compose::{Axis, Composer};
use super::equation::{Direction, Term, Words};
use super::force::Tyre;
use super::law::{Strength, TyreLaw};
use super::road::Profile;
use super::switch::{Gauge, Switch};
use crate::expr::closest;
use crate::model::finding::Finding;

impl Composer<'_> {
    /// A tyre at the point of the element.
    pub fn push_tyre(&mut self, tyre: &Tyre) {
        let Some((name, mut road)) = self.road(tyre) else { return };
        let up = if self.is_spatial() { Axis::Z } else { Axis::Y };
        let inputs = vec![self.probe_coordinate(Axis::X), self.probe_coordinate(up)];
        let switch = |gauge, reads| Switch {
            gauge,
            inputs: inputs.clone(),
            flags: Vec::new(),
            reads,
            name: self.name.clone(),
            road: name.clone(),
        };
        // where the road is not smooth comes first: contact depends on its height
        let of = if name.is_empty() { format!("tyre `{}`", self.name) } else { format!("road `{name}`") };
        let mut switches = Vec::new();
        for site in road.split(self.switches.len()) {
            let reads = site.reads();
            switches.push(switch(Gauge::Site { site, of: of.clone(), drives: false }, reads));
        }
        let corners = road.part(self.switches.len() + switches.len());
        if !corners.is_empty() {
            let jumps = tyre.damping > 0.0 || road.jumps();
            switches.push(switch(Gauge::Bends { x: corners, variable: 1, of, jumps }, Vec::new()));
        }
        let mut law = TyreLaw {
            radius: tyre.radius,
            stiffness: tyre.stiffness,
            damping: tyre.damping,
            road,
            bump: None,
            contact: None,
        };
        if let Some(edges) = law.road.edges() {
            law.bump = Some(self.switches.len() + switches.len());
            switches.push(switch(Gauge::Bump(edges), Vec::new()));
        }
        // without stiffness and damping there is no force to switch
        if tyre.unilateral && (tyre.stiffness > 0.0 || tyre.damping > 0.0) {
            let own = self.switches.len()..self.switches.len() + switches.len();
            law.contact = Some(own.end);
            switches.push(switch(Gauge::Contact(law.clone()), own.collect()));
        }
        self.switches.append(&mut switches);
        let direction = Direction::Along(inputs[1], 1.0);
        self.terms.push(Term {
            strength: Strength::Tyre(law),
            names: vec!["x".into(), if self.is_spatial() { "z" } else { "y" }.into()],
            inputs,
            flags: Vec::new(),
            direction,
            words: Words {
                label: "tyre force",
                value: "deflection",
                rate: "deflection_rate",
                strength: "force",
                power: "",
                about: Some("deflection of the tyre, negative when it is off the road"),
            },
        });
    }

    /// Name and profile of the road; the name is empty where the model has none.
    fn road(&mut self, tyre: &Tyre) -> Option<(String, Profile)> {
        let roads = &self.model.roads;
        let found = |k: usize| Some((roads[k].name.clone(), roads[k].kind.element().profile()));
        match (&tyre.road, roads.as_slice()) {
            (None, []) => Some((String::new(), Profile::Flat(0.0))),
            (None, [_]) => found(0),
            (None, several) => {
                let names: Vec<_> = several.iter().map(|r| format!("`{}`", r.name)).collect();
                let message = "the model has several roads, so the tyre must name one";
                let finding = Finding::error(self.subject.clone(), "", message);
                self.findings.push(finding.hint(format!("add `road = …` with one of {}", names.join(", "))));
                None
            }
            (Some(name), _) => match self.given.names.roads.get(name.as_str()) {
                Some(&k) => found(k),
                None => {
                    let message = format!("there is no road called `{name}`");
                    let mut finding = Finding::error(self.subject.clone(), "road", message);
                    finding.hint = closest(name, roads.iter().map(|r| r.name.as_str()))
                        .map(|n| format!("did you mean `{n}`?"));
                    self.findings.push(finding);
                    None
                }
            },
        }
    }
}
