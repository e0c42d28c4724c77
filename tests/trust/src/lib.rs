//! Reference motions: mechanisms whose motion is known from formulas or from an integration that shares nothing with
//! the library, run with every method at several tolerances.
//!
//! A run is *met* if its positions and attitudes are within a hundred tolerances of the truth at all frames and at the
//! end, *said* if it failed or warned, and *wrong* otherwise. [`known`] lists what is wrong today; nothing else may be.

pub mod known;
pub mod motion;
pub mod motions;
pub mod reference;
pub mod table;
pub mod trial;
pub mod validation;

pub use motion::{Expect, Motion, Track, What};
pub use trial::{Case, Outcome, Verdict};
