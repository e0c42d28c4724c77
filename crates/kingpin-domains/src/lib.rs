//! Structures cut into sub-domains, and solvers that pass messages.
//!
//! ```text
//! Grid, or mesh ── partition, cut ──▶ Pieces ── eliminate insides ──▶ Domains ── method ──▶ displacements
//!                                    (of a rank)                     (Schur complements, interfaces)
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`cut`] | any mesh cut into sub-domains |
//! | [`grid`] | sheets and boxes of equal sub-domains |
//! | [`partition`] | which sub-domain each element belongs to |
//! | [`piece`] | a sub-domain as it was cut |
//! | [`communicate`] | ranks that hold sub-domains and exchange numbers |
//! | [`interface`] | copies of freedoms, classes of nodes, sums over owners |
//! | [`local`] | what a sub-domain does by itself |
//! | [`solver`] | the methods, one interface |
//! | [`range`] | accelerations and implicit steps of chains and rings of substructures, with nothing assembled |
//! | [`truss`] | substructures of pin-jointed bars: masts and rings; their motion |
//!
//! Plain types in and out: no files, no printing, no clock. Sums are in the order of sub-domains, so the same input gives
//! the same bits for any number of ranks, and of threads where callers give it some.
//!
//! ```
//! use kingpin_domains::communicate::Alone;
//! use kingpin_domains::grid::Grid;
//! use kingpin_domains::solver::{Method, Options, StructureSolver};
//!
//! let grid = Grid::new(2, 4, 4);
//! let (pieces, loads) = grid.pieces(0..grid.domains())?;
//! let mut solver = StructureSolver::new(&pieces, &Alone, &Options::with(Method::Bddc))?;
//! let mut displacements: Vec<Vec<f64>> = loads.iter().map(|load| vec![0.0; load.len()]).collect();
//! let outcome = solver.solve(&loads, &mut displacements)?;
//! assert!(outcome.iterations <= 8);
//! # Ok::<(), kingpin_domains::DomainError>(())
//! ```

mod coarse;
pub mod communicate;
mod conjugate;
pub mod cut;
mod domains;
mod error;
pub mod grid;
pub mod interface;
pub mod local;
pub mod partition;
pub mod piece;
pub mod range;
pub mod solver;
mod team;
pub mod truss;

pub use conjugate::{Outcome, Tolerance};
pub use domains::{Domains, Sharing};
pub use error::DomainError;
