//! Motions that actuators shall produce: drivers give way to actuators whose forces are inputs.

use super::{Error, Mechanism};
use crate::dynamics::Production;
use crate::elements::{Actuator, DriverKind, ForceKind, Motor};
use crate::expr::{Expr, closest};
use crate::model::controller::Numbering;
use crate::model::{Finding, Force, Function, Input, Model, Subject};
use crate::words::many;

/// A model in which the forces of actuators are unknown, and the motions that they produce: inverse dynamics.
///
/// Drivers among the actuators become actuators and motors of the same name, whose force is an input. Actuators,
/// motors and inputs of the model can be selected too.
#[derive(Clone, Debug)]
pub struct Produced {
    /// The model with its unknown forces.
    pub model: Model,
    /// Names of the drivers whose motions are produced.
    pub motions: Vec<String>,
    /// Inputs, with the names of what they drive.
    unknowns: Vec<(usize, String)>,
    /// What drivers were numbered before, and those that became forces.
    drivers: Vec<usize>,
    released: Vec<usize>,
    /// Forces there were before.
    forces: usize,
}

/// How an unknown is called among the inputs.
const UNKNOWN: &str = "_unknown";

impl Produced {
    /// Makes actuators produce the motions of the given drivers, by default of all drivers that are not actuators; or
    /// returns the errors.
    pub fn new(model: &Model, motions: &[&str], actuators: &[&str]) -> Result<Produced, Vec<Finding>> {
        let mut produced = Produced {
            model: model.clone(),
            motions: Vec::new(),
            unknowns: Vec::new(),
            drivers: (0..model.drivers.len()).collect(),
            released: Vec::new(),
            forces: model.forces.len(),
        };
        let mut findings = Vec::new();
        for (k, name) in actuators.iter().enumerate() {
            if actuators[..k].contains(name) {
                findings.push(Finding::error(Subject::Model, "", format!("`{name}` is named twice")));
            } else {
                findings.extend(produced.release(name));
            }
        }
        let others = || produced.model.drivers.iter().map(|driver| driver.name.as_str());
        for name in motions.iter().filter(|name| others().all(|other| other != **name)) {
            let message = format!("there is no driver called `{name}`");
            findings.push(suggested(Finding::error(Subject::Model, "", message), name, others()));
        }
        produced.motions = match motions {
            [] => others().map(String::from).collect(),
            motions => motions.iter().map(|name| name.to_string()).collect(),
        };
        if findings.is_empty() {
            findings.extend(produced.miscounted());
        }
        if findings.is_empty() { Ok(produced) } else { Err(findings) }
    }

    /// Makes the force of an actuator unknown; or what is wrong with that.
    fn release(&mut self, name: &str) -> Option<Finding> {
        if let Some(k) = self.model.inputs.iter().position(|input| input.name == name) {
            self.unknowns.push((k, name.into()));
            return None;
        }
        if let Some(k) = self.model.drivers.iter().position(|driver| driver.name == name) {
            return self.release_driver(k);
        }
        let Some(k) = self.model.forces.iter().position(|force| force.name == name) else {
            let message = format!("there is no driver, actuator, motor or input called `{name}`");
            let finding = Finding::error(Subject::Model, "", message);
            let drivers = self.model.drivers.iter().map(|x| x.name.as_str());
            let forces = self.model.forces.iter().filter(|x| is_actuator(&x.kind)).map(|x| x.name.as_str());
            let inputs = self.model.inputs.iter().map(|x| x.name.as_str());
            return Some(suggested(finding, name, drivers.chain(forces).chain(inputs)));
        };
        let unknown = self.unknown(name);
        match &mut self.model.forces[k].kind {
            ForceKind::Actuator(own) => own.force = unknown,
            ForceKind::Motor(own) => own.torque = unknown,
            other => {
                let message = format!("`{name}` is a `{}`, whose force cannot be prescribed", other.tag());
                let advice = "choose drivers, actuators, motors, or inputs that functions read";
                return Some(Finding::error(Subject::Force(k), "", message).hint(advice));
            }
        }
        None
    }

    /// A driver becomes an actuator at the same place; or why it cannot.
    fn release_driver(&mut self, k: usize) -> Option<Finding> {
        let (number, driver) = (self.drivers[k], self.model.drivers[k].clone());
        let unknown = |own: &mut Produced| own.unknown(&driver.name);
        let kind: ForceKind = match &driver.kind {
            DriverKind::DrivenDistance(_) => Actuator { joint: None, force: unknown(self) }.into(),
            DriverKind::DrivenDisplacement(own) => {
                Actuator { joint: Some(own.joint.clone()), force: unknown(self) }.into()
            }
            DriverKind::DrivenAngle(own) => Motor { joint: own.joint.clone(), torque: unknown(self) }.into(),
            DriverKind::DrivenCoordinate(_) => {
                let message = format!(
                    "`{}` prescribes a coordinate, which is not the stroke of an actuator",
                    driver.name
                );
                let advice =
                    "choose drivers of distances, displacements or angles, actuators, motors or inputs";
                return Some(Finding::error(Subject::Driver(number), "", message).hint(advice));
            }
        };
        self.model.drivers.remove(k);
        self.drivers.remove(k);
        self.released.push(number);
        self.model.forces.push(Force { name: driver.name, ends: driver.ends, kind });
        None
    }

    /// A new input, as a function of an actuator.
    fn unknown(&mut self, name: &str) -> Function {
        let k = self.model.inputs.len();
        let word: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let called = format!("{word}{UNKNOWN}");
        self.model.inputs.push(Input { name: called.clone(), value: 0.0 });
        self.unknowns.push((k, name.into()));
        // time, stroke and speed are its own
        Function::Expr(Expr::variable(&called, Numbering::of(&self.model, 3).input(k)))
    }

    /// What is wrong with the numbers of motions and actuators.
    fn miscounted(&self) -> Option<Finding> {
        let (motions, actuators) = (self.motions.len(), self.unknowns.len());
        let names = |all: &mut dyn Iterator<Item = &String>| {
            let each: Vec<String> = all.map(|name| format!("`{name}`")).collect();
            if each.is_empty() { "none".into() } else { each.join(", ") }
        };
        let which = format!(
            "the number of {} ({}) does not match that of {} ({})",
            many(actuators, "actuator"),
            names(&mut self.unknowns.iter().map(|(_, name)| name)),
            many(motions, "motion"),
            names(&mut self.motions.iter())
        );
        let advice = match actuators.cmp(&motions) {
            std::cmp::Ordering::Less => format!("name {} more", many(motions - actuators, "actuator")),
            std::cmp::Ordering::Greater => {
                format!(
                    "{} too many: the distribution of their forces is not determined",
                    many(actuators - motions, "actuator")
                )
            }
            std::cmp::Ordering::Equal if motions == 0 => "add drivers for the motions".into(),
            std::cmp::Ordering::Equal => return None,
        };
        Some(Finding::error(Subject::Model, "", which).hint(advice))
    }

    /// Rows and inputs in a mechanism made of the model.
    #[doc(hidden)]
    pub fn production(&self, mechanism: &Mechanism) -> Result<Production, Error> {
        let groups = &mechanism.system().layout.groups;
        let mut motions = Vec::with_capacity(self.motions.len());
        for name in &self.motions {
            let own = |subject: &Subject| matches!(subject, Subject::Driver(_));
            let Some(group) = groups.iter().find(|group| own(&group.subject) && group.name == *name) else {
                return Err(Error::unknown("driver", name, self.motions.iter().map(String::as_str)));
            };
            let row = group.rows.start;
            if mechanism.redundant().get(row).copied().unwrap_or(false) {
                let message =
                    format!("the motion of `{name}` is already determined by other drivers and joints");
                let finding = Finding::error(group.subject.clone(), "", message);
                return Err(mechanism.refuses(finding.hint("omit one of these drivers")));
            }
            motions.push((row, name.clone()));
        }
        Ok(Production { motions, inputs: self.unknowns.clone() })
    }

    /// What was found about the model, told of the model as it was before.
    pub fn told(&self, mut findings: Vec<Finding>) -> Vec<Finding> {
        let before = |subject: &mut Subject| {
            let moved = match subject {
                Subject::Driver(k) => self.drivers.get(*k).copied(),
                Subject::Force(k) => k.checked_sub(self.forces).and_then(|k| self.released.get(k).copied()),
                _ => None,
            };
            if let Some(k) = moved {
                *subject = Subject::Driver(k);
            }
        };
        for finding in &mut findings {
            before(&mut finding.subject);
            if let Some((subject, _)) = &mut finding.related {
                before(subject);
            }
        }
        findings
    }
}

/// Whether its force can be told.
fn is_actuator(kind: &ForceKind) -> bool {
    matches!(kind, ForceKind::Actuator(_) | ForceKind::Motor(_))
}

/// Names that are listed at most.
const LISTED: usize = 8;

/// With the name that is most like it, or those that there are.
fn suggested<'n>(finding: Finding, name: &str, names: impl Iterator<Item = &'n str>) -> Finding {
    let names: Vec<&str> = names.collect();
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > LISTED { " and more" } else { "" };
    match closest(name, names.iter().copied()) {
        Some(other) => finding.hint(format!("did you mean `{other}`?")),
        None if names.is_empty() => finding.hint("there are none"),
        None => finding.hint(format!("there are {}{more}", shown.join(", "))),
    }
}
