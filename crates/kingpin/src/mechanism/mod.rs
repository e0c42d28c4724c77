//! The public API: a model becomes a [`Mechanism`], which offers all analyses.

mod analyses;
mod error;
mod examination;
mod motion;
mod produced;
mod recording;
mod run;
mod settings;
mod sink;
mod values;
mod warning;

pub use error::{Error, Fault};
pub use examination::Examination;
pub use motion::{Motion, Progress};
pub use produced::Produced;
pub use recording::Recording;
pub use run::Outcome;
#[doc(hidden)]
pub use sink::SinkObserver;
pub use sink::{Sink, SinkError};
pub use values::Values;
pub use warning::Warning;

pub use crate::accel::Solver;
pub use crate::dynamics::{
    Checkpoint, End, Equilibrium, FailureReport, Four, Frame, Happening, Kinematics, Linear, Method, Mode,
    Modes, Observer, Run, Settings, Step,
};
pub use crate::results::Channel;
pub use crate::scalar::{Dual, Scalar};
pub use crate::system::State;

use crate::accel::{self, Problem};
use crate::analysis::Assembly;
use crate::dynamics::{Dynamics, dynamics_at, settle_at_equilibrium};
use crate::linalg::{Arithmetic, Subdivision};
use crate::model::{Finding, Model, validate_tables};
use crate::results::Channels;
use crate::system::System;
use std::sync::OnceLock;

/// A model that is compiled, assembled and diagnosed, ready for every analysis. Its structure (elimination order,
/// spanning tree, solver with the lowest predicted time) is analysed once.
///
/// It is immutable: analyses and motions borrow it, also several at the same time.
#[derive(Debug)]
pub struct Mechanism {
    model: Model,
    system: System,
    assembly: Assembly,
    warnings: Vec<Finding>,
    problem: OnceLock<Problem>,
    channels: OnceLock<Channels>,
    still: OnceLock<Channels>,
    start: OnceLock<State>,
}

impl Mechanism {
    /// Compiles and assembles a model, or returns all errors.
    pub fn new(model: Model) -> Result<Mechanism, Error> {
        Self::with_arithmetic(model, Arithmetic::Fastest)
    }

    /// The same with arithmetic that gives the same bits on all processors (slower).
    pub fn portable(model: Model) -> Result<Mechanism, Error> {
        Self::with_arithmetic(model, Arithmetic::Portable)
    }

    /// The same with some arithmetic.
    #[doc(hidden)]
    pub fn with_arithmetic(model: Model, arithmetic: Arithmetic) -> Result<Mechanism, Error> {
        Examination::with_arithmetic(model, arithmetic)?.mechanism()
    }

    fn of(model: Model, system: System, assembly: Assembly, warnings: Vec<Finding>) -> Mechanism {
        Mechanism {
            model,
            system,
            assembly,
            warnings,
            problem: OnceLock::new(),
            channels: OnceLock::new(),
            still: OnceLock::new(),
            start: OnceLock::new(),
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Warnings about the model.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// Tables over time that end before a given time while their values still change; a run to that time warns about
    /// them.
    pub fn short_tables(&self, t_end: f64) -> Vec<Finding> {
        validate_tables::short_tables(&self.model, t_end)
    }

    /// Degrees of freedom: coordinates less independent equations.
    pub fn freedoms(&self) -> usize {
        let redundant = self.redundant().iter().filter(|r| **r).count();
        self.system.coordinates().saturating_sub(self.system.constraints() - redundant)
    }

    /// The assembled state: the given one, made consistent with all joints and drivers.
    pub fn state(&self) -> &State {
        &self.assembly.state
    }

    /// The initial state of simulations: the assembled state, or the equilibrium near it if the model selects it.
    pub fn start(&self) -> Result<&State, Error> {
        if let Some(start) = self.start.get() {
            return Ok(start);
        }
        let start = if self.model.simulation.starts_at_equilibrium() {
            let settled =
                settle_at_equilibrium(&self.system, self.problem(), self.state(), self.settings().matrices);
            settled.map_err(|why| self.refuses(why.finding(&self.system, &self.assembly.diagnosis)))?.0
        } else {
            self.state().clone()
        };
        Ok(self.start.get_or_init(|| start))
    }

    /// The settings of the model; change them and pass them to [`Mechanism::simulate_with`].
    pub fn settings(&self) -> Settings {
        Settings::of(&self.model.simulation)
    }

    /// The channels of a run: all named numbers, or of a very large model those of measures and energies.
    pub fn channels(&self) -> &[Channel] {
        self.all_channels().list()
    }

    /// The name of the solver for accelerations that `auto` selects.
    pub fn solver(&self) -> &'static str {
        accel::Solver::Auto.resolved(self.problem()).name()
    }

    /// Names of the inputs of the model.
    pub fn inputs(&self) -> &[String] {
        &self.system.inputs
    }

    fn input_place(&self, name: &str) -> Result<usize, Error> {
        let names = self.inputs();
        let place = names.iter().position(|input| input == name);
        place.ok_or_else(|| Error::unknown("input", name, names.iter().map(String::as_str)))
    }

    /// An error at an item of the model.
    fn refuses(&self, finding: Finding) -> Error {
        let findings = vec![finding];
        let told = self.model.made.as_ref().map(|made| made.told(findings.clone()));
        Error::faulty(&self.model, told.unwrap_or(findings))
    }
}

/// For the crates beside this one.
#[doc(hidden)]
impl Mechanism {
    pub fn system(&self) -> &System {
        &self.system
    }

    pub fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// Cuts work into other pieces than the size of the mechanism calls for.
    pub fn set_grain(&mut self, grain: usize) {
        self.system.grain = grain;
        self.problem = OnceLock::new();
    }

    /// Cuts matrices of implicit methods, of statics and of modes into sub-domains.
    pub fn set_subdivision(&mut self, cut: Subdivision) {
        self.system.subdivision = Some(cut);
        self.problem = OnceLock::new();
    }

    /// Bytes that matrices of implicit methods, of statics and of modes may take, if that is known.
    pub fn set_memory(&mut self, bytes: Option<u64>) {
        self.system.memory = bytes;
    }

    pub fn problem(&self) -> &Problem {
        self.problem.get_or_init(|| Problem::new(&self.system, self.redundant()))
    }

    pub fn redundant(&self) -> &[bool] {
        &self.assembly.diagnosis.redundant_rows
    }

    pub fn all_channels(&self) -> &Channels {
        self.channels.get_or_init(|| Channels::wanted(&self.system, &[]))
    }

    /// Without the account of energies that a run keeps.
    pub fn still_channels(&self) -> &Channels {
        self.still.get_or_init(|| Channels::new(&self.system))
    }

    pub fn dynamics(&self, solver: accel::Solver) -> Dynamics<'_> {
        Dynamics::of(&self.system, self.problem(), solver)
    }

    /// Accelerations and multipliers at a state, with all that holds there; no numbers where there are none.
    pub fn dynamics_at(&self, state: &State, solver: accel::Solver) -> Dynamics<'_> {
        dynamics_at(&self.system, self.problem(), state, solver).unwrap_or_else(|_| {
            let mut dynamics = self.dynamics(solver);
            self.system.set_state(&mut dynamics.work, state);
            dynamics.result.acc.fill(f64::NAN);
            dynamics.result.lam.fill(f64::NAN);
            dynamics
        })
    }
}
