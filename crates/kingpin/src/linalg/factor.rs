//! Numeric phase of the block factorisation: walks the schedule, one column after the other.
//!
//! With W = L D the column k of the factor is (left-looking)
//!
//! ```text
//! A_ik - sum_j W_ij D_j^-1 W_kj^T   over the columns j < k whose row k is not empty,
//! D_k = diagonal block = L_kk D L_kk^T,   W_ik = that, times L_kk^-T
//! ```
//!
//! Each block operation is one call of a function made for its sizes; runs of columns of equal size stay
//! inside one function.

use super::kernel::{block, block_mut, by_size, gemm, head, scale_columns, syrk, trsm};
use super::kernel_any as any;
use super::lanes::{Lanes, Machine};
use super::pivoting::Pivoting;
use super::schedule::{BlockColumn, Lower, ScheduleSpan, UpdateSource, UpdateTarget};

/// A pivot that failed: elimination position and row within its block.
pub(super) struct FailedPivot {
    pub column: usize,
    pub row: usize,
}

/// Factors some columns in place on the given machine; `values` are those that their schedule speaks of.
pub(super) fn factor(
    machine: Machine,
    span: ScheduleSpan,
    values: &mut [f64],
    pivoting: &mut Pivoting,
) -> Result<(), FailedPivot> {
    match machine {
        Machine::Portable(lanes) => portable::factor(lanes, span, values, pivoting),
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        Machine::Avx2Fma(lanes) => {
            // SAFETY: the witness `lanes` exists only on processors with AVX2 and FMA
            unsafe { avx2_fma::factor(lanes, span, values, pivoting) }
        }
    }
}

impl<'a> ScheduleSpan<'a> {
    /// The lists of the next column.
    #[inline(always)]
    fn lists(&mut self, column: &BlockColumn) -> (&'a [UpdateSource], &'a [Lower]) {
        let (sources, lowers);
        (sources, self.sources) = self.sources.split_at(column.sources as usize);
        (lowers, self.lowers) = self.lowers.split_at(column.lowers as usize);
        (sources, lowers)
    }

    /// The targets of the next source.
    #[inline(always)]
    fn targets(&mut self, source: &UpdateSource) -> &'a [UpdateTarget] {
        let targets;
        (targets, self.targets) = self.targets.split_at(source.targets as usize);
        targets
    }
}

/// Keeps the original diagonal of an `n x n` block in the place of the inverse pivots.
#[inline(always)]
fn save_scales(column: &mut [f64], n: usize) {
    let (scales, block) = column.split_at_mut(n);
    for (j, scale) in scales.iter_mut().enumerate() {
        *scale = block[..n * n][j * n + j];
    }
}

/// Keeps what the positive columns made of the diagonal of a block of negative pivots.
#[inline(always)]
fn save_negative(column: &mut [f64], n: usize) {
    save_scales(column, n);
    column[..n].iter_mut().for_each(|scale| *scale = -*scale);
}

/// Update of a column of `n` scalar columns by one source, sizes at run time.
#[inline(always)]
fn update_any<L: Lanes>(
    lanes: L,
    done: &[f64],
    column: &mut [f64],
    n: usize,
    source: &UpdateSource,
    targets: &[UpdateTarget],
) {
    let k = source.size as usize;
    let r = &done[source.pivots as usize..][..k];
    let (w_k, mut w) = done[source.block as usize..].split_at(n * k);
    any::gemm(lanes, &mut column[n..], w_k, w_k, r, n, n);
    for target in targets {
        let m = target.rows as usize;
        any::gemm(lanes, &mut column[target.offset as usize..], w, w_k, r, m, n);
        w = &w[m * k..];
    }
}

/// One column, sizes at run time.
#[inline(always)]
fn column_any_body<L: Lanes>(
    lanes: L,
    walk: &mut ScheduleSpan,
    values: &mut [f64],
    pivoting: &mut Pivoting,
) -> Result<(), usize> {
    let Some((k, next)) = walk.columns.split_first() else { return Ok(()) };
    let n = k.size as usize;
    let (done, column) = values.split_at_mut(k.start as usize - walk.base);
    let (sources, lowers) = walk.lists(k);
    save_scales(column, n);
    for (index, source) in sources.iter().enumerate() {
        if index as u32 == k.turn {
            save_negative(column, n);
        }
        update_any(lanes, done, column, n, source, walk.targets(source));
    }
    let (r, blocks) = column.split_at_mut(n);
    let (a, mut below) = blocks.split_at_mut(n * n);
    pivoting.factor_any(lanes, a, r, k)?;
    for lower in lowers {
        let m = lower.rows as usize;
        let (b, rest) = below.split_at_mut(m * n);
        any::trsm(lanes, b, a, m, n);
        below = rest;
    }
    walk.columns = next;
    Ok(())
}

/// The drivers for one instruction set.
macro_rules! drivers {
    ($module:ident, $lanes:path, $(#[$feature:meta])*) => {
        mod $module {
            use super::*;

            $(#[$feature])*
            #[inline(never)]
            fn gemm_at<const M: usize, const N: usize>(
                lanes: $lanes,
                c: &mut [f64],
                w: &[f64],
                t: &[[f64; N]],
            ) {
                gemm(lanes, block_mut::<M, N>(c), w.as_chunks().0, t);
            }

            $(#[$feature])*
            #[inline(never)]
            fn trsm_at<const M: usize, const N: usize>(lanes: $lanes, b: &mut [f64], l: &[f64]) {
                trsm::<_, M, N>(lanes, block_mut(b), block(l));
            }

            $(#[$feature])*
            #[inline(never)]
            fn column_any(
                lanes: $lanes,
                walk: &mut ScheduleSpan,
                values: &mut [f64],
                pivoting: &mut Pivoting,
            ) -> Result<(), usize> {
                column_any_body(lanes, walk, values, pivoting)
            }

            /// Update of the blocks below the diagonal by one source of at most 6 scalar columns; `w` are its
            /// blocks from row k on.
            $(#[$feature])*
            #[inline(never)]
            fn update_lowers<const N: usize>(
                lanes: $lanes,
                column: &mut [f64],
                w: &[f64],
                r: &[f64],
                targets: &[UpdateTarget],
            ) {
                let (w_k, mut w) = w.split_at(N * r.len());
                let t = scale_columns::<N>(w_k.as_chunks().0, r);
                for target in targets {
                    let (c, m) = (&mut column[target.offset as usize..], target.rows as usize);
                    by_size!(m, M => gemm_at::<M, N>(lanes, c, w, &t[..r.len()]),
                        _ => any::gemm(lanes, c, w, w_k, r, m, N));
                    w = &w[m * r.len()..];
                }
            }

            /// The columns up to the first of another size.
            $(#[$feature])*
            #[inline(never)]
            fn columns<const N: usize>(
                lanes: $lanes,
                rest: &mut ScheduleSpan,
                values: &mut [f64],
                pivoting: &mut Pivoting,
            ) -> Result<(), usize> {
                let mut walk = *rest;
                while let Some((k, next)) = walk.columns.split_first() && k.size as usize == N {
                    let (done, column) = values.split_at_mut(k.start as usize - walk.base);
                    let (sources, lowers) = walk.lists(k);
                    save_scales(column, N);
                    // subtract what the earlier columns contribute
                    for (index, source) in sources.iter().enumerate() {
                        if index as u32 == k.turn {
                            save_negative(column, N);
                        }
                        let targets = walk.targets(source);
                        by_size!(source.size, K => {
                            let w = &done[source.block as usize..];
                            let r = head::<_, K>(&done[source.pivots as usize..]);
                            syrk::<_, N, K>(lanes, block_mut(&mut column[N..]), block(w), r);
                            if !targets.is_empty() {
                                update_lowers::<N>(lanes, column, w, r, targets);
                            }
                        }, _ => update_any(lanes, done, column, N, source, targets));
                    }
                    // factor the diagonal block
                    let (r, blocks) = column.split_at_mut(N);
                    let (a, mut below) = blocks.split_at_mut(N * N);
                    let r = &mut block_mut::<N, 1>(r)[0];
                    if let Err(row) = pivoting.factor(lanes, block_mut::<N, N>(a), r, k) {
                        *rest = walk;
                        return Err(row);
                    }
                    // divide the blocks below by it
                    for lower in lowers {
                        let m = lower.rows as usize;
                        let (b, others) = below.split_at_mut(m * N);
                        by_size!(m, M => trsm_at::<M, N>(lanes, b, a),
                            _ => any::trsm(lanes, b, a, m, N));
                        below = others;
                    }
                    walk.columns = next;
                }
                *rest = walk;
                Ok(())
            }

            /// All columns of a span.
            $(#[$feature])*
            pub(super) fn factor(
                lanes: $lanes,
                span: ScheduleSpan,
                values: &mut [f64],
                pivoting: &mut Pivoting,
            ) -> Result<(), FailedPivot> {
                let (mut walk, end) = (span, span.first + span.columns.len());
                while let Some(k) = walk.columns.first() {
                    by_size!(k.size, N => columns::<N>(lanes, &mut walk, values, pivoting),
                        _ => column_any(lanes, &mut walk, values, pivoting))
                    .map_err(|row| FailedPivot { column: end - walk.columns.len(), row })?;
                }
                Ok(())
            }
        }
    };
}

drivers!(portable, crate::linalg::lanes::Portable,);
#[cfg(target_arch = "x86_64")]
drivers!(avx2_fma, crate::linalg::lanes::Avx2Fma, #[target_feature(enable = "avx2,fma")]);
