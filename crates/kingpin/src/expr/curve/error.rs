//! What is wrong with the points of a curve.

use std::fmt;

/// Why points make no curve.
#[derive(Clone, Debug, PartialEq)]
pub enum CurveError {
    /// Fewer than two points.
    TooFew(usize),
    /// Not as many x as y.
    Lengths {
        /// Number of x.
        x: usize,
        /// Number of y.
        y: usize,
    },
    /// A number of this point (counted from zero) is infinite or not a number.
    NotFinite(usize),
    /// A slope given for an end (the first, or not) is infinite or not a number.
    EndNotFinite(bool),
    /// The x of this point (counted from zero) does not exceed the one before.
    NotIncreasing {
        /// Index of the point.
        index: usize,
        /// The x before.
        before: f64,
        /// Its x.
        x: f64,
    },
    /// A periodic curve ends elsewhere than it began.
    NotPeriodic {
        /// Its first value.
        first: f64,
        /// Its last.
        last: f64,
    },
    /// These ends belong to curves that are joined otherwise.
    EndsOfOthers,
    /// The slope after this point (counted from zero) exceeds the range of numbers.
    TooSteep(usize),
}

impl fmt::Display for CurveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CurveError::TooFew(n) => write!(f, "a curve needs at least 2 points, but has {n}"),
            CurveError::Lengths { x, y } => {
                write!(f, "a curve needs the same number of x and y values, but has {x} and {y}")
            }
            CurveError::NotFinite(k) => write!(f, "point {} of the curve is not a finite number", k + 1),
            CurveError::EndNotFinite(first) => {
                write!(f, "the slope at its {} is not finite", if *first { "start" } else { "end" })
            }
            CurveError::NotIncreasing { index, before, x } => write!(
                f,
                "the x of a curve must increase, but x = {x} at point {} follows x = {before}",
                index + 1
            ),
            CurveError::NotPeriodic { first, last } => write!(
                f,
                "a periodic curve must have equal first and last values, but has {first} and {last}"
            ),
            CurveError::EndsOfOthers => {
                write!(f, "periodic and not-a-knot ends are available for splines only")
            }
            CurveError::TooSteep(k) => {
                write!(f, "the curve is too steep between points {} and {}", k + 1, k + 2)
            }
        }
    }
}

impl std::error::Error for CurveError {}
