//! How a diagonal block is factored: every pivot accepted, or dependent rows dropped.

use super::kernel;
use super::kernel_any as any;
use super::lanes::Lanes;
use super::schedule::{BlockColumn, POSITIVE};

/// What to do about pivots that are nearly zero.
pub(super) enum Pivoting<'a> {
    /// Positive definite: a pivot not above `threshold` times its original diagonal is an error.
    Definite { threshold: f64 },
    /// Positive semidefinite: dependent rows are dropped.
    Semidefinite(Semidefinite<'a>),
}

/// How rows are dropped, and which were.
pub(super) struct Semidefinite<'a> {
    /// Pivots not above this fraction of their original diagonal count as zero.
    pub tolerance: f64,
    /// Pivots above this fraction need no second look: errors they amplify stay below the tolerance.
    pub comfort: f64,
    /// Rows dropped, in natural order.
    pub dropped: &'a mut [bool],
    /// How many.
    pub count: usize,
    /// Room for a copy of the largest diagonal block and its scales.
    pub scratch: &'a mut [f64],
}

impl Pivoting<'_> {
    /// Number of rows dropped.
    pub fn dropped(&self) -> usize {
        match self {
            Self::Definite { .. } => 0,
            Self::Semidefinite(rule) => rule.count,
        }
    }

    /// Factors the diagonal block `a` of a column in place: `-L` below the diagonal, `r` from the scales of
    /// the rows to the negative inverse pivots. An error is the row that stopped it.
    #[inline(always)]
    pub fn factor<L: Lanes, const N: usize>(
        &mut self,
        lanes: L,
        a: &mut [[f64; N]; N],
        r: &mut [f64; N],
        column: &BlockColumn,
    ) -> Result<(), usize> {
        match self {
            Self::Definite { threshold } if column.turn == POSITIVE => kernel::ldl(lanes, a, r, *threshold),
            Self::Definite { threshold } => {
                negate(a.as_flattened_mut(), r, column);
                kernel::ldl(lanes, a, r, *threshold)?;
                r.iter_mut().for_each(|r| *r = -*r);
                Ok(())
            }
            Self::Semidefinite(rule) => rule.factor(lanes, a, r, column),
        }
    }

    /// The same for a block of any size.
    #[inline(always)]
    pub fn factor_any<L: Lanes>(
        &mut self,
        lanes: L,
        a: &mut [f64],
        r: &mut [f64],
        column: &BlockColumn,
    ) -> Result<(), usize> {
        match self {
            Self::Definite { threshold } if column.turn == POSITIVE => any::ldl(lanes, a, r, *threshold),
            Self::Definite { threshold } => {
                negate(a, r, column);
                any::ldl(lanes, a, r, *threshold)?;
                r.iter_mut().for_each(|r| *r = -*r);
                Ok(())
            }
            Self::Semidefinite(rule) => rule.factor_any(lanes, a, r, column),
        }
    }
}

/// Turns a diagonal block of negative pivots into one of positive ones; its scale is known already unless all
/// that updated it was positive.
#[inline(always)]
fn negate(a: &mut [f64], r: &mut [f64], column: &BlockColumn) {
    a.iter_mut().for_each(|x| *x = -*x);
    if column.turn == column.sources {
        let n = r.len();
        r.iter_mut().enumerate().for_each(|(k, r)| *r = a[k * n + k]);
    }
}

impl Semidefinite<'_> {
    /// Keeps the whole block if no pivot is in doubt, else looks closer.
    #[inline(always)]
    fn factor<L: Lanes, const N: usize>(
        &mut self,
        lanes: L,
        a: &mut [[f64; N]; N],
        r: &mut [f64; N],
        column: &BlockColumn,
    ) -> Result<(), usize> {
        let (mut l, mut inverse) = (*a, *r);
        if kernel::ldl(lanes, &mut l, &mut inverse, self.comfort).is_err() {
            return self.reveal(a.as_flattened_mut(), r, column);
        }
        (*a, *r) = (l, inverse);
        Ok(())
    }

    /// The same for a block of any size.
    #[inline(always)]
    fn factor_any<L: Lanes>(
        &mut self,
        lanes: L,
        a: &mut [f64],
        r: &mut [f64],
        column: &BlockColumn,
    ) -> Result<(), usize> {
        let (l, inverse) = self.scratch.split_at_mut(a.len());
        let inverse = &mut inverse[..r.len()];
        l.copy_from_slice(a);
        inverse.copy_from_slice(r);
        if any::ldl(lanes, l, inverse, self.comfort).is_err() {
            return self.reveal(a, r, column);
        }
        a.copy_from_slice(l);
        r.copy_from_slice(inverse);
        Ok(())
    }

    /// Decides which rows of a doubtful block to keep, then factors it over those.
    #[cold]
    #[inline(never)]
    fn reveal(&mut self, a: &mut [f64], r: &mut [f64], column: &BlockColumn) -> Result<(), usize> {
        let n = r.len();
        let dropped = &mut self.dropped[column.x as usize..][..n];
        let copy = &mut self.scratch[..n * n];
        for c in 0..n {
            for i in c..n {
                if !a[c * n + i].is_finite() {
                    return Err(i);
                }
                copy[c * n + i] = a[c * n + i];
                copy[i * n + c] = a[c * n + i];
            }
        }
        choose_rows(copy, r, self.tolerance, dropped);
        self.count += dropped.iter().filter(|&&d| d).count();
        factor_kept(a, r, dropped);
        Ok(())
    }
}

/// Symmetric elimination of the full matrix `s` with the largest remaining pivot, relative to its scale,
/// first; marks the rows that remain when none exceeds `tolerance`.
fn choose_rows(s: &mut [f64], scale: &[f64], tolerance: f64, dropped: &mut [bool]) {
    let n = scale.len();
    dropped.fill(true);
    loop {
        // the best of the rows not yet kept; earlier rows win ties
        let mut best = None;
        let mut largest = 0.0;
        for j in (0..n).filter(|&j| dropped[j]) {
            let ratio = s[j * n + j] / scale[j];
            if s[j * n + j] > tolerance * scale[j] && ratio > largest {
                (best, largest) = (Some(j), ratio);
            }
        }
        let Some(j) = best else { return };
        dropped[j] = false;
        // its elimination from the rest
        for c in (0..n).filter(|&c| dropped[c]) {
            let l = s[j * n + c] / s[j * n + j];
            for i in (0..n).filter(|&i| dropped[i]) {
                s[c * n + i] -= s[j * n + i] * l;
            }
        }
    }
}

/// `L D L^T` over the kept rows, in their natural order, of the lower triangle of `a`.
///
/// Column j of a kept row also receives `-l` for the dropped rows, above the diagonal too: row k of L is then
/// `a[j n + k]` for all kept j, whatever their order, which is what the null vector of row k needs. The
/// column of a dropped row becomes zero and so does its entry of `r`.
fn factor_kept(a: &mut [f64], r: &mut [f64], dropped: &[bool]) {
    let n = r.len();
    let at = |i: usize, c: usize| if i >= c { c * n + i } else { i * n + c };
    for j in 0..n {
        if dropped[j] {
            continue;
        }
        // a -= a_j a_j^T / d over the rows that come later and over the dropped ones, then a_j becomes -l
        let inverse = -1.0 / a[at(j, j)];
        let remaining = |i: &usize| *i > j || dropped[*i];
        for c in (0..n).filter(remaining) {
            let l = a[at(c, j)] * inverse;
            for i in (c..n).filter(remaining) {
                a[at(i, c)] += a[at(i, j)] * l;
            }
        }
        for i in (0..n).filter(remaining) {
            a[j * n + i] = a[at(i, j)] * inverse;
        }
        r[j] = inverse;
    }
    for j in (0..n).filter(|&j| dropped[j]) {
        a[j * n + j + 1..(j + 1) * n].fill(0.0);
        r[j] = 0.0;
    }
}
