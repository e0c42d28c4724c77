//! The numbers of the factor, front by front.

use super::dense::{self, Packed};
use super::{Front, FrontalLdlt};
use crate::{ROUNDING, SparseError};

impl FrontalLdlt {
    /// Factors the matrix with these values, in the order of the pattern.
    /// O(sum over fronts of size^2 times columns)
    ///
    /// # Errors
    /// [`SparseError::ZeroPivot`] if a pivot is no more than a rounding error of the diagonal of the matrix.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), SparseError> {
        self.analysis.entries.check_values(values)?;
        self.factored = false;
        self.values.clear();
        self.values.resize(self.analysis.panel_starts[self.analysis.fronts.len()], 0.0);
        let mut left: Vec<Vec<f64>> = vec![Vec::new(); self.analysis.fronts.len()];
        let (mut place, mut packed) = (vec![0_u32; self.analysis.order.len()], Packed::default());
        for (k, front) in self.analysis.fronts.iter().enumerate() {
            let (size, below) = (front.size(), front.below.len());
            let panel = &mut self.values[self.analysis.panel_starts[k]..self.analysis.panel_starts[k + 1]];
            for &(source, to) in
                &self.analysis.sources[self.analysis.source_starts[k]..self.analysis.source_starts[k + 1]]
            {
                panel[to as usize] = values[source as usize];
            }
            let scales: Vec<f64> = (0..front.columns).map(|j| panel[j * size + j].abs()).collect();
            // what earlier fronts left
            let mut rest = vec![0.0; below * below];
            (0..front.columns).for_each(|j| place[front.first + j] = j as u32);
            front.below.iter().zip(front.columns..).for_each(|(&row, to)| place[row as usize] = to as u32);
            for &child in &self.analysis.children[k] {
                let given = std::mem::take(&mut left[child as usize]);
                gather(&self.analysis.fronts[child as usize], front, &place, &given, panel, &mut rest);
            }
            if front.first + self.analysis.kept >= self.analysis.order.len() {
                break; // what is kept comes last
            }
            let pivots = &mut self.pivots[front.first..front.first + front.columns];
            dense::factor(panel, size, pivots, &scales, ROUNDING, &mut packed).map_err(|j| {
                SparseError::ZeroPivot { index: self.analysis.order[front.first + j] as usize }
            })?;
            dense::leave(panel, size, pivots, &mut rest, &mut packed);
            left[k] = rest;
        }
        self.factored = true;
        Ok(())
    }
}

/// Adds what a front left to its parent: to its columns and to what it will leave.
fn gather(child: &Front, parent: &Front, place: &[u32], given: &[f64], panel: &mut [f64], rest: &mut [f64]) {
    let (rows, size, below) = (child.below.len(), parent.size(), parent.below.len());
    for (j, &column) in child.below.iter().enumerate() {
        let own = &given[j * rows + j..(j + 1) * rows];
        let column = place[column as usize] as usize;
        let target = if column < parent.columns {
            &mut panel[column * size..(column + 1) * size]
        } else {
            &mut rest[(column - parent.columns) * below..(column - parent.columns + 1) * below]
        };
        let skip = if column < parent.columns { 0 } else { parent.columns };
        for (&row, number) in child.below[j..].iter().zip(own) {
            target[place[row as usize] as usize - skip] += number;
        }
    }
}
