//! Solutions of a sub-domain with the primal part of its interface held, and its element of the coarse problem.

use super::{Grounded, Local, Work};
use crate::interface::{Class, Primal};
use kingpin_sparse::{DenseLdlt, SparseError};
use nalgebra::DMatrix;

/// Solves `[K C^T; C 0][z; mu] = [r; wc]` with a grounded factor: with `X = K^+ C^T` and the rigid motions `R`,
/// `[C X, C R; (C R)^T, 0][mu; al] = [C K^+ r - wc; R^T r]` is small, and `z = K^+ r - X mu - R al`.
#[derive(Clone, Debug)]
pub struct Constrained {
    grounded: Grounded,
    rows: Rows,
    /// `K^+ C^T`, by columns
    x: DMatrix<f64>,
    /// factor of `[C X + C R (C R)^T w, C R; (C R)^T, 0]`: the second row is added to the first, which makes the first block
    /// definite where grounded freedoms are constrained
    small: DenseLdlt,
    /// `C R w`
    along: DMatrix<f64>,
    /// element of the coarse problem
    element: DMatrix<f64>,
}

/// Rows of constraints, each within a class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rows {
    /// freedoms of each class and coefficients of its rows, as columns
    parts: Vec<(Vec<usize>, DMatrix<f64>)>,
    count: usize,
}

impl Rows {
    pub(crate) fn of(classes: &[Class], axes: usize, primal: Primal) -> Rows {
        let part = |class: &Class| (class.freedoms.clone(), class.rows(axes, primal));
        let parts: Vec<_> = classes.iter().map(part).collect();
        Rows { count: parts.iter().map(|part| part.1.ncols()).sum(), parts }
    }

    /// `C x`
    fn times(&self, x: &[f64], to: &mut [f64]) {
        let mut to = to.iter_mut();
        for (freedoms, rows) in &self.parts {
            for (row, to) in rows.as_slice().chunks_exact(freedoms.len()).zip(&mut to) {
                let mut sum = 0.0;
                freedoms.iter().zip(row).for_each(|(&k, c)| sum += c * x[k]);
                *to = sum;
            }
        }
    }

    /// Row `k` of all as a full vector.
    fn full(&self, mut k: usize, to: &mut [f64]) {
        to.fill(0.0);
        for (freedoms, rows) in &self.parts {
            if k < rows.ncols() {
                freedoms.iter().zip(rows.column(k).iter()).for_each(|(&at, &c)| to[at] = c);
                return;
            }
            k -= rows.ncols();
        }
    }
}

impl Constrained {
    /// From a grounded factor. None if what is held does not hold the sub-domain. O(order^2 * constraints)
    pub(crate) fn of(
        local: &Local,
        grounded: Grounded,
        rows: Rows,
    ) -> Result<Option<Constrained>, SparseError> {
        let (n, count, motions) = (local.order(), rows.count, grounded.rigid.ncols());
        let mut x = DMatrix::zeros(n, count);
        let mut work = Vec::new();
        for k in 0..count {
            let mut column = x.column_mut(k);
            rows.full(k, column.as_mut_slice());
            grounded.solve(column.as_mut_slice(), &mut work)?;
        }
        // C X, and C R
        let order = count + motions;
        let mut lower = vec![0.0; order * order];
        for k in 0..count {
            rows.times(x.column(k).as_slice(), &mut lower[k * order..k * order + count]);
        }
        let mut along = DMatrix::zeros(count, motions);
        for k in 0..motions {
            rows.times(grounded.rigid.column(k).as_slice(), along.column_mut(k).as_mut_slice());
        }
        let largest = (0..count).map(|k| lower[k * order + k]).fold(0.0, f64::max);
        let weight = if largest > 0.0 { largest } else { 1.0 };
        for column in 0..count {
            for row in column..count {
                lower[column * order + row] += weight * along.row(row).dot(&along.row(column));
            }
            (0..motions).for_each(|k| lower[column * order + count + k] = along[(column, k)]);
        }
        let Ok(small) = DenseLdlt::factor(order, lower, 1.0) else { return Ok(None) };
        // more rigid motions than constraints hold, or nearly so
        let pivots = &small.pivots()[count..];
        let largest = pivots.iter().fold(0.0_f64, |most, pivot| most.max(pivot.abs()));
        let holds = count >= motions && pivots.iter().all(|pivot| pivot.abs() > 1e-11 * largest);
        if !holds {
            return Ok(None);
        }
        // [C X, C R; (C R)^T, 0]^-1 [I; 0] = [A; ...], the element of the coarse problem
        let mut element = DMatrix::zeros(count, count);
        let mut side = vec![0.0; order];
        for k in 0..count {
            side.fill(0.0);
            side[k] = 1.0;
            small.solve(&mut side)?;
            element.column_mut(k).copy_from_slice(&side[..count]);
        }
        let element = 0.5 * (&element + element.transpose());
        along *= weight;
        Ok(Some(Constrained { grounded, rows, x, small, along, element }))
    }

    /// How many constraints there are.
    pub fn count(&self) -> usize {
        self.rows.count
    }

    /// How many of each class.
    pub(crate) fn rows_by_class(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows.parts.iter().map(|part| part.1.ncols())
    }

    /// The element of the coarse problem, `Phi^T K Phi`.
    pub fn element(&self) -> &DMatrix<f64> {
        &self.element
    }

    /// First half: `y = K^+ r` takes the place of `r`, `coarse` becomes `Phi^T r`, and `work` keeps what the second half
    /// needs. O(order^2)
    pub fn begin(&self, r: &mut [f64], coarse: &mut [f64], work: &mut Work) -> Result<(), SparseError> {
        let count = self.count();
        work.small.clear();
        work.small.resize(count + self.grounded.rigid.ncols(), 0.0);
        let motions = self.grounded.rigid.as_slice().chunks_exact(r.len().max(1));
        for (to, motion) in work.small[count..].iter_mut().zip(motions) {
            *to = dot(motion, r);
        }
        self.grounded.solve(r, &mut work.first)?;
        self.rows.times(r, &mut work.small[..count]);
        let (first, pulls) = work.small.split_at_mut(count);
        for (column, pull) in self.along.as_slice().chunks_exact(count.max(1)).zip(pulls.iter()) {
            first.iter_mut().zip(column).for_each(|(to, along)| *to += along * pull);
        }
        self.small.solve(&mut work.small)?;
        coarse.copy_from_slice(&work.small[..count]);
        Ok(())
    }

    /// Second half: `z + Phi wc` from `y`. O(order * constraints)
    pub fn finish(&self, y: &mut [f64], wc: &[f64], work: &mut Work) -> Result<(), SparseError> {
        let count = self.count();
        work.second.clear();
        work.second.resize(work.small.len(), 0.0);
        work.second[..count].copy_from_slice(wc);
        self.small.solve(&mut work.second)?;
        for (s, coarse) in work.small.iter_mut().zip(&work.second) {
            *s -= coarse;
        }
        columns_times(&self.x, &work.small[..count], y);
        columns_times(&self.grounded.rigid, &work.small[count..], y);
        Ok(())
    }
}

/// Sum of products, four sums at a time.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((x, a), (y, b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (x, y) in x.iter().zip(y) {
        (0..4).for_each(|k| sums[k] += x[k] * y[k]);
    }
    let tail: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

/// `y -= A s`, four columns at a time.
fn columns_times(a: &DMatrix<f64>, s: &[f64], y: &mut [f64]) {
    let n = y.len();
    if n == 0 {
        return;
    }
    let fours = a.as_slice().chunks_exact(4 * n);
    let rest = fours.remainder().chunks_exact(n);
    let (factors, last) = s.as_chunks::<4>();
    for (columns, s) in fours.zip(factors) {
        let (p, q) = columns.split_at(2 * n);
        let ((p, q), (r, t)) = (p.split_at(n), q.split_at(n));
        for ((((y, p), q), r), t) in y.iter_mut().zip(p).zip(q).zip(r).zip(t) {
            *y -= (p * s[0] + q * s[1]) + (r * s[2] + t * s[3]);
        }
    }
    for (column, s) in rest.zip(last) {
        y.iter_mut().zip(column).for_each(|(y, x)| *y -= x * s);
    }
}
