//! What an observer is given of a run: frames, and residuals of steps.

use super::Pilot;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::run::{Frame, Observer};
use crate::dynamics::stepping::engine::Engine;
use crate::integrate::StepReport;
use crate::ranks::Exchange;
use crate::system::{Exchanged, State};
use std::ops::ControlFlow;

/// Looks at attitudes inside a step that turns far.
const LOOKS: usize = 16;

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
        self.look_between(engine, report, until)?;
        let cut = engine.mechanism().system.subdivision.as_ref();
        let ranks = cut.map(|cut| cut.ranks.clone()).filter(|ranks| ranks.ranks() > 1);
        if let (Some(ranks), Some(numbers), None) = (ranks, observer.frame_numbers(), observer.next_instant())
        {
            return self.share_frames(engine, (report, until), (&*ranks, numbers), observer);
        }
        loop {
            let frame = self.settings.frame.map_or(f64::INFINITY, |every| self.next_frame(every, until));
            let asked = observer.next_instant().map(|t| t.max(report.t_old));
            if let Some(t) = asked.filter(|&t| t <= until && t < frame) {
                let exchanged = self.go_inside(engine, report, t)?;
                observer.instant(&self.look(engine, exchanged, true)?);
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

    /// Looks at attitudes inside a step without frames that has turned far.
    fn look_between(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        until: f64,
    ) -> Result<(), Trouble> {
        let frame = self.settings.frame.map_or(f64::INFINITY, |every| self.next_frame(every, until));
        let system = engine.mechanism().system;
        if frame <= until || !self.attitudes.are_far(system, &self.at.run.state) {
            return Ok(());
        }
        for k in 1..LOOKS {
            let t = report.t_old + (until - report.t_old) * k as f64 / LOOKS as f64;
            self.go_inside(engine, report, t)?;
            self.attitudes.look(system, &self.inside, &mut self.at.run.attitudes);
        }
        Ok(())
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
        let system = engine.mechanism().system;
        self.attitudes.look(system, &self.inside, &mut self.at.run.attitudes);
        let solved = observer.needs_accelerations(system);
        Ok(observer.frame(&self.look(engine, exchanged, solved)?))
    }

    /// The same as [`give_frames`](Self::give_frames) where ranks share frames: each reads its own, one after the other
    /// in turn, and all take all of them. One that cannot be had fails on every rank.
    fn share_frames(
        &mut self,
        engine: &mut dyn Engine,
        (report, until): (&StepReport, f64),
        (ranks, numbers): (&dyn Exchange, usize),
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<()>, Trouble> {
        let Some(every) = self.settings.frame else { return Ok(ControlFlow::Continue(())) };
        let first = self.at.frames;
        let mut times = Vec::new();
        while self.next_frame(every, until) <= until {
            times.push(self.next_frame(every, until));
            self.at.frames += 1;
        }
        self.at.frames = first;
        let solved = observer.needs_accelerations(engine.mechanism().system);
        let (own, others) = (ranks.rank(), ranks.ranks());
        // behind its numbers whether there is such a frame
        let width = numbers + 1;
        let counts: Vec<usize> =
            (0..others).map(|r| width * times.iter().skip(r).step_by(others).count()).collect();
        let mut read = vec![0.0; counts[own]];
        for (&t, row) in times.iter().skip(own).step_by(others).zip(read.chunks_exact_mut(width)) {
            let exchanged = self.go_inside(engine, report, t);
            if let Ok(frame) = exchanged.and_then(|exchanged| self.look(engine, exchanged, solved)) {
                observer.read(&frame, &mut row[..numbers]);
                row[numbers] = 1.0;
            }
        }
        let mut all = vec![0.0; counts.iter().sum()];
        ranks.gather(&read, &counts, &mut all);
        engine.mechanism().solves += if solved { times.len() - counts[own] / width } else { 0 };
        let starts: Vec<usize> = (0..others).map(|rank| counts[..rank].iter().sum()).collect();
        for (k, &t) in times.iter().enumerate() {
            let row = &all[starts[k % others] + k / others * width..][..width];
            if row[numbers] == 0.0 {
                let exchanged = self.go_inside(engine, report, t)?;
                self.look(engine, exchanged, solved)?;
            }
            self.at.frames += 1;
            if observer.take(t, &row[..numbers]).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// All that is known of the state inside, with accelerations or without.
    fn look<'a>(
        &'a self,
        engine: &'a mut dyn Engine,
        exchanged: Exchanged,
        solved: bool,
    ) -> Result<Frame<'a>, Trouble> {
        let mechanism = engine.mechanism();
        let State { t, q, v, .. } = &self.inside;
        if solved {
            mechanism.accelerate(*t, q, v)?;
        } else {
            mechanism.system.set(&mut mechanism.work, *t, q, v);
        }
        let Dynamics { system, work, result, .. } = mechanism;
        work.exchanged = exchanged;
        Ok(Frame { system, state: &self.inside, work, accelerations: result })
    }
}
