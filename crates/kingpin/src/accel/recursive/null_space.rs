//! The motions that a block of equations leaves free, and the forces that its multipliers make.

use crate::spatial::{M3, apply};

/// Rows of a block of full rank as combinations of an orthonormal basis: `row_k = sum r[k][i] q[i]`, i <= k. The
/// basis vectors beyond the rows span the null space. By Householder reflections, O(N^2) per row.
#[derive(Clone, Copy, Debug)]
pub(super) struct NullSpace<const N: usize> {
    pub q: [[f64; N]; N],
    pub r: [[f64; N]; N],
}

/// A row that depends on those before it: its number, what is left of its square, and its square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dependent {
    pub row: usize,
    pub left: f64,
    pub square: f64,
}

impl<const N: usize> NullSpace<N> {
    pub const ZERO: Self = Self { q: [[0.0; N]; N], r: [[0.0; N]; N] };

    /// Splits a block of rows in velocities, rotations in the axes of the body, into global axes.
    pub fn of(block: &[f64], a: &M3, threshold: f64) -> Result<Self, Dependent> {
        let mut split = Self::ZERO;
        for k in 0..N {
            split.q[k][k] = 1.0;
        }
        for (k, row) in block.chunks_exact(N).enumerate() {
            split.add(k, &global(row, a), threshold)?;
        }
        Ok(split)
    }

    fn add(&mut self, k: usize, row: &[f64; N], threshold: f64) -> Result<(), Dependent> {
        let t = self.q.map(|q| inner(&q, row));
        let (left, square) = (t[k..].iter().map(|x| x * x).sum::<f64>(), inner(row, row));
        let sound = left > threshold * square;
        if !sound {
            return Err(Dependent { row: k, left, square });
        }
        self.r[k][..k].copy_from_slice(&t[..k]);
        // reflect the rest of the basis so that its first vector carries the row
        let size = if t[k] < 0.0 { left.sqrt() } else { -left.sqrt() };
        self.r[k][k] = size;
        let mut v = t;
        v[..k].fill(0.0);
        v[k] -= size;
        let beta = -1.0 / (size * v[k]);
        let mut sum = [0.0; N];
        for i in k..N {
            for c in 0..N {
                sum[c] += v[i] * self.q[i][c];
            }
        }
        for i in k..N {
            for c in 0..N {
                self.q[i][c] -= beta * v[i] * sum[c];
            }
        }
        Ok(())
    }

    /// The least motion with given values of the rows.
    pub fn particular(&self, values: &[f64]) -> [f64; N] {
        let (mut z, mut motion) = ([0.0; N], [0.0; N]);
        for (k, value) in values.iter().enumerate() {
            let known: f64 = (0..k).map(|i| self.r[k][i] * z[i]).sum();
            z[k] = (value - known) / self.r[k][k];
            for c in 0..N {
                motion[c] += z[k] * self.q[k][c];
            }
        }
        motion
    }

    /// Multipliers with `sum lam_k row_k = force`.
    pub fn multipliers(&self, force: &[f64; N], lam: &mut [f64]) {
        for k in (0..lam.len()).rev() {
            let known: f64 = (k + 1..lam.len()).map(|i| lam[i] * self.r[i][k]).sum();
            lam[k] = (inner(&self.q[k], force) - known) / self.r[k][k];
        }
    }
}

/// A row of a block in global axes.
pub(super) fn global<const N: usize>(row: &[f64], a: &M3) -> [f64; N] {
    let mut out = [0.0; N];
    out.copy_from_slice(row);
    if N == 6 {
        out[3..].copy_from_slice(&apply(a, &[row[3], row[4], row[5]]));
    }
    out
}

fn inner<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_free_motions_and_multipliers() {
        let block = [
            [1.0, 2.0, -0.5, 0.3, 0.0, 1.0],
            [0.2, -1.0, 0.4, 0.0, 2.0, 0.1],
            [0.0, 0.3, 1.0, 1.0, 1.0, 0.0],
        ];
        let turn = crate::spatial::euler::matrix(&[0.5, 0.5, 0.5, 0.5]);
        let split = NullSpace::<6>::of(block.as_flattened(), &turn, 1e-13).expect("independent");
        let rows = block.map(|row| global::<6>(&row, &turn));
        for free in &split.q[3..] {
            assert!(rows.iter().all(|row| inner(row, free).abs() < 1e-14));
        }
        let motion = split.particular(&[0.7, -0.2, 1.5]);
        let values = rows.map(|row| inner(&row, &motion));
        assert!(values.iter().zip([0.7, -0.2, 1.5]).all(|(x, y)| (x - y).abs() < 1e-14), "{values:?}");
        let mut lam = [0.0; 3];
        let force = std::array::from_fn(|c| 2.0 * rows[0][c] - 3.0 * rows[1][c] + 0.5 * rows[2][c]);
        split.multipliers(&force, &mut lam);
        assert!(lam.iter().zip([2.0, -3.0, 0.5]).all(|(x, y)| (x - y).abs() < 1e-13), "{lam:?}");
    }

    #[test]
    fn a_dependent_row_is_named() {
        let block = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]];
        let found = NullSpace::<3>::of(block.as_flattened(), &[[0.0; 3]; 3], 1e-13);
        assert_eq!(found.err().map(|e| e.row), Some(1));
    }
}
