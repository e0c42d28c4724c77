//! Questions asked of a system: can it be assembled, which equations are redundant, what is fast in it.

mod assembly;
mod beamscale;
mod cellscale;
pub mod explain;
mod held;
mod projector;
mod rank;
mod ranking;
mod timescale;

pub use assembly::{
    Assembly, AssemblyFailure, Corrected, Correction, GivenCoordinate, Misfit, assemble, far_moves,
    length_scale,
};
pub use projector::Projector;
pub use rank::{Dependence, Diagnosis, Redundancy};
pub(crate) use timescale::rates;
pub use timescale::{TimeConstant, time_constants};
