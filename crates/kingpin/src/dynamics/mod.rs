//! Mechanisms in motion: the equations of motion in the forms that integrators need, and runs over time.

mod columns;
mod descriptor;
mod differences;
mod engine;
mod full;
mod jacobian;
mod mechanism;
mod method;
mod partition;
mod projection;
mod reduced;
mod run;
mod settings;
mod tangent;

pub use descriptor::{Descriptor, Inflated, Room, Saddle};
pub use full::Full;
pub use mechanism::{Mechanism, Trouble};
pub use method::Method;
pub use partition::Partition;
pub use projection::Projection;
pub use reduced::{Linearising, Reduced};
pub use run::{End, Frame, Observer, Run, Step, Unwatched, simulate, simulate_with};
pub use settings::Settings;
