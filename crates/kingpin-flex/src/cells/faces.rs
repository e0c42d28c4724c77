//! Areas that nodes carry of edges of sheets and faces of solids.

use crate::FlexError;
use crate::element::section_of;
use crate::mesh::{Element, Mesh, Shape};
use nalgebra::Vector3;
use std::collections::HashMap;

/// Edges of membranes and faces of solids, with the nodes on their edges behind the corners.
fn sides(shape: Shape) -> &'static [&'static [usize]] {
    match shape {
        Shape::Bar => &[],
        Shape::Membrane => &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
        Shape::Hexahedron | Shape::BendingHexahedron => {
            &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
        }
        Shape::Tetrahedron => {
            &[&[0, 2, 1, 6, 5, 4], &[0, 1, 3, 4, 8, 7], &[1, 2, 3, 5, 9, 8], &[0, 3, 2, 7, 9, 6]]
        }
    }
}

/// The area that each node of a mesh carries of the sides whose nodes are all in a set and that one element alone has:
/// integrals of the shape functions there, over the thickness of membranes. O(elements)
///
/// # Errors
/// An element without a section, by its number.
pub fn areas(mesh: &Mesh, set: &[usize]) -> Result<Vec<f64>, FlexError> {
    let mut inside = vec![false; mesh.nodes.len()];
    set.iter().for_each(|&node| inside[node] = true);
    let mut found: HashMap<Vec<usize>, (usize, &Element, Vec<usize>)> = HashMap::new();
    for element in &mesh.elements {
        for side in sides(element.shape) {
            let nodes: Vec<usize> = side.iter().map(|&k| element.nodes[k]).collect();
            if nodes.iter().all(|&node| inside[node]) {
                let mut key = nodes.clone();
                key.sort_unstable();
                found.entry(key).or_insert((0, element, nodes)).0 += 1;
            }
        }
    }
    let mut outer: Vec<_> = found.into_values().filter(|(count, ..)| *count == 1).collect();
    outer.sort_by(|a, b| a.2.cmp(&b.2));
    let mut areas = vec![0.0; mesh.nodes.len()];
    for (_, element, nodes) in outer {
        let place = |k: usize| mesh.nodes[nodes[k]].place;
        let each = match nodes.len() {
            2 => [0.5 * (place(1) - place(0)).norm() * section_of(mesh, element)?.extent; 2].to_vec(),
            4 => quadrilateral([0, 1, 2, 3].map(place)).to_vec(),
            _ => triangle([0, 1, 2, 3, 4, 5].map(place)).to_vec(),
        };
        nodes.iter().zip(each).for_each(|(&node, area)| areas[node] += area);
    }
    Ok(areas)
}

/// Integrals of the bilinear functions of four corners, at two places in each direction.
fn quadrilateral(x: [Vector3<f64>; 4]) -> [f64; 4] {
    const CORNERS: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let mut each = [0.0; 4];
    for at in CORNERS.map(|corner| corner.map(|c| c / 3.0_f64.sqrt())) {
        let half = |k: usize, axis: usize| 0.5 * (1.0 + CORNERS[k][axis] * at[axis]);
        let along = |axis: usize| -> Vector3<f64> {
            (0..4).map(|k| x[k] * (0.5 * CORNERS[k][axis] * half(k, 1 - axis))).sum()
        };
        let area = along(0).cross(&along(1)).norm();
        (0..4).for_each(|k| each[k] += area * half(k, 0) * half(k, 1));
    }
    each
}

/// Integrals of the quadratic functions of three corners and the nodes between them, at the middles of the edges: the
/// functions of corners vanish there.
fn triangle(x: [Vector3<f64>; 6]) -> [f64; 6] {
    let mut each = [0.0; 6];
    // slopes of the functions at the middle between corners a and b, along the edges from the third, c
    for (middle, [a, b, c]) in [[0, 1, 2], [1, 2, 0], [2, 0, 1]].into_iter().enumerate() {
        let between = |i: usize, j: usize| match (i.min(j), i.max(j)) {
            (0, 1) => x[3],
            (1, 2) => x[4],
            _ => x[5],
        };
        // with coordinates l_a = l_b = 1/2: derivative along l_a against l_c, and along l_b against l_c
        let along = |i: usize, j: usize| x[i] + x[c] + (between(i, j) - between(i, c) - between(j, c)) * 2.0;
        each[3 + middle] = (along(a, b).cross(&along(b, a))).norm() / 6.0;
    }
    each
}
