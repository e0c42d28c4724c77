//! What sub-domains leave to the trunk: the part of each in its matrix and in right sides, apart from those of others.

use super::kernel::{of_length, spread, spread_any, update, update_any};
use super::panels::{complement_panel, forward_panel_border};
use super::{BlockFactor, BlockLu, BlockTarget, Neighbour, PivotBlock, PivotScalar, many};
use crate::linalg::FourWide;
use crate::linalg::lanes::Lanes;

/// The border of a sub-domain, a branch of the elimination, or of a bough: nodes of the trunk behind it that its columns
/// reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct DomainBorder {
    /// Where what is outside begins in the order of elimination.
    pub(super) end: usize,
    /// Columns that reach them, each with its first entry in `places`.
    columns: Vec<[u32; 2]>,
    /// First unknown, among those of the border, of each node that a column reaches.
    pub(super) places: Vec<u32>,
    pub nodes: Vec<BorderNode>,
    /// Unknowns of all nodes.
    pub size: usize,
    /// Where the block of each pair of nodes is among the values, if there is one.
    pub(super) targets: Vec<Option<BlockTarget>>,
}

/// A node of the trunk as a sub-domain sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BorderNode {
    /// Its place in the order of elimination.
    pub position: usize,
    /// Its first row in the trunk.
    pub row: usize,
    /// Its first unknown among those of the border, and how many are seen.
    pub at: usize,
    pub extent: usize,
}

impl DomainBorder {
    /// The border of some columns, where what is outside begins at a place; `passed` are borders of those that grow out of
    /// them, of which it has what is outside.
    pub(super) fn new(
        lu: &BlockLu,
        columns: std::ops::Range<usize>,
        (end, order): (usize, &[usize]),
        passed: &[&DomainBorder],
    ) -> Self {
        let outside = |k: usize| {
            let (list, inside) = lu.reach(k, end);
            &list[inside..]
        };
        let passed = passed.iter().flat_map(|border| &border.nodes).filter(|node| node.position >= end);
        let mut seen: Vec<(usize, usize)> = columns
            .clone()
            .flat_map(|k| outside(k).iter().map(|n| (n.position as usize, n.extent as usize)))
            .chain(passed.map(|node| (node.position, node.extent)))
            .collect();
        seen.sort_unstable_by_key(|&(position, extent)| (position, std::cmp::Reverse(extent)));
        seen.dedup_by_key(|(position, _)| *position);
        let mut border = DomainBorder { end, ..DomainBorder::default() };
        let first = lu.columns[lu.trunk()].start;
        for (position, extent) in seen {
            let row = lu.columns[position].start - first;
            border.nodes.push(BorderNode { position, row, at: border.size, extent });
            border.size += extent;
        }
        for k in columns {
            let list = outside(k);
            if !list.is_empty() {
                border.columns.push([k as u32, border.places.len() as u32]);
            }
            for neighbour in list {
                let own = border.nodes.partition_point(|n| n.position < neighbour.position as usize);
                border.places.push(border.nodes[own].at as u32);
            }
        }
        for row in &border.nodes {
            for column in &border.nodes {
                // where a sub-domain falls apart, nodes of different pieces of it may have nothing to do with each other
                let place = lu.locate(order[row.position], order[column.position]);
                border.targets.push(place.map(|place| BlockTarget {
                    at: place.at,
                    by_row: place.by_row as u32,
                    by_column: place.by_column as u32,
                }));
            }
        }
        border
    }

    /// Adds a sub-domain's part of the matrix to the trunk, whose values begin at `base`.
    pub(super) fn add_complement<T: PivotScalar>(&self, part: &[T], base: usize, trunk: &mut [T]) {
        let mut targets = self.targets.iter();
        for row in &self.nodes {
            for (column, target) in self.nodes.iter().zip(&mut targets) {
                let Some(target) = target else { continue };
                for i in 0..row.extent {
                    for j in 0..column.extent {
                        let x = part[(row.at + i) * self.size + column.at + j];
                        // two nodes may be coupled with less of each other than the branch sees of them
                        if x != T::ZERO {
                            let [by_row, by_column] = [target.by_row, target.by_column].map(|by| by as usize);
                            let at = target.at - base + i * by_row + j * by_column;
                            trunk[at] = trunk[at].plus(x);
                        }
                    }
                }
            }
        }
    }

    /// Calls for each block of a column and a node of the border, with the column, the node among those of the border, its
    /// extent, and where the transposed block of L is: its first number and the length of its rows.
    pub(super) fn each_coupling(&self, lu: &BlockLu, mut what: impl FnMut(usize, usize, &Neighbour, usize)) {
        for &[k, first] in &self.columns {
            let (list, inside) = lu.reach(k as usize, self.end);
            for (neighbour, &at) in list[inside..].iter().zip(&self.places[first as usize..]) {
                let node = self.nodes.partition_point(|node| node.at < at as usize);
                let Some(panel) = lu.panel_of(&lu.columns[k as usize]) else {
                    what(k as usize, node, neighbour, neighbour.extent as usize);
                    continue;
                };
                for column in panel.columns.clone() {
                    let rows = lu.columns[column].start - panel.start;
                    let lower = neighbour.lower + rows * panel.reach;
                    what(column, node, &Neighbour { lower, ..*neighbour }, panel.reach);
                }
            }
        }
    }

    /// Rows of the trunk by unknowns of the border.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.iter().flat_map(|node| node.row..node.row + node.extent)
    }
}

/// Subtracts from a square matrix over the border what its sub-domain, whose factored values begin at `base`, makes of it.
#[inline(always)]
pub(super) fn complement<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    border: &DomainBorder,
    (values, base): (&[T], usize),
    out: &mut [T],
) {
    for &[k, first] in &border.columns {
        let PivotBlock { size, .. } = lu.columns[k as usize];
        if let Some(panel) = lu.panel_of(&lu.columns[k as usize]) {
            complement_panel(lanes, lu, panel, (border, first as usize), (values, base), out);
            continue;
        }
        let (list, inside) = lu.reach(k as usize, border.end);
        let places = &border.places[first as usize..];
        for (other, &row) in list[inside..].iter().zip(places) {
            let rows = other.extent as usize;
            let lower = &values[other.lower - base..][..size * rows];
            for (column, &at) in list[inside..].iter().zip(places) {
                let n = column.extent as usize;
                let both = (lower, &values[column.upper - base..][..size * n]);
                let target = &mut out[row as usize * border.size + at as usize..];
                of_length!(n, update, update_any, (lanes, rows, both, target, (border.size, 1)));
            }
        }
    }
}

/// The same for a right side: `x` has the unknowns of the sub-domain, `out` those of the border.
#[inline(always)]
pub(super) fn forward<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    border: &DomainBorder,
    with: &BlockFactor<T>,
    (x, base): (&[T], usize),
    out: &mut [T],
) {
    for &[k, first] in &border.columns {
        let column = &lu.columns[k as usize];
        if let Some(panel) = lu.panel_of(column) {
            let own = &x[column.start - base..][..panel.width];
            forward_panel_border(lanes, lu, panel, (border, first as usize), with, own, out);
            continue;
        }
        let own = &x[column.start - base..][..column.size];
        let (list, inside) = lu.reach(k as usize, border.end);
        for (neighbour, &at) in list[inside..].iter().zip(&border.places[first as usize..]) {
            let n = neighbour.extent as usize;
            let block = &with.values[neighbour.lower..][..column.size * n];
            let to = &mut out[at as usize..];
            of_length!(n, spread, spread_any, (lanes, block, own, to));
        }
    }
}

/// The same for four right sides at a time.
#[inline(always)]
pub(super) fn forward_many<L: Lanes>(
    lanes: L,
    lu: &BlockLu,
    border: &DomainBorder,
    with: &BlockFactor<f64>,
    (x, base): (&[FourWide], usize),
    out: &mut [FourWide],
) {
    for &[k, first] in &border.columns {
        let column = &lu.columns[k as usize];
        if let Some(panel) = lu.panel_of(column) {
            let own = &x[column.start - base..][..panel.width];
            forward_panel_border(lanes, lu, panel, (border, first as usize), with, own, out);
            continue;
        }
        let own = &x[column.start - base..][..column.size];
        let (list, inside) = lu.reach(k as usize, border.end);
        for (neighbour, &at) in list[inside..].iter().zip(&border.places[first as usize..]) {
            let n = neighbour.extent as usize;
            let block = &with.values[neighbour.lower..][..column.size * n];
            many::take_away(lanes, n, block, own, &mut out[at as usize..][..n]);
        }
    }
}
