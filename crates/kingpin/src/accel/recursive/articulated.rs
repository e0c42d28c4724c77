//! Elimination of the coordinates along the tree, inward, and their accelerations, outward: O(bodies).
//!
//! Articulated-body inertias [Featherstone 1983]: the factorisation of the composite inertia matrix in the
//! order of Lemma 2 [Negrut 1998, section 3.4.3], one coordinate after the other, without forming the matrix.

use super::kernel::{JointColumn, add_inertia, combine, eliminate, force_from, inner, motion_at, times};
use super::mobility::Mobility;
use super::pose::LinkState;
use super::tree::{GROUND, TreeLink};
use crate::linalg::lanes::Lanes;

/// A link one of whose coordinates feels no inertia.
pub(super) struct Weightless {
    pub link: usize,
    pub pivot: f64,
}

/// Eliminates the coordinates of some links that follow each other, from the leaves inward; nodes and columns are
/// theirs. What a link gives to one before them is left to [`hand_over`].
///
/// With I the inertia that a link feels with all that it carries and p the force it needs at rest, each coordinate h takes
/// I -= u u^T / (h . u), u = I h, out; what is left, moved to the reference point of the inboard link, is added there.
#[inline(always)]
pub(super) fn inward<L: Lanes, const N: usize>(
    lanes: L,
    links: &[TreeLink],
    first: usize,
    nodes: &mut [LinkState<N>],
    columns: &mut [JointColumn<N>],
) -> Result<(), Weightless> {
    let start = links.first().map_or(0, |link| link.columns.start);
    for (k, link) in links.iter().enumerate().rev() {
        let (before, rest) = nodes.split_at_mut(k);
        let Some(node) = rest.first_mut() else { continue };
        let own = &mut columns[link.columns.start - start..link.columns.end - start];
        release(lanes, &link.mobility, node, own).map_err(|pivot| Weightless { link: first + k, pivot })?;
        if link.inboard != GROUND && link.inboard >= first {
            hand_over(lanes, node, &mut before[link.inboard - first]);
        }
    }
    Ok(())
}

/// Adds what is left of a link to the one inboard.
#[inline(always)]
pub(super) fn hand_over<L: Lanes, const N: usize>(
    lanes: L,
    node: &mut LinkState<N>,
    inboard: &mut LinkState<N>,
) {
    // p + I c: what the outboard links need for accelerations that no coordinate makes
    let bias = times(lanes, &node.inertia, &node.c);
    for (p, b) in node.p.iter_mut().zip(bias) {
        *p += b;
    }
    add_inertia(lanes, &node.inertia, &node.d, &mut inboard.inertia);
    let moved = force_from(lanes, &node.p, &node.d);
    for (p, m) in inboard.p.iter_mut().zip(moved) {
        *p += m;
    }
}

/// Takes the coordinates of one link out of its inertia; h of a hinge has three numbers, those of a ball are axes of space,
/// so most kernels need only part of I h.
#[inline(always)]
fn release<L: Lanes, const N: usize>(
    lanes: L,
    mobility: &Mobility,
    node: &mut LinkState<N>,
    columns: &mut [JointColumn<N>],
) -> Result<(), f64> {
    let first_turn = if N == 6 { 3 } else { 2 };
    match mobility {
        Mobility::Rigid => Ok(()),
        Mobility::Free => along_axes(lanes, 0, node, columns),
        Mobility::Ball { .. } => along_axes(lanes, first_turn, node, columns),
        Mobility::Hinge { .. } if N == 3 => along_axes(lanes, first_turn, node, columns),
        Mobility::Hinge { .. } => {
            let column = &mut columns[0];
            column.u = combine(lanes, &node.inertia, &column.h, first_turn);
            let (h, u, p) = (&column.h, &column.u, &node.p);
            let along = |x: &[f64; N]| lanes.mul_add(h[3], x[3], lanes.mul_add(h[4], x[4], h[5] * x[5]));
            let (felt, force) = (along(u), along(p));
            finish(lanes, column, felt, -force, node)
        }
        _ => {
            for column in columns {
                column.u = times(lanes, &node.inertia, &column.h);
                let (felt, force) = (inner(lanes, &column.h, &column.u), inner(lanes, &column.h, &node.p));
                finish(lanes, column, felt, -force, node)?;
            }
            Ok(())
        }
    }
}

/// Takes motions along the axes of space from `first` on out of an inertia.
#[inline(always)]
fn along_axes<L: Lanes, const N: usize>(
    lanes: L,
    first: usize,
    node: &mut LinkState<N>,
    columns: &mut [JointColumn<N>],
) -> Result<(), f64> {
    for (k, column) in (first..N).zip(columns) {
        column.u = node.inertia[k];
        let (felt, force) = (column.u[k], node.p[k]);
        finish(lanes, column, felt, -force, node)?;
    }
    Ok(())
}

/// r = 1 / (h . u) and the force f = -h . p on the coordinate, then the elimination.
#[inline(always)]
fn finish<L: Lanes, const N: usize>(
    lanes: L,
    column: &mut JointColumn<N>,
    felt: f64,
    force: f64,
    node: &mut LinkState<N>,
) -> Result<(), f64> {
    let sound = felt > 0.0;
    if !sound {
        return Err(felt);
    }
    (column.r, column.f) = (1.0 / felt, force);
    eliminate(lanes, column, &mut node.inertia, &mut node.p);
    Ok(())
}

/// The acceleration of some links that follow each other, from the ground outward, where those before them are known: that of the inboard link at the own reference point, plus c,
/// plus h q'' of each coordinate.
#[inline(always)]
pub(super) fn outward<L: Lanes, const N: usize>(
    lanes: L,
    links: &[TreeLink],
    (before, first): (&[LinkState<N>], usize),
    nodes: &mut [LinkState<N>],
    columns: &[JointColumn<N>],
) {
    let start = links.first().map_or(0, |link| link.columns.start);
    for (k, link) in links.iter().enumerate() {
        let mut a = nodes[k].c;
        if link.inboard != GROUND {
            let inboard =
                if link.inboard < first { &before[link.inboard] } else { &nodes[link.inboard - first] };
            let carried = motion_at(lanes, &inboard.a, &nodes[k].d);
            for (a, b) in a.iter_mut().zip(carried) {
                *a += b;
            }
        }
        let own = &columns[link.columns.start - start..link.columns.end - start];
        advance(lanes, &link.mobility, own, &mut a);
        nodes[k].a = a;
    }
}

/// Adds the accelerations of the coordinates of one link, the last eliminated first: q'' = r (f - u . a), a += h q''.
#[inline(always)]
fn advance<L: Lanes, const N: usize>(
    lanes: L,
    mobility: &Mobility,
    columns: &[JointColumn<N>],
    a: &mut [f64; N],
) {
    let rate = |column: &JointColumn<N>, a: &[f64; N]| column.r * (column.f - inner(lanes, &column.u, a));
    let first_turn = if N == 6 { 3 } else { 2 };
    match mobility {
        Mobility::Rigid => {}
        Mobility::Free => {
            for (k, column) in columns.iter().enumerate().rev() {
                a[k] += rate(column, a);
            }
        }
        Mobility::Ball { .. } => {
            for (k, column) in columns.iter().enumerate().rev() {
                a[first_turn + k] += rate(column, a);
            }
        }
        Mobility::Hinge { .. } => {
            let column = &columns[0];
            let q = rate(column, a);
            for k in first_turn..N {
                a[k] = if N == 6 { lanes.mul_add(column.h[k], q, a[k]) } else { a[k] + q };
            }
        }
        _ => {
            for column in columns.iter().rev() {
                let q = rate(column, a);
                for k in 0..N {
                    a[k] = lanes.mul_add(column.h[k], q, a[k]);
                }
            }
        }
    }
}
