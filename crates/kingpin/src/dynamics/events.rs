//! Finding where pieces end: crossings of switches inside a step.

use super::engine::Engine;
use super::mechanism::Trouble;
use crate::integrate::{StepReport, zero};
use crate::system::State;

/// Something that happened at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When.
    pub t: f64,
    /// What, in words.
    pub what: String,
}

/// Looks for crossings step by step.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// Margins at the start, in the middle and at the end of the step.
    before: Vec<f64>,
    middle: Vec<f64>,
    after: Vec<f64>,
    /// Where in the step the search begins: behind what was found before.
    from: f64,
    /// Whether the last look has moved the instant away from the end of the step.
    pub moved: bool,
}

/// The first crossing in a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Crossing {
    pub t: f64,
    pub theta: f64,
    /// The switches that are crossed there.
    pub switches: Vec<usize>,
}

/// Times are found to this part of the step.
const TIME: f64 = 1e-13;
/// Margins at the crossing that are this small, relative to those at the ends of the step, belong to it too.
const TOGETHER: f64 = 1e-8;

impl Watch {
    pub fn new(switches: usize) -> Self {
        Self {
            before: vec![0.0; switches],
            middle: vec![0.0; switches],
            after: vec![0.0; switches],
            from: 0.0,
            moved: false,
        }
    }

    /// Whether there is anything to watch.
    pub fn is_idle(&self) -> bool {
        self.before.is_empty()
    }

    /// Notes the margins where a step starts; the instant is that of the work.
    pub fn start(&mut self, engine: &mut dyn Engine) {
        self.from = 0.0;
        let mechanism = engine.mechanism();
        mechanism.system.switch_margins(&mechanism.work, &mut self.before);
    }

    /// Goes on behind a crossing that does not end the step; the pieces are those behind it, the instant of the
    /// work is that of the crossing.
    pub fn go_on(&mut self, engine: &mut dyn Engine, crossing: &Crossing) {
        self.from = crossing.theta;
        let mechanism = engine.mechanism();
        mechanism.system.switch_margins(&mechanism.work, &mut self.before);
        for &k in &crossing.switches {
            // on the edge, so rounding errors decide; it has just been crossed
            self.before[k] = self.before[k].max(f64::MIN_POSITIVE);
        }
    }

    /// The first crossing in the step just taken; the instant of the work is its end.
    pub fn look(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        room: &mut State,
    ) -> Result<Option<Crossing>, Trouble> {
        self.moved = false;
        let mechanism = engine.mechanism();
        mechanism.system.switch_margins(&mechanism.work, &mut self.after);
        let mut ends = (1.0, false);
        if self.after.iter().all(|m| *m >= 0.0) {
            // there and back within one step: worth a look only where an edge is near
            let near = |k: usize| {
                let (a, b) = (self.before[k], self.after[k]);
                a.min(b) < 0.5 * (a - b).abs() + 0.05 * (a + b) && a.is_finite() && b.is_finite()
            };
            if !(0..self.after.len()).any(near) {
                return Ok(None);
            }
            let middle = 0.5 * (self.from + 1.0);
            self.margins_at(engine, report, middle, room)?;
            if self.middle.iter().all(|m| *m >= 0.0) {
                return Ok(None);
            }
            ends = (middle, true);
        }
        let margins = if ends.1 { self.middle.clone() } else { self.after.clone() };
        let crossed: Vec<usize> = (0..margins.len()).filter(|&k| margins[k] < 0.0).collect();
        let mut theta: f64 = ends.0;
        for &k in &crossed {
            theta = self.locate(k, engine, report, (theta, margins[k], ends.0), room)?;
        }
        self.margins_at(engine, report, theta, room)?;
        let together = |&k: &usize| {
            let size = self.before[k].abs().min(1e300) + margins[k].abs();
            self.middle[k] <= TOGETHER * size
        };
        let switches: Vec<usize> = crossed.into_iter().filter(together).collect();
        Ok(Some(Crossing { t: report.t_old + theta * report.h(), theta, switches }))
    }

    /// Margins at a place inside the step, in `middle`.
    fn margins_at(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        theta: f64,
        room: &mut State,
    ) -> Result<(), Trouble> {
        self.moved = true;
        engine.inside(theta, report.t_old + theta * report.h(), room)?;
        let mechanism = engine.mechanism();
        mechanism.system.switch_margins(&mechanism.work, &mut self.middle);
        Ok(())
    }

    /// Where switch `k` is crossed, at most the place found so far. `end` is a place beyond with its margin.
    fn locate(
        &self,
        k: usize,
        engine: &mut dyn Engine,
        report: &StepReport,
        (earliest, margin, end): (f64, f64, f64),
        room: &mut State,
    ) -> Result<f64, Trouble> {
        let mut failed = None;
        let mut value = |theta: f64| {
            if let Err(trouble) = engine.inside(theta, report.t_old + theta * report.h(), room) {
                failed = Some(trouble);
                return -1.0;
            }
            let mechanism = engine.mechanism();
            mechanism.system.switch_margin(k, &mechanism.work)
        };
        // the earlier of two crossings counts: look only before it
        let right = if earliest < end { (earliest, value(earliest)) } else { (end, margin) };
        let mut left = (self.from, self.before[k]);
        if right.1 <= 0.0 && left.1 == f64::MIN_POSITIVE {
            // the edge was crossed where the search begins: find a place clearly inside the piece, if there is one
            let middle = 0.5 * (self.from + right.0);
            left = (middle, value(middle));
        }
        let theta = if right.1 > 0.0 {
            earliest
        } else if left.1 <= 0.0 {
            left.0
        } else {
            zero(left, right, TIME, &mut value)
        };
        failed.map_or(Ok(theta), Err)
    }
}
