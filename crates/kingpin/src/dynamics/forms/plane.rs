//! Coordinates of the tangent plane [Negrut 1998, appendix B], for forms with dense matrices.

use super::jacobian::CoordinateJacobian;
use super::partition::Partition;
use super::whole::heaviness;
use crate::integrate::snapshot;
use crate::linalg::{DenseLu, FourWide};
use crate::system::System;

/// Coordinates z = L x with L = V^T W^-1, where the columns of V are a basis of the motions that the constraints allowed
/// where the plane was laid, orthogonal in the metric W^-1 of [`Whole`](super::whole::Whole), and L V = I. No orthogonal
/// factors of the constraint Jacobian are needed: the factors of Phi_u at hand give the motions P of independent
/// coordinates, and from these follow V (by orthogonalisation) and, in any configuration, B = P (L P)^-1: how all
/// coordinates move with z. What a solution with Phi_u moves of z, B takes back: (I - B L) Phi_u^-1 stands for
/// Q1 (Phi_q Q1)^-1 of the source. With unit vectors for V all of this would be the partition.
///
/// Matrices have a row per coordinate.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Plane {
    dof: usize,
    /// W^-1.
    metric: Vec<f64>,
    /// L^T, V, and one over the squared lengths of the columns of V.
    rows: Vec<f64>,
    basis: Vec<f64>,
    shortness: Vec<f64>,
    /// B, where the factors at hand were made.
    motions: Vec<f64>,
    /// How far it has turned where it was looked at last: one over the squared cosine.
    pub turn: f64,
    /// Right sides, L P transposed and its exchanges, changes of z.
    four: Vec<FourWide>,
    square: Vec<f64>,
    exchange: Vec<usize>,
    z: Vec<f64>,
}
snapshot!(Plane as "plane" { rows, basis, shortness });

impl Plane {
    /// Room for a plane of a system with so many equations.
    pub(super) fn new(system: &System, equations: usize) -> Self {
        let n = system.velocities();
        let dof = n - equations;
        let numbers = vec![0.0; n * dof];
        Self {
            dof,
            metric: heaviness(system),
            rows: numbers.clone(),
            basis: numbers.clone(),
            shortness: vec![1.0; dof],
            motions: numbers,
            turn: 1.0,
            four: vec![[0.0; 4]; equations],
            square: vec![0.0; dof * dof],
            exchange: vec![0; dof],
            z: vec![0.0; dof],
        }
    }

    /// Lays the plane along the motions of the configuration whose Phi_u was factored last.
    pub(super) fn lay(&mut self, jacobian: &CoordinateJacobian, partition: &Partition, values: &[f64]) {
        self.move_independent(jacobian, partition, values);
        let Self { dof, metric, rows, basis, shortness, motions, .. } = self;
        let dof = *dof;
        for k in 0..dof {
            // twice, for the digits that the first time leaves
            for other in (0..k).chain(0..k) {
                let along = shortness[other] * weighed(metric, motions, dof, (k, other));
                for row in motions.chunks_exact_mut(dof) {
                    row[k] -= along * row[other];
                }
            }
            // dz moves the coordinate that it moves most by as much
            let most = motions.iter().skip(k).step_by(dof).fold(0.0, |most: f64, x| most.max(x.abs()));
            motions.iter_mut().skip(k).step_by(dof).for_each(|x| *x /= most);
            shortness[k] = 1.0 / weighed(metric, motions, dof, (k, k));
        }
        basis.copy_from_slice(motions);
        for (c, weight) in metric.iter().enumerate() {
            for k in 0..dof {
                rows[c * dof + k] = weight * basis[c * dof + k] * shortness[k];
            }
        }
        self.turn = 1.0;
    }

    /// P of the configuration whose Phi_u was factored last, for B: units in the independent rows, -Phi_u^-1 Phi_v in the
    /// others. O(degrees of freedom times entries of the factors)
    fn move_independent(&mut self, jacobian: &CoordinateJacobian, partition: &Partition, values: &[f64]) {
        let dof = self.dof;
        self.motions.fill(0.0);
        partition.independent.iter().enumerate().for_each(|(k, &c)| self.motions[c * dof + k] = 1.0);
        for first in (0..dof).step_by(4) {
            let own = &partition.independent[first..(first + 4).min(dof)];
            for (x, &row) in self.four.iter_mut().zip(&partition.rows) {
                *x = [0.0; 4];
                for &(place, c) in &jacobian.rows[row] {
                    if let Some(k) = own.iter().position(|&own| own == c) {
                        x[k] -= values[place];
                    }
                }
            }
            partition.lu.solve_four(&mut self.four);
            for (x, &c) in self.four.iter().zip(&partition.dependent) {
                self.motions[c * dof + first..][..own.len()].copy_from_slice(&x[..own.len()]);
            }
        }
    }

    /// B = P (L P)^-1 of the configuration whose Phi_u was factored last; `None` where the plane stands across the motions.
    pub(super) fn follow(
        &mut self,
        jacobian: &CoordinateJacobian,
        partition: &Partition,
        values: &[f64],
    ) -> Option<()> {
        self.move_independent(jacobian, partition, values);
        let Self { dof, rows, motions, square, exchange, .. } = self;
        let dof = *dof;
        if dof == 0 {
            return Some(());
        }
        square.fill(0.0);
        for (row, motion) in rows.chunks_exact(dof).zip(motions.chunks_exact(dof)) {
            for (column, l) in square.chunks_exact_mut(dof).zip(row) {
                column.iter_mut().zip(motion).for_each(|(s, p)| *s += l * p);
            }
        }
        let lu = DenseLu::new(dof);
        lu.factor(square, exchange, 0.0).ok()?;
        motions.chunks_exact_mut(dof).for_each(|motion| lu.solve(square, exchange, motion));
        motions.iter().all(|x| x.is_finite()).then_some(())
    }

    /// Notes how far the plane has turned from the motions at hand: one over the squared cosine of the angle between them, if
    /// there is one angle; no less than that of the greatest.
    pub(super) fn note_turn(&mut self) {
        let each =
            |k: usize| self.shortness[k] * weighed(&self.metric, &self.motions, self.dof, (k, k)) - 1.0;
        self.turn = 1.0 + (0..self.dof).map(each).sum::<f64>();
    }

    /// B at hand.
    pub(super) fn motions(&self) -> &[f64] {
        &self.motions
    }

    /// Goes back to motions of an earlier configuration.
    pub(super) fn return_to(&mut self, motions: &[f64]) {
        self.motions.copy_from_slice(motions);
    }

    /// L^T, by rows.
    pub(super) fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// L x.
    pub(super) fn read(&self, x: &[f64], z: &mut [f64]) {
        z.fill(0.0);
        for (row, x) in self.rows.chunks_exact(self.dof.max(1)).zip(x) {
            z.iter_mut().zip(row).for_each(|(z, l)| *z += l * x);
        }
    }

    /// V, by rows.
    pub(super) fn basis(&self) -> &Vec<f64> {
        &self.basis
    }

    /// `x = B z` for the motions at hand.
    pub(super) fn along(&self, z: &[f64], x: &mut [f64]) {
        combine(&self.motions, z, x);
    }

    /// `z = B^T force` for the motions at hand.
    pub(super) fn forces(&self, force: &[f64], z: &mut [f64]) {
        z.fill(0.0);
        for (row, force) in self.motions.chunks_exact(self.dof.max(1)).zip(force) {
            z.iter_mut().zip(row).for_each(|(z, b)| *z += b * force);
        }
    }

    /// Moves x along given motions to where its coordinates are z.
    pub(super) fn reach(&mut self, motions: &[f64], z: &[f64], x: &mut [f64]) {
        let mut own = std::mem::take(&mut self.z);
        self.read(x, &mut own);
        own.iter_mut().zip(z).for_each(|(own, z)| *own = z - *own);
        for (row, x) in motions.chunks_exact(self.dof.max(1)).zip(x) {
            *x += row.iter().zip(&own).map(|(b, z)| b * z).sum::<f64>();
        }
        self.z = own;
    }

    /// (I - B L) x in place: what x does not move of the coordinates.
    pub(super) fn level(&mut self, x: &mut [f64]) {
        let mut own = std::mem::take(&mut self.z);
        self.read(x, &mut own);
        for (row, x) in self.motions.chunks_exact(self.dof.max(1)).zip(x) {
            *x -= row.iter().zip(&own).map(|(b, z)| b * z).sum::<f64>();
        }
        self.z = own;
    }
}

/// `x = matrix z` of a matrix with a row per coordinate.
pub(super) fn combine(matrix: &[f64], z: &[f64], x: &mut [f64]) {
    x.fill(0.0);
    for (row, x) in matrix.chunks_exact(z.len().max(1)).zip(x) {
        *x = row.iter().zip(z).map(|(b, z)| b * z).sum();
    }
}

/// Two columns of motions, multiplied in the metric.
fn weighed(metric: &[f64], motions: &[f64], dof: usize, (i, k): (usize, usize)) -> f64 {
    motions.chunks_exact(dof).zip(metric).map(|(row, weight)| weight * row[i] * row[k]).sum()
}
