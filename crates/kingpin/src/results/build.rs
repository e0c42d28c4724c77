//! The list of channels of a system: names, units and words.

use super::choose::{inner_nodes, is_told};
use super::fill::Source;
use super::{Channel, Group, Role};
use crate::element::basic::Basic;
use crate::element::equation::{Direction, Inertance, Term};
use crate::element::law::Strength;
use crate::model::Subject;
use crate::system::{MeasuredBy, System};
use std::collections::HashSet;

/// A channel before its item has a name of its own.
struct ChannelEntry {
    /// What stands behind the name of the item; empty for the item itself.
    name: String,
    unit: &'static str,
    group: Group,
    about: &'static str,
    role: Role,
}

impl ChannelEntry {
    /// The rate of the entry before it.
    fn rate(name: impl Into<String>, unit: &'static str, group: Group, about: &'static str) -> ChannelEntry {
        ChannelEntry { role: Role::Rate, ..entry(name, unit, group, about) }
    }
}

fn entry(name: impl Into<String>, unit: &'static str, group: Group, about: &'static str) -> ChannelEntry {
    ChannelEntry { name: name.into(), unit, group, about, role: Role::Value }
}

/// Channels and sources in order; those of a run keep account of energy.
pub(super) fn build(system: &System, run: bool) -> (Vec<Channel>, Vec<Source>) {
    let mut builder = Builder::default();
    let inner = inner_nodes(system);
    for (k, name) in system.body_names[..system.masses()].iter().enumerate() {
        let mut entries = if system.dimensions() == 2 { planar_body() } else { spatial_body() };
        if !system.nodes[k].turns() {
            entries = point(entries);
        }
        let source = Source::of_body(k, &inner);
        if let Source::Amplitude(_) = source {
            entries =
                vec![entry("", "m", Group::Position, "largest displacement of a field of the flexible body")];
        }
        entries.truncate(source.width(system));
        builder.add("body", name, &Subject::Body(k), entries);
        builder.sources.push(source);
    }
    for (k, group) in system.layout.groups.iter().enumerate() {
        if !is_told(system, &group.subject) {
            continue;
        }
        let mut entries = Vec::new();
        // joints come first among the groups
        for observed in system.joint_coordinates.get(k).into_iter().flatten() {
            let (unit, rate) = probe_units(&observed.probe);
            entries.push(entry(observed.name, unit, Group::JointCoordinate, observed.about));
            let name = format!("{}_rate", observed.name);
            entries.push(ChannelEntry::rate(
                name,
                rate,
                Group::JointCoordinate,
                "rate of the joint coordinate",
            ));
            builder.sources.push(Source::Probe(observed.probe));
        }
        if let Some(driven) = Source::of_driver(system, k) {
            entries.extend(driver(system, k));
            builder.sources.push(driven);
        }
        entries.extend(reaction(system, k));
        builder.sources.push(Source::Reaction(k));
        let kind = if matches!(group.subject, Subject::Driver(_)) { "driver" } else { "joint" };
        builder.add(kind, &group.name, &group.subject, entries);
    }
    for (k, force) in system.forces.iter().enumerate().filter(|(k, _)| !system.is_load(*k)) {
        let terms = system.terms[force.terms.clone()].iter().flat_map(force_term);
        let shown = || force.inertances.clone().filter(|&k| system.inertances[k].is_shown());
        let heavy = shown().flat_map(|k| inertance(&system.inertances[k]));
        builder.add("force", &force.name, &Subject::Force(k), terms.chain(heavy).collect());
        for k in force.terms.clone() {
            let strained = matches!(system.terms[k].strength, Strength::Bar(_)).then_some(Source::Strain(k));
            builder.sources.extend([Source::Term(k)].into_iter().chain(strained));
        }
        builder.sources.extend(shown().map(Source::Inertance));
    }
    for (k, beam) in system.beams.iter().enumerate() {
        builder.add("beam", &beam.name, &Subject::Span(k), resultants(system.dimensions()));
        builder.sources.push(Source::Beam(k));
    }
    builder.structures(system);
    builder.measures(system);
    builder.states(system);
    builder.energies(run);
    (builder.list, builder.sources)
}

/// Measures and energies of a run alone.
pub(super) fn few(system: &System) -> (Vec<Channel>, Vec<(Source, u32)>) {
    let mut builder = Builder::default();
    builder.structures(system);
    builder.measures(system);
    builder.states(system);
    builder.energies(true);
    (builder.list, builder.sources.into_iter().map(|source| (source, u32::MAX)).collect())
}

#[derive(Default)]
struct Builder {
    list: Vec<Channel>,
    sources: Vec<Source>,
    taken: HashSet<String>,
}

impl Builder {
    fn structures(&mut self, system: &System) {
        for (k, part) in system.structures.iter().enumerate() {
            let entries = vec![
                entry("energy", "J", Group::Force, "strain energy of the structure"),
                entry("stress", "Pa", Group::Force, "largest equivalent stress of its elements"),
            ];
            self.add("structure", &part.name, &Subject::Structure(k), entries);
            self.sources.push(Source::Structure(k));
        }
    }

    fn states(&mut self, system: &System) {
        for state in &system.states {
            let entries = vec![entry("", state.unit, Group::Measure, "value of the state")];
            self.add("state", &state.name, &state.subject, entries);
            self.sources.push(Source::State(state.node));
        }
        for (k, output) in system.outputs.iter().enumerate() {
            let entries = vec![entry("", "", Group::Measure, "output of the controller")];
            self.add("controller", &output.name, &output.subject, entries);
            self.sources.push(Source::Output(k));
        }
    }

    fn measures(&mut self, system: &System) {
        for (k, measure) in system.measures.iter().enumerate() {
            let mut entries = vec![entry("", measure.unit, Group::Measure, "value of the measure")];
            let unit = |probe: &Basic| match measure.unit {
                "" => "1/s",
                "m/s" => "m/s^2",
                _ => probe_units(probe).1,
            };
            let mut rate = |unit| {
                entries.push(ChannelEntry::rate("rate", unit, Group::Measure, "rate of the measure"));
            };
            let source = match measure.sight {
                MeasuredBy::Reading(reading) => Source::Reading(reading),
                MeasuredBy::Probe(probe) => {
                    rate(unit(&probe));
                    Source::Probe(probe)
                }
                MeasuredBy::Rate(probe) => {
                    rate(unit(&probe));
                    Source::Rates(probe)
                }
                MeasuredBy::Turned(way) => {
                    rate("m/s^2");
                    Source::Turned(way)
                }
            };
            self.add("measure", &measure.name, &Subject::Measure(k), entries);
            self.sources.push(source);
        }
    }

    fn energies(&mut self, run: bool) {
        let mut entries = energy();
        self.sources.push(Source::Energy);
        if run {
            entries.extend(balance());
            self.sources.push(Source::Balance);
        }
        self.add("model", "energy", &Subject::Model, entries);
    }

    /// Adds the channels of an item, all with the same prefix: none, or its kind where a name is taken.
    fn add(&mut self, kind: &str, item: &str, subject: &Subject, entries: Vec<ChannelEntry>) {
        let name = |prefix: &str, entry: &ChannelEntry| match entry.name.as_str() {
            "" => format!("{prefix}{item}"),
            own => format!("{prefix}{item}.{own}"),
        };
        let free = |prefix: &String| !entries.iter().any(|e| self.taken.contains(&name(prefix, e)));
        // names that hold dots themselves may even take the name with the kind
        let more = (2..).map(|n| format!("{kind}{n}."));
        let prefix =
            [String::new(), format!("{kind}.")].into_iter().chain(more).find(free).unwrap_or_default();
        for entry in entries {
            let name = name(&prefix, &entry);
            self.taken.insert(name.clone());
            let ChannelEntry { unit, group, about, role, .. } = entry;
            self.list.push(Channel { name, unit, group, subject: subject.clone(), role, about });
        }
    }
}

fn spatial_body() -> Vec<ChannelEntry> {
    use Group::*;
    vec![
        entry("x", "m", Position, "global x of the body frame"),
        entry("y", "m", Position, "global y of the body frame"),
        entry("z", "m", Position, "global z of the body frame"),
        entry("e0", "", Orientation, "Euler parameter: cosine of half the angle"),
        entry("e1", "", Orientation, "Euler parameter: x of the axis times the sine of half the angle"),
        entry("e2", "", Orientation, "Euler parameter: y of the axis times the sine of half the angle"),
        entry("e3", "", Orientation, "Euler parameter: z of the axis times the sine of half the angle"),
        entry("vx", "m/s", Velocity, "velocity of the body frame, global x"),
        entry("vy", "m/s", Velocity, "velocity of the body frame, global y"),
        entry("vz", "m/s", Velocity, "velocity of the body frame, global z"),
        entry("wx", "rad/s", Velocity, "angular velocity, x axis of the body"),
        entry("wy", "rad/s", Velocity, "angular velocity, y axis of the body"),
        entry("wz", "rad/s", Velocity, "angular velocity, z axis of the body"),
        entry("ax", "m/s^2", Acceleration, "acceleration of the body frame, global x"),
        entry("ay", "m/s^2", Acceleration, "acceleration of the body frame, global y"),
        entry("az", "m/s^2", Acceleration, "acceleration of the body frame, global z"),
        entry("alphax", "rad/s^2", Acceleration, "angular acceleration, x axis of the body"),
        entry("alphay", "rad/s^2", Acceleration, "angular acceleration, y axis of the body"),
        entry("alphaz", "rad/s^2", Acceleration, "angular acceleration, z axis of the body"),
    ]
}

/// What a point has of a body: nothing that turns.
fn point(body: Vec<ChannelEntry>) -> Vec<ChannelEntry> {
    let moves = |entry: &ChannelEntry| matches!(entry.unit, "m" | "m/s" | "m/s^2");
    body.into_iter().filter(moves).collect()
}

fn planar_body() -> Vec<ChannelEntry> {
    use Group::*;
    vec![
        entry("x", "m", Position, "global x of the body frame"),
        entry("y", "m", Position, "global y of the body frame"),
        entry("angle", "rad", Orientation, "angle of the body, counted over full revolutions"),
        entry("vx", "m/s", Velocity, "velocity of the body frame, global x"),
        entry("vy", "m/s", Velocity, "velocity of the body frame, global y"),
        entry("omega", "rad/s", Velocity, "angular velocity"),
        entry("ax", "m/s^2", Acceleration, "acceleration of the body frame, global x"),
        entry("ay", "m/s^2", Acceleration, "acceleration of the body frame, global y"),
        entry("alpha", "rad/s^2", Acceleration, "angular acceleration"),
    ]
}

fn reaction(system: &System, group: usize) -> Vec<ChannelEntry> {
    let on_second = system.group_places(group).is_some();
    // a rack and pinion counts the displacement of the rack first
    let row = system.layout.groups[group].rows.start;
    let on_rack = !on_second && row < system.layout.rows && !system.row_is_angle(row);
    let about = |second: &'static str, rack: &'static str, first: &'static str| match (on_second, on_rack) {
        (true, _) => second,
        (_, true) => rack,
        _ => first,
    };
    let force = about(
        "force on the second body at its joint point, global axes",
        "force on the rack, global axes",
        "force on the body of the first joint it names, global axes",
    );
    let torque = about(
        "torque on the second body about its joint point, global axes",
        "torque on the rack about its centre of mass, global axes",
        "torque on the body of the first joint it names, about its centre of mass, global axes",
    );
    let (forces, torques): (&[&str], &[&str]) = match system.dimensions() {
        2 => (&["fx", "fy"], &["t"]),
        _ => (&["fx", "fy", "fz"], &["tx", "ty", "tz"]),
    };
    let forces = forces.iter().map(|name| entry(*name, "N", Group::Reaction, force));
    forces.chain(torques.iter().map(|name| entry(*name, "N*m", Group::Reaction, torque))).collect()
}

/// What a driver does, as a number each.
fn driver(system: &System, group: usize) -> Vec<ChannelEntry> {
    use Group::{Force, JointCoordinate};
    let angle = system.driven(group).is_some_and(|(basic, _)| basic.is_angle());
    let (value, rate) = if angle { ("rad", "rad/s") } else { ("m", "m/s") };
    let (name, unit, about) = match angle {
        true => ("torque", "N*m", "torque of the driver, positive in the direction of increasing angle"),
        false => ("force", "N", "force of the driver, positive in the direction of increasing coordinate"),
    };
    vec![
        entry("stroke", value, JointCoordinate, "prescribed coordinate of the driver"),
        ChannelEntry::rate("speed", rate, JointCoordinate, "rate of the prescribed coordinate"),
        ChannelEntry { role: Role::Strength, ..entry(name, unit, Force, about) },
        entry("power", "W", Force, "power delivered to the mechanism"),
    ]
}

fn force_term(term: &Term) -> Vec<ChannelEntry> {
    let words = &term.words;
    let mut entries = Vec::with_capacity(3);
    if let Some(probe) = term.inputs.first() {
        let (unit, rate) = probe_units(probe);
        entries.push(entry(words.value, unit, Group::Force, words.about.unwrap_or(probe.about())));
        entries.push(ChannelEntry::rate(
            words.rate,
            rate,
            Group::Force,
            "rate of the coordinate on which the force acts",
        ));
    }
    let turns = match term.direction {
        Direction::Along(basic, _) => basic.is_angle(),
        Direction::Torque { .. } => true,
        Direction::BodyForce { .. } => false,
    };
    let unit = if turns { "N*m" } else { "N" };
    entries.push(ChannelEntry {
        role: Role::Strength,
        ..entry(words.strength, unit, Group::Force, words.label)
    });
    entries.push(entry(words.power, "W", Group::Force, "power delivered to the mechanism"));
    entries.retain(|entry| !entry.name.is_empty());
    if let Strength::Bar(_) = term.strength {
        entries.push(entry("strain", "", Group::Force, "strain of the bar"));
        entries.push(entry("energy", "J", Group::Force, "strain energy of the bar"));
    }
    entries
}

/// Resultants of a section in its own axes.
fn resultants(dimensions: usize) -> Vec<ChannelEntry> {
    let of = |name: &'static str, unit, about| entry(name, unit, Group::Force, about);
    let axial = of("axial", "N", "axial force in the middle of the element");
    if dimensions == 2 {
        return vec![
            axial,
            of("shear", "N", "shear force in the middle of the element"),
            of("bending", "N*m", "bending moment in the middle of the element"),
        ];
    }
    vec![
        axial,
        of("shear_y", "N", "shear force along y of the section in the middle of the element"),
        of("shear_z", "N", "shear force along z of the section in the middle of the element"),
        of("torsion", "N*m", "torsion moment in the middle of the element"),
        of("bending_y", "N*m", "bending moment about y of the section in the middle of the element"),
        of("bending_z", "N*m", "bending moment about z of the section in the middle of the element"),
    ]
}

fn inertance(inertance: &Inertance) -> Vec<ChannelEntry> {
    let (probe, words) = (&inertance.basic, &inertance.words);
    let (unit, rate) = probe_units(probe);
    let exerted = if probe.is_angle() { "N*m" } else { "N" };
    vec![
        entry(words.value, unit, Group::Force, words.about.unwrap_or(probe.about())),
        ChannelEntry::rate(words.rate, rate, Group::Force, "rate of the coordinate on which the force acts"),
        ChannelEntry { role: Role::Strength, ..entry(words.strength, exerted, Group::Force, words.label) },
    ]
}

fn energy() -> Vec<ChannelEntry> {
    vec![
        entry("kinetic", "J", Group::Energy, "kinetic energy"),
        entry(
            "potential",
            "J",
            Group::Energy,
            "potential energy of gravity, springs, beams and constant forces",
        ),
        entry("total", "J", Group::Energy, "kinetic and potential energy"),
    ]
}

fn balance() -> Vec<ChannelEntry> {
    vec![
        entry("dissipated", "J", Group::Energy, "energy dissipated since the start"),
        entry("work", "J", Group::Energy, "work of drivers and applied forces since the start"),
        entry("balance", "J", Group::Energy, "error of the energy balance"),
    ]
}

/// Units of a probed quantity and of its rate.
fn probe_units(probe: &Basic) -> (&'static str, &'static str) {
    if probe.is_angle() { ("rad", "rad/s") } else { ("m", "m/s") }
}
