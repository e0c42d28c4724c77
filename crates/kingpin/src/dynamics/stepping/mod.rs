//! Methods of integration at work on a form of the equations: one step after the other.

mod bridge;
mod collocation;
pub(super) mod engine;
mod matrices;
mod memory;
mod method;
mod settings;

pub use matrices::Matrices;
pub use method::Method;
pub use settings::Settings;
