//! What was made of beams, superelements and structures, and of which.

use crate::model::finding::{Finding, Severity, Subject};
use crate::model::{FlexiblePart, Model, StructurePart};
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

/// What was made of the beams, superelements and structures of a model: the last of its bodies, elements, joints, forces and shapes.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MadeParts {
    /// One per beam.
    pub parts: Vec<BeamPart>,
    /// One per superelement.
    pub flexible: Vec<FlexiblePart>,
    /// One per structure.
    pub structures: Vec<StructurePart>,
}

impl MadeParts {
    /// The item that a user knows: the beam, for what was made of it.
    pub fn owner(&self, subject: Subject) -> Subject {
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
        let flexible = match subject {
            Subject::Body(k) => self.flexible.iter().position(|part| part.bodies.contains(&k)),
            Subject::Joint(k) => self.flexible.iter().position(|part| part.joints.contains(&k)),
            _ => None,
        };
        let structure = match subject {
            Subject::Body(k) => self.structures.iter().position(|part| part.bodies.contains(&k)),
            Subject::Force(k) => self.structures.iter().position(|part| part.forces.contains(&k)),
            _ => None,
        };
        let owner = beam.map(Subject::Beam).or(flexible.map(Subject::Superelement));
        owner.or(structure.map(Subject::Structure)).unwrap_or(subject)
    }

    /// Findings about items that a user knows. What was made of one beam is complained of once for each field, and
    /// not at all if the beam is faulty itself.
    pub fn told(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut said = HashSet::new();
        let tell = |finding: Finding| {
            let owner = self.owner(finding.subject.clone());
            let faulty = match &owner {
                Subject::Beam(b) => Some(self.parts[*b].faulty),
                Subject::Superelement(k) => Some(self.flexible[*k].faulty),
                Subject::Structure(k) => Some(self.structures[*k].faulty),
                _ => None,
            };
            if let (Some(faulty), true) = (faulty, owner != finding.subject) {
                let first = said.insert((owner.clone(), finding.field, finding.severity == Severity::Error));
                if faulty || !first {
                    return None;
                }
            }
            let related = finding.related.map(|(subject, label)| (self.owner(subject), label));
            // beams of one name are complained of themselves
            let name = |subject: &Subject| match subject {
                Subject::Beam(b) => Some(self.parts[*b].name.as_str()),
                Subject::Superelement(k) => Some(self.flexible[*k].name.as_str()),
                Subject::Structure(k) => Some(self.structures[*k].name.as_str()),
                _ => None,
            };
            let twins = related
                .as_ref()
                .is_some_and(|(other, _)| name(other).is_some() && name(other) == name(&owner));
            if twins && owner != finding.subject {
                return None;
            }
            Some(Finding { subject: owner, related, ..finding })
        };
        findings.into_iter().filter_map(tell).collect()
    }
}

/// How many items a model has of its own, before those that were made of beams.
#[doc(hidden)]
impl Model {
    pub fn own_bodies(&self) -> usize {
        let own = self.own(self.bodies.len(), |part| &part.bodies);
        let own = self.own_of_flexible(own, |part| &part.bodies);
        self.own_of_structures(own, |part| &part.bodies)
    }

    pub fn own_joints(&self) -> usize {
        let own = self.own(self.joints.len(), |part| &part.joints);
        self.own_of_flexible(own, |part| &part.joints)
    }

    pub fn own_forces(&self) -> usize {
        let own = self.own(self.forces.len(), |part| &part.forces);
        self.own_of_structures(own, |part| &part.forces)
    }

    pub fn own_shapes(&self) -> usize {
        self.own(self.shapes.len(), |part| &part.shapes)
    }

    fn own(&self, all: usize, range: fn(&BeamPart) -> &Range<usize>) -> usize {
        let first = self.made.as_ref().and_then(|made| made.parts.first());
        first.map_or(all, |part| range(part).start)
    }

    fn own_of_flexible(&self, own: usize, range: fn(&FlexiblePart) -> &Range<usize>) -> usize {
        self.flexible_parts().first().map_or(own, |part| own.min(range(part).start))
    }

    fn own_of_structures(&self, own: usize, range: fn(&StructurePart) -> &Range<usize>) -> usize {
        self.structure_parts().first().map_or(own, |part| own.min(range(part).start))
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
