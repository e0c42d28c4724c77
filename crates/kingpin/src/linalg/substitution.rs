//! Forward and backward substitution with one right-hand side, in natural order and in place.

use super::kernel::{backward, block, by_size, forward, gemv, gemv_transposed, head};
use super::kernel_any as any;
use super::lanes::Lanes;
use super::schedule::{BlockColumn, Lower, Schedule, ScheduleSpan};

/// The `N` unknowns at `first`.
#[inline(always)]
fn part<const N: usize>(x: &mut [f64], first: u32) -> &mut [f64; N] {
    match x[first as usize..].first_chunk_mut() {
        Some(part) => part,
        None => panic!("unknowns outside the vector"),
    }
}

/// `x = L^-1 x`.
#[inline(always)]
pub(super) fn forward_columns<L: Lanes>(lanes: L, schedule: &Schedule, values: &[f64], x: &mut [f64]) {
    let mut lowers = &schedule.lowers[..];
    for k in &schedule.columns {
        let mine;
        (mine, lowers) = lowers.split_at(k.lowers as usize);
        let column = &values[k.start as usize..];
        by_size!(k.size, N => forward_column::<L, N>(lanes, column, k, mine, x),
            _ => forward_column_any(lanes, column, k, mine, x));
    }
}

/// `x = L^-1 x` over a branch: what blocks do to unknowns outside of it is left. The first `inside` blocks of each column
/// are not.
#[inline(always)]
pub(super) fn forward_branch<L: Lanes>(
    lanes: L,
    span: ScheduleSpan,
    inside: &[u32],
    values: &[f64],
    first: usize,
    x: &mut [f64],
) {
    let mut lowers = span.lowers;
    for (k, &inside) in span.columns.iter().zip(inside) {
        let mine;
        (mine, lowers) = lowers.split_at(k.lowers as usize);
        let (mine, column) = (&mine[..inside as usize], &values[k.start as usize - first..]);
        by_size!(k.size, N => forward_column::<L, N>(lanes, column, k, mine, x),
            _ => forward_column_any(lanes, column, k, mine, x));
    }
}

/// What one column `z` of a branch does to unknowns `x` outside of it: x_i -= W_ik D_k^-1 z.
#[inline(always)]
pub(super) fn forward_outside<L: Lanes>(
    lanes: L,
    r: &[f64],
    z: &[f64],
    lowers: &[Lower],
    mut below: &[f64],
    x: &mut [f64],
) {
    for lower in lowers {
        let (m, n) = (lower.rows as usize, z.len());
        let (w, rest) = below.split_at(m * n);
        let y = &mut x[lower.range()];
        for ((w_c, &z_c), &r_c) in w.chunks_exact(m.max(1)).zip(z).zip(r) {
            for (y, &w_rc) in y.iter_mut().zip(w_c) {
                *y = lanes.mul_add(w_rc, z_c * r_c, *y);
            }
        }
        below = rest;
    }
}

/// z = L_kk^-1 x_k, then x_i -= W_ik D_k^-1 z for the blocks below; W, L and D^-1 are stored so that all of it adds.
#[inline(always)]
fn forward_column<L: Lanes, const N: usize>(
    lanes: L,
    column: &[f64],
    k: &BlockColumn,
    lowers: &[Lower],
    x: &mut [f64],
) {
    let r = &block::<N, 1>(column)[0];
    forward(lanes, block(&column[N..]), part::<N>(x, k.x));
    let mut below = &column[N + N * N..];
    for lower in lowers {
        let m = lower.rows as usize;
        let (w, rest) = below.split_at(m * N);
        let Ok([z, y]) = x.get_disjoint_mut([k.range(), lower.range()]) else {
            panic!("unknowns outside the vector");
        };
        let z = head::<_, N>(z);
        by_size!(m, M => gemv(lanes, part::<M>(y, 0), block(w), r, z), _ => {
            for ((w_c, &z_c), &r_c) in w.chunks_exact(m.max(1)).zip(z).zip(r) {
                for (y, &w_rc) in y.iter_mut().zip(w_c) {
                    *y = lanes.mul_add(w_rc, z_c * r_c, *y);
                }
            }
        });
        below = rest;
    }
}

/// [`forward_column`], sizes at run time.
#[inline(always)]
fn forward_column_any<L: Lanes>(lanes: L, column: &[f64], k: &BlockColumn, lowers: &[Lower], x: &mut [f64]) {
    let (n, first) = (k.size as usize, k.x as usize);
    let (r, blocks) = column.split_at(n);
    let (l, mut below) = blocks.split_at(n * n);
    any::forward(lanes, l, &mut x[first..first + n]);
    for lower in lowers {
        let m = lower.rows as usize;
        let (w, rest) = below.split_at(m * n);
        for c in 0..n {
            let t = x[first + c] * r[c];
            for (y, &w_rc) in x[lower.x as usize..][..m].iter_mut().zip(&w[c * m..]) {
                *y = lanes.mul_add(w_rc, t, *y);
            }
        }
        below = rest;
    }
}

/// `x = L^-T D^-1 x`.
#[inline(always)]
pub(super) fn backward_columns<L: Lanes>(lanes: L, schedule: &Schedule, values: &[f64], x: &mut [f64]) {
    let mut lowers = &schedule.lowers[..];
    for k in schedule.columns.iter().rev() {
        let mine;
        (lowers, mine) = lowers.split_at(lowers.len() - k.lowers as usize);
        let column = &values[k.start as usize..];
        by_size!(k.size, N => backward_column::<L, N, false>(lanes, column, k, (mine, 0), x, &[]),
            _ => backward_column_any(lanes, column, k, (mine, mine.len()), x, &[]));
    }
}

/// `x = L^-T D^-1 x` over a branch, where unknowns `outside` of it are known.
#[inline(always)]
pub(super) fn backward_branch<L: Lanes>(
    lanes: L,
    span: ScheduleSpan,
    inside: &[u32],
    values: &[f64],
    x: &mut [f64],
    outside: &[f64],
) {
    let mut lowers = span.lowers;
    for (k, &inside) in span.columns.iter().zip(inside).rev() {
        let mine;
        (lowers, mine) = lowers.split_at(lowers.len() - k.lowers as usize);
        let (mine, column) = ((mine, inside as usize), &values[k.start as usize..]);
        by_size!(k.size, N => backward_column::<L, N, true>(lanes, column, k, mine, x, outside),
            _ => backward_column_any(lanes, column, k, mine, x, outside));
    }
}

/// x_k = L_kk^-T D_k^-1 (z_k - W_ik^T x_i over the blocks below); those behind the first `inside` are `outside` of a
/// branch.
#[inline(always)]
fn backward_column<L: Lanes, const N: usize, const BRANCH: bool>(
    lanes: L,
    column: &[f64],
    k: &BlockColumn,
    (lowers, inside): (&[Lower], usize),
    x: &mut [f64],
    outside: &[f64],
) {
    let r = &block::<N, 1>(column)[0];
    let mut t: [f64; N] = std::array::from_fn(|c| -x[k.x as usize..][..N][c]);
    let mut below = &column[N + N * N..];
    for (index, lower) in lowers.iter().enumerate() {
        let m = lower.rows as usize;
        let (w, rest) = below.split_at(m * N);
        let x = if !BRANCH || index < inside { &*x } else { outside };
        by_size!(m, M => gemv_transposed(lanes, &mut t, block(w), head::<_, M>(&x[lower.x as usize..])), _ => {
            for (w_c, t_c) in w.chunks_exact(m.max(1)).zip(&mut t) {
                for (&y, &w_rc) in x[lower.x as usize..][..m].iter().zip(w_c) {
                    *t_c = lanes.mul_add(w_rc, y, *t_c);
                }
            }
        });
        below = rest;
    }
    let z = part::<N>(x, k.x);
    *z = std::array::from_fn(|c| t[c] * r[c]);
    backward(lanes, block(&column[N..]), z);
}

/// [`backward_column`], sizes at run time.
#[inline(always)]
fn backward_column_any<L: Lanes>(
    lanes: L,
    column: &[f64],
    k: &BlockColumn,
    (lowers, inside): (&[Lower], usize),
    x: &mut [f64],
    outside: &[f64],
) {
    let (n, first) = (k.size as usize, k.x as usize);
    let (r, blocks) = column.split_at(n);
    let (l, below) = blocks.split_at(n * n);
    for c in 0..n {
        let mut t = -x[first + c];
        let mut start = 0;
        for (index, lower) in lowers.iter().enumerate() {
            let (m, x) = (lower.rows as usize, if index < inside { &*x } else { outside });
            for (&y, &w_rc) in x[lower.x as usize..][..m].iter().zip(&below[start + c * m..]) {
                t = lanes.mul_add(w_rc, y, t);
            }
            start += m * n;
        }
        x[first + c] = t * r[c];
    }
    any::backward(lanes, l, &mut x[first..first + n]);
}
