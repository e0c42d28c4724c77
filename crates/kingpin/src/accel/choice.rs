//! Which solver will be fastest: time predicted from operation counts, before anything is built.
//!
//! What is predicted is what a run asks for again and again: accelerations from positions and velocities, forces
//! not counted. Each kind of work has a weight, fitted once by least squares to the times of accelerations only in
//! `kingpin bench accel` on the shipped models and on generated chains, stars, trees and ladders of 2 to 50 bodies
//! (AMD EPYC with AVX2). Only ratios of weights matter.

use super::method::Solver;
use super::problem::Problem;
use crate::topology::{Metrics, SpanningTree};

/// The predicted time of one solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The solver.
    pub method: Solver,
    /// Nanoseconds from a state to accelerations, on the machine of the weights.
    pub ns: f64,
}

/// The solver chosen, and what it was compared with.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The chosen solver.
    pub method: Solver,
    /// All that were compared, the fastest first.
    pub forecasts: Vec<Forecast>,
    /// The spanning tree of the recursive solvers.
    pub spanning: SpanningTree,
    /// What the prediction is made of.
    pub amounts: Amounts,
    /// Why this one, in words.
    pub reason: String,
}

/// Nanoseconds per unit of each kind of work, in the order of [`Amounts`].
struct UnitCosts {
    elimination: [f64; 4],
    recursive: [f64; 5],
    sparse: [f64; 6],
    dense: [f64; 5],
}

const PLANAR: UnitCosts = UnitCosts {
    elimination: [36.0, 10.0, 38.6, 0.12],
    recursive: [20.0, 55.5, 10.0, 81.8, 0.68],
    sparse: [50.0, 10.0, 40.1, 12.7, 4.6, 0.34],
    dense: [0.0, 98.6, 0.0, 38.5, 0.42],
};

const SPATIAL: UnitCosts = UnitCosts {
    elimination: [383.0, 10.0, 36.4, 0.12],
    recursive: [175.0, 20.0, 76.3, 61.6, 0.50],
    sparse: [189.0, 58.1, 0.0, 0.0, 9.4, 0.15],
    dense: [129.0, 121.0, 0.0, 27.6, 0.34],
};

/// Chooses the solver of least predicted time. O(joints log joints), and for mechanisms with loops what planning
/// an elimination costs.
pub fn choose_method(problem: &Problem) -> Choice {
    let spanning = problem.spanning().clone();
    // without loops no matrix is as cheap as none
    let metrics = (spanning.cut_equations > 0).then(|| problem.plan(false).metrics);
    let amounts = amounts(problem, &spanning, metrics.as_ref());
    let mut forecasts = forecasts(problem.nodes.widest(), &amounts);
    forecasts.sort_by(|a, b| a.ns.total_cmp(&b.ns));
    let method = forecasts.first().map_or(Solver::Elimination, |f| f.method);
    let reason = explain(&forecasts, &spanning);
    Choice { method, forecasts, spanning, amounts, reason }
}

/// Predicted times of the solvers that can be fastest.
fn forecasts(nv: usize, amounts: &Amounts) -> Vec<Forecast> {
    let weights = if nv == 6 { &SPATIAL } else { &PLANAR };
    let mut list = Vec::new();
    let mut add = |method: Solver, w: &[f64], x: &[f64]| {
        list.push(Forecast { method, ns: w.iter().zip(x).map(|(w, x)| w * x).sum() });
    };
    if let Some(elimination) = &amounts.elimination {
        add(Solver::Elimination, &weights.elimination, elimination);
    }
    add(Solver::Recursive, &weights.recursive, &amounts.recursive);
    add(Solver::RecursiveSparse, &weights.sparse, &amounts.sparse);
    add(Solver::RecursiveDense, &weights.dense, &amounts.dense);
    list
}

/// Amounts of each kind of work, the first always one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amounts {
    /// Elimination: bodies, equations, multiply-adds of the best order without split bodies. Not counted for
    /// mechanisms without loops.
    pub elimination: Option<[f64; 4]>,
    /// Articulated bodies: bodies, coordinates, equations outside the tree, multiply-adds that these take.
    pub recursive: [f64; 5],
    /// Composite inertia matrix: bodies, coordinates, equations outside the tree, blocks, multiply-adds.
    pub sparse: [f64; 6],
    /// The same dense: bodies, coordinates, equations outside the tree, multiply-adds.
    pub dense: [f64; 5],
}

fn amounts(problem: &Problem, tree: &SpanningTree, metrics: Option<&Metrics>) -> Amounts {
    let [bodies, rows, n, m] =
        [problem.bodies(), problem.rows, tree.coordinates(), tree.cut_equations].map(|x| x as f64);
    let (sparse, dense) = (tree.work.sparse.sum(), tree.work.dense.sum());
    // links with all that carry them, equations outside the tree with theirs, and pairs of these
    let chains: usize = tree.depth.iter().map(|d| d + 1).sum();
    let mut paths = 0;
    for &group in &tree.cut {
        paths += problem.blocks_of(group).iter().map(|b| tree.depth[b.body] + 1).sum::<usize>();
    }
    let blocks = (chains + paths) as f64 + (tree.cut.len() as f64).powi(2);
    // rows carried from body to body, and the matrix of their multipliers
    let carried = m.powi(3) / 6.0
        + tree.work.sparse.product.multiply_adds as f64
        + (problem.nodes.widest().pow(2) * paths) as f64 * m / (tree.cut.len().max(1) as f64);
    Amounts {
        elimination: metrics.map(|k| [1.0, bodies, rows, k.scalar_work as f64]),
        recursive: [1.0, bodies, n, m, carried],
        sparse: [1.0, bodies, n, m, blocks, sparse.multiply_adds as f64],
        dense: [1.0, bodies, n, m, dense.multiply_adds as f64],
    }
}

/// Multiplications to solve the sparse system in joint coordinates, forming it not counted, and those of Gaussian
/// elimination of the same system [Negrut 1998, Tables 6 and 7].
pub fn joint_multiplications(tree: &SpanningTree) -> [u64; 2] {
    let steps = tree.work.sparse;
    let n = (tree.coordinates() + tree.cut_equations) as u64;
    let below = n.saturating_sub(1);
    let gauss = n.saturating_mul(below).saturating_mul(n + below) / 6 + n.saturating_mul(below);
    [steps.sum().multiply_adds.saturating_sub(steps.form.multiply_adds), gauss]
}

fn explain(forecasts: &[Forecast], tree: &SpanningTree) -> String {
    let count = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let coordinates = count(tree.coordinates(), "joint coordinate");
    let name = forecasts.first().map_or("elimination", |f| f.method.name());
    if tree.cut_equations == 0 {
        return format!(
            "{name}: there are no cut joints, so the recursion over its {coordinates} needs no matrix"
        );
    }
    let cut = count(tree.cut_equations, "equation");
    let rest: Vec<String> = forecasts
        .iter()
        .skip(1)
        .filter_map(|f| Some(format!("{} {:.1} times", f.method.name(), f.ns / forecasts.first()?.ns)))
        .collect();
    format!(
        "{name}: with {coordinates} and {cut} outside the spanning tree it has the lowest predicted \
             time ({} of the others)",
        rest.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::joint::Revolute;
    use crate::model::{Body, Ends, Model, Space};
    use crate::system::System;

    /// Rods between two rails of pins, every rung closing a loop; a chain without them.
    fn ladder(rungs: usize, closed: bool) -> Problem {
        let mut model = Model::new("ladder", Space::Planar);
        let name = |side: usize, k: usize| format!("rail{side}_{k}");
        for k in 0..rungs {
            for side in 0..if closed { 2 } else { 1 } {
                model.body(Body::planar(&name(side, k), 1.0, 1.0).at([k as f64, side as f64, 0.0]));
                let before = if k == 0 { "ground".into() } else { name(side, k - 1) };
                let ends = Ends::at(&before, &name(side, k), [k as f64, side as f64, 0.0]);
                model.joint(&format!("pin{side}_{k}"), ends, Revolute {});
            }
            if closed {
                let rung = format!("rung{k}");
                model.body(Body::planar(&rung, 1.0, 1.0).at([k as f64, 0.5, 0.0]));
                for side in 0..2 {
                    let ends = Ends::at(&name(side, k), &rung, [k as f64 + 0.5, side as f64, 0.0]);
                    model.joint(&format!("end{side}_{k}"), ends, Revolute {});
                }
            }
        }
        Problem::new(&System::compile(&model).expect("valid").0, &[])
    }

    #[test]
    fn recursion_without_loops_elimination_with_many() {
        let open = choose_method(&ladder(30, false));
        assert_eq!((open.method, open.amounts.elimination), (Solver::Recursive, None));
        assert!(open.reason.starts_with("recursive: there are no cut joints"), "{}", open.reason);
        assert_eq!(choose_method(&ladder(1, true)).method, Solver::RecursiveSparse);
        let many = choose_method(&ladder(40, true));
        assert_eq!(many.method, Solver::Elimination);
        assert!(many.forecasts.is_sorted_by(|a, b| a.ns <= b.ns));
    }

    #[test]
    fn gaussian_elimination_is_counted_as_published() {
        // 27 coordinates and 16 equations need 27,391 multiplications [Negrut 1998, Table 6]
        let mut tree = ladder(27, false).spanning().clone();
        tree.cut_equations = 16;
        assert_eq!(joint_multiplications(&tree)[1], 27_391);
    }
}
