//! Kingpin: multibody dynamics.

pub mod linalg;
pub mod scalar;
