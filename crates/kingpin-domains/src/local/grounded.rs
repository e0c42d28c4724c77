//! Solutions of a sub-domain with its interface free: some freedoms are grounded where it moves as a rigid body.

use super::Local;
use kingpin_sparse::{DenseLdlt, SparseError};
use nalgebra::DMatrix;

/// A generalised inverse of the Schur complement: as many freedoms are held as there are rigid motions, those where these
/// are largest; exact on loads that do no work on rigid motions.
#[derive(Clone, Debug)]
pub struct Grounded {
    /// freedoms that are not held, increasing
    rest: Vec<usize>,
    factor: DenseLdlt,
    /// rigid motions at the interface, orthonormal columns; none where the matrix is regular
    pub(crate) rigid: DMatrix<f64>,
}

/// A pivot this small in parts of roundings shows a motion that no force resists.
const SLACK: f64 = 100.0;

impl Grounded {
    /// From rigid motions at the interface. `add` is put on the diagonal first. O(order^3)
    ///
    /// # Errors
    /// The freedom of the interface that moves without force beside rigid motions.
    pub(crate) fn of(local: &Local, rigid: DMatrix<f64>, add: f64) -> Result<Grounded, usize> {
        let n = local.order();
        let held = largest_rows(&rigid);
        let rest: Vec<usize> = (0..n).filter(|k| !held.contains(k)).collect();
        let (m, schur) = (rest.len(), local.schur());
        let mut lower = vec![0.0; m * m];
        for (j, &column) in rest.iter().enumerate() {
            for (i, &row) in rest.iter().enumerate().skip(j) {
                lower[j * m + i] = schur[column * n + row];
            }
            lower[j * m + j] += add;
        }
        let factor = DenseLdlt::factor(m, lower, SLACK).map_err(|error| match error {
            SparseError::ZeroPivot { index } => rest[index],
            _ => 0,
        })?;
        Ok(Grounded { rest, factor, rigid })
    }

    /// `K^+ x` in place. `work` is memory. O(order^2)
    pub fn solve(&self, x: &mut [f64], work: &mut Vec<f64>) -> Result<(), SparseError> {
        if self.rest.len() == x.len() {
            return self.factor.solve(x);
        }
        work.clear();
        work.extend(self.rest.iter().map(|&k| x[k]));
        self.factor.solve(work)?;
        x.fill(0.0);
        self.rest.iter().zip(work.iter()).for_each(|(&k, &value)| x[k] = value);
        Ok(())
    }
}

/// As many rows as columns where these are largest and independent: QR of the transposed with pivots.
fn largest_rows(columns: &DMatrix<f64>) -> Vec<usize> {
    let mut left = columns.clone();
    let mut chosen = Vec::new();
    for _ in 0..columns.ncols() {
        let size = |row: usize| left.row(row).norm_squared();
        // of equal ones the first
        let Some(best) =
            (0..left.nrows()).reduce(|a, b| if size(b) > size(a) * (1.0 + 1e-9) { b } else { a })
        else {
            break;
        };
        let direction = left.row(best).transpose() / size(best).sqrt();
        let along = &left * &direction;
        left -= along * direction.transpose();
        chosen.push(best);
    }
    chosen
}
