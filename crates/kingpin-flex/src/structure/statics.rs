//! Displacements under loads.

use super::{Structure, SymmetricMatrix};
use crate::FlexError;
use kingpin_sparse::{FrontalLdlt, SparseError};
use nalgebra::DMatrix;

impl Structure {
    /// Displacements under loads, one column each, while nodes are held. O(a factorisation)
    ///
    /// # Errors
    /// A node that can move without any force.
    pub fn displacements(&self, held: &[usize], loads: &DMatrix<f64>) -> Result<DMatrix<f64>, FlexError> {
        let (each, n) = (self.per_node(), self.stiffness.order());
        if loads.nrows() != n {
            return Err(FlexError::WrongSize { what: "rows of loads", expected: n, given: loads.nrows() });
        }
        let mut place = vec![Some(0); n];
        for &node in held {
            place[each * node..each * (node + 1)].fill(None);
        }
        let free: Vec<usize> = (0..n).filter(|&k| place[k].is_some()).collect();
        free.iter().enumerate().for_each(|(to, &from)| place[from] = Some(to));
        let inner = self.stiffness.submatrix(&place, free.len());
        let mut factor = FrontalLdlt::analyse(free.len(), &inner.columns, &inner.rows)?;
        factor.factor(&inner.values).map_err(|error| self.loose(error, &free))?;
        let mut solved = loads.select_rows(&free);
        factor.solve(solved.as_mut_slice())?;
        let mut all = DMatrix::zeros(n, loads.ncols());
        for (row, &to) in free.iter().enumerate() {
            all.set_row(to, &solved.row(row));
        }
        Ok(all)
    }

    /// A pivot of the matrix of free coordinates that is zero, as the node that moves.
    pub(crate) fn loose(&self, error: SparseError, free: &[usize]) -> FlexError {
        match error {
            SparseError::ZeroPivot { index } => {
                FlexError::Mechanism { node: self.numbers[free[index] / self.per_node()] }
            }
            other => FlexError::Matrix(other),
        }
    }
}

impl SymmetricMatrix {
    /// Rows and columns that have a place, which increase.
    pub fn submatrix(&self, place: &[Option<usize>], order: usize) -> SymmetricMatrix {
        let mut inner = SymmetricMatrix { columns: vec![0; order + 1], ..SymmetricMatrix::default() };
        for (row, column, value) in self.entries() {
            if let (Some(row), Some(column)) = (place[row], place[column]) {
                inner.rows.push(row);
                inner.values.push(value);
                inner.columns[column + 1] = inner.rows.len();
            }
        }
        (1..=order).for_each(|j| inner.columns[j] = inner.columns[j].max(inner.columns[j - 1]));
        inner
    }
}
