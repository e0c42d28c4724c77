//! Meshes of Gmsh.

use super::lines::{Lines, real};
use super::{Fault, ReadError};
use crate::mesh::{Element, Mesh, Node, Shape};
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// An element as the file has it.
struct Cell {
    line: usize,
    number: u64,
    kind: usize,
    /// what it is part of: dimension and tag of an entity, or of a physical group in version 2
    part: (usize, i64),
    nodes: Vec<u64>,
}

/// What is read before it is put together.
#[derive(Default)]
struct GmshText {
    names: BTreeMap<(usize, i64), String>,
    /// physical groups of each entity; version 2 has none
    groups: BTreeMap<(usize, i64), Vec<i64>>,
    nodes: Vec<Node>,
    cells: Vec<Cell>,
    version: f64,
}

/// Nodes, dimension and form of a kind of element; forms only of those that carry stiffness.
fn kind(number: usize) -> Option<(usize, usize, Option<Shape>)> {
    Some(match number {
        1 => (2, 1, Some(Shape::Bar)),
        2 => (3, 2, None),
        3 => (4, 2, Some(Shape::Membrane)),
        4 => (4, 3, None),
        5 => (8, 3, Some(Shape::Hexahedron)),
        6 => (6, 3, None),
        7 => (5, 3, None),
        8 => (3, 1, None),
        9 => (6, 2, None),
        10 => (9, 2, None),
        11 => (10, 3, Some(Shape::Tetrahedron)),
        15 => (1, 0, None),
        16 => (8, 2, None),
        _ => return None,
    })
}

/// Reads a mesh. Elements of the highest dimension are its elements; those below, such as triangles on the surface of a
/// solid, are left out but for the sets of nodes that their physical groups become. Sections are for the caller to give.
///
/// # Errors
/// Lines that are not as the format has them, nodes that are not there, elements of other types.
pub fn gmsh(text: &str) -> Result<Mesh, ReadError> {
    let (mut lines, mut draft) = (Lines::new(text), GmshText::default());
    while let Some(line) = lines.next() {
        let Some(section) = line.strip_prefix('$') else {
            return Err(lines.fault(Fault::Wants("a section that begins with $")));
        };
        match section {
            "MeshFormat" => draft.format(&mut lines)?,
            "PhysicalNames" => draft.physical_names(&mut lines)?,
            "Entities" => draft.entities(&mut lines)?,
            "Nodes" if draft.version >= 4.0 => draft.nodes(&mut lines)?,
            "Nodes" => draft.nodes_of_version_2(&mut lines)?,
            "Elements" if draft.version >= 4.0 => draft.elements(&mut lines)?,
            "Elements" => draft.elements_of_version_2(&mut lines)?,
            _ => {}
        }
        let end = format!("$End{section}");
        while lines.wanted("the end of a section")? != end {}
    }
    draft.mesh(&lines)
}

impl GmshText {
    fn format(&mut self, lines: &mut Lines) -> Result<(), ReadError> {
        let numbers: Vec<f64> = lines.numbers(3, "version, 0 and 8")?;
        self.version = numbers[0];
        if numbers[1] != 0.0 {
            return Err(lines.fault(Fault::NotSupported("a binary file of Gmsh".into())));
        }
        if numbers[0] != 4.1 && numbers[0] != 2.2 {
            return Err(lines.fault(Fault::NotSupported(format!("version {} of Gmsh", numbers[0]))));
        }
        Ok(())
    }

    fn physical_names(&mut self, lines: &mut Lines) -> Result<(), ReadError> {
        for _ in 0..lines.numbers::<usize>(1, "the number of names")?[0] {
            let line = lines.wanted("dimension, tag and name")?;
            let mut words = line.splitn(3, ' ');
            let (Some(dimension), Some(tag), Some(name)) = (words.next(), words.next(), words.next()) else {
                return Err(lines.fault(Fault::Wants("dimension, tag and name")));
            };
            let name = name.trim().trim_matches('"').to_string();
            self.names.insert((lines.number(dimension)?, lines.number(tag)?), name);
        }
        Ok(())
    }

    fn entities(&mut self, lines: &mut Lines) -> Result<(), ReadError> {
        let counts: Vec<usize> = lines.numbers(4, "four numbers of entities")?;
        for (dimension, &count) in counts.iter().enumerate().take(4) {
            for _ in 0..count {
                let numbers: Vec<f64> = lines.numbers(5, "an entity")?;
                let at = if dimension == 0 { 4 } else { 7 };
                let many = numbers.get(at).map_or(0, |&x| x as usize);
                let groups = numbers.get(at + 1..).and_then(|rest| rest.get(..many));
                let groups = groups.ok_or_else(|| lines.fault(Fault::Wants("tags of physical groups")))?;
                let groups = groups.iter().map(|&tag| tag as i64).collect();
                self.groups.insert((dimension, numbers[0] as i64), groups);
            }
        }
        Ok(())
    }

    fn nodes(&mut self, lines: &mut Lines) -> Result<(), ReadError> {
        let blocks = lines.numbers::<usize>(4, "numbers of blocks and nodes")?[0];
        for _ in 0..blocks {
            let count = lines.numbers::<i64>(4, "a block of nodes")?[3] as usize;
            let mut numbers = Vec::new();
            for _ in 0..count {
                numbers.push(lines.numbers::<u64>(1, "the number of a node")?[0]);
            }
            for number in numbers {
                let line = lines.wanted("the position of a node")?;
                self.node(lines, number, line.split_whitespace())?;
            }
        }
        Ok(())
    }

    fn nodes_of_version_2(&mut self, lines: &mut Lines) -> Result<(), ReadError> {
        for _ in 0..lines.numbers::<usize>(1, "the number of nodes")?[0] {
            let mut words = lines.wanted("a node")?.split_whitespace();
            let number = lines.number(words.next().unwrap_or_default())?;
            self.node(lines, number, words)?;
        }
        Ok(())
    }

    fn node<'a>(
        &mut self,
        lines: &Lines,
        number: u64,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<(), ReadError> {
        let place: Vec<f64> = words.take(3).map(|word| real(lines, word)).collect::<Result<_, _>>()?;
        if place.len() < 3 {
            return Err(lines.fault(Fault::Wants("three coordinates")));
        }
        self.nodes.push(Node { number, place: Vector3::from_column_slice(&place) });
        Ok(())
    }

    fn elements(&mut self, lines: &mut Lines) -> Result<(), ReadError> {
        let blocks = lines.numbers::<usize>(4, "numbers of blocks and elements")?[0];
        for _ in 0..blocks {
            let block: Vec<i64> = lines.numbers(4, "a block of elements")?;
            let kind = block[2] as usize;
            for _ in 0..block[3] {
                let numbers: Vec<u64> = lines.numbers(2, "an element")?;
                let (part, nodes) = ((block[0] as usize, block[1]), numbers[1..].to_vec());
                self.cells.push(Cell { line: lines.number, number: numbers[0], kind, part, nodes });
            }
        }
        Ok(())
    }

    fn elements_of_version_2(&mut self, lines: &mut Lines) -> Result<(), ReadError> {
        for _ in 0..lines.numbers::<usize>(1, "the number of elements")?[0] {
            let numbers: Vec<i64> = lines.numbers(3, "an element")?;
            let (kind_number, tags) = (numbers[1] as usize, numbers[2] as usize);
            let dimension = kind(kind_number).map_or(0, |(_, dimension, _)| dimension);
            let Some(nodes) = numbers[3..].get(tags..) else {
                return Err(lines.fault(Fault::Wants("tags and nodes of an element")));
            };
            let group = if tags > 0 { numbers[3] } else { 0 };
            self.cells.push(Cell {
                line: lines.number,
                number: numbers[0] as u64,
                kind: kind_number,
                part: (dimension, group),
                nodes: nodes.iter().map(|&node| node as u64).collect(),
            });
        }
        Ok(())
    }

    /// Names of the sets that a cell belongs to.
    fn sets(&self, cell: &Cell) -> Vec<String> {
        let named = |tag: i64| {
            let name = self.names.get(&(cell.part.0, tag)).cloned();
            name.unwrap_or_else(|| format!("group {tag} of dimension {}", cell.part.0))
        };
        match self.groups.get(&cell.part) {
            Some(tags) => tags.iter().map(|&tag| named(tag.saturating_abs())).collect(),
            None if self.version < 4.0 && cell.part.1 != 0 => vec![named(cell.part.1)],
            None => Vec::new(),
        }
    }

    fn mesh(mut self, lines: &Lines) -> Result<Mesh, ReadError> {
        let mut mesh = Mesh { nodes: std::mem::take(&mut self.nodes), ..Mesh::default() };
        let mut places = BTreeMap::new();
        for (place, node) in mesh.nodes.iter().enumerate() {
            if places.insert(node.number, place).is_some() {
                return Err(lines.fault(Fault::Twice(node.number)));
            }
        }
        let dimension = |cell: &Cell| kind(cell.kind).map_or(4, |(_, dimension, _)| dimension);
        let highest = self.cells.iter().map(dimension).max().unwrap_or(0);
        for cell in &self.cells {
            let at = |fault| ReadError { line: cell.line, fault };
            let other = || at(Fault::ElementType(format!("{} of Gmsh", cell.kind)));
            let (count, own, shape) = kind(cell.kind).ok_or_else(other)?;
            if cell.nodes.len() != count {
                return Err(at(Fault::Wants("as many nodes as the element has")));
            }
            let place = |&node: &u64| {
                let unknown = Fault::NodeUnknown { element: cell.number, node };
                places.get(&node).copied().ok_or_else(|| at(unknown))
            };
            let mut nodes: Vec<usize> = cell.nodes.iter().map(place).collect::<Result<_, _>>()?;
            let sets = self.sets(cell);
            for name in &sets {
                mesh.node_sets.entry(name.clone()).or_default().extend(&nodes);
            }
            if own < highest {
                continue;
            }
            let shape = shape.ok_or_else(other)?;
            if shape == Shape::Tetrahedron {
                nodes.swap(8, 9);
            }
            for name in sets {
                mesh.element_sets.entry(name).or_default().push(mesh.elements.len());
            }
            mesh.elements.push(Element { number: cell.number, shape, nodes, section: None });
        }
        for set in mesh.node_sets.values_mut() {
            set.sort_unstable();
            set.dedup();
        }
        Ok(mesh)
    }
}
