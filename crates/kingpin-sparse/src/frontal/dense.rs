//! Dense kernels of a front: its columns are stored one behind the other.

use crate::lanes::{dispatched, product};

/// Columns that are eliminated before the rest changes.
const BLOCK: usize = 64;
/// Columns of a tile whose sums stay in registers, and its rows.
const TILE: usize = 4;
const TALL: usize = 8;

/// Memory of the kernels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    left: Vec<f64>,
    right: Vec<f64>,
}

/// `L D L^T` of the first columns of a front of `size` rows: `panel` becomes `L`, below and on its unit diagonal,
/// `pivots` the diagonal. `scales` tells the size of the diagonal before. Returns the first column whose pivot is
/// zero to rounding. O(size * columns^2)
pub(crate) fn factor(
    panel: &mut [f64],
    size: usize,
    pivots: &mut [f64],
    scales: &[f64],
    least: f64,
    packed: &mut Packed,
) -> Result<(), usize> {
    let columns = pivots.len();
    for start in (0..columns).step_by(BLOCK) {
        let end = (start + BLOCK).min(columns);
        for j in start..end {
            let (before, own) = panel.split_at_mut(j * size);
            let own = &mut own[..size];
            for p in start..j {
                let column = &before[p * size..(p + 1) * size];
                let factor = column[j] * pivots[p];
                for (x, l) in own[j..].iter_mut().zip(&column[j..]) {
                    *x -= l * factor;
                }
            }
            let pivot = own[j];
            // a pivot that is not a number is none
            if !pivot.is_finite() || pivot.abs() <= least * scales[j] {
                return Err(j);
            }
            pivots[j] = pivot;
            let inverse = 1.0 / pivot;
            own[j + 1..].iter_mut().for_each(|x| *x *= inverse);
            own[j] = 1.0;
        }
        packed.load(panel, size, end..size, start..end, pivots);
        packed.subtract(&mut panel[end * size..], size, end, size - end, columns - end, end - start);
    }
    Ok(())
}

/// `U -= L D L^T` on and below the diagonal of what a front leaves, `L` its rows below its columns.
pub(crate) fn leave(panel: &[f64], size: usize, pivots: &[f64], rest: &mut [f64], packed: &mut Packed) {
    let columns = pivots.len();
    let left = size - columns;
    for start in (0..columns).step_by(4 * BLOCK) {
        let end = (start + 4 * BLOCK).min(columns);
        packed.load(panel, size, columns..size, start..end, pivots);
        packed.subtract(rest, left, 0, left, left, end - start);
    }
}

impl Packed {
    /// Rows of some columns in tiles, as they are and times the pivots.
    fn load(
        &mut self,
        panel: &[f64],
        size: usize,
        rows: std::ops::Range<usize>,
        columns: std::ops::Range<usize>,
        pivots: &[f64],
    ) {
        let depth = columns.len();
        let room = rows.len().div_ceil(TALL) * TALL * depth;
        self.left.clear();
        self.left.resize(room, 0.0);
        self.right.clear();
        self.right.resize(room, 0.0);
        for (p, column) in columns.enumerate() {
            let source = &panel[column * size + rows.start..column * size + rows.end];
            for (tile, numbers) in source.chunks(TALL).enumerate() {
                let place = (tile * depth + p) * TALL;
                self.left[place..place + numbers.len()].copy_from_slice(numbers);
            }
            for (tile, numbers) in source.chunks(TILE).enumerate() {
                let place = (tile * depth + p) * TILE;
                for (to, number) in self.right[place..].iter_mut().zip(numbers) {
                    *to = number * pivots[column];
                }
            }
        }
    }

    /// Takes the product of what is packed from the lower triangle of `target`, whose columns have `stride` numbers
    /// and begin `skip` rows above those that are packed. Numbers above the diagonal may change too.
    fn subtract(
        &self,
        target: &mut [f64],
        stride: usize,
        skip: usize,
        rows: usize,
        columns: usize,
        depth: usize,
    ) {
        for j in (0..columns).step_by(TILE) {
            let right = &self.right[j * depth..(j + TILE) * depth];
            for i in (j / TALL * TALL..rows).step_by(TALL) {
                let sums = tile(&self.left[i * depth..(i + TALL) * depth], right);
                let (tall, wide) = (TALL.min(rows - i), TILE.min(columns - j));
                for (c, sums) in sums.iter().enumerate().take(wide) {
                    let place = (j + c) * stride + skip + i;
                    for (to, sum) in target[place..place + tall].iter_mut().zip(sums) {
                        *to -= sum;
                    }
                }
            }
        }
    }
}

/// Numbers of one column of a tile.
type Column = [f64; TALL];

#[inline(always)]
fn tile_kernel<const F: bool>(left: &[f64], right: &[f64]) -> [Column; TILE] {
    let (mut s, mut t, mut u, mut v) = ([0.0; TALL], [0.0; TALL], [0.0; TALL], [0.0; TALL]);
    let (left, right) = (left.as_chunks::<TALL>().0, right.as_chunks::<TILE>().0);
    for (a, b) in left.iter().zip(right) {
        for k in 0..TALL {
            s[k] = product::<F>(s[k], a[k], b[0]);
            t[k] = product::<F>(t[k], a[k], b[1]);
            u[k] = product::<F>(u[k], a[k], b[2]);
            v[k] = product::<F>(v[k], a[k], b[3]);
        }
    }
    [s, t, u, v]
}

dispatched! {
    /// Sums of products of a tile of rows with a tile of columns; a name for each keeps them in registers.
    fn tile(left: &[f64], right: &[f64]) -> [Column; TILE] = tile_kernel
}
