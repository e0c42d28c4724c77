//! Meshes and matrices from texts and bytes of other programs.
//!
//! | function | reads |
//! |---|---|
//! | [`gmsh`] | `.msh` of Gmsh, ASCII, versions 4.1 and 2.2; physical groups become sets |
//! | [`abaqus`] | `.inp` of Abaqus and CalculiX: nodes, elements, sets, isotropic materials, solid sections |
//! | [`matrix_market`], [`matrix_market_table`] | `.mtx`: symmetric matrices, tables |
//! | [`npz_matrix`], [`npz_arrays`] | `.npz`: matrices of SciPy, arrays of NumPy |

mod abaqus;
mod fault;
mod gmsh;
mod lines;
mod market;
mod npy;
mod npz;

pub use abaqus::abaqus;
pub use fault::{Fault, ReadError};
pub use gmsh::gmsh;
pub use market::{matrix_market, matrix_market_table};
pub use npy::NpyArray;
pub use npz::{npz_arrays, npz_matrix};
