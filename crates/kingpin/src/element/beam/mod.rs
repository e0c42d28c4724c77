//! Elements of geometrically exact beams [Simo 1985; Simo and Vu-Quoc 1986] of any order.
//!
//! Nodes are frames of rigid bodies that carry the mass. Between them, places and rotation coordinates are polynomials of
//! order p through the nodes, and strains are taken at p places of Gauss: the displacements of the ends have the order
//! 2 p. Since strains are functions of x = (r', q, q'), and x is linear in what the nodes have, forces and their
//! derivatives need the derivatives of strains in x alone. Whatever bends far stays exact, and whoever moves rigidly is
//! not strained. Neighbours along an element differ by less than half a turn: signs of Euler parameters, and whole turns
//! of angles, are made to agree whenever they are looked at.

mod at_rest;
mod definition;
mod inner;
mod rule;
mod slopes;
mod strain;

pub use inner::{BeamElement, BeamNode};
pub use rule::{BeamRule, legendre, shape};
pub use slopes::BeamSlopes;
pub use strain::{Local, Six, strain};
