//! Momentum and strain energy by definition, for any scalar: what closed forms are checked against.

use super::FloatingConstants;
use crate::scalar::Scalar;

impl FloatingConstants {
    /// What the mass makes of angular velocity w and rates x of the amplitudes: (J w + H x, m x + H^T w).
    pub fn momentum<T: Scalar>(&self, z: &[T], w: &[T; 3], x: &[T]) -> ([T; 3], Vec<T>) {
        let n = z.len();
        let mut of_frame = [T::zero(); 3];
        let mut of_amplitudes: Vec<T> = x.iter().zip(&self.masses).map(|(x, m)| x.scale(*m)).collect();
        for a in 0..3 {
            for b in 0..3 {
                let mut entry = T::from_f64(self.inertia[a][b]);
                for i in 0..n {
                    entry += z[i].scale(self.first[i][a][b]);
                    for j in 0..n {
                        entry += (z[i] * z[j]).scale(self.second[i * n + j][a][b]);
                    }
                }
                of_frame[a] += entry * w[b];
            }
            for j in 0..n {
                for k in 0..n {
                    let h = z[j].scale(self.turning[j * n + k][a]);
                    of_frame[a] += h * x[k];
                    of_amplitudes[k] += h * w[a];
                }
            }
        }
        (of_frame, of_amplitudes)
    }

    /// Strain energy: that of z + q e with q = z.G z / 2.
    pub fn strain_energy<T: Scalar>(&self, z: &[T]) -> T {
        let mut strained = z.to_vec();
        if let Some(own) = &self.foreshortening {
            let mut q = T::zero();
            for (row, zi) in own.shortening.chunks_exact(z.len()).zip(z) {
                for (g, zj) in row.iter().zip(z) {
                    q += (*zi * *zj).scale(0.5 * g);
                }
            }
            strained.iter_mut().zip(&own.stretch).for_each(|(x, e)| *x += q.scale(*e));
        }
        let each = strained.iter().zip(&self.stiffness);
        each.fold(T::zero(), |sum, (x, k)| sum + (*x * *x).scale(0.5 * k))
    }
}
