//! Derivatives in the chart of a step, block by block and pair by pair: each belongs to one piece of the work.

use super::slopes::{along, four};
use crate::spatial::{V3, dot, euler};
use crate::system::{Block, Derivatives, Layout, Pair, Work};
use crate::threads::Divide;

/// The instant at which derivatives are contracted, with its accelerations and multipliers.
pub(super) struct Chartered<'a> {
    pub work: &'a Work,
    pub acc: &'a [f64],
    pub lam: &'a [f64],
    pub d: &'a Derivatives,
}

/// Room for some blocks that follow each other.
pub(super) struct BlockSlopes<'a> {
    pub layout: &'a Layout,
    pub rate: &'a mut [f64],
    pub position: &'a mut [f64],
    pub velocity: &'a mut [f64],
    /// Their first number.
    pub first: usize,
}

impl Divide for BlockSlopes<'_> {
    fn divide(self, block: usize) -> (Self, Self) {
        let (layout, first) = (self.layout, self.layout.blocks[block].at);
        let at = first - self.first;
        let (rate, position) = (self.rate.split_at_mut(at), self.position.split_at_mut(at));
        let velocity = self.velocity.split_at_mut(at);
        (
            BlockSlopes {
                layout,
                rate: rate.0,
                position: position.0,
                velocity: velocity.0,
                first: self.first,
            },
            BlockSlopes { layout, rate: rate.1, position: position.1, velocity: velocity.1, first },
        )
    }
}

impl BlockSlopes<'_> {
    /// Turns dp, dp' and dp'' of the head of [`slopes`](super::slopes) into (Phi_q q')_q, gamma_q - (Phi_q q'')_q and
    /// gamma_q'.
    #[inline(never)]
    pub fn read(self, blocks: &[Block], at: &Chartered) {
        let &Chartered { work, acc, d, .. } = at;
        for block in blocks {
            let body = &work.bodies[block.body];
            let (p, w) = (&body.p, &body.w);
            let turns = block.nq == 7;
            let a: V3 = if turns { std::array::from_fn(|k| acc[block.v + 3 + k]) } else { [0.0; 3] };
            let w2 = dot(w, w);
            for r in 0..block.rows {
                let (from, to) = (block.row_q(r).start, block.row(r).start - self.first);
                for k in 0..block.nv.min(3) {
                    self.rate[to + k] = d.rate_q[from + k];
                    self.position[to + k] = d.gamma_q[from + k] - d.acc_q[from + k];
                    self.velocity[to + k] = d.gamma_qdot[from + k];
                }
                if !turns {
                    continue;
                }
                let phi = four(&d.phi_q[from..]);
                let (phi_radial, phi_turn) = (along(&phi, p), euler::g_times(p, &phi));
                let (gamma, acc_q) = (four(&d.gamma_q[from..]), four(&d.acc_q[from..]));
                let gamma_rate = four(&d.gamma_qdot[from..]);
                let by_q = euler::g_times(p, &std::array::from_fn(|k| gamma[k] - acc_q[k]));
                let by_rate = euler::g_times(p, &gamma_rate);
                let rate = euler::g_times(p, &four(&d.rate_q[from..]));
                let rate_radial = along(&gamma_rate, p);
                let curl = dot(&phi_turn, w) / 12.0;
                for k in 0..3 {
                    self.rate[to + 3 + k] = 0.5 * rate[k] - 0.25 * phi_radial * w[k];
                    self.position[to + 3 + k] = 0.5 * by_q[k] - 0.25 * rate_radial * w[k]
                        + 0.25 * phi_radial * a[k]
                        + curl * w[k]
                        + w2 / 24.0 * phi_turn[k];
                    self.velocity[to + 3 + k] = 0.5 * by_rate[k] + 0.5 * phi_radial * w[k];
                }
            }
        }
    }
}

/// Room for some pairs of bodies that follow each other.
pub(super) struct PairSlopes<'a> {
    pub pairs: &'a [Pair],
    pub stiffness: &'a mut [f64],
    pub damping: &'a mut [f64],
    /// Their first number.
    pub first: usize,
}

impl Divide for PairSlopes<'_> {
    fn divide(self, pair: usize) -> (Self, Self) {
        let (pairs, first) = (self.pairs, self.pairs[pair].at);
        let at = first - self.first;
        let (stiffness, damping) = (self.stiffness.split_at_mut(at), self.damping.split_at_mut(at));
        (
            PairSlopes { pairs, stiffness: stiffness.0, damping: damping.0, first: self.first },
            PairSlopes { pairs, stiffness: stiffness.1, damping: damping.1, first },
        )
    }
}

impl PairSlopes<'_> {
    /// M x'' + Phi_x^T lam - Q by x and x', the curvature of the chart left aside.
    #[inline(never)]
    pub fn read(self, pairs: &[Pair], work: &Work, d: &Derivatives) {
        for pair in pairs {
            let [a, b] = pair.bodies;
            let (left, right) = (&work.bodies[a].p, &work.bodies[b].p);
            let w = &work.bodies[b].w;
            let ([rows, columns], [to_rows, to_columns]) = (pair.nq, pair.nv);
            let (mut stiffness, mut damping) = ([[0.0; 6]; 7], [[0.0; 6]; 7]);
            for i in 0..rows {
                let at = pair.at_q + i * columns;
                let mut by_q = [0.0; 7];
                for (l, x) in by_q[..columns].iter_mut().enumerate() {
                    *x = d.lam_q[at + l] - d.force_q[at + l];
                }
                if a == b || d.mass_q.len() == d.force_q.len() {
                    by_q[..columns].iter_mut().zip(&d.mass_q[at..]).for_each(|(x, mass)| *x += mass);
                }
                let by_rate = &d.force_qdot[at..at + columns];
                for l in 0..columns.min(3) {
                    stiffness[i][l] = by_q[l];
                    damping[i][l] = -by_rate[l];
                }
                if columns == 7 {
                    let (turn, rate) = (euler::g_times(right, &four(&by_q)), four(by_rate));
                    let radial = 0.25 * along(&rate, right);
                    let rate = euler::g_times(right, &rate);
                    for l in 0..3 {
                        stiffness[i][3 + l] = 0.5 * turn[l] + radial * w[l];
                        damping[i][3 + l] = -0.5 * rate[l];
                    }
                }
            }
            for (wide, out) in [(&stiffness, &mut *self.stiffness), (&damping, &mut *self.damping)] {
                let out = &mut out[pair.at - self.first..][..to_rows * to_columns];
                for l in 0..to_columns {
                    (0..to_rows.min(3)).for_each(|i| out[i * to_columns + l] = wide[i][l]);
                    if rows == 7 {
                        let turn = euler::g_times(left, &[wide[3][l], wide[4][l], wide[5][l], wide[6][l]]);
                        (0..3).for_each(|i| out[(3 + i) * to_columns + l] = 0.5 * turn[i]);
                    }
                }
            }
        }
    }
}
