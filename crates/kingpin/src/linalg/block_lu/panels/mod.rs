//! Columns with many neighbours, in panels: dense matrices of columns that follow each other and reach the same rows.
//!
//! A column with n neighbours has n^2 products for columns behind it. Where n is small each has its target in a list; in
//! panels no list is kept, and products are those of dense matrices, with one place for each run of rows that follow each
//! other. Pivots stay in the diagonal blocks of the nodes, as they do in single columns.
//!
//! A panel of width w that reaches r rows behind it has its diagonal block, w by w, then the transposed block of L and the
//! block of U, w by r each, all by rows. Of the diagonal block, blocks of two nodes are those of L below and of U above.

mod inner;
mod layout;
mod product;
mod solution;
mod update;

pub(super) use inner::factor_panel;
pub(super) use layout::{are_many, children_first, gathered};
pub(super) use product::{TILE_COLUMNS, TILE_ROWS, Tile, minus_products_complex, minus_products_wide};
pub(super) use solution::{backward_panel, forward_panel, forward_panel_border, forward_panel_outside};
pub(super) use update::{complement_panel, update_panel};

use super::{BlockLu, BlockPlace, Neighbour, PivotBlock};
use std::ops::Range;

/// No panel: a single column.
pub(super) const SINGLE: u32 = u32::MAX;

/// A panel.
#[derive(Clone, Debug)]
pub(crate) struct PivotPanel {
    /// Its columns in the order of elimination.
    pub columns: Range<usize>,
    /// Where its values begin, and how many rows it has.
    pub at: usize,
    pub width: usize,
    /// First row.
    pub start: usize,
    /// Rows that it reaches behind it, and their runs in the list of all.
    pub reach: usize,
    pub runs: Range<usize>,
}

/// Rows of one panel that another reaches and that follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowRun {
    /// The first, and how many.
    pub row: usize,
    pub len: u32,
    /// Place of the first among all that are reached.
    pub at: u32,
    /// The panel that has them.
    pub panel: u32,
}

impl RowRun {
    /// Places among all rows that are reached.
    pub fn places(&self) -> Range<usize> {
        self.at as usize..(self.at + self.len) as usize
    }
}

impl PivotPanel {
    /// Where the transposed block of L and the block of U begin, behind the first value of the panel, and where it ends.
    pub fn parts(&self) -> [usize; 3] {
        let d = self.width * self.width;
        [d, d + self.width * self.reach, d + 2 * self.width * self.reach]
    }
}

impl BlockLu {
    /// The panel of a column, if it is in one.
    #[inline(always)]
    pub(super) fn panel_of(&self, column: &PivotBlock) -> Option<&PivotPanel> {
        if column.panel == SINGLE { None } else { self.panels.get(column.panel as usize) }
    }

    /// Numbers in a row of the diagonal block of a column.
    pub(super) fn row_length(&self, column: &PivotBlock) -> usize {
        self.panel_of(column).map_or(column.size, |panel| panel.width)
    }

    /// How many runs of a panel come before the column `end`.
    pub(super) fn runs_before(&self, panel: &PivotPanel, end: usize) -> usize {
        let row = self.columns[end].start;
        self.runs[panel.runs.clone()].partition_point(|run| run.row < row)
    }

    /// As [`locate`](Self::locate), for places in the order of elimination of which the first is in a panel.
    pub(super) fn locate_in_panel(
        &self,
        panel: &PivotPanel,
        row: usize,
        column: usize,
    ) -> Option<BlockPlace> {
        let (first, second) = (row.min(column), row.max(column));
        let inside = |k: usize| self.columns[k].start - panel.start;
        if second < panel.columns.end {
            let at = panel.at + inside(row) * panel.width + inside(column);
            return Some(BlockPlace { at, by_row: panel.width, by_column: 1 });
        }
        let place = self.place_of_row(panel, self.columns[second].start)?;
        let ([lower, upper, _], length) = (panel.parts(), panel.reach);
        let at = panel.at + inside(first) * length + place;
        Some(match row > column {
            true => BlockPlace { at: at + lower, by_row: 1, by_column: length },
            false => BlockPlace { at: at + upper, by_row: length, by_column: 1 },
        })
    }

    /// Place of a row among those that a panel reaches.
    pub(super) fn place_of_row(&self, panel: &PivotPanel, row: usize) -> Option<usize> {
        let runs = &self.runs[panel.runs.clone()];
        let run = &runs[runs.partition_point(|run| run.row <= row).checked_sub(1)?];
        (row < run.row + run.len as usize).then(|| run.at as usize + row - run.row)
    }

    /// Neighbours of a panel from one on with their first places elsewhere, put together where both follow each other:
    /// place among the rows that are reached, place elsewhere, rows.
    pub(super) fn joined<'a>(
        &self,
        panel: &PivotPanel,
        list: &'a [Neighbour],
        places: &'a [u32],
    ) -> impl Iterator<Item = [usize; 3]> + 'a {
        let upper = panel.at + panel.parts()[1];
        let mut each = list
            .iter()
            .zip(places)
            .map(move |(n, &place)| [n.upper - upper, place as usize, n.extent as usize])
            .peekable();
        std::iter::from_fn(move || {
            let [at, place, mut rows] = each.next()?;
            while let Some([_, _, more]) = each.next_if(|next| next[..2] == [at + rows, place + rows]) {
                rows += more;
            }
            Some([at, place, rows])
        })
    }
}
