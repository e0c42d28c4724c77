//! Parts of the spectrum of sparse pencils: motions without stiffness, how far stiffness is from being definite, and
//! eigenvalues near a place.

mod definite;
mod krylov;
mod slack;

pub(super) use definite::Definite;
pub(super) use krylov::{Krylov, Ritz};
pub(super) use slack::{Slack, nearly_nothing, slack, slowest_rate};

use crate::dynamics::forms::whole::BoundPencil;
use nalgebra::DVector;

/// Numbers between -1/2 and 1/2, the same every time.
pub(super) struct Scatter(u64);

impl Scatter {
    pub fn new(seed: usize) -> Self {
        Self(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(2 * seed as u64 + 1))
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }
}

/// Makes vectors orthonormal in the metric of the mass; those that depend on others before them are left out.
pub(super) fn orthonormal(pencil: &BoundPencil, vectors: Vec<DVector<f64>>) -> Vec<DVector<f64>> {
    let mut done: Vec<(DVector<f64>, DVector<f64>)> = Vec::new();
    for mut x in vectors {
        let before = pencil.mass_times(&x).dot(&x).max(0.0).sqrt();
        for _ in 0..2 {
            for (other, momentum) in &done {
                x -= other * momentum.dot(&x);
            }
        }
        let momentum = pencil.mass_times(&x);
        let size = momentum.dot(&x).max(0.0).sqrt();
        if size > DEPENDENT * before && size.is_finite() {
            done.push((x / size, momentum / size));
        }
    }
    done.into_iter().map(|(x, _)| x).collect()
}

/// What is left of a vector that depends on others, at most.
const DEPENDENT: f64 = 1e-9;
