//! An element at one of its places: volume and gradients.

use super::shape::{Functions, functions};
use crate::FlexError;
use crate::mesh::{Element, Mesh, Shape};
use nalgebra::{Matrix3, Vector3};

/// A volume of less than this part of a cube of its edges is none.
const FLAT: f64 = 1e-9;

/// A place of an element with the volume that it stands for, values of the shape functions, and gradients in space,
/// those of modes inside the element behind those of its nodes.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub volume: f64,
    pub place: Vector3<f64>,
    pub values: Vec<f64>,
    pub gradients: Vec<Vector3<f64>>,
    /// projects on the directions in which the element has stress
    pub tangent: Matrix3<f64>,
}

/// How places of an element move with its coordinates, and how these change with places.
struct Chart {
    /// ratio of volume, area or length
    ratio: f64,
    back: Matrix3<f64>,
    tangent: Matrix3<f64>,
}

fn place(mesh: &Mesh, element: &Element, functions: &Functions) -> Vector3<f64> {
    element.nodes.iter().zip(&functions.values).map(|(&node, value)| mesh.nodes[node].place * *value).sum()
}

/// O(nodes)
fn chart(mesh: &Mesh, element: &Element, functions: &Functions) -> Result<Chart, FlexError> {
    // columns: how places move with each coordinate
    let mut j = Matrix3::zeros();
    for (&node, slope) in element.nodes.iter().zip(&functions.slopes) {
        j += mesh.nodes[node].place * slope.transpose();
    }
    let (x, y) = (j.column(0).into_owned(), j.column(1).into_owned());
    let (degenerate, inverted) =
        (FlexError::Degenerate { element: element.number }, FlexError::Inverted { element: element.number });
    let longest = (0..3).map(|k| j.column(k).norm()).fold(0.0, f64::max);
    match element.shape {
        Shape::Bar => {
            let squared = x.norm_squared();
            if squared <= 0.0 {
                return Err(degenerate);
            }
            let line = x * x.transpose() / squared;
            let back = Matrix3::from_columns(&[x / squared, Vector3::zeros(), Vector3::zeros()]);
            Ok(Chart { ratio: squared.sqrt(), back, tangent: line })
        }
        Shape::Membrane => {
            let normal = x.cross(&y);
            let area = normal.norm();
            if area <= FLAT * longest * longest {
                return Err(degenerate);
            }
            // against the normal of its diagonals: a corner that is bent inwards, or edges that cross
            let diagonal =
                |a: usize, b: usize| mesh.nodes[element.nodes[b]].place - mesh.nodes[element.nodes[a]].place;
            if normal.dot(&diagonal(0, 2).cross(&diagonal(1, 3))) <= 0.0 {
                return Err(inverted);
            }
            let normal = normal / area;
            // dual vectors in the plane
            let (a, b) = (y.cross(&normal) / area, normal.cross(&x) / area);
            let tangent = Matrix3::identity() - normal * normal.transpose();
            Ok(Chart { ratio: area, back: Matrix3::from_columns(&[a, b, Vector3::zeros()]), tangent })
        }
        _ => {
            let ratio = j.determinant();
            if ratio.abs() <= FLAT * longest.powi(3) {
                return Err(degenerate);
            }
            let back = j.try_inverse().filter(|_| ratio > 0.0).ok_or(inverted)?.transpose();
            Ok(Chart { ratio, back, tangent: Matrix3::identity() })
        }
    }
}

/// The element at a place of its coordinates, with a weight. O(nodes)
pub(super) fn sample(
    mesh: &Mesh,
    element: &Element,
    extent: f64,
    at: &Vector3<f64>,
    weight: f64,
) -> Result<Sample, FlexError> {
    let functions = functions(element.shape, at);
    let chart = chart(mesh, element, &functions)?;
    let place = place(mesh, element, &functions);
    let mut gradients: Vec<Vector3<f64>> = functions.slopes.iter().map(|slope| chart.back * slope).collect();
    if element.shape == Shape::BendingHexahedron {
        gradients.extend(bends(mesh, element, at, chart.ratio)?);
    }
    let extent = if matches!(element.shape, Shape::Bar | Shape::Membrane) { extent } else { 1.0 };
    let Chart { ratio, tangent, .. } = chart;
    Ok(Sample { volume: ratio * weight * extent, place, values: functions.values, gradients, tangent })
}

/// Gradients of 1 - xi^2 in each direction, with the directions of the centre, so that they do no work in states of
/// constant stress [Taylor, Beresford and Wilson 1976].
fn bends(
    mesh: &Mesh,
    element: &Element,
    at: &Vector3<f64>,
    ratio: f64,
) -> Result<[Vector3<f64>; 3], FlexError> {
    let centre = chart(mesh, element, &functions(element.shape, &Vector3::zeros()))?;
    let gradient = |axis: usize| centre.back.column(axis) * (-2.0 * at[axis] * centre.ratio / ratio);
    Ok([0, 1, 2].map(gradient))
}
