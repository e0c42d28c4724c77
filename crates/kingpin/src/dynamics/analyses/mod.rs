//! What is asked of a mechanism besides a run: equilibrium, small motions about a state, driven motion.

mod bound;
pub(super) mod equilibrium;
mod held;
pub(super) mod kinematics;
pub(super) mod linear;
pub(super) mod modes;
mod pencil;
pub(super) mod shares;
mod spectrum;
pub(super) mod steady;
