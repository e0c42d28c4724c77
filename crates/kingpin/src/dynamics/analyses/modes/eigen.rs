//! Eigenvalues of x'' + C x' + K x = 0.

use super::directions::{Directions, RoundOff};
use crate::dynamics::analyses::bound::Scatter;
use crate::dynamics::analyses::pencil::{Linearised, Pencil};
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
    /// Whether stiffness is spread over so many decades that the metric of the mass loses the slow modes.
    spread: bool,
}

/// Imaginary parts below this part of the magnitude are round-off: the halves of a double real eigenvalue.
const REAL: f64 = 1e-9;
/// Gaps in the list of eigenvalues that count as such.
const GAPS: [f64; 3] = [1e-2, 1e-6, -1.0];

/// In a basis of directions without stiffness (0) and others (1), x = (x0, x1), positions x0 act on nothing: they
/// are eigenvectors of zero. Rates x0' without damping are the next. What is left has no zeros. Positions of first-order
/// `states`, their integrals, act on nothing and are no part of the motion: they are left out, and their zeros with them.
pub(super) fn eigenvalues(pencil: &Pencil, states: &[usize], round_off: &RoundOff) -> Option<Eigen> {
    let n = pencil.stiffness.nrows();
    let Directions { free, held, spread } = round_off.directions(pencil, states)?;
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
        let square = Spectrum::new(&padded, pencil.damping.amax().max(round_off.rate))?;
        let (_, on) = square.basis();
        &loose * on.rows(0, loose.ncols())
    };
    let basis = DMatrix::from_fn(n, rates.ncols() + held.ncols(), |i, j| {
        if j < rates.ncols() { rates[(i, j)] } else { held[(i, j - rates.ncols())] }
    });
    let mut values = spectrum_of(companion(pencil, &held, &basis))?;
    if spread {
        values = with_slow(values, pencil)?;
    }
    let steady = if round_off.rate > 0.0 { steady_rates(pencil, (&rates, &held), &basis)? } else { 0 };
    values.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
    values.truncate(values.len() - steady);
    let zeros = free.ncols() + (loose.ncols() - rates.ncols()) + steady;
    Some(Eigen { values: ordered(values), zeros, free, spread })
}

/// Free rates whose gyroscopic forces the stiffness balances: neighbouring steady motions, zeros of the spectrum besides
/// those of positions. O(n^3)
fn steady_rates(
    pencil: &Pencil,
    (rates, held): (&DMatrix<f64>, &DMatrix<f64>),
    basis: &DMatrix<f64>,
) -> Option<usize> {
    if rates.ncols() == 0 {
        return Some(0);
    }
    // C x0' + K x1 = 0, both in units of the largest
    let braking = basis.tr_mul(&(&pencil.damping * rates));
    let holding = basis.tr_mul(&(&pencil.stiffness * held));
    let unit = |m: DMatrix<f64>| {
        let largest = m.amax().max(f64::MIN_POSITIVE);
        m / largest
    };
    let both = DMatrix::from_columns(
        &unit(braking).column_iter().chain(unit(holding).column_iter()).collect::<Vec<_>>(),
    );
    Some(Spectrum::new(&both, 0.0)?.basis().0.ncols())
}

/// Takes the slow ones of a list of eigenvalues from the inverse of the equations, which knows these best. Where the two
/// lists meet both have lost half of the digits that the spread costs. O(n^3)
fn with_slow(mut fast: Vec<Complex<f64>>, pencil: &Pencil) -> Option<Vec<Complex<f64>>> {
    let by_size = |a: &Complex<f64>, b: &Complex<f64>| b.norm().total_cmp(&a.norm());
    fast.sort_by(by_size);
    let count = fast.len();
    let (most, least) = (fast.first()?.norm(), fast.last()?.norm().max(f64::MIN_POSITIVE));
    let mut slow = slow_spectrum(&pencil.linearised, 0.3 * least)?;
    slow.sort_by(by_size);
    // zeros are the last
    slow.truncate(count);
    let middle = 0.5 * (most.ln() + slow.last()?.norm().max(f64::MIN_POSITIVE).ln());
    // next to the middle, in a gap of both lists
    let gap = |k: usize| {
        let above = fast[k - 1].norm().min(slow[k - 1].norm());
        above / fast[k].norm().max(slow[k].norm()) - 1.0
    };
    let distance = |k: &usize| (slow[*k - 1].norm().ln() + slow[*k].norm().ln() - 2.0 * middle).abs();
    let places = |least: f64| (1..count).filter(move |&k| gap(k) > least);
    let at =
        GAPS.into_iter().find_map(|least| places(least).min_by(|a, b| distance(a).total_cmp(&distance(b))));
    let at = at.unwrap_or(0);
    Some(fast[..at].iter().chain(&slow[at..]).copied().collect())
}

/// Eigenvalues by (A - sigma)^-1, zeros included, from the equations in independent coordinates.
fn slow_spectrum(linearised: &Linearised, sigma: f64) -> Option<Vec<Complex<f64>>> {
    let [mass, damping, stiffness] = scaled(linearised);
    let n = mass.nrows();
    let lu = LU::new(&mass * (sigma * sigma) + &damping * sigma + &stiffness);
    // (A - sigma) (p, v) = (r_p, r_v): v = r_p + sigma p, (sigma^2 M + sigma C + K) p = -M (r_v + sigma r_p) - C r_p
    let by_place = lu.solve(&-(&mass * sigma + &damping))?;
    let by_rate = lu.solve(&-&mass)?;
    let mut inverse = DMatrix::zeros(2 * n, 2 * n);
    inverse.view_mut((0, 0), (n, n)).copy_from(&by_place);
    inverse.view_mut((0, n), (n, n)).copy_from(&(&by_rate * sigma));
    inverse.view_mut((n, 0), (n, n)).copy_from(&by_place);
    inverse.view_mut((n, n), (n, n)).copy_from(&(&by_rate * sigma));
    // rates in units of sigma
    for k in 0..n {
        inverse[(n + k, k)] += 1.0 / sigma;
    }
    let values = spectrum_of(inverse)?;
    Some(values.into_iter().map(|value| Complex::new(sigma, 0.0) + value.inv()).collect())
}

/// The matrices of the equations with a unit mass for each coordinate alone: places and turns are alike.
pub(super) fn scaled(linearised: &Linearised) -> [DMatrix<f64>; 3] {
    let units = units(linearised);
    [&linearised.mass, &linearised.damping, &linearised.stiffness]
        .map(|m| DMatrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] * units[i] * units[j]))
}

/// Units of the coordinates in which each has a unit mass.
pub(super) fn units(linearised: &Linearised) -> Vec<f64> {
    linearised.mass.diagonal().iter().map(|m| 1.0 / m.abs().max(f64::MIN_POSITIVE).sqrt()).collect()
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

impl Eigen {
    /// An eigenvector by inverse iteration, and the residual of the equation relative to its terms. `seed` makes
    /// different vectors for equal eigenvalues.
    pub fn vector(&self, pencil: &Pencil, lambda: Complex<f64>, seed: usize) -> (DVector<Complex<f64>>, f64) {
        let n = pencil.stiffness.nrows();
        if !self.spread {
            let [mass, damping] = [DMatrix::identity(n, n), pencil.damping.clone()];
            return inverse_iteration([&mass, &damping, &pencil.stiffness], lambda, seed);
        }
        let [mass, damping, stiffness] = scaled(&pencil.linearised);
        let (mut x, residual) = inverse_iteration([&mass, &damping, &stiffness], lambda, seed);
        // back to independent coordinates, and to those of the metric
        x.iter_mut().zip(units(&pencil.linearised)).for_each(|(x, unit)| *x *= unit);
        let mut x = pencil.factor.map(|l| Complex::new(l, 0.0)).tr_mul(&x);
        let size = x.norm().max(f64::MIN_POSITIVE);
        x.unscale_mut(size);
        (x, residual)
    }
}

/// A vector of lambda^2 M + lambda C + K.
fn inverse_iteration(
    matrices: [&DMatrix<f64>; 3],
    lambda: Complex<f64>,
    seed: usize,
) -> (DVector<Complex<f64>>, f64) {
    let n = matrices[0].nrows();
    let [m, c, k] = matrices.map(|m| m.map(|x| Complex::new(x, 0.0)));
    let at = |lambda: Complex<f64>| &k + &c * lambda + &m * (lambda * lambda);
    // a little off, for a matrix that is not quite singular
    let lu = LU::new(at(lambda * (1.0 + 4.0 * f64::EPSILON)));
    let mut scatter = Scatter::new(seed);
    let mut x = DVector::from_fn(n, |_, _| Complex::new(scatter.next(), 0.0));
    for _ in 0..3 {
        if let Some(next) = lu.solve(&x).filter(|next| next.norm().is_normal()) {
            x = &next / Complex::new(next.norm(), 0.0);
        }
    }
    let terms = (&k * &x).norm() + (&c * &x).norm() * lambda.norm() + lambda.norm_sqr() * (&m * &x).norm();
    let residual = (at(lambda) * &x).norm() / terms;
    (x, residual)
}
