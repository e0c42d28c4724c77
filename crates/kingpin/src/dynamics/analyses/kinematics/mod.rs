//! Mechanisms whose drivers leave nothing free: positions, velocities, accelerations and driver forces over time.

mod produce;
mod weakest;
mod words;

pub use produce::Production;

use crate::accel::{Problem, Solver};
use crate::dynamics::analyses::held::{GivenSliding, without_reactions};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::run::{Frame, Observer};
use crate::dynamics::stepping::Matrices;
use crate::integrate::SecondOrder;
use crate::model::Subject;
use crate::system::{RowName, State, Stops, System};
use std::fmt;
use weakest::weakest;

/// What became of a kinematic analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Kinematics {
    /// The last state reached.
    pub state: State,
    /// Frames given.
    pub frames: usize,
    /// Steps between them: more than frames where the motion is fast.
    pub steps: usize,
    /// Largest residual of the position equations.
    pub position_residual: f64,
    /// Largest residual of the velocity equations.
    pub velocity_residual: f64,
    /// Why it ended before its time, if it did.
    pub failure: Option<KinematicFailure>,
}

/// Why a mechanism cannot be driven on.
#[derive(Clone, Debug, PartialEq)]
pub enum KinematicFailure {
    /// Coordinates are free.
    Free {
        /// Degrees of freedom.
        dof: usize,
    },
    /// Something depends on more than where the drivers are: states are not integrated here, samples not taken.
    States {
        /// The first state or sampled controller.
        name: String,
    },
    /// No position near the last one follows the drivers.
    Locked {
        /// Time.
        t: f64,
        /// The equations that contradict each other there, the most important first.
        equations: Vec<RowName>,
    },
    /// The equations depend on each other here: velocities or forces are not determined.
    Singular {
        /// Time.
        t: f64,
        /// The equations concerned, the most important first.
        equations: Vec<RowName>,
    },
    /// Actuators cannot produce motions: together they do nothing to them here.
    Powerless {
        /// Time.
        t: f64,
        /// The first driver of these motions.
        subject: Subject,
        /// The drivers of these motions.
        motions: Vec<String>,
        /// The actuators.
        actuators: Vec<String>,
    },
    /// No inputs were found that produce a motion.
    Unproduced {
        /// Time.
        t: f64,
        /// The driver of the motion.
        subject: Subject,
        /// Its name.
        motion: String,
        /// What it still has to do, as a part of the largest force.
        left: f64,
    },
    /// The equations cannot be evaluated.
    Trouble {
        /// Time.
        t: f64,
        /// Why.
        trouble: Trouble,
    },
}

impl fmt::Display for KinematicFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KinematicFailure::Free { dof } => write!(f, "{dof} degrees of freedom are not driven"),
            KinematicFailure::States { name } => write!(f, "`{name}` requires integration"),
            KinematicFailure::Locked { t, .. } => {
                write!(f, "no position satisfies the drivers after t = {t}")
            }
            KinematicFailure::Singular { t, .. } => write!(f, "singular configuration at t = {t}"),
            KinematicFailure::Powerless { t, actuators, motions, .. } => {
                write!(
                    f,
                    "{} cannot produce the motion of {} at t = {t}",
                    actuators.join(", "),
                    motions.join(", ")
                )
            }
            KinematicFailure::Unproduced { t, motion, .. } => {
                write!(f, "no inputs found that produce the motion of {motion} at t = {t}")
            }
            KinematicFailure::Trouble { t, trouble } => write!(f, "at t = {t}: {trouble}"),
        }
    }
}

impl std::error::Error for KinematicFailure {}

/// Steps shorter than this part of the time between frames are no steps.
const SHORTEST: f64 = 1e-9;
/// A step may turn no body by more than this, in radians.
const TURN: f64 = 0.5;
/// A step is too long if the corrections of its prediction exceed this part of it.
const CORRECTION: f64 = 0.25;
/// Corrections up to this are never too long.
const FINE: f64 = 1e-6;
/// Beyond this many numbers in the constraint Jacobian only the worst equation is named.
const AFFORDABLE: usize = 1_000_000;

/// Follows the drivers from a consistent state to `t_end`, with `frames` frames at even intervals after that of
/// the start. `redundant` marks the equations that the assembly found to follow from others. Newton's method from
/// predictions along the motion; steps are subdivided where these are bad.
pub fn kinematics(
    system: &System,
    start: &State,
    redundant: &[bool],
    t_end: f64,
    frames: usize,
    observer: &mut dyn Observer,
) -> Kinematics {
    let problem = Problem::new(system, redundant);
    kinematics_of(system, &problem, start, (t_end, frames), &Production::default(), observer)
}

/// The same for a problem whose structure may have been looked at before, with inputs that shall produce motions.
pub fn kinematics_of(
    system: &System,
    problem: &Problem,
    start: &State,
    (t_end, frames): (f64, usize),
    production: &Production,
    observer: &mut dyn Observer,
) -> Kinematics {
    let mut result = Kinematics {
        state: start.clone(),
        frames: 0,
        steps: 0,
        position_residual: 0.0,
        velocity_residual: 0.0,
        failure: None,
    };
    let sampled = system.samplers.first().map(|own| own.name.clone());
    if let Some(name) = system.states.first().map(|own| own.name.clone()).or(sampled) {
        result.failure = Some(KinematicFailure::States { name });
        return result;
    }
    if let Some(trouble) = without_reactions(system, problem, start, Matrices::Dense) {
        result.failure = Some(KinematicFailure::Trouble { t: start.t, trouble });
        return result;
    }
    let mechanism = Dynamics::of(system, problem, Solver::Elimination);
    match Reduced::new(mechanism, start) {
        Err(trouble) => result.failure = Some(KinematicFailure::Trouble { t: start.t, trouble }),
        Ok(reduced) if reduced.dim() > 0 => {
            result.failure = Some(KinematicFailure::Free { dof: reduced.dim() });
        }
        Ok(reduced) => {
            let room = vec![0.0; system.joint_equations()];
            let stops = Stops::new(system, start.t, t_end);
            let step = f64::INFINITY;
            let sliding = GivenSliding::new(system);
            let mut follower =
                Follower { reduced, room, step, stops, sliding, production, result: &mut result };
            let failure = follower.run(start, t_end, frames, observer).err();
            result.failure = failure;
        }
    }
    result
}

struct Follower<'a, 'r> {
    reduced: Reduced<'a>,
    room: Vec<f64>,
    /// The step that was good last.
    step: f64,
    /// Where prescribed motions and forces go over to other pieces: steps end there.
    stops: Stops,
    /// Which way friction goes.
    sliding: GivenSliding,
    /// What shall produce the motion.
    production: &'r Production,
    result: &'r mut Kinematics,
}

impl Follower<'_, '_> {
    fn run(
        &mut self,
        start: &State,
        t_end: f64,
        frames: usize,
        observer: &mut dyn Observer,
    ) -> Result<(), KinematicFailure> {
        let span = t_end - start.t;
        if let Some(jump) = self.reduced.mechanism.system.jump_ahead(self.stops.clone()) {
            let trouble = Trouble::Jump(jump);
            return Err(KinematicFailure::Trouble { t: start.t, trouble });
        }
        self.arrive()?;
        self.pass_stops()?;
        for frame in 0..=frames {
            if frame > 0 {
                let t = if frame == frames { t_end } else { start.t + span * frame as f64 / frames as f64 };
                self.go(t, SHORTEST * span / frames as f64)?;
            }
            if !self.production.motions.is_empty() {
                self.production.find(&mut self.reduced)?;
            }
            let Dynamics { system, work, result, .. } = &self.reduced.mechanism;
            let frame = Frame { system, state: &self.result.state, work, accelerations: result };
            self.result.frames += 1;
            if observer.frame(&frame).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// To a time, in as many steps as it takes.
    fn go(&mut self, end: f64, shortest: f64) -> Result<(), KinematicFailure> {
        while self.result.state.t < end {
            let to = end.min(self.stops.next(self.reduced.mechanism.system));
            self.go_smoothly(to, shortest)?;
            self.pass_stops()?;
        }
        Ok(())
    }

    /// Goes on behind stops that have been reached. Velocities are those right behind them.
    fn pass_stops(&mut self) -> Result<(), KinematicFailure> {
        let (system, t) = (self.reduced.mechanism.system, self.result.state.t);
        let mut passed = false;
        while !self.stops.is_over() && self.stops.next(system) <= t {
            self.stops.pass(system);
            system.pass_stop(&self.stops, &mut self.reduced.mechanism.work);
            passed = true;
        }
        if passed {
            let behind = self.reduced.recover_at(t, &[]);
            behind.map_err(|trouble| KinematicFailure::Trouble { t, trouble })?;
            self.arrive()?;
        }
        Ok(())
    }

    /// To a time before which no motion changes its piece.
    fn go_smoothly(&mut self, end: f64, shortest: f64) -> Result<(), KinematicFailure> {
        loop {
            let t = self.result.state.t;
            let left = end - t;
            if left <= 0.0 {
                return Ok(());
            }
            let limit = TURN / self.spin().max(f64::MIN_POSITIVE);
            let mut h = self.step.min(limit).min(left);
            // no crumbs at the end
            if h < left && h > 0.5 * left {
                h = 0.5 * left;
            }
            loop {
                let next = if h == left { end } else { t + h };
                match self.attempt(next) {
                    Ok(()) => break,
                    Err(trouble) if h < shortest => return Err(self.locked(t, trouble)),
                    Err(_) => h *= 0.5,
                }
            }
            self.step = if h < left { 2.0 * h } else { self.step };
            self.arrive()?;
            self.result.steps += 1;
        }
    }

    /// Positions and velocities at a time; an error if the prediction was bad.
    fn attempt(&mut self, t: f64) -> Result<(), Trouble> {
        let (state, tau) = (&self.result.state, t - self.result.state.t);
        let n = state.q.len();
        let mut rates = vec![0.0; n];
        self.reduced.mechanism.system.rates(&state.q, &state.v, &mut rates);
        self.reduced.recover_at(t, &[])?;
        let (mut way, mut miss) = (0.0_f64, 0.0_f64);
        for c in 0..n {
            let moved = self.reduced.q[c] - state.q[c];
            way = way.max(moved.abs()).max((tau * rates[c]).abs());
            miss = miss.max((moved - tau * rates[c]).abs());
        }
        // a jump to another branch is no motion
        let good = miss <= CORRECTION * way || miss <= FINE;
        if good { Ok(()) } else { Err(Trouble::Positions { row: None, residual: miss }) }
    }

    /// Accelerations and residuals at the instant reached; makes it the base of the next step.
    fn arrive(&mut self) -> Result<(), KinematicFailure> {
        let t = self.reduced.t;
        let Dynamics { system, work, .. } = &mut self.reduced.mechanism;
        system.set(work, t, &self.reduced.q, &self.reduced.velocity);
        system.settle_pieces(work);
        // what depends on time alone stays on its side of a stop
        self.stops.write(&mut work.pieces);
        let followed = self.sliding.follow(system, work);
        followed.map_err(|trouble| KinematicFailure::Trouble { t, trouble })?;
        if let Err(trouble) = self.reduced.solve() {
            return Err(match trouble {
                Trouble::Accelerations(_) => {
                    KinematicFailure::Singular { t, equations: self.equations(&trouble) }
                }
                trouble => KinematicFailure::Trouble { t, trouble },
            });
        }
        let Dynamics { system, work, .. } = &mut self.reduced.mechanism;
        system.count_turns(work);
        let accepted = self.reduced.accept(t, &[]);
        accepted.map_err(|trouble| KinematicFailure::Trouble { t, trouble })?;
        self.reduced.rebase_here();
        self.reduced.write_state(&mut self.result.state);
        let mechanism = &self.reduced.mechanism;
        let position = mechanism.position_residual();
        let velocity = mechanism.velocity_residual(&self.result.state.v, &mut self.room);
        self.result.position_residual = self.result.position_residual.max(position);
        self.result.velocity_residual = self.result.velocity_residual.max(velocity);
        Ok(())
    }

    /// Fastest turn of a body.
    fn spin(&self) -> f64 {
        let system = self.reduced.mechanism.system;
        let each = system.nodes.split_v(&self.result.state.v);
        each.map(|(_, turns)| turns.iter().map(|w| w * w).sum::<f64>().sqrt()).fold(0.0, f64::max)
    }

    fn locked(&mut self, t: f64, trouble: Trouble) -> KinematicFailure {
        // back to where all was well: close to the singular configuration, but evaluated
        self.reduced.start(&self.result.state);
        let system = self.reduced.mechanism.system;
        system.evaluate_constraints(&mut self.reduced.mechanism.work);
        KinematicFailure::Locked { t, equations: self.equations(&trouble) }
    }

    /// The equations of the row combination that is nearest to zero.
    fn equations(&self, trouble: &Trouble) -> Vec<RowName> {
        let Dynamics { system, work, redundant, .. } = &self.reduced.mechanism;
        let rows: Vec<usize> =
            (0..system.joint_equations()).filter(|&r| !redundant.get(r).copied().unwrap_or(false)).collect();
        if rows.len() * system.velocities() > AFFORDABLE {
            return match trouble {
                Trouble::Positions { row: Some(row), .. } => vec![system.row_name(*row)],
                _ => Vec::new(),
            };
        }
        let combination = weakest(system, work, &rows).unwrap_or_default();
        let most = combination.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let mut order: Vec<usize> =
            (0..combination.len()).filter(|&k| combination[k].abs() > 0.05 * most).collect();
        // drivers first: they are what can be changed
        let driver = |k: usize| matches!(system.row_name(rows[k]).subject, Subject::Driver(_));
        order.sort_by_key(|&k| !driver(k));
        order.into_iter().map(|k| system.row_name(rows[k])).collect()
    }
}
