//! Preconditioners that belong to the state at hand: blocks of the reduced matrix, factored without fill.

use super::super::assembler::{Assembler, Weights};
use super::super::elimination::VANISHING;
use super::super::problem::Problem;
use crate::linalg::{BlockPattern, IncompleteCholesky, ZeroPivot};
use crate::topology::{Plan, fold_chains};

/// What stands in for the reduced matrix.
#[derive(Clone, Debug)]
pub(super) enum Blocks {
    /// The blocks of single joints.
    Diagonal(IncompleteCholesky),
    /// All of them along the elimination order, bodies split as for elimination, without what elimination adds.
    All(IncompleteCholesky, Assembler),
}

/// Blocks and their numbers.
#[derive(Clone, Debug)]
pub(super) struct BlockPreconditioner {
    blocks: Blocks,
    values: Vec<f64>,
    /// Residuals of joints, then those of fixed joints between virtual bodies.
    room: Vec<f64>,
}

/// By how much the diagonal is enlarged where dropping fill has made the rest indefinite, in parts of it.
const ENLARGED: [f64; 6] = [0.0, 0.01, 0.03, 0.1, 0.3, 1.0];

impl BlockPreconditioner {
    /// The blocks of single joints.
    pub fn diagonal(problem: &Problem) -> BlockPreconditioner {
        let sizes: Vec<usize> = problem.groups.iter().map(|group| group.len()).collect();
        let order: Vec<usize> = (0..sizes.len()).collect();
        let factor = IncompleteCholesky::analyse(&BlockPattern::new(sizes, &[]), &order);
        Self::of(factor, Blocks::Diagonal)
    }

    /// All blocks along the order of a plan.
    pub fn incomplete(problem: &Problem, plan: &Plan) -> BlockPreconditioner {
        let original = problem.graph();
        let graph = plan.graph(&original);
        let order = fold_chains(graph, &plan.permutation);
        let factor = IncompleteCholesky::analyse(&problem.pattern(graph), order.order());
        let (weights, split) = (Weights::Mass(&problem.inertia), plan.split.as_ref());
        let assembler = Assembler::new(problem, weights, split, factor.len(), &|i, j| factor.locate(i, j));
        Self::of(factor, |factor| Blocks::All(factor, assembler))
    }

    fn of(factor: IncompleteCholesky, blocks: impl FnOnce(IncompleteCholesky) -> Blocks) -> Self {
        let (values, room) = (vec![0.0; factor.len()], vec![0.0; factor.rows()]);
        BlockPreconditioner { blocks: blocks(factor), values, room }
    }

    /// Multiply-adds of one solution.
    pub fn operations(&self) -> usize {
        let (Blocks::Diagonal(factor) | Blocks::All(factor, _)) = &self.blocks;
        factor.operations()[1]
    }

    /// Assembles and factors. No allocation.
    pub fn refactor(&mut self, problem: &Problem, phi_v: &[f64]) -> Result<(), ZeroPivot> {
        let mut failure = None;
        for part in ENLARGED {
            let factor = match &self.blocks {
                Blocks::Diagonal(factor) => {
                    assemble_diagonal(problem, phi_v, factor, &mut self.values);
                    factor
                }
                Blocks::All(factor, assembler) => {
                    assembler.assemble(Weights::Mass(&problem.inertia), phi_v, &mut self.values);
                    factor
                }
            };
            factor.enlarge(&mut self.values, part);
            match factor.factor(&mut self.values, VANISHING) {
                Ok(()) => return Ok(()),
                Err(pivot) => failure = Some(pivot),
            }
        }
        failure.map_or(Ok(()), Err)
    }

    /// b = P^-1 b, over the kept rows.
    pub fn apply(&mut self, b: &mut [f64]) {
        let (Blocks::Diagonal(factor) | Blocks::All(factor, _)) = &self.blocks;
        if b.len() == self.room.len() {
            factor.solve(&self.values, b);
            return;
        }
        let (joints, fixed) = self.room.split_at_mut(b.len());
        joints.copy_from_slice(b);
        fixed.fill(0.0);
        factor.solve(&self.values, &mut self.room);
        b.copy_from_slice(&self.room[..b.len()]);
    }
}

/// The blocks of single joints: sums over their bodies of Phi_v M^-1 Phi_v^T.
fn assemble_diagonal(problem: &Problem, phi_v: &[f64], factor: &IncompleteCholesky, values: &mut [f64]) {
    values.fill(0.0);
    let mut weighted = [0.0; 6];
    for block in &problem.blocks {
        let Some(entry) = factor.locate(block.group, block.group) else { continue };
        let row = |r: usize| &phi_v[block.at + r * block.nv..][..block.nv];
        for c in 0..block.rows {
            let weighted = &mut weighted[..block.nv];
            problem.inverse_mass_of(block.body, row(c), weighted);
            for r in c..block.rows {
                let product: f64 = row(r).iter().zip(&*weighted).map(|(a, b)| a * b).sum();
                values[entry.index(r, c)] += product;
            }
        }
    }
    for &(row, c) in &problem.compliance {
        let group = problem.group_of(row);
        let own = row - problem.groups[group].start;
        if let Some(entry) = factor.locate(group, group) {
            values[entry.index(own, own)] += c;
        }
    }
}
