//! Stiffness, mass and stress of single elements: small displacements, isotropic material.
//!
//! An element is a sum over places; at each, the gradients `g` of its shape functions give the block
//! `lambda g_a g_b^T + mu (g_b g_a^T + g_a.g_b P)` between two nodes, where `P` projects on the directions in which it
//! has stress: all of a solid, the plane of a membrane, the line of a bar.

mod rule;
mod sample;
mod shape;
mod stress;

pub(crate) use sample::Sample;
pub use stress::{Tensor, strains, stresses, von_mises};

use crate::FlexError;
use crate::mesh::{Element, Material, Mesh, Section, Shape};
use nalgebra::{DMatrix, Matrix3};
use sample::sample;

/// How mass is spread over nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassKind {
    /// As the shape functions have it.
    #[default]
    Consistent,
    /// On the diagonal alone, in the proportion of the consistent one [Hinton, Rock and Zienkiewicz 1976].
    Lumped,
}

/// Matrices of an element: stiffness with three coordinates for each node, mass with one.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementMatrices {
    /// Three rows for each node: x, y, z.
    pub stiffness: DMatrix<f64>,
    /// One row for each node; the same in all directions.
    pub mass: DMatrix<f64>,
}

/// Constants of the stress in an element.
#[derive(Clone, Copy, Debug)]
struct Law {
    lambda: f64,
    mu: f64,
}

impl Law {
    fn of(shape: Shape, material: &Material) -> Law {
        let Material { young, poisson: nu, .. } = *material;
        let mu = 0.5 * young / (1.0 + nu);
        match shape {
            Shape::Bar => Law { lambda: young, mu: 0.0 },
            Shape::Membrane => Law { lambda: young * nu / (1.0 - nu * nu), mu },
            _ => Law { lambda: young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu },
        }
    }
}

/// The section of an element.
pub(crate) fn section_of<'a>(mesh: &'a Mesh, element: &Element) -> Result<&'a Section, FlexError> {
    element.section.and_then(|k| mesh.sections.get(k)).ok_or(FlexError::NoSection { element: element.number })
}

/// The places that the stiffness of an element is summed over.
pub(crate) fn samples(mesh: &Mesh, element: &Element) -> Result<Vec<Sample>, FlexError> {
    let section = section_of(mesh, element)?;
    let rule = rule::stiffness_rule(element.shape);
    rule.iter().map(|(at, weight)| sample(mesh, element, section.extent, at, *weight)).collect()
}

/// Constants lambda and mu of the stress in an element: those of plane stress in a membrane.
pub(crate) fn stress_constants(mesh: &Mesh, element: &Element) -> Result<(f64, f64), FlexError> {
    let law = Law::of(element.shape, &section_of(mesh, element)?.material);
    Ok((law.lambda, law.mu))
}

/// Masses of the nodes of an element, lumped.
pub(crate) fn lumped_masses(mesh: &Mesh, element: &Element) -> Result<Vec<f64>, FlexError> {
    Ok(mass_matrix(mesh, element, MassKind::Lumped)?.diagonal().as_slice().to_vec())
}

/// Matrices of an element of a mesh. O(nodes^2) for each of its places
///
/// # Errors
/// An element that is turned inside out, has no extent or no material, by its number.
pub fn matrices(mesh: &Mesh, element: &Element, mass: MassKind) -> Result<ElementMatrices, FlexError> {
    let section = section_of(mesh, element)?;
    let full = full_stiffness(&samples(mesh, element)?, Law::of(element.shape, &section.material));
    let count = element.shape.nodes();
    let stiffness = if full.nrows() > 3 * count { condensed(full, 3 * count).0 } else { full };
    Ok(ElementMatrices { stiffness, mass: mass_matrix(mesh, element, mass)? })
}

/// Mass of an element, one row for each node. O(nodes^2) for each of its places
fn mass_matrix(mesh: &Mesh, element: &Element, mass: MassKind) -> Result<DMatrix<f64>, FlexError> {
    let (section, count) = (section_of(mesh, element)?, element.shape.nodes());
    let mut own = DMatrix::zeros(count, count);
    for (at, weight) in rule::mass_rule(element.shape) {
        let sample = sample(mesh, element, section.extent, at, *weight)?;
        let mass = sample.volume * section.material.density;
        for (a, x) in sample.values.iter().enumerate() {
            for (b, y) in sample.values.iter().enumerate() {
                own[(a, b)] += mass * x * y;
            }
        }
    }
    if mass == MassKind::Lumped {
        let share = own.sum() / own.diagonal().sum();
        own = DMatrix::from_diagonal(&(own.diagonal() * share));
    }
    Ok(own)
}

/// Stiffness of nodes and of modes inside.
fn full_stiffness(samples: &[Sample], law: Law) -> DMatrix<f64> {
    let count = samples.first().map_or(0, |sample| sample.gradients.len());
    let mut full = DMatrix::zeros(3 * count, 3 * count);
    for Sample { volume, gradients, tangent, .. } in samples {
        for (b, gb) in gradients.iter().enumerate() {
            for (a, ga) in gradients[..=b].iter().enumerate() {
                let block: Matrix3<f64> = (ga * gb.transpose() * law.lambda
                    + (gb * ga.transpose() + tangent * ga.dot(gb)) * law.mu)
                    * *volume;
                let mut own = full.fixed_view_mut::<3, 3>(3 * a, 3 * b);
                own += block;
            }
        }
    }
    full.fill_lower_triangle_with_upper_triangle();
    full
}

/// Stiffness with the coordinates from `kept` on eliminated, and how these follow from the others.
fn condensed(full: DMatrix<f64>, kept: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let inside = full.nrows() - kept;
    let coupling = full.view((kept, 0), (inside, kept)).into_owned();
    let own = full.view((kept, kept), (inside, inside)).into_owned();
    // definite, as the element has a volume
    let follow = own.cholesky().map_or_else(|| DMatrix::zeros(inside, kept), |own| -own.solve(&coupling));
    let mut outer = full.view((0, 0), (kept, kept)) + coupling.transpose() * &follow;
    outer.fill_lower_triangle_with_upper_triangle();
    (outer, follow)
}
