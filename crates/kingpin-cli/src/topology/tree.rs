//! The elimination tree beside a matrix: one node per row, children above and left of their parents.

use super::svg::{Ink, Page, Type};
use kingpin::topology::EliminationTree;

/// Nodes up to which a tree is drawn.
pub const MOST_NODES: usize = 5_000;
/// Width for the levels, in pixels.
const WIDTH: f64 = 280.0;
/// Widest level.
const LEVEL: f64 = 24.0;

/// A tree to be drawn beside the rows of a matrix.
pub struct Drawn<'a> {
    tree: &'a EliminationTree,
    /// The level of each node: all before it that it waits for are below.
    level: Vec<usize>,
    /// Distance of levels.
    step: f64,
}

impl<'a> Drawn<'a> {
    /// Lays out a tree whose nodes come with children before parents and every subtree contiguous.
    pub fn new(tree: &'a EliminationTree) -> Drawn<'a> {
        let mut level = vec![0; tree.parent.len()];
        for (node, parent) in tree.parent.iter().enumerate() {
            if let Some(parent) = *parent {
                level[parent] = level[parent].max(level[node] + 1);
            }
        }
        let levels = level.iter().max().map_or(1, |most| most + 1);
        Drawn { tree, step: (WIDTH / levels as f64).min(LEVEL), level }
    }

    /// The width it takes.
    pub fn width(&self) -> f64 {
        let levels = self.level.iter().max().map_or(0, |most| most + 1);
        self.step * levels as f64
    }

    /// Draws it with its upper left corner at a place, rows so many pixels high.
    pub fn draw(&self, page: &mut Page, left: f64, top: f64, row: f64) {
        let place = |node: usize| {
            (left + (self.level[node] as f64 + 0.5) * self.step, top + (node as f64 + 0.5) * row)
        };
        // along the row of the child, then down to the parent
        let links = self.tree.parent.iter().enumerate().filter_map(|(node, parent)| {
            let (from, to) = (place(node), place((*parent)?));
            Some([from, (to.0, from.1), to])
        });
        page.lines(Ink::Tree, links);
        let radius = (0.28 * row.min(self.step)).min(4.0);
        if radius > 0.6 {
            for node in 0..self.level.len() {
                let (x, y) = place(node);
                page.dot(Ink::Tree, x, y, radius);
            }
        }
    }

    /// The numbers of the levels, above the tree.
    pub fn label_levels(&self, page: &mut Page, left: f64, baseline: f64) {
        let levels = self.level.iter().max().map_or(0, |most| most + 1);
        // every one, or as many round ones as fit
        let room = 6.0 + 6.0 * levels.to_string().len() as f64;
        let fits = |every: &usize| *every as f64 * self.step >= room;
        let round = (0..).flat_map(|power| [1, 2, 5].map(|k| k * 10_usize.pow(power)));
        let every = if fits(&1) { 1 } else { round.take(12).find(fits).unwrap_or(levels) };
        for level in (0..levels).filter(|level| (level + 1).is_multiple_of(every)) {
            let x = left + (level as f64 + 0.5) * self.step;
            let set = Type { anchor: "middle", faint: true, ..Type::of(9.0) };
            page.text(x, baseline, &(level + 1).to_string(), set);
        }
    }
}
