//! The chart of a step: coordinates x = (r, eta) of spatial bodies about the attitudes at the start of the step.
//!
//! Euler parameters are p = p0 * exp(eta/2) with the rotation vector eta, so a body has six coordinates and there is
//! nothing to normalise. Rates are w = T(eta) eta'. Where the step starts, eta = 0 and T = I: positions, rates and
//! accelerations of the chart are those of the velocities v = (r', w), and so are all Jacobians. A chart is good for
//! less than half a turn; every accepted step has its own. Planar bodies keep their angle: there the chart does nothing.

use super::instant::Trouble;
use crate::spatial::rotation_vector::{Turn, exponential};
use crate::spatial::{M3, apply, apply_t, euler};
use crate::system::{System, Work};

/// Turn of a body in one step that no step shall exceed, rad: 150 degrees. The farthest stage of any method lies at
/// 1.15 of the step, still within half a turn.
pub(super) const FARTHEST: f64 = 150.0 * std::f64::consts::PI / 180.0;

const ONE: M3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Attitudes about which bodies turn, and T where it was evaluated last; empty in the plane.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    p0: Vec<[f64; 4]>,
    rates: Vec<M3>,
}

/// The turn of a body among all coordinates.
fn turn(x: &[f64], body: usize) -> [f64; 3] {
    [x[body * 6 + 3], x[body * 6 + 4], x[body * 6 + 5]]
}

fn put(x: &mut [f64], body: usize, turn: [f64; 3]) {
    x[body * 6 + 3..body * 6 + 6].copy_from_slice(&turn);
}

impl Chart {
    pub fn new(system: &System) -> Self {
        let spatial = system.normalisations();
        Self { p0: vec![[1.0, 0.0, 0.0, 0.0]; spatial], rates: vec![ONE; spatial] }
    }

    /// Bases the chart at a configuration, and writes that in it.
    pub fn base(&mut self, q: &[f64], x: &mut [f64]) {
        if self.p0.is_empty() {
            return x.copy_from_slice(q);
        }
        for (b, q) in q.chunks_exact(7).enumerate() {
            self.p0[b].copy_from_slice(&q[3..]);
            x[b * 6..b * 6 + 3].copy_from_slice(&q[..3]);
            put(x, b, [0.0; 3]);
        }
        self.rates.fill(ONE);
    }

    /// Configuration at coordinates of the chart, with T there; Euler parameters are unit to round-off.
    pub fn place(&mut self, x: &[f64], q: &mut [f64]) {
        if self.p0.is_empty() {
            return q.copy_from_slice(x);
        }
        for (b, q) in q.chunks_exact_mut(7).enumerate() {
            let eta = turn(x, b);
            q[..3].copy_from_slice(&x[b * 6..b * 6 + 3]);
            if eta == [0.0; 3] {
                q[3..].copy_from_slice(&self.p0[b]);
                self.rates[b] = ONE;
                continue;
            }
            let p = euler::product(&self.p0[b], &exponential(&eta));
            let size = p.iter().map(|e| e * e).sum::<f64>().sqrt();
            q[3..].iter_mut().zip(&p).for_each(|(q, p)| *q = p / size);
            self.rates[b] = Turn::new(&eta).matrix();
        }
    }

    /// Velocities (r', w) from the rates of the coordinates, where T was evaluated last.
    pub fn velocities(&self, rates: &[f64], v: &mut [f64]) {
        v.copy_from_slice(rates);
        for (b, t) in self.rates.iter().enumerate() {
            put(v, b, apply(t, &turn(rates, b)));
        }
    }

    /// T' eta' of a body.
    fn bias(&self, x: &[f64], rates: &[f64], body: usize) -> [f64; 3] {
        if self.rates[body] == ONE { [0.0; 3] } else { Turn::new(&turn(x, body)).bias(&turn(rates, body)) }
    }

    /// v' from accelerations of the coordinates.
    pub fn accelerations(&self, x: &[f64], rates: &[f64], xddot: &[f64], acc: &mut [f64]) {
        acc.copy_from_slice(xddot);
        for (b, t) in self.rates.iter().enumerate() {
            let (own, bias) = (apply(t, &turn(xddot, b)), self.bias(x, rates, b));
            put(acc, b, std::array::from_fn(|k| own[k] + bias[k]));
        }
    }

    /// Accelerations of the coordinates from v'.
    pub fn of_accelerations(&self, x: &[f64], rates: &[f64], acc: &[f64], xddot: &mut [f64]) {
        xddot.copy_from_slice(acc);
        for (b, t) in self.rates.iter().enumerate() {
            if *t == ONE {
                continue;
            }
            let bias = self.bias(x, rates, b);
            let own = turn(acc, b);
            put(xddot, b, Turn::new(&turn(x, b)).solve(&std::array::from_fn(|k| own[k] - bias[k])));
        }
    }

    /// Forces on velocities as forces on the coordinates, in place.
    pub fn forces(&self, force: &mut [f64]) {
        for (b, t) in self.rates.iter().enumerate() {
            if *t != ONE {
                put(force, b, apply_t(t, &turn(force, b)));
            }
        }
    }

    /// Phi_x = Phi_v T in the configuration of the work, where T was evaluated last.
    pub fn jacobian(&self, system: &System, work: &Work, out: &mut [f64]) {
        out.copy_from_slice(&work.phi_v);
        if self.rates.is_empty() {
            return;
        }
        for block in &system.layout.blocks {
            let t = &self.rates[block.body];
            if *t == ONE {
                continue;
            }
            let rows = &mut out[block.before * 6..(block.before + block.rows) * 6];
            for row in rows.chunks_exact_mut(6) {
                let turned = apply_t(t, &[row[3], row[4], row[5]]);
                row[3..].copy_from_slice(&turned);
            }
        }
    }

    /// An error if a body has left the chart.
    pub fn check(&self, x: &[f64]) -> Result<(), Trouble> {
        for body in 0..self.p0.len() {
            let square = turn(x, body).iter().map(|e| e * e).sum::<f64>();
            if square > std::f64::consts::PI * std::f64::consts::PI {
                return Err(Trouble::Turn { body, angle: square.sqrt() });
            }
        }
        Ok(())
    }

    /// The longest step in which no body turns by more than the chart allows, at velocities v.
    pub fn longest(&self, v: &[f64]) -> f64 {
        let fastest = (0..self.p0.len()).map(|b| turn(v, b).iter().map(|w| w * w).sum::<f64>());
        FARTHEST / fastest.fold(0.0, f64::max).sqrt()
    }
}
