//! Watches a run: step sizes, frames, progress.

use super::frames::{Picked, Rows};
use super::interrupt;
use super::progress::{Place, Progress};
use kingpin::dynamics::{Checkpoint, Frame, Happening, Observer, Step};
use kingpin::results::Channels;
use kingpin::system::System;
use kingpin_results::Recorder;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The observer of `kingpin run`.
pub struct Watch<'a> {
    channels: &'a Channels,
    picked: &'a Picked,
    t_start: f64,
    t_end: f64,
    progress: Progress,
    started: Instant,
    /// Time that it took before it was interrupted, in seconds.
    before: f64,
    /// Time spent on frames and files.
    pub output: Duration,
    /// Shortest and longest step.
    pub steps: Option<(f64, f64)>,
    /// Whether the user has stopped the run and what it had reached was saved.
    saved: bool,
    /// Frames so far, and room for one.
    pub rows: Rows,
    numbers: Vec<f64>,
    /// Writes results, if they are wanted.
    pub recorder: Option<Recorder<'a>>,
}

impl<'a> Watch<'a> {
    /// Ready to watch.
    pub fn new(
        channels: &'a Channels,
        picked: &'a Picked,
        (t_start, t_end): (f64, f64),
        progress: Progress,
        recorder: Option<Recorder<'a>>,
    ) -> Self {
        Watch {
            channels,
            picked,
            t_start,
            t_end,
            progress,
            started: Instant::now(),
            before: 0.0,
            output: Duration::ZERO,
            steps: None,
            saved: false,
            rows: Rows::default(),
            numbers: Vec::new(),
            recorder,
        }
    }

    /// Goes on where another watch was when it noted these numbers.
    pub fn carry_on(&mut self, carried: &[f64]) {
        if let [shortest, longest, before] = *carried {
            self.steps = (longest > 0.0).then_some((shortest, longest));
            self.before = before;
        }
    }

    fn carried(&self) -> [f64; 3] {
        let (shortest, longest) = self.steps.unwrap_or_default();
        [shortest, longest, self.wall()]
    }

    /// Time that it took, in seconds.
    pub fn wall(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64()
    }

    /// Whether somebody has had enough of it.
    fn is_enough(&self) -> bool {
        interrupt::wanted() || self.progress.is_enough()
    }

    /// The run is over.
    pub fn finish(&mut self) {
        self.progress.finish();
    }

    /// Lets the recorder do something, and counts the time it takes.
    fn record<T>(&mut self, default: T, what: impl FnOnce(&mut Recorder) -> T) -> T {
        let Some(recorder) = &mut self.recorder else { return default };
        let started = Instant::now();
        let done = what(recorder);
        self.output += started.elapsed();
        done
    }
}

const GO: ControlFlow<()> = ControlFlow::Continue(());

impl Observer for Watch<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.resize(self.channels.len(), 0.0);
        self.read(frame, &mut numbers);
        let go_on = self.take(frame.state.t, &numbers);
        self.numbers = numbers;
        go_on
    }

    fn needs_accelerations(&self, system: &System) -> bool {
        self.channels.need_accelerations(system)
    }

    fn frame_numbers(&self) -> Option<usize> {
        Some(self.channels.len())
    }

    fn read(&mut self, frame: &Frame, numbers: &mut [f64]) {
        let started = Instant::now();
        self.channels.fill(frame.system, frame.work, frame.accelerations, numbers);
        self.output += started.elapsed();
    }

    fn take(&mut self, t: f64, numbers: &[f64]) -> ControlFlow<()> {
        if !self.picked.places().is_empty() {
            self.rows.add(t, numbers, self.picked);
        }
        self.record(GO, |recorder| recorder.take(t, numbers))
    }

    fn event(&mut self, event: &Happening) {
        self.record((), |recorder| recorder.event(event));
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        let (t, h) = (step.report.t, step.report.h());
        // the last step is cut short by the end
        if t < self.t_end || self.steps.is_none() {
            let (shortest, longest) = self.steps.unwrap_or((h, h));
            self.steps = Some((shortest.min(h), longest.max(h)));
        }
        let now = Instant::now();
        let (t_start, t_end, started) = (self.t_start, self.t_end, self.started);
        self.progress.at(now, || Place { t, t_start, t_end, h, elapsed: now - started });
        let go_on = self.record(GO, |recorder| recorder.step(step));
        // the state before this step was saved on the way
        if self.is_enough() && (self.saved || self.recorder.is_none()) {
            ControlFlow::Break(())
        } else {
            go_on
        }
    }

    /// Also where the user stops it, so that nothing is lost.
    fn wants_checkpoint(&mut self, last: bool) -> bool {
        self.saved = self.is_enough();
        self.recorder.as_mut().is_some_and(|recorder| recorder.wants_checkpoint(last || self.saved))
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        let carried = self.carried();
        self.record((), |recorder| recorder.checkpoint_with(checkpoint, &carried));
    }
}
