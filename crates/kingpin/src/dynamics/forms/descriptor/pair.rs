//! The saddle matrix for a complex weight, as methods need it that solve for several stages together.

use super::Saddle;
use kingpin_sparse::{SparseError, SparseLu};

/// The complex matrix as a real one of twice the size: each number is the block `[re -im; im re]`. Pivots are chosen anew
/// for every weight, so that nothing but the numbers decides over bits.
#[derive(Clone, Debug, Default)]
pub(super) struct SaddlePair {
    lu: Option<SparseLu>,
    values: Vec<f64>,
    right: Vec<f64>,
    /// Its weight; zero until one is asked for.
    pub weight: (f64, f64),
}

impl SaddlePair {
    /// Room for a pattern by columns, eliminated in the order of the real matrix.
    fn analyse(columns: &[usize], rows: &[usize], order: &[usize]) -> Result<SaddlePair, SparseError> {
        let n = order.len();
        let (mut starts, mut doubled) = (vec![0], Vec::with_capacity(4 * rows.len()));
        for column in columns.windows(2) {
            for _ in 0..2 {
                let both = rows[column[0]..column[1]].iter().flat_map(|row| [2 * row, 2 * row + 1]);
                doubled.extend(both);
                starts.push(doubled.len());
            }
        }
        let order: Vec<usize> = order.iter().flat_map(|k| [2 * k, 2 * k + 1]).collect();
        let lu = SparseLu::analyse_in_order(2 * n, &starts, &doubled, &order)?;
        let values = vec![0.0; doubled.len()];
        Ok(SaddlePair { lu: Some(lu), values, right: vec![0.0; 2 * n], weight: (0.0, 0.0) })
    }

    /// Puts a number into its block: `place` within the column that begins at `start` and has `length` numbers.
    fn put(&mut self, (start, length): (usize, usize), place: usize, (re, im): (f64, f64)) {
        let (first, second) = (4 * start + 2 * place, 4 * start + 2 * (length + place));
        self.values[first..first + 2].copy_from_slice(&[re, im]);
        self.values[second..second + 2].copy_from_slice(&[-im, re]);
    }
}

impl Saddle {
    /// Factors the matrix for the complex weight g of velocities and g^2 of positions.
    pub(super) fn factor_complex(&mut self, (re, im): (f64, f64)) -> Result<(), SparseError> {
        if self.pair.lu.is_none() {
            let order: Vec<usize> = self.lu.iter().flat_map(SparseLu::order).collect();
            self.pair = SaddlePair::analyse(&self.columns, &self.rows, &order)?;
        }
        let square = (re * re - im * im, 2.0 * re * im);
        let mut numbers: Vec<(f64, f64)> = self.fixed.iter().map(|x| (*x, 0.0)).collect();
        for added in &self.added {
            let (x, y) = &mut numbers[added.place];
            *x += square.0 * added.position + re * added.velocity;
            *y += square.1 * added.position + im * added.velocity;
        }
        for column in self.columns.windows(2) {
            let (start, length) = (column[0], column[1] - column[0]);
            for place in 0..length {
                self.pair.put((start, length), place, numbers[start + place]);
            }
        }
        let SaddlePair { lu, values, weight, .. } = &mut self.pair;
        lu.as_mut().map_or(Ok(()), |lu| lu.factor(values))?;
        *weight = (re, im);
        Ok(())
    }

    /// Solves for a complex right side in all coordinates and equations; unknowns in their order.
    pub(super) fn solve_complex(&mut self, re: &mut [f64], im: &mut [f64]) {
        let SaddlePair { lu, right, .. } = &mut self.pair;
        for (right, (re, im)) in right.chunks_exact_mut(2).zip(re.iter().zip(&*im)) {
            right.copy_from_slice(&[*re, *im]);
        }
        if lu.as_mut().is_none_or(|lu| lu.solve(right).is_err()) {
            right.fill(f64::NAN);
        }
        for (&place, (re, im)) in self.places.iter().zip(re.iter_mut().zip(im)) {
            (*re, *im) = (right[2 * place], right[2 * place + 1]);
        }
    }
}
