//! Which equations are eliminated with which body.

use crate::dynamics::forms::jacobian::CoordinateJacobian;
use crate::system::System;
use std::collections::VecDeque;

/// Equations by the node of the elimination that they belong to. A body takes those of the joint that carries it in a
/// spanning tree, and of whatever else relates it to the same neighbour, as long as they are independent in its own
/// coordinates: so its block is regular whichever other nodes were eliminated before. Equations that close loops have
/// nodes of their own and wait for all bodies of the loop.
#[derive(Clone, Debug, Default)]
pub(super) struct Grouping {
    /// Kept rows of each body.
    pub of_body: Vec<Vec<usize>>,
    /// Kept rows of each node behind those of the bodies, and the bodies that go before it.
    pub closing: Vec<(Vec<usize>, Vec<usize>)>,
}

/// A joint or driver: its kept rows and the bodies that they move.
struct Tie {
    rows: Vec<usize>,
    bodies: Vec<usize>,
    used: bool,
}

/// Rows with less than this left of their length are dependent on others.
const INDEPENDENT: f64 = 1e-6;

/// A spanning forest: who carries a body, ground or nobody, and how far from there it is.
#[derive(Clone, Copy, Default)]
struct Carried {
    visited: bool,
    parent: Option<usize>,
    depth: usize,
}

impl Grouping {
    /// Grows a tree of short loops. `values` are the numbers of Phi_x in a configuration like any other.
    /// O(equations + lengths of the loops)
    pub fn new(system: &System, jacobian: &CoordinateJacobian, values: &[f64]) -> Self {
        let mut growing = Growing {
            system,
            jacobian,
            values,
            ties: ties(system, jacobian),
            tree: vec![Carried::default(); system.bodies()],
            of_body: vec![Vec::new(); system.bodies()],
        };
        growing.grow();
        growing.merge();
        let Growing { ties, tree, of_body, .. } = growing;
        let closing = ties.into_iter().filter(|tie| !tie.used);
        let closing = closing.map(|tie| (tie.rows, on_loop(&tree, &tie.bodies))).collect();
        Self { of_body, closing }
    }
}

/// Joints and drivers with rows that are kept.
fn ties(system: &System, jacobian: &CoordinateJacobian) -> Vec<Tie> {
    let layout = &system.layout;
    let mut row = 0;
    let each = layout.groups.iter().map(|group| {
        let first = row;
        while jacobian.equation.get(row).is_some_and(|&equation| equation < group.rows.end) {
            row += 1;
        }
        let bodies = layout.blocks[group.blocks.clone()].iter().map(|block| block.body).collect();
        Tie { rows: (first..row).collect(), bodies, used: false }
    });
    each.filter(|tie| !tie.rows.is_empty()).collect()
}

struct Growing<'s> {
    system: &'s System,
    jacobian: &'s CoordinateJacobian,
    values: &'s [f64],
    ties: Vec<Tie>,
    tree: Vec<Carried>,
    of_body: Vec<Vec<usize>>,
}

impl Growing<'_> {
    /// From the ground on, body by body; bodies that nothing relates to the ground begin trees of their own.
    fn grow(&mut self) {
        let bodies = self.system.bodies();
        let mut ties_of = vec![Vec::new(); bodies];
        for (k, tie) in self.ties.iter().enumerate() {
            tie.bodies.iter().for_each(|&b| ties_of[b].push(k));
        }
        let mut waiting = VecDeque::new();
        for k in 0..self.ties.len() {
            if let [body] = self.ties[k].bodies[..] {
                self.carry(k, body, None, &mut waiting);
            }
        }
        for root in 0..=bodies {
            while let Some(body) = waiting.pop_front() {
                for &k in &ties_of[body] {
                    if let [a, b] = self.ties[k].bodies[..] {
                        let other = if a == body { b } else { a };
                        self.carry(k, other, Some(body), &mut waiting);
                    }
                }
            }
            if root < bodies && !self.tree[root].visited {
                self.tree[root].visited = true;
                waiting.push_back(root);
            }
        }
    }

    /// Lets a joint carry a body, if it is not carried and the joint can.
    fn carry(&mut self, tie: usize, body: usize, parent: Option<usize>, waiting: &mut VecDeque<usize>) {
        if self.tree[body].visited || !self.take(tie, body) {
            return;
        }
        let depth = parent.map_or(0, |p| self.tree[p].depth + 1);
        self.tree[body] = Carried { visited: true, parent, depth };
        waiting.push_back(body);
    }

    /// Gives the rows of a joint to a body, if all it has then are independent there.
    fn take(&mut self, tie: usize, body: usize) -> bool {
        let node = &self.system.nodes[body];
        let rows: Vec<usize> = self.of_body[body].iter().chain(&self.ties[tie].rows).copied().collect();
        if self.ties[tie].used || rows.len() > node.nv {
            return false;
        }
        let own = |row: usize| {
            let mut out = vec![0.0; node.nv];
            for &(place, c) in self.jacobian.rows[row].iter().filter(|(_, c)| node.v().contains(c)) {
                out[c - node.v] = self.values[place];
            }
            out
        };
        if !independent(rows.iter().map(|&row| own(row)).collect()) {
            return false;
        }
        self.of_body[body] = rows;
        self.ties[tie].used = true;
        true
    }

    /// What else relates bodies to those that carry them.
    fn merge(&mut self) {
        for k in 0..self.ties.len() {
            let (body, other) = match self.ties[k].bodies[..] {
                [body] => (body, None),
                [a, b] if self.tree[b].parent == Some(a) => (b, Some(a)),
                [a, b] if self.tree[a].parent == Some(b) => (a, Some(b)),
                _ => continue,
            };
            if self.tree[body].parent == other {
                self.take(k, body);
            }
        }
    }
}

/// Whether rows are linearly independent, by orthogonalisation.
fn independent(mut rows: Vec<Vec<f64>>) -> bool {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for k in 0..rows.len() {
        let (before, own) = rows.split_at_mut(k);
        let length = dot(&own[0], &own[0]).sqrt();
        for _ in 0..2 {
            for other in &*before {
                let part = dot(other, &own[0]);
                own[0].iter_mut().zip(other).for_each(|(x, other)| *x -= part * other);
            }
        }
        let left = dot(&own[0], &own[0]).sqrt();
        if left.is_nan() || left <= INDEPENDENT * length {
            return false;
        }
        own[0].iter_mut().for_each(|x| *x /= left);
    }
    true
}

/// The bodies of the loop that a joint closes: those on the ways to the body, or the ground, that carries all of its.
fn on_loop(tree: &[Carried], bodies: &[usize]) -> Vec<usize> {
    let mut at: Vec<Option<usize>> = bodies.iter().map(|&b| Some(b)).collect();
    let mut list = Vec::new();
    // the deepest goes up until all have met
    loop {
        let depth = |b: Option<usize>| b.map_or(-1, |b| tree[b].depth as i64);
        let deepest = at.iter().copied().max_by_key(|&b| depth(b)).flatten();
        let Some(body) = deepest else { break };
        if at.len() > 1 && at.iter().all(|&b| b == Some(body)) {
            break;
        }
        list.push(body);
        for b in at.iter_mut().filter(|b| **b == Some(body)) {
            *b = tree[body].parent;
        }
    }
    // the bodies of the joint itself, even one that carries the others
    list.extend(bodies);
    list.sort_unstable();
    list.dedup();
    list
}
