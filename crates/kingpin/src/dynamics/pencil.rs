//! The linearised equations in the metric of the mass: x'' + C x' + K x = 0.

use super::mechanism::Trouble;
use super::reduced::Reduced;
use crate::integrate::{Linearisation, SecondOrder};
use crate::spatial::euler;
use nalgebra::{DMatrix, DVector};

/// Independent coordinates v = L^-T x with Mhat = L L^T: x has unit mass.
pub(super) struct Pencil {
    /// L.
    pub factor: DMatrix<f64>,
    /// K = L^-1 M2 L^-T.
    pub stiffness: DMatrix<f64>,
    /// C = L^-1 M1 L^-T.
    pub damping: DMatrix<f64>,
    /// Velocities of all bodies by columns of x: orthonormal in the mass of the mechanism.
    pub motions: DMatrix<f64>,
}

impl Pencil {
    /// Linearises at the instant at hand, in better coordinates if those at hand have become bad ones.
    pub fn new(reduced: &mut Reduced) -> Result<Pencil, Trouble> {
        let mut linearisation = linearise(reduced)?;
        if reduced.strained() && reduced.repartition()? {
            linearisation = linearise(reduced)?;
        }
        let n = reduced.dim();
        let square = |m: &[f64]| DMatrix::from_column_slice(n, n, m);
        let factor = square(&linearisation.mhat).cholesky().ok_or(Trouble::Partition)?.unpack();
        let divide = |m: &[f64]| -> Option<DMatrix<f64>> {
            let left = factor.solve_lower_triangular(&square(m))?;
            Some(factor.solve_lower_triangular(&left.transpose())?.transpose())
        };
        let all = || {
            let motions = factor.solve_lower_triangular(&motions(reduced).transpose())?.transpose();
            Some((divide(&linearisation.m2)?, divide(&linearisation.m1)?, motions))
        };
        let (stiffness, damping, motions) = all().ok_or(Trouble::Partition)?;
        Ok(Pencil { factor, stiffness, damping, motions })
    }

    /// Coordinates x of changes of the independent coordinates.
    pub fn from_independent(&self, v: &[f64]) -> DVector<f64> {
        self.factor.tr_mul(&DVector::from_column_slice(v))
    }

    /// Changes of the independent coordinates.
    pub fn to_independent(&self, x: &DVector<f64>) -> DVector<f64> {
        // the factor of a positive definite matrix has no zeros on its diagonal
        self.factor.tr_solve_lower_triangular(x).unwrap_or_else(|| DVector::zeros(x.len()))
    }
}

fn linearise(reduced: &mut Reduced) -> Result<Linearisation, Trouble> {
    let n = reduced.dim();
    let (mut y, mut out) = (vec![0.0; 2 * n], Linearisation::zeros(n));
    reduced.independent(&mut y);
    let t = reduced.t;
    reduced.linearise(t, &y[..n], &y[n..], &mut out)?;
    Ok(out)
}

/// Velocities of all bodies by independent rates, where they were linearised last.
fn motions(reduced: &Reduced) -> DMatrix<f64> {
    let (system, partition) = (reduced.mechanism.system, &reduced.partition);
    let (nq, nv) = (system.nq(), system.nv());
    let mut motions = DMatrix::zeros(system.velocities(), partition.independent.len());
    let mut rates = vec![0.0; system.coordinates()];
    for (k, &c) in partition.independent.iter().enumerate() {
        rates.fill(0.0);
        rates[c] = 1.0;
        for (x, &u) in reduced.tangent.column(k).iter().zip(&partition.dependent) {
            rates[u] = *x;
        }
        let bodies = rates.chunks_exact(nq).zip(reduced.q.chunks_exact(nq));
        for (b, (rate, q)) in bodies.enumerate() {
            let mut out = motions.view_mut((b * nv, k), (nv, 1));
            if nq == 3 {
                out.copy_from_slice(rate);
                continue;
            }
            let w = euler::g_times(&[q[3], q[4], q[5], q[6]], &[rate[3], rate[4], rate[5], rate[6]]);
            out.copy_from_slice(&[rate[0], rate[1], rate[2], 2.0 * w[0], 2.0 * w[1], 2.0 * w[2]]);
        }
    }
    motions
}
