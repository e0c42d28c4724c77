//! How large the matrices of a method get, before they are made.

use super::accelerator::Method;
use super::problem::Problem;
use crate::topology::{Metrics, Permutation, gibbs_king, gibbs_poole_stockmeyer, minimum_degree};

impl Method {
    /// About how many numbers the matrix of this method holds, factor included; a few passes over the joint
    /// graph. Methods that store what is not zero, with bodies split as needed, grow with the mechanism.
    pub fn storage(self, problem: &Problem) -> u64 {
        let (rows, velocities) = (problem.rows as u64, (problem.bodies() * problem.nv) as u64);
        let graph = problem.graph();
        // blocks of mean size
        let joints = graph.joints().max(1) as u64;
        let block = rows.div_ceil(joints).pow(2);
        let measure = |order: &Permutation| Metrics::new(&graph, order);
        match self {
            Method::ReducedDense => rows * rows,
            Method::AugmentedDense => (rows + velocities).pow(2),
            Method::EliminationUnsplit => measure(&minimum_degree(&graph)).counts.inversions * block,
            Method::ReducedEnvelope => (measure(&gibbs_king(&graph)).envelope.envelope + joints) * block,
            Method::ReducedBand => {
                (measure(&gibbs_poole_stockmeyer(&graph)).envelope.bandwidth + 1) * joints * block
            }
            Method::Auto => self.resolved(problem).storage(problem),
            Method::Recursive | Method::RecursiveSparse | Method::RecursiveDense => in_joints(self, problem),
            _ => (2 * problem.block_rows * problem.nv) as u64 + velocities * problem.nv as u64,
        }
    }
}

/// The same for joint coordinates.
fn in_joints(method: Method, problem: &Problem) -> u64 {
    let tree = problem.spanning();
    let (n, m, nv) = (tree.coordinates() as u64, tree.cut_equations as u64, problem.nv as u64);
    let each = problem.bodies() as u64 * nv * (nv + 4);
    let steps = tree.work.sparse;
    each + match method {
        Method::RecursiveDense => n * n + n * m + m * m,
        // the schedule lists block operations: at most one for each multiply-add
        Method::RecursiveSparse => {
            steps.factor.multiply_adds + steps.loops.multiply_adds + steps.product.multiply_adds + m * m
        }
        // rows of these equations at every body they pass, zeros among them
        _ => (nv + 1) * steps.residual.multiply_adds.max(m) + m * m,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::joint::Revolute;
    use crate::model::{Body, Ends, Model, Space};
    use crate::system::System;

    /// Arms on a hub, or each on the one before.
    fn problem(arms: usize, star: bool) -> Problem {
        let mut model = Model::new("arms", Space::Planar);
        model.body(Body::planar("b0", 1.0, 1.0));
        for k in 1..=arms {
            let name = format!("b{k}");
            model.body(Body::planar(&name, 1.0, 1.0));
            let before = if star { "b0".into() } else { format!("b{}", k - 1) };
            model.joint(&format!("pin{k}"), Ends::at(&before, &name, [0.5; 3]), Revolute {});
        }
        Problem::new(&System::compile(&model).expect("valid").0, &[])
    }

    #[test]
    fn only_wasteful_methods_grow_with_the_square() {
        let growth = |method: Method, star: bool| {
            let [small, large] = [100, 1000].map(|n| method.storage(&problem(n, star)) as f64);
            large / small
        };
        for method in Method::ALL {
            let (chain, star) = (growth(method, false), growth(method, true));
            let unsplit = [Method::EliminationUnsplit, Method::ReducedEnvelope, Method::ReducedBand];
            let along_chains = [Method::RecursiveSparse];
            assert_eq!(
                chain > 50.0,
                method.is_dense() || along_chains.contains(&method),
                "{}: {chain}",
                method.name()
            );
            assert_eq!(
                star > 50.0,
                method.is_dense() || unsplit.contains(&method),
                "{}: {star}",
                method.name()
            );
        }
    }
}
