//! Sparse LU by blocks along a given order, pivots within the diagonal blocks.

mod border;
mod boughs;
mod domains;
mod inertia;
mod interface;
mod kernel;
mod many;
mod numeric;
mod panels;
mod scalar;
mod sizes;
mod symbolic;
mod team;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_domains;
#[cfg(test)]
mod tests_panels;
mod threads;

pub(crate) use scalar::{ComplexNumber, PivotScalar};

use super::lanes::{Arithmetic, Machine};
use border::DomainBorder;
use interface::InterfaceFactor;
use panels::{PivotPanel, RowRun};
use std::fmt;
use std::sync::Arc;
use team::DomainTeam;

/// Two nodes whose unknowns share equations. Unknowns of a node that few others share come last in it: with each
/// neighbour only the first ones of a node are coupled, and nothing is stored for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCoupling {
    /// The nodes.
    pub nodes: [usize; 2],
    /// How many of the first unknowns of each are coupled with the other.
    pub extents: [usize; 2],
}

/// Factorisation `A = (L + D) U` of a square matrix whose pattern is symmetric by blocks: D holds the diagonal blocks,
/// each factored with row exchanges of its own, and U has unit blocks on its diagonal. Nodes are eliminated in a
/// given order, and no row leaves its node: the caller sees to it that every leading part of the matrix is regular.
///
/// Values lie in an array of the caller's, of [`len`](Self::len) numbers, at the places that [`locate`](Self::locate)
/// names; vectors have the unknowns of a node at [`start`](Self::start). Sums are taken in the order of elimination.
#[derive(Clone, Debug)]
pub struct BlockLu {
    /// Place of each node in the order of elimination.
    position: Vec<u32>,
    columns: Vec<PivotBlock>,
    neighbours: Vec<Neighbour>,
    updates: Vec<BlockTarget>,
    /// Columns with many neighbours, and the rows that these reach.
    panels: Vec<PivotPanel>,
    runs: Vec<RowRun>,
    /// Where branches end in the order of elimination, and their columns that are coupled with the trunk behind them.
    branches: Vec<usize>,
    bordering: Vec<u32>,
    /// Where the values of branches and of pieces of the trunk begin, and the end of the last.
    cuts: Vec<usize>,
    /// Numbers of the matrix with its fill, and its rows.
    len: usize,
    rows: usize,
    machine: Machine,
    /// Who does which branches, if these are sub-domains.
    team: Option<Arc<DomainTeam>>,
}

/// A diagonal block and where what belongs to it starts in the lists. Behind its numbers follow those of its
/// neighbours, of each the transposed block of L and the block of U. In a panel the first column has the neighbours of all.
#[derive(Clone, Copy, Debug)]
struct PivotBlock {
    at: usize,
    size: usize,
    /// First row.
    start: usize,
    /// First of its neighbours and of its updates.
    neighbours: usize,
    updates: usize,
    /// Its panel, or [`panels::SINGLE`].
    panel: u32,
}

/// A later node that a column is coupled with: `size` by `extent` numbers each. In a panel, where the first numbers are.
#[derive(Clone, Copy, Debug)]
struct Neighbour {
    position: u32,
    extent: u32,
    lower: usize,
    upper: usize,
}

/// Where the product of two blocks of a column is subtracted.
#[derive(Clone, Copy, Debug)]
struct BlockTarget {
    at: usize,
    /// Distances between rows and between columns.
    by_row: u32,
    by_column: u32,
}

impl From<BlockPlace> for BlockTarget {
    fn from(BlockPlace { at, by_row, by_column }: BlockPlace) -> Self {
        Self { at, by_row: by_row as u32, by_column: by_column as u32 }
    }
}

/// Where a block lies among the values: number (i, j) at `at + i by_row + j by_column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPlace {
    /// The first.
    pub at: usize,
    /// Distance between rows.
    pub by_row: usize,
    /// Distance between columns.
    pub by_column: usize,
}

/// A diagonal block without a usable pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingularBlock {
    /// Its node.
    pub node: usize,
    /// The unknown of the node.
    pub unknown: usize,
    /// Largest candidate, as a part of the largest number of the block.
    pub pivot: f64,
}

impl fmt::Display for SingularBlock {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { node, unknown, pivot } = self;
        write!(f, "no pivot for unknown {unknown} of node {node}: at most {pivot:e} of its block")
    }
}

impl std::error::Error for SingularBlock {}

/// A factor with the values it is made from, in arrays of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockFactor<T> {
    /// Numbers of the matrix; of the factor once it is made.
    pub values: Vec<T>,
    /// From where each row of a node came, counted in the node.
    exchange: Vec<u32>,
    /// What each sub-domain of this rank leaves at its border, by rows, and what boughs leave that are done here.
    borders: Vec<Vec<T>>,
    boughs: Vec<Vec<T>>,
    /// Whether unknowns at interfaces may be solved by iterations, and what these need.
    iterating: bool,
    interface: Option<Arc<InterfaceFactor<T>>>,
}

impl<T: PivotScalar> BlockFactor<T> {
    /// The same, where unknowns at interfaces may be solved by iterations.
    pub fn iterating(lu: &BlockLu) -> Self {
        Self { iterating: lu.team.as_ref().is_some_and(|team| team.plan.is_some()), ..Self::new(lu) }
    }

    /// Zeros.
    pub fn new(lu: &BlockLu) -> Self {
        let own = lu.team.iter().flat_map(|team| &team.borders[team.own()]);
        let borders = own.map(|border| vec![T::ZERO; border.size.pow(2)]).collect();
        let room = |border: &DomainBorder| vec![T::ZERO; border.size.pow(2)];
        let boughs = lu.team.iter().flat_map(|team| team.boughs.iter().map(move |bough| (team, bough)));
        let boughs =
            boughs.map(|(team, bough)| if team.does(bough) { room(&bough.border) } else { Vec::new() });
        let (values, exchange) = (vec![T::ZERO; lu.len], vec![0; lu.rows]);
        Self { values, exchange, borders, boughs: boughs.collect(), iterating: false, interface: None }
    }

    /// The numbers of another of the same structure.
    pub fn copy_numbers(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
        self.exchange.copy_from_slice(&other.exchange);
        self.borders.clone_from(&other.borders);
        self.interface.clone_from(&other.interface);
    }
}

impl BlockLu {
    /// Uses the arithmetic for factors and solutions.
    pub fn with(mut self, arithmetic: Arithmetic) -> Self {
        self.machine = arithmetic.machine();
        self
    }

    /// Length of the array of values.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Numbers that a factor keeps here: of other ranks it has none.
    pub(crate) fn kept(&self) -> usize {
        let Some(team) = &self.team else { return self.len };
        let inside = self.columns_in(&team.own());
        let boughs = team.boughs.iter().filter(|bough| team.does(bough)).map(|bough| &bough.border);
        let borders: usize =
            team.borders[team.own()].iter().chain(boughs).map(|border| border.size.pow(2)).sum();
        let trunk = self.len - self.columns[self.trunk()].at;
        self.columns[inside.end].at - self.columns[inside.start].at + trunk + borders
    }

    /// Rows in all.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Where the values of each piece begin that is written at once, and the end of the last.
    pub(crate) fn cuts(&self) -> &[usize] {
        &self.cuts
    }

    /// First row of a node in vectors.
    pub fn start(&self, node: usize) -> usize {
        self.columns[self.position[node] as usize].start
    }

    fn neighbours_of(&self, k: usize) -> &[Neighbour] {
        &self.neighbours[self.columns[k].neighbours..self.columns[k + 1].neighbours]
    }

    /// The block of rows of node `i` and columns of node `j`; `None` if it is zero. O(log neighbours)
    pub fn locate(&self, i: usize, j: usize) -> Option<BlockPlace> {
        let (row, column) = (self.position[i] as usize, self.position[j] as usize);
        self.locate_in_order(row, column)
    }

    /// The same for places in the order of elimination.
    fn locate_in_order(&self, row: usize, column: usize) -> Option<BlockPlace> {
        let (first, second) = (row.min(column), row.max(column));
        if let Some(panel) = self.panel_of(&self.columns[first]) {
            return self.locate_in_panel(panel, row, column);
        }
        let PivotBlock { at, size, .. } = self.columns[first];
        if row == column {
            return Some(BlockPlace { at, by_row: size, by_column: 1 });
        }
        let list = self.neighbours_of(first);
        let found = list.binary_search_by_key(&(second as u32), |n| n.position).ok()?;
        let Neighbour { extent, lower, upper, .. } = list[found];
        Some(match row > column {
            true => BlockPlace { at: lower, by_row: 1, by_column: extent as usize },
            false => BlockPlace { at: upper, by_row: extent as usize, by_column: 1 },
        })
    }

    /// Multiplications that a node takes in a factorisation and in a solution.
    pub fn node_work(&self, node: usize) -> [f64; 2] {
        self.column_work(self.position[node] as usize)
    }

    /// The same for one column.
    fn column_work(&self, k: usize) -> [f64; 2] {
        let size = self.columns[k].size as f64;
        let extent = match self.panel_of(&self.columns[k]) {
            Some(panel) => (panel.start + panel.width - self.columns[k].start + panel.reach) as f64 - size,
            None => self.neighbours_of(k).iter().map(|n| f64::from(n.extent)).sum(),
        };
        let factor = size * size * size / 3.0 + size * size * extent + size * extent * extent;
        [factor, size * size + 2.0 * size * extent]
    }

    /// Multiplications of the longest sequence of columns that wait for each other in a factorisation: what is left with
    /// any number of threads.
    pub fn critical_work(&self) -> f64 {
        let sum = |columns: std::ops::Range<usize>| columns.map(|k| self.column_work(k)[0]).sum::<f64>();
        let starts = std::iter::once(0).chain(self.branches.iter().copied());
        let longest = starts.zip(&self.branches).map(|(start, &end)| sum(start..end)).fold(0.0, f64::max);
        longest + sum(self.branches.last().copied().unwrap_or(0)..self.position.len())
    }
}
