//! What tests of all crates share: random numbers, a counting allocator, models.

pub mod counting;
pub mod models;
mod random;

pub use random::Random;
