//! A choice of tree links and bases, rooted and numbered.

use super::lists::Lists;
use super::spanning::Link;

/// No body, no link.
pub(super) const NOWHERE: usize = usize::MAX;

/// Bodies and links, with the links that can carry on each body.
pub(super) struct Net<'a> {
    pub(super) bodies: usize,
    /// Coordinates of each body where nothing carries it.
    pub(super) free: &'a [usize],
    /// The most of them.
    pub(super) widest: usize,
    pub(super) links: &'a [Link],
    /// Links that can carry on each body, ground last.
    pub(super) carriers: Lists,
}

impl<'a> Net<'a> {
    pub(super) fn new(free: &'a [usize], links: &'a [Link]) -> Self {
        let (bodies, widest) = (free.len(), free.iter().copied().max().unwrap_or(0));
        let ends = links.iter().enumerate().filter(|(_, l)| l.can_carry()).flat_map(move |(k, l)| {
            let second = l.bodies.get(1).copied().unwrap_or(bodies);
            [(l.bodies[0], k), (second, k)]
        });
        Self { bodies, free, widest, links, carriers: Lists::group(bodies + 1, ends) }
    }

    /// The other end of a link that can carry; the number of bodies stands for ground.
    pub(super) fn across(&self, link: usize, from: usize) -> usize {
        let bodies = &self.links[link].bodies;
        if from == self.bodies {
            return bodies[0];
        }
        if bodies[0] == from { bodies.get(1).copied().unwrap_or(self.bodies) } else { bodies[0] }
    }
}

/// Which links are in the tree, and which bodies are floating bases.
#[derive(Clone, Debug)]
pub(super) struct TreeChoice {
    pub(super) tree: Vec<bool>,
    pub(super) bases: Vec<usize>,
}

/// A tree with its parents, orders and paths.
#[derive(Default)]
pub(super) struct Rooted {
    pub(super) inboard: Vec<usize>,
    pub(super) link: Vec<usize>,
    pub(super) freedoms: Vec<usize>,
    /// Bodies with parents before children, subtrees contiguous.
    pub(super) preorder: Vec<usize>,
    /// Place in that order.
    pub(super) place: Vec<usize>,
    pub(super) depth: Vec<usize>,
    /// Coordinates of the bodies inboard.
    pub(super) above: Vec<usize>,
    /// First body of the heavy path a body is on.
    head: Vec<usize>,
    /// Last body inwards: the one on ground, or the base.
    pub(super) root: Vec<usize>,
    /// WorkRoom for a walk: bodies that were seen, those to come; bodies outboard of each, and the heaviest next to it.
    seen: Vec<bool>,
    stack: Vec<usize>,
    size: Vec<usize>,
    heavy: Vec<usize>,
}

impl Rooted {
    /// Walks the tree from ground and from the bases. O(bodies + links).
    pub(super) fn new(net: &Net, choice: &TreeChoice) -> Self {
        let mut rooted = Self::default();
        rooted.walk(net, choice);
        rooted
    }

    /// The same for another choice, in the room at hand.
    pub(super) fn walk(&mut self, net: &Net, choice: &TreeChoice) {
        let n = net.bodies;
        for (list, value) in [
            (&mut self.inboard, NOWHERE),
            (&mut self.link, NOWHERE),
            (&mut self.place, 0),
            (&mut self.depth, 0),
            (&mut self.above, 0),
            (&mut self.head, NOWHERE),
        ] {
            refill(list, n, value);
        }
        self.freedoms.clear();
        self.freedoms.extend_from_slice(net.free);
        self.root.clear();
        self.root.extend(0..n);
        self.preorder.clear();
        refill(&mut self.seen, n + 1, false);
        for &start in [n].iter().chain(&choice.bases) {
            self.seen[start] = true;
            self.stack.push(start);
            while let Some(body) = self.stack.pop() {
                if body != n {
                    self.place[body] = self.preorder.len();
                    self.preorder.push(body);
                }
                self.step(net, choice, body);
            }
        }
        self.heavy_paths();
    }

    /// Puts the bodies that a body carries on the stack: the one by the lowest link on top, so that it is walked first.
    fn step(&mut self, net: &Net, choice: &TreeChoice, body: usize) {
        let n = net.bodies;
        for &link in net.carriers.row(body).iter().rev().filter(|&&l| choice.tree[l]) {
            let next = net.across(link, body);
            if std::mem::replace(&mut self.seen[next], true) {
                continue;
            }
            self.link[next] = link;
            self.freedoms[next] = net.links[link].freedoms.unwrap_or(0);
            self.depth[next] = if body == n { 1 } else { self.depth[body] + 1 };
            if body != n {
                self.inboard[next] = body;
                self.above[next] = self.above[body] + self.freedoms[body];
                self.root[next] = self.root[body];
            }
            self.stack.push(next);
        }
    }

    fn heavy_paths(&mut self) {
        let n = self.inboard.len();
        let Self { size, heavy, .. } = self;
        refill(size, n, 1);
        refill(heavy, n, NOWHERE);
        for &body in self.preorder.iter().rev() {
            let up = self.inboard[body];
            if up != NOWHERE {
                size[up] += size[body];
                if heavy[up] == NOWHERE || size[body] > size[heavy[up]] {
                    heavy[up] = body;
                }
            }
        }
        for &body in &self.preorder {
            let up = self.inboard[body];
            self.head[body] = if up != NOWHERE && heavy[up] == body { self.head[up] } else { body };
        }
    }

    /// The outermost body inboard of both (or one of them); `None` if they share none. O(log n).
    pub(super) fn common(&self, mut a: usize, mut b: usize) -> Option<usize> {
        if self.root[a] != self.root[b] {
            return None;
        }
        while self.head[a] != self.head[b] {
            if self.depth[self.head[a]] >= self.depth[self.head[b]] {
                a = self.inboard[self.head[a]];
            } else {
                b = self.inboard[self.head[b]];
            }
        }
        Some(if self.place[a] < self.place[b] { a } else { b })
    }
}

/// `n` times a value, in the room at hand.
pub(super) fn refill<T: Clone>(list: &mut Vec<T>, n: usize, value: T) {
    list.clear();
    list.resize(n, value);
}
