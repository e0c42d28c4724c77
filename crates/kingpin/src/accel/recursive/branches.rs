//! Articulated bodies of large trees: links are placed in pieces, coordinates eliminated branch by branch, and
//! accelerations spread the same way, by as many threads as there are.
//!
//! The trunk gets what branches have for it when all are done, in a fixed order, and a long one is done in stages: numbers
//! do not depend on threads.

use super::super::problem::{Numbers, Problem};
use super::articulated::{Weightless, hand_over, inward, outward};
use super::kernel::{JointColumn, put_narrow, wide};
use super::motion::{TreeMotion, at_centre};
use super::pose::{self, Inboard, LinkState};
use super::tree::{GROUND, LinkTree, TreeLink};
use crate::linalg::lanes::{Lanes, Machine, on_machine};
use crate::system::NodeRoom;
use crate::threads::{Divide, in_pieces, join};
use std::ops::Range;

/// Some links that follow each other, with what is known of them.
struct LinkSpan<'a, const N: usize> {
    links: &'a [TreeLink],
    /// The first of them among all.
    first: usize,
    nodes: &'a mut [LinkState<N>],
    columns: &'a mut [JointColumn<N>],
}

impl<const N: usize> Divide for LinkSpan<'_, N> {
    fn divide(self, link: usize) -> (Self, Self) {
        let (before, behind) = self.links.split_at(link - self.first);
        let nodes = self.nodes.split_at_mut(before.len());
        let count = before.first().zip(before.last()).map(|(a, b)| b.columns.end - a.columns.start);
        let columns = self.columns.split_at_mut(count.unwrap_or(0));
        (
            LinkSpan { links: before, first: self.first, nodes: nodes.0, columns: columns.0 },
            LinkSpan { links: behind, first: link, nodes: nodes.1, columns: columns.1 },
        )
    }
}

/// Accelerations of all bodies of a tree that no joint closes. No allocation.
pub(super) fn accelerate<const N: usize>(
    machine: Machine,
    problem: &Problem,
    n: &Numbers,
    motion: &mut TreeMotion<N>,
    acc: &mut [f64],
) -> Result<(), Weightless> {
    let TreeMotion { tree, nodes, columns, .. } = motion;
    let tree = &*tree;
    inward_in_stages(machine, problem, n, tree, (nodes, columns))?;
    outward_in_stages(machine, problem, n, tree, (nodes, columns), acc)
}

/// Places all links and eliminates their coordinates: all branches, then the trunk, a piece after the other from the
/// outermost, with what hangs on it; meanwhile the next piece is placed.
fn inward_in_stages<const N: usize>(
    machine: Machine,
    problem: &Problem,
    n: &Numbers,
    tree: &LinkTree,
    (nodes, columns): (&mut [LinkState<N>], &mut [JointColumn<N>]),
) -> Result<(), Weightless> {
    let (links, stages) = (&tree.links[..], &tree.stages);
    let last = stages.piece(stages.count() - 1);
    let (_, outer) = LinkSpan { links, first: 0, nodes, columns }.divide(last.start);
    let put = |_: Range<usize>, span: LinkSpan<N>| {
        on_machine!(machine, <N> place::<_, N>, (problem: &Problem, n: &Numbers, links: &[TreeLink],
            span: LinkSpan<N>));
    };
    in_pieces(last.start..links.len(), tree.grain, outer, &put);
    let (_, outer) = LinkSpan { links, first: 0, nodes, columns }.divide(tree.trunk());
    each_branch(tree, tree.all_branches(), outer, &|span| eliminate(machine, span))?;
    for k in (0..stages.count()).rev() {
        let (piece, hanging) = (stages.piece(k), stages.hanging(k));
        let all = &mut nodes[..];
        on_machine!(machine, <N> give::<_, N>, (links: &[TreeLink], hanging: &[u32], all: &mut [LinkState<N>]));
        let (before, _) = LinkSpan { links, first: 0, nodes, columns }.divide(piece.end);
        let (before, own) = before.divide(piece.start);
        let next = k.checked_sub(1).map_or(0..0, |next| stages.piece(next));
        let (_, inboard) = before.divide(next.start);
        join(|| eliminate(machine, own), || in_pieces(next, tree.grain, inboard, &put)).0?;
    }
    Ok(())
}

/// Accelerations of all links, the trunk piece by piece, then all branches, and of the bodies as soon as their links are
/// known.
fn outward_in_stages<const N: usize>(
    machine: Machine,
    problem: &Problem,
    n: &Numbers,
    tree: &LinkTree,
    (nodes, columns): (&mut [LinkState<N>], &mut [JointColumn<N>]),
    acc: &mut [f64],
) -> Result<(), Weightless> {
    let (links, stages) = (&tree.links[..], &tree.stages);
    let (mut room, mut known) = (problem.nodes.room(acc), 0..0);
    let take = |nodes: &[LinkState<N>], bodies: Range<usize>, room: NodeRoom| {
        in_pieces(bodies, tree.grain, room, &|bodies, room: NodeRoom| {
            on_machine!(machine, <N> unload::<_, N>, (problem: &Problem, n: &Numbers, tree: &LinkTree,
                nodes: &[LinkState<N>], bodies: Range<usize>, room: NodeRoom));
        });
    };
    for k in 0..stages.count() {
        let piece = stages.piece(k);
        let (before, own) = LinkSpan { links, first: 0, nodes, columns }.divide(piece.start);
        let (own, _) = own.divide(piece.end);
        let (before, bodies) = (&*before.nodes, known);
        let (first, behind) = room.divide(bodies.end);
        join(|| spread(machine, before, own), || take(before, bodies, first));
        (room, known) = (behind, stages.bodies(k));
    }
    let (own, outer) = LinkSpan { links, first: 0, nodes, columns }.divide(tree.trunk());
    let trunk = &*own.nodes;
    each_branch(tree, tree.all_branches(), outer, &|span| {
        spread(machine, trunk, span);
        Ok(())
    })?;
    take(nodes, known.start..problem.bodies(), room);
    Ok(())
}

/// Does something to some of the branches at once; of several that fail, the first says why.
fn each_branch<const N: usize>(
    tree: &LinkTree,
    some: Range<usize>,
    span: LinkSpan<N>,
    what: &(impl Fn(LinkSpan<N>) -> Result<(), Weightless> + Sync),
) -> Result<(), Weightless> {
    match some.len() {
        0 => Ok(()),
        1 => what(span),
        _ => {
            let middle = some.start + some.len() / 2;
            let (before, behind) = span.divide(tree.branches[middle]);
            let (a, b) = join(
                || each_branch(tree, some.start..middle, before, what),
                || each_branch(tree, middle..some.end, behind, what),
            );
            a.and(b)
        }
    }
}

/// Places links: what carries a link outside of its piece is placed anew, which needs its body alone.
#[inline(always)]
fn place<L: Lanes, const N: usize>(
    _: L,
    problem: &Problem,
    n: &Numbers,
    all: &[TreeLink],
    span: LinkSpan<N>,
) {
    // no closures here: they would not be compiled for the lanes
    let LinkSpan { links, first, nodes, columns } = span;
    let start = links.first().map_or(0, |link| link.columns.start);
    let mut room = [0.0; N];
    for (k, link) in links.iter().enumerate() {
        let (before, rest) = nodes.split_at_mut(k);
        let Some(node) = rest.first_mut() else { continue };
        let inboard = if link.inboard == GROUND {
            None
        } else {
            let carrier = &all[link.inboard];
            let state = &n.bodies[carrier.body];
            let (w, rho) = match link.inboard.checked_sub(first) {
                Some(k) => (before[k].w, before[k].rho),
                None => pose::own::<N>(carrier, state),
            };
            Some(Inboard { state, w, rho })
        };
        let own = &mut columns[link.columns.start - start..link.columns.end - start];
        pose::place(link, n.bodies, inboard, n.gamma, None, node, own);
        let force = wide(n.force, link.v, link.width, &mut room);
        pose::load(&problem.inertia[link.body], force, &n.bodies[link.body], node);
    }
}

/// Eliminates the coordinates of links.
fn eliminate<const N: usize>(machine: Machine, span: LinkSpan<N>) -> Result<(), Weightless> {
    let LinkSpan { links, first, nodes, columns } = span;
    on_machine!(machine, <N> inward::<_, N>, (links: &[TreeLink], first: usize, nodes: &mut [LinkState<N>],
        columns: &mut [JointColumn<N>]) -> Result<(), Weightless>)
}

/// Gives links what is left of those that hang on them.
#[inline(always)]
fn give<L: Lanes, const N: usize>(lanes: L, links: &[TreeLink], hanging: &[u32], nodes: &mut [LinkState<N>]) {
    for k in hanging.iter().map(|&k| k as usize) {
        let (inner, outer) = nodes.split_at_mut(k);
        hand_over(lanes, &mut outer[0], &mut inner[links[k].inboard]);
    }
}

/// Accelerations of links, where those of all links before them that carry them are known.
fn spread<const N: usize>(machine: Machine, known: &[LinkState<N>], span: LinkSpan<N>) {
    let LinkSpan { links, first, nodes, columns } = span;
    let (before, columns) = ((known, first), &*columns);
    on_machine!(machine, <N> outward::<_, N>, (links: &[TreeLink], before: (&[LinkState<N>], usize),
        nodes: &mut [LinkState<N>], columns: &[JointColumn<N>]));
}

/// Accelerations of some bodies.
#[inline(always)]
fn unload<L: Lanes, const N: usize>(
    lanes: L,
    problem: &Problem,
    n: &Numbers,
    tree: &LinkTree,
    nodes: &[LinkState<N>],
    bodies: Range<usize>,
    mut room: NodeRoom,
) {
    for body in bodies {
        let link = tree.link_of[body];
        let acc = at_centre(lanes, n, &tree.links[link], &nodes[link]);
        put_narrow(&acc, room.of(&problem.nodes[body]));
    }
}
