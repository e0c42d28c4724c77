//! Who takes part in a motion.

use crate::spatial::{apply, dot};
use crate::system::System;
use nalgebra::{Complex, DVector};

/// What takes part, and how much of it all is its part.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// A body, a coordinate or a force.
    pub name: String,
    /// Its part.
    pub share: f64,
}

/// Parts of the bodies in the kinetic energy of a motion (velocities of all bodies), largest first.
pub(in crate::dynamics) fn body_shares(system: &System, motion: &DVector<Complex<f64>>) -> Vec<Share> {
    let energy = |b: usize| -> f64 {
        let own = &motion.as_slice()[system.nodes.v(b)];
        [own.iter().map(|x| x.re).collect::<Vec<f64>>(), own.iter().map(|x| x.im).collect()]
            .iter()
            .map(|v| twice_energy(system, b, v))
            .sum()
    };
    let energies: Vec<f64> = (0..system.masses()).map(energy).collect();
    let total: f64 = energies.iter().sum();
    let names = system.body_names.iter().cloned();
    let shares = names.zip(energies).map(|(name, e)| Share { name, share: e / total.max(f64::MIN_POSITIVE) });
    sorted(shares.collect())
}

/// Largest first; those that differ by round-off only stay in order.
pub(in crate::dynamics) fn sorted(mut shares: Vec<Share>) -> Vec<Share> {
    let rounded = |share: &Share| (share.share * 1e6).round();
    shares.sort_by(|a, b| rounded(b).total_cmp(&rounded(a)));
    shares
}

/// v^T M v of one body.
pub(in crate::dynamics) fn twice_energy(system: &System, body: usize, v: &[f64]) -> f64 {
    let (inertia, d) = (&system.inertia[body], system.nodes[body].places);
    let linear = inertia.mass * v[..d].iter().map(|x| x * x).sum::<f64>();
    let turn = match v[d..] {
        [x, y, z] => dot(&[x, y, z], &apply(&inertia.tensor, &[x, y, z])),
        [w] => inertia.tensor[0][0] * w * w,
        _ => 0.0,
    };
    linear + turn
}
