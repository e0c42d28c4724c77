//! Implicit steps of trusses that turn, with errors under control: the method of Hilber, Hughes and Taylor, whose matrix is
//! `M + weight K` in the axes that substructures have turned to, so that alike ones share a factor whatever their attitude.

use super::motion::Motion;
use crate::range::{Matrix, Method, RangeError, Solver};
use std::fmt;

/// Dissipation of the fastest motions.
const ALPHA: f64 = -0.1;
const BETA: f64 = (1.0 - ALPHA) * (1.0 - ALPHA) / 4.0;
const GAMMA: f64 = 0.5 - ALPHA;
/// Most iterations of a step.
const MOST: usize = 12;
/// A turn of a substructure that asks for new axes.
const TURNED: f64 = 0.03;

/// What a motion took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Accepted steps.
    pub steps: usize,
    /// Steps taken back, for their error or because iterations did not converge.
    pub rejected: usize,
    /// Newton iterations.
    pub iterations: usize,
    /// Iterations of conjugate gradients.
    pub inner: usize,
    /// Factors.
    pub factors: usize,
}

/// Why a motion could not go on.
#[derive(Debug, Clone, PartialEq)]
pub enum SwingError {
    /// The structure could not be solved for.
    Range(RangeError),
    /// Steps became too short.
    Stuck {
        /// Time reached.
        t: f64,
        /// The step that failed.
        step: f64,
    },
}

impl From<RangeError> for SwingError {
    fn from(error: RangeError) -> Self {
        SwingError::Range(error)
    }
}

impl fmt::Display for SwingError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SwingError::Range(error) => error.fmt(f),
            SwingError::Stuck { t, step } => write!(
                f,
                "a step of {step:.1e} s at t = {t} s does not converge within the tolerance: use a \
                     larger tolerance, or check for bars that shrink to zero length"
            ),
        }
    }
}

impl std::error::Error for SwingError {}

/// A truss in motion. After construction nothing is allocated.
#[derive(Debug, Clone)]
pub struct Swing {
    motion: Motion,
    solver: Solver,
    /// Time.
    pub t: f64,
    /// Places of all nodes.
    pub x: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    a: Vec<f64>,
    /// Error of places that a step may make, m.
    tolerance: f64,
    step: f64,
    /// Step of the factor, and axes it has.
    factored: f64,
    axes: Vec<[f64; 9]>,
    trial: [Vec<f64>; 4],
    before: Vec<f64>,
    effort: Effort,
}

impl Swing {
    /// From these places and velocities, with steps whose errors of places stay below a length.
    pub fn new(
        mut motion: Motion,
        method: Method,
        (x, v): (Vec<f64>, Vec<f64>),
        tolerance: f64,
    ) -> Result<Swing, RangeError> {
        let n = x.len();
        let mut solver = Solver::new(&motion.truss.structure, Matrix::Effective, method)?;
        solver.tolerance = 1e-6;
        let mut a = vec![0.0; n];
        motion.accelerations(&x, &mut a)?;
        let axes = motion.attitudes(&x).to_vec();
        // a wave crosses a tenth of a module
        let step = 0.1 / motion.truss.pace();
        let trial = [(); 4].map(|()| vec![0.0; n]);
        let before = vec![0.0; n];
        Ok(Swing {
            motion,
            solver,
            t: 0.0,
            x,
            v,
            a,
            tolerance,
            step,
            factored: 0.0,
            axes,
            trial,
            before,
            effort: Effort::default(),
        })
    }

    /// What it took so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The equations behind it.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// Goes on to a time.
    pub fn advance_to(&mut self, t: f64) -> Result<(), SwingError> {
        while self.t < t {
            // the last two steps share what is left
            let left = t - self.t;
            let h = if left <= self.step { left } else { self.step.min(0.5 * left) };
            let error = self.attempt(h)?;
            let converged = error.is_finite();
            if error <= 1.0 {
                let [x, v, a, _] = &mut self.trial;
                std::mem::swap(&mut self.x, x);
                std::mem::swap(&mut self.v, v);
                std::mem::swap(&mut self.a, a);
                self.t = if h == left { t } else { self.t + h };
                self.effort.steps += 1;
            } else {
                self.effort.rejected += 1;
            }
            let factor = if converged { (0.9 / error.max(1e-6).cbrt()).clamp(0.3, 1.6) } else { 0.4 };
            // steps that could grow a little stay, and keep their factor
            if !(1.0..1.2).contains(&factor) && (error > 1.0 || h >= self.step) {
                self.step = h * factor;
            }
            if self.step < 1e-12 * t.abs().max(1.0) {
                return Err(SwingError::Stuck { t: self.t, step: h });
            }
        }
        Ok(())
    }

    /// Tries a step; its error over the tolerance, or no number if iterations did not converge.
    fn attempt(&mut self, h: f64) -> Result<f64, SwingError> {
        self.renew(h)?;
        let Swing { motion, solver, x, v, a, trial, before, effort, .. } = self;
        let [x1, v1, a1, residual] = trial;
        motion.forces(x, before);
        a1.copy_from_slice(a);
        let mut last = f64::INFINITY;
        for iteration in 0..MOST {
            for k in 0..x.len() {
                x1[k] = x[k] + h * v[k] + h * h * ((0.5 - BETA) * a[k] + BETA * a1[k]);
            }
            motion.forces(x1, residual);
            for (new, old) in residual.iter_mut().zip(&*before) {
                *new = (1.0 + ALPHA) * *new - ALPHA * old;
            }
            motion.less_inertia(a1, residual);
            // velocities have no use for their room yet
            let change = &mut *v1;
            effort.inner += solver.solve(residual, change)?.iterations;
            effort.iterations += 1;
            let moved = BETA * h * h * change.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            a1.iter_mut().zip(&*change).for_each(|(a, da)| *a += da);
            if !moved.is_finite() || (iteration > 1 && moved > 0.9 * last) {
                return Ok(f64::NAN);
            }
            if moved < 0.02 * self.tolerance {
                for k in 0..x.len() {
                    x1[k] = x[k] + h * v[k] + h * h * ((0.5 - BETA) * a[k] + BETA * a1[k]);
                    v1[k] = v[k] + h * ((1.0 - GAMMA) * a[k] + GAMMA * a1[k]);
                }
                let rest = a.iter().zip(&*a1).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                return Ok((BETA - 1.0 / 6.0) * h * h * rest / self.tolerance);
            }
            last = moved;
        }
        Ok(f64::NAN)
    }

    /// A new factor if the step is another, new axes if parts have turned.
    fn renew(&mut self, h: f64) -> Result<(), RangeError> {
        let now = self.motion.attitudes(&self.x);
        let far = |(a, b): (&[f64; 9], &[f64; 9])| {
            a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) > TURNED
        };
        let turned = now.iter().zip(&self.axes).any(far);
        if turned || self.factored == 0.0 {
            self.axes.copy_from_slice(now);
            self.solver.set_attitudes(&self.axes);
        }
        if self.factored != h {
            self.solver.factor((1.0 + ALPHA) * BETA * h * h)?;
            (self.factored, self.effort.factors) = (h, self.effort.factors + 1);
        } else if turned {
            self.solver.prepare()?;
        }
        Ok(())
    }
}
