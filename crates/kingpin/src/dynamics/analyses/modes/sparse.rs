//! Some modes of a mechanism at rest, of any size: those next to a place, by the factor of lambda^2 M + lambda C + K there.

use super::freedom::freedom;
use super::participation::{all_coordinate_shares, force_shares};
use super::{Mode, ModeChoice, Modes, NoModes, fastest, natural_rate};
use crate::analysis::length_scale;
use crate::dynamics::analyses::bound::{Definite, Krylov, Ritz, Slack, nearly_nothing, slack, slowest_rate};
use crate::dynamics::analyses::shares::body_shares;
use crate::dynamics::analyses::steady::Axes;
use crate::dynamics::forms::whole::{BoundPencil, ComplexBoundFactor, StiffnessSide, Swing, Whole};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::system::State;
use nalgebra::{Complex, DMatrix, DVector};
use std::f64::consts::TAU;

/// Modes if nobody says how many.
const COUNT: usize = 20;
/// Eigenvalues with a relative error below this have converged.
const CONVERGED: f64 = 1e-10;
/// Dimensions that are explored at once, and at most for each mode and in all.
const MORE: usize = 24;
const MOST: [usize; 2] = [16, 240];
/// Damping of a free motion below this part of the largest of them is none.
const UNBRAKED: f64 = 1e-7;
/// Residual of a mode that is none.
const SOUND: f64 = 1e-3;
/// Imaginary parts below this part of the magnitude are round-off: the halves of a double real eigenvalue.
const REAL: f64 = 1e-7;

const ZERO: Complex<f64> = Complex::new(0.0, 0.0);
const ONE: Complex<f64> = Complex::new(1.0, 0.0);

/// The first-order equations about a place sigma: (p, v) by (A - sigma)^-1, without what has no stiffness.
struct Shifted<'p> {
    pencil: &'p BoundPencil,
    sigma: Complex<f64>,
    factor: ComplexBoundFactor,
    /// Motions without stiffness, and those of them without damping.
    free: DMatrix<Complex<f64>>,
    unbraked: DMatrix<Complex<f64>>,
    /// A rate that makes places and velocities of similar size.
    rate: f64,
}

impl Shifted<'_> {
    fn halves(x: &Swing) -> [Swing; 2] {
        let n = x.len() / 2;
        [x.rows(0, n).into_owned(), x.rows(n, n).into_owned()]
    }

    fn whole(p: &Swing, v: &Swing) -> Swing {
        Swing::from_iterator(2 * p.len(), p.iter().chain(v.iter()).copied())
    }

    fn mass(&self, x: &Swing) -> Swing {
        self.pencil.weighed([ONE, ZERO, ZERO], x)
    }

    /// x without its part in a space that is orthonormal in the metric of the mass.
    fn without(&self, space: &DMatrix<Complex<f64>>, x: &Swing) -> Swing {
        if space.ncols() == 0 { x.clone() } else { x - space * space.ad_mul(&self.mass(x)) }
    }

    fn metric(&self, x: &Swing) -> Swing {
        let [p, v] = Self::halves(x);
        Self::whole(&(self.mass(&p) * Complex::new(self.rate * self.rate, 0.0)), &self.mass(&v))
    }

    /// v - sigma p = r_p, -(C v + K p) - sigma M v = M r_v. What lies along motions without stiffness and damping concerns
    /// nothing else, and is left out on both sides.
    fn apply(&self, x: &Swing) -> Swing {
        let [rp, rv] = Self::halves(x);
        let rv = self.without(&self.unbraked, &rv);
        let mut force = -self.mass(&(&rv + &rp * self.sigma)) - self.pencil.weighed([ZERO, ONE, ZERO], &rp);
        if self.unbraked.ncols() > 0 {
            let parts = self.unbraked.ad_mul(&force);
            force -= self.mass(&(&self.unbraked * parts));
        }
        let mut p = self.pencil.solve_complex(&self.factor, &force);
        // pivots stay in their blocks: what they lose is made good
        let left = &force - self.pencil.weighed([self.sigma * self.sigma, self.sigma, ONE], &p);
        p += self.pencil.solve_complex(&self.factor, &left);
        let v = rp + &p * self.sigma;
        Self::whole(&self.without(&self.free, &p), &self.without(&self.unbraked, &v))
    }
}

/// The modes next to a place, by Arnoldi's method with the factor there.
pub(super) fn sparse_modes(
    mechanism: Dynamics,
    state: &State,
    choice: &ModeChoice,
) -> Result<Modes, NoModes> {
    let system = mechanism.system;
    let dof = mechanism.freedoms();
    let mut whole = Whole::<false>::new(mechanism, state)?;
    whole.solve_again()?;
    let acceleration = fastest(system, &whole.mechanism.result.acc);
    if dof == 0 {
        return Ok(Modes { acceleration, sparse: true, ..Modes::default() });
    }
    let pencil = whole.pencil()?;
    let natural = natural_rate(system);
    let (nearly, nothing) = nearly_nothing(&pencil, natural).ok_or(Trouble::Partition)?;
    let still = slack(&pencil, &nearly, StiffnessSide::Given, natural);
    if !still.whole {
        return Err(NoModes::ManyFree { least: still.basis.ncols() });
    }
    let still_mass = pencil.factor_complex([ONE, ZERO, ZERO]).ok_or(Trouble::Partition)?;
    let unbraked = unbraked(&pencil, &still_mass, &still);
    let zeros = still.basis.ncols() + unbraked.ncols();
    let slowest = slowest_rate(&pencil, &nearly, &still);
    // nothing but free motions
    let slowest = if slowest > 0.0 { slowest } else { 1.0 };
    let shifted = shifted(&pencil, (&still, unbraked), (slowest, choice.near))?;
    let wanted = choice.count.unwrap_or(COUNT).min(2 * dof - zeros);
    let found = eigenvalues(&shifted, (wanted, 2 * dof - zeros), nothing)?;
    let work = &whole.mechanism.work;
    let scale = length_scale(system);
    let mode = |(lambda, start): &(Complex<f64>, Swing)| {
        let (x, residual) = vector(&pencil, &still_mass, *lambda, start);
        Mode {
            real: lambda.re,
            imaginary: lambda.im,
            bodies: body_shares(system, &x),
            coordinates: all_coordinate_shares(system, &x, scale),
            forces: force_shares(system, work, &x, *lambda),
            motion: x.iter().copied().collect(),
            residual,
        }
    };
    let mut modes: Vec<Mode> = found.iter().map(mode).collect();
    let good = modes.iter().filter(|mode| mode.residual < SOUND).count();
    if good < modes.len() {
        return Err(NoModes::NoConvergence { wanted: modes.len(), found: good });
    }
    modes.sort_by(|a, b| b.magnitude().total_cmp(&a.magnitude()));
    let eigenvalues: usize = modes.iter().map(|m| if m.imaginary > 0.0 { 2 } else { 1 }).sum();
    Ok(Modes {
        dof,
        all: eigenvalues + zeros == 2 * dof,
        modes,
        zeros,
        free: freedom(system, work, &still.basis),
        acceleration,
        axes: Axes::default(),
        moving: false,
        left_out: Vec::new(),
        sparse: true,
    })
}

/// Free motions that damping does not act on.
fn unbraked(pencil: &BoundPencil, mass: &ComplexBoundFactor, free: &Slack) -> DMatrix<Complex<f64>> {
    let complex = free.basis.map(|x| Complex::new(x, 0.0));
    if free.is_none() {
        return complex;
    }
    let brakes: Vec<Swing> = complex
        .column_iter()
        .map(|z| pencil.solve_complex(mass, &pencil.weighed([ZERO, ONE, ZERO], &z.into_owned())))
        .collect();
    let square = DMatrix::from_fn(brakes.len(), brakes.len(), |i, j| {
        brakes[i].dotc(&pencil.weighed([ONE, ZERO, ZERO], &brakes[j])).re
    });
    let eigen = square.symmetric_eigen();
    let largest = eigen.eigenvalues.max().max(0.0).sqrt();
    let chosen: Vec<Swing> = (0..brakes.len())
        .filter(|&k| {
            let z: DVector<f64> = &free.basis * eigen.eigenvectors.column(k);
            let size = eigen.eigenvalues[k].max(0.0).sqrt();
            size <= (UNBRAKED * largest).max(1e-11 * pencil.damping_size(&z))
        })
        .map(|k| &complex * eigen.eigenvectors.column(k).map(|x| Complex::new(x, 0.0)))
        .collect();
    if chosen.is_empty() { DMatrix::zeros(complex.nrows(), 0) } else { DMatrix::from_columns(&chosen) }
}

/// The operator next to a frequency in 1/s, or to zero.
fn shifted<'p>(
    pencil: &'p BoundPencil,
    (free, unbraked): (&Slack, DMatrix<Complex<f64>>),
    (small, near): (f64, Option<f64>),
) -> Result<Shifted<'p>, NoModes> {
    // not zero itself, where parts of the matrix may be singular: a body alone may have no stiffness
    let sigma = match near.filter(|f| *f > 0.0) {
        Some(f) => Complex::new(0.0, TAU * f),
        None => Complex::new(0.3 * small, 0.0),
    };
    let moved =
        [ZERO, Complex::new(1e-4, 0.0) * (sigma.norm() + 1e-2 * small), Complex::new(1e-2 * small, 0.0)];
    for by in moved {
        let sigma = sigma + by;
        if let Some(factor) = pencil.factor_complex([sigma * sigma, sigma, ONE]) {
            let free = free.basis.map(|x| Complex::new(x, 0.0));
            return Ok(Shifted { pencil, sigma, factor, free, unbraked, rate: sigma.norm().max(small) });
        }
    }
    Err(Trouble::Partition.into())
}

/// So many eigenvalues next to the place, one of each pair, with the positions of their vectors.
fn eigenvalues(
    shifted: &Shifted,
    (wanted, all): (usize, usize),
    nothing: f64,
) -> Result<Vec<(Complex<f64>, Swing)>, NoModes> {
    let n = 2 * shifted.pencil.size()[0];
    let mut krylov = Krylov::new([n, all, n / 2], |x| shifted.apply(x), |x| shifted.metric(x));
    let most = (MOST[0] * wanted + MOST[1]).min(all);
    loop {
        let more = krylov.explore(MORE.min(all.saturating_sub(krylov.explored())).max(1));
        let found = krylov.ritz().ok_or(NoModes::NoConvergence { wanted, found: 0 })?;
        let complete = !more || krylov.explored() >= all;
        let close = |r: &&Ritz| complete || r.error < CONVERGED;
        let mut values: Vec<(Complex<f64>, &Ritz)> =
            found.iter().take_while(close).map(|r| (cleaned(shifted.sigma + ONE / r.value), r)).collect();
        values.retain(|(lambda, _)| lambda.im >= 0.0);
        if values.len() >= wanted || complete {
            values.truncate(wanted);
            let lambdas: Vec<Complex<f64>> = values.iter().map(|(lambda, _)| *lambda).collect();
            if complete || is_whole(shifted, &lambdas, nothing) {
                let start = |r: &Ritz| Shifted::halves(&krylov.vector(r))[0].clone();
                return Ok(values.into_iter().map(|(lambda, r)| (lambda, start(r))).collect());
            }
            // a multiple one has hidden some of its vectors
            krylov.set_off();
        }
        if krylov.explored() >= most {
            return Err(NoModes::NoConvergence { wanted, found: values.len().min(wanted) });
        }
    }
}

fn cleaned(mut lambda: Complex<f64>) -> Complex<f64> {
    if lambda.im.abs() <= REAL * lambda.norm() {
        lambda.im = 0.0;
    }
    if lambda.re.abs() <= 1e-14 * lambda.norm() {
        lambda.re = 0.0;
    }
    lambda
}

/// Whether there are no more of the slowest than those found, where they can be counted: without damping.
fn is_whole(shifted: &Shifted, lambdas: &[Complex<f64>], nothing: f64) -> bool {
    let oscillating = lambdas.iter().all(|x| x.re.abs() <= 1e-6 * x.im);
    if shifted.sigma.im != 0.0 || !oscillating || !shifted.pencil.is_conservative() {
        return true;
    }
    let most = lambdas.iter().map(|x| x.norm_sqr()).fold(0.0, f64::max) * (1.0 - 1e-6);
    let below = lambdas.iter().filter(|x| x.norm_sqr() < most).count();
    let count = |square: f64| Definite::negatives(shifted.pencil, -square);
    match (count(most), count(nothing)) {
        (Some(all), Some(free)) => all <= below + free,
        _ => true,
    }
}

/// The eigenvector by inverse iteration from one that is close, where that is better, and the residual of its equation
/// relative to its terms.
fn vector(
    pencil: &BoundPencil,
    mass: &ComplexBoundFactor,
    lambda: Complex<f64>,
    start: &Swing,
) -> (Swing, f64) {
    let size = |x: &Swing| x.dotc(&pencil.weighed([ONE, ZERO, ZERO], x)).re.max(0.0).sqrt();
    let mut x = start / Complex::new(size(start).max(f64::MIN_POSITIVE), 0.0);
    let left = |x: &Swing| {
        let along =
            |weights: [Complex<f64>; 3]| size(&pencil.solve_complex(mass, &pencil.weighed(weights, x)));
        let square = lambda * lambda;
        let terms = along([ZERO, ZERO, ONE]) + along([ZERO, lambda, ZERO]) + square.norm() * size(x);
        along([square, lambda, ONE]) / terms
    };
    let mut residual = left(&x);
    let off = lambda * (1.0 + 4.0 * f64::EPSILON);
    let Some(factor) = pencil.factor_complex([off * off, off, ONE]) else { return (x, residual) };
    for _ in 0..2 {
        let next = pencil.solve_complex(&factor, &pencil.weighed([ONE, ZERO, ZERO], &x));
        let next = &next / Complex::new(size(&next), 0.0);
        let remains = left(&next);
        // pivots stay in their blocks: next to an eigenvalue they may lose more than the iteration gains
        if remains.is_nan() || remains >= residual {
            break;
        }
        (x, residual) = (next, remains);
    }
    (x, residual)
}
