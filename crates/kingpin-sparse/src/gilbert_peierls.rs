//! `P A Q = L U` by columns with threshold pivoting, after [Gilbert and Peierls 1988] as in KLU [Davis and
//! Palamadai Natarajan 2010, Algorithm 907]; and once more with the same pivots.

use std::mem::take;

use crate::pattern::Pattern;
use crate::triangle::Triangle;
use crate::{ROUNDING, SparseError};

const NONE: u32 = u32::MAX;

/// Candidates of at least this part of each other are equals.
const EQUAL: f64 = 1.0 - 1e-9;

/// `L` with unit diagonal, `U`, and the rows chosen as pivots.
///
/// Rows of `L` and `U` count steps of elimination; while `eliminate` runs, those of `L` are rows of the matrix.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    pub lower: Triangle,
    /// each column in an order in which its entries can be computed one after the other
    pub upper: Triangle,
    pub inverse_pivots: Vec<f64>,
    /// entries of each row of the matrix: what a pivot there is likely to fill
    row_entries: Vec<u32>,
    /// sum of the magnitudes of the terms each pivot was summed from, when it was chosen
    terms: Vec<f64>,
    /// step at which each row is the pivot
    pub step_of_row: Vec<u32>,
    /// the same for each entry of the matrix
    step_of_entry: Vec<u32>,
    /// the column in work and the magnitudes of its terms, by rows; zero between columns
    column: Vec<f64>,
    magnitudes: Vec<f64>,
    search: Search,
}

/// Memory of the depth-first search for the rows that a column fills.
#[derive(Clone, Debug)]
struct Search {
    /// last step that reached each row
    reached_at: Vec<u32>,
    /// the path in work from the front, rows found from the back
    rows: Vec<u32>,
    /// where to go on in the column of `L` of each row on the path
    resume: Vec<u32>,
}

impl Search {
    /// Finds all rows that column `entries` of the matrix fills at this step; they end up in `rows[first..]`, each
    /// before those it changes. Returns `first`. O(entries of the columns of `L` passed)
    fn reach(&mut self, step: u32, entries: &[u32], lower: &Triangle, step_of_row: &[u32]) -> usize {
        let mut first = self.rows.len();
        for &entry in entries {
            if self.reached_at[entry as usize] == step {
                continue;
            }
            let mut depth = 1;
            self.rows[0] = entry;
            'path: while depth > 0 {
                let row = self.rows[depth - 1];
                let pivot = step_of_row[row as usize];
                let column = if pivot == NONE { 0..0 } else { lower.column(pivot as usize) };
                if self.reached_at[row as usize] != step {
                    self.reached_at[row as usize] = step;
                    self.resume[depth - 1] = column.start as u32;
                }
                for position in self.resume[depth - 1] as usize..column.end {
                    let next = lower.rows[position];
                    if self.reached_at[next as usize] != step {
                        self.resume[depth - 1] = position as u32 + 1;
                        self.rows[depth] = next;
                        depth += 1;
                        continue 'path;
                    }
                }
                depth -= 1;
                first -= 1;
                self.rows[first] = row;
            }
        }
        first
    }
}

impl Factors {
    /// Memory for the factors of a matrix, with room for as many entries as the matrix has in each triangle.
    pub fn new(pattern: &Pattern) -> Factors {
        let (n, entries) = (pattern.n, pattern.rows.len());
        let mut row_entries = vec![0; n];
        pattern.rows.iter().for_each(|&row| row_entries[row as usize] += 1);
        Factors {
            lower: Triangle::with_capacity(n, entries),
            upper: Triangle::with_capacity(n, entries),
            inverse_pivots: vec![0.0; n],
            row_entries,
            terms: vec![0.0; n],
            step_of_row: vec![NONE; n],
            step_of_entry: vec![NONE; entries],
            column: vec![0.0; n],
            magnitudes: vec![0.0; n],
            search: Search { reached_at: vec![NONE; n], rows: vec![0; n], resume: vec![0; n] },
        }
    }

    /// Factors with pivots chosen anew: the diagonal wherever it is at least `tolerance` times the largest
    /// candidate, else the largest, and the row of fewest entries among equals. Allocates only if there is more fill
    /// than ever before.
    pub fn eliminate(
        &mut self,
        pattern: &Pattern,
        order: &[u32],
        values: &[f64],
        tolerance: f64,
    ) -> Result<(), SparseError> {
        for triangle in [&mut self.lower, &mut self.upper] {
            triangle.rows.clear();
            triangle.values.clear();
        }
        self.step_of_row.fill(NONE);
        self.search.reached_at.fill(NONE);
        self.column.fill(0.0);
        self.magnitudes.fill(0.0);
        for (k, &column) in order.iter().enumerate() {
            let entries = pattern.column(column as usize);
            let rows = &pattern.rows[entries.clone()];
            let first = self.search.reach(k as u32, rows, &self.lower, &self.step_of_row);
            for (&row, &value) in rows.iter().zip(&values[entries]) {
                self.column[row as usize] = value;
                self.magnitudes[row as usize] = value.abs();
            }
            self.solve_column(first);
            let pivot = self.choose_pivot(first, column, tolerance);
            let row = pivot.ok_or(SparseError::Singular { column: column as usize })?;
            self.store_column(k, first, row);
            if self.lower.rows.len().max(self.upper.rows.len()) > i32::MAX as usize {
                return Err(SparseError::TooLarge);
            }
        }
        // from rows of the matrix to steps
        for row in &mut self.lower.rows {
            *row = self.step_of_row[*row as usize];
        }
        for (step, &row) in self.step_of_entry.iter_mut().zip(&pattern.rows) {
            *step = self.step_of_row[row as usize];
        }
        Ok(())
    }

    /// Solves with the columns of `L` so far: the rows that are pivots already become the column of `U`. What is
    /// zero to rounding becomes zero, lest the rest of a dependent column be taken for numbers.
    fn solve_column(&mut self, first: usize) {
        let (x, magnitudes) = (&mut self.column[..], &mut self.magnitudes[..]);
        for &row in &self.search.rows[first..] {
            let step = self.step_of_row[row as usize];
            if step == NONE {
                continue;
            }
            let (u, terms) = (take(&mut x[row as usize]), take(&mut magnitudes[row as usize]));
            let u = cleared(u, terms);
            self.upper.rows.push(step);
            self.upper.values.push(u);
            let below = self.lower.column(step as usize);
            for (&row, &l) in self.lower.rows[below.clone()].iter().zip(&self.lower.values[below]) {
                x[row as usize] -= l * u;
                magnitudes[row as usize] += (l * u).abs();
            }
        }
    }

    /// The row of the pivot among those that are not zero to rounding, if there is any.
    fn choose_pivot(&self, first: usize, diagonal: u32, tolerance: f64) -> Option<u32> {
        let candidate = |row: u32| {
            let (x, terms) = (self.column[row as usize].abs(), self.magnitudes[row as usize]);
            let free = self.step_of_row[row as usize] == NONE;
            (free && x.is_finite() && x > ROUNDING * terms).then_some(x)
        };
        let fewer = |row: u32, than: u32| self.row_entries[row as usize] < self.row_entries[than as usize];
        let mut largest: Option<(u32, f64)> = None;
        for &row in &self.search.rows[first..] {
            if let Some(x) = candidate(row)
                // among equals the last bits would decide otherwise, and with them the fill
                && largest.is_none_or(|(other, most)| {
                    x > EQUAL * most && (x * EQUAL > most || fewer(row, other))
                })
            {
                largest = Some((row, x));
            }
        }
        let (row, most) = largest?;
        match candidate(diagonal) {
            Some(x) if x >= tolerance * most => Some(diagonal),
            _ => Some(row),
        }
    }

    /// Makes `row` the pivot of step `k` and the other free rows the column of `L`.
    fn store_column(&mut self, k: usize, first: usize, row: u32) {
        let inverse = 1.0 / self.column[row as usize];
        self.inverse_pivots[k] = inverse;
        self.terms[k] = self.magnitudes[row as usize];
        self.step_of_row[row as usize] = k as u32;
        for &other in &self.search.rows[first..] {
            let (x, terms) =
                (take(&mut self.column[other as usize]), take(&mut self.magnitudes[other as usize]));
            if self.step_of_row[other as usize] == NONE {
                self.lower.rows.push(other);
                self.lower.values.push(cleared(x, terms) * inverse);
            }
        }
        self.lower.starts[k + 1] = self.lower.rows.len() as u32;
        self.upper.starts[k + 1] = self.upper.rows.len() as u32;
    }

    /// Factors with the pivots of the last elimination; `false` as soon as one is smaller than `tolerance` times
    /// the largest candidate, or close to rounding by the terms it had when it was chosen. Allocates nothing.
    pub fn repeat(&mut self, pattern: &Pattern, order: &[u32], values: &[f64], tolerance: f64) -> bool {
        let Factors { lower, upper, step_of_entry, column: x, .. } = self;
        x.fill(0.0);
        for (k, &column) in order.iter().enumerate() {
            let entries = pattern.column(column as usize);
            for (&step, &value) in step_of_entry[entries.clone()].iter().zip(&values[entries]) {
                x[step as usize] = value;
            }
            // solve with the columns of L so far
            let above = upper.column(k);
            for (&step, u) in upper.rows[above.clone()].iter().zip(&mut upper.values[above]) {
                *u = take(&mut x[step as usize]);
                lower.subtract_column(step as usize, *u, x);
            }
            // divide by the pivot
            let pivot = take(&mut x[k]);
            let inverse = 1.0 / pivot;
            let mut largest = 0.0_f64;
            let below = lower.column(k);
            for (&step, l) in lower.rows[below.clone()].iter().zip(&mut lower.values[below]) {
                *l = take(&mut x[step as usize]) * inverse;
                largest = largest.max(l.abs());
            }
            self.inverse_pivots[k] = inverse;
            let sound = pivot.abs() > 1e3 * ROUNDING * self.terms[k] && largest * tolerance <= 1.0;
            if !(sound && pivot.is_finite()) {
                return false;
            }
        }
        true
    }
}

/// A sum that is zero to rounding becomes zero; where its terms overflowed it stays as it is.
#[inline]
fn cleared(sum: f64, terms: f64) -> f64 {
    if sum.abs() <= ROUNDING * terms && terms.is_finite() { 0.0 } else { sum }
}
