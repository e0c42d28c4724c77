//! The reduced matrix without the matrix: S d = Phi_v M^-1 Phi_v^T d + C d, one task per body and one per joint.

use super::super::problem::{Numbers, Problem};

/// Products with S. The first pass sums on each body the constraint forces of its joints and gives its acceleration;
/// the second gives each joint the residual of the accelerations of its bodies [Negrut 2003, section 5]. No task writes
/// what another reads in the same pass, and each sums in an order of its own, so who does which when changes no bit.
#[derive(Clone, Debug)]
pub(super) struct ReducedProduct {
    /// Where the blocks of each group begin.
    first: Vec<u32>,
    /// What rows that yield have besides.
    compliance: Vec<f64>,
    /// No force.
    none: Vec<f64>,
    /// Accelerations of bodies under constraint forces, negative.
    acc: Vec<f64>,
}

impl ReducedProduct {
    /// For a problem.
    pub fn new(problem: &Problem) -> ReducedProduct {
        let mut first = vec![0; problem.groups.len() + 1];
        problem.blocks.iter().for_each(|block| first[block.group + 1] += 1);
        for group in 0..problem.groups.len() {
            first[group + 1] += first[group];
        }
        let mut compliance = vec![0.0; if problem.compliance.is_empty() { 0 } else { problem.rows }];
        problem.compliance.iter().for_each(|&(row, c)| compliance[row] = c);
        let velocities = problem.nodes.velocities();
        ReducedProduct { first, compliance, none: vec![0.0; velocities], acc: vec![0.0; velocities] }
    }

    /// Multiply-adds of one product.
    pub fn operations(&self, problem: &Problem) -> usize {
        2 * problem.numbers + problem.nodes.velocities() * if problem.nodes.widest() == 6 { 2 } else { 1 }
    }

    /// The right side: `acc` = M^-1 Q, what bodies would do alone, and b = Phi_v M^-1 Q - gamma.
    pub fn right_side(&self, problem: &Problem, n: &Numbers, acc: &mut [f64], b: &mut [f64]) {
        problem.start(n, acc, b);
        for group in 0..problem.groups.len() {
            self.add_rates(problem, n.phi_v, (group, 1.0), acc, b);
        }
    }

    /// out = S d. O(numbers), no allocation.
    pub fn apply(&mut self, problem: &Problem, n: &Numbers, d: &[f64], out: &mut [f64]) {
        let mut acc = std::mem::take(&mut self.acc);
        problem.accelerations(&Numbers { force: &self.none, ..*n }, d, &mut acc);
        out.fill(0.0);
        for group in 0..problem.groups.len() {
            self.add_rates(problem, n.phi_v, (group, -1.0), &acc, out);
        }
        let yields = self.compliance.iter().zip(d);
        out.iter_mut().zip(yields).for_each(|(out, (c, d))| *out += c * d);
        self.acc = acc;
    }

    /// The greatest squared acceleration of a body under the constraint forces of the last product, times its weight
    /// for places or that for turns.
    pub fn worst(&self, problem: &Problem, weights: &[[f64; 2]]) -> f64 {
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let bodies = problem.nodes.iter().zip(weights);
        let each = bodies.map(|(node, [place, turn])| {
            let (moves, turns) = node.split(&self.acc[node.v()]);
            (place * square(moves)).max(turn * square(turns))
        });
        each.fold(0.0, f64::max)
    }

    /// Adds the rates of one joint under accelerations of its bodies, times a sign.
    fn add_rates(
        &self,
        problem: &Problem,
        phi_v: &[f64],
        (group, sign): (usize, f64),
        acc: &[f64],
        out: &mut [f64],
    ) {
        let out = &mut out[problem.groups[group].clone()];
        for block in &problem.blocks[self.first[group] as usize..self.first[group + 1] as usize] {
            let own = &acc[block.v..block.v + block.nv];
            let rows = phi_v[block.at..block.at + block.rows * block.nv].chunks_exact(block.nv);
            for (out, row) in out.iter_mut().zip(rows) {
                let rate: f64 = row.iter().zip(own).map(|(j, a)| j * a).sum();
                *out += sign * rate;
            }
        }
    }
}

/// Numbers that are summed before their sum is added to others.
const STRETCH: usize = 1024;

/// The sum of products, always by the same tree: stretches of a fixed length, each in four sums.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let stretch = |(a, b): (&[f64], &[f64])| {
        let (quads, rest) = a.as_chunks::<4>();
        let (others, last) = b.as_chunks::<4>();
        let mut sums = [0.0; 4];
        for (a, b) in quads.iter().zip(others) {
            for k in 0..4 {
                sums[k] += a[k] * b[k];
            }
        }
        let rest: f64 = rest.iter().zip(last).map(|(a, b)| a * b).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    };
    a.chunks(STRETCH).zip(b.chunks(STRETCH)).map(stretch).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products() {
        for n in [0, 1, 3, 4, 1023, 1024, 3001] {
            let a: Vec<f64> = (0..n).map(f64::from).collect();
            let expected: f64 = a.iter().map(|x| x * x).sum();
            assert_eq!(dot(&a, &a), expected, "{n}");
        }
    }
}
