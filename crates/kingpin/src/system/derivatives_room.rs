//! Room for the derivatives of some joints, apart from that of others.

use super::derivatives::Derivatives;
use super::layout::{Block, Layout};
use crate::threads::Divide;

/// Room for the derivatives of some groups that follow each other.
pub(super) struct GroupSlopes<'a> {
    layout: &'a Layout,
    pub phi_q: &'a mut [f64],
    pub rate_q: &'a mut [f64],
    pub acc_q: &'a mut [f64],
    pub gamma_q: &'a mut [f64],
    pub gamma_qdot: &'a mut [f64],
    phi_t: &'a mut [f64],
    phi_tt: &'a mut [f64],
    pub gamma: &'a mut [f64],
    gamma_t: &'a mut [f64],
    /// (Phi_q^T lam)_q of all pairs, or the shares of these groups.
    pub lam_q: &'a mut [f64],
    starts: &'a [usize],
    /// The first row, the first number of Phi_q and the first of a share among all.
    pub first: [usize; 3],
}

impl<'a> GroupSlopes<'a> {
    /// Room for all groups. If they have shares of their own, these are to be added to the pairs of bodies.
    pub fn of(layout: &'a Layout, out: &'a mut Derivatives) -> Self {
        let starts = &out.share_starts[..];
        let lam_q = if starts.is_empty() { &mut out.lam_q } else { &mut out.shares };
        GroupSlopes {
            layout,
            phi_q: &mut out.phi_q,
            rate_q: &mut out.rate_q,
            acc_q: &mut out.acc_q,
            gamma_q: &mut out.gamma_q,
            gamma_qdot: &mut out.gamma_qdot,
            phi_t: &mut out.phi_t,
            phi_tt: &mut out.phi_tt,
            gamma: &mut out.gamma,
            gamma_t: &mut out.gamma_t,
            lam_q,
            starts,
            first: [0; 3],
        }
    }

    /// All matrices with a row per equation.
    pub fn matrices(&mut self) -> [&mut [f64]; 5] {
        [self.phi_q, self.rate_q, self.acc_q, self.gamma_q, self.gamma_qdot]
    }

    /// Clears a row of a group in all of its blocks.
    pub fn clear_rows(&mut self, blocks: &[Block], row: usize) {
        let number = self.first[1];
        for block in blocks {
            let own = block.row_q(row);
            self.matrices().into_iter().for_each(|m| m[own.start - number..own.end - number].fill(0.0));
        }
    }

    /// Sets Phi_t, Phi_tt, gamma and gamma_t of a row, counted from the first.
    pub fn set_times(&mut self, row: usize, [phi_t, phi_tt, gamma, gamma_t]: [f64; 4]) {
        (self.phi_t[row], self.phi_tt[row]) = (phi_t, phi_tt);
        (self.gamma[row], self.gamma_t[row]) = (gamma, gamma_t);
    }

    /// Clears the share of a group, if there are any: where it begins.
    pub fn begin_share(&mut self, group: usize) -> Option<usize> {
        let [start, end] =
            [*self.starts.get(group)?, *self.starts.get(group + 1)?].map(|at| at - self.first[2]);
        self.lam_q[start..end].fill(0.0);
        Some(start)
    }
}

impl Divide for GroupSlopes<'_> {
    fn divide(self, group: usize) -> (Self, Self) {
        let (layout, starts) = (self.layout, self.starts);
        let first_block = layout.groups[group].blocks.start;
        let number = layout.blocks.get(first_block).map_or(layout.numbers_q, |block| block.at_q);
        let first = [layout.groups[group].rows.start, number, starts[group]];
        let [row, number, share] = [0, 1, 2].map(|k| first[k] - self.first[k]);
        let (phi_q, rate_q) = (self.phi_q.split_at_mut(number), self.rate_q.split_at_mut(number));
        let (acc_q, gamma_q) = (self.acc_q.split_at_mut(number), self.gamma_q.split_at_mut(number));
        let gamma_qdot = self.gamma_qdot.split_at_mut(number);
        let (phi_t, phi_tt) = (self.phi_t.split_at_mut(row), self.phi_tt.split_at_mut(row));
        let (gamma, gamma_t) = (self.gamma.split_at_mut(row), self.gamma_t.split_at_mut(row));
        let lam_q = self.lam_q.split_at_mut(share);
        let before = GroupSlopes {
            layout,
            phi_q: phi_q.0,
            rate_q: rate_q.0,
            acc_q: acc_q.0,
            gamma_q: gamma_q.0,
            gamma_qdot: gamma_qdot.0,
            phi_t: phi_t.0,
            phi_tt: phi_tt.0,
            gamma: gamma.0,
            gamma_t: gamma_t.0,
            lam_q: lam_q.0,
            starts,
            first: self.first,
        };
        let behind = GroupSlopes {
            layout,
            phi_q: phi_q.1,
            rate_q: rate_q.1,
            acc_q: acc_q.1,
            gamma_q: gamma_q.1,
            gamma_qdot: gamma_qdot.1,
            phi_t: phi_t.1,
            phi_tt: phi_tt.1,
            gamma: gamma.1,
            gamma_t: gamma_t.1,
            lam_q: lam_q.1,
            starts,
            first,
        };
        (before, behind)
    }
}
