//! Motions without stiffness, in words.

use crate::dynamics::analyses::shares::body_shares;
use crate::spatial::{cross, sub};
use crate::system::{System, Work};
use nalgebra::{Complex, DMatrix, DVector};

/// A motion without stiffness.
#[derive(Clone, Debug, PartialEq)]
pub enum Freedom {
    /// The whole mechanism moves along a global axis.
    Along(char),
    /// The whole mechanism turns about a global axis through its centre of mass.
    About(char),
    /// A part of it moves.
    Part {
        /// The body that takes part most.
        body: String,
    },
}

/// A motion is free if all but this of its energy is in free directions.
const FREE: f64 = 1e-6;

/// Names for free motions, which are orthonormal in the metric of the mass.
pub(super) fn freedom(system: &System, work: &Work, free: &DMatrix<f64>) -> Vec<Freedom> {
    let mut named = Vec::new();
    // what has a name, as orthonormal columns over the free directions
    let mut known: Vec<DVector<f64>> = Vec::new();
    for (name, motion) in rigid_motions(system, work) {
        let mut momentum = motion.clone();
        for (b, node) in system.nodes.iter().enumerate() {
            times_mass(system, b, &mut momentum.as_mut_slice()[node.v()]);
        }
        let mut inside = free.tr_mul(&momentum);
        let energy: f64 = motion.dot(&momentum);
        if inside.norm_squared() < (1.0 - FREE) * energy || named.len() == free.ncols() {
            continue;
        }
        if remove(&mut inside, &known) {
            known.push(inside);
            named.push(name);
        }
    }
    for k in 0..free.ncols() {
        let mut rest = DVector::zeros(free.ncols());
        rest[k] = 1.0;
        if remove(&mut rest, &known) {
            let motion = (free * &rest).map(|x| Complex::new(x, 0.0));
            let body = body_shares(system, &motion).first().map_or_else(String::new, |s| s.name.clone());
            known.push(rest);
            named.push(Freedom::Part { body });
        }
    }
    named.truncate(free.ncols());
    named
}

/// Takes away what is known already and makes the rest a unit vector; `false` if nothing is left.
fn remove(x: &mut DVector<f64>, known: &[DVector<f64>]) -> bool {
    let before = x.norm();
    for _ in 0..2 {
        for other in known {
            *x -= other * other.dot(x);
        }
    }
    let left = x.norm();
    *x /= left.max(f64::MIN_POSITIVE);
    left > 1e-3 * before
}

/// Velocities of a mechanism that moves like one body.
fn rigid_motions(system: &System, work: &Work) -> Vec<(Freedom, DVector<f64>)> {
    let d = system.dimensions();
    let mass: f64 = system.inertia.iter().map(|i| i.weight).sum();
    let mut centre = [0.0; 3];
    for (inertia, body) in system.inertia.iter().zip(&work.bodies) {
        (0..3).for_each(|k| centre[k] += inertia.weight * body.r[k] / mass);
    }
    let mut all = Vec::new();
    for (axis, name) in ['x', 'y', 'z'].into_iter().enumerate().take(d) {
        let mut motion = DVector::zeros(system.velocities());
        let able = system.nodes.iter().take(system.masses()).filter(|node| axis < node.places);
        able.for_each(|node| motion[node.v + axis] = 1.0);
        all.push((Freedom::Along(name), motion));
    }
    for (axis, name) in ['x', 'y', 'z'].into_iter().enumerate().skip(if d == 2 { 2 } else { 0 }) {
        let mut motion = DVector::zeros(system.velocities());
        let mut turn = [0.0; 3];
        turn[axis] = 1.0;
        for (node, body) in system.nodes.iter().take(system.masses()).zip(&work.bodies) {
            let v = &mut motion.as_mut_slice()[node.v()];
            v[..node.places].copy_from_slice(&cross(&turn, &sub(&body.r, &centre))[..node.places]);
            if !node.turns() {
                continue;
            }
            if d == 2 {
                v[2] = 1.0;
            } else {
                // A^T turn
                (0..3).for_each(|k| v[3 + k] = body.a[axis][k]);
            }
        }
        all.push((Freedom::About(name), motion));
    }
    all
}

/// v := M v of one body.
fn times_mass(system: &System, body: usize, v: &mut [f64]) {
    let (inertia, d) = (&system.inertia[body], system.nodes[body].places);
    let turn: Vec<f64> = v[d..].to_vec();
    v[..d].iter_mut().for_each(|x| *x *= inertia.mass);
    for (k, out) in v[d..].iter_mut().enumerate() {
        *out = turn.iter().enumerate().map(|(l, w)| inertia.tensor[k][l] * w).sum();
    }
}
