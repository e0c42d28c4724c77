//! What a user can set for a run.

use super::{Matrices, Method};
use crate::accel;
use crate::dynamics::forms::coordinates::Coordinates;
use crate::dynamics::forms::reduced::Linearising;
use crate::dynamics::instant::stabilisation::{ChangeWeights, Stabilisation};
use crate::dynamics::scales::Four;
use crate::integrate::{Control, Norm, RADIUS, Tolerance};

/// Settings of a run; tolerance and end are all that most need.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Method of integration.
    pub method: Method,
    /// Solver of the acceleration problem.
    pub solver: accel::Solver,
    /// Relative tolerance: errors of a step over the natural scales of the motion.
    pub rtol: f64,
    /// Errors of a step that do not matter, whatever the natural scales; zero unless the user says so.
    pub atol: Four,
    /// Time at which the run ends.
    pub t_end: f64,
    /// Time between two frames; none if there shall be no frames.
    pub frame: Option<f64>,
    /// Maximum step size.
    pub h_max: Option<f64>,
    /// First step, or the step of methods that have a fixed one: a thousandth of the run if it is not given.
    pub h: Option<f64>,
    /// Spectral radius at infinity of `gen-alpha`.
    pub spectral_radius: f64,
    /// How implicit methods get their Jacobian.
    pub linearising: Linearising,
    /// Which matrices they use.
    pub matrices: Matrices,
    /// In which coordinates they tell motions.
    pub coordinates: Coordinates,
    /// How explicit methods keep states on the constraints. Implicit ones recover dependent coordinates exactly.
    pub stabilisation: Stabilisation,
    /// What changes are weighed by where the nearest state is looked for.
    pub stabilisation_weights: ChangeWeights,
    /// Threads that a whole run uses; `None` for as many as are predicted to pay. They change no number. A
    /// [`Motion`](crate::mechanism::Motion), whose steps belong to the caller, uses those it is called in.
    pub threads: Option<usize>,
    /// Most steps.
    pub most_steps: usize,
}

/// Least number of steps of a mechanism that is driven in all its degrees of freedom.
const DRIVEN: f64 = 500.0;

/// What iterations leave, in parts of the tolerance.
const PART: f64 = 1e-3;

impl Settings {
    /// The defaults for a tolerance and an end.
    pub fn new(tol: f64, t_end: f64) -> Self {
        Self {
            method: Method::Auto,
            solver: accel::Solver::Auto,
            rtol: tol,
            atol: Four::default(),
            t_end,
            frame: None,
            h_max: None,
            h: None,
            spectral_radius: RADIUS,
            linearising: Linearising::Exact,
            matrices: Matrices::Auto,
            coordinates: Coordinates::Auto,
            stabilisation: Stabilisation::Projection,
            stabilisation_weights: ChangeWeights::Mass,
            threads: None,
            most_steps: 100_000_000,
        }
    }

    /// The norm of a state of independent coordinates and as many rates.
    pub(in crate::dynamics) fn norm(&self, freedoms: usize) -> Norm {
        Norm::uniform(2 * freedoms, Tolerance::both(self.rtol))
    }

    /// The settings for a mechanism with so many degrees of freedom that starts at `t`: without any there is no
    /// error to control the steps by, so they get a limit.
    pub(in crate::dynamics) fn for_freedoms(&self, freedoms: usize, t: f64) -> Self {
        let mut settings = self.clone();
        if self.method.has_fixed_step() && self.h.is_none() {
            settings.h = Some((self.t_end - t).abs() / 1000.0);
        }
        if freedoms == 0 {
            let limit = (self.t_end - t).abs() / DRIVEN;
            settings.h_max = Some(self.h_max.unwrap_or(f64::INFINITY).min(limit));
        }
        settings
    }

    /// What an iterative solver may leave, in parts of what a step may be wrong by. Differences of accelerations magnify
    /// errors, so there it may leave nothing.
    pub(in crate::dynamics) fn part_of_tolerance(&self) -> f64 {
        if self.linearising == Linearising::Differences { 0.0 } else { PART }
    }

    /// Error of accelerations, over their size, that it may leave where no step is under way.
    pub(in crate::dynamics) fn error_of_accelerations(&self) -> f64 {
        self.part_of_tolerance() * self.rtol
    }

    /// Step size control on top of the one a method has, or steps of a fixed size.
    pub(in crate::dynamics) fn control(&self, own: Control) -> Control {
        let fixed = || Control::fixed(self.h.unwrap_or(f64::INFINITY));
        let own = if self.method.has_fixed_step() { fixed() } else { own };
        Control { h_max: self.h_max.unwrap_or(f64::INFINITY), radius: self.spectral_radius, ..own }
    }
}
