//! Meshes of boxes, for checks and first steps.

use super::{Element, Mesh, Node, Shape};
use nalgebra::Vector3;

/// A box of `counts` hexahedra along x, y and z with these sides and this corner; a sheet of membranes where the last
/// count is 0. Sets of nodes `x0`, `x1`, `y0`, … are its faces, the set of elements `all` has all.
pub fn box_mesh(counts: [usize; 3], sides: [f64; 3], corner: [f64; 3]) -> Mesh {
    let [nx, ny, nz] = counts;
    let number = |i: usize, j: usize, k: usize| (i * (ny + 1) + j) * (nz + 1) + k;
    let mut mesh = Mesh::default();
    let along = |axis: usize, k: usize| match counts[axis] {
        0 => corner[axis],
        count => corner[axis] + sides[axis] * k as f64 / count as f64,
    };
    for index in 0..(nx + 1) * (ny + 1) * (nz + 1) {
        let places = [index / (nz + 1) / (ny + 1), index / (nz + 1) % (ny + 1), index % (nz + 1)];
        let place = Vector3::from_fn(|axis, _| along(axis, places[axis]));
        mesh.nodes.push(Node { number: index as u64 + 1, place });
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate().filter(|(axis, _)| counts[*axis] > 0) {
            for (end, value) in [0, counts[axis]].into_iter().enumerate() {
                if places[axis] == value {
                    mesh.node_sets.entry(format!("{name}{end}")).or_default().push(index);
                }
            }
        }
    }
    let around = [(0, 0), (1, 0), (1, 1), (0, 1)];
    for index in 0..nx * ny * nz.max(1) {
        let (i, j, k) = (index / nz.max(1) / ny, index / nz.max(1) % ny, index % nz.max(1));
        let layer = |k: usize| around.map(|(a, b)| number(i + a, j + b, k));
        let (shape, nodes) = match nz {
            0 => (Shape::Membrane, layer(0).to_vec()),
            _ => (Shape::Hexahedron, [layer(k), layer(k + 1)].concat()),
        };
        mesh.elements.push(Element { number: index as u64 + 1, shape, nodes, section: None });
    }
    mesh.element_sets.insert("all".into(), (0..mesh.elements.len()).collect());
    mesh
}
