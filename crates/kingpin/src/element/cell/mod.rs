//! Cells: pieces of sheets and solids between points, of any displacement and rotation.
//!
//! Total Lagrangian with Green's strain [Bonet and Wood 2008, chapters 4 and 9]. At each place of a cell the gradients g_a
//! of its shape functions at rest give
//!
//! ```text
//! F = sum x_a g_a^T,  E = (F^T F - F0^T F0)/2,  S = lambda tr(E) P + 2 mu E,  force on node a: -V F S g_a
//! ```
//!
//! with the volume V that the place stands for and the plane, or space, P that the gradients span. A membrane is a cell
//! whose gradients lie in its plane, with the constants of plane stress; nothing else tells it from a solid. P g_a = g_a, so
//! P itself is never needed. Rigid motions leave F^T F as it is and strain nothing; at rest the derivative of the forces is
//! the stiffness of the linear element. Damping adds the rate of E times a time to E.

mod definition;
mod inner;
mod slopes;

pub(crate) use inner::at_rest;
pub use inner::{CellElement, CellPlace, MOST_NODES};
pub use slopes::CellSlopes;
