//! Looks at a run and keeps what scalars need of it, and no more: memory does not grow with frames.

use crate::scalar::{Bound, Reduction, ReductionKind, When};
use kingpin::dynamics::{Frame, Observer, Step};
use kingpin::results::Channels;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is known of one reduction so far.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    frames: u64,
    first: f64,
    last: f64,
    least: (f64, f64),
    most: (f64, f64),
    /// Integrals of the value and of its square, by the trapezoidal rule.
    integral: f64,
    squares: f64,
    /// Start and last time.
    times: (f64, f64),
    /// Whether a value was no number.
    spoilt: bool,
    /// The value at the instant that was asked for.
    held: Option<f64>,
}

impl Account {
    fn add(&mut self, t: f64, value: f64) {
        self.spoilt |= value.is_nan();
        if self.frames == 0 {
            (self.first, self.last, self.times) = (value, value, (t, t));
            (self.least, self.most) = ((value, t), (value, t));
        }
        if value < self.least.0 {
            self.least = (value, t);
        }
        if value > self.most.0 {
            self.most = (value, t);
        }
        let h = t - self.times.1;
        self.integral += 0.5 * h * (self.last + value);
        self.squares += 0.5 * h * (self.last * self.last + value * value);
        (self.last, self.times.1) = (value, t);
        self.frames += 1;
    }

    fn result(&self, kind: ReductionKind) -> Option<f64> {
        if kind == ReductionKind::At {
            return self.held;
        }
        if self.frames == 0 || self.spoilt && !matches!(kind, ReductionKind::First | ReductionKind::Last) {
            return None;
        }
        let duration = self.times.1 - self.times.0;
        let mean = |integral: f64, only: f64| if duration > 0.0 { integral / duration } else { only };
        Some(match kind {
            ReductionKind::Max => self.most.0,
            ReductionKind::Min => self.least.0,
            ReductionKind::TimeOfMax => self.most.1,
            ReductionKind::TimeOfMin => self.least.1,
            ReductionKind::Mean => mean(self.integral, self.last),
            ReductionKind::Rms => mean(self.squares, self.last * self.last).sqrt(),
            ReductionKind::Integral => self.integral,
            ReductionKind::First => self.first,
            ReductionKind::Last | ReductionKind::At => self.last,
        })
    }
}

/// Channels over time that are kept whole, because they were asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// Names and units of the channels.
    pub channels: Vec<(String, String)>,
    /// A row per frame: time and values.
    pub rows: Vec<f64>,
}

/// The observer of a point.
pub(crate) struct Gauge<'a> {
    channels: &'a Channels,
    bound: &'a Bound,
    /// Places of the channels that scalars look at, and of those that are kept.
    picked: Vec<usize>,
    kept: Vec<usize>,
    pub curves: Option<Curves>,
    accounts: Vec<Account>,
    /// Instants to come, and which reduction wants them.
    pending: Vec<(f64, usize)>,
    /// All channels at an instant; the time and those of scalars.
    row: Vec<f64>,
    values: Vec<f64>,
    /// Time of the last frame.
    last: f64,
    stop: &'a AtomicBool,
}

impl<'a> Gauge<'a> {
    /// Ready to look; `curves` are names of channels to keep.
    pub fn new(
        channels: &'a Channels,
        bound: &'a Bound,
        curves: &[String],
        stop: &'a AtomicBool,
    ) -> Gauge<'a> {
        let place = |name: &String| channels.find(name);
        let kept: Vec<usize> = curves.iter().filter_map(place).collect();
        let named =
            kept.iter().map(|&k| (channels.list()[k].name.clone(), channels.list()[k].unit.to_string()));
        let times = bound.reductions.iter().enumerate().filter_map(|(k, reduction)| match reduction.when {
            When::Time(t) => Some((t, k)),
            _ => None,
        });
        Gauge {
            channels,
            bound,
            picked: bound.picked.iter().filter_map(place).collect(),
            curves: (!curves.is_empty()).then(|| Curves { channels: named.collect(), rows: Vec::new() }),
            kept,
            accounts: vec![Account::default(); bound.reductions.len()],
            pending: times.collect(),
            row: vec![0.0; channels.len()],
            values: vec![0.0; bound.picked.len() + 1],
            last: f64::NAN,
            stop,
        }
    }

    fn look(&mut self, frame: &Frame) -> f64 {
        self.channels.fill(frame.system, frame.work, frame.accelerations, &mut self.row);
        let t = frame.state.t;
        self.values[0] = t;
        for (value, &k) in self.values[1..].iter_mut().zip(&self.picked) {
            *value = self.row[k];
        }
        t
    }

    /// Takes the values of instants up to a time.
    fn hold(&mut self, until: f64) {
        let (values, bound, accounts) = (&self.values, self.bound, &mut self.accounts);
        self.pending.retain(|&(t, k)| {
            if t <= until {
                accounts[k].held = Some(bound.reductions[k].inner.eval(values));
            }
            t > until
        });
    }

    /// The end of the run: also a frame, if there was none.
    pub fn finish(&mut self, frame: &Frame) {
        if frame.state.t != self.last {
            self.add(frame);
        }
        let t = self.look(frame);
        // where an event ends the run nothing comes after it
        self.hold(t);
    }

    fn add(&mut self, frame: &Frame) {
        let t = self.look(frame);
        for (account, Reduction { inner, .. }) in self.accounts.iter_mut().zip(&self.bound.reductions) {
            account.add(t, inner.eval(&self.values));
        }
        if let Some(curves) = &mut self.curves {
            curves.rows.push(t);
            curves.rows.extend(self.kept.iter().map(|&k| self.row[k]));
        }
        self.last = t;
    }

    /// All scalars; those without a value are none.
    pub fn scalars(&self) -> Vec<Option<f64>> {
        let results: Vec<f64> = self
            .accounts
            .iter()
            .zip(&self.bound.reductions)
            .map(|(account, reduction)| account.result(reduction.kind).unwrap_or(f64::NAN))
            .collect();
        let value = |expr: &kingpin::expr::Expr| Some(expr.eval(&results)).filter(|value| value.is_finite());
        self.bound.outer.iter().map(|(expr, _)| value(expr)).collect()
    }

    /// The first instant that never came.
    pub fn missed(&self) -> Option<When> {
        let missing = |(account, reduction): (&Account, &Reduction)| {
            (reduction.kind == ReductionKind::At && account.held.is_none()).then_some(reduction.when)
        };
        self.accounts.iter().zip(&self.bound.reductions).find_map(missing)
    }
}

impl Observer for Gauge<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.add(frame);
        ControlFlow::Continue(())
    }

    fn happened(&mut self, event: usize, t: f64) {
        for (k, reduction) in self.bound.reductions.iter().enumerate() {
            let awaited =
                self.accounts[k].held.is_none() && !self.pending.iter().any(|(_, other)| *other == k);
            if reduction.when == When::Event(event) && awaited {
                self.pending.push((t, k));
            }
        }
    }

    fn next_instant(&mut self) -> Option<f64> {
        self.pending.iter().map(|(t, _)| *t).min_by(f64::total_cmp)
    }

    fn instant(&mut self, frame: &Frame) {
        let t = self.look(frame);
        self.hold(t);
    }

    fn step(&mut self, _: &Step) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
