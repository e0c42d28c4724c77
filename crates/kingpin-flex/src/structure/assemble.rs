//! Matrices of all elements.

use super::{Structure, SymmetricMatrix};
use crate::FlexError;
use crate::element::{MassKind, matrices};
use crate::mesh::{Mesh, Space};

impl Structure {
    /// Stiffness and consistent mass of a mesh. O(elements) and the entries of both matrices
    pub fn assemble(mesh: &Mesh) -> Result<Structure, FlexError> {
        Structure::assemble_with(mesh, MassKind::Consistent)
    }

    /// The same with mass spread in this way.
    pub fn assemble_with(mesh: &Mesh, mass: MassKind) -> Result<Structure, FlexError> {
        if mesh.elements.is_empty() {
            return Err(FlexError::NoElements);
        }
        mesh.sections.iter().try_for_each(|section| section.check())?;
        mesh.check_elements()?;
        let used = mesh.used_nodes();
        let mut place_of = vec![usize::MAX; mesh.nodes.len()];
        let kept: Vec<usize> = (0..mesh.nodes.len()).filter(|&node| used[node]).collect();
        kept.iter().enumerate().for_each(|(place, &node)| place_of[node] = place);
        let own: Vec<Vec<usize>> =
            mesh.elements.iter().map(|e| e.nodes.iter().map(|&node| place_of[node]).collect()).collect();
        let space = mesh.space();
        let mut blocks = Blocks::new(kept.len(), &own, space);
        for (element, nodes) in mesh.elements.iter().zip(&own) {
            blocks.add(nodes, &matrices(mesh, element, mass)?);
        }
        Ok(Structure {
            space,
            stiffness: blocks.stiffness,
            mass: blocks.mass,
            numbers: kept.iter().map(|&node| mesh.nodes[node].number).collect(),
            places: kept.iter().map(|&node| mesh.nodes[node].place).collect(),
            pieces: None,
        })
    }
}

/// Matrices of blocks of nodes that share elements.
struct Blocks {
    axes: usize,
    /// nodes not after each that share an element with it, increasing, itself last
    near: Vec<Vec<usize>>,
    stiffness: SymmetricMatrix,
    mass: SymmetricMatrix,
}

impl Blocks {
    fn new(count: usize, elements: &[Vec<usize>], space: Space) -> Blocks {
        let axes = space.axes();
        let mut near = vec![Vec::new(); count];
        for nodes in elements {
            for &b in nodes {
                near[b].extend(nodes.iter().filter(|&&a| a <= b));
            }
        }
        let mut matrix = SymmetricMatrix { columns: vec![0], ..SymmetricMatrix::default() };
        for list in &mut near {
            list.sort_unstable();
            list.dedup();
            for axis in 0..axes {
                // of its own block the part above the diagonal
                matrix.rows.extend(list.iter().flat_map(|&a| axes * a..axes * (a + 1)));
                matrix.rows.truncate(matrix.rows.len() - (axes - 1 - axis));
                matrix.columns.push(matrix.rows.len());
            }
        }
        matrix.values = vec![0.0; matrix.rows.len()];
        Blocks { axes, near, mass: matrix.clone(), stiffness: matrix }
    }

    fn add(&mut self, nodes: &[usize], own: &crate::element::ElementMatrices) {
        let axes = self.axes;
        for (kb, &b) in nodes.iter().enumerate() {
            for (ka, &a) in nodes.iter().enumerate().filter(|&(_, &a)| a <= b) {
                let Ok(block) = self.near[b].binary_search(&a) else { continue };
                for axis in 0..axes {
                    let start = self.stiffness.columns[axes * b + axis] + axes * block;
                    let rows = if a == b { axis + 1 } else { axes };
                    for row in 0..rows {
                        self.stiffness.values[start + row] += own.stiffness[(3 * ka + row, 3 * kb + axis)];
                    }
                    self.mass.values[start + axis] += own.mass[(ka, kb)];
                }
            }
        }
    }
}
