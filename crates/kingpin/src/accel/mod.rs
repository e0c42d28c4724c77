//! The acceleration problem, solved in each way the documents propose, behind one interface.
//!
//! M v' + Phi_v^T lam = Q, Phi_v v' = gamma. All solvers give the same accelerations and multipliers; they
//! differ in cost. [`Accelerator`] holds one of them for a system.

mod accelerator;
mod assembler;
mod augmented;
mod augmented_sparse;
mod choice;
mod condition;
mod coupled;
mod elimination;
mod elimination_pieces;
mod folding;
mod found;
mod least_norm;
mod method;
mod ordered;
mod pcg;
mod problem;
mod problem_pieces;
mod products;
mod reaction;
mod reading_slopes;
mod recursive;
mod reduced;

pub use accelerator::{AccelFailure, Accelerations, Accelerator, NoSolution, Solve};
pub use assembler::{Assembler, RightSide, Weights};
pub use choice::{Amounts, Choice, Forecast, choose_method, joint_multiplications};
pub use condition::condition;
pub use coupled::Coupled;
pub use elimination::{Elimination, plan};
pub use found::MANY_JOINTS;
pub use method::Solver;
pub use pcg::{Iterations, Pcg};
pub use problem::{Gathered, Numbers, Problem};
pub use reaction::Reaction;
pub use recursive::JointEquations;
