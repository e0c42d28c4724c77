//! The equations outside the tree: their forces carried inward, and the matrix of their multipliers.
//!
//! Row e carried to coordinate c gives y_ec; S = Y D^-1 Y^T with the pivots D of the elimination along the tree.
//! Only the coordinates between ground and the bodies of an equation take part [Negrut 1998, Lemma 3].

use super::super::problem::{Numbers, Problem};
use super::kernel::{JointColumn, centrifugal, cross_add, unpack, wide};
use super::pose::LinkState;
use super::tree::{GROUND, LinkTree};
use crate::linalg::lanes::Lanes;
use crate::linalg::{Arithmetic, BlockPattern, DenseCholesky, ZeroPivot};
use crate::spatial::{BodyState, V3, apply, dot};
use std::ops::Range;

/// Rows of one group of equations.
#[derive(Clone, Debug)]
pub(super) struct CutGroup {
    /// The group.
    pub group: usize,
    /// First kept row among those of the problem.
    pub first: usize,
    /// Rows among those of the cut.
    pub rows: Range<usize>,
}

/// A block of a group on a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// The link it acts on.
    pub link: usize,
    /// The body.
    pub body: usize,
    /// Its first number.
    pub at: usize,
    /// Velocities of the body: numbers of a row.
    pub width: usize,
    /// First row among those of the cut.
    pub row: usize,
    /// Rows.
    pub rows: usize,
}

/// The rows that pass a link, and where their numbers start.
#[derive(Clone, Debug, Default)]
pub(super) struct PassingRows {
    /// Rows of the cut, zeros among them.
    pub rows: Range<usize>,
    /// Start of the forces: one stretch of rows for each entry of a force.
    pub carry: usize,
    /// Start of y: one stretch of rows for each column.
    pub y: usize,
}

/// Structure of the cut.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub groups: Vec<CutGroup>,
    pub loads: Vec<Load>,
    /// One per link.
    pub spans: Vec<PassingRows>,
    /// Rows in all.
    pub rows: usize,
    /// Numbers in all forces and all y.
    pub sizes: [usize; 2],
    /// Rows that yield, and by how much.
    pub compliance: Vec<(usize, f64)>,
}

impl Cut {
    /// Orders the groups so that rows which pass a link are neighbours.
    pub fn new(problem: &Problem, tree: &LinkTree) -> Cut {
        // by the outermost link they act on, so that the rows which pass a link have few gaps between them
        let mut order = tree.cuts.clone();
        let outermost = |g: usize| problem.blocks_of(g).iter().map(|b| tree.link_of[b.body]).max();
        order.sort_by_key(|&g| outermost(g));
        let (mut groups, mut loads, mut rows) = (Vec::new(), Vec::new(), 0);
        let mut spans: Vec<PassingRows> = vec![PassingRows::default(); tree.links.len()];
        for group in order {
            let own = problem.groups[group].clone();
            let range = rows..rows + own.len();
            for block in problem.blocks_of(group) {
                let mut link = tree.link_of[block.body];
                let (body, at, width) = (block.body, block.at, block.nv);
                loads.push(Load { link, body, at, width, row: rows, rows: block.rows });
                // the rows pass all links inward of it
                while link != GROUND {
                    let span = &mut spans[link].rows;
                    *span = if span.end == 0 {
                        range.clone()
                    } else {
                        span.start.min(range.start)..span.end.max(range.end)
                    };
                    link = tree.links[link].inboard;
                }
            }
            rows = range.end;
            groups.push(CutGroup { group, first: own.start, rows: range });
        }
        let mut compliance = Vec::new();
        for &(row, c) in &problem.compliance {
            let own = groups.iter().find(|g: &&CutGroup| g.group == problem.group_of(row));
            compliance.extend(own.map(|g| (g.rows.start + row - g.first, c)));
        }
        let mut sizes = [0; 2];
        for (span, link) in spans.iter_mut().zip(&tree.links) {
            (span.carry, span.y) = (sizes[0], sizes[1]);
            sizes[0] += problem.nodes.widest() * span.rows.len();
            sizes[1] += link.columns.len() * span.rows.len();
        }
        Cut { groups, loads, spans, rows, sizes, compliance }
    }

    /// The failure of a row in terms of joints.
    pub fn failure(&self, pivot: &ZeroPivot) -> ZeroPivot {
        let found = self.groups.iter().find(|g| g.rows.contains(&pivot.row));
        let (block, row) = found.map_or((0, 0), |g| (g.group, pivot.row - g.rows.start));
        ZeroPivot { block, row, ..*pivot }
    }
}

/// A row of a block about the reference point of its link, in global axes; and the row's value of the
/// centrifugal acceleration of the centre of mass.
#[inline(always)]
pub(super) fn row_at<L: Lanes, const N: usize>(
    lanes: L,
    row: &[f64; N],
    body: &BodyState,
    rho: &V3,
    curve: &V3,
) -> (V3, V3, f64) {
    let (lin, ang) = unpack::<N>(row);
    let ang = if N == 6 { apply(&body.a, &ang) } else { ang };
    (lin, cross_add(lanes, rho, &lin, &ang), dot(&lin, curve))
}

/// Numbers of the cut.
#[derive(Clone, Debug)]
pub(super) struct CutWork {
    carry: Vec<f64>,
    y: Vec<f64>,
    s: Vec<f64>,
    cholesky: DenseCholesky,
    /// Right side, then multipliers.
    pub lam: Vec<f64>,
}

impl CutWork {
    pub fn new(cut: &Cut, arithmetic: Arithmetic) -> CutWork {
        let cholesky = DenseCholesky::analyse(&BlockPattern::new(vec![cut.rows], &[]).with(arithmetic));
        CutWork {
            carry: vec![0.0; cut.sizes[0]],
            y: vec![0.0; cut.sizes[1]],
            s: vec![0.0; cholesky.len()],
            cholesky,
            lam: vec![0.0; cut.rows],
        }
    }

    /// Carries all rows to the ground and collects S and the right side Phi a - gamma at zero multipliers.
    #[inline(always)]
    pub fn carry<L: Lanes, const N: usize>(
        &mut self,
        lanes: L,
        (tree, cut): (&LinkTree, &Cut),
        numbers: &Numbers,
        nodes: &[LinkState<N>],
        columns: &[JointColumn<N>],
    ) {
        self.start::<L, N>(lanes, cut, numbers, nodes);
        self.s.fill(0.0);
        for (k, link) in tree.links.iter().enumerate().rev() {
            let span = &cut.spans[k];
            let width = span.rows.len();
            if width == 0 {
                continue;
            }
            let (node, own) = (&nodes[k], &columns[link.columns.clone()]);
            let (outer, inner) = self.carry.split_at_mut(span.carry);
            let carried = &mut inner[..N * width];
            let lam = &mut self.lam[span.rows.clone()];
            for (column, y) in own.iter().zip(self.y[span.y..].chunks_exact_mut(width)) {
                project::<L, N>(lanes, column, carried, y);
                add(lanes, column.r * column.f, y, lam);
            }
            // what the coordinates do not explain
            for (c, row) in node.c.iter().zip(carried.chunks_exact(width)) {
                add(lanes, *c, row, lam);
            }
            let y = &self.y[span.y..][..own.len() * width];
            gather(lanes, own, y, &span.rows, cut.rows, &mut self.s);
            if link.inboard != GROUND {
                let to = &cut.spans[link.inboard];
                let offset = span.rows.start - to.rows.start;
                pass::<L, N>(lanes, carried, &node.d, width, &mut outer[to.carry..], to.rows.len(), offset);
            }
        }
    }

    /// Rows at the links they act on, and what the centres of mass need.
    #[inline(always)]
    fn start<L: Lanes, const N: usize>(&mut self, lanes: L, cut: &Cut, n: &Numbers, nodes: &[LinkState<N>]) {
        // -gamma, plus the centrifugal part of Phi a; the rest of Phi a is collected on the way inward
        for group in &cut.groups {
            for (k, lam) in self.lam[group.rows.clone()].iter_mut().enumerate() {
                *lam = -n.gamma[group.first + k];
            }
        }
        self.carry.fill(0.0);
        let mut room = [0.0; N];
        for load in &cut.loads {
            let (node, body, span) = (&nodes[load.link], &n.bodies[load.body], &cut.spans[load.link]);
            let width = span.rows.len();
            let curve = centrifugal::<N>(&node.w, &node.rho);
            for r in 0..load.rows {
                let row = wide(n.phi_v, load.at + r * load.width, load.width, &mut room);
                let (lin, ang, need) = row_at::<L, N>(lanes, row, body, &node.rho, &curve);
                self.lam[load.row + r] += need;
                let at = span.carry + load.row + r - span.rows.start;
                let force = super::kernel::pack::<N>(&lin, &ang);
                for (k, f) in force.iter().enumerate() {
                    self.carry[at + k * width] += f;
                }
            }
        }
    }

    /// Multipliers from S and the right side.
    pub fn solve(&mut self, cut: &Cut) -> Result<(), ZeroPivot> {
        cut.compliance.iter().for_each(|&(row, c)| self.s[row * cut.rows + row] += c);
        self.cholesky
            .factor(&mut self.s, super::super::elimination::VANISHING)
            .map_err(|p| cut.failure(&p))?;
        self.cholesky.solve(&self.s, &mut self.lam);
        Ok(())
    }

    /// The forces of the multipliers on the coordinates.
    #[inline(always)]
    pub fn apply<L: Lanes, const N: usize>(
        &self,
        lanes: L,
        tree: &LinkTree,
        cut: &Cut,
        columns: &mut [JointColumn<N>],
    ) {
        for (span, link) in cut.spans.iter().zip(&tree.links) {
            let lam = &self.lam[span.rows.clone()];
            let y = self.y[span.y..].chunks_exact(lam.len().max(1));
            for (column, y) in columns[link.columns.clone()].iter_mut().zip(y) {
                let mut sum = 0.0;
                for (y, lam) in y.iter().zip(lam) {
                    sum = lanes.mul_add(*y, *lam, sum);
                }
                column.f -= sum;
            }
        }
    }
}

/// `y += k x`.
#[inline(always)]
fn add<L: Lanes>(lanes: L, k: f64, x: &[f64], y: &mut [f64]) {
    let ((x4, x1), (y4, y1)) = (x.as_chunks::<4>(), y.as_chunks_mut::<4>());
    let factor = lanes.splat4(k);
    for (x, y) in x4.iter().zip(y4) {
        *y = lanes.store4(lanes.mul_add4(lanes.load4(*x), factor, lanes.load4(*y)));
    }
    for (x, y) in x1.iter().zip(y1) {
        *y = lanes.mul_add(*x, k, *y);
    }
}

/// `y = h . force` of each row, and the force without its part on the coordinate.
#[inline(always)]
fn project<L: Lanes, const N: usize>(lanes: L, column: &JointColumn<N>, carried: &mut [f64], y: &mut [f64]) {
    let width = y.len();
    y.fill(0.0);
    for (h, row) in column.h.iter().zip(carried.chunks_exact(width)) {
        add(lanes, *h, row, y);
    }
    for (u, row) in column.u.iter().zip(carried.chunks_exact_mut(width)) {
        add(lanes, -u * column.r, y, row);
    }
}

/// `S += Y D^-1 Y^T` of one link, lower triangle.
#[inline(always)]
fn gather<L: Lanes, const N: usize>(
    lanes: L,
    columns: &[JointColumn<N>],
    y: &[f64],
    rows: &Range<usize>,
    stride: usize,
    s: &mut [f64],
) {
    let width = rows.len();
    for (column, y) in columns.iter().zip(y.chunks_exact(width)) {
        for i in 0..width {
            let at = (rows.start + i) * stride + rows.start;
            add(lanes, column.r * y[i], &y[..=i], &mut s[at..=at + i]);
        }
    }
}

/// Adds the forces of rows, about a point `d` further in, to those of the inboard link.
#[inline(always)]
fn pass<L: Lanes, const N: usize>(
    lanes: L,
    carried: &[f64],
    d: &V3,
    width: usize,
    to: &mut [f64],
    to_width: usize,
    offset: usize,
) {
    let from = |k: usize| &carried[k * width..(k + 1) * width];
    let mut give = |k: usize, factor: f64, x: &[f64]| {
        add(lanes, factor, x, &mut to[k * to_width + offset..][..width]);
    };
    for k in 0..N {
        give(k, 1.0, from(k));
    }
    // torque about the inboard point: d x force
    if N == 6 {
        for k in 0..3 {
            let (a, b) = ((k + 1) % 3, (k + 2) % 3);
            give(3 + k, d[a], from(b));
            give(3 + k, -d[b], from(a));
        }
    } else {
        give(2, d[0], from(1));
        give(2, -d[1], from(0));
    }
}
