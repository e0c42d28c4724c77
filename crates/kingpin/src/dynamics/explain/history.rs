//! The last steps of a run, kept for the case that it fails.

use crate::dynamics::run::checkpoint::Checkpoint;
use crate::dynamics::run::{Frame, Observer, Step};
use crate::dynamics::watch::events::Happening;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};
use crate::system::{State, System};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// Steps kept.
const KEPT: usize = 20;
/// Steps after which the pace is judged.
const WINDOW: usize = 5000;
/// Its part of the memory of a run.
const NAME: &str = "history";

/// Longest steps of a window and of its first half that are taken for alike.
const ALIKE: f64 = 1.2;

/// Keeps the last steps. Knows when a run would need more steps than allowed: after every 5,000 steps, the longest of
/// them tells how many more it takes, unless they are still growing.
#[derive(Clone, Debug)]
pub struct History {
    kept: VecDeque<Step>,
    t_end: f64,
    most_steps: usize,
    steps: usize,
    longest: f64,
    /// Of the first half of the window.
    longest_at_half: f64,
    hopeless: Option<(f64, f64)>,
}

/// Passes everything on to another observer, notes the steps, and stops a run that has become hopeless.
pub struct Noted<'o> {
    inner: &'o mut dyn Observer,
    history: &'o mut History,
}

impl History {
    /// Before the run, for settings with that end and that limit.
    pub fn new(t_end: f64, most_steps: usize) -> Self {
        let kept = VecDeque::with_capacity(KEPT);
        Self { kept, t_end, most_steps, steps: 0, longest: 0.0, longest_at_half: 0.0, hopeless: None }
    }

    /// An observer that notes the steps and passes everything on.
    pub fn noting<'o>(&'o mut self, inner: &'o mut dyn Observer) -> Noted<'o> {
        Noted { inner, history: self }
    }

    /// The last steps, oldest first.
    pub fn steps(&self) -> Vec<Step> {
        self.kept.iter().copied().collect()
    }

    /// Size of the longest of so many last steps; 0 if there were none.
    pub fn longest(&self, of: usize) -> f64 {
        self.kept.iter().rev().take(of).fold(0.0, |most, step| step.report.h().max(most))
    }

    /// If the run was given up: the longest step of late, and how many more it would have taken.
    pub fn hopeless(&self) -> Option<(f64, f64)> {
        self.hopeless
    }

    /// Goes on where another history was when a checkpoint was made.
    pub fn carry_on(&mut self, checkpoint: &Checkpoint) -> Result<(), Unfit> {
        checkpoint.memory.recall(NAME, self).map(|_| ())
    }

    /// Adds what it remembers to a checkpoint.
    pub fn save_in(&self, checkpoint: &mut Checkpoint) {
        checkpoint.memory.keep(NAME, self);
    }

    fn note(&mut self, step: &Step) -> ControlFlow<()> {
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(*step);
        self.judge(step)
    }

    fn judge(&mut self, step: &Step) -> ControlFlow<()> {
        self.steps += 1;
        self.longest = self.longest.max(step.report.h());
        if self.steps.is_multiple_of(WINDOW) {
            let more = (self.t_end - step.report.t) / self.longest;
            let grows = self.longest > ALIKE * self.longest_at_half;
            if !grows && more > self.most_steps.saturating_sub(self.steps) as f64 {
                self.hopeless = Some((self.longest, more));
                return ControlFlow::Break(());
            }
            self.longest = 0.0;
        } else if self.steps % WINDOW == WINDOW / 2 {
            self.longest_at_half = self.longest;
        }
        ControlFlow::Continue(())
    }
}

impl Snapshot for History {
    fn save(&self, out: &mut SnapshotWriter) {
        (self.steps, self.longest).save(out);
        self.longest_at_half.save(out);
        out.count(self.kept.len());
        self.kept.iter().for_each(|step| step.save(out));
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.steps.restore(from)?;
        self.longest.restore(from)?;
        self.longest_at_half.restore(from)?;
        self.kept.clear();
        for _ in 0..from.count()? {
            let mut step = Step::default();
            step.restore(from)?;
            self.kept.push_back(step);
        }
        Ok(())
    }
}

impl Observer for Noted<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.inner.frame(frame)
    }

    fn needs_accelerations(&self, system: &System) -> bool {
        self.inner.needs_accelerations(system)
    }

    fn frame_numbers(&self) -> Option<usize> {
        self.inner.frame_numbers()
    }

    fn read(&mut self, frame: &Frame, numbers: &mut [f64]) {
        self.inner.read(frame, numbers);
    }

    fn take(&mut self, t: f64, numbers: &[f64]) -> ControlFlow<()> {
        self.inner.take(t, numbers)
    }

    fn accepted(&mut self, state: &State) {
        self.inner.accepted(state);
    }

    fn event(&mut self, event: &Happening) {
        self.inner.event(event);
    }

    fn happened(&mut self, event: usize, t: f64) {
        self.inner.happened(event, t);
    }

    fn next_instant(&mut self) -> Option<f64> {
        self.inner.next_instant()
    }

    fn instant(&mut self, frame: &Frame) {
        self.inner.instant(frame);
    }

    fn wants_checkpoint(&mut self, last: bool) -> bool {
        self.inner.wants_checkpoint(last)
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        let mut checkpoint = checkpoint.clone();
        self.history.save_in(&mut checkpoint);
        self.inner.checkpoint(&checkpoint);
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        match self.history.note(step) {
            ControlFlow::Continue(()) => self.inner.step(step),
            stop => stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::StepReport;

    /// Whether a run of 1 s with a limit is given up within two windows, if its steps grow by some ratio.
    fn given_up(ratio: f64) -> bool {
        let mut history = History::new(1.0, 1_000_000);
        let (mut t, mut h) = (0.0, 1e-9);
        (0..2 * WINDOW).any(|_| {
            let report = StepReport { t_old: t, t: t + h, ..StepReport::default() };
            (t, h) = (t + h, h * ratio);
            history.judge(&Step { report, ..Step::default() }).is_break()
        })
    }

    #[test]
    fn a_run_is_not_given_up_while_its_steps_grow() {
        assert!(given_up(1.0));
        assert!(!given_up(1.0003));
    }
}
