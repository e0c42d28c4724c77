//! Elements: what joints, drivers, forces, measures, roads and shapes are.
//!
//! Joints and forces are compositions of few basic functions of the coordinates ([`basic`]); all closed-form
//! derivatives live there. Elements see frames on bodies, never bodies, and never hear of integrators.

pub mod articulation;
pub mod bar_law;
pub mod basic;
pub mod beam;
mod bends;
pub mod bind;
pub mod carrier;
pub mod cell;
pub mod compose;
pub mod driver;
pub mod equation;
pub mod floating;
pub mod force;
pub mod friction_law;
pub mod hold;
pub mod joint;
pub mod law;
pub mod measure;
pub mod place;
pub mod reading;
pub mod road;
mod rolling;
pub mod shape;
pub mod stop_law;
pub mod switch;
pub mod turned;
