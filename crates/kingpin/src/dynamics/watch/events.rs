//! Finding where pieces end: crossings of switches inside a step.

use super::paths::InputPaths;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::stepping::engine::Engine;
use crate::element::switch::Switch;
use crate::integrate::{StepReport, zero};
use crate::system::{State, System, Work};

/// Something that happened at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// When.
    pub t: f64,
    /// What, in words.
    pub what: String,
}

/// Looks for crossings step by step.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Watch {
    /// Margins at the start, in the middle and at the end of the step.
    before: Vec<f64>,
    middle: Vec<f64>,
    after: Vec<f64>,
    /// What the switches look at, over the step.
    paths: InputPaths,
    /// Where in the step the search begins: behind what was found before.
    from: f64,
    /// Whether there is anything to watch.
    idle: bool,
    /// Whether the last look has moved the instant away from the end of the step.
    pub moved: bool,
}

/// The first crossing in a step.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::dynamics) struct FirstCrossing {
    pub t: f64,
    pub theta: f64,
    /// The switches that are crossed there.
    pub switches: Vec<usize>,
    /// Those among them that leave a place rather than cross an edge, with the piece they go to.
    pub leaves: Vec<(usize, u8)>,
}

/// Times are found to this part of the step.
const TIME: f64 = 1e-13;
/// Margins at the crossing that are this small, relative to those at the ends of the step, belong to it too.
const TOGETHER: f64 = 1e-8;

impl Watch {
    pub fn new(system: &System) -> Self {
        let switches = system.switches();
        Self {
            paths: InputPaths::of_switches(system),
            idle: system.switches.iter().all(Switch::is_timed),
            before: vec![0.0; switches],
            middle: vec![0.0; switches],
            after: vec![0.0; switches],
            from: 0.0,
            moved: false,
        }
    }

    /// Whether there is anything to watch.
    pub fn is_idle(&self) -> bool {
        self.idle
    }

    /// Whether a switch is on the wrong side of its edge at the instant of the work.
    pub fn is_wrong(&mut self, system: &System, work: &Work) -> bool {
        system.switch_margins(work, &mut self.after);
        self.after.iter().any(|m| *m < 0.0)
    }

    /// Notes the margins where a step starts; the instant is that of the work.
    pub fn start(&mut self, engine: &mut dyn Engine) {
        self.from = 0.0;
        let mechanism = engine.mechanism();
        self.paths.start(mechanism.system, &mechanism.work);
        mechanism.margins(&mut self.before);
    }

    /// Goes on behind a crossing that does not end the step; the pieces are those behind it, the instant of the
    /// work is that of the crossing.
    pub fn go_on(&mut self, engine: &mut dyn Engine, crossing: &FirstCrossing) {
        self.from = crossing.theta;
        let mechanism = engine.mechanism();
        mechanism.margins(&mut self.before);
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
    ) -> Result<Option<FirstCrossing>, Trouble> {
        let mechanism = engine.mechanism();
        // what holds is known by accelerations
        self.moved = !mechanism.system.active.is_empty();
        mechanism.margins(&mut self.after);
        let mut leaves = self.leaves(engine);
        let Some(end) = self.end(engine, report, room)? else { return Ok(None) };
        if end < 1.0 {
            leaves = self.leaves(engine);
        }
        let ends = (end, end < 1.0);
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
        leaves.retain(|(k, _)| switches.contains(k));
        Ok(Some(FirstCrossing { t: report.t_old + theta * report.h(), theta, switches, leaves }))
    }

    /// Switches that were exactly on their edge and have left it, with the side they are on now.
    fn leaves(&self, engine: &mut dyn Engine) -> Vec<(usize, u8)> {
        let Dynamics { system, work, .. } = engine.mechanism();
        let left = |k: usize| system.switch_left(k, work).map(|piece| (k, piece));
        (0..self.after.len()).filter_map(left).collect()
    }

    /// A place in the step where an edge is crossed for sure, with the margins there in `middle` unless it is the
    /// end. There and back within one step is looked for along paths between the ends, and found on the dense
    /// output.
    fn end(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        room: &mut State,
    ) -> Result<Option<f64>, Trouble> {
        // an edge may be crossed to and fro before it is crossed for good: the first counts
        let Dynamics { system, work, .. } = engine.mechanism();
        self.paths.end(system, work, report.t_old, report.h());
        let doubtful = self.paths.doubtful(system, work, self.from);
        let crossed = self.after.iter().any(|m| *m < 0.0);
        let near = |k: usize| {
            let (a, b) = (self.before[k], self.after[k]);
            a.min(b) < 0.5 * (a - b).abs() + 0.05 * (a + b) && a.is_finite() && b.is_finite()
        };
        let middle = 0.5 * (self.from + 1.0);
        let suspicious = !crossed && (0..self.after.len()).any(near);
        for theta in doubtful.into_iter().chain(suspicious.then_some(middle)) {
            self.margins_at(engine, report, theta, room)?;
            if self.middle.iter().any(|m| *m < 0.0) {
                return Ok(Some(theta));
            }
        }
        Ok(crossed.then_some(1.0))
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
        engine.mechanism().margins(&mut self.middle);
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
            engine.mechanism().margin(k)
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
