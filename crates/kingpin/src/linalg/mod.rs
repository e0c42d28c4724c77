//! Linear algebra for the equations of motion: no mechanics.
//!
//! | type | matrix | storage |
//! |---|---|---|
//! | [`BlockCholesky`] | symmetric positive (semi)definite, sparse by blocks | blocks of the factor |
//! | [`IncompleteCholesky`] | the same, as a preconditioner | blocks of the matrix |
//! | [`BlockLu`] | square, pattern symmetric by blocks | blocks of the factors |
//! | [`Envelope`] | symmetric positive definite | row profile by blocks |
//! | [`Band`] | symmetric positive definite | band |
//! | [`DenseCholesky`] | symmetric positive definite | lower triangle by block rows |
//! | [`BunchKaufman`] | symmetric | lower triangle, column-major |
//! | [`DenseLu`] | square | column-major |
//! | [`ComplexLu`] | square, complex | by columns, real and imaginary parts apart |
//! | [`StaticLu`] | square, sparse, pivots given | factors by rows |
//! | [`RankRevealingQr`] | any | column-major |
//!
//! Every solver separates what depends on the pattern (`analyse`, once, allocates) from what depends on the
//! numbers (`factor`, `solve`: no allocation, storage owned by the caller). A symmetric matrix is assembled
//! into a zeroed value array at the places `locate` names: each off-diagonal block once, from whichever
//! triangle, and the lower triangles of the diagonal blocks.

mod band;
mod block_cholesky;
mod block_lu;
mod branched_cholesky;
mod branches;
mod bunch_kaufman;
mod complex_lu;
mod dense_cholesky;
mod dense_lu;
mod domain_tree;
mod entry;
mod envelope;
mod factor;
mod incomplete_cholesky;
mod kernel;
mod kernel_any;
pub(crate) mod lanes;
mod null_vector;
mod pattern;
mod pivoting;
mod rank_revealing_qr;
mod row_cholesky;
mod schedule;
mod static_lu;
mod subdivision;
mod substitution;
mod substitution_many;
mod symbolic;
#[cfg(test)]
mod tests;

pub use band::Band;
pub use block_cholesky::BlockCholesky;
pub use block_lu::{BlockCoupling, BlockLu, BlockPlace, SingularBlock};
pub(crate) use block_lu::{BlockFactor, ComplexNumber, PivotScalar};
pub(crate) use branched_cholesky::BranchedCholesky;
pub(crate) use branches::{Branches, NO_PARENT};
pub use bunch_kaufman::BunchKaufman;
pub use complex_lu::ComplexLu;
pub use dense_cholesky::DenseCholesky;
pub use dense_lu::{DenseLu, SingularColumn};
pub use domain_tree::DomainTree;
pub use entry::{Entry, ZeroPivot};
pub use envelope::Envelope;
pub use incomplete_cholesky::IncompleteCholesky;
pub use lanes::Arithmetic;
pub use pattern::BlockPattern;
pub use rank_revealing_qr::RankRevealingQr;
pub use static_lu::{FourWide, StaticLu};
pub use subdivision::{InterfaceCounts, InterfaceTally, InterfaceWay, NodeSite, Subdivision};
