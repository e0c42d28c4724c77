//! `P A P^T = L D L^T` of a symmetric matrix by fronts: dense work on columns that are eliminated together, for
//! matrices of meshes, whose factors fill in.

mod compress;
pub(crate) mod dense;
mod dissection;
mod numeric;
mod schur;
mod solve;
mod tree;

use crate::SparseError;
use crate::amd;
use crate::pattern::{Pattern, inverse};
use compress::Groups;
use std::sync::Arc;
use tree::{Columns, Front};

/// `L D L^T` of a symmetric matrix, `D` diagonal, by the multifrontal method [Liu 1992]. Without pivoting: right for
/// definite matrices, and for `K - s M` where `s` is no eigenvalue of it or of its leading blocks.
///
/// The order is found here: rows that the matrix treats alike are one vertex, and of nested dissection and approximate
/// minimum degree that is taken which costs fewer operations.
#[derive(Clone, Debug)]
pub struct FrontalLdlt {
    /// shared by all factors of one pattern
    analysis: Arc<Analysis>,
    values: Vec<f64>,
    pivots: Vec<f64>,
    factored: bool,
}

/// What the pattern says.
#[derive(Clone, Debug)]
struct Analysis {
    entries: Pattern,
    order: Vec<u32>,
    fronts: Vec<Front>,
    /// for each entry of the matrix in the order of fronts: its place in the caller's values and among those of the front
    sources: Vec<(u32, u32)>,
    source_starts: Vec<usize>,
    /// where the columns of each front begin among the values
    panel_starts: Vec<usize>,
    /// fronts whose parent each is
    children: Vec<Vec<u32>>,
    /// indices at the end of the order that are not eliminated
    kept: usize,
}

impl FrontalLdlt {
    /// Reads the pattern of the upper triangle with the diagonal: column `j` holds the rows
    /// `rows[columns[j]..columns[j + 1]]`, strictly increasing and at most `j`.
    /// O(entries log entries + rows of all fronts)
    pub fn analyse(n: usize, columns: &[usize], rows: &[usize]) -> Result<FrontalLdlt, SparseError> {
        FrontalLdlt::analyse_keeping(n, columns, rows, &[])
    }

    /// The same for a matrix of which the indices `kept`, strictly increasing, are not eliminated: the factorisation
    /// leaves their Schur complement ([`FrontalLdlt::schur`]).
    pub fn analyse_keeping(
        n: usize,
        columns: &[usize],
        rows: &[usize],
        kept: &[usize],
    ) -> Result<FrontalLdlt, SparseError> {
        let entries = Pattern::checked(n, columns, rows)?;
        entries.check_upper()?;
        let mut stays = vec![false; n];
        for &index in kept {
            *stays.get_mut(index).ok_or(SparseError::RowOutOfRange { column: n, row: index })? = true;
        }
        let groups = Groups::of(&entries, &stays);
        let [by_degree, by_parts] =
            [amd::order, dissection::order].map(|order| columns_by(&groups, &stays, order));
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
        let kept = kept.len();
        let analysis =
            Analysis { entries, order, fronts, sources, source_starts, panel_starts, children, kept };
        Ok(FrontalLdlt::of(Arc::new(analysis)))
    }

    fn of(analysis: Arc<Analysis>) -> FrontalLdlt {
        let pivots = vec![0.0; analysis.order.len()];
        FrontalLdlt { analysis, values: Vec::new(), pivots, factored: false }
    }

    /// The same analysis without numbers, for other values. O(n)
    pub fn unfactored(&self) -> FrontalLdlt {
        FrontalLdlt::of(Arc::clone(&self.analysis))
    }

    /// How many pivots of the last factorisation are negative: as many as the matrix has negative eigenvalues.
    pub fn negatives(&self) -> usize {
        self.pivots[..self.analysis.order.len() - self.analysis.kept]
            .iter()
            .filter(|&&pivot| pivot < 0.0)
            .count()
    }

    /// How many numbers the factor holds.
    pub fn factor_entries(&self) -> usize {
        let entries =
            |front: &Front| front.columns * (front.columns + 1) / 2 + front.columns * front.below.len();
        self.analysis.fronts.iter().map(entries).sum()
    }
}

/// Columns in an order of what is eliminated, then what is kept.
fn columns_by(groups: &Groups, stays: &[bool], order: impl Fn(&[Vec<u32>], &[usize]) -> Vec<u32>) -> Columns {
    let is_kept = |group: &u32| stays[groups.members[*group as usize][0] as usize];
    let (last, first): (Vec<u32>, Vec<u32>) = (0..groups.members.len() as u32).partition(is_kept);
    let mut place = vec![u32::MAX; groups.members.len()];
    first.iter().enumerate().for_each(|(to, &group)| place[group as usize] = to as u32);
    let inside = |&group: &u32| {
        let near = groups.neighbours[group as usize].iter().map(|&other| place[other as usize]);
        near.filter(|&to| to != u32::MAX).collect::<Vec<u32>>()
    };
    let neighbours: Vec<Vec<u32>> = first.iter().map(inside).collect();
    let weight: Vec<usize> = first.iter().map(|&group| groups.members[group as usize].len()).collect();
    let order: Vec<u32> = order(&neighbours, &weight).into_iter().map(|k| first[k as usize]).collect();
    Columns::of(groups, &[order, last.clone()].concat(), last.len())
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
