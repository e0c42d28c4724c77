//! The surface of a mesh, as triangles.

use super::{Mesh, Shape};
use std::collections::HashMap;

/// Faces of an element, around each, seen from outside; those of membranes from both sides.
fn faces(shape: Shape) -> &'static [&'static [usize]] {
    match shape {
        Shape::Bar => &[],
        Shape::Membrane => &[&[0, 1, 2, 3], &[3, 2, 1, 0]],
        Shape::Hexahedron | Shape::BendingHexahedron => {
            &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
        }
        Shape::Tetrahedron => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[0, 3, 2]],
    }
}

impl Mesh {
    /// Triangles over the corners of elements, counter-clockwise from outside: those of faces that one element alone has,
    /// and of membranes from both sides. Bars have none. O(elements)
    pub fn surface(&self) -> Vec<[usize; 3]> {
        let mut counts: HashMap<Vec<usize>, usize> = HashMap::new();
        let all = || {
            self.elements.iter().flat_map(|element| {
                let corners = |face: &&'static [usize]| face.iter().map(|&k| element.nodes[k]).collect();
                faces(element.shape).iter().map(move |face| (element.shape, corners(face)))
            })
        };
        let key = |face: &Vec<usize>| {
            let mut sorted = face.clone();
            sorted.sort_unstable();
            sorted
        };
        for (_, face) in all() {
            *counts.entry(key(&face)).or_default() += 1;
        }
        let outer =
            all().filter(|(shape, face)| *shape == Shape::Membrane || counts.get(&key(face)) == Some(&1));
        let fan = |(_, face): (Shape, Vec<usize>)| -> Vec<[usize; 3]> {
            face.windows(2).skip(1).map(|two| [face[0], two[0], two[1]]).collect()
        };
        outer.flat_map(fan).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::{Mesh, box_mesh};
    use nalgebra::Vector3;

    /// The volume inside of a surface, by what its triangles make with the origin.
    fn inside(mesh: &Mesh) -> f64 {
        let place = |node: usize| mesh.nodes[node].place;
        let volume = |[a, b, c]: &[usize; 3]| place(*a).dot(&place(*b).cross(&place(*c))) / 6.0;
        mesh.surface().iter().map(volume).sum()
    }

    #[test]
    fn triangles_of_a_box_look_outward() {
        let mesh = box_mesh([3, 2, 2], [0.3, 0.2, 0.1], [1.0, -2.0, 0.5]);
        let triangles = mesh.surface();
        assert_eq!(triangles.len(), 2 * 2 * (3 * 2 + 3 * 2 + 2 * 2));
        assert!((inside(&mesh) - 0.006).abs() < 1e-12);
        // no triangle is inside
        let middle = Vector3::new(1.1, -1.9, 0.55);
        let is_middle = |&node: &usize| (mesh.nodes[node].place - middle).norm() < 1e-9;
        assert!(mesh.nodes.iter().any(|node| (node.place - middle).norm() < 1e-9));
        assert!(!triangles.iter().flatten().any(is_middle));
    }
}
