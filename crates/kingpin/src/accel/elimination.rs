//! Sparse block elimination along the best order: the default solver [Negrut 2003, section 4].

use super::accelerator::{NoSolution, Solve};
use super::assembler::{Assembler, Weights};
use super::elimination_pieces::EliminationPieces;
use super::method::{self, SolverEntry};
use super::problem::{Numbers, Problem};
use crate::linalg::{BlockCholesky, BranchedCholesky, ZeroPivot};
use crate::topology::minimum_degree;
use crate::topology::{
    JointGraph, Permutation, Plan, PlanOptions, Split, SplitPermission, choose, fold_chains,
    minimum_degree_by_rows,
};

/// A vanishing pivot: less than this fraction of the diagonal is left.
pub const VANISHING: f64 = 1e-13;

/// Splits that are looked at for a run: some hundredths of a second, which most runs repay.
const SPLITS: usize = 1_000;

/// The order of least predicted work for a problem, with or without split bodies: a thorough search.
pub fn plan(problem: &Problem, split: bool) -> Plan {
    search(problem, split, SplitPermission::default().evaluations)
}

/// The same, not longer than a run can repay.
pub(super) fn brief_plan(problem: &Problem, split: bool) -> Plan {
    search(problem, split, SPLITS)
}

fn search(problem: &Problem, split: bool, evaluations: usize) -> Plan {
    let fixed_size = problem.nodes.widest();
    let permission = split.then(|| SplitPermission { fixed_size, evaluations, ..SplitPermission::default() });
    choose(&problem.graph(), &PlanOptions { split: permission, ..PlanOptions::default() })
}

/// How the matrix is assembled and factored: whole, or in pieces where it is large.
#[derive(Clone, Debug)]
enum EliminationWay {
    Whole(Box<BlockCholesky>, Box<Assembler>),
    Pieces(Box<EliminationPieces>),
}

/// The reduced matrix factored along an elimination order. The factor is kept for further right-hand sides.
#[derive(Clone, Debug)]
pub struct Elimination {
    way: EliminationWay,
    values: Vec<f64>,
    /// Multipliers of joints, then of fixed joints between virtual bodies.
    lam: Vec<f64>,
}

impl Elimination {
    /// Symbolic phase.
    pub fn new(problem: &Problem, plan: &Plan) -> Elimination {
        Self::weighed(problem, plan, Weights::Mass(&problem.inertia))
    }

    /// The same for weights of one's own in place of the mass: E2 = Phi_v W^-1 Phi_v^T.
    pub fn weighed(problem: &Problem, plan: &Plan, weights: Weights) -> Elimination {
        let graph = problem.graph();
        Self::along(problem, plan.graph(&graph), (&plan.permutation, plan.split.as_ref()), weights)
    }

    /// Symbolic phase for few uses, which would not repay the search for the best order.
    pub fn quick(problem: &Problem) -> Elimination {
        let graph = problem.graph();
        Self::along(problem, &graph, (&minimum_degree_by_rows(&graph), None), Weights::Mass(&problem.inertia))
    }

    fn along(
        problem: &Problem,
        graph: &JointGraph,
        (permutation, split): (&Permutation, Option<&Split>),
        weights: Weights,
    ) -> Elimination {
        let (order, pattern) = (fold_chains(graph, permutation), problem.pattern(graph));
        let (way, len) = if BranchedCholesky::is_worth_it(pattern.blocks(), problem.grain) {
            let pieces = EliminationPieces::new(problem, &pattern, order.order(), split, weights);
            let len = pieces.factor.len();
            (EliminationWay::Pieces(Box::new(pieces)), len)
        } else {
            let factor = BlockCholesky::analyse(&pattern, order.order());
            let len = factor.len();
            let assembler = Assembler::new(problem, weights, split, len, &|i, j| factor.locate(i, j));
            (EliminationWay::Whole(Box::new(factor), Box::new(assembler)), len)
        };
        Elimination { values: vec![0.0; len], lam: vec![0.0; pattern.rows()], way }
    }

    /// Numbers held by the factor.
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// The numbers of the factor.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The same to be exchanged for those of another state.
    pub(super) fn values_mut(&mut self) -> &mut Vec<f64> {
        &mut self.values
    }

    /// Multiply-adds of one assembly.
    pub(super) fn operations(&self) -> usize {
        match &self.way {
            EliminationWay::Whole(_, assembler) => assembler.operations(),
            EliminationWay::Pieces(pieces) => pieces.operations(),
        }
    }

    /// Assembles and factors the reduced matrix. No allocation.
    pub fn refactor(&mut self, problem: &Problem, phi_v: &[f64]) -> Result<(), ZeroPivot> {
        self.refactor_by(Weights::Mass(&problem.inertia), phi_v)
    }

    /// The same for weights of one's own.
    pub fn refactor_by(&mut self, weights: Weights, phi_v: &[f64]) -> Result<(), ZeroPivot> {
        match &self.way {
            EliminationWay::Whole(factor, assembler) => {
                assembler.assemble(weights, phi_v, &mut self.values);
                factor.factor(&mut self.values, VANISHING)
            }
            EliminationWay::Pieces(pieces) => pieces.refactor(weights, phi_v, &mut self.values),
        }
    }

    /// As [`refactor`](Self::refactor); what is left of each diagonal element as its pivot, the least part of all:
    /// zero where equations are dependent. `room` is for the diagonal.
    pub fn least_pivot(&mut self, problem: &Problem, phi_v: &[f64], room: &mut Vec<f64>) -> f64 {
        let (weights, values) = (Weights::Mass(&problem.inertia), &mut self.values);
        room.clear();
        let failed = match &self.way {
            EliminationWay::Whole(factor, assembler) => {
                assembler.assemble(weights, phi_v, values);
                room.extend(factor.diagonals(values));
                factor.factor(values, VANISHING).is_err()
            }
            EliminationWay::Pieces(pieces) => {
                pieces.factor.assemble(values, &|k, part| pieces.fill(k, weights, phi_v, part));
                room.extend(pieces.factor.diagonals(values));
                pieces.factor.factor(values, VANISHING, &|_, _| {}).is_err()
            }
        };
        if failed {
            return 0.0;
        }
        let least = |left: &mut dyn Iterator<Item = f64>| {
            left.zip(room.iter()).map(|(pivot, all)| pivot / all).fold(f64::INFINITY, f64::min)
        };
        match &self.way {
            EliminationWay::Whole(factor, _) => least(&mut factor.diagonals(values)),
            EliminationWay::Pieces(pieces) => least(&mut pieces.factor.diagonals(values)),
        }
    }

    /// Accelerations and multipliers with the factor at hand, which must be that of the mass at the same positions: the
    /// price of a right side. No allocation.
    pub fn accelerate_again(&mut self, problem: &Problem, n: &Numbers, acc: &mut [f64], lam: &mut [f64]) {
        if matches!(self.way, EliminationWay::Pieces(_)) {
            problem.right_side_in_pieces(n, acc, lam);
            self.solve_again(lam);
            return problem.accelerations_in_pieces(n, lam, acc);
        }
        problem.start(n, acc, lam);
        problem.add_rates(n.phi_v, acc, lam);
        self.solve_again(lam);
        problem.accelerations(n, lam, acc);
    }

    /// Solves for another right-hand side with the factor at hand: x = S^-1 b, over the kept rows.
    pub fn solve_again(&mut self, b: &mut [f64]) {
        let Elimination { way, values, lam } = self;
        with_fixed_joints(b, lam, |x| match way {
            EliminationWay::Whole(factor, _) => factor.solve(values, x),
            EliminationWay::Pieces(pieces) => pieces.factor.solve(values, x, &mut pieces.room),
        });
    }
}

/// Does something to a right side over the kept rows, with zeros for fixed joints behind them if there are any.
fn with_fixed_joints<R>(b: &mut [f64], lam: &mut [f64], solve: impl FnOnce(&mut [f64]) -> R) -> R {
    if b.len() == lam.len() {
        return solve(b);
    }
    let (joints, fixed) = lam.split_at_mut(b.len());
    joints.copy_from_slice(b);
    fixed.fill(0.0);
    let solved = solve(lam);
    b.copy_from_slice(&lam[..b.len()]);
    solved
}

impl Solve for Elimination {
    fn solve(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), NoSolution> {
        match &mut self.way {
            EliminationWay::Whole(factor, assembler) => {
                assembler.reduce(problem, n, &mut self.values, (acc, lam));
                factor.factor(&mut self.values, VANISHING)?;
            }
            EliminationWay::Pieces(pieces) => {
                problem.right_side_in_pieces(n, acc, lam);
                let (weights, values) = (Weights::Mass(&problem.inertia), &mut self.values);
                with_fixed_joints(lam, &mut self.lam, |x| {
                    pieces.refactor_and_solve(weights, n.phi_v, values, x)
                })?;
                problem.accelerations_in_pieces(n, lam, acc);
                return Ok(());
            }
        }
        self.solve_again(lam);
        problem.accelerations(n, lam, acc);
        Ok(())
    }
}

/// Along the best order, bodies split where that pays.
pub(super) const SPLIT: SolverEntry = SolverEntry {
    name: "elimination",
    about: "sparse block Cholesky of the reduced matrix in the best elimination order found",
    dense: false,
    storage: method::sparse,
    build: |_, problem| Box::new(Elimination::new(problem, problem.plan(true))),
    explained: "\
elimination
Eliminates the masses first. The remaining reduced matrix has one block per joint; it is
factored by sparse block Cholesky in an elimination order chosen once from the joint
graph to minimise fill. Bodies with many joints may be split into virtual bodies.
$ kingpin topology hmmwv14.toml
> elimination order, fill, splitting, elimination-unsplit",
};

/// The same without split bodies.
pub(super) const WHOLE: SolverEntry = SolverEntry {
    name: "elimination-unsplit",
    about: "`elimination` without split bodies",
    dense: false,
    storage: |problem| {
        let order = minimum_degree(&problem.graph());
        method::measure(problem, &order).counts.inversions * method::block(problem)
    },
    build: |_, problem| Box::new(Elimination::new(problem, problem.plan(false))),
    explained: "\
elimination-unsplit
The same as `elimination`, without split bodies. Slower if a body, such as a chassis,
has many joints. For comparison.
$ kingpin accelerations hmmwv14.toml --solver elimination-unsplit
> elimination, splitting",
};
