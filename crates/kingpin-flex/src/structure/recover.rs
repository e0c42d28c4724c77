//! Stress at the nodes of a mesh.

use crate::FlexError;
use crate::element::{Tensor, stresses};
use crate::mesh::Mesh;
use nalgebra::Vector3;

/// Stress at each node of a mesh from the displacements of all of them: the mean of its elements; zero at nodes without
/// any. O(elements)
pub fn nodal_stresses(mesh: &Mesh, displacements: &[Vector3<f64>]) -> Result<Vec<Tensor>, FlexError> {
    let (expected, given) = (mesh.nodes.len(), displacements.len());
    if expected != given {
        return Err(FlexError::WrongSize { what: "displacements of nodes", expected, given });
    }
    let (mut sums, mut counts) = (vec![Tensor::zeros(); expected], vec![0; expected]);
    for element in &mesh.elements {
        let own: Vec<Vector3<f64>> = element.nodes.iter().map(|&node| displacements[node]).collect();
        for (&node, stress) in element.nodes.iter().zip(stresses(mesh, element, &own)?) {
            sums[node] += stress;
            counts[node] += 1;
        }
    }
    Ok(sums.into_iter().zip(counts).map(|(sum, count)| sum / f64::from(count.max(1))).collect())
}
