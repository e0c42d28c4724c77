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

    /// Frames of the last step up to a time, and instants that the observer asks for.
    pub(super) fn give_frames(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        until: f64,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<()>, Trouble> {
        loop {
            let frame = self.settings.frame.map_or(f64::INFINITY, |every| self.next_frame(every, until));
            let asked = observer.next_instant().map(|t| t.max(report.t_old));
            if let Some(t) = asked.filter(|&t| t <= until && t < frame) {
                let exchanged = self.go_inside(engine, report, t)?;
                observer.instant(&self.look(engine, exchanged)?);
                continue;
            }
            if frame > until {
                return Ok(ControlFlow::Continue(()));
            }
            let exchanged = self.go_inside(engine, report, frame)?;
            if self.give_frame(engine, exchanged, observer)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    /// The time of the next frame.
    fn next_frame(&self, every: f64, until: f64) -> f64 {
        let t = self.at.frames as f64 * every + self.at.t_start();
        // the end of the run is a frame even where rounding puts it a little beyond
        if (t - until).abs() < 1e-9 * every { until } else { t }
    }

    /// Puts the state at a time of the last step inside; what was exchanged until then.
    fn go_inside(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        t: f64,
    ) -> Result<Exchanged, Trouble> {
        self.inside.inputs.clone_from(&self.at.run.state.inputs);
        if t == self.at.run.state.t {
            self.inside.copy_from(&self.at.run.state);
            return Ok(self.at.run.energy.exchanged);
        }
        let theta = (t - report.t_old) / report.h();
        let turns = &mut engine.mechanism().work.turns;
        self.turns.inside(theta, turns);
        engine.inside(theta, t, &mut self.inside)?;
        Ok(self.ledger.inside(t - report.t_old))
    }

    pub(super) fn give_frame(
        &mut self,
        engine: &mut dyn Engine,
        exchanged: Exchanged,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<()>, Trouble> {
        self.at.frames += 1;
        Ok(observer.frame(&self.look(engine, exchanged)?))
    }

    /// All that is known of the state inside.
    fn look<'a>(&'a self, engine: &'a mut dyn Engine, exchanged: Exchanged) -> Result<Frame<'a>, Trouble> {
        let mechanism = engine.mechanism();
        mechanism.accelerate(self.inside.t, &self.inside.q, &self.inside.v)?;
        let Dynamics { system, work, result, .. } = mechanism;
        work.exchanged = exchanged;
        Ok(Frame { system, state: &self.inside, work, accelerations: result })
    }
}
