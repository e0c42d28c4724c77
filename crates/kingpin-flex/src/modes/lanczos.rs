//! Block Lanczos with a shifted inverse and full orthogonalisation [Grimes, Lewis and Simon 1994].

use super::dense::scale;
use super::{Modes, Pencil};
use crate::FlexError;
use nalgebra::{DMatrix, DMatrixView, SymmetricEigen};

/// Vectors of a block: more than the rigid motions of a body.
const BLOCK: usize = 8;
/// What is left of an eigenvector that has converged, in parts of its eigenvalue.
const TOLERANCE: f64 = 1e-10;
/// Rounding of solutions, in parts of the largest eigenvalue.
const ROUNDING: f64 = 1e-14;
/// A vector of which no more than this part is left has lost digits against the others.
const LITTLE: f64 = 1e-2;
/// Rows of tall matrices that are multiplied at a time, so that they are read once.
const ROWS: usize = 256;
/// A vector of which no more is left than this part depends on others.
const DEPENDENT: f64 = 1e-9;

/// Vectors that are orthonormal in the metric of the mass, and their products with it.
struct Span {
    vectors: DMatrix<f64>,
    products: DMatrix<f64>,
    count: usize,
}

impl Span {
    /// Takes from a block what lies in the span, twice; returns what was taken. O(n * vectors * block)
    fn project(&self, block: &mut DMatrix<f64>) -> DMatrix<f64> {
        let (vectors, products) = (self.vectors.columns(0, self.count), self.products.columns(0, self.count));
        let mut taken = transposed_times(&products, block);
        block.gemm(-1.0, &vectors, &taken, 1.0);
        let again = transposed_times(&products, block);
        block.gemm(-1.0, &vectors, &again, 1.0);
        taken += again;
        taken
    }

    /// Adds the independent vectors of a block; returns its coefficients by them, one row for each vector added.
    fn add(&mut self, block: &DMatrix<f64>, pencil: &Pencil, lengths: &[f64]) -> DMatrix<f64> {
        let first = self.count;
        let room = first + block.ncols();
        if room > self.vectors.ncols() {
            let more = (2 * room).min(block.nrows()).max(room);
            self.vectors.resize_horizontally_mut(more, 0.0);
            self.products.resize_horizontally_mut(more, 0.0);
        }
        let mut coefficients = DMatrix::zeros(block.ncols(), block.ncols());
        for k in 0..block.ncols() {
            let mut own = block.columns(k, 1).into_owned();
            let before = norms(&own, pencil)[0];
            // against the others of its block twice; against all where little is left
            for round in 0..3 {
                if round == 2 && norms(&own, pencil)[0] > LITTLE * before {
                    break;
                }
                let from = if round < 2 { first } else { 0 };
                let (vectors, products) = (
                    self.vectors.columns(from, self.count - from),
                    self.products.columns(from, self.count - from),
                );
                let part = products.tr_mul(&own);
                own.gemm(-1.0, &vectors, &part, 1.0);
                for j in first..self.count {
                    coefficients[(j - first, k)] += part[(j - from, 0)];
                }
            }
            let product = pencil.mass.times(&own);
            let norm = own.dot(&product).max(0.0).sqrt();
            if norm > DEPENDENT * lengths[k] && norm > 0.0 {
                self.vectors.set_column(self.count, &(own.column(0) / norm));
                self.products.set_column(self.count, &(product.column(0) / norm));
                coefficients[(self.count - first, k)] = norm;
                self.count += 1;
            }
        }
        coefficients.rows(0, self.count - first).into_owned()
    }
}

/// `A^T B` of tall matrices.
fn transposed_times(a: &DMatrixView<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    let mut sum = DMatrix::zeros(a.ncols(), b.ncols());
    for start in (0..a.nrows()).step_by(ROWS) {
        let rows = ROWS.min(a.nrows() - start);
        sum.gemm(1.0, &a.rows(start, rows).transpose(), &b.rows(start, rows), 1.0);
    }
    sum
}

/// Numbers between -1 and 1 that look random and are always the same.
fn scattered(n: usize, columns: usize, seed: u64) -> DMatrix<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    DMatrix::from_fn(n, columns, |_, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    })
}

fn norms(block: &DMatrix<f64>, pencil: &Pencil) -> Vec<f64> {
    let products = pencil.mass.times(block);
    (0..block.ncols()).map(|k| block.column(k).dot(&products.column(k)).max(0.0).sqrt()).collect()
}

/// The slowest modes above the shift. O(a solution and n * vectors for each vector)
pub(super) fn modes(pencil: &Pencil, count: usize) -> Result<Modes, FlexError> {
    let n = pencil.stiffness.order();
    let most = (4 * count + 20 * BLOCK).min(n);
    let mut span = Span { vectors: DMatrix::zeros(n, 0), products: DMatrix::zeros(n, 0), count: 0 };
    let mut start = scattered(n, BLOCK, 1);
    pencil.solve(&mut start)?; // nothing of motions without mass
    let lengths = norms(&start, pencil);
    span.add(&start, pencil, &lengths);
    let mut projected = DMatrix::zeros(0, 0);
    let (mut first, mut next_look) = (0, count + BLOCK);
    loop {
        // the inverse times the last block, by all vectors before and new ones
        let width = span.count - first;
        let mut block = span.products.columns(first, width).into_owned();
        pencil.solve(&mut block)?;
        let lengths = norms(&block, pencil);
        let inside = span.project(&mut block);
        let known = span.count;
        let outside = span.add(&block, pencil, &lengths);
        projected = projected.resize(known, known, 0.0);
        projected.view_mut((0, first), (known, width)).copy_from(&inside);
        for column in first..known {
            for row in 0..first {
                projected[(column, row)] = projected[(row, column)];
            }
        }
        if known >= next_look.min(most) || span.count == known {
            let wide = DMatrix::from_fn(outside.nrows(), known, |row, column| {
                if column < first { 0.0 } else { outside[(row, column - first)] }
            });
            if let Some(found) = converged(&projected, &wide, count) {
                return Ok(assembled(&span, &found, pencil));
            }
            if known >= most {
                return Err(FlexError::ModesNotConverged { wanted: count, vectors: known });
            }
            next_look = known + BLOCK.max(known / 8);
        }
        if span.count == known {
            // nothing new: a motion of its own kind is looked for elsewhere
            let mut fresh = scattered(n, BLOCK.min(n - known), known as u64 + 2);
            pencil.solve(&mut fresh)?;
            let lengths = norms(&fresh, pencil);
            span.project(&mut fresh);
            span.add(&fresh, pencil, &lengths);
            if span.count == known {
                return Err(FlexError::ModesNotConverged { wanted: count, vectors: known });
            }
        }
        first = known;
    }
}

/// Eigenvalues of the inverse with coefficients of their vectors, once the largest are good.
fn converged(
    projected: &DMatrix<f64>,
    outside: &DMatrix<f64>,
    count: usize,
) -> Option<(Vec<f64>, DMatrix<f64>)> {
    if projected.nrows() < count {
        return None;
    }
    let eigen = SymmetricEigen::try_new(0.5 * (projected + projected.transpose()), f64::EPSILON, 0)?;
    let mut order: Vec<usize> = (0..projected.nrows()).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    order.truncate(count);
    let values: Vec<f64> = order.iter().map(|&k| eigen.eigenvalues[k]).collect();
    let vectors = eigen.eigenvectors.select_columns(&order);
    let left = outside * &vectors;
    let good = |k: usize| left.column(k).norm() <= TOLERANCE * values[k].abs() + ROUNDING * values[0].abs();
    (0..count).all(good).then_some((values, vectors))
}

fn assembled(span: &Span, found: &(Vec<f64>, DMatrix<f64>), pencil: &Pencil) -> Modes {
    let (values, vectors) = found;
    let mut shapes = span.vectors.columns(0, vectors.nrows()) * vectors;
    scale(&mut shapes, pencil);
    Modes { squares: values.iter().map(|value| pencil.shift + 1.0 / value).collect(), shapes }
}
