//! Any mesh cut into sub-domains.

use crate::DomainError;
use crate::partition::bisect;
use crate::piece::{Piece, SharedNode};
use kingpin_flex::mesh::{Element, Mesh};
use kingpin_flex::structure::Structure;
use nalgebra::Vector3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which part each element of a mesh belongs to: parts of nearly as many elements by recursive bisection, each of which
/// hangs together by sides of elements. O(elements * log(elements) * log(parts))
pub fn parts_of(mesh: &Mesh, parts: usize) -> Vec<usize> {
    let centre = |element: &Element| {
        let sum: Vector3<f64> = element.nodes.iter().map(|&node| mesh.nodes[node].place).sum();
        sum / element.nodes.len().max(1) as f64
    };
    let places: Vec<Vector3<f64>> = mesh.elements.iter().map(centre).collect();
    let weights: Vec<f64> = mesh.elements.iter().map(|element| element.nodes.len() as f64).collect();
    let mut part_of = bisect(&places, &weights, parts);
    hang_together(mesh, &mut part_of);
    part_of
}

/// Elements that hang together with the others of their part by less than a side, such as on the other side of a hole,
/// go to the part with which they share most sides; what shares none is a part of its own.
fn hang_together(mesh: &Mesh, part_of: &mut [usize]) {
    let near = neighbours(mesh);
    let mut parts = part_of.iter().max().map_or(0, |&last| last + 1);
    let mut seen = vec![false; part_of.len()];
    let mut components: BTreeMap<usize, Vec<Vec<usize>>> = BTreeMap::new();
    for first in 0..part_of.len() {
        let (mut own, mut waiting) = (Vec::new(), vec![first]);
        while let Some(k) = waiting.pop() {
            if !seen[k] {
                seen[k] = true;
                own.push(k);
                waiting.extend(
                    near[k].iter().filter(|&&other| part_of[other] == part_of[first] && !seen[other]),
                );
            }
        }
        if !own.is_empty() {
            components.entry(part_of[first]).or_default().push(own);
        }
    }
    for list in components.values_mut() {
        // the largest stays, of equal ones the first
        list.sort_by_key(|own| std::cmp::Reverse(own.len()));
        for own in &list[1..] {
            let mut sides: BTreeMap<usize, usize> = BTreeMap::new();
            for &other in
                own.iter().flat_map(|&k| &near[k]).filter(|&&other| part_of[other] != part_of[own[0]])
            {
                *sides.entry(part_of[other]).or_default() += 1;
            }
            let most = sides.iter().max_by_key(|&(part, count)| (*count, std::cmp::Reverse(*part)));
            let to = most.map_or(parts, |(&part, _)| part);
            parts = parts.max(to + 1);
            own.iter().for_each(|&k| part_of[k] = to);
        }
    }
}

/// Elements that share a side: two nodes in a plane, three in space.
fn neighbours(mesh: &Mesh) -> Vec<Vec<usize>> {
    let mut of_node = vec![Vec::new(); mesh.nodes.len()];
    for (k, element) in mesh.elements.iter().enumerate() {
        element.nodes.iter().for_each(|&node| of_node[node].push(k));
    }
    let needed = mesh.space().axes();
    let shared = |element: &Element| {
        let mut count: BTreeMap<usize, usize> = BTreeMap::new();
        element
            .nodes
            .iter()
            .flat_map(|&node| &of_node[node])
            .for_each(|&k| *count.entry(k).or_default() += 1);
        count.into_iter().filter(|&(_, count)| count >= needed).map(|(k, _)| k).collect()
    };
    mesh.elements.iter().map(shared).collect()
}

/// Cuts a mesh: sub-domain `part_of[k]` gets element `k`. Nodes of `held` do not move. O(elements)
pub fn cut(mesh: &Mesh, part_of: &[usize], held: &[usize]) -> Result<Vec<Piece>, DomainError> {
    let (expected, given) = (mesh.elements.len(), part_of.len());
    if expected != given {
        return Err(DomainError::WrongSize { what: "parts of elements", expected, given });
    }
    let parts = part_of.iter().max().map_or(0, |&last| last + 1);
    let mut elements = vec![Vec::new(); parts];
    let mut owners = vec![Vec::new(); mesh.nodes.len()];
    for (element, &part) in mesh.elements.iter().zip(part_of) {
        elements[part].push(element.clone());
        for &node in &element.nodes {
            if let Err(at) = owners[node].binary_search(&part) {
                owners[node].insert(at, part);
            }
        }
    }
    let mut is_held = vec![false; mesh.nodes.len()];
    held.iter().for_each(|&node| is_held[node] = true);
    let outer = outer_nodes(mesh);
    elements
        .into_iter()
        .enumerate()
        .map(|(number, own)| piece(mesh, number, own, &owners, &is_held, &outer))
        .collect()
}

fn piece(
    mesh: &Mesh,
    number: usize,
    mut elements: Vec<Element>,
    owners: &[Vec<usize>],
    is_held: &[bool],
    outer: &[bool],
) -> Result<Piece, DomainError> {
    let mut nodes: Vec<usize> = elements.iter().flat_map(|element| element.nodes.iter().copied()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let place: BTreeMap<usize, usize> = nodes.iter().enumerate().map(|(k, &node)| (node, k)).collect();
    for node in elements.iter_mut().flat_map(|element| &mut element.nodes) {
        *node = place[node];
    }
    let fastest = |element: &Element| {
        let material = element.section.and_then(|k| mesh.sections.get(k)).map(|section| &section.material);
        material.map_or(0.0, |material| (material.young / material.density).sqrt())
    };
    let wave_speed = elements.iter().map(fastest).fold(0.0, f64::max);
    let own = Mesh {
        nodes: nodes.iter().map(|&node| mesh.nodes[node].clone()).collect(),
        elements,
        sections: mesh.sections.clone(),
        ..Mesh::default()
    };
    let structure = Structure::assemble(&own)?;
    let axes = mesh.space().axes();
    if structure.space.axes() != axes {
        let given = structure.space.axes();
        return Err(DomainError::WrongSize { what: "coordinates of a node", expected: axes, given });
    }
    let free: Vec<usize> = (0..axes * nodes.len()).filter(|&k| !is_held[nodes[k / axes]]).collect();
    let mut to = vec![None; axes * nodes.len()];
    free.iter().enumerate().for_each(|(k, &from)| to[from] = Some(k));
    let shared = nodes.iter().enumerate().filter(|&(_, &node)| owners[node].len() > 1 && !is_held[node]);
    let shared =
        shared.map(|(k, &node)| SharedNode { node: k, owners: owners[node].clone(), outer: outer[node] });
    Ok(Piece {
        number,
        axes,
        shared: shared.collect(),
        places: structure.places,
        stiffness: Arc::new(structure.stiffness.submatrix(&to, free.len())),
        mass: Arc::new(structure.mass.submatrix(&to, free.len())),
        nodes: nodes.iter().map(|&node| node as u64).collect(),
        free,
        wave_speed,
    })
}

/// Loads of the sub-domains from loads of nodes, by place in the mesh: owners of a node get equal parts.
pub fn share_loads(pieces: &[Piece], loads: &[(usize, Vector3<f64>)]) -> Vec<Vec<f64>> {
    let of: BTreeMap<u64, Vector3<f64>> = loads.iter().map(|&(node, load)| (node as u64, load)).collect();
    let share = |piece: &Piece| {
        let mut count = vec![1.0; piece.nodes.len()];
        piece.shared.iter().for_each(|shared| count[shared.node] = shared.owners.len() as f64);
        let part = |&k: &usize| {
            let (node, axis) = (k / piece.axes, k % piece.axes);
            of.get(&piece.nodes[node]).map_or(0.0, |load| load[axis] / count[node])
        };
        piece.free.iter().map(part).collect()
    };
    pieces.iter().map(share).collect()
}

/// Nodes on the outside of a mesh: those of element sides that one element alone has. Sides are told by how often two
/// nodes, in space three, are together in elements.
fn outer_nodes(mesh: &Mesh) -> Vec<bool> {
    let sides: [&[&[usize]]; 2] = [
        &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
        &[&[0, 1, 2, 3], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]],
    ];
    let corners: &[&[usize]] = &[&[0, 1, 2], &[0, 1, 3], &[1, 2, 3], &[0, 2, 3]];
    let mut count: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for element in &mesh.elements {
        let sides = match element.nodes.len() {
            4 => sides[0],
            8 => sides[1],
            10 => corners,
            _ => &[],
        };
        for side in sides {
            let mut nodes: Vec<usize> = side.iter().map(|&k| element.nodes[k]).collect();
            nodes.sort_unstable();
            *count.entry(nodes).or_default() += 1;
        }
    }
    let mut outer = vec![false; mesh.nodes.len()];
    count.iter().filter(|(_, count)| **count == 1).flat_map(|(side, _)| side).for_each(|&k| outer[k] = true);
    outer
}
