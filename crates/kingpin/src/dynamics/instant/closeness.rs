//! When a state counts as being on the constraints.

use super::{Dynamics, largest};
use crate::analysis::length_scale;
use crate::system::System;

/// What residuals are measured against.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Closeness {
    /// Size of the mechanism.
    length: f64,
    /// Whether each equation is about an angle.
    is_angle: Vec<bool>,
}

impl Closeness {
    /// Residuals below this need no correction, relative to the size of the mechanism and the largest coordinate.
    pub const CLOSED: f64 = 5e-14;
    /// Velocity residuals above this are always worth a correction.
    pub const FASTEST: f64 = 1e-11;
    /// Planar angles above a hundred radians are rounded so coarsely that arms as long as the mechanism miss by more than the
    /// rounding errors of lengths.
    const COARSE: f64 = 1e-2;

    /// For a mechanism.
    pub fn new(mechanism: &Dynamics) -> Closeness {
        let (system, rows) = (mechanism.system, mechanism.accelerator.problem.all_rows);
        Closeness {
            length: length_scale(system),
            is_angle: (0..rows).map(|row| system.row_is_angle(row)).collect(),
        }
    }

    /// What rounding errors of lengths and of angles are relative to in a position.
    pub fn sizes(&self, system: &System, q: &[f64]) -> [f64; 2] {
        let (mut place, mut turn) = (0.0_f64, 0.0_f64);
        for (r, p) in system.nodes.split_q(q) {
            (place, turn) = (place.max(largest(r)), turn.max(largest(p)));
        }
        [self.length * (Self::COARSE * turn).max(1.0) + place, 1.0 + turn]
    }

    /// The same for the velocities.
    pub fn speeds(&self, system: &System, v: &[f64]) -> [f64; 2] {
        let (mut moves, mut turns) = (0.0_f64, 0.0_f64);
        for (rdot, w) in system.nodes.split_v(v) {
            (moves, turns) = (moves.max(largest(rdot)), turns.max(largest(w)));
        }
        let speed = moves + self.length * turns;
        [speed, speed / self.length]
    }

    /// The largest residual over the size of its kind; NaN if there is one.
    pub fn relative(&self, residual: &[f64], [length, angle]: [f64; 2]) -> f64 {
        let of = |(x, is_angle): (&f64, &bool)| {
            if *x == 0.0 { 0.0 } else { (x / if *is_angle { angle } else { length }).abs() }
        };
        residual
            .iter()
            .zip(&self.is_angle)
            .map(of)
            .fold(0.0, |most, x| if x <= most || most.is_nan() { most } else { x })
    }
}
