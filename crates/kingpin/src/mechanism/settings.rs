//! Settings as a model asks for them.

use super::Error;
use crate::accel;
use crate::dynamics::{ChangeWeights, Coordinates, Four, Matrices, Method, Settings, Stabilisation};
use crate::model::Simulation;
use crate::threads;
use crate::words::Spelling;

/// Relative tolerances below this are refused.
const FINEST: f64 = 1e-14;

impl Settings {
    /// The settings that a model asks for.
    pub fn of(given: &Simulation) -> Settings {
        let one = |own: Option<f64>| own.or(given.atol).unwrap_or(0.0);
        let mut settings = Settings::new(given.rtol.unwrap_or(given.tol), given.t_end);
        // the names are on the lists, or the model would not have compiled
        settings.method = Method::named(&given.method).unwrap_or_default();
        settings.solver = accel::Solver::named(&given.solver).unwrap_or(accel::Solver::Auto);
        settings.matrices = Matrices::named(&given.matrices).unwrap_or_default();
        settings.coordinates = Coordinates::named(&given.coordinates).unwrap_or_default();
        settings.stabilisation = Stabilisation::named(&given.stabilisation).unwrap_or_default();
        settings.stabilisation_weights =
            ChangeWeights::named(&given.stabilisation_weights).unwrap_or_default();
        settings.atol = Four {
            position: one(given.atol_position),
            angle: one(given.atol_angle),
            velocity: one(given.atol_velocity),
            angular_velocity: one(given.atol_angular_velocity),
        };
        settings.threads = given.threads;
        settings.spectral_radius = given.spectral_radius;
        (settings.frame, settings.h, settings.h_max) = (given.frame, given.h, given.h_max);
        settings
    }

    /// Whether a run can be made with them.
    pub(crate) fn check(&self, spelling: Spelling) -> Result<(), Error> {
        self.refused(spelling).map_or(Ok(()), |(what, advice)| Err(Error::asked(what, advice)))
    }

    /// What is wrong with them and what to do about it, if anything is.
    #[doc(hidden)]
    pub fn refused(&self, spelling: Spelling) -> Option<(String, String)> {
        let finite = [self.rtol, self.t_end].iter().all(|x| x.is_finite());
        if !finite || self.rtol <= 0.0 {
            let what = format!("a tolerance of {:e} to a time of {:e} makes no sense", self.rtol, self.t_end);
            return Some((what, "give finite numbers, the tolerance greater than zero".into()));
        }
        if self.rtol < FINEST {
            let what = format!("a tolerance of {:e} is below round-off", self.rtol);
            let advice = format!(
                "numbers carry 16 digits, of which the equations cost some: ask for 1e-12, or {FINEST:e} at the least"
            );
            return Some((what, advice));
        }
        if !(0.0..=1.0).contains(&self.spectral_radius) {
            let what = format!("a spectral radius of {} makes no sense", self.spectral_radius);
            return Some((what, "give a number from 0 to 1; 0.8 is usual".into()));
        }
        if let Some(threads) = self.threads.filter(|threads| !(1..=threads::MOST).contains(threads)) {
            let what = format!("{threads} threads make no sense");
            let advice = format!("give a number from 1 to {}, or none to have it chosen", threads::MOST);
            return Some((what, advice));
        }
        if self.matrices == Matrices::Sparse && self.coordinates == Coordinates::Partition {
            let (what, tangent) =
                ("sparse matrices know no partition of the coordinates", Coordinates::Tangent.name());
            let advice = format!(
                "they hold all coordinates and integrate the motion in the tangent plane: {}, or {}",
                spelling("coordinates", tangent),
                spelling("matrices", Matrices::Dense.name())
            );
            return Some((what.into(), advice));
        }
        if self.method.has_fixed_step() && self.h.is_none() {
            let what = format!("`{}` needs a step size", self.method.name());
            let advice = format!(
                "its steps have a fixed size, which sets the accuracy: try {}, then half of it, until the result no \
                 longer changes",
                spelling("h", "1ms")
            );
            return Some((what, advice));
        }
        None
    }
}
