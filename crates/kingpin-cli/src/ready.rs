//! A model that was read, compiled and assembled: what every command that computes starts from.

use crate::check::{failure, json};
use crate::input::{ModelArgs, is_misuse};
use crate::output::{Exit, colour, complain, print};
use kingpin::accel::{Method, Problem};
use kingpin::analysis::{self, Assembly};
use kingpin::dynamics::Dynamics;
use kingpin::expr::Quantity;
use kingpin::linalg::Arithmetic;
use kingpin::model::{Finding, Model};
use kingpin::system::{System, Work};
use kingpin_io::{Diagnostic, Loaded, Sources};
use std::collections::BTreeMap;
use std::io;
use std::sync::OnceLock;

/// A mechanism that can be computed with.
pub struct Ready {
    /// As described.
    pub model: Model,
    /// As compiled.
    pub system: System,
    /// As assembled.
    pub assembly: Assembly,
    /// Where everything stands, for messages.
    pub sources: Sources,
    /// The values of its parameters, as they were given or set.
    pub parameters: BTreeMap<String, Quantity>,
    /// Its acceleration problem: what is found out about the structure is found once.
    problem: OnceLock<Problem>,
}

impl Ready {
    /// Constraints and forces at the assembled state.
    pub fn work(&self) -> Work {
        let mut work = self.system.work();
        self.system.set_state(&mut work, &self.assembly.state);
        self.system.evaluate_constraints(&mut work);
        self.system.evaluate_forces(&mut work);
        work
    }

    /// The model as one file, as results keep it.
    pub fn model_text(&self) -> String {
        kingpin_io::to_toml_with(&self.model, &self.parameters)
    }

    /// Its acceleration problem.
    pub fn problem(&self) -> &Problem {
        self.problem.get_or_init(|| Problem::new(&self.system, self.redundant()))
    }

    /// The mechanism with a solver of accelerations.
    pub fn mechanism(&self, solver: Method) -> Dynamics<'_> {
        Dynamics::of(&self.system, self.problem(), solver)
    }

    /// Rows that follow from others.
    pub fn redundant(&self) -> &[bool] {
        &self.assembly.diagnosis.redundant_rows
    }
}

/// Compiles and assembles what was loaded; or all messages that say why that cannot be done.
pub fn prepare(loaded: Loaded) -> (Result<Ready, Sources>, Vec<Diagnostic>) {
    prepare_with(loaded, Arithmetic::Fastest)
}

fn prepare_with(loaded: Loaded, arithmetic: Arithmetic) -> (Result<Ready, Sources>, Vec<Diagnostic>) {
    let Loaded { model, sources, mut diagnostics, parameters } = loaded;
    let Some(model) = model else { return (Err(sources), diagnostics) };
    let (mut system, warnings) = match System::compile(&model) {
        Ok(compiled) => compiled,
        Err(findings) => {
            diagnostics.extend(Diagnostic::from_findings(&findings, &sources));
            return (Err(sources), diagnostics);
        }
    };
    diagnostics.extend(Diagnostic::from_findings(&warnings, &sources));
    system.arithmetic = arithmetic;
    match analysis::assemble(&system) {
        Ok(assembly) => {
            let far = analysis::far_moves(&system, &assembly);
            diagnostics.extend(Diagnostic::from_findings(&far, &sources));
            (
                Ok(Ready { model, system, assembly, sources, parameters, problem: OnceLock::new() }),
                diagnostics,
            )
        }
        Err(why) => {
            diagnostics.push(Diagnostic::from_finding(&failure::finding(&why), &sources));
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
    complain(&kingpin_io::render(&diagnostics, sources, colour()));
    let exit = if is_misuse(&diagnostics, sources) { Exit::Usage } else { Exit::Faulty };
    if ready.is_err() && json {
        print(&json::messages_only(&diagnostics, sources))?;
    }
    Ok(ready.map_err(|_| exit))
}

/// The mechanism asked for where its simulation starts: as assembled, or at equilibrium.
pub fn demand_start(args: &ModelArgs, json: bool, arithmetic: Arithmetic) -> io::Result<Result<Ready, Exit>> {
    let mut ready = match demand_with(args, json, arithmetic)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(Err(exit)),
    };
    match crate::statics::move_to_start(&mut ready) {
        Ok(()) => Ok(Ok(ready)),
        Err(finding) => refuse(&ready, &[*finding], json).map(Err),
    }
}

/// Says what went wrong with a mechanism that could be assembled.
pub fn refuse(ready: &Ready, findings: &[Finding], json: bool) -> io::Result<Exit> {
    let diagnostics = Diagnostic::from_findings(findings, &ready.sources);
    complain(&kingpin_io::render(&diagnostics, &ready.sources, colour()));
    if json {
        print(&json::messages_only(&diagnostics, &ready.sources))?;
    }
    Ok(Exit::Faulty)
}
