//! The joint graph of a mechanism and what can be decided from it before any number is known.

mod cuthill_mckee;
mod error;
#[cfg(test)]
mod examples;
mod front;
mod gibbs;
mod graph;
mod level_numbering;
mod levels;
mod lists;
mod metrics;
mod minimum_degree;
mod minimum_fill;
mod permutation;
mod random;
mod symbolic;

pub use cuthill_mckee::reverse_cuthill_mckee;
pub use error::TopologyError;
pub use gibbs::{gibbs_king, gibbs_poole_stockmeyer};
pub use graph::JointGraph;
pub use lists::Lists;
pub use metrics::{Counts, Envelope, Measure, Metrics};
pub use minimum_degree::{minimum_degree, minimum_degree_by_rows};
pub use minimum_fill::minimum_fill;
pub use permutation::Permutation;
pub use symbolic::{EliminationTree, Symbolic};
