//! Directions without stiffness: those whose stiffness is round-off of the terms that it is the sum of.

use super::eigen::{scaled, units};
use crate::dynamics::analyses::pencil::Pencil;
use crate::dynamics::analyses::spectrum::Spectrum;
use crate::dynamics::forms::reduced::Reduced;
use nalgebra::{DMatrix, DVector, LU};

/// Stiffness below this part of the terms that it is the sum of is round-off.
const ROUND_OFF: f64 = 1e-12;
/// Stiffness below this part of the largest may be none: who is not is seen from its terms.
const SUSPECT: f64 = 1e-8;
/// Mass beside a stiffness that may be singular, as a part of the largest stiffness.
const BESIDE: f64 = 1e-15;
/// Inverse iterations.
const ROUNDS: usize = 3;

/// What round-off of a stiffness is measured against.
pub(super) struct RoundOff<'r, 'a> {
    pub reduced: &'r Reduced<'a>,
    /// About how much stiffness weight brings, 1/s^2.
    pub natural: f64,
    /// The fastest rate of the motion at hand, 1/s.
    pub rate: f64,
}

/// Directions in the metric of the mass, orthonormal, by columns.
pub(super) struct Directions {
    /// Those without stiffness.
    pub free: DMatrix<f64>,
    /// All others.
    pub held: DMatrix<f64>,
    /// Whether stiffness is spread over many decades.
    pub spread: bool,
}

impl RoundOff<'_, '_> {
    /// Directions with and without stiffness, but for the integrals of `states`. A direction is free if its stiffness is
    /// round-off of its own terms: how stiff other directions are does not matter. O(n^3)
    pub fn directions(&self, pencil: &Pencil, states: &[usize]) -> Option<Directions> {
        let stiffness = pencil.stiffness.clone().remove_columns_at(states);
        let n = pencil.stiffness.nrows();
        if stiffness.ncols() == 0 {
            let [free, held] = [DMatrix::zeros(n, 0), DMatrix::zeros(n, 0)];
            return Some(Directions { free, held, spread: false });
        }
        let natural = self.natural.max(10.0 * self.rate * self.rate);
        let spectrum = Spectrum::new(&stiffness, natural)?;
        let largest = spectrum.largest();
        let (suspect, stiff) = spectrum.basis_at(spectrum.nothing.max(SUSPECT * largest));
        let with_states = |m: DMatrix<f64>| states.iter().fold(m, |m, &place| m.insert_row(place, 0.0));
        let (suspect, stiff) = (with_states(suspect), with_states(stiff));
        if suspect.ncols() == 0 {
            return Some(Directions { free: suspect, held: stiff, spread: false });
        }
        let space = self.refined(pencil, &suspect, largest, states)?;
        let (free, slow) = self.parted(pencil, &space)?;
        if slow.ncols() == 0 {
            return Some(Directions { free, held: stiff, spread: false });
        }
        // the slow ones, and of the stiff ones what is not in their space
        let rest = &stiff - &space * space.tr_mul(&stiff);
        let rest = rest.qr().q();
        let held = DMatrix::from_fn(n, slow.ncols() + rest.ncols(), |i, j| {
            if j < slow.ncols() { slow[(i, j)] } else { rest[(i, j - slow.ncols())] }
        });
        Some(Directions { free, held, spread: true })
    }

    /// The space of the least stiff directions by inverse iteration with the equations in independent coordinates, in which
    /// numbers of different sizes are apart; orthonormal.
    fn refined(
        &self,
        pencil: &Pencil,
        suspect: &DMatrix<f64>,
        largest: f64,
        states: &[usize],
    ) -> Option<DMatrix<f64>> {
        let beside = BESIDE * largest.max(0.1 * self.natural).max(self.rate * self.rate);
        let [mass, _, mut stiffness] = scaled(&pencil.linearised);
        let units = DVector::from_vec(units(&pencil.linearised));
        // integrals of states have no stiffness: they stay where they are
        states.iter().for_each(|&state| stiffness[(state, state)] += largest.max(1.0));
        let lu = LU::new(stiffness + mass * beside.max(f64::MIN_POSITIVE));
        let in_units = |m: &mut DMatrix<f64>| {
            m.column_iter_mut().for_each(|mut x| x.component_mul_assign(&units));
        };
        let mut space = suspect.clone();
        for _ in 0..ROUNDS {
            // M v of v = L^-T x is L x
            let mut force = &pencil.factor * &space;
            in_units(&mut force);
            let mut next = lu.solve(&force)?;
            in_units(&mut next);
            if !next.iter().all(|x| x.is_finite()) {
                return None;
            }
            let columns: Vec<DVector<f64>> =
                pencil.factor.tr_mul(&next).column_iter().map(|x| x.normalize()).collect();
            space = DMatrix::from_columns(&columns).qr().q();
        }
        Some(space)
    }

    /// Parts a space into directions without stiffness and others.
    fn parted(&self, pencil: &Pencil, space: &DMatrix<f64>) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
        let independent = pencil.factor.tr_solve_lower_triangular(space)?;
        let within = independent.tr_mul(&(&pencil.linearised.stiffness * &independent));
        let svd = within.try_svd(false, true, 5.0 * f64::EPSILON, 1000 + 100 * space.ncols())?;
        let parts = space * svd.v_t?.transpose();
        let (mut free, mut slow) = (Vec::new(), Vec::new());
        for (x, value) in parts.column_iter().zip(svd.singular_values.iter()) {
            let terms = self.terms(&(&pencil.motions * x)).max(0.1 * self.natural).max(self.rate * self.rate);
            if *value <= ROUND_OFF * terms { free.push(x.into_owned()) } else { slow.push(x.into_owned()) }
        }
        let matrix = |columns: &[DVector<f64>]| {
            if columns.is_empty() { DMatrix::zeros(space.nrows(), 0) } else { DMatrix::from_columns(columns) }
        };
        Some((matrix(&free), matrix(&slow)))
    }

    /// |x|^T |K| |x| for a motion of all bodies: what round-off of x^T K x is a part of.
    fn terms(&self, motion: &DVector<f64>) -> f64 {
        let (system, stiffness) = (self.reduced.mechanism.system, &self.reduced.slopes.stiffness);
        let mut sum = 0.0;
        for pair in &system.layout.pairs {
            let [rows, columns] = pair.nv;
            for i in 0..rows {
                for j in 0..columns {
                    let k = stiffness[pair.at + i * columns + j];
                    sum += (k * motion[pair.v[0] + i] * motion[pair.v[1] + j]).abs();
                }
            }
        }
        sum
    }
}
