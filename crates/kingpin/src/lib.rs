//! Kingpin: multibody dynamics.
//!
//! A [`model::Model`] (named, plain data) compiles into a [`system::System`] (numbered, immutable), which
//! evaluates the equations of motion of the mechanism and all their derivatives exactly.

pub mod accel;
pub mod analysis;
pub mod dynamics;
pub mod element;
pub mod expr;
pub mod integrate;
pub mod linalg;
pub mod mechanism;
pub mod model;
pub mod results;
pub mod scalar;
pub mod spatial;
pub mod system;
pub mod topology;
pub mod words;
