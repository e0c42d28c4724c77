//! Dense kernels on small blocks of fixed size.
//!
//! Blocks are column-major arrays of columns, `a[column][row]`. A diagonal block is kept as `L D L^T` with
//! unit lower triangular L; what is stored is `-L` below the diagonal and `-D^-1` beside it, so that every
//! later operation is a multiply-add. Square roots stay out of it: they would sit on the chain of dependent
//! operations that bounds the speed of a long chain of blocks.

use super::lanes::{Lanes, RowLanes};

/// The `R x C` block at the start of `values`.
///
/// # Panics
/// If `values` is shorter than the block.
#[inline(always)]
pub(super) fn block<const R: usize, const C: usize>(values: &[f64]) -> &[[f64; R]; C] {
    match values.as_chunks::<R>().0.first_chunk::<C>() {
        Some(block) => block,
        None => panic!("block outside the values"),
    }
}

/// The first `K` items, as an array: a loop over it has a length the compiler knows.
///
/// # Panics
/// If there are fewer.
#[inline(always)]
pub(super) fn head<T, const K: usize>(items: &[T]) -> &[T; K] {
    match items.first_chunk() {
        Some(head) => head,
        None => panic!("fewer items than their size"),
    }
}

/// The mutable `R x C` block at the start of `values`.
///
/// # Panics
/// If `values` is shorter than the block.
#[inline(always)]
pub(super) fn block_mut<const R: usize, const C: usize>(values: &mut [f64]) -> &mut [[f64; R]; C] {
    match values.as_chunks_mut::<R>().0.first_chunk_mut::<C>() {
        Some(block) => block,
        None => panic!("block outside the values"),
    }
}

/// Repeats `$body` with the const `$j` = 0, 1, ... below the const `$n`, at most 6; unrolled in the source
/// because the compiler's unroller gives up on nests of this size.
macro_rules! unroll {
    ($j:ident < $n:ident, $body:expr) => {{
        {
            const $j: usize = 0;
            if $j < $n {
                $body
            }
        }
        {
            const $j: usize = 1;
            if $j < $n {
                $body
            }
        }
        {
            const $j: usize = 2;
            if $j < $n {
                $body
            }
        }
        {
            const $j: usize = 3;
            if $j < $n {
                $body
            }
        }
        {
            const $j: usize = 4;
            if $j < $n {
                $body
            }
        }
        {
            const $j: usize = 5;
            if $j < $n {
                $body
            }
        }
    }};
}

/// Evaluates `$fixed` with the const `$n` equal to `$size` for sizes 1 to 6, `$other` for the rest.
macro_rules! by_size {
    ($size:expr, $n:ident => $fixed:expr, _ => $other:expr) => {
        match $size {
            1 => {
                const $n: usize = 1;
                $fixed
            }
            2 => {
                const $n: usize = 2;
                $fixed
            }
            3 => {
                const $n: usize = 3;
                $fixed
            }
            4 => {
                const $n: usize = 4;
                $fixed
            }
            5 => {
                const $n: usize = 5;
                $fixed
            }
            6 => {
                const $n: usize = 6;
                $fixed
            }
            _ => $other,
        }
    };
}
pub(super) use by_size;

/// `c += w diag(r) w^T`, lower triangle; entries above the diagonal may be overwritten.
#[inline(always)]
pub(super) fn syrk<L: Lanes, const N: usize, const K: usize>(
    lanes: L,
    c: &mut [[f64; N]; N],
    w: &[[f64; N]; K],
    r: &[f64; K],
) {
    let mut t = [RowLanes::zero(lanes); K];
    unroll!(I < K, t[I] = RowLanes::load(lanes, &w[I]).times(r[I]));
    unroll!(J < N, {
        let mut column = RowLanes::load(lanes, &c[J]);
        unroll!(I < K, column = column.plus(t[I], w[I][J]));
        column.store_from(J, &mut c[J]);
    });
}

/// `w diag(r)`, in the first of the columns returned.
///
/// # Panics
/// If there are more than 6 columns.
#[inline(always)]
pub(super) fn scale_columns<const N: usize>(w: &[[f64; N]], r: &[f64]) -> [[f64; N]; 6] {
    let mut t = [[0.0; N]; 6];
    for ((t, w), r) in t[..r.len()].iter_mut().zip(w).zip(r) {
        *t = w.map(|w| w * r);
    }
    t
}

/// `c += w t^T`: all of `c` stays in registers while the columns of `w` and `t` pass by.
#[inline(always)]
pub(super) fn gemm<L: Lanes, const M: usize, const N: usize>(
    lanes: L,
    c: &mut [[f64; M]; N],
    w: &[[f64; M]],
    t: &[[f64; N]],
) {
    let mut columns = [RowLanes::zero(lanes); N];
    unroll!(J < N, columns[J] = RowLanes::load(lanes, &c[J]));
    for (w_k, t_k) in w.iter().zip(t) {
        let w_k = RowLanes::load(lanes, w_k);
        unroll!(J < N, columns[J] = columns[J].plus(w_k, t_k[J]));
    }
    unroll!(J < N, columns[J].store_from(0, &mut c[J]));
}

/// `a = L D L^T` from the lower triangle of `a`: `-L` below the diagonal, D on it, `r = -D^-1`.
///
/// On entry `r` holds the scale of each row; returns the first row whose pivot does not exceed
/// `threshold * scale`.
#[inline(always)]
pub(super) fn ldl<L: Lanes, const N: usize>(
    lanes: L,
    a: &mut [[f64; N]; N],
    r: &mut [f64; N],
    threshold: f64,
) -> Result<(), usize> {
    unroll!(J < N, {
        let d = a[J][J];
        let sound = d > threshold * r[J];
        if !sound {
            return Err(J);
        }
        r[J] = -1.0 / d;
        let w = a[J];
        for c in J + 1..N {
            a[J][c] = w[c] * r[J];
            for i in c..N {
                a[c][i] = if i == J + 1 {
                    // the next pivot waits for nothing but the division
                    lanes.mul_add(w[i] * w[i], r[J], a[c][i])
                } else {
                    lanes.mul_add(w[i], a[J][c], a[c][i])
                };
            }
        }
    });
    Ok(())
}

/// `b = b L^-T` where `l` holds `-L` below its diagonal.
#[inline(always)]
pub(super) fn trsm<L: Lanes, const M: usize, const N: usize>(
    lanes: L,
    b: &mut [[f64; M]; N],
    l: &[[f64; N]; N],
) {
    let mut columns = [RowLanes::zero(lanes); N];
    unroll!(J < N, columns[J] = RowLanes::load(lanes, &b[J]));
    unroll!(J < N, {
        let (known, unknown) = columns.split_at_mut(J);
        for (k, w_k) in known.iter().enumerate() {
            unknown[0] = unknown[0].plus(*w_k, l[k][J]);
        }
        unknown[0].store_from(0, &mut b[J]);
    });
}

/// `x = L^-1 x` where `l` holds `-L` below its diagonal.
#[inline(always)]
pub(super) fn forward<L: Lanes, const N: usize>(lanes: L, l: &[[f64; N]; N], x: &mut [f64; N]) {
    for j in 0..N {
        for i in j + 1..N {
            x[i] = lanes.mul_add(l[j][i], x[j], x[i]);
        }
    }
}

/// `x = L^-T x` where `l` holds `-L` below its diagonal.
#[inline(always)]
pub(super) fn backward<L: Lanes, const N: usize>(lanes: L, l: &[[f64; N]; N], x: &mut [f64; N]) {
    for i in (1..N).rev() {
        for j in 0..i {
            x[j] = lanes.mul_add(l[j][i], x[i], x[j]);
        }
    }
}

/// `y += w diag(r) z`; the scaling goes to `w`, which is known before `z` is.
#[inline(always)]
pub(super) fn gemv<L: Lanes, const M: usize, const N: usize>(
    lanes: L,
    y: &mut [f64; M],
    w: &[[f64; M]; N],
    r: &[f64; N],
    z: &[f64; N],
) {
    let mut rows = RowLanes::load(lanes, y);
    unroll!(J < N, rows = rows.plus(RowLanes::load(lanes, &w[J]).times(r[J]), z[J]));
    rows.store_from(0, y);
}

/// `t += w^T y`; the last rows first, since backward substitution finds them first.
#[inline(always)]
pub(super) fn gemv_transposed<L: Lanes, const M: usize, const N: usize>(
    lanes: L,
    t: &mut [f64; N],
    w: &[[f64; M]; N],
    y: &[f64; M],
) {
    for j in 0..N {
        for i in (0..M).rev() {
            t[j] = lanes.mul_add(w[j][i], y[i], t[j]);
        }
    }
}
