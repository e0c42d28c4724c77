//! All modes of small matrices.

use super::{Modes, Pencil};
use crate::FlexError;
use nalgebra::{DMatrix, SymmetricEigen};

/// Eigenvalues of `L^-1 M L^-T` with `L L^T = K - shift M` are `1 / (lambda - shift)`. O(n^3)
pub(super) fn modes(pencil: &Pencil) -> Result<Modes, FlexError> {
    let mass = pencil.mass.dense();
    let n = mass.nrows();
    let lost = || FlexError::ModesNotConverged { wanted: n, vectors: n };
    let lower = (pencil.stiffness.dense() - &mass * pencil.shift).cholesky().ok_or_else(lost)?.unpack();
    let half = lower.solve_lower_triangular(&mass).ok_or_else(lost)?;
    let both = lower.solve_lower_triangular(&half.transpose()).ok_or_else(lost)?;
    let eigen =
        SymmetricEigen::try_new(0.5 * (&both + both.transpose()), f64::EPSILON, 0).ok_or_else(lost)?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let vectors = eigen.eigenvectors.select_columns(&order);
    // motions without mass are none
    let least = f64::EPSILON * n as f64 * eigen.eigenvalues.amax();
    order.retain(|&k| eigen.eigenvalues[k] > least);
    let squares = order.iter().map(|&k| pencil.shift + 1.0 / eigen.eigenvalues[k]).collect();
    let mut shapes =
        lower.tr_solve_lower_triangular(&vectors.columns(0, order.len()).into_owned()).ok_or_else(lost)?;
    scale(&mut shapes, pencil);
    Ok(Modes { squares, shapes })
}

/// Unit modal mass, and the largest number of each column positive.
pub(super) fn scale(shapes: &mut DMatrix<f64>, pencil: &Pencil) {
    let products = pencil.mass.times(shapes);
    for k in 0..shapes.ncols() {
        let mass = shapes.column(k).dot(&products.column(k));
        let (largest, sign) = shapes.column(k).iter().fold((0.0, 1.0), |(most, sign), &x| {
            if x.abs() > most * (1.0 + 1e-6) { (x.abs(), x.signum()) } else { (most, sign) }
        });
        if mass > 0.0 && largest > 0.0 {
            shapes.column_mut(k).scale_mut(sign / mass.sqrt());
        }
    }
}
