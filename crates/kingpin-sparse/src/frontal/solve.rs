//! Right sides through the factor, several together.

use super::{Front, FrontalLdlt};
use crate::SparseError;
use crate::lanes;
use crate::pattern::{check_length, check_solution};

/// Right sides that go through the factor together.
const TOGETHER: usize = 16;

impl FrontalLdlt {
    /// Replaces right sides by solutions; `x` holds one behind the other. O(entries of the factor) for each
    pub fn solve(&self, x: &mut [f64]) -> Result<(), SparseError> {
        if !self.factored {
            return Err(SparseError::NotFactored);
        }
        let n = self.analysis.order.len();
        if self.analysis.kept > 0 {
            return Err(SparseError::Kept { kept: self.analysis.kept });
        }
        if n == 0 {
            return check_length(x.len(), 0);
        }
        check_length(x.len(), x.len().div_ceil(n) * n)?;
        let mut permuted = Vec::new();
        for sides in x.chunks_mut(n * TOGETHER) {
            permuted.clear();
            for side in sides.chunks(n) {
                permuted.extend(self.analysis.order.iter().map(|&index| side[index as usize]));
            }
            self.sweep(&mut permuted);
            for (side, solved) in sides.chunks_mut(n).zip(permuted.chunks(n)) {
                self.analysis
                    .order
                    .iter()
                    .zip(solved)
                    .for_each(|(&index, &value)| side[index as usize] = value);
            }
        }
        check_solution(x)
    }

    /// Forward, pivots and backward, in the order of elimination.
    fn sweep(&self, y: &mut [f64]) {
        let mut work = Vec::new();
        self.forward(y, &mut work);
        self.backward(y, &mut work);
    }

    /// `L^-1`, then the pivots.
    pub(super) fn forward(&self, y: &mut [f64], work: &mut Vec<f64>) {
        let n = self.analysis.order.len();
        let eliminated = n - self.analysis.kept;
        for (k, front) in self.eliminated() {
            let panel = &self.values[self.analysis.panel_starts[k]..self.analysis.panel_starts[k + 1]];
            load(front, y, n, work);
            let size = front.size();
            work.chunks_mut(size).for_each(|side| lanes::forward(panel, size, front.columns, side));
            store(front, y, n, work, true);
        }
        for side in y.chunks_mut(n) {
            side.iter_mut().zip(&self.pivots[..eliminated]).for_each(|(x, pivot)| *x /= pivot);
        }
    }

    /// `L^-T`.
    pub(super) fn backward(&self, y: &mut [f64], work: &mut Vec<f64>) {
        let n = self.analysis.order.len();
        for (k, front) in self.eliminated().rev() {
            let panel = &self.values[self.analysis.panel_starts[k]..self.analysis.panel_starts[k + 1]];
            load(front, y, n, work);
            let size = front.size();
            work.chunks_mut(size).for_each(|side| lanes::backward(panel, size, front.columns, side));
            store(front, y, n, work, false);
        }
    }

    /// Fronts that are eliminated.
    fn eliminated(&self) -> impl DoubleEndedIterator<Item = (usize, &Front)> {
        self.analysis.fronts[..self.analysis.fronts.len() - usize::from(self.analysis.kept > 0)]
            .iter()
            .enumerate()
    }
}

/// The numbers of a front, of each right side.
fn load(front: &Front, y: &[f64], n: usize, work: &mut Vec<f64>) {
    work.clear();
    for side in y.chunks(n) {
        work.extend_from_slice(&side[front.first..front.first + front.columns]);
        work.extend(front.below.iter().map(|&row| side[row as usize]));
    }
}

/// Puts them back; those below the columns only where they have changed.
fn store(front: &Front, y: &mut [f64], n: usize, work: &[f64], below: bool) {
    for (side, own) in y.chunks_mut(n).zip(work.chunks(front.size())) {
        side[front.first..front.first + front.columns].copy_from_slice(&own[..front.columns]);
        if below {
            let rows = front.below.iter().zip(&own[front.columns..]);
            rows.for_each(|(&row, &value)| side[row as usize] = value);
        }
    }
}
