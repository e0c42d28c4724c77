//! Solutions of a sub-domain with the primal part of its interface held, and its element of the coarse problem.

use super::{Grounded, Local, Work};
use crate::interface::{Class, Primal};
use kingpin_sparse::{DenseLdlt, SparseError};
use nalgebra::DMatrix;

/// Solves `[K C^T; C 0][z; mu] = [r; wc]` with a grounded factor: with `X = K^+ C^T` and the rigid motions `R`,
/// `[C X, -C R; -(C R)^T, 0][mu; -al] = ...` is small, and `z = K^+ r - X mu + R al`.
#[derive(Clone, Debug)]
pub struct Constrained {
    grounded: Grounded,
    rows: Rows,
    /// `K^+ C^T`, by columns
    x: DMatrix<f64>,
    /// factor of `[C X, C R; (C R)^T, 0]`
    small: DenseLdlt,
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
        let mut next = 0;
        for (freedoms, rows) in &self.parts {
            for row in rows.column_iter() {
                to[next] = freedoms.iter().zip(row.iter()).map(|(&k, c)| c * x[k]).sum();
                next += 1;
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
        // C [X R], of which only the symmetric part of C X is right beyond rounding
        let order = count + motions;
        let mut lower = vec![0.0; order * order];
        for k in 0..count {
            rows.times(x.column(k).as_slice(), &mut lower[k * order..k * order + count]);
        }
        for k in 0..motions {
            let mut along = vec![0.0; count];
            rows.times(grounded.rigid.column(k).as_slice(), &mut along);
            along.iter().enumerate().for_each(|(j, value)| lower[j * order + count + k] = *value);
        }
        let Ok(small) = DenseLdlt::factor(order, lower, 1.0) else { return Ok(None) };
        // more rigid motions than constraints hold, or nearly so
        let pivots = &small.pivots()[count..];
        let largest = pivots.iter().fold(0.0_f64, |most, pivot| most.max(pivot.abs()));
        let holds = count >= motions && pivots.iter().all(|pivot| pivot.abs() > 1e-11 * largest);
        if !holds {
            return Ok(None);
        }
        // [C X, C R; (C R)^T, 0]^-1 [I; 0] = [A; ...], the element of the coarse problem up to the sign of motions
        let mut element = DMatrix::zeros(count, count);
        let mut side = vec![0.0; order];
        for k in 0..count {
            side.fill(0.0);
            side[k] = 1.0;
            small.solve(&mut side)?;
            element.column_mut(k).copy_from_slice(&side[..count]);
        }
        let element = 0.5 * (&element + element.transpose());
        Ok(Some(Constrained { grounded, rows, x, small, element }))
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
        for (to, motion) in work.small[count..].iter_mut().zip(self.grounded.rigid.column_iter()) {
            *to = motion.iter().zip(r.iter()).map(|(a, b)| a * b).sum();
        }
        self.grounded.solve(r, &mut work.first)?;
        self.rows.times(r, &mut work.small[..count]);
        self.small.solve(&mut work.small)?;
        coarse.copy_from_slice(&work.small[..count]);
        Ok(())
    }

    /// Second half: `z + Phi wc` from `y`. O(order * constraints)
    pub fn finish(&self, y: &mut [f64], wc: &[f64], work: &mut Work) -> Result<(), SparseError> {
        let count = self.count();
        // mu of the coarse motion is minus the small solution of [wc; 0]
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

/// `y -= A s`, four columns at a time.
fn columns_times(a: &DMatrix<f64>, s: &[f64], y: &mut [f64]) {
    let n = y.len();
    if n == 0 {
        return;
    }
    let mut columns = a.as_slice().chunks_exact(n);
    let (fours, rest) = s.as_chunks::<4>();
    for s in fours {
        let [Some(p), Some(q), Some(r), Some(t)] = std::array::from_fn(|_| columns.next()) else { return };
        for k in 0..n {
            y[k] -= (p[k] * s[0] + q[k] * s[1]) + (r[k] * s[2] + t[k] * s[3]);
        }
    }
    for (column, s) in columns.zip(rest) {
        y.iter_mut().zip(column).for_each(|(y, x)| *y -= x * s);
    }
}
