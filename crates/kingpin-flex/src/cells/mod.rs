//! Elements apart from each other, for those who let them move and deform as far as they like: gradients of shape functions
//! at rest, constants of the stress, lumped masses, and the areas that nodes carry of edges and faces.

mod faces;

pub use faces::areas;

use crate::FlexError;
use crate::element::{lumped_masses, samples, stress_constants};
use crate::mesh::{Mesh, Shape};
use nalgebra::Vector3;

/// An element by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeCell {
    /// Its number in the mesh.
    pub number: u64,
    /// Its nodes, as places in [`FreeCells::nodes`].
    pub nodes: Vec<usize>,
    /// Constants of its stress, 2 mu E + lambda tr E.
    pub lambda: f64,
    /// Shear modulus.
    pub mu: f64,
    /// The volumes that its places stand for.
    pub volumes: Vec<f64>,
    /// Gradients of the shape functions of its nodes, place after place.
    pub gradients: Vec<Vector3<f64>>,
}

/// All elements of a mesh.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FreeCells {
    /// The nodes that belong to elements, as places in the mesh.
    pub nodes: Vec<usize>,
    /// Their masses, lumped in the proportion of the consistent ones [Hinton, Rock and Zienkiewicz 1976].
    pub masses: Vec<f64>,
    /// The elements.
    pub cells: Vec<FreeCell>,
    /// The first element with modes inside, which is taken without them.
    pub without_modes: Option<u64>,
}

/// The elements of a mesh, each by itself. O(elements)
///
/// # Errors
/// An element that is turned inside out, has no extent or no material, by its number.
pub fn free_cells(mesh: &Mesh) -> Result<FreeCells, FlexError> {
    if mesh.elements.is_empty() {
        return Err(FlexError::NoElements);
    }
    mesh.sections.iter().try_for_each(|section| section.check())?;
    mesh.check_elements()?;
    let used = mesh.used_nodes();
    let nodes: Vec<usize> = (0..mesh.nodes.len()).filter(|&node| used[node]).collect();
    let mut place_of = vec![usize::MAX; mesh.nodes.len()];
    nodes.iter().enumerate().for_each(|(place, &node)| place_of[node] = place);
    let mut all = FreeCells { masses: vec![0.0; nodes.len()], nodes, ..FreeCells::default() };
    for element in &mesh.elements {
        let own: Vec<usize> = element.nodes.iter().map(|&node| place_of[node]).collect();
        let (lambda, mu) = stress_constants(mesh, element)?;
        let places = samples(mesh, element)?;
        for (&node, mass) in own.iter().zip(lumped_masses(mesh, element)?) {
            all.masses[node] += mass;
        }
        if element.shape == Shape::BendingHexahedron {
            all.without_modes.get_or_insert(element.number);
        }
        all.cells.push(FreeCell {
            number: element.number,
            lambda,
            mu,
            volumes: places.iter().map(|place| place.volume).collect(),
            // those of modes inside come behind
            gradients: places.iter().flat_map(|place| place.gradients[..own.len()].to_vec()).collect(),
            nodes: own,
        });
    }
    Ok(all)
}
