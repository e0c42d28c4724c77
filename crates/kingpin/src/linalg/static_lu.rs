//! Sparse LU along pivots that were chosen before: symbolic work once, then numbers only.
//!
//! By rows [Davis 2006, section 6.2, transposed]: row i of A is spread out, the rows k of U that its lower part names take
//! themselves out of it in ascending order, l_ik = a_ik / u_kk, and what is left is row i of U.

use super::lanes::{Arithmetic, Lanes, Machine, on_machine};

/// Factorisation `A = L U` of a square sparse matrix without pivoting, by rows. Row k is eliminated with pivot
/// (k, k): the caller numbers rows and columns along the pivots.
///
/// The numbers of the matrix lie in an array of the caller's; each entry knows its place in it.
#[derive(Clone, Debug)]
pub struct StaticLu {
    /// Entries of the matrix: place in the caller's array and column, by rows.
    input: RowLists<(u32, u32)>,
    lower: RowLists<u32>,
    upper: RowLists<u32>,
    l: Vec<f64>,
    u: Vec<f64>,
    inverse_pivots: Vec<f64>,
    row: Vec<f64>,
    machine: Machine,
}

/// Lists of entries, row after row.
#[derive(Clone, Debug, Default)]
struct RowLists<T> {
    first: Vec<u32>,
    entries: Vec<T>,
}

impl<T> RowLists<T> {
    fn of(&self, row: usize) -> (usize, &[T]) {
        let from = self.first[row] as usize;
        (from, &self.entries[from..self.first[row + 1] as usize])
    }

    fn push(&mut self, row: impl Iterator<Item = T>) {
        if self.first.is_empty() {
            self.first.push(0);
        }
        self.entries.extend(row);
        self.first.push(self.entries.len() as u32);
    }
}

/// Four right-hand sides side by side.
pub type FourWide = [f64; 4];

impl StaticLu {
    /// Symbolic phase. `rows[k]` lists (place in the value array, column) of row k.
    pub fn analyse(rows: &[Vec<(usize, usize)>]) -> StaticLu {
        let n = rows.len();
        let (mut input, mut lower, mut upper) =
            (RowLists::default(), RowLists::default(), RowLists::<u32>::default());
        let mut marked = vec![false; n];
        for (i, row) in rows.iter().enumerate() {
            input.push(row.iter().map(|&(place, column)| (place as u32, column as u32)));
            row.iter().for_each(|&(_, column)| marked[column] = true);
            marked[i] = true;
            // eliminating column k fills the row wherever row k of U is filled
            for k in 0..i {
                if marked[k] {
                    upper.of(k).1.iter().for_each(|&j| marked[j as usize] = true);
                }
            }
            lower.push((0..i).filter(|&k| marked[k]).map(|k| k as u32));
            upper.push((i + 1..n).filter(|&k| marked[k]).map(|k| k as u32));
            marked.fill(false);
        }
        StaticLu {
            l: vec![0.0; lower.entries.len()],
            u: vec![0.0; upper.entries.len()],
            inverse_pivots: vec![0.0; n],
            row: vec![0.0; n],
            machine: Machine::detect(),
            input,
            lower,
            upper,
        }
    }

    /// The same with another arithmetic.
    pub fn with(mut self, arithmetic: Arithmetic) -> StaticLu {
        self.machine = arithmetic.machine();
        self
    }

    /// The numbers of the factors.
    pub fn numbers(&self) -> [&Vec<f64>; 3] {
        [&self.l, &self.u, &self.inverse_pivots]
    }

    /// The same, to be replaced.
    pub fn numbers_mut(&mut self) -> [&mut Vec<f64>; 3] {
        [&mut self.l, &mut self.u, &mut self.inverse_pivots]
    }

    /// Rows of the matrix.
    pub fn rows(&self) -> usize {
        self.inverse_pivots.len()
    }

    /// Numbers in the factors.
    pub fn entries(&self) -> usize {
        self.l.len() + self.u.len() + self.rows()
    }

    /// Factors the matrix with these numbers; returns the smallest pivot relative to the largest number of its
    /// row, 0 if one vanishes or is not finite: then nothing must be solved. No allocation.
    pub fn factor(&mut self, values: &[f64]) -> f64 {
        let mut weakest = f64::INFINITY;
        for i in 0..self.rows() {
            let (from, lower) = self.lower.of(i);
            let (upper_from, upper) = self.upper.of(i);
            let row = &mut self.row[..];
            lower.iter().chain(upper).for_each(|&k| row[k as usize] = 0.0);
            row[i] = 0.0;
            let mut size = 0.0_f64;
            for &(place, column) in self.input.of(i).1 {
                let value = values[place as usize];
                row[column as usize] += value;
                size = size.max(value.abs());
            }
            for (l, &k) in self.l[from..].iter_mut().zip(lower) {
                let k = k as usize;
                let factor = row[k] * self.inverse_pivots[k];
                *l = factor;
                let (u_from, columns) = self.upper.of(k);
                for (u, &j) in self.u[u_from..].iter().zip(columns) {
                    row[j as usize] -= factor * u;
                }
            }
            for (u, &j) in self.u[upper_from..].iter_mut().zip(upper) {
                *u = row[j as usize];
            }
            let strength = row[i].abs() / size;
            // a comparison that treats NaN as no pivot
            if !(strength > 0.0 && strength.is_finite()) {
                return 0.0;
            }
            weakest = weakest.min(strength);
            self.inverse_pivots[i] = 1.0 / row[i];
        }
        weakest
    }

    /// Copies the factors of a matrix of the same structure. No allocation.
    pub fn copy_numbers(&mut self, other: &StaticLu) {
        self.l.copy_from_slice(&other.l);
        self.u.copy_from_slice(&other.u);
        self.inverse_pivots.copy_from_slice(&other.inverse_pivots);
    }

    /// Solves `A x = b` in place. Rows follow one another in the factors: each begins where the one before ends.
    pub fn solve(&self, x: &mut [f64]) {
        let x = &mut x[..self.rows()];
        let dot = |numbers: &[f64], columns: &[u32], x: &[f64]| {
            let mut sum = -0.0;
            for (number, &k) in numbers.iter().zip(columns) {
                sum += number * x[k as usize];
            }
            sum
        };
        // L y = b downward, then U x = y upward
        let (columns, mut from) = (&self.lower.entries[..], 0);
        for (i, &end) in self.lower.first.iter().skip(1).enumerate() {
            let own = from..end as usize;
            from = own.end;
            x[i] -= dot(&self.l[own.clone()], &columns[own], x);
        }
        let (columns, mut end) = (&self.upper.entries[..], self.u.len());
        for (i, pivot) in self.inverse_pivots.iter().enumerate().rev() {
            let own = self.upper.first[i] as usize..end;
            end = own.start;
            x[i] = (x[i] - dot(&self.u[own.clone()], &columns[own], x)) * pivot;
        }
    }

    /// The same for two right-hand sides side by side, to the same bits: a factor is read once for both.
    pub fn solve_two(&self, x: &mut [[f64; 2]]) {
        let x = &mut x[..self.rows()];
        let dot = |numbers: &[f64], columns: &[u32], x: &[[f64; 2]]| {
            let mut sum = [-0.0; 2];
            for (number, &k) in numbers.iter().zip(columns) {
                let x = x[k as usize];
                sum = [sum[0] + number * x[0], sum[1] + number * x[1]];
            }
            sum
        };
        let (columns, mut from) = (&self.lower.entries[..], 0);
        for (i, &end) in self.lower.first.iter().skip(1).enumerate() {
            let own = from..end as usize;
            from = own.end;
            let [a, b] = dot(&self.l[own.clone()], &columns[own], x);
            x[i] = [x[i][0] - a, x[i][1] - b];
        }
        let (columns, mut end) = (&self.upper.entries[..], self.u.len());
        for (i, pivot) in self.inverse_pivots.iter().enumerate().rev() {
            let own = self.upper.first[i] as usize..end;
            end = own.start;
            let [a, b] = dot(&self.u[own.clone()], &columns[own], x);
            x[i] = [(x[i][0] - a) * pivot, (x[i][1] - b) * pivot];
        }
    }

    /// Solves `A^T x = b` in place.
    pub fn solve_transposed(&self, x: &mut [f64]) {
        for i in 0..self.rows() {
            let (from, upper) = self.upper.of(i);
            let y = x[i] * self.inverse_pivots[i];
            x[i] = y;
            self.u[from..].iter().zip(upper).for_each(|(u, &k)| x[k as usize] -= u * y);
        }
        for i in (0..self.rows()).rev() {
            let (from, lower) = self.lower.of(i);
            let y = x[i];
            self.l[from..].iter().zip(lower).for_each(|(l, &k)| x[k as usize] -= l * y);
        }
    }

    /// Solves `A X = B` for four right-hand sides in place, one row after the other.
    pub fn solve_four(&self, x: &mut [FourWide]) {
        let lu = self;
        on_machine!(self.machine, four, (lu: &StaticLu, x: &mut [FourWide]));
    }

    /// Solves `A^T X = B` for four right-hand sides in place.
    pub fn solve_transposed_four(&self, x: &mut [FourWide]) {
        let lu = self;
        on_machine!(self.machine, transposed_four, (lu: &StaticLu, x: &mut [FourWide]));
    }

    /// An estimate of the norm of the inverse times that of the matrix, both as largest column sums: a lower
    /// bound that is rarely far off [Hager 1984]. `x` and `sign` are scratch, as long as there are rows.
    pub fn condition(&self, values: &[f64], x: &mut [f64], sign: &mut [f64]) -> f64 {
        let n = self.rows();
        if n == 0 {
            return 1.0;
        }
        // largest column sum of A
        sign.fill(0.0);
        for i in 0..n {
            self.input.of(i).1.iter().for_each(|&(p, c)| sign[c as usize] += values[p as usize].abs());
        }
        let size = sign.iter().copied().fold(0.0, f64::max);
        // largest column sum of A^-1 by ascent over unit vectors
        x.fill(1.0 / n as f64);
        let mut inverse = 0.0;
        for _ in 0..3 {
            self.solve(x);
            let sum: f64 = x.iter().map(|x| x.abs()).sum();
            if sum <= inverse {
                break;
            }
            inverse = sum;
            for (s, x) in sign.iter_mut().zip(x.iter()) {
                *s = 1f64.copysign(*x);
            }
            self.solve_transposed(sign);
            let (steepest, _) = sign
                .iter()
                .enumerate()
                .fold((0, 0.0), |best, (i, z)| if z.abs() > best.1 { (i, z.abs()) } else { best });
            x.fill(0.0);
            x[steepest] = 1.0;
        }
        size * inverse
    }
}

/// [`StaticLu::solve`] on four right-hand sides: a factor is read once for all of them.
#[inline(always)]
fn four<L: Lanes>(lanes: L, lu: &StaticLu, x: &mut [FourWide]) {
    for i in 0..lu.rows() {
        let (from, lower) = lu.lower.of(i);
        let mut sum = lanes.load4(x[i]);
        for (l, &k) in lu.l[from..].iter().zip(lower) {
            sum = lanes.mul_add4(lanes.splat4(-l), lanes.load4(x[k as usize]), sum);
        }
        x[i] = lanes.store4(sum);
    }
    for i in (0..lu.rows()).rev() {
        let (from, upper) = lu.upper.of(i);
        let mut sum = lanes.load4(x[i]);
        for (u, &k) in lu.u[from..].iter().zip(upper) {
            sum = lanes.mul_add4(lanes.splat4(-u), lanes.load4(x[k as usize]), sum);
        }
        x[i] = lanes.store4(lanes.mul4(sum, lanes.splat4(lu.inverse_pivots[i])));
    }
}

#[inline(always)]
fn transposed_four<L: Lanes>(lanes: L, lu: &StaticLu, x: &mut [FourWide]) {
    for i in 0..lu.rows() {
        let (from, upper) = lu.upper.of(i);
        let y = lanes.mul4(lanes.load4(x[i]), lanes.splat4(lu.inverse_pivots[i]));
        x[i] = lanes.store4(y);
        for (u, &k) in lu.u[from..].iter().zip(upper) {
            let to = &mut x[k as usize];
            *to = lanes.store4(lanes.mul_add4(lanes.splat4(-u), y, lanes.load4(*to)));
        }
    }
    for i in (0..lu.rows()).rev() {
        let (from, lower) = lu.lower.of(i);
        let y = lanes.load4(x[i]);
        for (l, &k) in lu.l[from..].iter().zip(lower) {
            let to = &mut x[k as usize];
            *to = lanes.store4(lanes.mul_add4(lanes.splat4(-l), y, lanes.load4(*to)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sparse matrix with a strong diagonal, dense by rows, with its entries.
    fn example(n: usize) -> (Vec<f64>, Vec<Vec<(usize, usize)>>) {
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let (mut values, mut rows) = (Vec::new(), Vec::new());
        for i in 0..n {
            let mut row = Vec::new();
            for j in 0..n {
                if i == j || random() > 0.3 {
                    row.push((values.len(), j));
                    values.push(random() + if i == j { 4.0 } else { 0.0 });
                }
            }
            rows.push(row);
        }
        (values, rows)
    }

    fn times(values: &[f64], rows: &[Vec<(usize, usize)>], x: &[f64], transposed: bool) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        for (i, row) in rows.iter().enumerate() {
            for &(place, j) in row {
                if transposed {
                    out[j] += values[place] * x[i];
                } else {
                    out[i] += values[place] * x[j];
                }
            }
        }
        out
    }

    #[test]
    fn solutions_satisfy_the_equations() {
        let n = 13;
        let (values, rows) = example(n);
        let mut lu = StaticLu::analyse(&rows);
        assert!(lu.factor(&values) > 0.1);
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        for transposed in [false, true] {
            let mut x = b.clone();
            let mut many: Vec<FourWide> = b.iter().map(|b| [*b, 2.0 * b, 0.0, -b]).collect();
            if transposed {
                lu.solve_transposed(&mut x);
                lu.solve_transposed_four(&mut many);
            } else {
                lu.solve(&mut x);
                lu.solve_four(&mut many);
                let mut two: Vec<[f64; 2]> = b.iter().map(|b| [*b, -2.0 * b]).collect();
                lu.solve_two(&mut two);
                assert!(two.iter().zip(&x).all(|(two, x)| *two == [*x, -2.0 * x]));
            }
            for (left, right) in times(&values, &rows, &x, transposed).iter().zip(&b) {
                assert!((left - right).abs() < 1e-14);
            }
            for (x, many) in x.iter().zip(&many) {
                let expected = [*x, 2.0 * x, 0.0, -x];
                assert!(expected.iter().zip(many).all(|(a, b)| (a - b).abs() < 1e-14));
            }
        }
    }

    #[test]
    fn the_condition_of_a_diagonal_matrix_is_exact() {
        let rows: Vec<Vec<(usize, usize)>> = (0..5).map(|i| vec![(i, i)]).collect();
        let values = [1.0, 10.0, 0.1, 2.0, 5.0];
        let mut lu = StaticLu::analyse(&rows);
        assert_eq!(lu.factor(&values), 1.0);
        let (mut x, mut sign) = (vec![0.0; 5], vec![0.0; 5]);
        assert!((lu.condition(&values, &mut x, &mut sign) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_vanishing_pivot_is_reported() {
        let rows = vec![vec![(0, 0), (1, 1)], vec![(2, 0), (3, 1)]];
        let mut lu = StaticLu::analyse(&rows);
        assert_eq!(lu.factor(&[1.0, 2.0, 2.0, 4.0]), 0.0);
        assert_eq!(lu.factor(&[1.0, 2.0, f64::NAN, 4.0]), 0.0);
    }
}
