//! A model that was read, compiled and assembled: what every command that computes starts from.

use crate::check::json;
use crate::domains::Parted;
use crate::input::{ModelArgs, is_misuse};
use crate::output::{Exit, print, report};
use kingpin::expr::Quantity;
use kingpin::linalg::Arithmetic;
use kingpin::mechanism::{Mechanism, Produced};
use kingpin::model::Finding;
use kingpin::system::{State, Work};
use kingpin_io::{Diagnostic, Loaded, Sources};
use std::collections::BTreeMap;
use std::io;
use std::ops::Deref;

/// A mechanism that can be computed with.
pub struct Ready {
    mechanism: Mechanism,
    /// Where it starts: as assembled, or where its simulation starts.
    pub start: State,
    /// Where everything stands, for messages.
    pub sources: Sources,
    /// The values of its parameters, as they were given or set.
    pub parameters: BTreeMap<String, Quantity>,
    /// What actuators shall produce, if that is asked for.
    pub produced: Option<Produced>,
}

impl Deref for Ready {
    type Target = Mechanism;

    fn deref(&self) -> &Mechanism {
        &self.mechanism
    }
}

impl Ready {
    /// Constraints and forces at the start.
    pub fn work(&self) -> Work {
        let mut work = self.system().work();
        self.system().set_state(&mut work, &self.start);
        self.system().evaluate_constraints(&mut work);
        self.system().evaluate_forces(&mut work);
        work
    }

    /// What was found, told of the model as it stands in its files.
    fn told(&self, findings: &[Finding]) -> Vec<Finding> {
        let findings = findings.to_vec();
        self.produced.as_ref().map_or_else(|| findings.clone(), |produced| produced.told(findings.clone()))
    }

    /// The model as one file, as results keep it.
    pub fn model_text(&self) -> String {
        kingpin_io::to_toml_with(self.model(), &self.parameters)
    }

    /// Cuts its matrices into sub-domains, if they are to be.
    pub fn cut(mut self, parted: &Parted) -> Ready {
        if let Some(cut) = &parted.cut {
            self.mechanism.set_subdivision(cut.clone());
        }
        self
    }

    /// Moves a mechanism whose simulation is to start at equilibrium there; it keeps its velocities.
    pub fn move_to_start(&mut self) -> Result<(), Vec<Finding>> {
        self.start = self.mechanism.start().map_err(|error| error.findings())?.clone();
        Ok(())
    }
}

/// The mechanism asked for, with matrices cut into sub-domains where options say so.
pub fn demand_cut(args: &ModelArgs, json: bool, parted: &Parted) -> io::Result<Result<Ready, Exit>> {
    let ready = demand(args, json)?;
    Ok(ready.map(|ready| ready.cut(parted)))
}

/// Compiles and assembles what was loaded; or all messages that say why that cannot be done.
pub fn prepare(loaded: Loaded) -> (Result<Ready, Sources>, Vec<Diagnostic>) {
    prepare_with(loaded, Arithmetic::Fastest)
}

fn prepare_with(loaded: Loaded, arithmetic: Arithmetic) -> (Result<Ready, Sources>, Vec<Diagnostic>) {
    let Loaded { model, sources, mut diagnostics, parameters } = loaded;
    let Some(model) = model else { return (Err(sources), diagnostics) };
    match Mechanism::with_arithmetic(model, arithmetic) {
        Ok(mut mechanism) => {
            mechanism.set_memory(kingpin_io::available_memory());
            diagnostics.extend(Diagnostic::from_findings(mechanism.warnings(), &sources));
            let start = mechanism.state().clone();
            (Ok(Ready { mechanism, start, sources, parameters, produced: None }), diagnostics)
        }
        Err(error) => {
            diagnostics.extend(Diagnostic::from_findings(&error.findings(), &sources));
            (Err(sources), diagnostics)
        }
    }
}

/// The mechanism asked for. Messages go to standard error; without a mechanism, JSON output lists them.
pub fn demand(args: &ModelArgs, json: bool) -> io::Result<Result<Ready, Exit>> {
    demand_with(args, json, Arithmetic::Fastest)
}

fn demand_with(args: &ModelArgs, json: bool, arithmetic: Arithmetic) -> io::Result<Result<Ready, Exit>> {
    let (ready, diagnostics) = prepare_with(args.load(), arithmetic);
    let sources = ready.as_ref().map_or_else(|sources| sources, |ready| &ready.sources);
    report(&diagnostics, sources);
    let exit = if is_misuse(&diagnostics, sources) { Exit::Usage } else { Exit::Faulty };
    if ready.is_err() && json {
        print(&json::messages_only(&diagnostics, sources))?;
    }
    Ok(ready.map_err(|_| exit))
}

/// The mechanism asked for where its simulation starts: as assembled, or at equilibrium.
pub fn demand_start(
    args: &ModelArgs,
    json: bool,
    arithmetic: Arithmetic,
    parted: &Parted,
) -> io::Result<Result<Ready, Exit>> {
    let mut ready = match demand_with(args, json, arithmetic)? {
        Ok(ready) => ready.cut(parted),
        Err(exit) => return Ok(Err(exit)),
    };
    match ready.move_to_start() {
        Ok(()) => Ok(Ok(ready)),
        Err(findings) => refuse(&ready, &findings, json).map(Err),
    }
}

/// Says what went wrong with a mechanism that could be assembled.
pub fn refuse(ready: &Ready, findings: &[Finding], json: bool) -> io::Result<Exit> {
    say(&Diagnostic::from_findings(&ready.told(findings), &ready.sources), &ready.sources, json)
}

/// Says why there is no mechanism.
fn say(diagnostics: &[Diagnostic], sources: &Sources, json: bool) -> io::Result<Exit> {
    report(diagnostics, sources);
    if json {
        print(&json::messages_only(diagnostics, sources))?;
    }
    Ok(Exit::Faulty)
}

/// The mechanism asked for, with actuators that shall produce motions.
pub fn demand_produced(
    args: &ModelArgs,
    json: bool,
    motions: &[&str],
    actuators: &[&str],
) -> io::Result<Result<Ready, Exit>> {
    let (ready, diagnostics) = prepare_produced(args.load(), motions, actuators);
    let sources = match ready {
        Ok(ready) => {
            report(&diagnostics, &ready.sources);
            return Ok(Ok(ready));
        }
        Err(sources) => sources,
    };
    let exit = say(&diagnostics, &sources, json)?;
    Ok(Err(if is_misuse(&diagnostics, &sources) { Exit::Usage } else { exit }))
}

/// Compiles and assembles what was loaded, the forces of actuators unknown; or all messages that say why that cannot be
/// done.
pub fn prepare_produced(
    loaded: Loaded,
    motions: &[&str],
    actuators: &[&str],
) -> (Result<Ready, Sources>, Vec<Diagnostic>) {
    let Loaded { model, sources, mut diagnostics, parameters } = loaded;
    let Some(model) = model else { return (Err(sources), diagnostics) };
    let produced = match Produced::new(&model, motions, actuators) {
        Ok(produced) => produced,
        Err(findings) => {
            diagnostics.extend(Diagnostic::from_findings(&findings, &sources));
            return (Err(sources), diagnostics);
        }
    };
    let findings = |findings: Vec<Finding>| Diagnostic::from_findings(&produced.told(findings), &sources);
    match Mechanism::new(produced.model.clone()) {
        Ok(mechanism) => {
            diagnostics.extend(findings(mechanism.warnings().to_vec()));
            let start = mechanism.state().clone();
            (Ok(Ready { mechanism, start, sources, parameters, produced: Some(produced) }), diagnostics)
        }
        Err(error) => {
            diagnostics.extend(findings(error.findings()));
            (Err(sources), diagnostics)
        }
    }
}
