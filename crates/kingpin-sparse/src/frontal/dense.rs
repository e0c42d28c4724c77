//! Dense kernels of a front: its columns are stored one behind the other.

/// Columns that are eliminated before the rest changes.
const BLOCK: usize = 64;
/// Rows and columns of a tile whose sums stay in registers.
const TILE: usize = 4;

/// Memory of the kernels.
#[derive(Clone, Debug, Default)]
pub(super) struct Packed {
    left: Vec<f64>,
    right: Vec<f64>,
}

/// `L D L^T` of the first columns of a front of `size` rows: `panel` becomes `L`, below and on its unit diagonal,
/// `pivots` the diagonal. `scales` tells the size of the diagonal before. Returns the first column whose pivot is
/// zero to rounding. O(size * columns^2)
pub(super) fn factor(
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
pub(super) fn leave(panel: &[f64], size: usize, pivots: &[f64], rest: &mut [f64], packed: &mut Packed) {
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
        let (tiles, depth) = (rows.len().div_ceil(TILE), columns.len());
        self.left.clear();
        self.left.resize(tiles * TILE * depth, 0.0);
        self.right.clear();
        self.right.resize(tiles * TILE * depth, 0.0);
        for (p, column) in columns.enumerate() {
            let source = &panel[column * size + rows.start..column * size + rows.end];
            for (tile, numbers) in source.chunks(TILE).enumerate() {
                let place = tile * TILE * depth + p * TILE;
                self.left[place..place + numbers.len()].copy_from_slice(numbers);
                for (to, number) in self.right[place..].iter_mut().zip(numbers) {
                    *to = number * pivots[column];
                }
            }
        }
    }

    /// Takes the product of what is packed from the lower triangle of `target`, whose columns have `stride` numbers
    /// and begin `skip` rows above those that are packed.
    fn subtract(
        &self,
        target: &mut [f64],
        stride: usize,
        skip: usize,
        rows: usize,
        columns: usize,
        depth: usize,
    ) {
        let width = TILE * depth;
        for j in (0..columns).step_by(TILE) {
            let right = &self.right[j * depth..j * depth + width];
            for i in (j..rows).step_by(TILE) {
                let sums = tile(&self.left[i * depth..i * depth + width], right);
                let (tall, wide) = (TILE.min(rows - i), TILE.min(columns - j));
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
type Lane = [f64; TILE];

#[inline(always)]
fn add(sum: &mut Lane, a: &Lane, b: f64) {
    for (sum, a) in sum.iter_mut().zip(a) {
        *sum += a * b;
    }
}

/// Sums of products of a tile of rows with a tile of columns. A function of its own with a name for each sum keeps them
/// in registers.
#[inline(never)]
fn tile(left: &[f64], right: &[f64]) -> [Lane; TILE] {
    let (mut s, mut t, mut u, mut v) = ([0.0; TILE], [0.0; TILE], [0.0; TILE], [0.0; TILE]);
    let (left, right) = (left.as_chunks::<TILE>().0, right.as_chunks::<TILE>().0);
    for (a, b) in left.iter().zip(right) {
        add(&mut s, a, b[0]);
        add(&mut t, a, b[1]);
        add(&mut u, a, b[2]);
        add(&mut v, a, b[3]);
    }
    [s, t, u, v]
}
