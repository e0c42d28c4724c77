//! The constraint metric put together and factored by blocks: tridiagonal for a chain of substructures, O(interfaces).

use super::boundary::Batches;
use super::error::RangeError;
use super::small::{UPRIGHT, turned};
use super::structure::{FRAME, ROWS, Structure};
use kingpin::linalg::{BlockCholesky, BlockPattern, Entry};
use kingpin::topology::{JointGraph, fold_chains, minimum_degree};

/// Part of the rows that a pivot keeps at least.
const THRESHOLD: f64 = 1e-13;

/// The factor of the metric.
#[derive(Debug, Clone)]
pub(crate) struct Direct {
    cholesky: BlockCholesky,
    values: Vec<f64>,
    /// What parts add to pairs of interfaces.
    terms: Vec<Term>,
    /// Blocks that alike parts have, the last few.
    known: Vec<Known>,
}

/// Blocks that are remembered.
const REMEMBERED: usize = 8;

/// The block of a kind between two ports, in the axes of a part.
#[derive(Debug, Clone)]
struct Known {
    kind: usize,
    ports: [usize; 2],
    attitude: [f64; 9],
    block: [f64; ROWS * ROWS],
}

/// A part between two of its ports, rows and columns of the block where it goes.
#[derive(Debug, Clone, Copy)]
struct Term {
    part: usize,
    ports: [usize; 2],
    sign: f64,
    entry: Entry,
    /// Only the lower triangle.
    diagonal: bool,
}

impl Direct {
    /// Symbolic work. O(interfaces) for chains and trees.
    pub fn new(structure: &Structure) -> Direct {
        let held = ports(structure);
        let pairs: Vec<(usize, usize)> =
            held.iter().flat_map(|own| own.iter().flat_map(|a| own.iter().map(|b| (a.0, b.0)))).collect();
        let pattern = BlockPattern::new(vec![ROWS; structure.interfaces.len()], &pairs);
        let cholesky = BlockCholesky::analyse(&pattern, &order(structure));
        let mut terms = Vec::new();
        for (part, own) in held.iter().enumerate() {
            for (k, &(i, port, sign)) in own.iter().enumerate() {
                for &(j, other, against) in &own[..=k] {
                    // an interface between two ports of one part has both orders of its block
                    let (block, entry) = (i == j && port != other, cholesky.locate(i, j));
                    let term =
                        |ports, entry, diagonal| Term { part, ports, sign: sign * against, entry, diagonal };
                    let Some(entry) = entry else { continue };
                    terms.push(term([port, other], entry, i == j));
                    if block {
                        terms.push(term([other, port], entry, true));
                    }
                }
            }
        }
        let known = Vec::with_capacity(REMEMBERED);
        Direct { values: vec![0.0; cholesky.len()], cholesky, terms, known }
    }

    /// The metric of these factors, put together and factored.
    pub fn factor(&mut self, batches: &Batches) -> Result<(), RangeError> {
        self.values.fill(0.0);
        let structure = batches.structure;
        self.known.clear();
        let mut next = 0;
        for term in &self.terms {
            let (kind, attitude) = (structure.parts[term.part].kind, attitude(batches, term.part));
            let same = |k: &Known| k.kind == kind && k.ports == term.ports && k.attitude == attitude;
            let place = self.known.iter().position(same).unwrap_or_else(|| {
                let known =
                    Known { kind, ports: term.ports, attitude, block: block(batches, term, &attitude) };
                if self.known.len() < REMEMBERED {
                    self.known.push(known);
                    return self.known.len() - 1;
                }
                next = (next + 1) % REMEMBERED;
                self.known[next] = known;
                next
            });
            let block = &self.known[place].block;
            for (k, value) in block.iter().enumerate() {
                let (row, column) = (k / ROWS, k % ROWS);
                if !term.diagonal || row >= column {
                    self.values[term.entry.index(row, column)] += term.sign * value;
                }
            }
        }
        self.cholesky.factor(&mut self.values, THRESHOLD).map_err(|pivot| RangeError::Singular {
            interface: structure.interfaces[pivot.block].name.clone(),
        })
    }

    /// Solves the metric.
    pub fn solve(&self, right: &[f64], lam: &mut [f64]) -> (usize, f64) {
        let n = self.cholesky.rows();
        lam[..n].copy_from_slice(&right[..n]);
        self.cholesky.solve(&self.values, &mut lam[..n]);
        (0, 0.0)
    }

    pub fn bytes(&self) -> usize {
        // a schedule has about a hundred bytes per block
        8 * self.values.len() + 100 * self.cholesky.blocks() + size_of::<Term>() * self.terms.len()
    }
}

/// The compliance of a part between two ports, in global axes.
fn block(batches: &Batches, term: &Term, attitude: &[f64; 9]) -> [f64; ROWS * ROWS] {
    let mut block = std::array::from_fn(|k| {
        let (row, column) = (term.ports[0] * ROWS + k / ROWS, term.ports[1] * ROWS + k % ROWS);
        batches.factors.yields(batches.structure, term.part, row, column)
    });
    if *attitude != UPRIGHT {
        turned(attitude, &mut block, FRAME);
    }
    block
}

/// Interfaces, ports and signs of each part.
pub(crate) fn ports(structure: &Structure) -> Vec<Vec<(usize, usize, f64)>> {
    let mut held = vec![Vec::new(); structure.parts.len()];
    for (j, sides) in structure.sides.iter().enumerate() {
        for side in sides.iter().filter(|side| side.sign != 0.0) {
            held[side.part].push((j, side.port, side.sign));
        }
    }
    held
}

/// The order in which interfaces are eliminated: from the ends of chains inwards, which fills nothing.
pub(crate) fn order(structure: &Structure) -> Vec<usize> {
    let ends = structure.interfaces.iter().map(|i| (Some(i.first.0), i.second.map(|second| second.0), ROWS));
    match JointGraph::from_pairs(structure.parts.len(), ends) {
        Ok(graph) => fold_chains(&graph, &minimum_degree(&graph)).order().to_vec(),
        // no interface names a part that does not exist
        Err(_) => (0..structure.interfaces.len()).collect(),
    }
}

/// Axes of a part, as they are now.
pub(crate) fn attitude(batches: &Batches, part: usize) -> [f64; 9] {
    let (batch, lane) = batches.structure.home[part];
    batches.attitudes.map_or(UPRIGHT, |all| all[batch].map(|row| row[lane]))
}
