//! Settings of a model.

use super::Error;
use crate::accel;
use crate::dynamics::{ChangeWeights, Coordinates, Four, Matrices, Method, Settings, Stabilisation};
use crate::model::Simulation;
use crate::threads;
use crate::words::Spelling;

/// Relative tolerances below this are refused.
const FINEST: f64 = 1e-14;

impl Settings {
    /// The settings of a model.
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

    /// An error of the settings and its remedy.
    #[doc(hidden)]
    pub fn refused(&self, spelling: Spelling) -> Option<(String, String)> {
        let finite = [self.rtol, self.t_end].iter().all(|x| x.is_finite());
        if !finite || self.rtol <= 0.0 {
            let what = format!("invalid tolerance {:e} or end time {:e}", self.rtol, self.t_end);
            return Some((what, "both must be finite, and the tolerance greater than zero".into()));
        }
        if self.rtol < FINEST {
            let what = format!("a tolerance of {:e} is below round-off", self.rtol);
            let advice = format!(
                "numbers have 16 digits, some of which are lost in the equations: use 1e-12, at \
                     least {FINEST:e}"
            );
            return Some((what, advice));
        }
        if !(0.0..=1.0).contains(&self.spectral_radius) {
            let what = format!("invalid spectral radius {}", self.spectral_radius);
            return Some((what, "choose a number from 0 to 1; 0.8 is usual".into()));
        }
        if let Some(threads) = self.threads.filter(|threads| !(1..=threads::MOST).contains(threads)) {
            let what = format!("invalid number of threads: {threads}");
            let advice =
                format!("choose a number from 1 to {}, or omit it for automatic choice", threads::MOST);
            return Some((what, advice));
        }
        if self.matrices == Matrices::Sparse && self.coordinates == Coordinates::Partition {
            let (what, tangent) = (
                "sparse matrices are not available with coordinate partitioning",
                Coordinates::Tangent.name(),
            );
            let advice = format!(
                "sparse matrices use tangent plane coordinates: {}, or {}",
                spelling("coordinates", tangent),
                spelling("matrices", Matrices::Dense.name())
            );
            return Some((what.into(), advice));
        }
        if self.method.has_fixed_step() && self.h.is_none() {
            let what = format!("`{}` needs a step size", self.method.name());
            let advice = format!(
                "the fixed step size determines the accuracy: start with {} and halve it until the \
                     result no longer changes",
                spelling("h", "1ms")
            );
            return Some((what, advice));
        }
        None
    }
}
