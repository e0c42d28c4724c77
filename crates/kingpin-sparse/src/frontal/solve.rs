//! Right sides through the factor, several together.

use super::{Front, FrontalLdlt};
use crate::SparseError;
use crate::pattern::{check_length, check_solution};

/// Right sides that go through the factor together.
const TOGETHER: usize = 16;

impl FrontalLdlt {
    /// Replaces right sides by solutions; `x` holds one behind the other. O(entries of the factor) for each
    pub fn solve(&self, x: &mut [f64]) -> Result<(), SparseError> {
        if !self.factored {
            return Err(SparseError::NotFactored);
        }
        let n = self.order.len();
        if n == 0 {
            return check_length(x.len(), 0);
        }
        check_length(x.len(), x.len().div_ceil(n) * n)?;
        let mut permuted = Vec::new();
        for sides in x.chunks_mut(n * TOGETHER) {
            permuted.clear();
            for side in sides.chunks(n) {
                permuted.extend(self.order.iter().map(|&index| side[index as usize]));
            }
            self.sweep(&mut permuted);
            for (side, solved) in sides.chunks_mut(n).zip(permuted.chunks(n)) {
                self.order.iter().zip(solved).for_each(|(&index, &value)| side[index as usize] = value);
            }
        }
        check_solution(x)
    }

    /// Forward, pivots and backward, in the order of elimination.
    fn sweep(&self, y: &mut [f64]) {
        let n = self.order.len();
        let mut work = Vec::new();
        for (k, front) in self.fronts.iter().enumerate() {
            let panel = &self.values[self.panel_starts[k]..self.panel_starts[k + 1]];
            load(front, y, n, &mut work);
            let size = front.size();
            for j in 0..front.columns {
                let column = &panel[j * size..(j + 1) * size];
                for side in work.chunks_mut(size) {
                    let own = side[j];
                    side[j + 1..].iter_mut().zip(&column[j + 1..]).for_each(|(x, l)| *x -= l * own);
                }
            }
            store(front, y, n, &work, true);
        }
        for side in y.chunks_mut(n) {
            side.iter_mut().zip(&self.pivots).for_each(|(x, pivot)| *x /= pivot);
        }
        for (k, front) in self.fronts.iter().enumerate().rev() {
            let panel = &self.values[self.panel_starts[k]..self.panel_starts[k + 1]];
            load(front, y, n, &mut work);
            let size = front.size();
            for j in (0..front.columns).rev() {
                let column = &panel[j * size..(j + 1) * size];
                for side in work.chunks_mut(size) {
                    side[j] -= dot(&column[j + 1..], &side[j + 1..]);
                }
            }
            store(front, y, n, &work, false);
        }
    }
}

/// Sum of products, four sums at a time.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours, rest) = (a.chunks_exact(4).zip(b.chunks_exact(4)), a.len() / 4 * 4);
    for (a, b) in fours {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    let tail: f64 = a[rest..].iter().zip(&b[rest..]).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
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
