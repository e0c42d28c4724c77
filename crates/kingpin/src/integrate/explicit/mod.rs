//! Explicit Runge–Kutta methods.

mod formulas;
mod runge_kutta;
#[cfg(test)]
mod tests;

pub use formulas::{DormandPrince5, DormandPrince8, ExplicitFormula, combine, weighted};
pub use runge_kutta::ExplicitRungeKutta;

/// The method of order 5 by Dormand and Prince, dense output of order 4. Six evaluations per step.
pub type Dopri5 = ExplicitRungeKutta<DormandPrince5>;

/// The method of order 8 by Dormand and Prince, dense output of order 7. Twelve evaluations per step, and
/// three more with dense output.
pub type Dop853 = ExplicitRungeKutta<DormandPrince8>;
