//! Sparse factorisations of the augmented matrix `[M Phi^T; Phi 0]` as a whole: symmetric, indefinite, very
//! sparse. They are what elimination by bodies and joints is measured against.
//!
//! | type | matrix | pivots | fails on a regular matrix |
//! |---|---|---|---|
//! | [`SparseLu`] | square | threshold partial pivoting, diagonal preferred | where it is singular to rounding |
//! | [`SparseLdlt`] | symmetric, upper triangle | none: the order decides | where a leading block is singular |
//!
//! Matrices of meshes, whose factors fill in, have [`FrontalLdlt`], dense inside and for many right sides.
//!
//! The vocabulary is that of SuiteSparse: `analyse` reads the pattern (once, allocates), `factor` the numbers,
//! `refactor` new numbers with the pivots of the last `factor`, `solve` a right side in place. Patterns are
//! given by columns: column `j` holds the rows `rows[columns[j]..columns[j + 1]]`, strictly increasing.
//! Everything is sequential, and the same calls give the same bits.
//!
//! The orders are found by approximate minimum degree and nested dissection of its own. The numeric loops are its own
//! too: those of faer repeat the search for the pattern at every factorisation, and its LU has no preference for the
//! diagonal. `cargo bench -p kingpin-sparse --features faer` prints what that costs.

mod amd;
mod analysis;
mod dense;
mod error;
mod frontal;
mod gilbert_peierls;
mod lanes;
mod ldlt;
mod lu;
mod pattern;
mod postpone;
mod triangle;

pub use dense::{DenseLdlt, symmetric_times};
pub use error::SparseError;
pub use frontal::FrontalLdlt;
pub use ldlt::SparseLdlt;
pub use lu::{Pivots, SparseLu};

/// A sum no larger than this part of its terms counts as zero: less than three of its digits are correct. Entries
/// that cancel exactly are left with about one rounding error per term, here and in what is computed from them.
const ROUNDING: f64 = 1e-13;
