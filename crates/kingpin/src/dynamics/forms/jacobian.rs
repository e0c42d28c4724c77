//! The constraint Jacobian in the coordinates of a step, as a list of sparse rows.

use super::chart::Chart;
use super::slopes::Slopes;
use crate::analysis::length_scale;
use crate::linalg::Arithmetic;
use crate::system::System;

/// Rows of Phi_x over the equations that are kept. All matrices of this shape (Phi_x, (Phi_x x')_x, gamma_x, …) lie
/// in arrays of one layout: the blocks of the system.
#[derive(Clone, Debug)]
pub struct CoordinateJacobian {
    /// For each row: (place in the array, coordinate) of the entries that can differ from zero.
    pub rows: Vec<Vec<(usize, usize)>>,
    /// For each row: the equation of the system.
    pub equation: Vec<usize>,
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
/// The same for amplitudes of flexible bodies. What is stiff stays linear in them, and they do not change while a body turns.
const AMPLITUDE: f64 = 1e-4;
/// How much less coordinates of a floating frame count than those of interfaces. The frame follows the centre of mass, and
/// through another point all motions would be coupled.
const FRAME: f64 = 0.1;

impl CoordinateJacobian {
    /// Structure for a system without its redundant equations.
    pub fn new(system: &System, redundant: &[bool]) -> Self {
        let layout = &system.layout;
        let len = layout.numbers;
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
                    let own = block.row(row - group.rows.start);
                    let first = own.start;
                    entries.extend(own.filter(|&p| nonzero[p]).map(|p| (p, block.v + p - first)));
                }
                jacobian.rows.push(entries);
                jacobian.equation.push(row);
            }
        }
        jacobian
    }
}

/// One for displacements; for turns less, by the length at which they act, and next to nothing for amplitudes.
fn weights(system: &System) -> Vec<f64> {
    let turn = TURN / length_scale(system);
    let mut all: Vec<f64> = system.nodes.turning().map(|turns| if turns { turn } else { 1.0 }).collect();
    for body in &system.floating {
        all[system.nodes.v(body.frame)].iter_mut().for_each(|weight| *weight *= FRAME);
    }
    system.amplitudes().for_each(|node| all[system.nodes[node].v] = AMPLITUDE);
    all
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
    let (mut chart, mut slopes) = (Chart::new(system), Slopes::new(system));
    let (mut x, mut rates) = (vec![0.0; system.velocities()], vec![0.0; system.coordinates()]);
    for _ in 0..2 {
        let (q, v) = (random(system.coordinates()), random(system.velocities()));
        let (acc, lam) = (random(system.velocities()), random(system.constraints()));
        system.set(&mut work, 0.0, &q, &v);
        system.evaluate_constraints(&mut work);
        system.coordinate_accelerations(&work, &acc, &mut rates);
        system.evaluate_derivatives(&work, &rates, &lam, &mut derivatives);
        slopes.read(system, &work, &acc, &lam, &derivatives);
        // away from where the chart is based, turns mix
        chart.base(&q, &mut x);
        let mut away = q.clone();
        chart.place(&random(system.velocities()), &mut away);
        chart.jacobian(system, &work, &mut values);
        for list in [&values, &slopes.rate, &slopes.position, &slopes.velocity] {
            found.iter_mut().zip(list).for_each(|(f, x)| *f |= *x != 0.0);
        }
    }
    found
}
