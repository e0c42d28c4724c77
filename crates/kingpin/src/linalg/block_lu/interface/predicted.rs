//! What ways at interfaces are predicted to take: multiplications of a factor and of the solutions that it serves.
//!
//! The number of ranks has no say, on which results must not depend. Where ranks share the work of sub-domains, those at
//! boughs share theirs, too.

use super::InterfacePlan;
use crate::linalg::block_lu::BlockLu;

/// Solutions that a factor serves, in the mean of an implicit method.
const SOLUTIONS: f64 = 10.0;
/// Iterations of a solution with rigid motions of interfaces as coarse problem, to twelve digits.
const ITERATIONS: f64 = 16.0;

impl BlockLu {
    /// Of the trunk eliminated.
    pub(in crate::linalg::block_lu) fn trunk_work(&self) -> f64 {
        let columns = (self.trunk()..self.position.len()).map(|k| self.column_work(k));
        columns.fold(0.0, |sum, [factor, solution]| sum + factor + SOLUTIONS * solution)
    }
}

impl InterfacePlan {
    /// Of iterations: dense matrices of sub-domains and of the coarse problem, factored, and their products and solutions;
    /// those of sub-domains are solved twice in an iteration.
    pub(in crate::linalg::block_lu) fn work(&self) -> f64 {
        let cube = |n: f64| n * n * n / 3.0;
        let part = |size: usize, ties: usize| {
            let (n, all) = (size as f64, (size + ties) as f64);
            cube(all) + ties as f64 * all * all + SOLUTIONS * ITERATIONS * (n * n + 2.0 * all * all)
        };
        let parts = self.parts.iter().map(|own| part(own.size, own.primal.len())).sum::<f64>();
        let coarse = self.primal.len() as f64;
        parts + cube(coarse) + SOLUTIONS * ITERATIONS * coarse * coarse
    }
}
