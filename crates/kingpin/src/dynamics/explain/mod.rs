//! Why a run could not go on: what was seen, what is likely behind it, what to try.

mod advice;
mod ahead;
mod history;
mod words;

pub use advice::Advice;
pub use history::{History, Noted};

use crate::accel::{AccelFailure, Problem, Solver};
use crate::analysis::{Misfit, TimeConstant, time_constants};
use crate::dynamics::instant::Chatter;
use crate::dynamics::instant::Trouble;
use crate::dynamics::instant::nearness::{Involved, Nearness, nearness};
use crate::dynamics::run::{End, Run, Step};
use crate::dynamics::stepping::{Method, Settings};
use crate::integrate::Halt;
use crate::model::{Finding, Subject};
use crate::system::{Jump, RowName, State, System};

/// All that can be said about a failed run. The last good state is in [`Run::state`].
#[derive(Clone, Debug, PartialEq)]
pub struct FailureReport {
    /// Time of the last good state.
    pub t: f64,
    /// Time the run should have reached.
    pub t_end: f64,
    /// The method that failed.
    pub method: Method,
    /// The method that was asked for.
    pub asked: Method,
    /// What was seen.
    pub what: What,
    /// What is most likely behind it.
    pub why: Why,
    /// The last steps.
    pub steps: Vec<Step>,
    /// Joints and drivers that cannot be closed a little later, worst first.
    pub misfits: Vec<Misfit>,
    /// The instant at which they cannot.
    pub misfit_t: f64,
    /// Equations that are dependent in the last good state, or nearly so: drivers first, then the
    /// heaviest.
    pub dependent: Vec<Involved>,
    /// How far the equations were from being dependent at the start and in the last good state: the least
    /// singular value of their normalised Jacobian. None for very large mechanisms.
    pub independence: Option<(f64, f64)>,
    /// The force with the shortest time constant in the last good state.
    pub stiffest: Option<TimeConstant>,
    /// What to try, most promising first.
    pub advice: Vec<Advice>,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A stop or friction of a joint cannot be followed, and why.
    Held(String),
    /// The step became too small to matter.
    StepTooSmall {
        /// The step that would be needed.
        h: f64,
    },
    /// A force, motion or constraint is not a finite number.
    NotFinite,
    /// The iteration for a step does not converge.
    NewtonFailed {
        /// The step.
        h: f64,
    },
    /// The accelerations are not determined.
    NoAccelerations {
        /// The equation at which it shows.
        row: Option<RowName>,
    },
    /// The solver of accelerations gave up.
    GaveUp {
        /// Why, in words.
        why: String,
    },
    /// No positions that satisfy the constraints were found for the next step.
    NoPositions,
    /// A body turns too far in one step.
    Turn {
        /// The body.
        body: String,
        /// By how much, rad.
        angle: f64,
    },
    /// The constraints are dependent.
    Dependent,
    /// The method holds dense matrices that would be too large.
    TooLarge {
        /// Degrees of freedom.
        freedoms: usize,
    },
    /// All steps allowed were taken.
    TooManySteps {
        /// So many.
        steps: usize,
    },
    /// The run was given up because it would need more steps than allowed.
    Hopeless {
        /// Steps taken.
        steps: usize,
        /// Longest of the last steps.
        h: f64,
        /// Steps still to be taken at that pace.
        more: f64,
        /// Steps allowed.
        most: usize,
    },
    /// A prescribed motion jumps to another position.
    Jump(Jump),
    /// A switch goes to and fro without getting on.
    Chatter(Chatter),
}

/// The likely cause.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// A force or motion has no finite value just ahead; its name.
    BadNumber(Box<Finding>, String),
    /// Drivers ask for a position that cannot be reached.
    BeyondReach {
        /// The drivers.
        drivers: Vec<String>,
    },
    /// The mechanism is in a position where its constraints become dependent: it may branch or lock.
    Singular,
    /// The motion of a driver changes without bound.
    RunsAway {
        /// Its equation.
        driver: RowName,
        /// Its rate.
        rate: f64,
        /// Its second derivative.
        acceleration: f64,
        /// Whether it is an angle.
        angle: bool,
    },
    /// An explicit method on a stiff problem.
    Stiff,
    /// A fixed step that is too large.
    StepTooLarge {
        /// The step.
        h: f64,
    },
    /// No mechanism can follow a jump.
    Jump(Jump),
    /// Whichever side a switch is on, the mechanism is driven to the other.
    Sticks(Chatter),
    /// A superelement is deformed so far that its mass is next to being indefinite; its name.
    Overbent(String),
    /// Nothing is wrong but the limit.
    Limit,
    /// Not known.
    Unknown,
}

/// A superelement with less than this part of its inertia left is deformed too far.
const OVERBENT: f64 = 0.05;
/// Steps whose sizes tell the pace.
const RECENT: usize = 10;
/// Equations this near to being dependent, and so much nearer than at the start, are said to be so.
const SINGULAR: (f64, f64) = (2e-3, 1e-2);
/// A motion that doubles its rate within this part of the run, and goes this far meanwhile (m or rad), is said to
/// grow without bound.
const RUNAWAY: (f64, f64) = (1e-3, 1e3);
/// Steps of explicit methods that stability holds down are so many time constants long.
const STABILITY: (f64, f64) = (0.2, 30.0);
/// More steps than this are not recommended.
const PATIENCE: f64 = 1e9;

/// Explains a run that failed, or that its history stopped; `None` if it did not fail.
pub fn explain(
    system: &System,
    problem: &Problem,
    start: &State,
    settings: &Settings,
    run: &Run,
    history: &History,
) -> Option<FailureReport> {
    let what = what(system, run, history, settings.most_steps)?;
    let redundant = &problem.redundant();
    let method = run.methods.last().map_or(settings.method, |m| m.1);
    let pace = history.longest(RECENT);
    let state = &run.state;
    let near = nearness(system, redundant, state);
    let independence = near.as_ref().and_then(|near| {
        let before = nearness(system, redundant, start)?;
        Some((before.least, near.least))
    });
    let is_singular = independence.is_some_and(|(before, now)| now < SINGULAR.0 && now < SINGULAR.1 * before)
        || matches!(what, What::Dependent | What::NoAccelerations { .. });
    let planned = settings.h.filter(|_| method.has_fixed_step()).unwrap_or(pace);
    let later = ahead::later(state.t, start.t, settings.t_end, planned);
    let misfits = ahead::misfits(system, state, later);
    let stiffest = time_constants(system, state).into_iter().next();
    let mut report = FailureReport {
        t: state.t,
        t_end: settings.t_end,
        method,
        asked: settings.method,
        what,
        why: Why::Unknown,
        steps: history.steps(),
        misfit_t: later,
        dependent: near.as_ref().filter(|_| is_singular).map_or(Vec::new(), |near| near.rows.clone()),
        independence,
        stiffest,
        advice: Vec::new(),
        misfits,
    };
    report.why =
        report.cause(system, problem, settings, state, (pace, start.t), near.filter(|_| is_singular));
    report.advice = report.remedies(settings, pace, run.statistics.steps, start.t);
    Some(report)
}

/// The kind of the failure.
fn what(system: &System, run: &Run, history: &History, most: usize) -> Option<What> {
    let outcome = match &run.end {
        End::Failed(outcome) => outcome,
        End::Stopped => {
            let (h, more) = history.hopeless()?;
            return Some(What::Hopeless { steps: run.statistics.steps, h, more, most });
        }
        End::Reached | End::Event(_) => return None,
    };
    Some(match outcome {
        Halt::StepTooSmall { h, .. } => What::StepTooSmall { h: h.abs() },
        Halt::NotFinite { .. } => What::NotFinite,
        Halt::NewtonFailed { h, .. } => What::NewtonFailed { h: h.abs() },
        Halt::Singular { .. } => What::Dependent,
        Halt::TooManySteps { steps, .. } => What::TooManySteps { steps: *steps },
        Halt::Problem { error, .. } => match error {
            Trouble::Accelerations(AccelFailure::NotFinite) => What::NotFinite,
            Trouble::Accelerations(AccelFailure::Singular { row, .. }) => {
                What::NoAccelerations { row: row.clone() }
            }
            Trouble::Accelerations(AccelFailure::GaveUp { why }) => What::GaveUp { why: why.clone() },
            Trouble::Positions { .. } => What::NoPositions,
            Trouble::Turn { body, angle } => {
                What::Turn { body: system.body_names[*body].clone(), angle: *angle }
            }
            Trouble::Partition => What::Dependent,
            Trouble::TooLarge { freedoms } => What::TooLarge { freedoms: *freedoms },
            Trouble::Jump(jump) => What::Jump(jump.clone()),
            Trouble::Chatter(chatter) => What::Chatter(chatter.clone()),
            Trouble::Held { .. } | Trouble::Memory { .. } => What::Held(error.to_string()),
        },
    })
}

/// The superelement that is deformed too far, if one is.
fn overbent(system: &System, state: &State) -> Option<String> {
    let mut work = system.work();
    system.set_state(&mut work, state);
    let (name, left) = system.most_deformed(&work)?;
    (left.is_nan() || left < OVERBENT).then(|| name.into())
}

/// The name of a force, event, joint or driver; empty for anything else.
fn item_name<'s>(system: &'s System, subject: &Subject) -> &'s str {
    match subject {
        Subject::Force(k) => system.forces.get(*k).map_or("", |force| &force.name),
        Subject::Structure(k) => system.structures.get(*k).map_or("", |part| &part.name),
        Subject::Span(k) => system.beams.get(*k).map_or("", |beam| &beam.name),
        // events are the first switches, in the order of the model
        Subject::Event(k) => system.switches.get(*k).map_or("", |switch| &switch.name),
        _ => {
            let group = system.layout.groups.iter().find(|group| group.subject == *subject);
            group.map_or("", |group| &group.name)
        }
    }
}

impl FailureReport {
    fn cause(
        &self,
        system: &System,
        problem: &Problem,
        settings: &Settings,
        state: &State,
        (pace, t_start): (f64, f64),
        singular: Option<Nearness>,
    ) -> Why {
        match &self.what {
            What::TooLarge { .. } | What::GaveUp { .. } | What::Held(_) => return Why::Limit,
            What::Jump(jump) => return Why::Jump(jump.clone()),
            What::Chatter(chatter) => return Why::Sticks(chatter.clone()),
            _ => {}
        }
        if let Some(name) = overbent(system, state) {
            return Why::Overbent(name);
        }
        let finite = !matches!(self.what, What::NotFinite);
        let horizon = if finite { 100.0 * pace } else { self.t_end - self.t };
        let later = self.misfit_t - self.t;
        if let Some(finding) = ahead::bad_number(system, problem, state, horizon, later) {
            let name = item_name(system, &finding.subject).to_string();
            return Why::BadNumber(Box::new(finding), name);
        }
        let drivers: Vec<String> = self
            .misfits
            .iter()
            .filter(|misfit| matches!(misfit.subject, Subject::Driver(_)))
            .map(|misfit| misfit.name.clone())
            .collect();
        let short =
            matches!(self.what, What::TooManySteps { .. } | What::Hopeless { .. }) && singular.is_none();
        if !drivers.is_empty() && !short {
            return Why::BeyondReach { drivers };
        }
        if let Some(near) = singular {
            let drivers = near.drivers();
            return if near.contradicts && !drivers.is_empty() {
                Why::BeyondReach { drivers }
            } else {
                Why::Singular
            };
        }
        let span = self.t_end - t_start;
        if let Some((row, rate, acceleration)) = ahead::fastest_driver(system, state)
            && rate.abs() < RUNAWAY.0 * span * acceleration.abs()
            && rate * rate > RUNAWAY.1 * acceleration.abs()
        {
            let angle = system.row_is_angle(row);
            return Why::RunsAway { driver: system.row_name(row), rate, acceleration, angle };
        }
        let held = |fast: &TimeConstant| (STABILITY.0..STABILITY.1).contains(&(pace / fast.seconds));
        let stiff = self.stiffest.as_ref().is_some_and(held);
        if self.method.is_explicit() && (stiff || self.steps.iter().any(|step| step.report.stiff)) {
            return Why::Stiff;
        }
        match (self.method.has_fixed_step(), &self.what) {
            (true, What::NewtonFailed { .. } | What::NoPositions | What::NotFinite | What::Dependent)
            | (true, What::Turn { .. }) => Why::StepTooLarge { h: settings.h.unwrap_or(pace) },
            (_, What::TooManySteps { .. } | What::Hopeless { .. }) => Why::Limit,
            _ => Why::Unknown,
        }
    }

    fn remedies(&self, settings: &Settings, pace: f64, steps: usize, t_start: f64) -> Vec<Advice> {
        let before = Advice::EndBefore(self.t);
        let needed = || match self.what {
            What::Hopeless { more, .. } => more,
            _ => steps as f64 * (self.t_end - t_start) / (self.t - t_start).max(f64::MIN_POSITIVE),
        };
        match &self.why {
            Why::BadNumber(_, name) => vec![Advice::Guard(name.clone()), before],
            Why::BeyondReach { drivers } => {
                vec![Advice::CheckDriver(drivers.clone()), Advice::ForceInsteadOfDriver, before]
            }
            Why::Singular => {
                // independent coordinates carry a motion through where accelerations in all of them do not
                let other = self.method.is_explicit().then_some(Advice::Implicit(Method::ForSdirk));
                other.into_iter().chain([Advice::AvoidPosition, Advice::ChangeGeometry, before]).collect()
            }
            Why::RunsAway { driver, .. } => vec![Advice::CheckDriver(vec![driver.name.clone()]), before],
            Why::Jump(jump) => vec![Advice::SmoothMotion(jump.driver.clone())],
            Why::Sticks(chatter) => {
                let name = chatter.name.clone();
                let hysteresis = chatter.event.then(|| Advice::Hysteresis(name.clone()));
                hysteresis.into_iter().chain([Advice::SmootherLaw(name), before]).collect()
            }
            Why::Overbent(name) => vec![Advice::DeformLess(name.clone()), before],
            Why::Stiff => vec![Advice::Implicit(Method::ForRosen), Advice::Soften],
            Why::StepTooLarge { h } => vec![Advice::SmallerStep(h / 10.0), Advice::ChooseSteps],
            Why::Limit if matches!(self.what, What::Held(_)) => Vec::new(),
            Why::Limit if matches!(self.what, What::GaveUp { .. }) => {
                vec![Advice::Solver(Solver::Elimination)]
            }
            Why::Limit if matches!(self.what, What::TooLarge { .. }) => {
                vec![Advice::Sparse, Advice::Explicit(Method::Dop853)]
            }
            Why::Limit => {
                let needed = needed();
                let more = (needed < PATIENCE).then_some(Advice::MoreSteps(needed));
                let longer = if self.method.has_fixed_step() {
                    Advice::LargerStep(settings.h.unwrap_or(pace).max((self.t_end - t_start) / 1e4))
                } else {
                    Advice::LooserTolerance(settings.rtol)
                };
                more.into_iter().chain([longer]).collect()
            }
            Why::Unknown => {
                let tol = settings.rtol;
                let other = match self.method.is_explicit() {
                    true => Advice::Implicit(Method::ForRosen),
                    false => Advice::Explicit(Method::Dopri5),
                };
                vec![Advice::LooserTolerance(tol), other, Advice::GreatestStep(10.0 * pace)]
            }
        }
    }
}
