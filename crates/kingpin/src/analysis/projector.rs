//! Least corrections of velocities or positions that satisfy the constraints.

use crate::accel::{Assembler, Problem, Weights};
use crate::linalg::BlockCholesky;
use crate::system::{System, Work};
use crate::topology::minimum_degree;

/// Solves Phi_v x = b for the x of least weighted norm, redundant rows allowed.
///
/// With weights w (one per velocity, inverse given; zero holds a velocity fixed):
/// x = W^-1 Phi_v^T lam, (Phi_v W^-1 Phi_v^T + mu I) lam = b.
pub struct Projector<'a> {
    system: &'a System,
    factor: BlockCholesky,
    assembler: Assembler,
    /// Inverse weights.
    pub inverse_weights: Vec<f64>,
    /// The reduced matrix, then its factor.
    pub values: Vec<f64>,
    /// Rows that depend on others.
    pub dropped: Vec<bool>,
    lam: Vec<f64>,
}

/// A row is dependent if less than this fraction of its square is left after elimination of the others.
pub const DEPENDENT: f64 = 1e-11;

impl<'a> Projector<'a> {
    /// A projector with given inverse weights.
    pub fn new(system: &'a System, inverse_weights: Vec<f64>) -> Projector<'a> {
        let rows = system.joint_equations();
        let problem = Problem::new(system, &[]);
        let graph = problem.graph();
        let factor = BlockCholesky::analyse(&Problem::pattern(&graph), minimum_degree(&graph).order());
        let assembler = Assembler::new(&problem, None, factor.len(), &|i, j| factor.locate(i, j));
        Projector {
            system,
            values: vec![0.0; factor.len()],
            factor,
            assembler,
            inverse_weights,
            dropped: vec![false; rows],
            lam: vec![0.0; rows],
        }
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
        self.lam.copy_from_slice(b);
        self.factor.solve(&self.values, &mut self.lam);
        self.system.transpose_times(work, &self.lam, x);
        x.iter_mut().zip(&self.inverse_weights).for_each(|(x, w)| *x *= w);
    }

    /// One step of iterative refinement on a dependence: y - S^-1 Phi_v W^-1 (Phi_v^T y), dropped rows kept.
    pub fn refine(&mut self, work: &Work, relation: &[(usize, f64)]) -> Vec<(usize, f64)> {
        let mut y = vec![0.0; self.lam.len()];
        relation.iter().for_each(|&(row, value)| y[row] = value);
        let mut left = vec![0.0; self.inverse_weights.len()];
        self.system.transpose_times(work, &y, &mut left);
        left.iter_mut().zip(&self.inverse_weights).for_each(|(x, w)| *x *= w);
        self.system.jacobian_times(work, &left, &mut self.lam);
        self.factor.solve(&self.values, &mut self.lam);
        y.iter_mut().zip(&self.lam).for_each(|(y, z)| *y -= z);
        y.into_iter().enumerate().filter(|(_, y)| *y != 0.0).collect()
    }

    /// The dependence that belongs to a dropped row: y with Phi_v^T y = 0, as (row, value) pairs.
    pub fn dependence(&self, row: usize, y: &mut [f64], support: &mut Vec<usize>) -> Vec<(usize, f64)> {
        let layout = &self.system.layout;
        let group = layout.group_of(row);
        let place = (group, row - layout.groups[group].rows.start);
        support.clear();
        self.factor.null_vector(&self.values, place, 1e-12, y, support);
        let mut entries = Vec::new();
        for &g in support.iter() {
            for r in layout.groups[g].rows.clone() {
                if y[r] != 0.0 {
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
        let nv = self.nv();
        out.fill(0.0);
        for block in &self.layout.blocks {
            let first = self.layout.groups[block.group].rows.start;
            let x = &x[block.body * nv..(block.body + 1) * nv];
            for r in 0..block.rows {
                let row = &work.phi_v[(block.before + r) * nv..][..nv];
                out[first + r] += row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
            }
        }
    }

    /// out = Phi_v^T lam for the Jacobian of `work`.
    pub fn transpose_times(&self, work: &Work, lam: &[f64], out: &mut [f64]) {
        let nv = self.nv();
        out.fill(0.0);
        for block in &self.layout.blocks {
            let first = self.layout.groups[block.group].rows.start;
            let out = &mut out[block.body * nv..(block.body + 1) * nv];
            for r in 0..block.rows {
                let (row, l) = (&work.phi_v[(block.before + r) * nv..][..nv], lam[first + r]);
                out.iter_mut().zip(row).for_each(|(o, a)| *o += a * l);
            }
        }
    }

    /// Moves coordinates by a small displacement in velocity space: (dr, turn) of each body, Euler parameters kept unit.
    pub fn displace(&self, q: &mut [f64], x: &[f64]) {
        let (nq, nv) = (self.nq(), self.nv());
        for (q, x) in q.chunks_exact_mut(nq).zip(x.chunks_exact(nv)) {
            if nq == 3 {
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
