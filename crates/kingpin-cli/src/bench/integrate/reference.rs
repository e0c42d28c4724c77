//! The solution that others are compared with.

use super::SetTolerance;
use super::errors::Errors;
use super::outing::{Samples, Track};
use kingpin::dynamics::{Method, Settings};

/// A solution much more accurate than those compared with it.
pub struct Reference {
    pub method: Method,
    pub tol: f64,
    pub samples: Samples,
    /// How far its run with ten times the tolerance is from it, in positions and velocities: its own error is
    /// less. None if that run failed.
    pub doubt: Option<Errors>,
}

/// Looser than this is no reference.
const LOOSEST: f64 = 1e-8;

/// Computes a reference for runs whose smallest tolerance is `finest`: two orders below it, by the explicit
/// method of order 8 if that is fast enough, by an implicit one where the problem is stiff.
pub fn compute(track: &Track, framed: &Settings, finest: f64) -> Result<Reference, String> {
    let tight = (finest * 1e-2).clamp(1e-12, 1e-10);
    let mut whys = Vec::new();
    let mut tol = tight;
    while tol <= LOOSEST * 1.001 {
        for method in [Method::Dop853, Method::ForSdirk, Method::ForRosen] {
            // what the explicit method cannot do at one tolerance it cannot at another
            if method == Method::Dop853 && tol > tight {
                continue;
            }
            let at = |tol: f64| {
                let mut settings = Settings { method, h: None, ..framed.clone() };
                settings.set_tolerance(tol);
                track.samples(&settings)
            };
            match at(tol) {
                Ok(samples) => {
                    let doubt = at(10.0 * tol).ok();
                    let doubt = doubt.map(|d| Errors::between(&d, &samples, track.channels, track.picked));
                    return Ok(Reference { method, tol, samples, doubt });
                }
                Err(why) => whys.push(format!("{} at {tol:.0e}: {why}", method.name())),
            }
        }
        tol *= 10.0;
    }
    Err(whys.join("; "))
}
