//! What an observer is given of a run: frames, and residuals of steps.

use super::Pilot;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::run::{Frame, Observer};
use crate::dynamics::stepping::engine::Engine;
use crate::integrate::StepReport;
use crate::system::Exchanged;
use std::ops::ControlFlow;

impl Pilot {
    /// Residuals at the state just evaluated.
    pub(super) fn note_residuals(&mut self, engine: &mut dyn Engine) -> (f64, f64) {
        let mechanism = engine.mechanism();
        let position = mechanism.position_residual();
        let velocity = mechanism.velocity_residual(&self.at.run.state.v, &mut self.room);
        self.at.run.position_residual = self.at.run.position_residual.max(position);
        self.at.run.velocity_residual = self.at.run.velocity_residual.max(velocity);
        (position, velocity)
    }

    /// Frames of the last step up to a time.
    pub(super) fn give_frames(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        until: f64,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<()>, Trouble> {
        let Some(every) = self.settings.frame else { return Ok(ControlFlow::Continue(())) };
        loop {
            let mut t = self.at.frames as f64 * every + self.at.t_start();
            // the end of the run is a frame even where rounding puts it a little beyond
            if (t - until).abs() < 1e-9 * every {
                t = until;
            }
            if t > until {
                return Ok(ControlFlow::Continue(()));
            }
            let exchanged = if t == self.at.run.state.t {
                self.inside.copy_from(&self.at.run.state);
                self.at.run.energy.exchanged
            } else {
                let theta = (t - report.t_old) / report.h();
                let turns = &mut engine.mechanism().work.turns;
                self.turns.inside(theta, turns);
                engine.inside(theta, t, &mut self.inside)?;
                self.ledger.inside(t - report.t_old)
            };
            if self.give_frame(engine, exchanged, observer)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    pub(super) fn give_frame(
        &mut self,
        engine: &mut dyn Engine,
        exchanged: Exchanged,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<()>, Trouble> {
        self.at.frames += 1;
        let mechanism = engine.mechanism();
        mechanism.accelerate(self.inside.t, &self.inside.q, &self.inside.v)?;
        let Dynamics { system, work, result, .. } = mechanism;
        work.exchanged = exchanged;
        Ok(observer.frame(&Frame { system, state: &self.inside, work, accelerations: result }))
    }
}
