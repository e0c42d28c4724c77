//! Nodes: what coordinates belong to.
//!
//! A system numbers its coordinates node by node. A frame has a place and an attitude, a point has a place alone, a
//! scalar is one number; one system may have all of them. Everything else asks a node for its range among all
//! coordinates or velocities: no stride is common to all. Closed forms are those of frames
//! ([`Coords`](crate::spatial::Coords)): a point is a frame that never turns, a scalar one that moves along the first
//! axis alone, and of their rows only the first numbers are kept. What has k scalar coordinates has k such nodes, one
//! after the other, which are one body where mass or inner forces couple them.

use crate::model::Space;
use crate::spatial::{BodyState, Coords};
use crate::threads::Divide;
use std::ops::Range;

/// The kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A place and an attitude: (r, p) in space, (x, y, angle) in the plane.
    Frame,
    /// A place alone.
    Point,
    /// One coordinate, seen as a place on the first axis.
    Scalar,
    /// The same of a first-order state: it is the velocity, and nothing depends on the coordinate.
    State,
}

/// A node among all coordinates and velocities.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its first coordinate.
    pub q: usize,
    /// Its first velocity.
    pub v: usize,
    /// Coordinates.
    pub nq: usize,
    /// Velocities.
    pub nv: usize,
    /// How many of them, the first, are of its place; the others are of turning.
    pub places: usize,
}

impl Node {
    /// Its coordinates.
    #[inline(always)]
    pub fn q(&self) -> Range<usize> {
        self.q..self.q + self.nq
    }

    /// Its velocities.
    #[inline(always)]
    pub fn v(&self) -> Range<usize> {
        self.v..self.v + self.nv
    }

    /// Whether it has an attitude.
    #[inline(always)]
    pub fn turns(&self) -> bool {
        self.kind == NodeKind::Frame
    }

    /// What belongs to its place and what to its attitude, of numbers of this node alone.
    #[inline(always)]
    pub fn split<'a>(&self, own: &'a [f64]) -> (&'a [f64], &'a [f64]) {
        own.split_at(self.places)
    }

    /// What its place, or the rate of it, is along an axis of space, of numbers of all nodes from its `first` on: zero
    /// where it cannot move.
    pub fn along(&self, all: &[f64], first: usize, axis: usize) -> f64 {
        if axis < self.places { all[first + axis] } else { 0.0 }
    }

    /// The state of the node from all coordinates and velocities: what does not turn has the attitude of the ground.
    #[inline(always)]
    pub fn state<C: Coords>(&self, q: &[f64], v: &[f64]) -> BodyState {
        let (q, v) = (&q[self.q..], &v[self.v..]);
        if self.turns() {
            return C::body(&q[..C::NQ], &v[..C::NV]);
        }
        let mut state = C::ground();
        state.r[..self.places].copy_from_slice(&q[..self.places]);
        state.rdot[..self.places].copy_from_slice(&v[..self.places]);
        state
    }
}

/// The nodes of a system, in the order of its bodies: today each body has one.
#[derive(Clone, Debug)]
pub struct Nodes {
    space: Space,
    list: Vec<Node>,
    coordinates: usize,
    velocities: usize,
    frames: usize,
}

impl Nodes {
    /// Numbers nodes one after the other.
    pub fn new(space: Space, kinds: impl IntoIterator<Item = NodeKind>) -> Nodes {
        let mut nodes = Nodes { space, list: Vec::new(), coordinates: 0, velocities: 0, frames: 0 };
        for kind in kinds {
            let (nq, nv) = match (space, kind) {
                (Space::Spatial, NodeKind::Frame) => (7, 6),
                (Space::Spatial, NodeKind::Point) => (3, 3),
                (Space::Planar, NodeKind::Frame) => (3, 3),
                (Space::Planar, NodeKind::Point) => (2, 2),
                (_, NodeKind::Scalar | NodeKind::State) => (1, 1),
            };
            let places = nodes.dimensions().min(nv);
            nodes.list.push(Node { kind, q: nodes.coordinates, v: nodes.velocities, nq, nv, places });
            nodes.coordinates += nq;
            nodes.velocities += nv;
            nodes.frames += usize::from(kind == NodeKind::Frame);
        }
        nodes
    }

    /// States count as other scalars from now on.
    pub(super) fn stand_still(&mut self) {
        self.list
            .iter_mut()
            .filter(|node| node.kind == NodeKind::State)
            .for_each(|node| node.kind = NodeKind::Scalar);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Node> {
        self.list.iter()
    }

    /// Coordinates in all.
    pub fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// Velocities in all.
    pub fn velocities(&self) -> usize {
        self.velocities
    }

    /// Dimensions of space.
    pub fn dimensions(&self) -> usize {
        if self.space == Space::Spatial { 3 } else { 2 }
    }

    /// Velocities of a frame: the most that a node has.
    pub fn widest(&self) -> usize {
        if self.space == Space::Spatial { 6 } else { 3 }
    }

    /// Whether there are others than frames among them.
    pub fn has_points(&self) -> bool {
        self.frames < self.list.len()
    }

    /// How many velocities each of them has, if all have as many.
    #[inline]
    pub fn width(&self) -> Option<usize> {
        if self.has_points() { None } else { self.list.first().map(|node| node.nv) }
    }

    /// Coordinates of a node.
    #[inline(always)]
    pub fn q(&self, node: usize) -> Range<usize> {
        self.list[node].q()
    }

    /// Velocities of a node.
    #[inline(always)]
    pub fn v(&self, node: usize) -> Range<usize> {
        self.list[node].v()
    }

    /// Frames in space, whose Euler parameters are normalised; none in the plane.
    pub fn normalised(&self) -> impl Iterator<Item = usize> + '_ {
        let all = if self.space == Space::Spatial { self.list.len() } else { 0 };
        (0..all).filter(|&k| self.list[k].turns())
    }

    /// How many they are.
    pub fn normalisations(&self) -> usize {
        if self.space == Space::Spatial { self.frames } else { 0 }
    }

    /// The node that a velocity belongs to, and its place there. O(log nodes).
    pub fn of_velocity(&self, velocity: usize) -> (usize, usize) {
        let node = self.list.partition_point(|n| n.v <= velocity).saturating_sub(1);
        (node, velocity - self.list[node].v)
    }

    /// For each velocity, whether it is one of turning.
    pub fn turning(&self) -> impl Iterator<Item = bool> + '_ {
        self.list.iter().flat_map(|node| (0..node.nv).map(|k| k >= node.places))
    }

    /// Room for numbers over all velocities, to be divided between nodes.
    pub(crate) fn room<'a>(&'a self, numbers: &'a mut [f64]) -> NodeRoom<'a> {
        NodeRoom { nodes: self, numbers, v: 0 }
    }

    /// Numbers over all coordinates, node by node.
    pub fn by_q<'a>(&'a self, q: &'a [f64]) -> impl Iterator<Item = &'a [f64]> {
        self.list.iter().map(|node| &q[node.q()])
    }

    /// Numbers over all velocities, node by node.
    pub fn by_v<'a>(&'a self, v: &'a [f64]) -> impl Iterator<Item = &'a [f64]> {
        self.list.iter().map(|node| &v[node.v()])
    }

    /// Numbers over all coordinates, node by node: those of its place and those of its attitude.
    pub fn split_q<'a>(&'a self, q: &'a [f64]) -> impl Iterator<Item = (&'a [f64], &'a [f64])> {
        self.list.iter().map(|node| node.split(&q[node.q()]))
    }

    /// Numbers over all velocities, node by node: those of its place and those of turning.
    pub fn split_v<'a>(&'a self, v: &'a [f64]) -> impl Iterator<Item = (&'a [f64], &'a [f64])> {
        self.list.iter().map(|node| node.split(&v[node.v()]))
    }
}

/// Numbers over the velocities of some nodes that follow each other.
pub(crate) struct NodeRoom<'a> {
    nodes: &'a Nodes,
    pub numbers: &'a mut [f64],
    /// The first velocity among all.
    pub v: usize,
}

impl NodeRoom<'_> {
    /// Those of one of the nodes.
    #[inline(always)]
    pub fn of(&mut self, node: &Node) -> &mut [f64] {
        &mut self.numbers[node.v - self.v..][..node.nv]
    }
}

impl Divide for NodeRoom<'_> {
    fn divide(self, node: usize) -> (Self, Self) {
        let (nodes, v) = (self.nodes, self.nodes[node].v);
        let (before, behind) = self.numbers.split_at_mut(v - self.v);
        (NodeRoom { nodes, numbers: before, v: self.v }, NodeRoom { nodes, numbers: behind, v })
    }
}

impl std::ops::Index<usize> for Nodes {
    type Output = Node;

    #[inline(always)]
    fn index(&self, node: usize) -> &Node {
        &self.list[node]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_follow_each_other() {
        use NodeKind::{Frame, Point};
        let nodes = Nodes::new(Space::Spatial, [Frame, Point, Frame]);
        assert_eq!((nodes.q(0), nodes.q(1), nodes.q(2)), (0..7, 7..10, 10..17));
        assert_eq!((nodes.v(0), nodes.v(1), nodes.v(2)), (0..6, 6..9, 9..15));
        assert_eq!((nodes.coordinates(), nodes.velocities(), nodes.normalisations()), (17, 15, 2));
        assert_eq!([5, 6, 8, 9].map(|v| nodes.of_velocity(v)), [(0, 5), (1, 0), (1, 2), (2, 0)]);
        assert_eq!(nodes.normalised().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(nodes.turning().filter(|turns| *turns).count(), 6);
        let plane = Nodes::new(Space::Planar, [Point, Frame]);
        assert_eq!((plane.q(0), plane.v(1), plane.normalisations()), (0..2, 2..5, 0));
        assert!(plane.has_points() && !Nodes::new(Space::Planar, [Frame]).has_points());
    }

    #[test]
    fn scalars_take_one_number_each() {
        use NodeKind::{Frame, Point, Scalar};
        let nodes = Nodes::new(Space::Spatial, [Scalar, Frame, Scalar, Scalar, Point]);
        assert_eq!((nodes.q(0), nodes.q(1), nodes.q(2), nodes.q(3)), (0..1, 1..8, 8..9, 9..10));
        assert_eq!((nodes.v(2), nodes.v(4), nodes.normalisations()), (7..8, 9..12, 1));
        assert_eq!(nodes.turning().filter(|turns| *turns).count(), 3);
        let v: Vec<f64> = (0..nodes.velocities()).map(|k| k as f64).collect();
        let split: Vec<usize> =
            nodes.split_v(&v).map(|(place, turn)| 10 * place.len() + turn.len()).collect();
        assert_eq!(split, [10, 33, 10, 10, 30]);
        let state = nodes[3].state::<crate::spatial::SpatialCoords>(&[0.0; 13], &v);
        assert_eq!((state.r, state.rdot), ([0.0; 3], [8.0, 0.0, 0.0]));
    }
}
