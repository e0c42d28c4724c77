//! Implicit one-step methods for second-order equations.

mod esdirk;
mod generalised;
mod hht;
mod matrix;
mod newton;
mod radau;
mod rosenbrock;
mod scheme;
mod sdirk;
mod stepper;
#[cfg(test)]
mod tests;
mod trapezoidal;

pub use esdirk::{EsdirkSet, NystromFormula, Sdirk16Set};
pub use generalised::GeneralisedAlphaRule;
pub use hht::HilberHughesTaylorRule;
pub use matrix::{DenseMatrix, IterationMatrix, add};
pub use radau::RadauFormula;
pub use rosenbrock::RosenbrockFormula;
pub use scheme::Scheme;
pub use sdirk::Sdirk15Formula;
pub use stepper::Implicit;
pub use trapezoidal::TrapezoidalRule;

/// The trapezoidal rule: order 2, A-stable, controlled by the cautious difference from backward Euler.
pub type Trapezoidal = Implicit<TrapezoidalRule, DenseMatrix>;

/// The method of Hilber, Hughes and Taylor: order 2, A-stable, damps high frequencies. It is meant for steps of a
/// fixed size; its estimate, of the position alone, serves reports.
pub type HilberHughesTaylor = Implicit<HilberHughesTaylorRule, DenseMatrix>;

/// The generalised-alpha method: order 2, A-stable, damps high frequencies as much as its spectral radius says.
pub type GeneralisedAlpha = Implicit<GeneralisedAlphaRule, DenseMatrix>;

/// SDIRK of order 4 with gamma = 1/4, L-stable; the unknowns are accelerations.
pub type Sdirk16 = Implicit<Sdirk16Formula, DenseMatrix>;

/// The formula of [`Sdirk16`].
pub type Sdirk16Formula = NystromFormula<Sdirk16Set>;

/// ESDIRK of order 4 with gamma = 1/4 and stages of order 2, L-stable; the unknowns are accelerations.
pub type Esdirk4 = Implicit<EsdirkFormula, DenseMatrix>;

/// The formula of [`Esdirk4`].
pub type EsdirkFormula = NystromFormula<EsdirkSet>;

/// SDIRK of order 4 with gamma = 4/15, L-stable; the unknowns are positions and velocities.
pub type Sdirk15 = Implicit<Sdirk15Formula, DenseMatrix>;

/// Radau IIA of order 5 with stages of order 3, L-stable; the unknowns are accelerations.
pub type Radau5 = Implicit<RadauFormula, DenseMatrix>;

/// Rosenbrock–Nyström of order 4, L-stable; a linearisation and three evaluations per step, no iteration.
pub type Rosenbrock = Implicit<RosenbrockFormula, DenseMatrix>;
