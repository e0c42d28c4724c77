//! Sparse symmetric matrices.

use nalgebra::DMatrix;

/// A symmetric matrix by its upper triangle: column `j` holds the rows `rows[columns[j]..columns[j + 1]]`, increasing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymmetricMatrix {
    /// Where each column begins, and the end.
    pub columns: Vec<usize>,
    /// Rows, at most the column.
    pub rows: Vec<usize>,
    /// Values.
    pub values: Vec<f64>,
}

impl SymmetricMatrix {
    /// Of this order, from entries of the upper triangle in any order; those of the same place are added.
    pub fn from_entries(n: usize, mut entries: Vec<(usize, usize, f64)>) -> SymmetricMatrix {
        entries.sort_by_key(|&(row, column, _)| (column, row));
        let mut matrix = SymmetricMatrix { columns: vec![0; n + 1], ..SymmetricMatrix::default() };
        let mut last = None;
        for (row, column, value) in entries {
            if last == Some((row, column)) {
                if let Some(sum) = matrix.values.last_mut() {
                    *sum += value;
                }
                continue;
            }
            last = Some((row, column));
            matrix.columns[column + 1] += 1;
            matrix.rows.push(row);
            matrix.values.push(value);
        }
        (1..=n).for_each(|j| matrix.columns[j] += matrix.columns[j - 1]);
        matrix
    }

    /// Rows and columns.
    pub fn order(&self) -> usize {
        self.columns.len().saturating_sub(1)
    }

    /// The entries on and above the diagonal: row, column, value.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.order()).flat_map(move |j| {
            (self.columns[j]..self.columns[j + 1]).map(move |k| (self.rows[k], j, self.values[k]))
        })
    }

    /// The entry at a place on or above the diagonal.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let range = self.columns[column]..self.columns[column + 1];
        self.rows[range.clone()].binary_search(&row).map_or(0.0, |k| self.values[range.start + k])
    }

    /// The diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        (0..self.order()).map(|j| self.get(j, j)).collect()
    }

    /// Adds the product with `x` to `y`. O(entries)
    pub fn add_times(&self, x: &[f64], y: &mut [f64]) {
        for j in 0..self.order() {
            let (own, mut sum) = (x[j], 0.0);
            let range = self.columns[j]..self.columns[j + 1];
            for (&row, &value) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                if row == j {
                    sum += value * own;
                } else {
                    y[row] += value * own;
                    sum += value * x[row];
                }
            }
            y[j] += sum;
        }
    }

    /// The product with the columns of a matrix. O(entries) for each
    pub fn times(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut y = DMatrix::zeros(x.nrows(), x.ncols());
        for k in 0..x.ncols() {
            self.add_times(x.column(k).as_slice(), y.column_mut(k).as_mut_slice());
        }
        y
    }

    /// All entries, for small matrices.
    pub fn dense(&self) -> DMatrix<f64> {
        let mut full = DMatrix::zeros(self.order(), self.order());
        for (row, column, value) in self.entries() {
            full[(row, column)] = value;
            full[(column, row)] = value;
        }
        full
    }

    /// Both with the places of either. O(entries)
    pub(crate) fn with_places_of_both(a: &SymmetricMatrix, b: &SymmetricMatrix) -> [SymmetricMatrix; 2] {
        if a.columns == b.columns && a.rows == b.rows {
            return [a.clone(), b.clone()];
        }
        let zeros = |from: &SymmetricMatrix| from.entries().map(|(i, j, _)| (i, j, 0.0)).collect::<Vec<_>>();
        let joined = |own: &SymmetricMatrix, other: &SymmetricMatrix| {
            SymmetricMatrix::from_entries(own.order(), own.entries().chain(zeros(other)).collect())
        };
        [joined(a, b), joined(b, a)]
    }
}
