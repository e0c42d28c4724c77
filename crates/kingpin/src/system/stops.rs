//! Times known before the run at which something is not smooth: steps end there.

use super::{SampleCount, System, Work};
use crate::element::equation::EquationForm;
use crate::element::switch::{Gauge, Switch};
use crate::expr::{Edges, Interval, RootSearch, first_below, whole};
use crate::scalar::{Dual, Scalar};

/// The crossings of switches that depend on nothing but time, one after the other.
#[derive(Clone, Debug)]
pub struct Stops {
    /// The switches, ascending: what one depends on comes before it.
    timed: Vec<usize>,
    /// The next crossing of each; `None` where it must be looked for.
    next: Vec<Option<RootSearch>>,
    /// The next sample and output of each controller that works at samples, and which of them the last stop was for.
    samples: Vec<SampleCount>,
    due: Vec<[Option<u64>; 2]>,
    /// Pieces of all switches, of which those of `timed` are true.
    pieces: Vec<u8>,
    t: f64,
    end: f64,
    /// Nearer crossings than this are not told apart.
    least: f64,
    /// Stops in a row at the same time.
    still: usize,
    /// The switches of the last stop with the piece they had before it.
    passed: Vec<(usize, u8)>,
}

impl Stops {
    /// The stops of a run.
    pub fn new(system: &System, from: f64, end: f64) -> Stops {
        let timed: Vec<usize> = (0..system.switches()).filter(|&k| system.switches[k].is_timed()).collect();
        let mut stops = Stops {
            next: vec![None; timed.len()],
            samples: system.samplers.iter().map(|sampler| sampler.after(from)).collect(),
            due: vec![[None; 2]; system.samplers.len()],
            pieces: vec![0; system.switches()],
            t: from,
            end,
            least: 1e-13 * (end - from).abs().max(from.abs()),
            still: 0,
            passed: Vec::new(),
            timed,
        };
        for &k in &stops.timed {
            stops.pieces[k] = system.timed_piece(k, from, &stops.pieces);
        }
        stops
    }

    /// Whether there is nothing to stop for.
    pub fn is_idle(&self) -> bool {
        self.timed.is_empty() && self.samples.is_empty()
    }

    /// Whether the last stop that was passed is the end.
    pub fn is_over(&self) -> bool {
        self.t >= self.end
    }

    /// The next stop, or the end. A stop may lie where the last one was.
    pub fn next(&mut self, system: &System) -> f64 {
        let mut nearest = self.end;
        for (k, next) in self.timed.iter().zip(&mut self.next) {
            let found = *next.get_or_insert_with(|| {
                search(&system.switches[*k], &self.pieces, *k, self.t, self.end, self.least)
            });
            if let RootSearch::Below(t) | RootSearch::Pause(t) = found {
                nearest = nearest.min(t);
            }
        }
        for (sampler, next) in system.samplers.iter().zip(&self.samples) {
            nearest = sampler.times(*next).into_iter().fold(nearest, f64::min);
        }
        nearest
    }

    /// Goes on behind the next stop.
    pub fn pass(&mut self, system: &System) {
        let t = self.next(system);
        self.still = if t > self.t { 0 } else { self.still + 1 };
        // what flutters within rounding errors is left behind
        self.t = if self.still > STILL { self.t + self.least } else { t };
        self.passed.clear();
        for ((sampler, next), due) in system.samplers.iter().zip(&mut self.samples).zip(&mut self.due) {
            *due = sampler.pass(next, self.t + self.least);
        }
        for i in 0..self.timed.len() {
            let k = self.timed[i];
            let before = self.pieces[k];
            let due = match self.next[i] {
                Some(RootSearch::Below(t)) if t <= self.t + self.least => {
                    self.pieces[k] = system.beyond_in_time(k, before, self.t, &self.pieces);
                    true
                }
                Some(RootSearch::Pause(t)) => t <= self.t,
                _ => false,
            };
            // what jumps with a piece it depends on is chosen anew
            let reads = &system.switches[k].reads;
            let follows = self.passed.iter().any(|(other, _)| reads.contains(other));
            if follows && !due {
                self.pieces[k] = system.timed_piece(k, self.t, &self.pieces);
            }
            if due || follows {
                self.next[i] = None;
            }
            if self.pieces[k] != before {
                self.passed.push((k, before));
            }
        }
    }

    /// The switches that were crossed at the last stop, with the piece each had before.
    pub fn passed(&self) -> &[(usize, u8)] {
        &self.passed
    }

    /// Samples and outputs that the last stop was for, by sampler.
    pub fn due(&self) -> &[[Option<u64>; 2]] {
        &self.due
    }

    /// Writes the pieces of switches that depend on time alone.
    pub fn write(&self, pieces: &mut [u8]) {
        for &k in &self.timed {
            pieces[k] = self.pieces[k];
        }
    }
}

/// When a switch leaves its piece.
fn search(switch: &Switch, pieces: &[u8], k: usize, from: f64, end: f64, least: f64) -> RootSearch {
    let least = (least, PATIENCE);
    if let Gauge::Knots { x, .. } = &switch.gauge {
        let next = x.get(x.partition_point(|&knot| knot <= from)).copied();
        return next.filter(|&t| t <= end).map_or(RootSearch::Never, RootSearch::Below);
    }
    let Some(site) = switch.site() else { return RootSearch::Never };
    let g = |t: Dual<Interval>| site.gauge.eval_on(&[t], pieces);
    let piece = pieces[k];
    match site.edges {
        Edges::Whole => {
            let count = whole(site.gauge.eval_on(&[after(from)], pieces), piece);
            let low = first_below(|t| g(t) - Dual::from_f64(count), from, end, least);
            // no value is the next whole number yet: below it by the least there is
            let high = first_below(|t| Dual::from_f64((count + 1.0).next_down()) - g(t), from, end, least);
            earlier(low, high)
        }
        _ if piece == 0 => first_below(|t| Dual::from_f64(-f64::MIN_POSITIVE) - g(t), from, end, least),
        _ => first_below(g, from, end, least),
    }
}

fn earlier(a: RootSearch, b: RootSearch) -> RootSearch {
    let at = |found: RootSearch| match found {
        RootSearch::Below(t) | RootSearch::Pause(t) => t,
        RootSearch::Never => f64::INFINITY,
    };
    if at(b) < at(a) { b } else { a }
}

/// The first moment after a time.
fn after(t: f64) -> f64 {
    t + 4.0 * f64::EPSILON * t.abs() + 1e-18
}

/// A prescribed motion that is not where it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Jump {
    /// The driver.
    pub driver: String,
    /// When.
    pub t: f64,
    /// By how much, m or rad, or in velocity.
    pub by: f64,
    /// Whether that is an angle.
    pub angle: bool,
}

/// Ranges of time looked at in one search.
const PATIENCE: usize = 20_000;
/// Stops at the same time before time goes on.
const STILL: usize = 16;
/// Stops looked at before a run.
const AHEAD: usize = 10_000;
/// Motions that differ by less, relative to themselves, do not jump.
const SAME: f64 = 1e-9;

impl System {
    /// The first prescribed motion that jumps by itself (`order` 0) or in velocity (1) between two sets of pieces.
    pub fn driver_jump(&self, t: f64, order: usize, before: &[u8], after: &[u8]) -> Option<Jump> {
        for group in &self.layout.groups {
            for numbered in &self.layout.equations[group.equations.clone()] {
                let EquationForm::Single(basic, motion) = &numbered.equation.form else { continue };
                if motion.constant_value().is_some() {
                    continue;
                }
                let of = |pieces: &[u8]| motion.time_jet_on(t, pieces);
                let ([was, was_rate, _], [is, is_rate, _]) = (of(before), of(after));
                let (by, size) = match order {
                    0 => (is - was, was.abs() + is.abs()),
                    _ => (is_rate - was_rate, was_rate.abs() + is_rate.abs()),
                };
                // times are known to the last digit but one, so what moves may seem to jump by that
                let blur = 8.0 * f64::EPSILON * (t.abs() + 1e-18) * (was_rate.abs() + is_rate.abs());
                if by.abs() > SAME * size + blur {
                    return Some(Jump { driver: group.name.clone(), t, by, angle: basic.is_angle() });
                }
            }
        }
        None
    }

    /// The first prescribed motion that jumps at a time known before the run.
    pub fn jump_ahead(&self, mut stops: Stops) -> Option<Jump> {
        if !self.switches.iter().any(|switch| switch.is_timed() && switch.drives()) {
            return None;
        }
        for _ in 0..AHEAD {
            let before = stops.pieces.clone();
            if stops.next(self) >= stops.end {
                return None;
            }
            stops.pass(self);
            if let Some(jump) = self.driver_jump(stops.t, 0, &before, &stops.pieces) {
                return Some(jump);
            }
        }
        None
    }

    /// The piece of a switch of time alone, right after a time.
    pub(super) fn timed_piece(&self, k: usize, t: f64, pieces: &[u8]) -> u8 {
        let switch = &self.switches[k];
        let t = if matches!(switch.gauge, Gauge::Knots { .. }) { t } else { after(t) };
        switch.settle(pieces[k], switch.value(&[t], pieces))
    }

    /// The piece that a switch of time alone goes to when it is crossed.
    fn beyond_in_time(&self, k: usize, piece: u8, t: f64, pieces: &[u8]) -> u8 {
        let switch = &self.switches[k];
        switch.beyond(piece, switch.value(&[t], pieces))
    }

    /// Takes pieces over from the stops that were passed; switches that depend on them follow.
    pub fn pass_stop(&self, stops: &Stops, work: &mut Work) {
        for &(k, _) in &stops.passed {
            self.switch_to(k, stops.pieces[k], work);
        }
        stops.write(&mut work.pieces);
    }
}
