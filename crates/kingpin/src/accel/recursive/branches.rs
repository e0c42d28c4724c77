//! Articulated bodies of large trees: links are placed in pieces, coordinates eliminated branch by branch, and
//! accelerations spread the same way, by as many threads as there are.
//!
//! The trunk gets what branches have for it when all are done, in the order in which one thread would give it: numbers do
//! not depend on threads.

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
    let (tree, links) = (&*tree, &tree.links[..]);
    let all = LinkSpan { links, first: 0, nodes, columns };
    in_pieces(0..links.len(), tree.grain, all, &|_, span| place(problem, n, links, span));
    // inward: all branches, what they have for the trunk, the trunk
    let (trunk, branches) = (tree.trunk(), 0..tree.branches.len().saturating_sub(1));
    let (_, outer) = LinkSpan { links, first: 0, nodes, columns }.divide(trunk);
    each_branch(tree, branches.clone(), outer, &|span| eliminate(machine, span))?;
    let all = &mut nodes[..];
    on_machine!(machine, <N> give::<_, N>, (tree: &LinkTree, all: &mut [LinkState<N>]));
    let (own, _) = LinkSpan { links, first: 0, nodes, columns }.divide(trunk);
    eliminate(machine, own)?;
    // outward: the trunk, all branches
    let (own, outer) = LinkSpan { links, first: 0, nodes, columns }.divide(trunk);
    let known = spread(machine, &[], own);
    each_branch(tree, branches, outer, &|span| {
        spread(machine, known, span);
        Ok(())
    })?;
    let nodes = &nodes[..];
    in_pieces(0..problem.bodies(), tree.grain, problem.nodes.room(acc), &|bodies, room: NodeRoom| {
        on_machine!(machine, <N> unload::<_, N>, (problem: &Problem, n: &Numbers, tree: &LinkTree,
            nodes: &[LinkState<N>], bodies: Range<usize>, room: NodeRoom));
    });
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
fn place<const N: usize>(problem: &Problem, n: &Numbers, all: &[TreeLink], span: LinkSpan<N>) {
    let LinkSpan { links, first, nodes, columns } = span;
    let start = links.first().map_or(0, |link| link.columns.start);
    let mut room = [0.0; N];
    for (k, link) in links.iter().enumerate() {
        let (before, rest) = nodes.split_at_mut(k);
        let Some(node) = rest.first_mut() else { continue };
        let inboard = (link.inboard != GROUND).then(|| {
            let carrier = &all[link.inboard];
            let state = &n.bodies[carrier.body];
            let known = link.inboard.checked_sub(first).map(|k| (before[k].w, before[k].rho));
            let (w, rho) = known.unwrap_or_else(|| pose::own::<N>(carrier, state));
            Inboard { state, w, rho }
        });
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

/// Gives the trunk what is left of the branches, the last first.
#[inline(always)]
fn give<L: Lanes, const N: usize>(lanes: L, tree: &LinkTree, nodes: &mut [LinkState<N>]) {
    let trunk = tree.trunk();
    let (inner, outer) = nodes.split_at_mut(trunk);
    for &root in tree.roots.iter().rev() {
        hand_over(lanes, &mut outer[root - trunk], &mut inner[tree.links[root].inboard]);
    }
}

/// Accelerations of links, where those of the trunk are known or they are the trunk.
fn spread<'a, const N: usize>(
    machine: Machine,
    trunk: &[LinkState<N>],
    span: LinkSpan<'a, N>,
) -> &'a [LinkState<N>] {
    let LinkSpan { links, first, nodes, columns } = span;
    let before = (trunk, first);
    {
        let (columns, nodes) = (&*columns, &mut *nodes);
        on_machine!(machine, <N> outward::<_, N>, (links: &[TreeLink], before: (&[LinkState<N>], usize),
            nodes: &mut [LinkState<N>], columns: &[JointColumn<N>]));
    }
    nodes
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
