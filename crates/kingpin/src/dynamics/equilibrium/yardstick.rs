//! What is large and what is small for a mechanism.

use crate::analysis::length_scale;
use crate::system::{System, Work};

/// Sizes to compare with.
pub(super) struct Yardstick {
    /// Velocities of a body, dimensions.
    nv: usize,
    d: usize,
    /// A length typical of the mechanism.
    pub length: f64,
}

/// A turn that is as far as the typical length.
const TURN: f64 = 0.5;

impl Yardstick {
    /// For a system.
    pub fn new(system: &System) -> Self {
        Self { nv: system.nv(), d: system.dimensions(), length: length_scale(system) }
    }

    /// The longest way of a body, in typical lengths.
    pub fn way(&self, motion: &[f64]) -> f64 {
        let each = motion.chunks_exact(self.nv);
        each.map(|m| (norm(&m[..self.d]) / self.length).max(norm(&m[self.d..]) / TURN)).fold(0.0, f64::max)
    }

    /// The body with the largest acceleration, and that acceleration.
    pub fn acceleration(&self, acc: &[f64]) -> (usize, f64) {
        let each = acc.chunks_exact(self.nv).enumerate();
        let sizes = each.map(|(b, a)| (b, norm(&a[..self.d]).max(self.length * norm(&a[self.d..]))));
        sizes.fold((0, 0.0), |most, one| if one.1 > most.1 { one } else { most })
    }

    /// Accelerations that the applied forces would cause without joints.
    pub fn natural(&self, system: &System, work: &Work) -> f64 {
        let each = work.force.chunks_exact(self.nv).zip(&system.inertia);
        let sizes = each.map(|(q, inertia)| {
            let turn: f64 =
                q[self.d..].iter().enumerate().map(|(k, q)| (q * inertia.inverse[k][k]).abs()).sum();
            (norm(&q[..self.d]) * inertia.inverse_mass).max(self.length * turn)
        });
        sizes.fold(norm(&system.gravity), f64::max)
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
