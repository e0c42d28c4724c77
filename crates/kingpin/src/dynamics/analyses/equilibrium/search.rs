//! The way to an equilibrium.

use super::stability::stability;
use super::yardstick::RestYardstick;
use super::{Equilibrium, MOST_FREEDOM, NoEquilibrium};
use crate::dynamics::analyses::pencil::Pencil;
use crate::dynamics::analyses::spectrum::Spectrum;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::SecondOrder;
use crate::spatial::euler;
use crate::system::{State, System};
use nalgebra::{DMatrix, DVector, Dyn, LU, SymmetricEigen};

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
/// A force without stiffness below this part of the natural ones is round-off.
const NO_PUSH: f64 = 1e-9;
/// Error of the linear prediction, in steps, up to which a step is accepted.
const TRUSTED: f64 = 0.5;
/// That of steps after which longer ones may be tried.
const GOOD: f64 = 0.1;
/// After so many steps that have not reduced a push there is nothing that stops it.
const PATIENCE: usize = 40;

pub(super) struct EquilibriumSearch<'a> {
    reduced: Reduced<'a>,
    yardstick: RestYardstick,
    /// Coordinates at the start, and the body that is to stay where nothing holds it.
    q: Vec<f64>,
    heaviest: usize,
    /// Damping of steps, 1/s^2.
    mu: f64,
}

/// The equations at the point reached.
struct Here {
    pencil: Pencil,
    spectrum: Spectrum,
    /// Accelerations of the independent coordinates in the metric of the mass.
    f: DVector<f64>,
    /// Damping without which a step would go uphill, or along a push that nothing holds.
    least_mu: f64,
    /// Size of a push that nothing holds, with the body and the acceleration; none if all is held.
    push: Option<(f64, usize, f64)>,
}

/// A step, in the metric of the mass, and how it was solved for.
struct SearchStep {
    x: DVector<f64>,
    mu: f64,
    damped: Option<LU<f64, Dyn, Dyn>>,
    /// Its way in sizes of the mechanism.
    way: f64,
}

impl<'a> EquilibriumSearch<'a> {
    pub fn new(mechanism: Dynamics<'a>, start: &State) -> Result<Self, NoEquilibrium> {
        let system = mechanism.system;
        let by_mass = |a: &usize, b: &usize| system.inertia[*a].mass.total_cmp(&system.inertia[*b].mass);
        // of equals the first
        let heaviest = (0..system.bodies()).rev().max_by(by_mass).unwrap_or(0);
        let reduced = Reduced::new(mechanism, start)?;
        let dof = reduced.dim();
        if dof > MOST_FREEDOM {
            return Err(NoEquilibrium::TooLarge { dof });
        }
        Ok(Self {
            yardstick: RestYardstick::new(system, &start.q),
            q: start.q.clone(),
            heaviest,
            mu: 0.0,
            reduced,
        })
    }

    pub fn run(mut self) -> Result<Equilibrium, NoEquilibrium> {
        let Dynamics { system, work, .. } = &mut self.reduced.mechanism;
        system.settle_pieces(work);
        self.reduced.solve()?;
        if self.reduced.dim() == 0 {
            return Ok(self.result(0, 0, Vec::new()));
        }
        let (mut before, mut pushed) = (f64::INFINITY, (0, 0.0));
        for iteration in 0..STEPS {
            let here = self.look()?;
            match here.push {
                None => pushed = (0, 0.0),
                Some((size, ..)) if pushed.0 == 0 || size < 0.5 * pushed.1 => pushed = (1, size),
                Some(_) => pushed.0 += 1,
            }
            if let (PATIENCE.., Some((_, body, acceleration))) = (pushed.0, here.push) {
                return Err(NoEquilibrium::Unheld { body, acceleration });
            }
            let step = self.step(&here, self.mu.max(here.least_mu));
            let still = step.way <= STILL || (step.way <= NEARLY_STILL && step.way > 0.5 * before);
            if still && here.push.is_none() && self.left().1 <= NO_ACCELERATION * self.natural() {
                let natural = self.natural() / self.yardstick.length;
                let found = stability(self.system(), &here.pencil, natural);
                let (free, unstable) = found.ok_or(NoEquilibrium::Trouble(Trouble::Partition))?;
                return Ok(self.result(iteration, free, unstable));
            }
            before = step.way;
            if !self.advance(&here, step)? {
                return Err(self.lost(iteration));
            }
        }
        Err(self.lost(STEPS))
    }

    fn system(&self) -> &'a System {
        self.reduced.mechanism.system
    }

    /// The body with the largest acceleration.
    fn left(&self) -> (usize, f64) {
        self.yardstick.acceleration(&self.reduced.mechanism.result.acc)
    }

    fn natural(&self) -> f64 {
        self.yardstick.natural(self.system(), &self.reduced.mechanism.work)
    }

    fn lost(&self, iterations: usize) -> NoEquilibrium {
        let (body, acceleration) = self.left();
        NoEquilibrium::NoConvergence { body, acceleration, iterations }
    }

    fn result(&self, iterations: usize, free: usize, unstable: Vec<super::Unstable>) -> Equilibrium {
        let mut state = self.system().given.clone();
        self.reduced.write_state(&mut state);
        state.v.fill(0.0);
        let accelerations = self.reduced.mechanism.result.clone();
        Equilibrium { state, accelerations, iterations, residual: self.left().1, free, unstable }
    }

    /// Linearises at the point reached.
    fn look(&mut self) -> Result<Here, Trouble> {
        let pencil = Pencil::new(&mut self.reduced)?;
        let f = pencil.in_metric(&self.accelerations());
        let k = &pencil.stiffness;
        let natural = self.natural();
        let spectrum = Spectrum::new(k, natural / self.yardstick.length).ok_or(Trouble::Partition)?;
        let lowest = SymmetricEigen::new(0.5 * (k + k.transpose())).eigenvalues.min();
        let mut least_mu = if lowest < -100.0 * spectrum.nothing { -2.0 * lowest } else { 0.0 };
        let unheld = spectrum.unreachable(&f);
        let motion = &pencil.motions * &unheld;
        let (body, acceleration) = self.yardstick.acceleration(motion.as_slice());
        let push = (acceleration > NO_PUSH * natural).then_some((unheld.norm(), body, acceleration));
        if push.is_some() {
            least_mu = least_mu.max(self.yardstick.way(motion.as_slice()));
        }
        Ok(Here { pencil, spectrum, f, least_mu, push })
    }

    fn accelerations(&self) -> Vec<f64> {
        self.reduced.partition.independent.iter().map(|&c| self.reduced.xddot[c]).collect()
    }

    /// (K + mu) x = f.
    fn step(&self, here: &Here, mu: f64) -> SearchStep {
        let k = &here.pencil.stiffness;
        let damped = (mu > 0.0).then(|| LU::new(k + DMatrix::identity(k.nrows(), k.nrows()) * mu));
        let mut step = SearchStep { x: here.f.clone(), mu, damped, way: 0.0 };
        step.x = step.solve(here, &here.f);
        if mu == 0.0 {
            self.hold(here, &mut step.x);
        }
        step.way = self.yardstick.way((&here.pencil.motions * &step.x).as_slice());
        step
    }

    /// Adds what keeps the heaviest body in place along directions without stiffness.
    fn hold(&self, here: &Here, x: &mut DVector<f64>) {
        let free = here.spectrum.basis().0;
        if free.ncols() == 0 {
            return;
        }
        let node = &self.system().nodes[self.heaviest];
        let own = here.pencil.motions.rows(node.v, node.nv);
        let moves = own * &free;
        let away = self.away() + own * &*x;
        let square = moves.tr_mul(&moves);
        let trace = square.trace();
        let regular = square + DMatrix::identity(free.ncols(), free.ncols()) * (1e-14 * trace);
        if let Some(cholesky) = regular.cholesky() {
            *x -= &free * cholesky.solve(&moves.tr_mul(&away));
        }
    }

    /// How far the heaviest body has come from the start.
    fn away(&self) -> DVector<f64> {
        let own = self.system().nodes.q(self.heaviest);
        let (now, start) = (&self.reduced.q[own.clone()], &self.q[own]);
        let mut away: Vec<f64> = now.iter().zip(start).map(|(a, b)| a - b).collect();
        if now.len() == 7 {
            let w = euler::g_times(&[now[3], now[4], now[5], now[6]], &[away[3], away[4], away[5], away[6]]);
            away.truncate(3);
            away.extend(w.map(|w| 2.0 * w));
        }
        DVector::from_vec(away)
    }

    /// Accelerations at other independent values, on the pieces of forces that are valid there.
    fn arrive(&mut self, y: &[f64], accelerations: &mut [f64]) -> Result<(), Trouble> {
        let (t, (v, vdot)) = (self.reduced.t, y.split_at(y.len() / 2));
        self.reduced.acceleration(t, v, vdot, accelerations)?;
        let Dynamics { system, work, .. } = &mut self.reduced.mechanism;
        let before = work.pieces.clone();
        system.settle_pieces(work);
        if work.pieces != before {
            self.reduced.solve()?;
            accelerations.copy_from_slice(&self.accelerations());
        }
        Ok(())
    }

    /// Takes the step, or a shorter one that can be trusted; `false` if there is none.
    fn advance(&mut self, here: &Here, mut step: SearchStep) -> Result<bool, Trouble> {
        let n = self.reduced.dim();
        let mut y = vec![0.0; 2 * n];
        self.reduced.independent(&mut y);
        y[n..].fill(0.0);
        let (t, mut accelerations) = (self.reduced.t, vec![0.0; n]);
        for _ in 0..ATTEMPTS {
            let part = if step.way > 1.0 { 1.0 / step.way } else { 1.0 };
            let change = here.pencil.independent(&step.x) * part;
            let mut trial = y.clone();
            trial.iter_mut().zip(change.iter()).for_each(|(y, dy)| *y += dy);
            let pieces = self.reduced.mechanism.work.pieces.clone();
            let reached = self.arrive(&trial, &mut accelerations).is_ok();
            let error = if reached { step.error(here, part, &accelerations) } else { f64::INFINITY };
            if error <= TRUSTED || (reached && step.way <= NEARLY_STILL) {
                self.reduced.accept(t, &trial)?;
                self.reduced.rebase_here();
                let Dynamics { system, work, .. } = &mut self.reduced.mechanism;
                system.count_turns(work);
                let stiffness = here.f.norm() / step.x.norm();
                if error <= GOOD {
                    self.mu = if self.mu > 1e-2 * stiffness { 0.1 * self.mu } else { 0.0 };
                }
                return Ok(true);
            }
            self.reduced.mechanism.work.pieces = pieces;
            // no stiffer than makes the step as long as the one just tried, then shorter and shorter
            let mu =
                if step.mu > here.least_mu { 4.0 * step.mu } else { here.f.norm() / (part * step.x.norm()) };
            self.mu = mu.max(2.0 * here.least_mu);
            step = self.step(here, self.mu);
        }
        Ok(false)
    }
}

impl SearchStep {
    fn solve(&self, here: &Here, b: &DVector<f64>) -> DVector<f64> {
        match &self.damped {
            None => here.spectrum.solve(b),
            Some(lu) => lu.solve(b).unwrap_or_else(|| here.spectrum.solve(b)),
        }
    }

    /// How far the accelerations after a part of the step are from their linear prediction, as a step in units of
    /// this one: a measure that does not care how stiff the directions are [Deuflhard 2004, section 3.3].
    fn error(&self, here: &Here, part: f64, accelerations: &[f64]) -> f64 {
        let f = here.pencil.in_metric(accelerations);
        let predicted = &here.f - &here.pencil.stiffness * &self.x * part;
        let error = self.solve(here, &(f - predicted)).norm() / (part * self.x.norm());
        if error.is_nan() { f64::INFINITY } else { error }
    }
}
