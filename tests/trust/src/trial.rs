//! One run of a motion, and what is to be thought of it.

use crate::motion::{Expect, Motion};
use kingpin::analysis::assemble;
use kingpin::dynamics::{
    End, Frame, History, Method, Observer, Run, Settings, lag, simulate, tumbling, unresolved,
};
use kingpin::results::Channels;
use kingpin::system::{State, System};
use kingpin_io::{Overrides, read_text};
use std::fmt;
use std::ops::ControlFlow;
use std::time::Instant;

/// Errors up to so many tolerances are right.
pub const ALLOWED: f64 = 100.0;
/// A run that needs more steps than this is given up: it says so, so it is not wrong in silence.
const MOST_STEPS: usize = 400_000;

/// A motion with a method at a tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Name of the motion.
    pub motion: String,
    /// Method.
    pub method: Method,
    /// Tolerance.
    pub tol: f64,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} {:e}", self.motion, self.method.name(), self.tol)
    }
}

/// What is to be thought of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Right.
    Met,
    /// It failed or warned, with these words.
    Said(String),
    /// Wrong, in silence.
    Wrong,
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Which.
    pub case: Case,
    /// Greatest error at frames before the end, relative to scale and tolerance.
    pub frames: f64,
    /// Error at the end.
    pub end: f64,
    /// Steps taken.
    pub steps: usize,
    /// Time it took, in seconds.
    pub wall: f64,
    /// What is to be thought of it.
    pub verdict: Verdict,
}

impl Outcome {
    /// The greater one of its errors, in tolerances.
    pub fn worst(&self) -> f64 {
        if self.frames.is_nan() || self.end.is_nan() { f64::NAN } else { self.frames.max(self.end) }
    }
}

/// Keeps the compared channels of all frames.
struct Keep<'a> {
    channels: &'a Channels,
    places: Vec<usize>,
    all: Vec<f64>,
    t: Vec<f64>,
    rows: Vec<Vec<f64>>,
}

impl Observer for Keep<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.channels.fill(frame.system, frame.work, frame.accelerations, &mut self.all);
        self.t.push(frame.state.t);
        self.rows.push(self.places.iter().map(|&k| self.all[k]).collect());
        ControlFlow::Continue(())
    }
}

/// Runs a motion. What cannot be read, compiled or put together is no answer: the reason goes into a panic, unless an
/// error is what is wanted.
pub fn run(motion: &Motion, method: Method, tol: f64) -> Outcome {
    let case = Case { motion: motion.name.clone(), method, tol };
    let started = Instant::now();
    let mut out = Outcome { case, frames: 0.0, end: 0.0, steps: 0, wall: 0.0, verdict: Verdict::Met };
    match simulated(motion, method, tol) {
        Err(refusal) if motion.expect == Expect::Error => out.verdict = Verdict::Said(refusal),
        Err(refusal) => panic!("{}: {refusal}", motion.name),
        Ok((run, said, t, rows)) => {
            out.steps = run.statistics.steps;
            match (said, motion.expect) {
                (Some(words), _) => out.verdict = Verdict::Said(words),
                (None, Expect::Error) => out.verdict = Verdict::Wrong,
                (None, Expect::Truth) => {
                    (out.frames, out.end) = errors(motion, tol, &t, &rows);
                    let right = out.frames <= ALLOWED && out.end <= ALLOWED;
                    out.verdict = if right { Verdict::Met } else { Verdict::Wrong };
                }
            }
        }
    }
    if let (Expect::Error, Verdict::Said(_)) = (motion.expect, &out.verdict) {
        out.verdict = Verdict::Met;
    }
    out.wall = started.elapsed().as_secs_f64();
    out
}

type Simulated = (Run, Option<String>, Vec<f64>, Vec<Vec<f64>>);

fn simulated(motion: &Motion, method: Method, tol: f64) -> Result<Simulated, String> {
    let loaded = read_text(&format!("{}.toml", motion.name), &motion.model, "", &Overrides::none());
    let words = loaded.render(false);
    let model = loaded.model.ok_or(words)?;
    let (system, _) = System::compile(&model).map_err(|findings| format!("{findings:?}"))?;
    let assembly = assemble(&system).map_err(|failure| format!("{failure:?}"))?;
    let channels = Channels::new(&system);
    let mut places = Vec::new();
    for name in motion.tracks.iter().flat_map(|track| track.what.channels()) {
        places.push(channels.find(&name).ok_or_else(|| format!("no channel `{name}`"))?);
    }
    let all = vec![0.0; channels.len()];
    let mut keep = Keep { channels: &channels, places, all, t: Vec::new(), rows: Vec::new() };
    let settings = Settings {
        method,
        frame: Some(motion.t_end / motion.frames as f64),
        most_steps: (MOST_STEPS as f64 * motion.patience) as usize,
        ..Settings::new(tol, motion.t_end)
    };
    let redundant = &assembly.diagnosis.redundant_rows;
    let mut history = History::new(settings.t_end, settings.most_steps);
    let run = simulate(&system, &assembly.state, redundant, &settings, &mut history.noting(&mut keep));
    let hopeless =
        history.hopeless().map(|(_, more)| format!("given up: {more:.0e} more steps would be needed"));
    let said = hopeless.or_else(|| said((&system, redundant), &assembly.state, &run, &settings));
    Ok((run, said, keep.t, keep.rows))
}

/// What a run said, if it did not simply reach its end: a failure, or what the command warns of.
fn said(
    (system, redundant): (&System, &[bool]),
    start: &State,
    run: &Run,
    settings: &Settings,
) -> Option<String> {
    if let (End::Reached, Some(doubt)) = (&run.end, run.energy.doubt(settings, run.statistics.steps)) {
        return Some(format!("warning: the balance of energy does not add up: {:e} is missing", doubt.drift));
    }
    let Settings { rtol, atol, .. } = *settings;
    if let (End::Reached, Some(lost)) = (&run.end, unresolved(system, &run.scales, rtol, atol, &run.state.q))
    {
        return Some(format!("warning: a motion of {:e} m is too small for the tolerance", lost.motion));
    }
    if let (End::Reached, Some(found)) = (&run.end, tumbling(system, start, &run.state, rtol)) {
        return Some(format!(
            "warning: the attitude of a tumbling body is uncertain by {:e} rad",
            found.error
        ));
    }
    if let (End::Reached, Some(found)) =
        (&run.end, lag((system, redundant), &run.energy, &run.scales, settings))
    {
        return Some(format!("warning: the motion is shifted by {:e} s", found.shift));
    }
    match &run.end {
        End::Failed(outcome) => Some(outcome.to_string()),
        End::Reached => None,
        other => Some(format!("{other:?}")),
    }
}

/// Greatest error before the end, and the error at the end, in scales and tolerances.
fn errors(motion: &Motion, tol: f64, t: &[f64], rows: &[Vec<f64>]) -> (f64, f64) {
    if t.len() != motion.frames + 1 {
        return (f64::NAN, f64::NAN);
    }
    let truth = motion.truth_at(t);
    let mut first = 0;
    let (mut before, mut end) = (0.0_f64, 0.0_f64);
    for track in &motion.tracks {
        let own = first..first + track.what.width();
        first = own.end;
        let scale = if track.scale > 0.0 { track.scale } else { amplitude(&truth, own.start) };
        for (k, (row, right)) in rows.iter().zip(truth.iter()).enumerate() {
            let error = track.what.difference(&row[own.clone()], &right[own.clone()]) / (scale * tol);
            let worst = if k == motion.frames { &mut end } else { &mut before };
            // not a number is worse than any
            *worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
        }
    }
    (before, end)
}

/// Half the range of one of the true values.
fn amplitude(truth: &[Vec<f64>], k: usize) -> f64 {
    let of = |pick: fn(f64, f64) -> f64, start| truth.iter().map(|row| row[k]).fold(start, pick);
    0.5 * (of(f64::max, f64::NEG_INFINITY) - of(f64::min, f64::INFINITY))
}
