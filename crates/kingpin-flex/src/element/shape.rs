//! Shape functions and their slopes in the coordinates of the element.

use crate::mesh::Shape;
use nalgebra::Vector3;

/// Values and slopes at one place.
pub(super) struct Functions {
    pub values: Vec<f64>,
    pub slopes: Vec<Vector3<f64>>,
}

/// Corners of a cube from -1 to 1: the bottom around, then the top.
const CORNERS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// Ends of the edges of a tetrahedron that have nodes in their middle.
const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]];

/// The functions of a shape at a place.
pub(super) fn functions(shape: Shape, at: &Vector3<f64>) -> Functions {
    match shape {
        Shape::Bar => corners(at, 2, 1),
        Shape::Membrane => corners(at, 4, 2),
        Shape::Hexahedron | Shape::BendingHexahedron => corners(at, 8, 3),
        Shape::Tetrahedron => tetrahedron(at),
    }
}

/// Places of the nodes in the coordinates of the element.
pub(super) fn node_places(shape: Shape) -> Vec<Vector3<f64>> {
    match shape {
        Shape::Bar => CORNERS[..2].iter().map(|c| Vector3::new(c[0], 0.0, 0.0)).collect(),
        Shape::Membrane => CORNERS[..4].iter().map(|c| Vector3::new(c[0], c[1], 0.0)).collect(),
        Shape::Hexahedron | Shape::BendingHexahedron => CORNERS.iter().map(|&c| c.into()).collect(),
        Shape::Tetrahedron => {
            let corners = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
            let middle = |[a, b]: [usize; 2]| 0.5 * (corners[a] + corners[b]);
            corners.into_iter().chain(EDGES.map(middle)).collect()
        }
    }
}

/// Products of linear functions over the first axes of a cube.
fn corners(at: &Vector3<f64>, count: usize, axes: usize) -> Functions {
    let linear = |corner: &[f64; 3], axis: usize| 0.5 * (1.0 + corner[axis] * at[axis]);
    let product = |corner: &[f64; 3], without: usize| -> f64 {
        (0..axes).filter(|&axis| axis != without).map(|axis| linear(corner, axis)).product()
    };
    let slope = |corner: &[f64; 3], axis: usize| {
        if axis < axes { 0.5 * corner[axis] * product(corner, axis) } else { 0.0 }
    };
    let list = &CORNERS[..count];
    Functions {
        values: list.iter().map(|corner| product(corner, 3)).collect(),
        slopes: list.iter().map(|corner| Vector3::from_fn(|axis, _| slope(corner, axis))).collect(),
    }
}

fn tetrahedron(at: &Vector3<f64>) -> Functions {
    let l = [1.0 - at.x - at.y - at.z, at.x, at.y, at.z];
    let dl = [Vector3::repeat(-1.0), Vector3::x(), Vector3::y(), Vector3::z()];
    let corners = (0..4).map(|k| (l[k] * (2.0 * l[k] - 1.0), (4.0 * l[k] - 1.0) * dl[k]));
    let edges = EDGES.iter().map(|&[a, b]| (4.0 * l[a] * l[b], 4.0 * (l[a] * dl[b] + l[b] * dl[a])));
    let (values, slopes) = corners.chain(edges).unzip();
    Functions { values, slopes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_is_one_at_its_node_and_zero_at_others() {
        for shape in [Shape::Bar, Shape::Membrane, Shape::Hexahedron, Shape::Tetrahedron] {
            let places = node_places(shape);
            assert_eq!(places.len(), shape.nodes());
            for (k, place) in places.iter().enumerate() {
                let found = functions(shape, place);
                for (j, value) in found.values.iter().enumerate() {
                    assert!(
                        (value - f64::from(u8::from(j == k))).abs() < 1e-15,
                        "{shape:?}: {j} at node {k}"
                    );
                }
                assert!(found.slopes.iter().sum::<Vector3<f64>>().norm() < 1e-14);
            }
        }
    }

    #[test]
    fn slopes_are_differences() {
        let (at, h) = (Vector3::new(0.2, 0.31, 0.17), 1e-6);
        for shape in [Shape::Bar, Shape::Membrane, Shape::Hexahedron, Shape::Tetrahedron] {
            let found = functions(shape, &at);
            for axis in 0..3 {
                let step = Vector3::ith(axis, h);
                let (more, less) = (functions(shape, &(at + step)), functions(shape, &(at - step)));
                for k in 0..shape.nodes() {
                    let slope = (more.values[k] - less.values[k]) / (2.0 * h);
                    assert!((slope - found.slopes[k][axis]).abs() < 1e-9, "{shape:?}");
                }
            }
        }
    }
}
