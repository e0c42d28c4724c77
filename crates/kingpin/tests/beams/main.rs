//! Geometrically exact beams: invariance, statics, motion.

mod invariance;
mod motion;
#[path = "../common/random.rs"]
mod random;
mod rod;
mod statics;
