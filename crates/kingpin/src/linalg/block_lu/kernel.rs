//! Small dense kernels; rows of known length up to twelve, of any length beyond.

use super::PivotScalar;
use crate::linalg::lanes::Lanes;

/// Calls `$call::<N>($args)` for the length `$n` if it is at most twelve, `$any($args)` otherwise.
macro_rules! of_length {
    ($n:expr, $call:ident, $any:ident, ($($arg:expr),*)) => {
        match $n {
            1 => $call::<L, T, 1>($($arg),*),
            2 => $call::<L, T, 2>($($arg),*),
            3 => $call::<L, T, 3>($($arg),*),
            4 => $call::<L, T, 4>($($arg),*),
            5 => $call::<L, T, 5>($($arg),*),
            6 => $call::<L, T, 6>($($arg),*),
            7 => $call::<L, T, 7>($($arg),*),
            8 => $call::<L, T, 8>($($arg),*),
            9 => $call::<L, T, 9>($($arg),*),
            10 => $call::<L, T, 10>($($arg),*),
            11 => $call::<L, T, 11>($($arg),*),
            12 => $call::<L, T, 12>($($arg),*),
            n => $any(n, $($arg),*),
        }
    };
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
fn subtract<L: Lanes, T: PivotScalar>(lanes: L, a: T, from: &[T], to: &mut [T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = to.less(lanes, a, *from));
}

/// Factors the square block `d` of rows of length `n` in place, `P D = L U` with the inverses of the pivots on the
/// diagonal; the least pivot over the largest number of the block, or the column without one. O(n^3)
#[inline(always)]
pub(super) fn factor<L: Lanes, T: PivotScalar>(
    lanes: L,
    n: usize,
    d: &mut [T],
    exchange: &mut [u32],
    threshold: f64,
) -> Result<f64, (usize, f64)> {
    let scale = d.iter().fold(0.0_f64, |most, x| most.max(x.magnitude()));
    let mut least = f64::INFINITY;
    for k in 0..n {
        let (mut p, mut pivot) = (k, 0.0);
        for i in k..n {
            let candidate = d[i * n + k].magnitude();
            // what is no number is taken, and found out below
            if candidate > pivot || candidate.is_nan() {
                (p, pivot) = (i, candidate);
            }
        }
        if !(pivot > threshold * scale && pivot.is_finite()) {
            return Err((k, pivot / scale));
        }
        least = least.min(pivot / scale);
        exchange[k] = p as u32;
        if p != k {
            let (above, below) = d.split_at_mut(p * n);
            above[k * n..k * n + n].swap_with_slice(&mut below[..n]);
        }
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
    Ok(least)
}

/// `U = D^-1 U` for a block of rows of length N, with the factor of D.
#[inline(always)]
pub(super) fn divide<L: Lanes, T: PivotScalar, const N: usize>(
    lanes: L,
    (size, d, exchange): (usize, &[T], &[u32]),
    u: &mut [T],
) {
    divide_any::<L, T>(N, lanes, (size, d, exchange), u);
}

#[inline(always)]
pub(super) fn divide_any<L: Lanes, T: PivotScalar>(
    n: usize,
    lanes: L,
    (size, d, exchange): (usize, &[T], &[u32]),
    u: &mut [T],
) {
    for (k, &p) in exchange.iter().enumerate() {
        let p = p as usize;
        if p != k {
            let (above, below) = u.split_at_mut(p * n);
            above[k * n..k * n + n].swap_with_slice(&mut below[..n]);
        }
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

/// `x = D^-1 x` with the factor of D.
#[inline(always)]
pub(super) fn solve<L: Lanes, T: PivotScalar>(
    lanes: L,
    (size, d, exchange): (usize, &[T], &[u32]),
    x: &mut [T],
) {
    exchange.iter().enumerate().for_each(|(k, &p)| x.swap(k, p as usize));
    for i in 1..size {
        let mut own = x[i];
        for (l, x) in d[i * size..i * size + i].iter().zip(&*x) {
            own = own.less(lanes, *l, *x);
        }
        x[i] = own;
    }
    for i in (0..size).rev() {
        let mut own = x[i];
        for (u, x) in d[i * size + i + 1..(i + 1) * size].iter().zip(&x[i + 1..]) {
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
