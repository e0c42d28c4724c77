//! What to try after a failure.

use crate::accel::Solver;
use crate::dynamics::stepping::Method;

/// What to try.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// An implicit method.
    Implicit(Method),
    /// An explicit method.
    Explicit(Method),
    /// Make the stiffest force softer, or a joint of it.
    Soften,
    /// Guard an expression against values it has no result for.
    Guard(String),
    /// Look at the motion of these drivers.
    CheckDriver(Vec<String>),
    /// Replace a driver by a force.
    ForceInsteadOfDriver,
    /// Start elsewhere or keep away from the position.
    AvoidPosition,
    /// Make the position regular: a little play, slightly different lengths.
    ChangeGeometry,
    /// A smaller fixed step.
    SmallerStep(f64),
    /// A larger fixed step.
    LargerStep(f64),
    /// A method that chooses its steps.
    ChooseSteps,
    /// Sparse matrices.
    Sparse,
    /// Another solver of accelerations.
    Solver(Solver),
    /// A looser tolerance.
    LooserTolerance(f64),
    /// A greatest step.
    GreatestStep(f64),
    /// End before.
    EndBefore(f64),
    /// More steps.
    MoreSteps(f64),
    /// Give the driver a motion without jumps.
    SmoothMotion(String),
    /// Two thresholds instead of one.
    Hysteresis(String),
    /// A law without a jump.
    SmootherLaw(String),
    /// Deform a superelement less, or make it of several.
    DeformLess(String),
}
