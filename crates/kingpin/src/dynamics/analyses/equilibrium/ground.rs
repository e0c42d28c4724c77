//! What the search for an equilibrium stands on: a mechanism at rest, in dense or in sparse matrices.

use super::Unstable;
use super::yardstick::RestYardstick;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::system::{State, System};
use nalgebra::{DMatrix, DVector};

/// A push that nothing holds: its size in the metric of the mass, the body that it moves most, and the acceleration of that.
pub(super) type LoosePush = (f64, usize, f64);

/// A mechanism at rest somewhere on its constraints. Steps are vectors in the metric of the mass, of a kind that only the
/// ground knows.
pub(super) trait Ground<'a> {
    /// Whether its matrices are.
    const SPARSE: bool;
    type Slope: RestSlope;
    fn mechanism(&mut self) -> &mut Dynamics<'a>;
    fn held(&self) -> &Dynamics<'a>;
    fn freedoms(&self) -> usize;
    /// Accelerations at the point reached.
    fn solve(&mut self) -> Result<(), Trouble>;
    /// Linearises there.
    fn look(&mut self, yardstick: &RestYardstick) -> Result<Self::Slope, Trouble>;
    /// Accelerations after a part of a step, on the pieces of forces that are valid there.
    fn reach(&mut self, slope: &Self::Slope, x: &DVector<f64>, part: f64) -> Result<DVector<f64>, Trouble>;
    /// Makes the point last reached the one to go on from.
    fn accept(&mut self) -> Result<(), Trouble>;
    fn configuration(&self) -> &[f64];
    fn write_state(&self, state: &mut State);
}

/// The equations linearised at a point.
pub(super) trait RestSlope {
    type Damped;
    /// Accelerations there.
    fn f(&self) -> &DVector<f64>;
    /// Damping without which a step would go uphill, or along a push that nothing holds.
    fn least_mu(&self) -> f64;
    fn push(&self) -> Option<LoosePush>;
    /// K + mu, factored; of least norm if mu is zero. `None` where it is singular.
    fn damp(&self, mu: f64) -> Option<Self::Damped>;
    fn solve(&self, with: &Self::Damped, f: &DVector<f64>) -> DVector<f64>;
    /// By how far accelerations after a part of a step miss their linear prediction, as a step.
    fn miss(&self, with: &Self::Damped, step: (&DVector<f64>, f64), f: &DVector<f64>) -> DVector<f64>;
    fn norm(&self, x: &DVector<f64>) -> f64;
    /// Velocities of all bodies.
    fn motion(&self, x: &DVector<f64>) -> DVector<f64>;
    /// Directions without stiffness, by columns.
    fn free(&self) -> DMatrix<f64>;
    /// Directions without stiffness, those of negative stiffness, fastest first, and how many those are in all; `None` if
    /// they cannot be computed.
    fn stability(&self, system: &System, natural: f64) -> Option<(usize, Vec<Unstable>, usize)>;
}

/// Makes the pieces of forces those that are valid at the instant at hand; whether any changed.
pub(super) fn settle(mechanism: &mut Dynamics) -> bool {
    let Dynamics { system, work, .. } = mechanism;
    let before = work.pieces.clone();
    system.settle_pieces(work);
    work.pieces != before
}
