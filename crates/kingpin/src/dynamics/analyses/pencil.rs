//! The linearised equations in the metric of the mass: x'' + C x' + K x = 0.

use crate::dynamics::forms::reduced::{Linearising, Reduced};
use crate::dynamics::instant::Trouble;
use crate::integrate::SecondOrder;
use nalgebra::{DMatrix, DVector};

/// Independent coordinates v = L^-T x with the mass L L^T: x has unit mass.
pub(in crate::dynamics) struct Pencil {
    /// L.
    pub factor: DMatrix<f64>,
    /// K = L^T Mhat^-1 M2 L^-T.
    pub stiffness: DMatrix<f64>,
    /// C = L^T Mhat^-1 M1 L^-T.
    pub damping: DMatrix<f64>,
    /// Velocities of all bodies by columns of x: orthonormal in the mass of the mechanism.
    pub motions: DMatrix<f64>,
}

impl Pencil {
    /// Linearises at the instant at hand, in better coordinates if those at hand have become bad ones.
    pub fn new(reduced: &mut Reduced) -> Result<Pencil, Trouble> {
        // other derivatives come already divided by the mass, and with them the metric would be lost
        reduced.linearising = Linearising::Reduced;
        let mut linearisation = reduced.linearised()?;
        if reduced.strained() && reduced.repartition()? {
            linearisation = reduced.linearised()?;
        }
        let n = reduced.dim();
        let square = |m: &[f64]| DMatrix::from_column_slice(n, n, m);
        // forces that go with reactions go with accelerations: what is in front of these is not the mass alone
        let plain = reduced.mechanism.system.forces_read.then(|| square(reduced.reactions.mass()));
        let behind = plain.is_some().then(|| square(&linearisation.mhat).lu());
        let mass = plain.unwrap_or_else(|| square(&linearisation.mhat));
        let factor = mass.cholesky().ok_or(Trouble::Partition)?.unpack();
        let divide = |m: &[f64]| -> Option<DMatrix<f64>> {
            let left = match &behind {
                Some(lu) => factor.tr_mul(&lu.solve(&square(m))?),
                None => factor.solve_lower_triangular(&square(m))?,
            };
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
    pub fn in_metric(&self, v: &[f64]) -> DVector<f64> {
        self.factor.tr_mul(&DVector::from_column_slice(v))
    }

    /// Changes of the independent coordinates.
    pub fn independent(&self, x: &DVector<f64>) -> DVector<f64> {
        // the factor of a positive definite matrix has no zeros on its diagonal
        self.factor.tr_solve_lower_triangular(x).unwrap_or_else(|| DVector::zeros(x.len()))
    }
}

/// Velocities of all bodies by independent rates, where they were linearised last: there the rates of the chart are
/// velocities.
fn motions(reduced: &Reduced) -> DMatrix<f64> {
    let n = reduced.mechanism.system.velocities();
    let columns = (0..reduced.dim()).flat_map(|k| reduced.tangent.column(k));
    DMatrix::from_iterator(n, reduced.dim(), columns)
}
