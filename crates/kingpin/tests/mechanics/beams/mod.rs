//! Geometrically exact beams: invariance, statics, motion, and what the rest of the program makes of them.
mod compiled;
mod frequencies;
mod invariance;
mod motion;
mod rod;
mod statics;
