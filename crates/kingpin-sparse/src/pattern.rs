//! The places of the entries of a square matrix, checked once; orders of elimination.

use std::ops::Range;

use crate::SparseError;

/// The places of the entries by columns, rows strictly increasing.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub n: usize,
    pub starts: Vec<u32>,
    pub rows: Vec<u32>,
}

impl Pattern {
    /// Checks that the slices describe a square matrix of order `n`. O(entries)
    pub fn checked(n: usize, columns: &[usize], rows: &[usize]) -> Result<Pattern, SparseError> {
        let limit = i32::MAX as usize / 4; // room for the doubled lists of the minimum degree order
        if n >= limit || rows.len() >= limit {
            return Err(SparseError::TooLarge);
        }
        if columns.len() != n + 1 {
            return Err(SparseError::ColumnStarts { column: columns.len().min(n) });
        }
        // the starts: from 0, never decreasing, to the number of rows
        let starts_well = |j: usize| if j == 0 { columns[0] == 0 } else { columns[j] >= columns[j - 1] };
        let wrong = (0..=n).find(|&j| !starts_well(j) || columns[j] > rows.len());
        if let Some(column) = wrong.or((columns[n] != rows.len()).then_some(n)) {
            return Err(SparseError::ColumnStarts { column });
        }
        // the rows: in range and strictly increasing
        for column in 0..n {
            let rows = &rows[columns[column]..columns[column + 1]];
            if let Some(&row) = rows.iter().find(|&&row| row >= n) {
                return Err(SparseError::RowOutOfRange { column, row });
            }
            if let Some(pair) = rows.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(SparseError::RowsNotIncreasing { column, row: pair[1] });
            }
        }
        Ok(Pattern { n, starts: narrow(columns), rows: narrow(rows) })
    }

    /// Checks that no entry lies below the diagonal.
    pub fn check_upper(&self) -> Result<(), SparseError> {
        for column in 0..self.n {
            let last = self.rows[self.column(column)].last().map_or(0, |&row| row as usize);
            if last > column {
                return Err(SparseError::BelowDiagonal { column, row: last });
            }
        }
        Ok(())
    }

    /// Whether every entry has its mirror image. O(entries log entries)
    pub fn is_symmetric(&self) -> bool {
        let holds = |i: u32, j: usize| self.rows[self.column(j)].binary_search(&i).is_ok();
        (0..self.n).all(|j| self.rows[self.column(j)].iter().all(|&i| holds(j as u32, i as usize)))
    }

    /// Where the entries of a column are stored.
    pub fn column(&self, j: usize) -> Range<usize> {
        self.starts[j] as usize..self.starts[j + 1] as usize
    }

    /// Checks that there is one finite value for every entry.
    pub fn check_values(&self, values: &[f64]) -> Result<(), SparseError> {
        check_length(values.len(), self.rows.len())?;
        // without a branch in the loop it runs at the speed of memory
        if values.iter().fold(false, |bad, value| bad | !value.is_finite()) {
            let position = values.iter().position(|value| !value.is_finite()).unwrap_or(0);
            return Err(SparseError::ValueNotFinite { position });
        }
        Ok(())
    }

    /// The upper triangle of the same symmetric matrix with row and column `order[k]` moved to place `k`; beside
    /// it, for each of its entries, the place of its value in this pattern. O(entries log entries)
    pub fn permuted_upper(&self, order: &[u32]) -> (Pattern, Vec<u32>) {
        let place = inverse(order);
        let mut entries = Vec::with_capacity(self.rows.len());
        for j in 0..self.n {
            for source in self.column(j) {
                let (a, b) = (place[j], place[self.rows[source] as usize]);
                entries.push((a.max(b), a.min(b), source as u32));
            }
        }
        entries.sort_unstable();
        let mut starts = vec![0; self.n + 1];
        for &(column, _, _) in &entries {
            starts[column as usize + 1] += 1;
        }
        accumulate(&mut starts);
        let rows = entries.iter().map(|entry| entry.1).collect();
        (Pattern { n: self.n, starts, rows }, entries.iter().map(|entry| entry.2).collect())
    }
}

/// Counts behind their index become starts.
pub(crate) fn accumulate(starts: &mut [u32]) {
    for j in 1..starts.len() {
        starts[j] += starts[j - 1];
    }
}

/// Checks that an order of elimination names each of `n` indices exactly once.
pub(crate) fn checked_order(order: &[usize], n: usize) -> Result<Vec<u32>, SparseError> {
    let mut seen = vec![false; n];
    for &index in order {
        if index >= n || seen[index] {
            return Err(SparseError::NotAPermutation { index });
        }
        seen[index] = true;
    }
    match seen.iter().position(|&seen| !seen) {
        Some(index) => Err(SparseError::NotAPermutation { index }),
        None => Ok(narrow(order)),
    }
}

/// The place of each index in a checked order.
pub(crate) fn inverse(order: &[u32]) -> Vec<u32> {
    let mut place = vec![0; order.len()];
    for (k, &index) in order.iter().enumerate() {
        place[index as usize] = k as u32;
    }
    place
}

/// Checks the length of a slice.
pub(crate) fn check_length(given: usize, expected: usize) -> Result<(), SparseError> {
    if given == expected { Ok(()) } else { Err(SparseError::WrongLength { expected, given }) }
}

/// Checks that every component of a solution is finite.
pub(crate) fn check_solution(x: &[f64]) -> Result<(), SparseError> {
    if x.iter().fold(false, |bad, value| bad | !value.is_finite()) {
        let index = x.iter().position(|value| !value.is_finite()).unwrap_or(0);
        return Err(SparseError::SolutionNotFinite { index });
    }
    Ok(())
}

fn narrow(indices: &[usize]) -> Vec<u32> {
    indices.iter().map(|&index| index as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(n: usize, columns: &[usize], rows: &[usize]) -> SparseError {
        Pattern::checked(n, columns, rows).unwrap_err()
    }

    #[test]
    fn names_what_is_wrong_with_a_pattern() {
        assert_eq!(error(2, &[0, 1], &[0]), SparseError::ColumnStarts { column: 2 });
        assert_eq!(error(2, &[], &[]), SparseError::ColumnStarts { column: 0 });
        assert_eq!(error(2, &[1, 1, 2], &[0, 1]), SparseError::ColumnStarts { column: 0 });
        assert_eq!(error(2, &[0, 2, 1], &[0]), SparseError::ColumnStarts { column: 1 });
        assert_eq!(error(2, &[0, 1, 3], &[0, 1]), SparseError::ColumnStarts { column: 2 });
        assert_eq!(error(2, &[0, 1, 1], &[0, 1]), SparseError::ColumnStarts { column: 2 });
        assert_eq!(error(2, &[0, 1, 2], &[0, 2]), SparseError::RowOutOfRange { column: 1, row: 2 });
        assert_eq!(error(2, &[0, 2, 2], &[1, 0]), SparseError::RowsNotIncreasing { column: 0, row: 0 });
        assert_eq!(error(2, &[0, 2, 2], &[1, 1]), SparseError::RowsNotIncreasing { column: 0, row: 1 });
        assert_eq!(error(usize::MAX, &[0], &[]), SparseError::TooLarge);
        let lower = Pattern::checked(2, &[0, 2, 2], &[0, 1]).unwrap();
        assert!(!lower.is_symmetric());
        assert!(Pattern::checked(2, &[0, 1, 2], &[1, 0]).unwrap().is_symmetric());
        assert_eq!(lower.check_upper(), Err(SparseError::BelowDiagonal { column: 0, row: 1 }));
    }

    #[test]
    fn names_what_is_wrong_with_an_order() {
        assert_eq!(checked_order(&[2, 0, 1], 3), Ok(vec![2, 0, 1]));
        assert_eq!(checked_order(&[0, 0, 1], 3), Err(SparseError::NotAPermutation { index: 0 }));
        assert_eq!(checked_order(&[0, 3, 1], 3), Err(SparseError::NotAPermutation { index: 3 }));
        assert_eq!(checked_order(&[0, 1], 3), Err(SparseError::NotAPermutation { index: 2 }));
        assert_eq!(inverse(&[2, 0, 1]), [1, 2, 0]);
    }

    #[test]
    fn permutes_the_upper_triangle_with_its_values() {
        // entries (0,0) (0,1) (1,2) (2,2), values 0..4; order 2, 0, 1 moves 0->1, 1->2, 2->0
        let pattern = Pattern::checked(3, &[0, 1, 2, 4], &[0, 0, 1, 2]).unwrap();
        let (permuted, sources) = pattern.permuted_upper(&[2, 0, 1]);
        assert_eq!(permuted.starts, [0, 1, 2, 4]);
        assert_eq!(permuted.rows, [0, 1, 0, 1]);
        assert_eq!(sources, [3, 0, 2, 1]);
    }
}
