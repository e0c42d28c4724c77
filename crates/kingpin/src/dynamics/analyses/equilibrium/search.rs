//! The way to an equilibrium.

use super::ground::{Ground, RestSlope, settle};
use super::yardstick::RestYardstick;
use super::{Equilibrium, NoEquilibrium};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::spatial::euler;
use crate::system::{State, StateNode, System};
use nalgebra::{DMatrix, DVector};
use std::marker::PhantomData;

/// Most steps.
const STEPS: usize = 300;
/// Most attempts at one step.
const ATTEMPTS: usize = 40;
/// Steps below this many sizes of the mechanism are round-off.
const STILL: f64 = 1e-12;
/// Below this, steps that do not get shorter are round-off too.
const NEARLY_STILL: f64 = 1e-8;
/// Accelerations below this part of the natural ones are none, at the end of the search.
const NO_ACCELERATION: f64 = 1e-7;
/// Error of the linear prediction, in steps, up to which a step is accepted.
const TRUSTED: f64 = 0.5;
/// That of steps after which longer ones may be tried.
const GOOD: f64 = 0.1;
/// Directions without stiffness that move a body by less than this part of what they move do not move it.
const HARDLY: f64 = 1e-9;
/// States below this are as good as zero.
const SMALL_STATE: f64 = 1e-6;
/// After so many steps that have not reduced a push there is nothing that stops it.
const PATIENCE: usize = 40;

pub(super) struct EquilibriumSearch<'a, G> {
    ground: G,
    yardstick: RestYardstick,
    /// Coordinates at the start, and the body that is to stay where nothing holds it.
    q: Vec<f64>,
    heaviest: usize,
    /// Damping of steps, 1/s^2.
    mu: f64,
    of: PhantomData<&'a ()>,
}

/// A step, in the metric of the mass, and how it was solved for.
struct SearchStep<D> {
    x: DVector<f64>,
    mu: f64,
    damped: D,
    /// Its way in sizes of the mechanism.
    way: f64,
    /// The way of states, in parts of themselves.
    states: f64,
}

type StepOf<'a, G> = SearchStep<<<G as Ground<'a>>::Slope as RestSlope>::Damped>;

impl<'a, G: Ground<'a>> EquilibriumSearch<'a, G> {
    pub fn new(ground: G, start: &State) -> Self {
        let system = ground.held().system;
        let by_mass = |a: &usize, b: &usize| system.inertia[*a].mass.total_cmp(&system.inertia[*b].mass);
        // of equals the first
        let heaviest = (0..system.masses()).rev().max_by(by_mass).unwrap_or(0);
        let yardstick = RestYardstick::new(system, &start.q);
        Self { ground, yardstick, q: start.q.clone(), heaviest, mu: 0.0, of: PhantomData }
    }

    pub fn run(mut self) -> Result<Equilibrium, NoEquilibrium> {
        settle(self.ground.mechanism());
        self.ground.solve()?;
        if self.ground.freedoms() == 0 {
            return Ok(self.result(0, (0, Vec::new(), 0)));
        }
        let (mut before, mut pushed) = (f64::INFINITY, (0, 0.0));
        for iteration in 0..STEPS {
            let here = self.ground.look(&self.yardstick)?;
            match here.push() {
                None => pushed = (0, 0.0),
                Some((size, ..)) if pushed.0 == 0 || size < 0.5 * pushed.1 => pushed = (1, size),
                Some(_) => pushed.0 += 1,
            }
            if let (PATIENCE.., Some((_, body, acceleration))) = (pushed.0, here.push()) {
                return Err(NoEquilibrium::Unheld { body, acceleration });
            }
            let step = self.step(&here, self.mu.max(here.least_mu()))?;
            let way = step.way.max(step.states);
            let still = way <= STILL || (way <= NEARLY_STILL && way > 0.5 * before);
            if still && here.push().is_none() && self.left().1 <= NO_ACCELERATION * self.natural() {
                let natural = self.natural() / self.yardstick.length;
                let found = here.stability(self.system(), natural);
                return Ok(self.result(iteration, found.ok_or(NoEquilibrium::NoStability)?));
            }
            before = way;
            if !self.advance(&here, step)? {
                return Err(self.lost(iteration));
            }
        }
        Err(self.lost(STEPS))
    }

    /// How far a step takes the states, the farthest in parts of itself.
    fn way_of_states(&self, motion: &DVector<f64>) -> f64 {
        let system = self.system();
        if system.states.is_empty() {
            return 0.0;
        }
        let q = self.ground.configuration();
        let way = |own: &StateNode| {
            let node = &system.nodes[own.node];
            let change = motion[node.v].abs();
            change / (q[node.q].abs() + change + own.scale.max(SMALL_STATE))
        };
        system.states.iter().map(way).fold(0.0, f64::max)
    }

    fn system(&self) -> &'a System {
        self.ground.held().system
    }

    /// The body with the largest acceleration.
    fn left(&self) -> (usize, f64) {
        self.yardstick.acceleration(&self.ground.held().result.acc)
    }

    fn natural(&self) -> f64 {
        self.yardstick.natural(self.system(), &self.ground.held().work)
    }

    fn lost(&self, iterations: usize) -> NoEquilibrium {
        let (body, acceleration) = self.left();
        NoEquilibrium::NoConvergence { body, acceleration, iterations }
    }

    fn result(
        &self,
        iterations: usize,
        (free, unstable, unstable_directions): (usize, Vec<super::Unstable>, usize),
    ) -> Equilibrium {
        let mut state = self.system().given.clone();
        self.ground.write_state(&mut state);
        state.v.fill(0.0);
        let (accelerations, residual) = (self.ground.held().result.clone(), self.left().1);
        Equilibrium {
            state,
            accelerations,
            iterations,
            residual,
            free,
            unstable,
            unstable_directions,
            sparse: G::SPARSE,
        }
    }

    /// (K + mu) x = f.
    fn step(&self, here: &G::Slope, mu: f64) -> Result<StepOf<'a, G>, Trouble> {
        let damped = here.damp(mu).ok_or(Trouble::Partition)?;
        let mut x = here.solve(&damped, here.f());
        if mu == 0.0 {
            self.hold(here, &mut x);
        }
        let motion = here.motion(&x);
        let (way, states) = (self.yardstick.way(motion.as_slice()), self.way_of_states(&motion));
        Ok(SearchStep { x, mu, damped, way, states })
    }

    /// Adds what keeps the heaviest body in place along directions without stiffness.
    fn hold(&self, here: &G::Slope, x: &mut DVector<f64>) {
        let free = here.free();
        if free.ncols() == 0 {
            return;
        }
        let node = &self.system().nodes[self.heaviest];
        let motions: Vec<DVector<f64>> = free.column_iter().map(|x| here.motion(&x.into_owned())).collect();
        let own = |motion: &DVector<f64>| motion.rows(node.v, node.nv).into_owned();
        let moves = DMatrix::from_columns(&motions.iter().map(own).collect::<Vec<_>>());
        let away = self.away() + own(&here.motion(x));
        // what hardly moves that body, as the spin of a wheel elsewhere, has no say in where it stays
        let hardly = HARDLY * motions.iter().map(|motion| motion.norm()).fold(0.0, f64::max);
        if let Ok(back) = moves.svd(true, true).solve(&away, hardly) {
            *x -= &free * back;
        }
    }

    /// How far the heaviest body has come from the start.
    fn away(&self) -> DVector<f64> {
        let own = self.system().nodes.q(self.heaviest);
        let (now, start) = (&self.ground.configuration()[own.clone()], &self.q[own]);
        let mut away: Vec<f64> = now.iter().zip(start).map(|(a, b)| a - b).collect();
        if now.len() == 7 {
            let w = euler::g_times(&[now[3], now[4], now[5], now[6]], &[away[3], away[4], away[5], away[6]]);
            away.truncate(3);
            away.extend(w.map(|w| 2.0 * w));
        }
        DVector::from_vec(away)
    }

    /// Takes the step, or a shorter one that can be trusted; `false` if there is none.
    fn advance(&mut self, here: &G::Slope, mut step: StepOf<'a, G>) -> Result<bool, Trouble> {
        for _ in 0..ATTEMPTS {
            let part = if step.way > 1.0 { 1.0 / step.way } else { 1.0 };
            let pieces = self.ground.held().work.pieces.clone();
            let reached = self.ground.reach(here, &step.x, part);
            let error = reached.as_ref().map_or(f64::INFINITY, |f| self.error(here, &step, part, f));
            if error <= TRUSTED || (reached.is_ok() && step.way.max(step.states) <= NEARLY_STILL) {
                self.ground.accept()?;
                let Dynamics { system, work, .. } = self.ground.mechanism();
                system.count_turns(work);
                let stiffness = here.norm(here.f()) / here.norm(&step.x);
                if error <= GOOD {
                    self.mu = if self.mu > 1e-2 * stiffness { 0.1 * self.mu } else { 0.0 };
                }
                return Ok(true);
            }
            self.ground.mechanism().work.pieces = pieces;
            // no stiffer than makes the step as long as the one just tried, then shorter and shorter
            let as_long = here.norm(here.f()) / (part * here.norm(&step.x));
            let mu = if step.mu > here.least_mu() { 4.0 * step.mu } else { as_long };
            self.mu = mu.max(2.0 * here.least_mu());
            step = self.step(here, self.mu)?;
        }
        Ok(false)
    }

    /// How far the accelerations after a part of the step are from their linear prediction, as a step in units of
    /// this one: a measure that does not care how stiff the directions are [Deuflhard 2004, section 3.3]. In long
    /// mechanisms the body that is farthest off counts too.
    fn error(&self, here: &G::Slope, step: &StepOf<'a, G>, part: f64, f: &DVector<f64>) -> f64 {
        let miss = here.miss(&step.damped, (&step.x, part), f);
        let error = here.norm(&miss) / (part * here.norm(&step.x));
        let worst = self.yardstick.way(here.motion(&miss).as_slice()) / (part * step.way);
        if error.is_nan() { f64::INFINITY } else { error.max(worst) }
    }
}
