//! Kingpin: multibody dynamics.

pub mod scalar;
