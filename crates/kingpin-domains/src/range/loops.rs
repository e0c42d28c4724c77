//! Nodes that interfaces make one, and interfaces that say what others have said.

use super::error::RangeError;
use super::lanes::LANES;
use super::structure::{Batch, Interface, Kind, Part, Shape};

/// Groups of nodes that are one: where the first of their three numbers lies in vectors over all freedoms.
#[derive(Debug, Clone, Default)]
pub(crate) struct Joined {
    pub first: Vec<u32>,
    pub places: Vec<usize>,
    /// Whether a group belongs to the ground.
    pub grounded: Vec<bool>,
}

impl Joined {
    pub fn bytes(&self) -> usize {
        4 * self.first.len() + 8 * self.places.len() + self.grounded.len()
    }

    /// Groups.
    pub fn len(&self) -> usize {
        self.grounded.len()
    }

    /// Places of a group.
    #[inline(always)]
    pub fn group(&self, k: usize) -> &[usize] {
        &self.places[self.first[k] as usize..self.first[k + 1] as usize]
    }
}

/// The ground among nodes.
const GROUND: usize = 0;

/// A forest over nodes: each knows the one it was joined to and the interface that did so.
struct Forest {
    /// Another node of the same group, nearer its root.
    up: Vec<usize>,
    /// Neighbours by interface, for the way around a loop.
    ties: Vec<Vec<(usize, usize)>>,
}

impl Forest {
    fn root(&mut self, mut node: usize) -> usize {
        while self.up[node] != node {
            self.up[node] = self.up[self.up[node]];
            node = self.up[node];
        }
        node
    }

    /// Joins two nodes; the interfaces that have joined them before are the error.
    fn tie(&mut self, a: usize, b: usize, interface: usize) -> Result<(), Vec<usize>> {
        let (from, to) = (self.root(a), self.root(b));
        if from == to {
            return Err(self.way(a, b));
        }
        self.up[from.max(to)] = from.min(to);
        self.ties[a].push((b, interface));
        self.ties[b].push((a, interface));
        Ok(())
    }

    /// Interfaces on the way from one node of a tree to another.
    fn way(&self, a: usize, b: usize) -> Vec<usize> {
        let mut stack = vec![(a, usize::MAX, Vec::new())];
        while let Some((node, from, way)) = stack.pop() {
            if node == b {
                return way;
            }
            for &(next, interface) in self.ties[node].iter().filter(|(next, _)| *next != from) {
                stack.push((next, node, [&way[..], &[interface]].concat()));
            }
        }
        Vec::new()
    }
}

/// Groups of joined nodes. An interface between nodes that are joined already makes the metric singular: it and those
/// that have joined them are named.
pub(crate) fn join_nodes(
    shapes: &[Shape],
    kinds: &[Kind],
    parts: &[Part],
    interfaces: &[Interface],
    (batches, home): (&[Batch], &[(usize, usize)]),
) -> Result<Joined, RangeError> {
    // nodes at ports, the ground first
    let shape = |part: usize| &shapes[kinds[parts[part].kind].shape];
    let mut offset = vec![1_usize];
    for part in 0..parts.len() {
        offset.push(offset[part] + shape(part).nodes.rows());
    }
    let count = offset[parts.len()];
    let mut forest = Forest { up: (0..count).collect(), ties: vec![Vec::new(); count] };
    for (j, interface) in interfaces.iter().enumerate() {
        for node in 0..3 {
            let of = |(part, port): (usize, usize)| offset[part] + shape(part).ports[port][node];
            let (a, b) = (of(interface.first), interface.second.map_or(GROUND, of));
            forest.tie(a, b, j).map_err(|mut way| {
                way.push(j);
                way.dedup();
                RangeError::loop_of(interfaces, &way)
            })?;
        }
    }
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for part in 0..parts.len() {
        let (batch, lane) = home[part];
        for node in 0..shape(part).nodes.rows() {
            if !forest.ties[offset[part] + node].is_empty() {
                let place = batches[batch].start + 3 * node * LANES + lane;
                groups.push((forest.root(offset[part] + node), place));
            }
        }
    }
    groups.sort_unstable();
    let mut joined = Joined::default();
    let mut root = usize::MAX;
    for (of, place) in groups {
        if of != root {
            joined.first.push(joined.places.len() as u32);
            joined.grounded.push(of == GROUND);
            root = of;
        }
        joined.places.push(place);
    }
    joined.first.push(joined.places.len() as u32);
    Ok(joined)
}
