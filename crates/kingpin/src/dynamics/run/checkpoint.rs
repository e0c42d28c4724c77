//! Where a run stands between two steps.

use super::passage::Approach;
use super::{End, Run};
use crate::dynamics::instant::stabilisation::Corrections;
use crate::dynamics::scales::Scales;
use crate::dynamics::stepping::Method;
use crate::dynamics::stepping::Settings;
use crate::dynamics::watch::ledger::Account;
use crate::integrate::{Memory, Statistics};
use crate::system::State;

/// All that a run needs to go on as if it had never stopped. Between any two steps it can be taken without changing
/// what follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The result so far.
    pub run: Run,
    /// Size of the next step, if one is known.
    pub h: Option<f64>,
    /// Frames given.
    pub frames: usize,
    /// Steps taken, those ended by a crossing among them.
    pub steps: usize,
    /// All that the method and those around it remember; nothing before the first step.
    pub memory: Memory,
}

impl Checkpoint {
    /// A run that has not begun.
    pub fn at_start(start: &State, settings: &Settings) -> Checkpoint {
        let first = match settings.method {
            Method::Auto if settings.rtol > 1e-4 => Method::Dopri5,
            Method::Auto => Method::Dop853,
            method => method,
        };
        let run = Run {
            state: start.clone(),
            statistics: Statistics::default(),
            accelerations: 0,
            iterations: None,
            corrections: Corrections::default(),
            repartitions: 0,
            position_residual: 0.0,
            velocity_residual: 0.0,
            methods: vec![(start.t, first)],
            energy: Account::default(),
            path: Approach::default(),
            attitudes: Vec::new(),
            events: Vec::new(),
            scales: Scales::default(),
            end: End::Stopped,
        };
        Checkpoint { run, h: settings.h, frames: 0, steps: 0, memory: Memory::default() }
    }

    /// Time at which the run began.
    pub fn t_start(&self) -> f64 {
        self.run.methods.first().map_or(self.run.state.t, |m| m.0)
    }

    /// The method under way.
    pub fn method(&self) -> Method {
        self.run.methods.last().map_or(Method::Auto, |m| m.1)
    }
}
