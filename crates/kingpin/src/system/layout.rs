//! Numbering of equations and of the dense blocks that matrices are stored in.

use super::Nodes;
use crate::element::beam::BeamElement;
use crate::element::cell::CellElement;
use crate::element::equation::{Equation, EquationForm, Inertance, Term};
use crate::element::floating::FloatingBody;
use crate::model::finding::Subject;
use crate::spatial::Coords;
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
pub struct EquationGroup {
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
    /// Place of its first number in velocities.
    pub at: usize,
    /// Place of its first number in coordinates.
    pub at_q: usize,
    /// First velocity of the body.
    pub v: usize,
    /// Velocities of the body: its columns.
    pub nv: usize,
    /// Coordinates of the body: its columns in coordinates.
    pub nq: usize,
}

impl Block {
    /// The numbers of a row, in velocities.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Range<usize> {
        let first = self.at + row * self.nv;
        first..first + self.nv
    }

    /// The numbers of a row, in coordinates.
    #[inline(always)]
    pub fn row_q(&self, row: usize) -> Range<usize> {
        let first = self.at_q + row * self.nq;
        first..first + self.nq
    }

    /// All its numbers, in velocities.
    #[inline(always)]
    pub fn numbers(&self) -> Range<usize> {
        self.at..self.at + self.rows * self.nv
    }

    /// The velocities of its body.
    #[inline(always)]
    pub fn columns(&self) -> Range<usize> {
        self.v..self.v + self.nv
    }
}

/// A block of an n by n matrix: what a body feels of another, or of itself.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The bodies of its rows and of its columns.
    pub bodies: [usize; 2],
    /// Place of its first number in coordinates.
    pub at_q: usize,
    /// Place of its first number in velocities.
    pub at: usize,
    /// Rows and columns in coordinates.
    pub nq: [usize; 2],
    /// Rows and columns in velocities.
    pub nv: [usize; 2],
    /// First velocities of the two bodies.
    pub v: [usize; 2],
}

impl Pair {
    /// Adds `f(i, j)` over the coordinates that its bodies have. Loops of known length are the fast ones.
    #[inline(always)]
    pub(super) fn add<C: Coords>(&self, to: &mut [f64], f: impl Fn(usize, usize) -> f64) {
        let [rows, columns] = self.nq;
        let to = &mut to[self.at_q..][..rows * columns];
        if rows == C::NQ && columns == C::NQ {
            for i in 0..C::NQ {
                for j in 0..C::NQ {
                    to[i * C::NQ + j] += f(i, j);
                }
            }
        } else {
            for i in 0..rows {
                for j in 0..columns {
                    to[i * columns + j] += f(i, j);
                }
            }
        }
    }
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
    pub groups: Vec<EquationGroup>,
    /// All equations, group after group.
    pub equations: Vec<Numbered>,
    /// Jacobian blocks, group after group.
    pub blocks: Vec<Block>,
    /// Numbers of all blocks together, in velocities and in coordinates.
    pub numbers: usize,
    /// The same in coordinates.
    pub numbers_q: usize,
    /// Pairs of bodies that an n by n matrix has a block for; the diagonal ones come first, in order.
    pub pairs: Vec<Pair>,
    /// Numbers of all pairs together, in velocities.
    pub pair_numbers: usize,
    /// The same in coordinates.
    pub pair_numbers_q: usize,
    /// Pair blocks of each group.
    pub group_pairs: Vec<PairMap>,
    /// Pair blocks of each force term: rows are the bodies acted on, columns those depended on.
    pub term_pairs: Vec<PairMap>,
    /// Pair blocks of each inertance.
    pub inertance_pairs: Vec<PairMap>,
    /// Pair blocks of each flexible body: its frame, then its amplitudes.
    pub floating_pairs: Vec<PairMap>,
    /// Pair blocks of each element of a beam.
    pub beam_pairs: Vec<PairMap>,
    /// Where the nodes of each element of a beam begin among those of all, with the end.
    pub beam_starts: Vec<usize>,
    /// The nodes of elements of beams that each body is, in the order of the elements; and where each body starts in
    /// that list.
    pub beamed: (Vec<u32>, Vec<u32>),
    /// The same three of cells.
    pub cell_pairs: Vec<PairMap>,
    pub cell_starts: Vec<usize>,
    pub celled: (Vec<u32>, Vec<u32>),
    /// What acts on each body, as twice the term plus the side of it, in the order of the terms; and where each body
    /// starts in that list.
    pub acting: (Vec<u32>, Vec<u32>),
    /// Which of its inputs each term acts along; `NONE` for others.
    pub along: Vec<u8>,
}

impl Layout {
    /// Lays out groups of equations and terms over nodes; their number stands for ground.
    pub fn new(
        nodes: &Nodes,
        groups: Vec<(Subject, String, Vec<Equation>)>,
        terms: &[Term],
        inertances: &[Inertance],
        (beams, cells, floating): (&[BeamElement], &[CellElement], &[FloatingBody]),
    ) -> Layout {
        let mut layout = Layout::default();
        let mut pairs = Pairs { nodes, index: HashMap::new(), list: Vec::new(), ends: [0; 2] };
        (0..nodes.len()).for_each(|node| pairs.push([node, node]));
        for (subject, name, equations) in groups {
            layout.add_group(nodes, subject, name, equations);
        }
        for group in &layout.groups {
            let moving = layout.blocks[group.blocks.clone()].iter().map(|b| b.body).collect();
            layout.group_pairs.push(pairs.map(moving));
        }
        for term in terms {
            let moving = distinct(term.bodies(), nodes.len());
            layout.term_pairs.push(pairs.map(moving));
        }
        for inertance in inertances {
            let moving = distinct(inertance.basic.bodies().to_vec(), nodes.len());
            layout.inertance_pairs.push(pairs.map(moving));
        }
        for beam in beams {
            layout.beam_pairs.push(pairs.map(beam.bodies.clone()));
        }
        for cell in cells {
            layout.cell_pairs.push(pairs.map(cell.bodies.clone()));
        }
        for body in floating {
            let own = std::iter::once(body.frame).chain(body.amplitudes.iter().copied());
            layout.floating_pairs.push(pairs.map(own.collect()));
        }
        let held = beams.iter().map(|beam| &beam.bodies[..]);
        (layout.beam_starts, layout.beamed) = super::beam_elements::places(held, nodes.len());
        let held = cells.iter().map(|cell| &cell.bodies[..]);
        (layout.cell_starts, layout.celled) = super::beam_elements::places(held, nodes.len());
        layout.acting = super::forces::acting(terms, nodes.len());
        layout.along = super::forces::along(terms);
        (layout.pairs, [layout.pair_numbers_q, layout.pair_numbers]) = (pairs.list, pairs.ends);
        layout
    }

    fn add_group(&mut self, nodes: &Nodes, subject: Subject, name: String, equations: Vec<Equation>) {
        let (first_row, first_equation, first_block) = (self.rows, self.equations.len(), self.blocks.len());
        let moving = distinct(equations.iter().flat_map(Equation::bodies).collect(), nodes.len());
        let slot = |body: usize| moving.iter().position(|&b| b == body).map_or(NONE, |k| k as u8);
        for equation in equations {
            let mut further = Vec::new();
            let slots = match &equation.form {
                EquationForm::Coincide(c) => c.bodies.map(slot),
                EquationForm::Single(b, _) | EquationForm::Held(b, _) => b.bodies().map(slot),
                EquationForm::Sum(sum, _) => {
                    let mut all = sum.iter().map(|(_, b)| b.bodies().map(slot));
                    let first = all.next().unwrap_or([NONE; 2]);
                    further.extend(all);
                    first
                }
            };
            let row = self.rows - first_row;
            self.rows += equation.rows(nodes.dimensions());
            self.equations.push(Numbered { equation, slots, further, row });
        }
        let rows = self.rows - first_row;
        for &body in &moving {
            let (group, node) = (self.groups.len(), &nodes[body]);
            let (at, at_q, v, nv, nq) = (self.numbers, self.numbers_q, node.v, node.nv, node.nq);
            self.blocks.push(Block { group, body, rows, at, at_q, v, nv, nq });
            self.numbers += rows * nv;
            self.numbers_q += rows * nq;
        }
        self.groups.push(EquationGroup {
            subject,
            name,
            rows: first_row..self.rows,
            equations: first_equation..self.equations.len(),
            blocks: first_block..self.blocks.len(),
        });
    }

    /// Where the rows and the numbers of Phi_v of a group begin, or end behind the last one.
    pub fn starts(&self, group: usize) -> [usize; 2] {
        let Some(own) = self.groups.get(group) else { return [self.rows, self.numbers] };
        let number = self.blocks.get(own.blocks.start).map_or(self.numbers, |block| block.at);
        [own.rows.start, number]
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

/// The pairs found so far.
struct Pairs<'a> {
    nodes: &'a Nodes,
    index: HashMap<(usize, usize), u32>,
    list: Vec<Pair>,
    /// Numbers of all of them, in coordinates and in velocities.
    ends: [usize; 2],
}

impl Pairs<'_> {
    fn push(&mut self, bodies: [usize; 2]) {
        let both = bodies.map(|b| &self.nodes[b]);
        let (nq, nv, v) = (both.map(|n| n.nq), both.map(|n| n.nv), both.map(|n| n.v));
        let [at_q, at] = self.ends;
        self.list.push(Pair { bodies, at_q, at, nq, nv, v });
        self.ends = [at_q + nq[0] * nq[1], at + nv[0] * nv[1]];
    }

    /// The pairs of some bodies; those that are new get their place.
    fn map(&mut self, bodies: Vec<usize>) -> PairMap {
        let mut map = Vec::with_capacity(bodies.len() * bodies.len());
        for &a in &bodies {
            for &b in &bodies {
                // the diagonal ones come first, in order
                let known = if a == b { Some(a as u32) } else { self.index.get(&(a, b)).copied() };
                let place = known.unwrap_or(self.list.len() as u32);
                if known.is_none() {
                    self.index.insert((a, b), place);
                    self.push([a, b]);
                }
                map.push(place);
            }
        }
        PairMap { bodies, pairs: map }
    }
}
