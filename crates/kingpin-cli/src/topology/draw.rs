//! The reduced matrix before and after ordering, with its elimination tree.

use super::survey::Survey;
use super::svg::{Ink, Page, Type, width_of};
use super::tree::{Drawn, MOST_NODES};
use crate::words::{count, many, names};
use kingpin::topology::{JointGraph, Permutation, Split, Symbolic};
use std::collections::HashSet;

/// Widest matrix, in pixels.
const SIDE: f64 = 620.0;
/// Largest block.
const CELL: f64 = 22.0;
/// Smallest block that has room for a name beside it.
const NAMED: f64 = 8.0;
/// Blocks of a factor up to which it is drawn.
const MOST_BLOCKS: u64 = 4_000_000;
/// Distance of everything from everything else.
const GAP: f64 = 24.0;
/// Longest name, in letters.
const LETTERS: usize = 28;

/// A matrix to be drawn: blocks by place, lower triangle.
struct Matrix {
    joints: usize,
    /// Name and number of equations of each row.
    rows: Vec<(String, String)>,
    nonzero: Vec<(usize, usize)>,
    fill: Vec<(usize, usize)>,
    symbolic: Symbolic,
    caption: [String; 2],
}

/// The drawing as the text of a file, or why there is none.
pub fn drawing(survey: &Survey) -> Result<String, String> {
    let plan = &survey.plan;
    let given = Permutation::identity(survey.graph.joints());
    let before = Matrix::new(survey, None, &given, "As given")?;
    let graph = plan.graph(&survey.graph);
    // the same elimination with subtrees together, so that the tree can stand beside the matrix
    let tree = kingpin::topology::EliminationTree::new(graph, &survey.order);
    let order = tree.postorder().iter().map(|&place| survey.order.order()[place]).collect();
    let order = Permutation::new(order).map_err(|error| error.to_string())?;
    let after = Matrix::new(survey, plan.split.as_ref(), &order, "As eliminated")?;
    let mut page = Page::default();
    let title = format!("{}: reduced matrix, one row per joint", survey.ready.model().name);
    page.text(GAP, GAP + 12.0, &title, Type { bold: true, ..Type::of(17.0) });
    let top = 2.0 * GAP + 64.0;
    let (mut right, mut bottom) = (GAP, top);
    for (matrix, with_tree) in [(&before, false), (&after, true)] {
        let (x, y) = matrix.draw(&mut page, right + if with_tree { GAP } else { 0.0 }, top, with_tree);
        (right, bottom) = (x + GAP, y.max(bottom));
    }
    right = legend(&mut page, GAP, bottom + GAP).max(right).max(GAP + width_of(&title, 17.0));
    Ok(page.finish(right, bottom + 3.0 * GAP, &title))
}

impl Matrix {
    fn new(
        survey: &Survey,
        split: Option<&Split>,
        order: &Permutation,
        what: &str,
    ) -> Result<Matrix, String> {
        let graph = split.map_or(&survey.graph, Split::graph);
        let metrics = kingpin::topology::Metrics::new(graph, order);
        if metrics.counts.inversions > MOST_BLOCKS {
            let blocks = count(metrics.counts.inversions as usize);
            return Err(format!("its matrix has {blocks} blocks, too many to draw"));
        }
        let symbolic = Symbolic::new(graph, order);
        let pairs = coupled(graph, order);
        let joints = graph.joints();
        let (mut nonzero, mut fill) = (Vec::new(), Vec::new());
        for column in 0..joints {
            for &row in symbolic.columns.row(column) {
                if pairs.contains(&(row, column)) { &mut nonzero } else { &mut fill }.push((row, column));
            }
        }
        let row = |&joint: &usize| (shortened(&survey.joint_name(split, joint)), count(graph.size(joint)));
        let mut heading = what.to_string();
        if let Some(split) = split {
            let of = super::survey::split_bodies(survey.ready, split);
            let bodies: Vec<String> = of.iter().map(|(name, _)| name.replace('`', "")).collect();
            heading += &format!(", {} split", names(&bodies).replace('`', ""));
        }
        let figures = format!(
            "{}, fill {}, {} multiply-adds, {}",
            many(joints, "joint"),
            count(metrics.counts.fill as usize),
            count(metrics.scalar_work as usize),
            many(metrics.tree_height, "level"),
        );
        Ok(Matrix {
            joints,
            rows: order.order().iter().map(row).collect(),
            nonzero,
            fill,
            symbolic,
            caption: [heading, figures],
        })
    }

    /// Draws the matrix with its upper left corner at a place; returns the lower right corner of everything.
    fn draw(&self, page: &mut Page, left: f64, top: f64, with_tree: bool) -> (f64, f64) {
        let cell = (SIDE / self.joints.max(1) as f64).min(CELL);
        let (side, letters) = (cell * self.joints as f64, (0.62 * cell).min(11.0));
        let named = cell >= NAMED;
        // room for the names left of the matrix
        let widest = |of: fn(&(String, String)) -> &String| {
            self.rows.iter().map(|row| width_of(of(row), letters)).fold(0.0, f64::max)
        };
        let sizes = widest(|row| &row.1) + 0.7 * letters;
        let x = left + if named { widest(|row| &row.0) + sizes + 6.0 } else { 0.0 };
        page.text(left, top - 40.0, &self.caption[0], Type { bold: true, ..Type::of(13.0) });
        page.text(left, top - 23.0, &self.caption[1], Type { faint: true, ..Type::of(11.0) });
        page.frame(Ink::Frame, x, top, side, side);
        let inks = [(Ink::Nonzero, &self.nonzero), (Ink::Fill, &self.fill)];
        for (ink, blocks) in inks {
            cells(page, ink, (x, top), cell, blocks.iter().flat_map(|&(r, c)| [(r, c), (c, r)]));
        }
        cells(page, Ink::Diagonal, (x, top), cell, (0..self.joints).map(|k| (k, k)));
        let set = Type { anchor: "end", ..Type::of(letters) };
        for (k, (name, size)) in self.rows.iter().enumerate().filter(|_| named) {
            let baseline = top + (k as f64 + 0.5) * cell + 0.36 * letters;
            page.text(x - 6.0 - sizes, baseline, name, set);
            page.text(x - 6.0, baseline, size, Type { faint: true, ..set });
        }
        let mut right = (x + side).max(left + width_of(&self.caption[1], 11.0));
        if with_tree && self.joints <= MOST_NODES {
            let tree = Drawn::new(&self.symbolic.tree);
            let beside = x + side + 12.0;
            tree.draw(page, beside, top, cell);
            tree.label_levels(page, beside, top - 5.0);
            right = right.max(beside + tree.width());
        }
        (right, top + side)
    }
}

/// Pairs of places whose joints share a body, the later one first.
fn coupled(graph: &JointGraph, order: &Permutation) -> HashSet<(usize, usize)> {
    let position = order.position();
    let mut pairs = HashSet::with_capacity(graph.edges() as usize);
    for body in 0..graph.bodies() {
        let joints = graph.joints_on(body);
        for (k, &i) in joints.iter().enumerate() {
            pairs.extend(
                joints[..k].iter().map(|&j| (position[i].max(position[j]), position[i].min(position[j]))),
            );
        }
    }
    pairs
}

/// Blocks as squares. Where they are smaller than a pixel, one square stands for several; where they touch, they
/// are drawn in one stroke.
fn cells(page: &mut Page, ink: Ink, at: (f64, f64), cell: f64, blocks: impl Iterator<Item = (usize, usize)>) {
    let bin = (1.0 / cell).ceil().max(1.0) as usize;
    let side = cell * bin as f64;
    let corner = |(r, c): (usize, usize), gap: f64| {
        (at.0 + c as f64 * side + 0.5 * gap, at.1 + r as f64 * side + 0.5 * gap)
    };
    if side > 6.0 {
        page.bars(ink, side - 1.0, blocks.map(|place| (corner(place, 1.0), side - 1.0)));
        return;
    }
    let mut places: Vec<(usize, usize)> = blocks.map(|(r, c)| (r / bin, c / bin)).collect();
    places.sort_unstable();
    places.dedup();
    let runs = places.chunk_by(|a, b| a.0 == b.0 && a.1 + 1 == b.1);
    page.bars(ink, side, runs.map(|run| (corner(run[0], 0.0), side * run.len() as f64)));
}

fn legend(page: &mut Page, left: f64, top: f64) -> f64 {
    let mut x = left;
    let inks = [
        (Ink::Diagonal, "joint"),
        (Ink::Nonzero, "pair of joints that share a body"),
        (Ink::Fill, "fill: created by elimination"),
    ];
    for (ink, text) in inks {
        page.bars(ink, 11.0, std::iter::once(((x, top), 11.0)));
        page.text(x + 17.0, top + 9.5, text, Type::of(11.0));
        x += 17.0 + width_of(text, 11.0) + GAP;
    }
    let text = "Next to each name: its number of equations. Next to the matrix: the elimination tree. A joint \
         is eliminated after its children; joints of one level can be eliminated in parallel.";
    page.text(left, top + 28.0, text, Type { faint: true, ..Type::of(10.0) });
    x.max(left + width_of(text, 10.0))
}

/// A name that fits beside a matrix.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        return name.into();
    }
    name.chars().take(LETTERS - 1).chain(['…']).collect()
}
