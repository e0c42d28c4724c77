//! Geometrically exact beams: invariance, statics, motion, and what the rest of the program makes of them.
#![allow(unsafe_code)] // a global allocator cannot be written without

mod compiled;
#[path = "../common/counting.rs"]
mod counting;
mod frequencies;
mod invariance;
mod motion;
#[path = "../common/random.rs"]
mod random;
mod rod;
mod statics;
