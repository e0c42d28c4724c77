//! Trusses of pin-jointed bars as substructures: the mast of modules with 63 degrees of freedom, rings of them, and
//! whatever is joined at frames of three nodes.

mod attitude;
mod bars;
mod mast;
mod modes;
mod module;
mod motion;
mod newmark;
mod station;
mod swing;

pub use bars::Law;
pub use mast::{Builder, Truss, UPRIGHT};
pub use modes::lowest_frequencies;
pub use module::{Bar, DENSITY, FRAMES, Module, RADIUS, STIFFNESS};
pub use motion::Motion;
pub use newmark::Newmark;
pub use swing::{Effort, Swing, SwingError};
