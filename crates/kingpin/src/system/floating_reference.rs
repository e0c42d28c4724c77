//! Flexible bodies by definition, for any scalar.

use super::System;
use crate::element::floating::FloatingBody;
use crate::scalar::{Dual, Scalar};
use crate::spatial::Coords;

impl System {
    fn amplitudes_of<T: Scalar>(&self, body: &FloatingBody, all: &[T]) -> Vec<T> {
        body.amplitudes.iter().map(|&node| all[self.nodes[node].q]).collect()
    }

    /// Adds the momentum of rates x: that of the frame is B^T times the one in velocities, where w = B p' is linear in p'.
    pub(super) fn add_floating_momentum<C: Coords, T: Scalar>(&self, q: &[T], x: &[T], out: &mut [T]) {
        for body in &self.floating {
            let (z, rates) = (self.amplitudes_of(body, q), self.amplitudes_of(body, x));
            let first = self.nodes[body.frame].q + C::D;
            let (p, turn) = (&q[first..first + C::K], &x[first..first + C::K]);
            let b: [Vec<T>; 3] = if C::NORMALISED {
                let two = |x: T| x.scale(2.0);
                [
                    vec![-two(p[1]), two(p[0]), two(p[3]), -two(p[2])],
                    vec![-two(p[2]), -two(p[3]), two(p[0]), two(p[1])],
                    vec![-two(p[3]), two(p[2]), -two(p[1]), two(p[0])],
                ]
            } else {
                [vec![T::one()], vec![T::zero()], vec![T::zero()]]
            };
            let along = |row: &Vec<T>| row.iter().zip(turn).fold(T::zero(), |sum, (b, x)| sum + *b * *x);
            let w = [along(&b[0]), along(&b[1]), along(&b[2])];
            let (spin, momenta) = body.constants.momentum(&z, &w, &rates);
            for k in 0..C::K {
                (0..3).for_each(|a| out[first + k] += b[a][k] * spin[a]);
            }
            for (&node, own) in body.amplitudes.iter().zip(momenta) {
                out[self.nodes[node].q] += own;
            }
        }
    }

    /// Adds inner forces: -V_z less damping.
    pub(super) fn floating_by_definition<T: Scalar>(&self, q: &[T], qdot: &[T], force: &mut [T]) {
        for body in &self.floating {
            let (z, rates) = (self.amplitudes_of(body, q), self.amplitudes_of(body, qdot));
            for (j, &node) in body.amplitudes.iter().enumerate() {
                let seed = |k: usize| if k == j { T::one() } else { T::zero() };
                let lifted: Vec<Dual<T>> =
                    z.iter().enumerate().map(|(k, z)| Dual::new(*z, seed(k))).collect();
                let slope = body.constants.strain_energy(&lifted).d;
                force[self.nodes[node].q] -= slope;
                for (rate, c) in rates.iter().zip(&body.constants.damping[j * rates.len()..]) {
                    force[self.nodes[node].q] -= rate.scale(*c);
                }
            }
        }
    }
}
