//! Spanning trees: which joints carry bodies from one another, and which are cut.
//!
//! A link that can carry a body leaves it `freedoms` relative coordinates as a tree link, and costs its
//! `equations` if it is cut. Bodies that no tree link ties to ground float: one body of each such part is a
//! base with the coordinates of a free body. The tree is chosen by the predicted work of the sparse algorithm
//! of [Negrut 1998, section 3.4.3]: first a spanning tree with the fewest cut equations, grown
//! near to its root, then exchanges of a cut link against a tree link of its loop and moves of bases, as long as
//! they save work. Everything is decided by counting; the same input gives the same tree.

use super::spanning_grow::{forced_cycle, grow, grow_in_order};
use super::spanning_rooted::{NOWHERE, Net, Rooted};
use super::spanning_search::improve;
use super::spanning_work::Prediction;

/// What may be done with a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wish {
    /// Whatever is less work.
    #[default]
    Either,
    /// It must be in the tree.
    Tree,
    /// It must be cut.
    Cut,
}

/// A joint, driver or coupling as the tree sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its bodies without ground, each once. Only links of one body (to ground) or two can be tree links.
    pub bodies: Vec<usize>,
    /// Equations that remain if it is cut.
    pub equations: usize,
    /// Coordinates of the outboard body if it is a tree link; `None` if it cannot be one.
    pub freedoms: Option<usize>,
    /// What the user wants.
    pub wish: Wish,
}

impl Link {
    /// Whether the link may be in a tree.
    pub fn can_carry(&self) -> bool {
        let ends = self.bodies.len() == 1 || (self.bodies.len() == 2 && self.bodies[0] != self.bodies[1]);
        ends && self.freedoms.is_some() && self.wish != Wish::Cut
    }
}

/// Why there is no tree as wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpanningError {
    /// A link names a body that does not exist.
    BodyOutOfRange {
        /// The link.
        link: usize,
        /// The body.
        body: usize,
    },
    /// A link that cannot carry a body is wanted in the tree.
    CannotCarry {
        /// The link.
        link: usize,
    },
    /// Links that are wanted in the tree form a loop.
    Cycle {
        /// The links of the loop, in the order in which it runs.
        links: Vec<usize>,
    },
}

/// A spanning tree (a forest hanging on ground and on floating bases) with its numbering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanningTree {
    /// The body each body hangs on; `None` for ground, and for floating bases.
    pub inboard: Vec<Option<usize>>,
    /// The link that carries each body; `None` for floating bases.
    pub link: Vec<Option<usize>>,
    /// Coordinates of each body relative to its inboard body.
    pub freedoms: Vec<usize>,
    /// Bodies with outboard before inboard ones: the order of elimination in which the composite inertia matrix
    /// has no fill (Lemma 2). Each subtree is contiguous; read backwards, parents come before children.
    pub order: Vec<usize>,
    /// Place of the first coordinate of each body in that order.
    pub start: Vec<usize>,
    /// Tree links between each body and ground or its base; 0 for bases.
    pub depth: Vec<usize>,
    /// Coordinates of all bodies inboard of each body.
    pub above: Vec<usize>,
    /// Cut links, ascending.
    pub cut: Vec<usize>,
    /// Equations of the cut links.
    pub cut_equations: usize,
    /// What the algorithms cost on this tree.
    pub work: Prediction,
}

impl SpanningTree {
    /// Relative coordinates in all.
    pub fn coordinates(&self) -> usize {
        self.freedoms.iter().sum()
    }

    /// The floating bases, ascending.
    pub fn bases(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.link.len()).filter(|&body| self.link[body].is_none())
    }

    /// The bodies from one body inwards, itself first.
    pub fn path(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(body), |&b| self.inboard[b])
    }

    /// The longest path from a body to ground or a base, in tree links.
    pub fn height(&self) -> usize {
        self.depth.iter().copied().max().unwrap_or(0)
    }
}

/// Chooses a spanning tree of the least predicted work it can find.
///
/// `free` are the coordinates of each body where nothing carries it: 6 of a rigid body, 3 in the plane.
/// O(n log n) in bodies and links, plus the exchanges, whose number is limited so that large models stay near that.
pub fn span(free: &[usize], links: &[Link]) -> Result<SpanningTree, SpanningError> {
    check_wishes(free.len(), links)?;
    let net = Net::new(free, links);
    let mut choice = grow(&net);
    improve(&net, &mut choice);
    Ok(finish(&net, &Rooted::new(&net, &choice), &choice.tree))
}

/// Whether all that is wanted can be. O(bodies + links).
pub fn check_wishes(bodies: usize, links: &[Link]) -> Result<(), SpanningError> {
    for (link, of) in links.iter().enumerate() {
        if let Some(&body) = of.bodies.iter().find(|&&b| b >= bodies) {
            return Err(SpanningError::BodyOutOfRange { link, body });
        }
        if of.wish == Wish::Tree && !of.can_carry() {
            return Err(SpanningError::CannotCarry { link });
        }
    }
    forced_cycle(bodies, links).map_or(Ok(()), |links| Err(SpanningError::Cycle { links }))
}

/// The spanning tree with the fewest cut equations that grows from ground and then from the first of `bases` in
/// each part that remains; no search. Wishes must have been checked. O(links log links).
pub fn grow_from(free: &[usize], links: &[Link], bases: &[usize]) -> SpanningTree {
    let net = Net::new(free, links);
    let choice = grow_in_order(&net, bases);
    finish(&net, &Rooted::new(&net, &choice), &choice.tree)
}

/// The result as others see it.
fn finish(net: &Net, rooted: &Rooted, tree: &[bool]) -> SpanningTree {
    let some = |x: &usize| (*x != NOWHERE).then_some(*x);
    let order: Vec<usize> = rooted.preorder.iter().rev().copied().collect();
    let mut start = vec![0; net.bodies];
    let mut next = 0;
    for &body in &order {
        start[body] = next;
        next += rooted.freedoms[body];
    }
    let cut: Vec<usize> = (0..net.links.len()).filter(|&l| !tree[l]).collect();
    SpanningTree {
        inboard: rooted.inboard.iter().map(some).collect(),
        link: rooted.link.iter().map(some).collect(),
        freedoms: rooted.freedoms.clone(),
        order,
        start,
        depth: rooted.depth.clone(),
        above: rooted.above.clone(),
        cut_equations: cut.iter().map(|&l| net.links[l].equations).sum(),
        cut,
        work: Prediction::new(net, rooted, tree),
    }
}
