//! The constraint Jacobian in coordinates, normalisations included, as a list of sparse rows.

use crate::analysis::length_scale;
use crate::linalg::Arithmetic;
use crate::spatial::euler;
use crate::system::{Derivatives, System, Work};

/// Rows of Phi_q over the equations that are kept: joints and drivers first, then normalisations. All matrices
/// of this shape (Phi_q, (Phi_q q')_q, gamma_q, …) lie in arrays of one layout: the blocks of the system, `nq`
/// wide, followed by four numbers per normalisation.
#[derive(Clone, Debug)]
pub struct CoordinateJacobian {
    /// For each row: (place in the array, coordinate) of the entries that can differ from zero.
    pub rows: Vec<Vec<(usize, usize)>>,
    /// For each row: the equation of the system, or none for a normalisation.
    pub equation: Vec<Option<usize>>,
    /// Length of an array of the layout.
    pub len: usize,
    /// For each coordinate, how much a number of its column counts in comparisons with others.
    pub weights: Vec<f64>,
    /// The arithmetic of factorisations.
    pub arithmetic: Arithmetic,
}

/// How much less a turn counts than a displacement of the same size when dependent coordinates are chosen:
/// motions are smoother functions of angles than of displacements.
const TURN: f64 = 0.1;

impl CoordinateJacobian {
    /// Structure for a system without its redundant equations.
    pub fn new(system: &System, redundant: &[bool]) -> Self {
        let (nq, layout) = (system.nq(), &system.layout);
        let len = layout.block_rows * nq + 4 * system.normalisations();
        let nonzero = nonzeros(system, len);
        let mut jacobian = Self {
            rows: Vec::new(),
            equation: Vec::new(),
            len,
            weights: weights(system),
            arithmetic: system.arithmetic,
        };
        for group in &layout.groups {
            for row in group.rows.clone().filter(|&r| !redundant.get(r).copied().unwrap_or(false)) {
                let mut entries = Vec::new();
                for block in &layout.blocks[group.blocks.clone()] {
                    let first = (block.before + row - group.rows.start) * nq;
                    let places = (first..first + nq).filter(|&p| nonzero[p]);
                    entries.extend(places.map(|p| (p, block.body * nq + p - first)));
                }
                jacobian.rows.push(entries);
                jacobian.equation.push(Some(row));
            }
        }
        for body in 0..system.normalisations() {
            let first = layout.block_rows * nq + 4 * body;
            jacobian.rows.push((0..4).map(|k| (first + k, body * nq + 3 + k)).collect());
            jacobian.equation.push(None);
        }
        jacobian
    }

    /// Phi_q up to multiples of the normalisation rows, from Phi_v: the rotation part is 2 Phi_w G.
    pub fn from_velocities(system: &System, work: &Work, out: &mut [f64]) {
        if system.nq() == 3 {
            out.copy_from_slice(&work.phi_v);
            return;
        }
        let (blocks, norms) = out.split_at_mut(system.layout.block_rows * 7);
        for block in &system.layout.blocks {
            let p = &work.bodies[block.body].p;
            let from = work.phi_v[block.before * 6..(block.before + block.rows) * 6].chunks_exact(6);
            for (row, out) in from.zip(blocks[block.before * 7..].chunks_exact_mut(7)) {
                out[..3].copy_from_slice(&row[..3]);
                let turn = euler::gt_times(p, &[row[3], row[4], row[5]]);
                for k in 0..4 {
                    out[3 + k] = 2.0 * turn[k];
                }
            }
        }
        for (out, body) in norms.chunks_exact_mut(4).zip(&work.bodies) {
            for k in 0..4 {
                out[k] = 2.0 * body.p[k];
            }
        }
    }

    /// Phi_q as differentiated.
    pub fn from_derivatives(derivatives: &Derivatives, out: &mut [f64]) {
        let (blocks, norms) = out.split_at_mut(derivatives.phi_q.len());
        blocks.copy_from_slice(&derivatives.phi_q);
        for (out, norm) in norms.chunks_exact_mut(4).zip(&derivatives.normalisation) {
            out.copy_from_slice(&norm.phi_p);
        }
    }
}

/// One for displacements; for turns less, by the length at which they act.
fn weights(system: &System) -> Vec<f64> {
    let (nq, d) = (system.nq(), system.dimensions());
    let turn = TURN / length_scale(system);
    (0..system.coordinates()).map(|c| if c % nq < d { 1.0 } else { turn }).collect()
}

/// Places that differ from zero at one of two random states, in any matrix of the layout.
fn nonzeros(system: &System, len: usize) -> Vec<bool> {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |n: usize| -> Vec<f64> {
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.3
        };
        (0..n).map(|_| next()).collect()
    };
    let mut found = vec![false; len];
    let (mut work, mut derivatives, mut values) = (system.work(), system.derivatives(), vec![0.0; len]);
    for _ in 0..2 {
        let (q, v) = (random(system.coordinates()), random(system.velocities()));
        let (acc, lam) = (random(system.coordinates()), random(system.constraints()));
        system.set(&mut work, 0.0, &q, &v);
        system.evaluate_constraints(&mut work);
        system.evaluate_derivatives(&work, &acc, &lam, &mut derivatives);
        CoordinateJacobian::from_velocities(system, &work, &mut values);
        let d = &derivatives;
        for list in [&values, &d.phi_q, &d.rate_q, &d.acc_q, &d.gamma_q, &d.gamma_qdot] {
            found.iter_mut().zip(list).for_each(|(f, x)| *f |= *x != 0.0);
        }
    }
    found
}
