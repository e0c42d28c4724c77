//! From a model to a system: names to numbers, elements to equations.

use super::given_state::{flags, initial_state, node_kinds};
use super::layout::Layout;
use super::{
    Compiled, ForceGroup, HeldSystems, Measured, MeasuredBy, Nodes, Sampler, System, beam_elements,
    cell_elements, first_order, floating_bodies, masses, start,
};
use crate::element::articulation::Articulation;
use crate::element::basic::Basic;
use crate::element::bind::{Bound, reading_place};
use crate::element::carrier;
use crate::element::compose::{Composer, JointPlace};
use crate::element::equation::{Equation, Inertance, PointMass, Term};
use crate::element::hold::JointHold;
use crate::element::joint::Observed;
use crate::element::law::Strength;
use crate::element::place::{Given, Place, Resolver};
use crate::element::reading::Reading;
use crate::element::switch::{Flag, Gauge, Switch};
use crate::element::turned::turned;
use crate::linalg::Arithmetic;
use crate::model::finding::{Finding, Severity, Subject};
use crate::model::{Ends, EndsKind, Model, validate};
use crate::threads;
use crate::topology::Wish;

/// Compiles a model; all findings together.
pub(super) fn compile(model: &Model) -> Compiled {
    let given = Given::new(model);
    let mut findings = validate::validate(model, &given);
    let mut parts = Compiler::new(model, &given);
    let joints = parts.joint_places();
    let measures = parts.measures(&joints);
    // events are the first switches, in the order of the model
    parts.events(&joints, &measures);
    let groups = parts.groups(&joints, &measures);
    let (mut terms, inertances, forces) = parts.forces(&joints, &measures);
    terms.append(&mut parts.states(&joints, &measures));
    let (samplers, outputs) = (parts.samplers(&joints, &measures), parts.outputs(&joints, &measures));
    let (joint_coordinates, articulations) = (parts.joint_coordinates(&joints), parts.articulations(&joints));
    let (turns, switches) = (std::mem::take(&mut parts.turns), std::mem::take(&mut parts.switches));
    findings.extend(parts.findings.drain(..).chain(masses::massless(model, &parts.masses)));
    if findings.iter().any(|f| f.severity == Severity::Error) {
        return Err(findings);
    }
    let nodes = Nodes::new(model.space, node_kinds(model));
    let mut given_state = initial_state(model, &given, turns);
    given_state.inputs.extend(samplers.iter().flat_map(Sampler::start));
    given_state.inputs.resize(given_state.inputs.len() + parts.readings.len(), 0.0);
    let beams = beam_elements::compiled(model, &given, &nodes, &given_state);
    let (cells, floating) = (cell_elements::compiled(model), floating_bodies::compiled(model));
    let states = first_order::nodes(model, &terms, &switches);
    let layout = Layout::new(&nodes, groups, &terms, &inertances, (&beams, &cells, &floating));
    let inertia = floating_bodies::unweighed(&floating, masses::inertias(model, &parts.masses));
    let first_reading = given_state.inputs.len() - parts.readings.len();
    let [forces_read, reads_bend, reads_in_switches] = read(&terms, &switches, first_reading);
    let system = System {
        arithmetic: Arithmetic::Fastest,
        grain: threads::GRAIN,
        subdivision: None,
        memory: None,
        space: model.space,
        body_names: model.bodies.iter().map(|b| b.name.clone()).collect(),
        nodes,
        inertia,
        coms: model.bodies.iter().map(|b| b.centre().into()).collect(),
        gravity: model.gravity.into(),
        layout,
        terms,
        inertances,
        beams,
        cells,
        floating,
        forces,
        switches,
        states,
        samplers,
        outputs,
        holds: parts.holds,
        active: Vec::new(),
        held_systems: HeldSystems::default(),
        readings: parts.readings,
        forces_read,
        reads_bend,
        reads_in_switches,
        joint_places: joints.iter().map(|j| j.places).collect(),
        driver_places: parts.driver_places,
        articulations,
        wishes: model.joints.iter().map(|j| wish(j.start.tree)).collect(),
        held: Vec::new(),
        placed: vec![false; model.bodies.len()],
        joint_coordinates,
        measures: measured(model, &given, &measures),
        parts: model.parts().to_vec(),
        structures: model.structure_parts().to_vec(),
        cables: model.cable_parts().to_vec(),
        substructures: model.substructures.iter().map(|own| own.name.clone()).collect(),
        substructure_of: crate::model::substructure::resolve(model, &mut Vec::new()),
        inputs: model.inputs.iter().map(|input| input.name.clone()).collect(),
        given: given_state,
        fixed: model.bodies.iter().flat_map(|b| flags(&b.fixed, b, model.space)).collect(),
        fixed_velocity: model.bodies.iter().flat_map(|b| flags(&b.fixed_velocity, b, model.space)).collect(),
    };
    started(model, system, findings)
}

/// Whether forces read reactions, whether some bend with them, and whether switches read them.
fn read(terms: &[Term], switches: &[Switch], first_reading: usize) -> [bool; 3] {
    let reads =
        |flags: &[Flag]| flags.iter().any(|flag| matches!(flag, Flag::Input(k) if *k >= first_reading));
    let bends = |term: &Term| reads(&term.flags) && !matches!(term.strength, Strength::Friction(_));
    let any = |of: &dyn Fn(&Term) -> bool| terms.iter().any(of);
    [any(&|term| reads(&term.flags)), any(&bends), switches.iter().any(|switch| reads(&switch.flags))]
}

/// The system with its bodies placed where joints want them at the start.
fn started(model: &Model, mut system: System, mut findings: Vec<Finding>) -> Compiled {
    findings.append(&mut start::wish_findings(model, &system));
    if findings.iter().any(|f| f.severity == Severity::Error) {
        return Err(findings);
    }
    system.held = start::held(model, &system);
    // bodies are placed with equations that may depend on pieces, which may depend on where bodies are
    system.settle_given();
    system.place_start(model);
    findings.append(&mut start::coincident(&system));
    if findings.iter().any(|f| f.severity == Severity::Error) {
        return Err(findings);
    }
    system.settle_given();
    findings.append(&mut validate::warnings(model, &system));
    Ok((system, findings))
}

/// Goes over the elements of a model, carrying reference angles and complaints along.
pub(super) struct Compiler<'a> {
    pub(super) model: &'a Model,
    pub(super) given: &'a Given,
    findings: Vec<Finding>,
    turns: Vec<f64>,
    switches: Vec<Switch>,
    holds: Vec<JointHold>,
    readings: Vec<Reading>,
    masses: Vec<PointMass>,
    driver_places: Vec<Option<[Place; 2]>>,
}

/// An element at work: who it is and where it is attached.
pub(super) struct Attached {
    pub(super) subject: Subject,
    pub(super) places: Option<[Place; 2]>,
    pub(super) by_markers: bool,
}

impl<'a> Compiler<'a> {
    fn new(model: &'a Model, given: &'a Given) -> Compiler<'a> {
        let (findings, turns, switches) = (Vec::new(), Vec::new(), Vec::new());
        let (holds, readings, masses, driver_places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Compiler { model, given, findings, turns, switches, holds, readings, masses, driver_places }
    }

    /// The frames of an element; `None` after a complaint.
    fn attach(&mut self, subject: Subject, ends: &Ends, kind: EndsKind) -> Option<Attached> {
        let mut resolver = Resolver { model: self.model, given: self.given, findings: Vec::new() };
        let places = match kind {
            EndsKind::None => Some((None, false)),
            EndsKind::One => resolver.one(&subject, ends).map(|p| (Some(p), ends.marker.is_some())),
            _ => resolver.pair(&subject, ends, kind).map(|(p, both)| (Some(p), both)),
        };
        self.findings.append(&mut resolver.findings);
        places.map(|(places, by_markers)| Attached { subject, places, by_markers })
    }

    /// A workbench for one element; `finish` takes its results back.
    pub(super) fn composer<'b>(
        &mut self,
        at: Attached,
        name: &str,
        joints: &'b [JointPlace],
        measures: &'b [Option<Basic>],
    ) -> Composer<'b>
    where
        'a: 'b,
    {
        Composer {
            model: self.model,
            given: self.given,
            joints,
            measures,
            subject: at.subject,
            name: name.into(),
            places: at.places,
            by_markers: at.by_markers,
            turns: std::mem::take(&mut self.turns),
            equations: Vec::new(),
            terms: Vec::new(),
            inertances: Vec::new(),
            masses: std::mem::take(&mut self.masses),
            switches: std::mem::take(&mut self.switches),
            holds: std::mem::take(&mut self.holds),
            readings: std::mem::take(&mut self.readings),
            findings: Vec::new(),
        }
    }

    pub(super) fn finish(&mut self, composer: Composer) {
        self.turns = composer.turns;
        self.switches = composer.switches;
        self.holds = composer.holds;
        self.readings = composer.readings;
        self.masses = composer.masses;
        self.findings.extend(composer.findings);
    }

    /// Whether an element finds the axes that it uses; complains if not.
    fn check_axes(
        &mut self,
        subject: Subject,
        ends: &Ends,
        parts: (&[Equation], &[Term], Option<&Basic>),
    ) -> bool {
        let found = carrier::complaint((self.model, self.given), &subject, ends, parts);
        let sound = found.is_none();
        self.findings.extend(found);
        sound
    }

    fn joint_places(&mut self) -> Vec<JointPlace> {
        let mut all = Vec::with_capacity(self.model.joints.len());
        for (k, joint) in self.model.joints.iter().enumerate() {
            let at = self.attach(Subject::Joint(k), &joint.ends, joint.kind.element().ends());
            let faulty = at.is_none();
            let (places, by_markers) = at.map_or((None, false), |a| (a.places, a.by_markers));
            all.push(JointPlace { places, by_markers, faulty });
        }
        all
    }

    fn measures(&mut self, joints: &[JointPlace]) -> Vec<Option<Basic>> {
        let mut all = Vec::with_capacity(self.model.measures.len());
        for (k, measure) in self.model.measures.iter().enumerate() {
            let element = measure.kind.element();
            let Some(at) = self.attach(Subject::Measure(k), &measure.ends, element.ends()) else {
                all.push(None);
                continue;
            };
            let mut composer = self.composer(at, &measure.name, joints, &[]);
            let probe = element.compose(&mut composer);
            let reading = element.reading(&mut composer);
            composer.readings.extend(reading);
            self.finish(composer);
            let sound = self.check_axes(Subject::Measure(k), &measure.ends, (&[], &[], probe.as_ref()));
            all.push(probe.filter(|_| sound));
        }
        all
    }

    fn groups(
        &mut self,
        joints: &[JointPlace],
        measures: &[Option<Basic>],
    ) -> Vec<(Subject, String, Vec<Equation>)> {
        let mut groups = Vec::with_capacity(joints.len() + self.model.drivers.len());
        for (k, (joint, place)) in self.model.joints.iter().zip(joints).enumerate() {
            if place.faulty {
                continue;
            }
            let (places, by_markers) = (place.places, place.by_markers);
            let at = Attached { subject: Subject::Joint(k), places, by_markers };
            let mut composer = self.composer(at, &joint.name, joints, measures);
            joint.kind.element().compose(&mut composer);
            let equations = std::mem::take(&mut composer.equations);
            self.finish(composer);
            self.check_axes(Subject::Joint(k), &joint.ends, (&equations, &[], None));
            groups.push((Subject::Joint(k), joint.name.clone(), equations));
        }
        for (k, driver) in self.model.drivers.iter().enumerate() {
            let element = driver.kind.element();
            let Some(at) = self.attach(Subject::Driver(k), &driver.ends, element.ends()) else { continue };
            let driven = element.joint().and_then(|name| self.given.names.joints.get(name));
            self.driver_places.push(at.places.or_else(|| joints[*driven?].places));
            let mut composer = self.composer(at, &driver.name, joints, measures);
            element.compose(&mut composer);
            let equations = std::mem::take(&mut composer.equations);
            self.finish(composer);
            self.check_axes(Subject::Driver(k), &driver.ends, (&equations, &[], None));
            groups.push((Subject::Driver(k), driver.name.clone(), equations));
        }
        groups
    }

    fn events(&mut self, joints: &[JointPlace], measures: &[Option<Basic>]) {
        for (k, event) in self.model.events.iter().enumerate() {
            let at = Attached { subject: Subject::Event(k), places: None, by_markers: false };
            let mut composer = self.composer(at, &event.name, joints, measures);
            let mut bound = Bound::default();
            let when = composer.bind("when", event.when.clone(), &["t"], &mut bound);
            if bound.flags.iter().any(|flag| flag.switch().is_some()) {
                composer.complain("when", "an event cannot depend on the variable of an event".into());
            } else if bound
                .flags
                .iter()
                .any(|flag| matches!(flag, Flag::Input(k) if *k < composer.first_reading()))
            {
                composer.complain(
                    "when",
                    "an event cannot depend on an input or on a sampled output of a controller".into(),
                );
            }
            let gauge = Gauge::Event { when, direction: event.direction(), action: event.action() };
            let (name, road) = (event.name.clone(), String::new());
            let (inputs, flags, reads) = (bound.inputs, bound.flags, Vec::new());
            composer.switches.push(Switch { gauge, inputs, flags, reads, name, road });
            self.finish(composer);
        }
    }

    fn joint_coordinates(&mut self, joints: &[JointPlace]) -> Vec<Vec<Observed>> {
        let mut all = Vec::with_capacity(joints.len());
        for (k, (joint, place)) in self.model.joints.iter().zip(joints).enumerate() {
            let (places, by_markers) = (place.places, place.by_markers);
            let at = Attached { subject: Subject::Joint(k), places, by_markers };
            let mut composer = self.composer(at, &joint.name, joints, &[]);
            let mut seen =
                if places.is_some() { joint.kind.element().observe(&mut composer) } else { Vec::new() };
            self.finish(composer);
            // a ball on a point has no rotations to look at
            seen.retain(|observed| observed.probe.lacks_axes(self.given).is_none());
            all.push(seen);
        }
        all
    }

    fn articulations(&mut self, joints: &[JointPlace]) -> Vec<Option<Articulation>> {
        let mut all = Vec::with_capacity(joints.len());
        for (k, (joint, place)) in self.model.joints.iter().zip(joints).enumerate() {
            let (places, by_markers) = (place.places, place.by_markers);
            let at = Attached { subject: Subject::Joint(k), places, by_markers };
            // nothing carries a point, and a point carries nothing
            let carries = places.is_some_and(|p| p.iter().all(|p| self.given.carriers[p.body].has_axes()));
            let composer = self.composer(at, &joint.name, joints, &[]);
            all.push(joint.kind.element().articulate(&composer).filter(|_| carries));
            self.finish(composer);
        }
        all
    }

    fn forces(
        &mut self,
        joints: &[JointPlace],
        measures: &[Option<Basic>],
    ) -> (Vec<Term>, Vec<Inertance>, Vec<ForceGroup>) {
        let (mut terms, mut inertances, mut forces) = (Vec::new(), Vec::new(), Vec::new());
        for (k, force) in self.model.forces.iter().enumerate() {
            let element = force.kind.element();
            let Some(at) = self.attach(Subject::Force(k), &force.ends, element.ends_of(&force.ends)) else {
                continue;
            };
            let mut composer = self.composer(at, &force.name, joints, measures);
            element.compose(&mut composer);
            let (first, mut own) = (terms.len(), std::mem::take(&mut composer.terms));
            let (lightest, mut heavy) = (inertances.len(), std::mem::take(&mut composer.inertances));
            self.finish(composer);
            let probe = heavy.first().map(|inertance| &inertance.basic);
            self.check_axes(Subject::Force(k), &force.ends, (&[], &own, probe));
            terms.append(&mut own);
            inertances.append(&mut heavy);
            let (terms, inertances) = (first..terms.len(), lightest..inertances.len());
            let inner = element.is_inner();
            forces.push(ForceGroup { name: force.name.clone(), terms, inertances, inner });
        }
        (terms, inertances, forces)
    }
}

/// The measures with their names; all are sound when there are no errors.
fn measured(model: &Model, given: &Given, probes: &[Option<Basic>]) -> Vec<Measured> {
    let all = model.measures.iter().zip(probes).enumerate();
    all.filter_map(|(k, (m, probe))| {
        let element = m.kind.element();
        let probed =
            |probe| if element.is_rate() { MeasuredBy::Rate(probe) } else { MeasuredBy::Probe(probe) };
        let sight = turned(model, given, k, probe.as_ref()).map(MeasuredBy::Turned);
        let sight = sight.or(reading_place(model, k).map(MeasuredBy::Reading)).or(probe.map(probed))?;
        Some(Measured { name: m.name.clone(), unit: element.unit(), sight })
    })
    .collect()
}

/// What the model wants of a joint in the spanning tree.
fn wish(tree: Option<bool>) -> Wish {
    match tree {
        Some(true) => Wish::Tree,
        Some(false) => Wish::Cut,
        None => Wish::Either,
    }
}
