//! Kingpin: multibody dynamics.

pub mod expr;
pub mod scalar;
