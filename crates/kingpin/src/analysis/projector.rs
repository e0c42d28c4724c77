//! Least corrections of velocities or positions that satisfy the constraints.

use crate::accel::{Assembler, MANY_JOINTS, Problem, Weights};
use crate::linalg::BlockCholesky;
use crate::system::{System, Work};
use crate::topology::{Split, minimum_degree};

/// Solves Phi_v x = b for the x of least weighted norm, redundant rows allowed.
///
/// With weights w (one per velocity, inverse given; zero holds a velocity fixed):
/// x = W^-1 Phi_v^T lam, (Phi_v W^-1 Phi_v^T + mu I) lam = b. Bodies with very many joints are split, so that
/// the cost stays linear in the number of joints.
pub struct Projector<'a> {
    system: &'a System,
    problem: Problem,
    split: Option<Split>,
    factor: BlockCholesky,
    assembler: Assembler,
    inverse_weights: Vec<f64>,
    values: Vec<f64>,
    /// First rows of the fixed joints between virtual bodies, and the end.
    fixed_starts: Vec<usize>,
    /// Rows that depend on others: joint equations, then those of fixed joints between virtual bodies.
    dropped: Vec<bool>,
    lam: Vec<f64>,
}

/// A row is dependent if less than this fraction of its square is left after elimination of the others.
pub const DEPENDENT: f64 = 1e-11;

impl<'a> Projector<'a> {
    /// A projector with given inverse weights.
    pub fn new(system: &'a System, inverse_weights: Vec<f64>) -> Projector<'a> {
        // all rows, redundant ones too; a body with very many joints is split, else their clique would be dense
        let problem = Problem::new(system, &[]);
        let graph = problem.graph();
        let (split, order) = if graph.topology_index() > MANY_JOINTS {
            let plan = problem.plan(true);
            (plan.split.clone(), plan.permutation.clone())
        } else {
            (None, minimum_degree(&graph))
        };
        let whole = split.as_ref().map_or(&graph, Split::graph);
        let mut fixed_starts = vec![problem.rows];
        for size in &whole.sizes()[graph.joints()..] {
            fixed_starts.push(fixed_starts[fixed_starts.len() - 1] + size);
        }
        let pattern = problem.pattern(whole);
        let factor = BlockCholesky::analyse(&pattern, order.order());
        let weights = Weights::Diagonal(&inverse_weights);
        let assembler =
            Assembler::new(&problem, weights, split.as_ref(), factor.len(), &|i, j| factor.locate(i, j));
        Projector {
            system,
            values: vec![0.0; factor.len()],
            dropped: vec![false; factor.rows()],
            lam: vec![0.0; factor.rows()],
            problem,
            fixed_starts,
            split,
            factor,
            assembler,
            inverse_weights,
        }
    }

    /// Inverse weights, one per velocity.
    pub fn inverse_weights(&self) -> &[f64] {
        &self.inverse_weights
    }

    /// Changes the weights; a new factorisation must follow.
    pub fn set_inverse_weights(&mut self, inverse_weights: Vec<f64>) {
        self.inverse_weights = inverse_weights;
        if self.split.is_some() {
            let (factor, weights) = (&self.factor, Weights::Diagonal(&self.inverse_weights));
            let locate = |i, j| factor.locate(i, j);
            self.assembler =
                Assembler::new(&self.problem, weights, self.split.as_ref(), factor.len(), &locate);
        }
    }

    /// Rows of the factorisation that depend on others.
    pub fn dependent(&self) -> Vec<usize> {
        (0..self.dropped.len()).filter(|&r| self.dropped[r]).collect()
    }

    fn joint_rows(&self) -> usize {
        self.problem.rows
    }

    /// Solves with the factor at hand, right side and solution in `lam`, joint equations first.
    fn solve_reduced(&mut self) {
        let joints = self.joint_rows();
        self.lam[joints..].fill(0.0);
        self.factor.solve(&self.values, &mut self.lam);
    }

    /// Factors the reduced matrix for the Jacobian of `work`, with `mu` added to its diagonal.
    /// Returns the number of dependent rows; `None` if a number was not finite.
    pub fn factor(&mut self, work: &Work, mu: f64) -> Option<usize> {
        let layout = &self.system.layout;
        let weights = Weights::Diagonal(&self.inverse_weights);
        self.assembler.assemble(weights, &work.phi_v, &mut self.values);
        if mu > 0.0 {
            for (k, group) in layout.groups.iter().enumerate() {
                if let Some(entry) = self.factor.locate(k, k) {
                    (0..group.rows.len()).for_each(|r| self.values[entry.index(r, r)] += mu);
                }
            }
        }
        self.factor.factor_semidefinite(&mut self.values, DEPENDENT, &mut self.dropped).ok()
    }

    /// x = W^-1 Phi_v^T S^-1 b with the factor at hand.
    pub fn solve(&mut self, work: &Work, b: &[f64], x: &mut [f64]) {
        let joints = self.joint_rows();
        self.lam[..joints].copy_from_slice(b);
        self.solve_reduced();
        self.system.transpose_times(work, &self.lam[..joints], x);
        x.iter_mut().zip(&self.inverse_weights).for_each(|(x, w)| *x *= w);
    }

    /// One step of iterative refinement on a dependence: y - S^-1 Phi_v W^-1 (Phi_v^T y), dropped rows kept.
    pub fn refine(&mut self, work: &Work, relation: &[(usize, f64)]) -> Vec<(usize, f64)> {
        let joints = self.joint_rows();
        let mut y = vec![0.0; joints];
        relation.iter().for_each(|&(row, value)| y[row] = value);
        let mut left = vec![0.0; self.inverse_weights.len()];
        self.system.transpose_times(work, &y, &mut left);
        left.iter_mut().zip(&self.inverse_weights).for_each(|(x, w)| *x *= w);
        self.system.jacobian_times(work, &left, &mut self.lam[..joints]);
        self.solve_reduced();
        y.iter_mut().zip(&self.lam).for_each(|(y, z)| *y -= z);
        y.into_iter().enumerate().filter(|(_, y)| *y != 0.0).collect()
    }

    /// The dependence that belongs to a dropped row: y with Phi_v^T y = 0, as (row, value) pairs of joint equations.
    /// `y` is scratch, zero before and after, as long as the rows of the factorisation.
    pub fn dependence(&self, row: usize, y: &mut Vec<f64>, support: &mut Vec<usize>) -> Vec<(usize, f64)> {
        let (joints, groups) = (self.joint_rows(), &self.problem.groups);
        // the block of the row, the null vector of the factor from there, and of it what belongs to joints
        let place = if row < joints {
            let group = self.system.layout.group_of(row);
            (group, row - groups[group].start)
        } else {
            let fixed = self.fixed_starts.partition_point(|&start| start <= row) - 1;
            (groups.len() + fixed, row - self.fixed_starts[fixed])
        };
        y.resize(self.lam.len(), 0.0);
        support.clear();
        self.factor.null_vector(&self.values, place, 1e-12, y, support);
        let mut entries = Vec::new();
        for &block in support.iter() {
            let fixed = |k: usize| self.fixed_starts[k]..self.fixed_starts[k + 1];
            let rows = groups.get(block).cloned().unwrap_or_else(|| fixed(block - groups.len()));
            for r in rows {
                if y[r] != 0.0 && r < joints {
                    entries.push((r, y[r]));
                }
                y[r] = 0.0;
            }
        }
        entries.sort_unstable_by_key(|e| e.0);
        entries
    }
}

impl System {
    /// out = Phi_v x for the Jacobian of `work`.
    pub fn jacobian_times(&self, work: &Work, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for block in &self.layout.blocks {
            let first = self.layout.groups[block.group].rows.start;
            let x = &x[block.columns()];
            for r in 0..block.rows {
                let row = &work.phi_v[block.row(r)];
                out[first + r] += row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
            }
        }
    }

    /// out = Phi_v^T lam for the Jacobian of `work`.
    pub fn transpose_times(&self, work: &Work, lam: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for block in &self.layout.blocks {
            let first = self.layout.groups[block.group].rows.start;
            let out = &mut out[block.columns()];
            for r in 0..block.rows {
                let (row, l) = (&work.phi_v[block.row(r)], lam[first + r]);
                out.iter_mut().zip(row).for_each(|(o, a)| *o += a * l);
            }
        }
    }

    /// Moves coordinates by a small displacement in velocity space: (dr, turn) of each body, Euler parameters kept unit.
    pub fn displace(&self, q: &mut [f64], x: &[f64]) {
        for node in self.nodes.iter() {
            let (q, x) = (&mut q[node.q()], &x[node.v()]);
            if node.nq != 7 {
                q.iter_mut().zip(x).for_each(|(q, x)| *q += x);
                continue;
            }
            for k in 0..3 {
                q[k] += x[k];
            }
            let angle = (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]).sqrt();
            let s = if angle > 1e-8 { (0.5 * angle).sin() / angle } else { 0.5 };
            let turn = [(0.5 * angle).cos(), s * x[3], s * x[4], s * x[5]];
            let p = crate::spatial::euler::product(&[q[3], q[4], q[5], q[6]], &turn);
            let n = p.iter().map(|e| e * e).sum::<f64>().sqrt();
            for k in 0..4 {
                q[3 + k] = p[k] / n;
            }
        }
    }

    /// Counts angles on from the state of `work`: to be called at accepted states only.
    pub fn count_turns(&self, work: &mut Work) {
        super::rank::count_turns(self, work);
    }
}
