//! Null vectors of a semidefinite matrix, one per dropped row, sparse along the elimination tree.

use super::schedule::Schedule;

/// Structure of the factor that the null vectors are traced through, in elimination positions.
#[derive(Debug, Clone)]
pub(super) struct FactorTree {
    /// Start of each column's blocks in `rows` and in the schedule's `lowers`.
    pub first: Vec<usize>,
    /// Start of each position's children in `children`.
    pub child_first: Vec<usize>,
    pub children: Vec<u32>,
}

/// Sum and sum of magnitudes, to tell a small number from the residue of a cancellation.
#[derive(Clone, Copy, Default)]
struct Sum {
    value: f64,
    magnitude: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        self.value += term;
        self.magnitude += term.abs();
    }

    fn rounded(self, negligible: f64) -> f64 {
        if self.value.abs() <= negligible * self.magnitude { 0.0 } else { self.value }
    }
}

/// Fills `y` with the null vector of dropped row `row` of position `p`; `support` lists its positions, `p`
/// first, parents before children.
///
/// L^T y = 0 with `y[row] = 1` is solved down the tree. A position takes part only if a row of its column
/// does; if none does, its descendants, whose rows are among its own, take no part either.
pub(super) fn trace(
    schedule: &Schedule,
    tree: &FactorTree,
    values: &[f64],
    (p, row): (usize, usize),
    negligible: f64,
    y: &mut [f64],
    support: &mut Vec<usize>,
) {
    support.clear();
    support.push(p);
    within_block(schedule, values, (p, row), negligible, y);
    let mut next = 0;
    while let Some(&parent) = support.get(next) {
        next += 1;
        for &child in &tree.children[tree.child_first[parent]..tree.child_first[parent + 1]] {
            if descend(schedule, tree, values, child as usize, negligible, y) {
                support.push(child as usize);
            }
        }
    }
}

/// The part of the null vector in the block of the dropped row itself.
fn within_block(
    schedule: &Schedule,
    values: &[f64],
    (p, row): (usize, usize),
    negligible: f64,
    y: &mut [f64],
) {
    let k = &schedule.columns[p];
    let n = k.size as usize;
    let (r, blocks) = values[k.start as usize..].split_at(n);
    let y = &mut y[k.x as usize..][..n];
    // row `row` of L stands at blocks[j n + row], above the diagonal too; all numbers are stored with the sign that adds
    y[row] = 1.0;
    for j in (0..n).rev().filter(|&j| r[j] != 0.0) {
        let mut sum = Sum::default();
        if row < j {
            sum.add(blocks[j * n + row]);
        }
        for i in j + 1..n {
            sum.add(blocks[j * n + i] * y[i]);
        }
        y[j] = sum.rounded(negligible);
    }
}

/// The part of the null vector in position `p`, from those above it in the tree; whether there is any.
fn descend(
    schedule: &Schedule,
    tree: &FactorTree,
    values: &[f64],
    p: usize,
    negligible: f64,
    y: &mut [f64],
) -> bool {
    let k = &schedule.columns[p];
    let lowers = &schedule.lowers[tree.first[p]..tree.first[p + 1]];
    if lowers.iter().all(|lower| y[lower.x as usize..][..lower.rows as usize].iter().all(|&y| y == 0.0)) {
        return false;
    }
    let n = k.size as usize;
    let (r, blocks) = values[k.start as usize..].split_at(n);
    let (l, below) = blocks.split_at(n * n);
    for j in (0..n).rev() {
        // - D^-1 W_ij^T y_i over the rows below the block
        let mut sum = Sum::default();
        let mut start = 0;
        for lower in lowers {
            let m = lower.rows as usize;
            for (&w, &y) in below[start + j * m..][..m].iter().zip(&y[lower.x as usize..]) {
                sum.add(r[j] * w * y);
            }
            start += m * n;
        }
        // - L^T y over those within
        for i in j + 1..n {
            sum.add(l[j * n + i] * y[k.x as usize + i]);
        }
        y[k.x as usize + j] = sum.rounded(negligible);
    }
    true
}
