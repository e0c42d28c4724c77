//! From meshes and matrices to reduced flexible bodies.
//!
//! ```text
//! text of a mesh ── read ──▶ Mesh ── assemble ──▶ Structure ── reduce ──▶ Superelement
//!                          (sections)            (K, M, places)          (K^, M^, Psi, invariants)
//! matrices from outside ── read ──────────────────────▲
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`mesh`] | nodes, elements, named sets, sections |
//! | [`read`] | texts of Gmsh and Abaqus, matrices of Matrix Market and NumPy |
//! | [`cells`] | elements by themselves, for large deformation elsewhere |
//! | [`element`] | stiffness, mass and stress of an element |
//! | [`structure`] | sparse matrices of all elements; displacements under loads, stress at nodes |
//! | [`modes`] | lowest modes by block Lanczos, none left out |
//! | [`reduce`] | interfaces, bases, Craig-Bampton, inertia invariants, foreshortening; results as bytes |
//!
//! Small displacements, isotropic material, SI units or any consistent ones. Plain data in and out: no files, no
//! printing, no threads, and the same input gives the same bits. A failure is a value that names nodes, elements and
//! sets as the mesh numbers them.
//!
//! ```
//! use kingpin_flex::mesh::{Material, Section, box_mesh};
//! use kingpin_flex::reduce::{Basis, Choice, Interface, Recipe, reduce};
//! use kingpin_flex::structure::Structure;
//!
//! let mut mesh = box_mesh([6, 1, 1], [0.6, 0.1, 0.1], [0.0, -0.05, -0.05]);
//! mesh.give_section(Section::solid(Material::new("aluminium", 73e9, 0.3, 2700.0)));
//! let structure = Structure::assemble(&mesh)?;
//! let interfaces = [Interface::rigid("left", "x0"), Interface::rigid("right", "x1")];
//! let recipe = Recipe { interfaces: &interfaces, basis: Basis::CraigBampton(Choice::Count(4)), keep: None };
//! let body = reduce(&mesh, &structure, &recipe)?;
//! assert_eq!(body.stiffness.nrows(), 2 * 6 + 4);
//! assert!((body.invariants.mass - 2700.0 * 0.006).abs() < 1e-9);
//! # Ok::<(), kingpin_flex::FlexError>(())
//! ```

pub mod cells;
pub mod element;
mod error;
pub mod mesh;
pub mod modes;
pub mod read;
pub mod reduce;
pub mod structure;
mod words;

pub use error::FlexError;
