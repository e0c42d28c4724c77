//! Structures cut into sub-domains.
//!
//! | module | holds |
//! |---|---|
//! | [`partition`] | which sub-domain each element belongs to |
//!
//! Plain types in and out: no files, no printing, no clock.

pub mod partition;
