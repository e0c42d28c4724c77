//! Accelerations of structures of many substructures with nothing assembled [Kurdila 1990].
//!
//! Substructures have matrices and factors of their own, interfaces tie frames of three nodes, and what is left is the
//! constraint metric `C A^-1 C^T`, nine rows per interface; `A = M` for accelerations and `M + g^2 K` for implicit steps.
//!
//! | method | solves the metric by |
//! |---|---|
//! | `block-jacobi` | conjugate gradients, preconditioned by its blocks on the diagonal; for steps up to c h / L of about one |
//! | `mixed` | the six rigid motions of every interface as unknowns of a coarse problem, conjugate gradients for the rest; for any step |
//! | `direct` | a block factor, block tridiagonal for chains |
//!
//! Matrices of alike substructures are factored once, and all work is done for eight substructures at a time ([`lanes`]).

mod basis;
mod boundary;
mod direct;
mod error;
mod factors;
mod jacobi;
mod kernel;
pub mod lanes;
mod loops;
mod mixed;
mod mixed_parts;
mod pattern;
pub(crate) mod pieces;
mod small;
mod solver;
mod structure;

pub(crate) use boundary::Turn;
pub use error::RangeError;
pub use factors::Matrix;
pub use pattern::Pattern;
pub use solver::{Found, Method, Solver};
pub(crate) use structure::Batch;
pub use structure::{FRAME, Interface, Kind, Part, ROWS, Shape, Structure};
