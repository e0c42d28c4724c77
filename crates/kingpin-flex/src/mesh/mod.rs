//! Nodes, elements, named sets and sections.

mod boxes;
mod parts;
mod section;
mod surface;

pub use boxes::box_mesh;
pub use section::{Material, Section};

use crate::FlexError;
use crate::words::near;
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// The form of an element. Nodes are in the order of Abaqus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Two nodes, force along the line between them: T3D2.
    Bar,
    /// Four nodes, plane stress in their plane: CPS4.
    Membrane,
    /// Eight nodes, the bottom around, then the top; trilinear: C3D8.
    Hexahedron,
    /// The same with modes inside that bend without shear: C3D8I.
    BendingHexahedron,
    /// Four corners and six nodes on edges 12, 23, 31, 14, 24, 34: C3D10.
    Tetrahedron,
}

impl Shape {
    /// How many nodes it has.
    pub fn nodes(self) -> usize {
        match self {
            Shape::Bar => 2,
            Shape::Membrane => 4,
            Shape::Hexahedron | Shape::BendingHexahedron => 8,
            Shape::Tetrahedron => 10,
        }
    }
}

/// A node: its number in the file and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// As the file numbers it.
    pub number: u64,
    /// Where it is.
    pub place: Vector3<f64>,
}

/// An element: its number in the file, its form, its nodes and its section by their places in the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// As the file numbers it.
    pub number: u64,
    /// Its form.
    pub shape: Shape,
    /// Its nodes, as places in [`Mesh::nodes`].
    pub nodes: Vec<usize>,
    /// Its material and extent, as a place in [`Mesh::sections`].
    pub section: Option<usize>,
}

/// How many directions nodes move in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// In x and y.
    Plane,
    /// In x, y and z.
    Solid,
}

impl Space {
    /// Coordinates of a node.
    pub fn axes(self) -> usize {
        match self {
            Space::Plane => 2,
            Space::Solid => 3,
        }
    }

    /// The row among three displacements and three turns that a rigid motion is.
    pub fn row(self, motion: usize) -> usize {
        if self == Space::Plane && motion == 2 { 5 } else { motion }
    }

    /// Coordinates of a rigid motion.
    pub fn motions(self) -> usize {
        match self {
            Space::Plane => 3,
            Space::Solid => 6,
        }
    }
}

/// Nodes, elements, named sets of both, and sections.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// All nodes; those that belong to no element are left out of matrices.
    pub nodes: Vec<Node>,
    /// All elements.
    pub elements: Vec<Element>,
    /// Places of nodes by the name of their set, increasing.
    pub node_sets: BTreeMap<String, Vec<usize>>,
    /// Places of elements by the name of their set, increasing.
    pub element_sets: BTreeMap<String, Vec<usize>>,
    /// Materials with extents.
    pub sections: Vec<Section>,
}

impl Mesh {
    /// The nodes of a set.
    pub fn node_set(&self, name: &str) -> Result<&[usize], FlexError> {
        let unknown = || FlexError::SetUnknown { name: name.into(), near: near(name, self.node_sets.keys()) };
        self.node_sets.get(name).map(Vec::as_slice).ok_or_else(unknown)
    }

    /// The elements of a set.
    pub fn element_set(&self, name: &str) -> Result<&[usize], FlexError> {
        let unknown =
            || FlexError::SetUnknown { name: name.into(), near: near(name, self.element_sets.keys()) };
        self.element_sets.get(name).map(Vec::as_slice).ok_or_else(unknown)
    }

    /// The place of the node with a number. O(nodes)
    pub fn node(&self, number: u64) -> Result<usize, FlexError> {
        self.nodes
            .iter()
            .position(|node| node.number == number)
            .ok_or(FlexError::NodeUnknown { node: number })
    }

    /// Gives all elements a section.
    pub fn give_section(&mut self, section: Section) {
        self.sections.push(section);
        let place = self.sections.len() - 1;
        self.elements.iter_mut().for_each(|element| element.section = Some(place));
    }

    /// Gives the elements of a set a section.
    pub fn give_section_to(&mut self, set: &str, section: Section) -> Result<(), FlexError> {
        let elements = self.element_set(set)?.to_vec();
        self.sections.push(section);
        let place = self.sections.len() - 1;
        elements.into_iter().for_each(|element| self.elements[element].section = Some(place));
        Ok(())
    }

    /// A plane mesh has bars and membranes in the plane z = 0 alone.
    pub fn space(&self) -> Space {
        let flat = |element: &Element| {
            matches!(element.shape, Shape::Bar | Shape::Membrane)
                && element.nodes.iter().all(|&node| self.nodes[node].place.z == 0.0)
        };
        let membranes = self.elements.iter().any(|element| element.shape == Shape::Membrane);
        if membranes && self.elements.iter().all(flat) { Space::Plane } else { Space::Solid }
    }

    /// Checks that elements have their nodes, and that these are there.
    pub(crate) fn check_elements(&self) -> Result<(), FlexError> {
        for element in &self.elements {
            let (expected, given) = (element.shape.nodes(), element.nodes.len());
            if expected != given {
                return Err(FlexError::WrongSize { what: "nodes of an element", expected, given });
            }
            if let Some(&node) = element.nodes.iter().find(|&&node| node >= self.nodes.len()) {
                return Err(FlexError::NodeUnknown { node: node as u64 });
            }
        }
        Ok(())
    }

    /// Which nodes belong to elements.
    pub fn used_nodes(&self) -> Vec<bool> {
        let mut used = vec![false; self.nodes.len()];
        self.elements.iter().flat_map(|element| &element.nodes).for_each(|&node| used[node] = true);
        used
    }
}
