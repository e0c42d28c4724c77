//! Small dense kernels; rows of known length up to twelve, of any length beyond.

use super::PivotScalar;
use super::sizes::BlockSizes;
use crate::linalg::lanes::Lanes;

/// Rows and columns whose sizes are known in blocks of any length: those of three copies of a body on five equations.
const WIDEST: usize = 36;

/// Calls `$call::<N>($args)`, for the types given, for the length `$n` if it is at most twelve, `$any($args)` otherwise.
macro_rules! of_length {
    ($n:expr, $call:ident, $any:ident, $args:tt) => {
        of_length!($n, $call, $any, $args, L, T)
    };
    ($n:expr, $call:ident, $any:ident, $args:tt, $($type:ident),+) => {
        match $n {
            1 => of_length!(@ $call, 1, $args, $($type),+),
            2 => of_length!(@ $call, 2, $args, $($type),+),
            3 => of_length!(@ $call, 3, $args, $($type),+),
            4 => of_length!(@ $call, 4, $args, $($type),+),
            5 => of_length!(@ $call, 5, $args, $($type),+),
            6 => of_length!(@ $call, 6, $args, $($type),+),
            7 => of_length!(@ $call, 7, $args, $($type),+),
            8 => of_length!(@ $call, 8, $args, $($type),+),
            9 => of_length!(@ $call, 9, $args, $($type),+),
            10 => of_length!(@ $call, 10, $args, $($type),+),
            11 => of_length!(@ $call, 11, $args, $($type),+),
            12 => of_length!(@ $call, 12, $args, $($type),+),
            n => of_length!(@@ $any, n, $args),
        }
    };
    (@ $call:ident, $n:literal, ($($arg:expr),*), $($type:ident),+) => { $call::<$($type),+, $n>($($arg),*) };
    (@@ $any:ident, $n:ident, ($($arg:expr),*)) => { $any($n, $($arg),*) };
}
pub(super) use of_length;

/// The first N of a row.
#[inline(always)]
fn row<T, const N: usize>(from: &[T]) -> &[T; N] {
    from.first_chunk().unwrap_or_else(|| unreachable!("rows are as long as their blocks are wide"))
}

#[inline(always)]
fn row_mut<T, const N: usize>(from: &mut [T]) -> &mut [T; N] {
    from.first_chunk_mut().unwrap_or_else(|| unreachable!("rows are as long as their blocks are wide"))
}

/// `to -= a from`.
#[inline(always)]
pub(super) fn subtract<L: Lanes, T: PivotScalar>(lanes: L, a: T, from: &[T], to: &mut [T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = to.less(lanes, a, *from));
}

/// Does something for each of the first `$s` of twelve places, one after the other, each known to the compiler: what is
/// done for one leaves nothing to loops.
macro_rules! each_place {
    ($s:ident, $k:ident, $body:block, $($n:literal)*) => {
        $(if $n < $s {
            let $k: usize = $n;
            $body
        })*
    };
    (up $s:ident, $k:ident, $body:block) => {
        each_place!($s, $k, $body, 0 1 2 3 4 5 6 7 8 9 10 11)
    };
    (down $s:ident, $k:ident, $body:block) => {
        each_place!($s, $k, $body, 11 10 9 8 7 6 5 4 3 2 1 0)
    };
}
pub(super) use each_place;

/// Takes the largest number of column `k` that is left to its place; it, or it as a part of the block if it is too small.
#[inline(always)]
fn take_pivot<T: PivotScalar, const M: usize>(
    (n, k): (usize, usize),
    d: &mut [T],
    came: &mut [u32],
    (sizes, threshold): (&BlockSizes<M>, f64),
) -> Result<f64, (usize, f64)> {
    let (mut p, mut pivot) = (k, 0.0);
    for i in k..n {
        let candidate = d[i * n + k].magnitude();
        // what is no number is taken, and found out below
        if candidate > pivot || candidate.is_nan() {
            (p, pivot) = (i, candidate);
        }
    }
    if sizes.vanishes(pivot, [came[p] as usize, k], threshold) {
        return Err((k, pivot / sizes.largest));
    }
    if p != k {
        came.swap(k, p);
        let (above, below) = d.split_at_mut(p * n);
        above[k * n..k * n + n].swap_with_slice(&mut below[..n]);
    }
    Ok(pivot)
}

/// Divides by the pivot of row `k` and takes its multiples from the rows below.
#[inline(always)]
fn eliminate<L: Lanes, T: PivotScalar>(lanes: L, (n, k): (usize, usize), d: &mut [T]) {
    let inverse = d[k * n + k].inverse();
    d[k * n + k] = inverse;
    let (above, below) = d.split_at_mut((k + 1) * n);
    let pivot_row = &above[k * n + k + 1..];
    for row in below.chunks_exact_mut(n) {
        if row[k] == T::ZERO {
            continue;
        }
        let l = row[k].times(inverse);
        row[k] = l;
        subtract(lanes, l, pivot_row, &mut row[k + 1..]);
    }
}

/// Factors the square block `d` of rows of length N in place, `P D = L U` with the inverses of the pivots on the
/// diagonal; the least pivot over the largest number of the block, or the column without one. `came` tells from where
/// each row came. O(N^3)
#[inline(always)]
pub(super) fn factor<L: Lanes, T: PivotScalar, const N: usize>(
    lanes: L,
    d: &mut [T],
    came: &mut [u32],
    threshold: f64,
) -> Result<f64, (usize, f64)> {
    let (d, came) = (&mut d[..N * N], row_mut::<u32, N>(came));
    let (sizes, mut least) = (BlockSizes::<N>::of(N, d), f64::INFINITY);
    (0..N).for_each(|k| came[k] = k as u32);
    each_place!(up N, k, {
        let pivot = take_pivot((N, k), d, came, (&sizes, threshold))?;
        least = if pivot < least { pivot } else { least };
        eliminate(lanes, (N, k), d);
    });
    Ok(least / sizes.largest)
}

#[inline(always)]
pub(super) fn factor_any<L: Lanes, T: PivotScalar>(
    n: usize,
    lanes: L,
    d: &mut [T],
    came: &mut [u32],
    threshold: f64,
) -> Result<f64, (usize, f64)> {
    let (sizes, mut least) = (BlockSizes::<WIDEST>::of(n, d), f64::INFINITY);
    came.iter_mut().enumerate().for_each(|(k, came)| *came = k as u32);
    for k in 0..n {
        least = least.min(take_pivot((n, k), d, came, (&sizes, threshold))?);
        eliminate(lanes, (n, k), d);
    }
    Ok(least / sizes.largest)
}

/// The places that rows are exchanged with, one after the other, so that in the end each has come from where it should.
#[inline(always)]
pub(super) fn exchanges(came: &[u32]) -> impl Iterator<Item = (usize, usize)> + '_ {
    came.iter().enumerate().map(|(k, &from)| {
        let mut from = from as usize;
        // what was there has been exchanged before
        while from < k {
            from = came[from] as usize;
        }
        (k, from)
    })
}

/// `U = D^-1 U` for a block of rows of length N, with the factor of D.
#[inline(always)]
pub(super) fn divide<L: Lanes, T: PivotScalar, const N: usize>(
    lanes: L,
    (size, d, came): (usize, &[T], &[u32]),
    u: &mut [T],
) {
    let (u, _) = u.as_chunks_mut::<N>();
    exchanges(came).filter(|(k, from)| k != from).for_each(|(k, from)| u.swap(k, from));
    for (i, row) in d.chunks_exact(size.max(1)).enumerate().skip(1) {
        let (above, below) = u.split_at_mut(i);
        let mut own = below[0];
        for (l, other) in row.iter().zip(above) {
            if *l != T::ZERO {
                (0..N).for_each(|j| own[j] = own[j].less(lanes, *l, other[j]));
            }
        }
        below[0] = own;
    }
    for (i, row) in d.chunks_exact(size.max(1)).enumerate().rev() {
        let (above, below) = u.split_at_mut(i + 1);
        let mut own = above[i];
        for (x, other) in row[i + 1..].iter().zip(below) {
            if *x != T::ZERO {
                (0..N).for_each(|j| own[j] = own[j].less(lanes, *x, other[j]));
            }
        }
        above[i] = own.map(|x| x.times(row[i]));
    }
}

#[inline(always)]
pub(super) fn divide_any<L: Lanes, T: PivotScalar>(
    n: usize,
    lanes: L,
    (size, d, came): (usize, &[T], &[u32]),
    u: &mut [T],
) {
    for (k, from) in exchanges(came).filter(|(k, from)| k != from) {
        let (above, below) = u.split_at_mut(from * n);
        above[k * n..k * n + n].swap_with_slice(&mut below[..n]);
    }
    for i in 1..size {
        let (above, row) = u.split_at_mut(i * n);
        for (l, other) in d[i * size..i * size + i].iter().zip(above.chunks_exact(n)) {
            if *l != T::ZERO {
                subtract(lanes, *l, other, &mut row[..n]);
            }
        }
    }
    for i in (0..size).rev() {
        let (above, below) = u.split_at_mut((i + 1) * n);
        let row = &mut above[i * n..];
        for (x, other) in d[i * size + i + 1..(i + 1) * size].iter().zip(below.chunks_exact(n)) {
            if *x != T::ZERO {
                subtract(lanes, *x, other, row);
            }
        }
        let inverse = d[i * size + i];
        row.iter_mut().for_each(|x| *x = x.times(inverse));
    }
}

/// A target of products: distances between its rows and its columns.
pub(super) type Strides = (usize, usize);

/// `target -= lower^T upper`, where `lower` has rows of length `rows` and `upper` of length N.
#[inline(always)]
pub(super) fn update<L: Lanes, T: PivotScalar, const N: usize>(
    lanes: L,
    rows: usize,
    (lower, upper): (&[T], &[T]),
    target: &mut [T],
    (by_row, by_column): Strides,
) {
    for i in 0..rows {
        let mut sum: [T; N] = std::array::from_fn(|j| target[i * by_row + j * by_column]);
        for (lower, upper) in lower.chunks_exact(rows).zip(upper.chunks_exact(N)) {
            let a = lower[i];
            if a != T::ZERO {
                let upper = row::<T, N>(upper);
                (0..N).for_each(|j| sum[j] = sum[j].less(lanes, a, upper[j]));
            }
        }
        (0..N).for_each(|j| target[i * by_row + j * by_column] = sum[j]);
    }
}

#[inline(always)]
pub(super) fn update_any<L: Lanes, T: PivotScalar>(
    n: usize,
    lanes: L,
    rows: usize,
    (lower, upper): (&[T], &[T]),
    target: &mut [T],
    (by_row, by_column): Strides,
) {
    for i in 0..rows {
        for (lower, upper) in lower.chunks_exact(rows).zip(upper.chunks_exact(n)) {
            let a = lower[i];
            if a == T::ZERO {
                continue;
            }
            for (j, x) in upper.iter().enumerate() {
                let to = &mut target[i * by_row + j * by_column];
                *to = to.less(lanes, a, *x);
            }
        }
    }
}

/// `x = D^-1 x` with the factor of D, of N unknowns. Each is taken from the others as soon as it is known.
#[inline(always)]
pub(super) fn solve<L: Lanes, T: PivotScalar, const N: usize>(
    lanes: L,
    (d, came): (&[T], &[u32]),
    x: &mut [T],
) {
    let (d, came, x) = (&d[..N * N], row::<u32, N>(came), row_mut::<T, N>(x));
    let mut y: [T; N] = std::array::from_fn(|k| x[came[k] as usize]);
    each_place!(up N, k, {
        let known = y[k];
        (k + 1..N).for_each(|i| y[i] = y[i].less(lanes, d[i * N + k], known));
    });
    each_place!(down N, k, {
        let known = y[k].times(d[k * N + k]);
        y[k] = known;
        (0..k).for_each(|i| y[i] = y[i].less(lanes, d[i * N + k], known));
    });
    *x = y;
}

#[inline(always)]
pub(super) fn solve_any<L: Lanes, T: PivotScalar>(
    size: usize,
    lanes: L,
    (d, came): (&[T], &[u32]),
    x: &mut [T],
) {
    exchanges(came).for_each(|(k, from)| x.swap(k, from));
    for i in 1..size {
        let mut own = x[i];
        for (l, x) in d[i * size..i * size + i].iter().zip(&*x) {
            own = own.less(lanes, *l, *x);
        }
        x[i] = own;
    }
    for i in (0..size).rev() {
        let mut own = x[i];
        for (u, x) in d[i * size + i + 1..(i + 1) * size].iter().zip(&x[i + 1..]).rev() {
            own = own.less(lanes, *u, *x);
        }
        x[i] = own.times(d[i * size + i]);
    }
}

/// `y -= B^T x` for a block of rows of length N.
#[inline(always)]
pub(super) fn spread<L: Lanes, T: PivotScalar, const N: usize>(lanes: L, block: &[T], x: &[T], y: &mut [T]) {
    let y = row_mut::<T, N>(y);
    let mut sum = *y;
    for (x, b) in x.iter().zip(block.chunks_exact(N)) {
        let b = row::<T, N>(b);
        (0..N).for_each(|j| sum[j] = sum[j].less(lanes, *x, b[j]));
    }
    *y = sum;
}

#[inline(always)]
pub(super) fn spread_any<L: Lanes, T: PivotScalar>(n: usize, lanes: L, block: &[T], x: &[T], y: &mut [T]) {
    for (x, b) in x.iter().zip(block.chunks_exact(n)) {
        subtract(lanes, *x, b, &mut y[..n]);
    }
}

/// `x -= B y` for a block of rows of length N.
#[inline(always)]
pub(super) fn collect<L: Lanes, T: PivotScalar, const N: usize>(lanes: L, block: &[T], x: &mut [T], y: &[T]) {
    let y = row::<T, N>(y);
    for (x, b) in x.iter_mut().zip(block.chunks_exact(N)) {
        let (b, mut own) = (row::<T, N>(b), *x);
        (0..N).for_each(|j| own = own.less(lanes, b[j], y[j]));
        *x = own;
    }
}

#[inline(always)]
pub(super) fn collect_any<L: Lanes, T: PivotScalar>(n: usize, lanes: L, block: &[T], x: &mut [T], y: &[T]) {
    for (x, b) in x.iter_mut().zip(block.chunks_exact(n)) {
        b.iter().zip(&y[..n]).for_each(|(b, y)| *x = x.less(lanes, *b, *y));
    }
}
