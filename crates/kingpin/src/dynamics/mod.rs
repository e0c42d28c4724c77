//! Mechanisms in motion: the equations of motion in the forms that integrators need, and runs over time.

mod differences;
mod jacobian;
mod mechanism;
mod partition;
mod reduced;
mod tangent;

pub use mechanism::{Mechanism, Trouble};
pub use partition::Partition;
pub use reduced::{Linearising, Reduced};
