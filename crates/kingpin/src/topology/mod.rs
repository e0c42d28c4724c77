//! The joint graph of a mechanism and what can be decided from it before any number is known.
//!
//! The reduced matrix `Phi_q M^-1 Phi_q^T` has one block row per joint and a block wherever two joints share a
//! body, ground excepted. From that graph alone follow the order in which joints are best eliminated, what
//! the elimination costs, the pattern of the factor, and which bodies are worth cutting into virtual ones
//! held by fixed joints. Nothing here knows of mechanics.
//!
//! | file | holds |
//! |---|---|
//! | `graph` | the joint graph as cliques, joint index, topology index |
//! | `loops` | loops and separate parts |
//! | `symbolic`, `metrics` | elimination tree, factor pattern, operation counts, envelope |
//! | `cuthill_mckee`, `gibbs` | orders for a narrow band or envelope, over `levels`, `level_numbering`, `front` |
//! | `minimum_degree`, `minimum_fill` | orders for little fill |
//! | `refine`, `small` | search for the best order of small graphs, with proof where it gets that far |
//! | `split`, `split_balanced`, `split_anneal`, `split_shape`, `split_search` | topology index reduction |
//! | `spanning`, `spanning_grow`, `spanning_rooted`, `spanning_search`, `spanning_work` | spanning tree and cut joints for relative coordinates |
//! | `cutting` | sub-domains and the separators between them |
//! | `waiting_degree`, `dissection` | orders for little fill of matrices over all coordinates |
//! | `ordering`, `plan` | comparison of all methods and the choice |
//!
//! The numbering of joints, the envelope and its work are those of [Serban 1997, section 4, Eqs 24 to 27], elimination
//! along the best order and splitting of bodies those of [Negrut 2003, section 4, Tables I to III].

mod cuthill_mckee;
mod cutting;
mod dissection;
mod error;
#[cfg(test)]
mod examples;
mod fold;
mod front;
mod gibbs;
mod graph;
mod level_numbering;
mod levels;
mod lists;
mod loops;
mod metrics;
mod minimum_degree;
mod minimum_fill;
mod ordering;
mod permutation;
mod plan;
mod random;
mod refine;
mod sets;
mod small;
mod spanning;
mod spanning_grow;
mod spanning_rooted;
mod spanning_search;
#[cfg(test)]
mod spanning_tests;
mod spanning_work;
mod split;
mod split_anneal;
mod split_balanced;
mod split_search;
mod split_shape;
mod symbolic;
mod waiting_degree;

pub use cuthill_mckee::reverse_cuthill_mckee;
pub use cutting::{CutGraph, cut_by_names, cut_into_domains, divide};
pub use dissection::{FillingGraph, dissected, filling_order};
pub use error::TopologyError;
pub use fold::fold_chains;
pub use gibbs::{gibbs_king, gibbs_poole_stockmeyer};
pub use graph::JointGraph;
pub use lists::Lists;
pub use loops::Connectivity;
pub use metrics::{Counts, EnvelopeSize, Metrics, WorkMeasure};
pub use minimum_degree::{minimum_degree, minimum_degree_by_rows};
pub use minimum_fill::minimum_fill;
pub use ordering::{Candidate, OrderingMethod};
pub use permutation::Permutation;
pub use plan::{Plan, PlanOptions, SplitPermission, choose};
pub use refine::{RefineOptions, Refined, refine};
pub use sets::Sets;
pub use spanning::{Link, SpanningError, SpanningTree, Wish, check_wishes, grow_from, span};
pub use spanning_work::{Operations, Prediction, Steps};
pub use split::{BodyTree, FixedJoint, Split, VirtualBody};
pub use split_search::{SplitOptions, SplitOutcome, search_split};
pub use symbolic::{EliminationTree, Symbolic};
pub use waiting_degree::{SeenEdge, staged_minimum_degree, waiting_minimum_degree};
