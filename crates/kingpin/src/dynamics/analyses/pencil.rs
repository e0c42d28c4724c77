//! The linearised equations in independent coordinates, and in the metric of the mass: x'' + C x' + K x = 0.

use crate::dynamics::analyses::steady::SteadyMotion;
use crate::dynamics::forms::reduced::{Linearising, Reduced};
use crate::dynamics::instant::Trouble;
use crate::integrate::SecondOrder;
use nalgebra::{DMatrix, DVector};

/// Mhat v'' + M1 v' + M2 v = 0 for changes v of the independent coordinates.
pub(in crate::dynamics) struct Linearised {
    pub mass: DMatrix<f64>,
    pub damping: DMatrix<f64>,
    pub stiffness: DMatrix<f64>,
    /// Velocities of all bodies by independent rates, Z.
    pub motions: DMatrix<f64>,
}

impl Linearised {
    /// Linearises at the instant at hand, in better coordinates if those at hand have become bad ones.
    pub fn new(reduced: &mut Reduced) -> Result<Linearised, Trouble> {
        // other derivatives come already divided by the mass, and with them the metric would be lost
        reduced.linearising = Linearising::Reduced;
        let mut linearisation = reduced.linearised()?;
        if reduced.strained() && reduced.repartition()? {
            linearisation = reduced.linearised()?;
        }
        let n = reduced.dim();
        let square = |m: &[f64]| DMatrix::from_column_slice(n, n, m);
        Ok(Linearised {
            mass: square(&linearisation.mhat),
            damping: square(&linearisation.m1),
            stiffness: square(&linearisation.m2),
            motions: motions(reduced),
        })
    }

    /// The same equations for changes that are seen in the axes of a steady motion: dx = S(t) y with S = 1 at the
    /// instant, so that M1 + 2 Mhat s1 and M2 + M1 s1 + Mhat s2 take the places of M1 and M2. s1 and s2 are the
    /// independent rows of S' Z and S'' Z. Returns s1: rates of the chart are y' + s1 y. O(n^3)
    pub fn seen_in(&mut self, motion: &SteadyMotion, reduced: &Reduced) -> Option<DMatrix<f64>> {
        if motion.is_still() {
            return None;
        }
        let [s1, s2] = motion.transport(reduced.mechanism.system, &self.motions);
        let independent = &reduced.partition.independent;
        let (s1, s2) = (s1.select_rows(independent), s2.select_rows(independent));
        self.stiffness += &self.damping * &s1 + &self.mass * s2;
        self.damping += &self.mass * &s1 * 2.0;
        Some(s1)
    }
}

/// Independent coordinates v = L^-T x with the mass L L^T: x has unit mass.
pub(in crate::dynamics) struct Pencil {
    /// The equations in independent coordinates.
    pub linearised: Linearised,
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
        let linearised = Linearised::new(reduced)?;
        Self::of(linearised, reduced)
    }

    /// The metric of equations that were linearised at the instant at hand.
    pub fn of(linearised: Linearised, reduced: &Reduced) -> Result<Pencil, Trouble> {
        let n = reduced.dim();
        // forces that go with reactions go with accelerations: what is in front of these is not the mass alone
        let reads = reduced.mechanism.system.forces_read;
        let plain = reads.then(|| DMatrix::from_column_slice(n, n, reduced.reactions.mass()));
        let behind = plain.is_some().then(|| linearised.mass.clone().lu());
        let mass = plain.unwrap_or_else(|| linearised.mass.clone());
        let factor = mass.cholesky().ok_or(Trouble::Partition)?.unpack();
        let divide = |m: &DMatrix<f64>| -> Option<DMatrix<f64>> {
            let left = match &behind {
                Some(lu) => factor.tr_mul(&lu.solve(m)?),
                None => factor.solve_lower_triangular(m)?,
            };
            Some(factor.solve_lower_triangular(&left.transpose())?.transpose())
        };
        let all = || {
            let motions = factor.solve_lower_triangular(&linearised.motions.transpose())?.transpose();
            Some((divide(&linearised.stiffness)?, divide(&linearised.damping)?, motions))
        };
        let (stiffness, damping, motions) = all().ok_or(Trouble::Partition)?;
        Ok(Pencil { linearised, factor, stiffness, damping, motions })
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
