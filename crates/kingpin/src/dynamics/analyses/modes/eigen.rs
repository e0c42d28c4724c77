//! Eigenvalues of x'' + C x' + K x = 0.

use crate::dynamics::analyses::pencil::Pencil;
use crate::dynamics::analyses::spectrum::Spectrum;
use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, DVector, LU, Schur};

/// The eigenvalues.
pub(super) struct Eigen {
    /// Those that are not zero, with imaginary part zero or positive, largest magnitude first.
    pub values: Vec<Complex<f64>>,
    /// Zeros in all.
    pub zeros: usize,
    /// Directions without stiffness, by columns.
    pub free: DMatrix<f64>,
}

/// Imaginary parts below this part of the magnitude are round-off: the halves of a double real eigenvalue.
const REAL: f64 = 1e-9;

/// In a basis of directions without stiffness (0) and others (1), x = (x0, x1), positions x0 act on nothing: they
/// are eigenvectors of zero. Rates x0' without damping are the next. What is left has no zeros. Positions of first-order
/// `states`, their integrals, act on nothing and are no part of the motion: they are left out, and their zeros with them.
pub(super) fn eigenvalues(pencil: &Pencil, states: &[usize], natural: f64) -> Option<Eigen> {
    let n = pencil.stiffness.nrows();
    let stiffness = pencil.stiffness.clone().remove_columns_at(states);
    let (free, held) = match stiffness.ncols() {
        0 => (DMatrix::zeros(0, 0), DMatrix::zeros(0, 0)),
        _ => Spectrum::new(&stiffness, natural)?.basis(),
    };
    let (free, held) = (with_rows(free, states), with_rows(held, states));
    // rates that no stiffness belongs to: those of free motions, and states
    let loose = DMatrix::from_fn(n, free.ncols() + states.len(), |i, j| match j.checked_sub(free.ncols()) {
        None => free[(i, j)],
        Some(k) => f64::from(u8::from(states[k] == i)),
    });
    let rates = if loose.ncols() == 0 {
        loose.clone()
    } else {
        // free rates that damping acts on: the squares of C x0, which is a matrix of full height
        let braked = &pencil.damping * &loose;
        let padded = braked.clone().resize_horizontally(n, 0.0);
        let square = Spectrum::new(&padded, pencil.damping.amax())?;
        let (_, on) = square.basis();
        &loose * on.rows(0, loose.ncols())
    };
    let basis = DMatrix::from_fn(n, rates.ncols() + held.ncols(), |i, j| {
        if j < rates.ncols() { rates[(i, j)] } else { held[(i, j - rates.ncols())] }
    });
    let a = companion(pencil, &held, &basis);
    let zeros = free.ncols() + (loose.ncols() - rates.ncols());
    Some(Eigen { values: ordered(spectrum_of(a)?), zeros, free })
}

/// The same matrix with rows of zeros at some places.
fn with_rows(m: DMatrix<f64>, places: &[usize]) -> DMatrix<f64> {
    places.iter().fold(m, |m, &place| m.insert_row(place, 0.0))
}

/// The matrix of (s x1, x'), s a rate that makes its parts of similar size.
fn companion(pencil: &Pencil, held: &DMatrix<f64>, basis: &DMatrix<f64>) -> DMatrix<f64> {
    let (h, m) = (held.ncols(), basis.ncols());
    let mut a = DMatrix::zeros(h + m, h + m);
    let s = pencil.stiffness.norm().sqrt().max(f64::MIN_POSITIVE);
    // the held rates come last in the basis
    (0..h).for_each(|k| a[(k, m + k)] = s);
    a.view_mut((h, 0), (m, h)).copy_from(&(-basis.tr_mul(&(&pencil.stiffness * held)) / s));
    a.view_mut((h, h), (m, m)).copy_from(&-basis.tr_mul(&(&pencil.damping * basis)));
    a
}

fn spectrum_of(mut a: DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    if a.nrows() == 0 {
        return Some(Vec::new());
    }
    if !a.iter().all(|x| x.is_finite()) {
        return None;
    }
    balance_parlett_reinsch(&mut a);
    let most = 1000 + 100 * a.nrows();
    Some(Schur::try_new(a, f64::EPSILON, most)?.complex_eigenvalues().iter().copied().collect())
}

/// One of each pair, largest magnitude first.
fn ordered(mut values: Vec<Complex<f64>>) -> Vec<Complex<f64>> {
    for x in &mut values {
        if x.im.abs() <= REAL * x.norm() {
            x.im = 0.0;
        }
    }
    values.retain(|x| x.im >= 0.0);
    values.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
    values
}

/// An eigenvector by inverse iteration, and the residual of the equation relative to its terms. `seed` makes
/// different vectors for equal eigenvalues.
pub(super) fn vector(pencil: &Pencil, lambda: Complex<f64>, seed: usize) -> (DVector<Complex<f64>>, f64) {
    let n = pencil.stiffness.nrows();
    let complex = |m: &DMatrix<f64>| m.map(|x| Complex::new(x, 0.0));
    let (k, c) = (complex(&pencil.stiffness), complex(&pencil.damping));
    let at = |lambda: Complex<f64>| {
        let mut p = &k + &c * lambda;
        (0..n).for_each(|i| p[(i, i)] += lambda * lambda);
        p
    };
    // a little off, for a matrix that is not quite singular
    let lu = LU::new(at(lambda * (1.0 + 4.0 * f64::EPSILON)));
    let mut random = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(2 * seed as u64 + 1);
    let mut x = DVector::from_fn(n, |_, _| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Complex::new((random >> 11) as f64 / (1u64 << 53) as f64 - 0.5, 0.0)
    });
    for _ in 0..3 {
        if let Some(next) = lu.solve(&x).filter(|next| next.norm().is_normal()) {
            x = &next / Complex::new(next.norm(), 0.0);
        }
    }
    let terms = (&k * &x).norm() + (&c * &x).norm() * lambda.norm() + lambda.norm_sqr() * x.norm();
    let residual = (at(lambda) * &x).norm() / terms;
    (x, residual)
}
