//! `P A P^T = L D L^T` of a symmetric matrix by fronts: dense work on columns that are eliminated together, for
//! matrices of meshes, whose factors fill in.

mod compress;
mod degree;
mod dense;
mod dissection;
mod numeric;
mod solve;
mod tree;

use crate::SparseError;
use crate::pattern::{Pattern, inverse};
use compress::Groups;
use tree::{Columns, Front};

/// `L D L^T` of a symmetric matrix, `D` diagonal, by the multifrontal method [Liu 1992]. Without pivoting: right for
/// definite matrices, and for `K - s M` where `s` is no eigenvalue of it or of its leading blocks.
///
/// The order is found here: rows that the matrix treats alike are one vertex, and of nested dissection and approximate
/// minimum degree that is taken which costs fewer operations.
#[derive(Clone, Debug)]
pub struct FrontalLdlt {
    entries: Pattern,
    order: Vec<u32>,
    fronts: Vec<Front>,
    /// for each entry of the matrix in the order of fronts: its place in the caller's values and among those of the front
    sources: Vec<(u32, u32)>,
    source_starts: Vec<usize>,
    /// where the columns of each front begin among the values
    panel_starts: Vec<usize>,
    values: Vec<f64>,
    pivots: Vec<f64>,
    /// fronts whose parent each is
    children: Vec<Vec<u32>>,
    factored: bool,
}

impl FrontalLdlt {
    /// Reads the pattern of the upper triangle with the diagonal: column `j` holds the rows
    /// `rows[columns[j]..columns[j + 1]]`, strictly increasing and at most `j`.
    /// O(entries log entries + rows of all fronts)
    pub fn analyse(n: usize, columns: &[usize], rows: &[usize]) -> Result<FrontalLdlt, SparseError> {
        let entries = Pattern::checked(n, columns, rows)?;
        entries.check_upper()?;
        let groups = Groups::of(&entries);
        let weight: Vec<usize> = groups.members.iter().map(Vec::len).collect();
        let [by_degree, by_parts] = [degree::order, dissection::order]
            .map(|order| Columns::of(&groups, &order(&groups.neighbours, &weight)));
        let best = if by_parts.work(&groups) < by_degree.work(&groups) { by_parts } else { by_degree };
        let (fronts, order) = best.fronts(&groups);
        let mut panel_starts = vec![0];
        for front in &fronts {
            if front.size() > u16::MAX as usize {
                return Err(SparseError::TooLarge); // places in a front have 32 bits
            }
            panel_starts.push(panel_starts[panel_starts.len() - 1] + front.size() * front.columns);
        }
        let (sources, source_starts) = places(&entries, &order, &fronts);
        let mut children = vec![Vec::new(); fronts.len()];
        for (k, front) in fronts.iter().enumerate() {
            front.parent.into_iter().for_each(|parent| children[parent as usize].push(k as u32));
        }
        Ok(FrontalLdlt {
            entries,
            order,
            fronts,
            sources,
            source_starts,
            panel_starts,
            values: Vec::new(),
            pivots: vec![0.0; n],
            children,
            factored: false,
        })
    }

    /// The same analysis without numbers, for other values.
    pub fn unfactored(&self) -> FrontalLdlt {
        FrontalLdlt {
            entries: self.entries.clone(),
            order: self.order.clone(),
            fronts: self.fronts.clone(),
            sources: self.sources.clone(),
            source_starts: self.source_starts.clone(),
            panel_starts: self.panel_starts.clone(),
            values: Vec::new(),
            pivots: vec![0.0; self.order.len()],
            children: self.children.clone(),
            factored: false,
        }
    }

    /// How many pivots of the last factorisation are negative: as many as the matrix has negative eigenvalues.
    pub fn negatives(&self) -> usize {
        self.pivots.iter().filter(|&&pivot| pivot < 0.0).count()
    }

    /// How many numbers the factor holds.
    pub fn factor_entries(&self) -> usize {
        let entries =
            |front: &Front| front.columns * (front.columns + 1) / 2 + front.columns * front.below.len();
        self.fronts.iter().map(entries).sum()
    }
}

/// Entries of the matrix sorted by the front that takes them: place in the caller's values, place in the front; and
/// where those of each front begin. O(entries)
fn places(entries: &Pattern, order: &[u32], fronts: &[Front]) -> (Vec<(u32, u32)>, Vec<usize>) {
    let place = inverse(order);
    let mut front_of = vec![0_u32; order.len()];
    for (k, front) in fronts.iter().enumerate() {
        front_of[front.first..front.first + front.columns].fill(k as u32);
    }
    let ends = |j: usize, source: usize| {
        let (a, b) = (place[j], place[entries.rows[source] as usize]);
        (a.min(b), a.max(b))
    };
    let mut starts = vec![0; fronts.len() + 1];
    for j in 0..entries.n {
        for source in entries.column(j) {
            starts[front_of[ends(j, source).0 as usize] as usize + 1] += 1;
        }
    }
    (1..starts.len()).for_each(|k| starts[k] += starts[k - 1]);
    let (mut next, mut sources) = (starts.clone(), vec![(0, 0); entries.rows.len()]);
    for j in 0..entries.n {
        for source in entries.column(j) {
            let (column, row) = ends(j, source);
            let own = front_of[column as usize] as usize;
            let front = &fronts[own];
            let row = match (row as usize - front.first, front.below.binary_search(&row)) {
                (inside, _) if inside < front.columns => inside,
                (_, Ok(below) | Err(below)) => front.columns + below,
            };
            sources[next[own]] =
                (source as u32, ((column as usize - front.first) * front.size() + row) as u32);
            next[own] += 1;
        }
    }
    (sources, starts)
}
