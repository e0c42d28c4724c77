//! Strain and stress of an element at its nodes.

use super::{Law, condensed, full_stiffness, sample, samples, section_of};
use crate::FlexError;
use crate::element::shape::node_places;
use crate::mesh::{Element, Mesh, Shape};
use nalgebra::{DVector, Matrix3, Vector3};

/// A symmetric tensor in the axes of the mesh.
pub type Tensor = Matrix3<f64>;

/// Strain at each node from the displacements of the nodes; that across a membrane or a bar is left out.
/// O(nodes^2), for hexahedra that bend once their stiffness
pub fn strains(
    mesh: &Mesh,
    element: &Element,
    displacements: &[Vector3<f64>],
) -> Result<Vec<Tensor>, FlexError> {
    let given = displacements.len();
    if given != element.shape.nodes() {
        let expected = element.shape.nodes();
        return Err(FlexError::WrongSize { what: "displacements of an element", expected, given });
    }
    let section = section_of(mesh, element)?;
    let mut moves = displacements.to_vec();
    if element.shape == Shape::BendingHexahedron {
        let law = Law::of(element.shape, &section.material);
        let (_, follow) = condensed(full_stiffness(&samples(mesh, element)?, law), 3 * given);
        let outer = DVector::from_iterator(3 * given, displacements.iter().flat_map(|u| [u.x, u.y, u.z]));
        let inner = follow * outer;
        moves.extend((0..3).map(|k| Vector3::new(inner[3 * k], inner[3 * k + 1], inner[3 * k + 2])));
    }
    let at_node = |at: &Vector3<f64>| {
        let sample = sample(mesh, element, section.extent, at, 1.0)?;
        let slope: Matrix3<f64> =
            moves.iter().zip(&sample.gradients).map(|(u, gradient)| u * gradient.transpose()).sum();
        let slope = sample.tangent * slope * sample.tangent;
        Ok(0.5 * (slope + slope.transpose()))
    };
    node_places(element.shape).iter().map(at_node).collect()
}

/// Stress at each node from the displacements of the nodes.
pub fn stresses(
    mesh: &Mesh,
    element: &Element,
    displacements: &[Vector3<f64>],
) -> Result<Vec<Tensor>, FlexError> {
    let section = section_of(mesh, element)?;
    let law = Law::of(element.shape, &section.material);
    let strains = strains(mesh, element, displacements)?;
    let stress = |(strain, at): (&Tensor, &Vector3<f64>)| {
        let tangent = sample(mesh, element, section.extent, at, 1.0)?.tangent;
        Ok(tangent * (law.lambda * strain.trace()) + strain * (2.0 * law.mu))
    };
    strains.iter().zip(&node_places(element.shape)).map(stress).collect()
}

/// The stress of a pull that does as much work of distortion.
pub fn von_mises(stress: &Tensor) -> f64 {
    let deviator = stress - Matrix3::identity() * (stress.trace() / 3.0);
    (1.5 * deviator.norm_squared()).sqrt()
}
