//! What is large and what is small for a mechanism.

use crate::analysis::length_scale;
use crate::system::{Nodes, System, Work};

/// Sizes to compare with.
pub(super) struct RestYardstick {
    /// Ranges of velocities of the bodies.
    nodes: Nodes,
    /// Dimensions.
    d: usize,
    /// A length typical of the bodies.
    pub length: f64,
    /// Size of the whole mechanism, at least the length.
    reach: f64,
}

/// A turn that is as far as the size of the mechanism.
const TURN: f64 = 0.5;

impl RestYardstick {
    /// For a system at given coordinates.
    pub fn new(system: &System, q: &[f64]) -> Self {
        let (d, length, n) = (system.dimensions(), length_scale(system), system.bodies().max(1) as f64);
        let places = || system.nodes.by_q(q).map(|q| &q[..d]);
        let centre: Vec<f64> = (0..d).map(|k| places().map(|r| r[k]).sum::<f64>() / n).collect();
        let from = |r: &[f64]| norm(&(0..d).map(|k| r[k] - centre[k]).collect::<Vec<f64>>());
        Self { nodes: system.nodes.clone(), d, length, reach: places().map(from).fold(length, f64::max) }
    }

    /// The longest way of a body, in sizes of the mechanism, or half radians if that is more.
    pub fn way(&self, motion: &[f64]) -> f64 {
        let each = self.nodes.by_v(motion);
        each.map(|m| (norm(&m[..self.d]) / self.reach).max(norm(&m[self.d..]) / TURN)).fold(0.0, f64::max)
    }

    /// The body with the largest acceleration, and that acceleration.
    pub fn acceleration(&self, acc: &[f64]) -> (usize, f64) {
        let each = self.nodes.by_v(acc).enumerate();
        let sizes = each.map(|(b, a)| (b, norm(&a[..self.d]).max(self.length * norm(&a[self.d..]))));
        sizes.fold((0, 0.0), |most, one| if one.1 > most.1 { one } else { most })
    }

    /// Accelerations that the applied forces would cause without joints.
    pub fn natural(&self, system: &System, work: &Work) -> f64 {
        let each = self.nodes.by_v(&work.force).zip(&system.inertia);
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
