//! Errors of analyses.

use crate::dynamics::FailureReport;
use crate::expr::closest;
use crate::integrate::Unfit;
use crate::model::{Finding, Model, Severity, Subject};
use std::fmt;

/// An error of an analysis. Its text is the complete explanation.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// An error of the model: it cannot be compiled or assembled, has no equilibrium, or locks up.
    Model(Vec<Fault>),
    /// A run failed: time, evidence, cause and remedies.
    Run(Box<FailureReport>),
    /// An error of the call: an unknown name or an invalid setting.
    Asked {
        /// What is wrong with it.
        what: String,
        /// Remedy.
        advice: String,
    },
    /// A checkpoint of another mechanism or version.
    Checkpoint(Unfit),
    /// Results could not be stored.
    Sink(String),
}

/// An error or warning with its location in the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The item and field, such as «joint `pin`, `axis`»; empty for the model as a whole.
    pub place: String,
    /// Description and remedy.
    pub finding: Finding,
}

impl Error {
    pub(crate) fn faulty(model: &Model, findings: Vec<Finding>) -> Error {
        let fault = |finding: Finding| Fault { place: place(model, &finding), finding };
        Error::Model(findings.into_iter().map(fault).collect())
    }

    pub(crate) fn asked(what: impl Into<String>, advice: impl Into<String>) -> Error {
        Error::Asked { what: what.into(), advice: advice.into() }
    }

    /// There is nothing of that name among some names.
    pub(crate) fn unknown<'n>(noun: &str, name: &str, names: impl Iterator<Item = &'n str>) -> Error {
        let names: Vec<&str> = names.collect();
        let advice = match closest(name, names.iter().copied()) {
            Some(other) => format!("did you mean `{other}`?"),
            None if names.is_empty() => format!("there are no {noun}s here"),
            None => {
                let shown: Vec<String> = names.iter().take(8).map(|name| format!("`{name}`")).collect();
                format!("there are {}{}", shown.join(", "), if names.len() > 8 { " and more" } else { "" })
            }
        };
        Error::asked(format!("there is no {noun} `{name}`"), advice)
    }

    /// The findings about the model, if it is the model.
    pub fn findings(&self) -> Vec<Finding> {
        match self {
            Error::Model(faults) => faults.iter().map(|fault| fault.finding.clone()).collect(),
            _ => Vec::new(),
        }
    }
}

/// The item and field of a finding, in words.
fn place(model: &Model, finding: &Finding) -> String {
    let item = match &finding.subject {
        Subject::Model => return String::new(),
        Subject::Simulation => "simulation".into(),
        Subject::Parameter(name) => format!("parameter `{name}`"),
        Subject::Body(k) => named("body", model.bodies.get(*k).map(|x| &x.name)),
        Subject::Structure(k) => named("structure", model.structures.get(*k).map(|x| &x.fields.name)),
        Subject::Superelement(k) => {
            named("superelement", model.superelements.get(*k).map(|x| &x.fields.name))
        }
        Subject::Beam(k) => named("beam", model.beams.get(*k).map(|x| &x.name)),
        Subject::Cable(k) => named("cable", model.cables.get(*k).map(|x| &x.name)),
        Subject::Marker(k) => named("marker", model.markers.get(*k).map(|x| &x.name)),
        Subject::Joint(k) => named("joint", model.joints.get(*k).map(|x| &x.name)),
        Subject::Driver(k) => named("driver", model.drivers.get(*k).map(|x| &x.name)),
        Subject::Force(k) => named("force", model.forces.get(*k).map(|x| &x.name)),
        Subject::Span(k) => named("element", model.spans.get(*k).map(|x| &x.name)),
        Subject::Measure(k) => named("measure", model.measures.get(*k).map(|x| &x.name)),
        Subject::Event(k) => named("event", model.events.get(*k).map(|x| &x.name)),
        Subject::State(k) => named("state", model.states.get(*k).map(|x| &x.name)),
        Subject::Controller(k) => named("controller", model.controllers.get(*k).map(|x| &x.name)),
        Subject::Input(k) => named("input", model.inputs.get(*k).map(|x| &x.name)),
        Subject::Substructure(k) => named("substructure", model.substructures.get(*k).map(|x| &x.name)),
        Subject::Road(k) => named("road", model.roads.get(*k).map(|x| &x.name)),
        Subject::Shape(k) => format!("shape {}", k + 1),
    };
    if finding.field.is_empty() { item } else { format!("{item}, `{}`", finding.field) }
}

fn named(kind: &str, name: Option<&String>) -> String {
    format!("{kind} `{}`", name.map_or("?", String::as_str))
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = if self.finding.severity == Severity::Error { "error" } else { "warning" };
        write!(f, "{severity}: ")?;
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.finding.message)?;
        self.finding.hint.iter().try_for_each(|hint| write!(f, "\n  help: {hint}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Model(faults) => {
                for (k, fault) in faults.iter().enumerate() {
                    write!(f, "{}{fault}", if k > 0 { "\n" } else { "" })?;
                }
                Ok(())
            }
            Error::Run(failure) => failure.fmt(f),
            Error::Asked { what, advice } if advice.is_empty() => f.write_str(what),
            Error::Asked { what, advice } => write!(f, "{what}\n  help: {advice}"),
            Error::Checkpoint(unfit) => unfit.fmt(f),
            Error::Sink(why) => write!(f, "the results could not be stored: {why}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Unfit> for Error {
    fn from(unfit: Unfit) -> Self {
        Error::Checkpoint(unfit)
    }
}

impl From<FailureReport> for Error {
    fn from(failure: FailureReport) -> Self {
        Error::Run(Box::new(failure))
    }
}
