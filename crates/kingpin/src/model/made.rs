//! Fittings of joints, cables, beams, superelements, structures, states and controllers are taken apart; what was made of
//! which.

use super::controller::{OutputPart, SamplerPart, StatePart};
use super::finding::{Finding, Severity, Subject};
use super::{
    BeamPart, CablePart, FittedPart, FlexiblePart, Model, StructurePart, beam, controller, fitting,
    long_cable, structure, superelement,
};
use std::collections::HashSet;
use std::ops::Range;

/// What was made of the cables, beams, superelements, structures, states and controllers of a model: the last of its bodies,
/// elements, joints, forces and shapes.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MadeParts {
    /// One per joint that is fitted with something.
    pub fitted: Vec<FittedPart>,
    /// One per cable.
    pub cables: Vec<CablePart>,
    /// One per beam.
    pub parts: Vec<BeamPart>,
    /// One per superelement.
    pub flexible: Vec<FlexiblePart>,
    /// One per structure.
    pub structures: Vec<StructurePart>,
    /// Those of the user, then those inside controllers; their bodies are the last.
    pub states: Vec<StatePart>,
    /// Outputs of controllers, in their order.
    pub outputs: Vec<OutputPart>,
    /// Controllers that work at samples.
    pub samplers: Vec<SamplerPart>,
}

/// No bodies.
static NOTHING: Range<usize> = 0..0;

/// What items of any kind have in common that are taken apart.
struct AnyPart<'a> {
    subject: Subject,
    name: &'a str,
    faulty: bool,
    bodies: &'a Range<usize>,
    spans: Range<usize>,
    joints: Range<usize>,
    forces: Range<usize>,
    shapes: Range<usize>,
}

impl AnyPart<'_> {
    /// Whether something is made of it.
    fn owns(&self, subject: &Subject) -> bool {
        match subject {
            Subject::Body(k) => self.bodies.contains(k),
            Subject::Span(k) => self.spans.contains(k),
            Subject::Joint(k) => self.joints.contains(k),
            Subject::Force(k) => self.forces.contains(k),
            Subject::Shape(k) => self.shapes.contains(k),
            _ => false,
        }
    }
}

impl MadeParts {
    /// All of them, whatever they are.
    fn all(&self) -> impl Iterator<Item = AnyPart<'_>> {
        let fitted = self.fitted.iter().map(|part| AnyPart {
            subject: Subject::Joint(part.joint),
            name: "",
            faulty: false,
            bodies: &NOTHING,
            spans: 0..0,
            joints: 0..0,
            forces: part.forces.clone(),
            shapes: 0..0,
        });
        let cables = self.cables.iter().enumerate().map(|(k, part)| AnyPart {
            subject: Subject::Cable(k),
            name: &part.name,
            faulty: part.faulty,
            bodies: &part.bodies,
            spans: 0..0,
            joints: 0..0,
            forces: part.forces.clone(),
            shapes: 0..0,
        });
        let beams = self.parts.iter().enumerate().map(|(k, part)| AnyPart {
            subject: Subject::Beam(k),
            name: &part.name,
            faulty: part.faulty,
            bodies: &part.bodies,
            spans: part.spans.clone(),
            joints: part.joints.clone(),
            forces: part.forces.clone(),
            shapes: part.shapes.clone(),
        });
        let flexible = self.flexible.iter().enumerate().map(|(k, part)| AnyPart {
            subject: Subject::Superelement(k),
            name: &part.name,
            faulty: part.faulty,
            bodies: &part.bodies,
            spans: 0..0,
            joints: part.joints.clone(),
            forces: 0..0,
            shapes: 0..0,
        });
        let structures = self.structures.iter().enumerate().map(|(k, part)| AnyPart {
            subject: Subject::Structure(k),
            name: &part.name,
            faulty: part.faulty,
            bodies: &part.bodies,
            spans: 0..0,
            joints: 0..0,
            forces: part.forces.clone(),
            shapes: 0..0,
        });
        let states = self.states.iter().map(|part| AnyPart {
            subject: part.subject.clone(),
            name: &part.name,
            faulty: false,
            bodies: &part.body,
            spans: 0..0,
            joints: 0..0,
            forces: 0..0,
            shapes: 0..0,
        });
        fitted.chain(cables).chain(beams).chain(flexible).chain(structures).chain(states)
    }

    /// The item that a user knows: the cable, beam, superelement or structure, for what was made of it.
    pub fn owner(&self, subject: Subject) -> Subject {
        self.all().find(|part| part.owns(&subject)).map_or(subject, |part| part.subject)
    }

    /// Findings about items that a user knows. What was made of one of them is complained of once for each field, and not
    /// at all if that is faulty itself.
    pub fn told(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut said = HashSet::new();
        let part = |subject: &Subject| self.all().find(|part| part.subject == *subject);
        let name = |subject: &Subject| part(subject).map(|part| part.name);
        let tell = |finding: Finding| {
            let owner = self.owner(finding.subject.clone());
            let inside = owner != finding.subject;
            if inside {
                let error = finding.severity == Severity::Error;
                let faulty = part(&owner).is_some_and(|part| part.faulty);
                if faulty || !said.insert((owner.clone(), finding.field, error)) {
                    return None;
                }
            }
            let related = finding.related.map(|(subject, label)| (self.owner(subject), label));
            // those of one name are complained of themselves
            let twins = related
                .as_ref()
                .is_some_and(|(other, _)| name(other).is_some() && name(other) == name(&owner));
            if twins && inside {
                return None;
            }
            Some(Finding { subject: owner, related, ..finding })
        };
        findings.into_iter().filter_map(tell).collect()
    }
}

impl Model {
    /// The model with bodies weighed that have the mass of their shapes, and with fittings of joints, its cables, beams,
    /// superelements, structures and controllers taken apart, in this order: bodies and what is between them, behind all
    /// that it has of its own, and states as scalar bodies behind these. Those that something is wrong with stand in it
    /// by their names alone. O(nodes).
    pub fn expand(mut self) -> (Model, Vec<Finding>) {
        let mut findings = self.weigh();
        if self.made.is_some() || !self.has_parts() {
            return (self, findings);
        }
        let fitted = fitting::take_apart(&mut self);
        let (cables, of_cables) = long_cable::take_apart(&mut self);
        findings.extend(of_cables);
        let (parts, of_beams) = beam::take_apart(&mut self);
        findings.extend(of_beams);
        let flexible = superelement::take_apart(&mut self);
        let (structures, of_structures) = structure::take_apart(&mut self);
        findings.extend(of_structures);
        let (made, of_controllers) = controller::take_apart(&mut self);
        findings.extend(of_controllers);
        let controller::MadeStates { states, outputs, samplers } = made;
        self.made =
            Some(MadeParts { fitted, cables, parts, flexible, structures, states, outputs, samplers });
        (self, findings)
    }

    /// Whether it has items of a kind that is taken apart.
    #[doc(hidden)]
    pub fn has_parts(&self) -> bool {
        let none = self.cables.is_empty() && self.beams.is_empty();
        let still = self.states.is_empty() && self.controllers.is_empty();
        let fitted = self.joints.iter().any(fitting::makes_forces);
        !(none && still && self.superelements.is_empty() && self.structures.is_empty()) || fitted
    }

    /// Whether it has items that are to be taken apart, or bodies that are to be weighed.
    pub(crate) fn is_whole(&self) -> bool {
        self.made.is_none() && self.has_parts() || self.has_weights()
    }

    /// How many items it has that parts may be made of.
    pub(super) fn counts(&self) -> [usize; 5] {
        [self.bodies.len(), self.spans.len(), self.joints.len(), self.forces.len(), self.shapes.len()]
    }
}

/// How many items a model has of its own, before those that were made of others.
#[doc(hidden)]
impl Model {
    pub fn own_bodies(&self) -> usize {
        self.own(self.bodies.len(), |part| part.bodies.clone())
    }

    pub fn own_joints(&self) -> usize {
        self.own(self.joints.len(), |part| part.joints.clone())
    }

    pub fn own_forces(&self) -> usize {
        self.own(self.forces.len(), |part| part.forces.clone())
    }

    pub fn own_shapes(&self) -> usize {
        self.own(self.shapes.len(), |part| part.shapes.clone())
    }

    /// Forces without the shares of nodes in the loads of beams: those of its own, of joints, and the elements of cables.
    pub fn drawn_forces(&self) -> usize {
        let fitted = self.made.as_ref().and_then(|made| made.fitted.last());
        let drawn = fitted.map_or_else(|| self.own_forces(), |part| part.forces.end);
        self.cable_parts().last().map_or(drawn, |cable| cable.forces.end)
    }

    /// The least number of what was made of parts; all where nothing was.
    fn own(&self, all: usize, range: fn(&AnyPart) -> Range<usize>) -> usize {
        let ranges = self.made.iter().flat_map(MadeParts::all).map(|part| range(&part));
        ranges.filter(|range| !range.is_empty()).map(|range| range.start).min().unwrap_or(all)
    }

    /// What became of its cables; nothing before they are taken apart.
    pub fn cable_parts(&self) -> &[CablePart] {
        self.made.as_ref().map_or(&[], |made| &made.cables)
    }

    /// What became of its states; nothing before they are taken apart.
    pub fn state_parts(&self) -> &[StatePart] {
        self.made.as_ref().map_or(&[], |made| &made.states)
    }

    /// What became of its structures; nothing before they are taken apart.
    pub fn structure_parts(&self) -> &[StructurePart] {
        self.made.as_ref().map_or(&[], |made| &made.structures)
    }

    /// What became of its superelements; nothing before they are taken apart.
    pub fn flexible_parts(&self) -> &[FlexiblePart] {
        self.made.as_ref().map_or(&[], |made| &made.flexible)
    }

    /// What became of its beams; nothing before they are taken apart.
    pub fn parts(&self) -> &[BeamPart] {
        self.made.as_ref().map_or(&[], |made| &made.parts)
    }
}
