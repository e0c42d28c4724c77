//! Dependent and independent coordinates [Negrut 1998, section 3.1].

mod memory;

use super::jacobian::CoordinateJacobian;
use crate::linalg::StaticLu;

/// A choice of dependent coordinates u, one per equation, such that Phi_u is regular; the others are the
/// independent ones, v. Equations and dependent coordinates are numbered along the pivots.
#[derive(Clone, Debug)]
pub struct Partition {
    /// Row of the Jacobian at each pivot.
    pub rows: Vec<usize>,
    /// Coordinate at each pivot.
    pub dependent: Vec<usize>,
    /// The other coordinates, increasing.
    pub independent: Vec<usize>,
    /// Factors of Phi_u.
    pub lu: StaticLu,
    /// Condition of Phi_u when the choice was made.
    pub condition: f64,
    /// Room for its estimation.
    room: (Vec<f64>, Vec<f64>),
}

/// A coordinate is preferred to others for the sparsity of its column if its pivot is at least this part of
/// the largest: 1 would make the choice by size alone.
const PREFERENCE: f64 = 0.5;
/// A row none of whose numbers exceeds this part of what it had at the start depends on those before.
const DEPENDENT: f64 = 1e-10;

/// Condition beyond which coordinates do not follow from others to any useful accuracy.
const HOPELESS: f64 = 1e12;

impl Partition {
    /// Chooses by Gaussian elimination: the shortest row next, its largest entry
    /// (weighted, so that turns are rather independent than displacements) the pivot. `None` if the rows
    /// are dependent. O(entries of the factors)
    pub fn choose(jacobian: &CoordinateJacobian, values: &[f64]) -> Option<Partition> {
        let (rows, dependent) = pivots(jacobian, values)?;
        let mut partition = Partition::along(jacobian, rows, dependent);
        partition.condition = partition.factor(values)?;
        Some(partition)
    }

    /// The choice with these pivots, not factored yet.
    pub fn along(jacobian: &CoordinateJacobian, rows: Vec<usize>, dependent: Vec<usize>) -> Partition {
        let coordinates = jacobian.weights.len();
        let mut step = vec![usize::MAX; coordinates];
        dependent.iter().enumerate().for_each(|(k, &c)| step[c] = k);
        let independent = (0..coordinates).filter(|&c| step[c] == usize::MAX).collect();
        let inner = |&row: &usize| -> Vec<(usize, usize)> {
            let entries = jacobian.rows[row].iter().filter(|(_, c)| step[*c] != usize::MAX);
            entries.map(|&(place, c)| (place, step[c])).collect()
        };
        let lu = StaticLu::analyse(&rows.iter().map(inner).collect::<Vec<_>>()).with(jacobian.arithmetic);
        let room = (vec![0.0; rows.len()], vec![0.0; rows.len()]);
        Partition { rows, dependent, independent, lu, condition: 0.0, room }
    }

    /// Factors Phi_u; its condition, or `None` if it is singular.
    pub fn factor(&mut self, values: &[f64]) -> Option<f64> {
        if self.lu.factor(values) == 0.0 {
            return None;
        }
        let condition = self.lu.condition(values, &mut self.room.0, &mut self.room.1);
        (condition < HOPELESS).then_some(condition)
    }

    /// Whether another choice is the same split of the coordinates.
    pub fn same_split(&self, other: &Partition) -> bool {
        self.independent == other.independent
    }
}

/// Pivot rows and coordinates.
fn pivots(jacobian: &CoordinateJacobian, values: &[f64]) -> Option<(Vec<usize>, Vec<usize>)> {
    let (m, weights) = (jacobian.rows.len(), &jacobian.weights);
    let coordinates = weights.len();
    // rows still to come, as sorted (coordinate, value), and the rows that have each coordinate
    let mut rows: Vec<Vec<(usize, f64)>> = Vec::with_capacity(m);
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); coordinates];
    let mut sizes = Vec::with_capacity(m);
    for (r, entries) in jacobian.rows.iter().enumerate() {
        let mut row: Vec<(usize, f64)> = entries.iter().map(|&(place, c)| (c, values[place])).collect();
        row.sort_unstable_by_key(|e| e.0);
        row.iter().for_each(|&(c, _)| holders[c].push(r));
        sizes.push(row.iter().fold(0.0, |most: f64, e| most.max(weights[e.0] * e.1.abs())));
        rows.push(row);
    }
    let mut waiting: std::collections::BTreeSet<(usize, usize)> =
        rows.iter().enumerate().map(|(r, row)| (row.len(), r)).collect();
    let (mut order, mut chosen) = (Vec::with_capacity(m), Vec::with_capacity(m));
    while let Some((_, r)) = waiting.pop_first() {
        let row = std::mem::take(&mut rows[r]);
        let size = |e: &(usize, f64)| weights[e.0] * e.1.abs();
        let largest = row.iter().fold(0.0, |most: f64, e| most.max(size(e)));
        if largest <= DEPENDENT * sizes[r] || !largest.is_finite() {
            return None;
        }
        // of the strong coordinates the one in the fewest rows: little fill
        let strong = row.iter().filter(|e| size(e) >= PREFERENCE * largest);
        let best = strong.min_by(|a, b| {
            let by_count = holders[a.0].len().cmp(&holders[b.0].len());
            by_count.then(size(b).total_cmp(&size(a)))
        });
        let &(column, pivot) = best?;
        // the row leaves the lists, and its multiple is taken from all others that have the column
        for &(c, _) in &row {
            holders[c].retain(|&h| h != r);
        }
        for other in std::mem::take(&mut holders[column]) {
            let old = std::mem::take(&mut rows[other]);
            waiting.remove(&(old.len(), other));
            let factor = old.iter().find(|e| e.0 == column).map_or(0.0, |e| e.1 / pivot);
            rows[other] = combine(&old, &row, factor, column, &mut |c| holders[c].push(other));
            waiting.insert((rows[other].len(), other));
        }
        order.push(r);
        chosen.push(column);
    }
    Some((order, chosen))
}

/// `a - factor b` without `column`; `new` hears of coordinates that only b has.
fn combine(
    a: &[(usize, f64)],
    b: &[(usize, f64)],
    factor: f64,
    column: usize,
    new: &mut impl FnMut(usize),
) -> Vec<(usize, f64)> {
    let (mut i, mut j, mut out) = (0, 0, Vec::with_capacity(a.len() + b.len()));
    while i < a.len() || j < b.len() {
        let (ca, cb) = (a.get(i).map_or(usize::MAX, |e| e.0), b.get(j).map_or(usize::MAX, |e| e.0));
        let c = ca.min(cb);
        let mut value = 0.0;
        if ca == c {
            value += a[i].1;
            i += 1;
        }
        if cb == c {
            value -= factor * b[j].1;
            j += 1;
        }
        if c == column {
            continue;
        }
        if ca != c {
            new(c);
        }
        out.push((c, value));
    }
    out
}
