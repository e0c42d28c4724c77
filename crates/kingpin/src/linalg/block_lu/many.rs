//! Solutions for four right sides at a time.

use super::{BlockFactor, BlockLu};
use crate::linalg::FourWide;
use crate::linalg::lanes::{Lanes, on_machine};

impl BlockLu {
    /// Solves `A x = b` in place for four right sides: little more work than for one. O(len)
    pub(crate) fn solve_four(&self, with: &BlockFactor<f64>, x: &mut [FourWide]) {
        let lu = self;
        on_machine!(self.machine, four, (lu: &BlockLu, with: &BlockFactor<f64>, x: &mut [FourWide]));
    }
}

/// `sum - a x` of all four.
#[inline(always)]
fn less<L: Lanes>(lanes: L, sum: FourWide, a: f64, x: FourWide) -> FourWide {
    lanes.store4(lanes.mul_add4(lanes.splat4(-a), lanes.load4(x), lanes.load4(sum)))
}

/// `x = D^-1 x` with the factor of D.
#[inline(always)]
fn divide<L: Lanes>(lanes: L, (d, exchange): (&[f64], &[u32]), x: &mut [FourWide]) {
    let size = x.len();
    exchange.iter().enumerate().for_each(|(k, &p)| x.swap(k, p as usize));
    for (i, row) in d.chunks_exact(size).enumerate() {
        let mut own = x[i];
        for (l, x) in row[..i].iter().zip(&x[..i]) {
            own = less(lanes, own, *l, *x);
        }
        x[i] = own;
    }
    for (i, row) in d.chunks_exact(size).enumerate().rev() {
        let mut own = x[i];
        for (u, x) in row[i + 1..].iter().zip(&x[i + 1..]) {
            own = less(lanes, own, *u, *x);
        }
        x[i] = lanes.store4(lanes.mul4(lanes.load4(own), lanes.splat4(row[i])));
    }
}

#[inline(always)]
fn four<L: Lanes>(lanes: L, lu: &BlockLu, with: &BlockFactor<f64>, x: &mut [FourWide]) {
    let nodes = lu.position.len();
    // (L + D) y = b
    for k in 0..nodes {
        let column = &lu.columns[k];
        let (own, behind) = x.split_at_mut(column.start + column.size);
        let own = &mut own[column.start..];
        let d = &with.values[column.at..column.at + column.size * column.size];
        divide(lanes, (d, &with.exchange[column.start..column.start + column.size]), own);
        for neighbour in lu.neighbours_of(k) {
            let (n, at) = (neighbour.extent as usize, lu.columns[neighbour.position as usize].start);
            let block = &with.values[neighbour.lower..][..column.size * n];
            let to = &mut behind[at - column.start - column.size..][..n];
            for (x, row) in own.iter().zip(block.chunks_exact(n)) {
                to.iter_mut().zip(row).for_each(|(to, l)| *to = less(lanes, *to, *l, *x));
            }
        }
    }
    // U x = y
    for k in (0..nodes).rev() {
        let column = &lu.columns[k];
        let (own, behind) = x.split_at_mut(column.start + column.size);
        let own = &mut own[column.start..];
        for neighbour in lu.neighbours_of(k) {
            let (n, at) = (neighbour.extent as usize, lu.columns[neighbour.position as usize].start);
            let block = &with.values[neighbour.upper..][..column.size * n];
            let from = &behind[at - column.start - column.size..][..n];
            for (own, row) in own.iter_mut().zip(block.chunks_exact(n)) {
                *own = row.iter().zip(from).fold(*own, |sum, (u, x)| less(lanes, sum, *u, *x));
            }
        }
    }
}
