//! Structures cut into sub-domains.
//!
//! | module | holds |
//! |---|---|
//! | [`partition`] | which sub-domain each element belongs to |
//! | [`range`] | accelerations and implicit steps of chains and rings of substructures, with nothing assembled |
//! | [`truss`] | substructures of pin-jointed bars: masts and rings; their motion |
//!
//! Plain types in and out: no files, no printing, no clock.

pub mod partition;
pub mod range;
pub mod truss;
