//! The acceleration problem and its linear algebra.

pub mod reduced;

pub use reduced::Reduced;
