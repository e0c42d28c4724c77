//! What was made of cables and beams, and of which.

use crate::model::finding::{Finding, Severity, Subject};
use crate::model::{CablePart, Model};
use std::collections::HashSet;
use std::ops::Range;

/// What became of one beam.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BeamPart {
    /// Its name.
    pub name: String,
    /// The bodies at its nodes.
    pub bodies: Range<usize>,
    /// Those that have a name of their own: its ends and its points.
    pub named: Vec<usize>,
    /// Its elements.
    pub spans: Range<usize>,
    /// Joints that hold its corners together.
    pub joints: Range<usize>,
    /// Its loads, a force each node.
    pub forces: Range<usize>,
    /// What is drawn of it.
    pub shapes: Range<usize>,
    /// Order of its elements.
    pub order: usize,
    /// Length of its arc.
    pub length: f64,
    /// Its mass.
    pub mass: f64,
    /// Whether something is wrong with it, so that it stands in the model by its names alone.
    pub faulty: bool,
}

/// What was made of the cables and beams of a model: the last of its bodies, elements, joints, forces and shapes.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MadeParts {
    /// One per cable.
    pub cables: Vec<CablePart>,
    /// One per beam.
    pub parts: Vec<BeamPart>,
}

impl MadeParts {
    /// The item that a user knows: the cable or beam, for what was made of it.
    pub fn owner(&self, subject: Subject) -> Subject {
        let cable = self.cables.iter().position(|part| match &subject {
            Subject::Body(k) => part.bodies.contains(k),
            Subject::Force(k) => part.forces.contains(k),
            _ => false,
        });
        if let Some(cable) = cable {
            return Subject::Cable(cable);
        }
        let find = |k: usize, range: fn(&BeamPart) -> &Range<usize>| {
            self.parts.iter().position(|part| range(part).contains(&k))
        };
        let beam = match subject {
            Subject::Body(k) => find(k, |part| &part.bodies),
            Subject::Span(k) => find(k, |part| &part.spans),
            Subject::Joint(k) => find(k, |part| &part.joints),
            Subject::Force(k) => find(k, |part| &part.forces),
            Subject::Shape(k) => find(k, |part| &part.shapes),
            _ => None,
        };
        beam.map_or(subject, Subject::Beam)
    }

    /// Findings about items that a user knows. What was made of one cable or beam is complained of once for each field,
    /// and not at all if that is faulty itself.
    pub fn told(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut said = HashSet::new();
        let tell = |finding: Finding| {
            let owner = self.owner(finding.subject.clone());
            if owner != finding.subject {
                let error = finding.severity == Severity::Error;
                if self.is_faulty(&owner) || !said.insert((owner.clone(), finding.field, error)) {
                    return None;
                }
            }
            let related = finding.related.map(|(subject, label)| (self.owner(subject), label));
            // those of one name are complained of themselves
            let twins = related.as_ref().is_some_and(|(other, _)| {
                self.name(other).is_some() && self.name(other) == self.name(&owner)
            });
            if twins && owner != finding.subject {
                return None;
            }
            Some(Finding { subject: owner, related, ..finding })
        };
        findings.into_iter().filter_map(tell).collect()
    }

    /// Whether a cable or beam is faulty.
    fn is_faulty(&self, subject: &Subject) -> bool {
        match subject {
            Subject::Beam(k) => self.parts[*k].faulty,
            Subject::Cable(k) => self.cables[*k].faulty,
            _ => false,
        }
    }

    /// The name of a cable or beam.
    fn name(&self, subject: &Subject) -> Option<&str> {
        match subject {
            Subject::Beam(k) => Some(&self.parts[*k].name),
            Subject::Cable(k) => Some(&self.cables[*k].name),
            _ => None,
        }
    }
}

/// How many items a model has of its own, before those that were made of cables and beams.
#[doc(hidden)]
impl Model {
    pub fn own_bodies(&self) -> usize {
        let first = self.cable_parts().first().map(|cable| cable.bodies.start);
        first.unwrap_or_else(|| self.own(self.bodies.len(), |part| &part.bodies))
    }

    pub fn own_joints(&self) -> usize {
        self.own(self.joints.len(), |part| &part.joints)
    }

    pub fn own_forces(&self) -> usize {
        let first = self.cable_parts().first().map(|cable| cable.forces.start);
        first.unwrap_or_else(|| self.drawn_forces())
    }

    /// Forces without the shares of nodes in the loads of beams: those of its own and elements of cables.
    pub fn drawn_forces(&self) -> usize {
        self.own(self.forces.len(), |part| &part.forces)
    }

    /// Whether it has what is taken apart.
    pub fn has_parts(&self) -> bool {
        !self.beams.is_empty() || !self.cables.is_empty()
    }

    /// What became of its cables; nothing before they are taken apart.
    pub fn cable_parts(&self) -> &[CablePart] {
        self.made.as_ref().map_or(&[], |made| &made.cables)
    }

    pub fn own_shapes(&self) -> usize {
        self.own(self.shapes.len(), |part| &part.shapes)
    }

    fn own(&self, all: usize, range: fn(&BeamPart) -> &Range<usize>) -> usize {
        let first = self.made.as_ref().and_then(|made| made.parts.first());
        first.map_or(all, |part| range(part).start)
    }

    /// What became of its beams; nothing before they are taken apart.
    pub fn parts(&self) -> &[BeamPart] {
        self.made.as_ref().map_or(&[], |made| &made.parts)
    }
}
