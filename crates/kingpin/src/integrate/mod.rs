//! Numerical integration of ordinary differential equations: no mechanics.
//!
//! | method | problem | order | for |
//! |---|---|---|---|
//! | [`Dopri5`] | [`Ode`] | 5 | anything not stiff |
//! | [`Dop853`] | [`Ode`] | 8 | the same at tight tolerances |
//! | [`Adams`] | [`Ode`] | 1 to 13 | costly right-hand sides, long smooth motions |
//! | [`Trapezoidal`] | [`SecondOrder`] | 2 | stiff, low accuracy |
//! | [`HilberHughesTaylor`] | [`SecondOrder`] | 2 | stiff, fixed steps |
//! | [`GeneralisedAlpha`] | [`SecondOrder`] | 2 | stiff, vibrations to be damped |
//! | [`Sdirk16`], [`Sdirk15`] | [`SecondOrder`] | 4 | stiff |
//! | [`Esdirk4`] | [`SecondOrder`] | 4 | stiff parts that turn |
//! | [`Radau5`] | [`SecondOrder`] | 5 | stiff, tight tolerances, stiff parts that turn |
//! | [`Rosenbrock`] | [`SecondOrder`] | 4 | stiff with cheap exact linearisation |
//!
//! A method is a [`Stepper`]: it holds the state, takes one accepted step at a time, and gives the solution
//! inside the last step. [`integrate`] drives it to the end. Failures are values ([`Halt`]). Between two steps its
//! memory can be saved and restored to the last bit ([`Snapshot`]).
//! [`EventFinder`] finds where a function of the state changes its sign.

mod adams;
mod event;
mod explicit;
pub mod formula;
mod implicit;
mod norm;
mod pace;
mod problem;
mod report;
mod snapshot;
mod stepper;

pub use adams::Adams;
pub use event::{Crossing, EventFinder, Incident, zero};
pub use explicit::{
    Dop853, Dopri5, DormandPrince5, DormandPrince8, ExplicitFormula, ExplicitRungeKutta, combine, weighted,
};
pub use implicit::{
    DenseMatrix, Esdirk4, EsdirkFormula, GeneralisedAlpha, GeneralisedAlphaRule, HilberHughesTaylor,
    HilberHughesTaylorRule, Implicit, IterationMatrix, Radau5, RadauFormula, Rosenbrock, RosenbrockFormula,
    Scheme, Sdirk15, Sdirk15Formula, Sdirk16, Sdirk16Formula, Trapezoidal, TrapezoidalRule, add,
};
pub use norm::{ErrorMeasure, Norm, Tolerance};
pub use pace::{Control, PaceRule, RADIUS};
pub use problem::{FirstOrder, Linearisation, Loss, Ode, SecondOrder, StageWeights};
pub use report::{Halt, Statistics, StepReport};
pub(crate) use snapshot::snapshot;
pub use snapshot::{Memory, Snapshot, SnapshotReader, SnapshotWriter, Unfit};
pub use stepper::{Begin, Ending, Solution, Stepper, integrate};
#[cfg(test)]
mod testing;
