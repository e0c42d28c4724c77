//! Some of the channels: a large model has millions, and nobody asks for all of them.

use super::fill::Source;
use super::{Channels, Group, build};
use crate::element::equation::Term;
use crate::element::law::Strength;
use crate::model::Subject;
use crate::system::{EquationGroup, System};

impl Channels {
    /// More channels than this are made only if they are asked for.
    pub const MANY: usize = 100_000;

    /// Channels that a run of the system has, all of them. O(joints + forces).
    pub fn count(system: &System) -> usize {
        let told = |(_, group): &(usize, &EquationGroup)| is_told(system, &group.subject);
        let joints = system.layout.groups.iter().enumerate().filter(told).map(|(k, _)| {
            2 * system.joint_coordinates.get(k).map_or(0, Vec::len)
                + Source::Reaction(k).width(system)
                + Source::of_driver(system, k).map_or(0, |own| own.width(system))
        });
        let shown = system.forces.iter().enumerate().filter(|(k, _)| !system.is_load(*k));
        let terms = shown.flat_map(|(_, force)| force.terms.clone());
        let terms = terms.map(|k| Source::Term(k).width(system) + Source::Strain(k).width(system));
        let inner = inner_nodes(system);
        let bodies = (0..system.masses()).map(|k| Source::of_body(k, &inner).width(system));
        let heavy = system.inertances.iter().filter(|inertance| inertance.is_shown()).count();
        let beams = (0..system.beams.len()).map(|k| Source::Beam(k).width(system));
        let forces = terms.sum::<usize>() + 3 * heavy + beams.sum::<usize>() + 2 * system.structures.len();
        let rates = system.measures.iter().filter(|measure| measure.has_rate()).count();
        let read = system.measures.len() + rates + system.states.len() + system.outputs.len();
        bodies.sum::<usize>() + joints.sum::<usize>() + forces + read + 6
    }

    /// The channels of a run that are wanted: those whose names match one of the patterns, in which `*` stands for
    /// any text; without patterns all, or of a model with more than [`Channels::MANY`] none but those of measures.
    /// Energies are always among them.
    pub fn wanted(system: &System, patterns: &[String]) -> Channels {
        if patterns.is_empty() && Channels::count(system) <= Channels::MANY {
            return Channels::of_run(system);
        }
        if patterns.is_empty() {
            let (list, sources) = build::few(system);
            return Channels::from_parts(list, sources);
        }
        let all = Channels::of_run(system);
        let wanted = |k: usize| {
            let channel = &all.list[k];
            channel.group == Group::Energy
                || patterns.iter().any(|pattern| matches(pattern.trim(), &channel.name))
        };
        let (mut first, mut kept) = (0, Vec::new());
        for (source, _) in &all.sources {
            let width = source.width(system);
            let mask = (0..width).filter(|&i| wanted(first + i)).fold(0, |mask, i| mask | 1 << i);
            if mask != 0 {
                kept.push((*source, mask));
            }
            first += width;
        }
        let list = (0..all.list.len()).filter(|&k| wanted(k)).map(|k| all.list[k].clone()).collect();
        Channels::from_parts(list, kept)
    }
}

/// What a node is inside of a flexible body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum InnerNode {
    /// Nothing: it has a name that users know.
    No,
    /// A node of a beam or cable.
    Node,
    /// A node of a structure.
    Cell,
    /// An amplitude.
    Amplitude,
}

/// Which bodies are nodes inside of flexible bodies.
pub(super) fn inner_nodes(system: &System) -> Vec<InnerNode> {
    let mut inner = vec![InnerNode::No; system.bodies()];
    for part in &system.parts {
        inner[part.bodies.clone()].fill(InnerNode::Node);
        part.named.iter().for_each(|&k| inner[k] = InnerNode::No);
    }
    for cable in &system.cables {
        inner[cable.bodies.start + 1..cable.bodies.end - 1].fill(InnerNode::Node);
    }
    for part in &system.structures {
        inner[part.bodies.clone()].fill(InnerNode::Cell);
        part.named.iter().for_each(|&k| inner[k] = InnerNode::No);
    }
    system.amplitudes().for_each(|node| inner[node] = InnerNode::Amplitude);
    inner
}

/// Whether a joint, or driver, exerts something that is told: not where an interface hangs on its flexible body.
pub(super) fn is_told(system: &System, subject: &Subject) -> bool {
    let Subject::Joint(k) = subject else { return true };
    !system.floating.iter().any(|body| body.joints.contains(k))
}

impl Source {
    /// What is shown of a body.
    pub(super) fn of_body(k: usize, inner: &[InnerNode]) -> Source {
        match inner[k] {
            InnerNode::No => Source::Body(k),
            InnerNode::Node => Source::Pose(k),
            InnerNode::Cell => Source::Place(k),
            InnerNode::Amplitude => Source::Amplitude(k),
        }
    }

    /// What is shown of a group of equations as a driver, if it is one.
    pub(super) fn of_driver(system: &System, group: usize) -> Option<Source> {
        system.driven(group).map(|_| Source::Driver(group))
    }

    /// How many channels it fills.
    pub(super) fn width(&self, system: &System) -> usize {
        let planar = system.dimensions() == 2;
        let shown = |term: &Term| {
            let words = &term.words;
            let names = [words.value, words.rate, words.strength, words.power];
            let first = if term.inputs.is_empty() { 2 } else { 0 };
            names[first..].iter().filter(|name| !name.is_empty()).count()
        };
        match self {
            Source::Body(k) => match (system.nodes[*k].turns(), planar) {
                (true, true) => 9,
                (true, false) => 19,
                // place, velocity and acceleration
                (false, _) => 3 * system.dimensions(),
            },
            Source::Pose(_) if planar => 3,
            Source::Pose(_) => 7,
            Source::Place(_) => system.dimensions(),
            Source::Amplitude(_) | Source::State(_) | Source::Output(_) | Source::Reading(_) => 1,
            Source::Probe(_) | Source::Rates(_) | Source::Turned(_) | Source::Structure(_) => 2,
            Source::Reaction(_) => {
                if planar {
                    3
                } else {
                    6
                }
            }
            Source::Term(k) => shown(&system.terms[*k]),
            Source::Strain(k) if matches!(system.terms[*k].strength, Strength::Bar(_)) => 2,
            Source::Strain(_) => 0,
            Source::Driver(_) => 4,
            Source::Beam(_) if planar => 3,
            Source::Beam(_) => 6,
            Source::Inertance(_) | Source::Energy | Source::Balance => 3,
        }
    }
}

/// Whether a name matches a pattern in which `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let parts: Vec<&str> = rest.split('*').collect();
    let Some((last, middle)) = parts.split_last() else { return false };
    for part in middle {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, name) in
            [("*", "a.x"), ("a.*", "a.x"), ("*.x", "link12.x"), ("l*1*.x", "link12.x"), ("a.x", "a.x")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("a", "a.x"), ("*.x", "a.xy"), ("b*", "a.x"), ("a*a", "a"), ("l*3*.x", "link12.x")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
