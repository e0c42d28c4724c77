//! Products of dense matrices, tile by tile.

use crate::linalg::block_lu::PivotScalar;
use crate::linalg::block_lu::scalar::ComplexNumber;
use crate::linalg::lanes::Lanes;

/// Rows and columns of a tile: as many sums as registers hold.
pub(in crate::linalg::block_lu) const TILE_ROWS: usize = 4;
pub(in crate::linalg::block_lu) const TILE_COLUMNS: usize = 12;

/// Columns that are packed at once, and terms of a sum: together they stay in the nearest cache.
pub(in crate::linalg::block_lu) const BROAD: usize = 4 * TILE_COLUMNS;
pub(super) const DEEP: usize = 48;

/// Rows that are packed at once: a line of the cache.
pub(super) const ROWS: usize = 2 * TILE_ROWS;

/// Numbers of a tile.
pub(in crate::linalg::block_lu) type Tile<T> = [[T; TILE_COLUMNS]; TILE_ROWS];

/// Some rows of one factor and some columns of another, packed.
pub(super) struct PackedColumns<T> {
    numbers: [[T; BROAD]; DEEP],
    depth: usize,
}

/// Some rows.
pub(super) struct PackedRows<T> {
    numbers: [[T; ROWS]; DEEP],
    depth: usize,
    /// Whether there is anything but zeros.
    pub any: bool,
}

impl<T: PivotScalar> PackedColumns<T> {
    pub fn new() -> Self {
        Self { numbers: [[T::ZERO; BROAD]; DEEP], depth: 0 }
    }

    /// Takes columns of some rows of a matrix with rows of a length; those that are missing are zero.
    #[inline(always)]
    pub fn take<'a>(&mut self, rows: impl Iterator<Item = &'a [T]>, columns: std::ops::Range<usize>)
    where
        T: 'a,
    {
        self.depth = 0;
        for (to, row) in self.numbers.iter_mut().zip(rows) {
            let from = &row[columns.clone()];
            to[..from.len()].copy_from_slice(from);
            to[from.len()..].fill(T::ZERO);
            self.depth += 1;
        }
    }
}

impl<T: PivotScalar> PackedRows<T> {
    pub fn new() -> Self {
        Self { numbers: [[T::ZERO; ROWS]; DEEP], depth: 0, any: false }
    }

    /// The same for what becomes rows.
    #[inline(always)]
    pub fn take<'a>(&mut self, rows: impl Iterator<Item = &'a [T]>, columns: std::ops::Range<usize>)
    where
        T: 'a,
    {
        (self.depth, self.any) = (0, false);
        for (to, row) in self.numbers.iter_mut().zip(rows) {
            let from = &row[columns.clone()];
            to[..from.len()].copy_from_slice(from);
            to[from.len()..].fill(T::ZERO);
            self.any |= from.iter().any(|x| *x != T::ZERO);
            self.depth += 1;
        }
    }
}

/// Minus the product of packed rows and columns, from a column on that begins a tile.
#[inline(always)]
pub(super) fn negative_product<L: Lanes, T: PivotScalar>(
    lanes: L,
    rows: &PackedRows<T>,
    columns: &PackedColumns<T>,
    from: usize,
    out: &mut [[T; BROAD]; ROWS],
) {
    let depth = rows.depth.min(columns.depth);
    for half in 0..ROWS / TILE_ROWS {
        for tile in from / TILE_COLUMNS..BROAD / TILE_COLUMNS {
            let each = rows.numbers[..depth].iter().zip(&columns.numbers[..depth]).map(|(a, b)| {
                let a = a[half * TILE_ROWS..].first_chunk::<TILE_ROWS>();
                let b = b[tile * TILE_COLUMNS..].first_chunk::<TILE_COLUMNS>();
                a.zip(b).unwrap_or_else(|| unreachable!("tiles are parts of what is packed"))
            });
            let sum = T::minus_products(lanes, each);
            for (to, sum) in out[half * TILE_ROWS..].iter_mut().zip(sum) {
                to[tile * TILE_COLUMNS..][..TILE_COLUMNS].copy_from_slice(&sum);
            }
        }
    }
}

/// What a tile has of each term: a column of the rows and a row of the columns.
type TileTerm<'a, T> = (&'a [T; TILE_ROWS], &'a [T; TILE_COLUMNS]);

/// Minus the sum of products, in the widest registers.
#[inline(always)]
pub(in crate::linalg::block_lu) fn minus_products_wide<'a, L: Lanes>(
    lanes: L,
    terms: impl Iterator<Item = TileTerm<'a, f64>>,
) -> Tile<f64> {
    let mut sum = [[lanes.splat4(0.0); TILE_COLUMNS / 4]; TILE_ROWS];
    for (a, b) in terms {
        let (b, _) = b.as_chunks::<4>();
        let b: [L::Four; TILE_COLUMNS / 4] = std::array::from_fn(|k| lanes.load4(b[k]));
        for i in 0..TILE_ROWS {
            let a = lanes.splat4(-a[i]);
            for j in 0..TILE_COLUMNS / 4 {
                sum[i][j] = lanes.mul_add4(a, b[j], sum[i][j]);
            }
        }
    }
    let mut out = [[0.0; TILE_COLUMNS]; TILE_ROWS];
    for (to, sum) in out.iter_mut().zip(sum) {
        let (to, _) = to.as_chunks_mut::<4>();
        to.iter_mut().zip(sum).for_each(|(to, sum)| *to = lanes.store4(sum));
    }
    out
}

/// The same for complex numbers.
#[inline(always)]
pub(in crate::linalg::block_lu) fn minus_products_complex<'a, L: Lanes>(
    lanes: L,
    terms: impl Iterator<Item = TileTerm<'a, ComplexNumber>>,
) -> Tile<ComplexNumber> {
    let mut sum = [[ComplexNumber::ZERO; TILE_COLUMNS]; TILE_ROWS];
    for (a, b) in terms {
        for i in 0..TILE_ROWS {
            for j in 0..TILE_COLUMNS {
                sum[i][j] = sum[i][j].less(lanes, a[i], b[j]);
            }
        }
    }
    sum
}
