//! Singular positions on the way: noticed, passed on the smooth branch, reported.
//!
//! Where equations become dependent a mechanism may go on in more than one way, and accelerations say nothing: near
//! a flattened parallelogram they are large errors divided by small numbers. The motion itself is smooth there. So
//! where one of them is near, the next step is a bridge over it, of whatever method the others are; its error is
//! measured like theirs. Rates that change without cause are not accepted.

mod path;

pub use path::Approach;

use super::Run;
use crate::dynamics::instant::independence::Independence;
use crate::dynamics::instant::nearness::nearness;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::stepping::engine::Engine;
use crate::integrate::StepReport;
use crate::model::Subject;
use crate::system::{State, System};

/// Distances below this part of the greatest are watched.
const WATCHED: f64 = 0.7;
/// Distances below this part of the greatest are near: steps may become shorter there.
const NEARER: f64 = 0.3;
/// Distances below this part of the greatest are close, however short steps are.
const CLOSE: f64 = 0.1;
/// A bridge is tried again at this part of the distance.
const AGAIN: f64 = 0.6;
/// Positions are expected up to so many steps ahead.
const FAR: f64 = 4.0;
/// From farther away, a bridge is at most twice this part of the step that its method would take.
const LONGEST: f64 = 0.6;
/// Parts of a bridge that may lead to the position: far from the places of Gauss.
const PLACES: [f64; 3] = [0.17, 0.32, 0.5];
/// Steps do not end nearer to a position than this part of the greatest distance, if they can help it.
const NEAR: f64 = 0.1;
/// Bridges are tried down to this part of the greatest distance.
const TRIED: f64 = 3e-3;
/// Distances below this part of the greatest count as singular.
const SINGULAR: f64 = 0.01;
/// Change of rates, as a part of them, that a passage cannot explain.
const JUMP: f64 = 0.2;
/// How far a body of a loop turns between two looks at its equations.
const TURN: f64 = 0.5;
/// How fast a distance goes to zero and back while a body of a loop turns, in parts of the greatest per radian.
const STEEP: f64 = 2.5;
/// Looks inside one step at most.
const LOOKS: usize = 64;
/// Looks inside a step that may hold a position.
const CLOSELY: usize = 7;

/// What is to be known of the step just taken.
#[derive(Clone, Copy, Debug)]
pub(in crate::dynamics) struct Taken {
    /// Whether it was a bridge.
    pub bridged: bool,
    /// Whether steps may be of any size.
    pub free: bool,
    /// Where the steps under way are to end.
    pub aim: f64,
}

/// Watches the distance from dependence along a run.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Passage {
    independence: Option<Independence>,
    room: State,
    /// Distances over a step.
    distances: Vec<f64>,
    /// The distance at the end of the step under way, if it was looked at already.
    ended: Option<f64>,
    /// Velocities at the last two accepted states, and the size of the step between them.
    pub(in crate::dynamics) v: [Vec<f64>; 2],
    pub(in crate::dynamics) h: f64,
    /// Where the mechanism came near to a singular position: time, velocities, and their rates.
    pub(in crate::dynamics) entry: Option<(f64, Vec<f64>, Vec<f64>)>,
    /// When the last singular position was passed.
    pub(in crate::dynamics) noted: Option<f64>,
    /// What has been passed in the step just looked at: when, and what in words.
    pub passed: Vec<(f64, String)>,
}

impl Passage {
    pub fn new(mechanism: &Dynamics, state: &State) -> Self {
        let v = [state.v.clone(), state.v.clone()];
        let independence = Independence::new(mechanism);
        let distances = Vec::with_capacity(if independence.is_some() { LOOKS + 2 } else { 0 });
        let (room, ended, passed) = (state.clone(), None, Vec::new());
        Self { independence, room, distances, ended, v, h: 0.0, entry: None, noted: None, passed }
    }

    /// Goes on from another state: nothing is known of the way there.
    pub fn forget(&mut self, run: &mut Run) {
        run.path.forget();
        (self.h, self.entry, self.ended) = (0.0, None, None);
    }

    /// Whether a step ends so near to a singular position that it had better end before it; the constraints are
    /// evaluated there.
    pub fn too_near(&mut self, mechanism: &Dynamics, path: &Approach) -> bool {
        let Some(independence) = &mut self.independence else { return false };
        let distance = independence.measure(mechanism);
        self.ended = Some(distance);
        distance < NEAR * path.largest && path.last[0].1 > 3.0 * distance && path.refused == 0.0
    }

    /// Looks at the step just taken; its end is in the state of the run, the constraints are evaluated there.
    pub fn look(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        taken: Taken,
        run: &mut Run,
    ) -> Result<(), Trouble> {
        self.passed.clear();
        let Some(independence) = &mut self.independence else { return Ok(()) };
        let expected = run.path.leads_to_zero(report.h());
        let before = run.path.last[0].1;
        let distance = self.ended.take().unwrap_or_else(|| independence.measure(engine.mechanism()));
        run.path.push(report.t, distance);
        let near = before.min(distance) < WATCHED * run.path.largest;
        let expected = near && expected;
        let system = engine.mechanism().system;
        let turned = report.h()
            * independence.fastest(system, &self.v[0]).max(independence.fastest(system, &run.state.v));
        let room = before + distance < STEEP * turned * run.path.largest;
        let looks = if room { ((turned / TURN) as usize).clamp(2, LOOKS) } else { 0 };
        let looks = if expected || taken.bridged { looks.max(CLOSELY) } else { looks };
        if looks > 0 {
            let before = if before > 0.0 { before } else { self.inside(engine, report, 0.0) };
            self.search(engine, report, (before, distance, looks), run.path.largest);
            engine.state(&mut run.state)?;
        }
        self.vet(engine.mechanism().system, report, run, distance)?;
        if taken.bridged {
            run.path.forget();
            run.path.push(report.t, distance);
        } else if taken.free && self.plan(engine, report, taken.aim, &mut run.path) {
            engine.state(&mut run.state)?;
        }
        Ok(())
    }

    /// Notes the singular positions inside the step: times, and words of a state near them.
    fn search(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        (before, after, looks): (f64, f64, usize),
        largest: f64,
    ) {
        let mut distances = std::mem::take(&mut self.distances);
        distances.clear();
        distances.push(before);
        let width = 1.0 / (looks + 1) as f64;
        for k in 1..=looks {
            distances.push(self.inside(engine, report, k as f64 * width));
        }
        distances.push(after);
        for k in 0..distances.len() {
            let inner = (k as f64 * width - 0.05 * width).abs();
            let zero = SINGULAR * largest;
            if !path::may_vanish(&distances, k, zero, || self.inside(engine, report, inner)) {
                continue;
            }
            // one just at the end of the step before was noted there
            if k == 0 && self.noted.is_some_and(|t| report.t_old - t < 0.05 * width * self.h.max(report.h()))
            {
                continue;
            }
            let (mut place, mut least, mut width) = (k as f64 * width, distances[k], width);
            for _ in 0..16 {
                width *= 0.5;
                for near in [place - width, place + width] {
                    let distance = self.inside(engine, report, near.clamp(0.0, 1.0));
                    if distance < least {
                        (place, least) = (near.clamp(0.0, 1.0), distance);
                    }
                }
            }
            if least < SINGULAR * largest {
                // words are made of a state that is near, not of one without any rank
                self.inside(engine, report, (place + 0.02).min(1.0));
                let words = words(engine.mechanism(), &self.room);
                let t = report.t_old + place * report.h();
                self.noted = Some(t);
                self.passed.push((t, words));
            }
        }
        self.distances = distances;
    }

    /// The distance at a place inside the step, whose state is left in `room`; zero where the constraints cannot be
    /// satisfied.
    fn inside(&mut self, engine: &mut dyn Engine, report: &StepReport, place: f64) -> f64 {
        let t = report.t_old + place * report.h();
        if engine.inside(place, t, &mut self.room).is_err() {
            return 0.0;
        }
        let Dynamics { system, work, .. } = engine.mechanism();
        // turns, pieces and inputs are those of the step, whatever they were when somebody last looked
        system.set(work, t, &self.room.q, &self.room.v);
        self.room.turns.copy_from_slice(&work.turns);
        self.room.pieces.copy_from_slice(&work.pieces);
        self.room.inputs.copy_from_slice(&work.inputs);
        system.evaluate_constraints(work);
        let mechanism = engine.mechanism();
        self.independence.as_mut().map_or(1.0, |independence| independence.measure(mechanism))
    }

    /// Makes the next step a bridge if it would come too near to a singular position, or ends it well before it;
    /// whether it has looked elsewhere for that.
    fn plan(&mut self, engine: &mut dyn Engine, report: &StepReport, aim: f64, path: &mut Approach) -> bool {
        let (t, distance, proposal) = (report.t, path.last[0].1, engine.proposal().abs());
        let tried = if path.refused == 0.0 { WATCHED * path.largest } else { AGAIN * path.refused };
        if distance >= tried || distance < TRIED * path.largest {
            return false;
        }
        let close = distance < CLOSE * path.largest;
        if path.ahead().is_none_or(|wait| wait > FAR * proposal && !close) {
            return false;
        }
        // states of long steps tell little of the way ahead
        let near =
            [0.95, 0.9].map(|place| (t - (1.0 - place) * report.h(), self.inside(engine, report, place)));
        let wait = path::ahead([(t, distance), near[0], near[1]]);
        // steps that become shorter and shorter never get there
        let near = distance < NEARER * path.largest;
        let reach = match (close, near) {
            (true, _) => f64::INFINITY,
            (_, true) => 3.0 * proposal,
            _ => 1.15 * proposal,
        };
        let Some(wait) = wait.filter(|wait| *wait < reach.min(0.97 * (aim - t))) else { return true };
        if !near && wait > LONGEST * proposal {
            path.bridge = (t + 0.6 * wait, 0.0);
        } else {
            // the longer, the farther from the position accelerations are looked at
            let long = PLACES.map(|place| wait / place).into_iter().find(|h| *h < 2.0 * LONGEST * proposal);
            let h = long.unwrap_or(2.0 * wait);
            let until = if t + h < aim { t + h } else { aim };
            path.bridge = (until, wait / (until - t));
            // unless it can be done
            path.refused = distance;
        }
        true
    }

    /// Rates behind a singular position must be those that the motion before it leads to.
    fn vet(
        &mut self,
        system: &System,
        report: &StepReport,
        run: &mut Run,
        distance: f64,
    ) -> Result<(), Trouble> {
        let near = distance < SINGULAR * run.path.largest;
        if near && self.entry.is_none() && self.h > 0.0 {
            let rate = self.v[0].iter().zip(&self.v[1]).map(|(a, b)| (a - b) / self.h).collect();
            self.entry = Some((report.t_old, self.v[0].clone(), rate));
        }
        if !near && let Some((t, v, rate)) = self.entry.take() {
            let time = report.t - t;
            let gap: Vec<f64> =
                run.state.v.iter().zip(&v).zip(&rate).map(|((now, v), rate)| now - v - time * rate).collect();
            let mut mass = vec![0.0; gap.len()];
            let mut size = |x: &[f64]| {
                system.mass_times(x, &mut mass);
                x.iter().zip(&mass).map(|(x, m)| x * m).sum::<f64>().max(0.0).sqrt()
            };
            // a path that bends by an angle x leaves its tangent by x^2
            let bend = time * size(&rate) / size(&v).max(f64::MIN_POSITIVE);
            if size(&gap) > (JUMP + bend * bend) * size(&v) {
                return Err(Trouble::Partition);
            }
        }
        self.v.swap(0, 1);
        self.v[0].copy_from_slice(&run.state.v);
        self.h = report.h();
        Ok(())
    }
}

/// What is passed, with the joints whose equations become dependent.
fn words(mechanism: &Dynamics, state: &State) -> String {
    let near = nearness(mechanism.system, &mechanism.redundant, state);
    let mut names: Vec<String> = Vec::new();
    for involved in near.iter().flat_map(|near| &near.rows) {
        let what = if matches!(involved.row.subject, Subject::Driver(_)) { "driver" } else { "joint" };
        let name = format!("{what} `{}`", involved.row.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let whose = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    format!("singular position crossed{whose}")
}
