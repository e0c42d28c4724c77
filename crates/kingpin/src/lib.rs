//! Kingpin: multibody dynamics.

pub mod scalar;
pub mod topology;
