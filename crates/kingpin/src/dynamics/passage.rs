//! Singular positions on the way: noticed, passed on the smooth branch, reported.
//!
//! Where equations become dependent a mechanism may go on in more than one way, and accelerations say nothing: near
//! a flattened parallelogram they are large errors divided by small numbers. The motion itself is smooth there. So
//! an explicit method, which knows accelerations only, ends a step just before such a position and goes on along
//! the polynomial of that step to a place as far behind it. There the state is projected onto the constraints: a
//! motion that would have had to leave its smooth path is not accepted.

use super::engine::Engine;
use super::explain::nearness;
use super::independence::Independence;
use super::mechanism::{Mechanism, Trouble};
use super::run::Run;
use crate::integrate::StepReport;
use crate::model::Subject;
use crate::system::{State, System};

/// Distances from dependence at the last accepted states. Plain numbers, part of a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Path {
    /// Times and distances, the latest first; distances are zero where there is none yet.
    pub last: [(f64, f64); 3],
    /// The greatest distance so far.
    pub largest: f64,
    /// Whether the position ahead cannot be leapt over: 1 if so.
    pub refused: f64,
    /// How many positions were leapt over.
    pub leaps: f64,
}

impl Path {
    /// How many plain numbers it is.
    pub const NUMBERS: usize = 9;

    /// All of it as plain numbers.
    pub fn numbers(&self) -> [f64; Self::NUMBERS] {
        let [(a, x), (b, y), (c, z)] = self.last;
        [a, x, b, y, c, z, self.largest, self.refused, self.leaps]
    }

    /// From plain numbers.
    pub fn from_numbers([a, x, b, y, c, z, largest, refused, leaps]: [f64; Self::NUMBERS]) -> Path {
        Path { last: [(a, x), (b, y), (c, z)], largest, refused, leaps }
    }

    /// Goes on from another place.
    fn forget(&mut self) {
        *self = Path { largest: self.largest, leaps: self.leaps, ..Path::default() };
    }

    fn push(&mut self, t: f64, distance: f64) {
        self.last = [(t, distance), self.last[0], self.last[1]];
        self.largest = self.largest.max(distance);
        if distance > self.last[1].1 {
            self.refused = 0.0;
        }
    }

    /// The time from the latest state to where the distance would vanish, if it goes on as it did.
    fn ahead(&self) -> Option<f64> {
        let [(t0, s0), (t1, s1), (t2, s2)] = self.last;
        if s1 <= 0.0 || s0 >= s1 || t0 <= t1 {
            return None;
        }
        let slope = (s0 - s1) / (t0 - t1);
        if s2 <= 0.0 || t1 <= t2 || s2 <= s1 {
            return Some(-s0 / slope);
        }
        // the parabola through three states: s0 + a x + b x^2 = 0
        let before = (s1 - s2) / (t1 - t2);
        let b = (slope - before) / (t0 - t2);
        let a = slope + b * (t0 - t1);
        let root = a * a - 4.0 * b * s0;
        if a >= 0.0 || root < 0.0 { None } else { Some(2.0 * s0 / (-a + root.sqrt())) }
    }
}

/// What to do behind a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ahead {
    /// Nothing.
    Clear,
    /// The next step ends before a singular position.
    Shorten(f64),
    /// The step goes on to this place, in parts of it, behind a singular position.
    Over(f64),
}

impl Ahead {
    /// The size of a step that starts anew, if one must; `proposal` is that of the method.
    pub fn next(self, report: &StepReport, proposal: f64) -> Option<f64> {
        match self {
            Ahead::Clear => None,
            Ahead::Shorten(h) => Some(h),
            Ahead::Over(_) => Some(report.h().min(proposal.abs())),
        }
    }
}

/// Distances below this part of the greatest are watched.
const WATCHED: f64 = 0.3;
/// A step whose end is nearer to the position than this part of it is extended over it.
const REACH: f64 = 0.2;
/// The least that is gone beyond the position, in parts of the step.
const BEYOND: f64 = 0.1;
/// The part of the way to the position that the step before it takes.
const APPROACH: f64 = 0.87;
/// What projection may change of a state behind the position, in tolerances.
const SMOOTH: f64 = 1e3;
/// Distances below this part of the greatest count as singular.
const SINGULAR: f64 = 0.01;
/// Change of rates, as a part of them, that a passage cannot explain.
const JUMP: f64 = 0.2;

/// Watches the distance from dependence along a run.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    independence: Option<Independence>,
    room: State,
    raw: State,
    /// Velocities at the last two accepted states, and the size of the step between them.
    pub(super) v: [Vec<f64>; 2],
    pub(super) h: f64,
    /// Where the mechanism came near to a singular position: time, velocities, and their rates.
    pub(super) entry: Option<(f64, Vec<f64>, Vec<f64>)>,
}

impl Passage {
    pub fn new(mechanism: &Mechanism, state: &State) -> Self {
        let v = [state.v.clone(), state.v.clone()];
        let independence = Independence::new(mechanism);
        Self { independence, room: state.clone(), raw: state.clone(), v, h: 0.0, entry: None }
    }

    /// Goes on from another state: nothing is known of the way there.
    pub fn forget(&mut self, run: &mut Run) {
        run.path.forget();
        (self.h, self.entry) = (0.0, None);
    }

    /// Looks at the step just taken; its end is in the state of the run, the constraints are evaluated there. What
    /// has been passed is in words.
    pub fn look(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        (tol, t_end): (f64, f64),
        explicit: bool,
        run: &mut Run,
    ) -> Result<(Ahead, Option<(f64, String)>), Trouble> {
        let Some(independence) = &mut self.independence else { return Ok((Ahead::Clear, None)) };
        let expected = run.path.ahead();
        let before = run.path.last[0].1;
        let distance = independence.measure(engine.mechanism());
        run.path.push(report.t, distance);
        let near = before.min(distance) < 2.0 * WATCHED * run.path.largest;
        let mut passed = None;
        if near && expected.is_some_and(|wait| wait < 1.3 * report.h()) {
            passed = self.search(engine, report, before.max(distance))?;
            engine.state(&mut run.state)?;
        }
        if let Some(t) = passed {
            let words = words(engine.mechanism(), &self.room);
            self.vet(engine.mechanism().system, report, run, distance)?;
            return Ok((Ahead::Clear, Some((t, words))));
        }
        self.vet(engine.mechanism().system, report, run, distance)?;
        let wait =
            run.path.ahead().filter(|_| distance < WATCHED * run.path.largest && run.path.refused == 0.0);
        let Some(wait) = wait.filter(|_| explicit) else { return Ok((Ahead::Clear, None)) };
        if wait > REACH * report.h() {
            let shorter = wait < 1.15 * engine.proposal().abs();
            return Ok((if shorter { Ahead::Shorten(APPROACH * wait) } else { Ahead::Clear }, None));
        }
        let theta = 1.0 + wait / report.h() + (wait / report.h()).max(BEYOND);
        if report.t_old + theta * report.h() < t_end && self.leap(engine, report, theta, tol, run)? {
            let words = words(engine.mechanism(), &run.state);
            return Ok((Ahead::Over(theta), Some((report.t + wait, words))));
        }
        run.path.refused = 1.0;
        engine.state(&mut run.state)?;
        Ok((Ahead::Clear, None))
    }

    /// Goes on to a place behind the end of the step; whether the mechanism got there without leaving its path. The
    /// state of the run is then that place.
    fn leap(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        theta: f64,
        tol: f64,
        run: &mut Run,
    ) -> Result<bool, Trouble> {
        let t = report.t_old + theta * report.h();
        engine.glance(theta, t, &mut self.raw)?;
        if engine.inside(theta, t, &mut self.room).is_err() {
            return Ok(false);
        }
        let moved = |a: &[f64], b: &[f64]| {
            let size = b.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let most = a.iter().zip(b).fold(0.0_f64, |most, (x, y)| most.max((x - y).abs()));
            if most.is_finite() { most / (1.0 + size) } else { f64::INFINITY }
        };
        let smooth = SMOOTH * tol.max(1e-12);
        let mechanism = engine.mechanism();
        let system = mechanism.system;
        if moved(&self.raw.q, &self.room.q) > smooth || moved(&self.raw.v, &self.room.v) > 10.0 * smooth {
            return Ok(false);
        }
        // energy as at the end of the step, where nothing else comes or goes
        if system.is_conservative() {
            system.set_state(&mut mechanism.work, &run.state);
            let total = system.kinetic_energy(&mechanism.work) + system.potential_energy(&mechanism.work);
            system.set_state(&mut mechanism.work, &self.room);
            let kinetic = system.kinetic_energy(&mechanism.work);
            let factor = ((total - system.potential_energy(&mechanism.work)) / kinetic).sqrt();
            if factor.is_nan() || (factor - 1.0).abs() >= 10.0 * smooth {
                return Ok(false);
            }
            self.room.v.iter_mut().for_each(|v| *v *= factor);
        }
        system.set_state(&mut mechanism.work, &self.room);
        system.evaluate_constraints(&mut mechanism.work);
        let distance = self.independence.as_mut().map_or(0.0, |independence| independence.measure(mechanism));
        if distance < 0.3 * BEYOND * run.path.last[1].1.min(run.path.largest) {
            return Ok(false);
        }
        run.state.copy_from(&self.room);
        run.path.forget();
        run.path.leaps += 1.0;
        run.path.push(t, distance);
        (self.h, self.entry) = (0.0, None);
        self.v[0].copy_from_slice(&run.state.v);
        Ok(true)
    }

    /// The time inside the step at which equations are dependent, if there is one; the state near it is in `room`.
    fn search(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        size: f64,
    ) -> Result<Option<f64>, Trouble> {
        let mut at = |place: f64| {
            let t = report.t_old + place * report.h();
            if engine.inside(place, t, &mut self.room).is_err() {
                return 0.0;
            }
            let Mechanism { system, work, .. } = engine.mechanism();
            system.set_state(work, &self.room);
            system.evaluate_constraints(work);
            let mechanism = engine.mechanism();
            self.independence.as_mut().map_or(1.0, |independence| independence.measure(mechanism))
        };
        const PLACES: usize = 8;
        let first = (1..PLACES).map(|k| (k as f64 / PLACES as f64, at(k as f64 / PLACES as f64)));
        let Some((mut place, mut least)) = first.min_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(None) };
        // a distance that vanishes is small on both sides
        if least > 0.2 * size {
            return Ok(None);
        }
        let mut width = 1.0 / PLACES as f64;
        for _ in 0..20 {
            width *= 0.5;
            for near in [place - width, place + width] {
                let distance = at(near);
                if distance < least {
                    (place, least) = (near, distance);
                }
            }
        }
        if least.is_nan() || least >= SINGULAR * size {
            return Ok(None);
        }
        // words are made of a state that is near, not of one without any rank
        at((place + 0.02).min(1.0));
        Ok(Some(report.t_old + place * report.h()))
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
fn words(mechanism: &Mechanism, state: &State) -> String {
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
    format!("singular position passed{whose}")
}
