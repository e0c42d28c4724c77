//! Trusses of pin-jointed bars as substructures: the mast of modules with 63 degrees of freedom, rings of them, and
//! whatever is joined at frames of three nodes.

mod mast;
mod module;

pub use mast::{Builder, Truss, UPRIGHT};
pub use module::{Bar, DENSITY, FRAMES, Module, RADIUS, STIFFNESS};
