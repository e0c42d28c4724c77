//! Numbering of equations and of the dense blocks that matrices are stored in.

use crate::element::equation::{Equation, Form, Term};
use crate::model::finding::Subject;
use std::collections::HashMap;
use std::ops::Range;

/// Marks ground among the blocks of an equation.
pub const NONE: u8 = u8::MAX;

/// A constraint equation with the blocks its basic functions write to.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// The equation.
    pub equation: Equation,
    /// The place of the two bodies of its (first) basic function among the bodies of the group, or [`NONE`].
    pub slots: [u8; 2],
    /// The same for the further terms of a sum.
    pub further: Vec<[u8; 2]>,
    /// First row, counted in the group.
    pub row: usize,
}

impl Numbered {
    /// The slots of all basic functions, in their order.
    pub fn all_slots(&self) -> impl Iterator<Item = [u8; 2]> + '_ {
        std::iter::once(self.slots).chain(self.further.iter().copied())
    }
}

/// The equations of one joint or driver.
#[derive(Clone, Debug)]
pub struct Group {
    /// Where it came from.
    pub subject: Subject,
    /// Its name.
    pub name: String,
    /// Its rows among all joint equations.
    pub rows: Range<usize>,
    /// Its equations in the list of all.
    pub equations: Range<usize>,
    /// Its blocks in the list of all, one per body that moves.
    pub blocks: Range<usize>,
}

/// The Jacobian of one group with respect to one body: a dense block, by rows.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The group.
    pub group: usize,
    /// The body.
    pub body: usize,
    /// Rows.
    pub rows: usize,
    /// Rows of all blocks before it: times nv (or nq) this is the place of its first number.
    pub before: usize,
}

/// Where element matrices go in the list of body-pair blocks.
#[derive(Clone, Debug, Default)]
pub struct PairMap {
    /// Bodies of the element that move, in the order of its local matrix.
    pub bodies: Vec<usize>,
    /// Pair block of (a, b), at a * bodies + b.
    pub pairs: Vec<u32>,
}

/// The numbering of a system.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Joint and driver equations in all.
    pub rows: usize,
    /// Groups of equations: joints, then drivers.
    pub groups: Vec<Group>,
    /// All equations, group after group.
    pub equations: Vec<Numbered>,
    /// Jacobian blocks, group after group.
    pub blocks: Vec<Block>,
    /// Rows of all blocks together.
    pub block_rows: usize,
    /// Pairs of bodies that an n by n matrix has a block for; the diagonal ones come first, in order.
    pub pairs: Vec<(usize, usize)>,
    /// Pair blocks of each group.
    pub group_pairs: Vec<PairMap>,
    /// Pair blocks of each force term: rows are the bodies acted on, columns those depended on.
    pub term_pairs: Vec<PairMap>,
}

impl Layout {
    /// Lays out groups of equations and terms over `bodies` bodies; the number of bodies stands for ground.
    pub fn new(
        bodies: usize,
        dimensions: usize,
        groups: Vec<(Subject, String, Vec<Equation>)>,
        terms: &[Term],
    ) -> Layout {
        let mut layout = Layout { pairs: (0..bodies).map(|b| (b, b)).collect(), ..Layout::default() };
        let mut index: HashMap<(usize, usize), u32> = HashMap::new();
        for (subject, name, equations) in groups {
            layout.add_group(bodies, dimensions, subject, name, equations);
        }
        for group in &layout.groups {
            let moving = layout.blocks[group.blocks.clone()].iter().map(|b| b.body).collect();
            layout.group_pairs.push(pair_map(moving, &mut layout.pairs, &mut index));
        }
        for term in terms {
            let moving = distinct(term.bodies(), bodies);
            layout.term_pairs.push(pair_map(moving, &mut layout.pairs, &mut index));
        }
        layout
    }

    fn add_group(
        &mut self,
        ground: usize,
        dimensions: usize,
        subject: Subject,
        name: String,
        equations: Vec<Equation>,
    ) {
        let (first_row, first_equation, first_block) = (self.rows, self.equations.len(), self.blocks.len());
        let moving = distinct(equations.iter().flat_map(Equation::bodies).collect(), ground);
        let slot = |body: usize| moving.iter().position(|&b| b == body).map_or(NONE, |k| k as u8);
        for equation in equations {
            let mut further = Vec::new();
            let slots = match &equation.form {
                Form::Coincide(c) => c.bodies.map(slot),
                Form::Single(b, _) => b.bodies().map(slot),
                Form::Sum(sum, _) => {
                    let mut all = sum.iter().map(|(_, b)| b.bodies().map(slot));
                    let first = all.next().unwrap_or([NONE; 2]);
                    further.extend(all);
                    first
                }
            };
            let row = self.rows - first_row;
            self.rows += equation.rows(dimensions);
            self.equations.push(Numbered { equation, slots, further, row });
        }
        let rows = self.rows - first_row;
        for &body in &moving {
            let group = self.groups.len();
            self.blocks.push(Block { group, body, rows, before: self.block_rows });
            self.block_rows += rows;
        }
        self.groups.push(Group {
            subject,
            name,
            rows: first_row..self.rows,
            equations: first_equation..self.equations.len(),
            blocks: first_block..self.blocks.len(),
        });
    }

    /// The group a row belongs to.
    pub fn group_of(&self, row: usize) -> usize {
        self.groups.partition_point(|g| g.rows.end <= row)
    }
}

/// The bodies that move, each once, in order of appearance.
fn distinct(all: Vec<usize>, ground: usize) -> Vec<usize> {
    let mut list = Vec::with_capacity(2);
    for body in all {
        if body != ground && !list.contains(&body) {
            list.push(body);
        }
    }
    list
}

fn pair_map(
    bodies: Vec<usize>,
    pairs: &mut Vec<(usize, usize)>,
    index: &mut HashMap<(usize, usize), u32>,
) -> PairMap {
    let mut map = Vec::with_capacity(bodies.len() * bodies.len());
    for &a in &bodies {
        for &b in &bodies {
            let place = if a == b {
                a as u32
            } else {
                *index.entry((a, b)).or_insert_with(|| {
                    pairs.push((a, b));
                    (pairs.len() - 1) as u32
                })
            };
            map.push(place);
        }
    }
    PairMap { bodies, pairs: map }
}
