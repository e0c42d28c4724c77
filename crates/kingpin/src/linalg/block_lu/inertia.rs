//! How many eigenvalues of a symmetric matrix are negative, by its factor.

use super::{BlockFactor, BlockLu, PivotBlock};
use crate::linalg::BunchKaufman;
use std::ops::Range;

impl BlockLu {
    /// Negative eigenvalues of a symmetric matrix that was factored: those of the blocks D, in whatever order nodes were
    /// eliminated (Sylvester's law of inertia). `None` where a block has no pivots. O(sum of the cubes of the blocks)
    pub(crate) fn negatives(&self, with: &BlockFactor<f64>) -> Option<usize> {
        let all = self.position.len();
        let Some(team) = &self.team else { return self.negatives_of(0..all, with) };
        // no number for what has no pivots
        let told = |columns| self.negatives_of(columns, with).map_or(f64::NAN, |count| count as f64);
        let of_domain = |domain: usize| told(self.columns_of(&(domain..domain + 1)));
        let of_boughs =
            |mine: bool| team.boughs_done(mine).map(|bough| told(team.boughs[bough].columns.clone()));
        let own: f64 = team.own().map(of_domain).chain(of_boughs(true)).sum();
        let ones = vec![1; team.cut.ranks.ranks()];
        let sum: f64 = team.tell([own], &ones).into_iter().chain(of_boughs(false)).sum();
        (!sum.is_nan()).then_some(sum as usize)
    }

    /// The same of some columns.
    fn negatives_of(&self, columns: Range<usize>, with: &BlockFactor<f64>) -> Option<usize> {
        let mut count = 0;
        let (mut own, mut block, mut pivots) = (Vec::new(), Vec::new(), Vec::new());
        for column in &self.columns[columns] {
            let (PivotBlock { at, size: n, start, .. }, length) = (*column, self.row_length(column));
            own.clear();
            (0..n).for_each(|i| own.extend_from_slice(&with.values[at + i * length..][..n]));
            rebuild(n, &own, &with.exchange[start..start + n], &mut block);
            pivots.clear();
            pivots.resize(n, 0);
            BunchKaufman::new(n).factor(&mut block, &mut pivots).ok()?;
            count += negative_pivots(n, &block, &pivots);
        }
        Some(count)
    }
}

/// The symmetric part of D from `P D = L U`, by columns.
fn rebuild(n: usize, d: &[f64], came: &[u32], out: &mut Vec<f64>) {
    out.clear();
    out.resize(n * n, 0.0);
    for i in 0..n {
        let row = came[i] as usize;
        for j in 0..n {
            let upper = |k: usize| if k == j { 1.0 / d[k * n + k] } else { d[k * n + j] };
            let below: f64 = (0..i.min(j + 1)).map(|k| d[i * n + k] * upper(k)).sum();
            let x = 0.5 * (below + if i <= j { upper(i) } else { 0.0 });
            out[row + j * n] += x;
            out[j + row * n] += x;
        }
    }
}

/// Negative eigenvalues of the pivots of one and two rows.
fn negative_pivots(n: usize, a: &[f64], pivots: &[isize]) -> usize {
    let (mut k, mut count) = (0, 0);
    while k < n {
        if pivots[k] >= 0 {
            count += usize::from(a[k + k * n] < 0.0);
            k += 1;
            continue;
        }
        let (a11, a21, a22) = (a[k + k * n], a[k + 1 + k * n], a[k + 1 + (k + 1) * n]);
        // as a rule one of each sign
        count += if a11 * a22 - a21 * a21 < 0.0 { 1 } else { 2 * usize::from(a11 < 0.0) };
        k += 2;
    }
    count
}
