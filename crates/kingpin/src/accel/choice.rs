//! Which solver will be fastest: time predicted from operation counts, before anything is built.
//!
//! What is predicted is what a run asks for again and again: accelerations from positions and velocities. Each
//! kind of work has a weight, fitted once to `kingpin bench accel` on the shipped models and on chains (AMD EPYC,
//! AVX2). Only ratios of weights matter, and they are much the same on other machines.

use super::accelerator::Method;
use super::elimination::plan;
use super::problem::Problem;
use crate::topology::{Metrics, SpanningTree};

/// The predicted time of one solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The solver.
    pub method: Method,
    /// Nanoseconds from a state to accelerations, on the machine of the weights.
    pub ns: f64,
}

/// The solver chosen, and what it was compared with.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The chosen solver.
    pub method: Method,
    /// All that were compared, the fastest first.
    pub forecasts: Vec<Forecast>,
    /// The spanning tree of the recursive solvers.
    pub spanning: SpanningTree,
    /// What the prediction is made of.
    pub amounts: Amounts,
    /// Why this one, in words.
    pub reason: String,
}

/// Nanoseconds per unit of each kind of work, in the plane and in space.
struct Weights {
    /// Elimination: per body, per equation (evaluation, assembly), per block operation, per multiply-add.
    elimination: [f64; 4],
    /// All recursive solvers: per body, per coordinate, per equation outside the tree.
    motion: [f64; 3],
    /// Articulated bodies: per body, per coordinate, per multiply-add of the equations outside the tree.
    articulated: [f64; 3],
    /// Composite inertia matrix: per block of the factor, per multiply-add.
    sparse: [f64; 2],
    /// Dense composite inertia matrix: per row, per multiply-add.
    dense: [f64; 2],
}

const PLANAR: Weights = Weights {
    elimination: [20.0, 12.0, 4.0, 0.8],
    motion: [25.0, 5.0, 20.0],
    articulated: [20.0, 10.0, 0.5],
    sparse: [8.0, 0.5],
    dense: [5.0, 0.4],
};

const SPATIAL: Weights = Weights {
    elimination: [30.0, 20.0, 5.0, 0.4],
    motion: [50.0, 5.0, 40.0],
    articulated: [30.0, 15.0, 0.5],
    sparse: [8.0, 0.5],
    dense: [5.0, 0.4],
};

/// Chooses the solver of least predicted time. O(joints log joints), and for mechanisms with loops what planning
/// an elimination costs.
pub fn choose_method(problem: &Problem) -> Choice {
    let spanning = problem.spanning();
    // without loops no matrix is as cheap as none
    let metrics = (spanning.cut_equations > 0).then(|| plan(problem, false).metrics);
    let amounts = amounts(problem, &spanning, metrics.as_ref());
    let mut forecasts = forecasts(problem.nv, &amounts, metrics.is_some());
    forecasts.sort_by(|a, b| a.ns.total_cmp(&b.ns));
    let method = forecasts.first().map_or(Method::Elimination, |f| f.method);
    let reason = explain(&forecasts, &spanning);
    Choice { method, forecasts, spanning, amounts, reason }
}

/// Predicted times of the solvers that can be fastest; elimination only if its order is known.
fn forecasts(nv: usize, amounts: &Amounts, elimination: bool) -> Vec<Forecast> {
    let weights = if nv == 6 { &SPATIAL } else { &PLANAR };
    let mut list = Vec::new();
    let mut add = |method: Method, ns: f64| list.push(Forecast { method, ns });
    let sum = |w: &[f64], x: &[f64]| w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
    if elimination {
        add(Method::Elimination, sum(&weights.elimination, &amounts.elimination));
    }
    let motion = sum(&weights.motion, &amounts.motion);
    add(Method::Recursive, motion + sum(&weights.articulated, &amounts.articulated));
    add(Method::RecursiveSparse, motion + sum(&weights.sparse, &amounts.sparse));
    add(Method::RecursiveDense, motion + sum(&weights.dense, &amounts.dense));
    list
}

/// Amounts of each kind of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amounts {
    /// Elimination: bodies, equations, block operations, multiply-adds; the last two are zero if not known.
    pub elimination: [f64; 4],
    /// All recursive solvers: bodies, coordinates, equations outside the tree.
    pub motion: [f64; 3],
    /// Articulated bodies: bodies, coordinates, multiply-adds of the equations outside the tree.
    pub articulated: [f64; 3],
    /// Composite inertia matrix: blocks of the factor, multiply-adds.
    pub sparse: [f64; 2],
    /// Dense composite inertia matrix: rows, multiply-adds.
    pub dense: [f64; 2],
}

fn amounts(problem: &Problem, tree: &SpanningTree, metrics: Option<&Metrics>) -> Amounts {
    let [bodies, rows, n, m] =
        [problem.bodies(), problem.rows, tree.coordinates(), tree.cut_equations].map(|x| x as f64);
    let [blocks, madds] =
        metrics.map_or([0.0; 2], |k| [k.counts.multiplications as f64, k.scalar_work as f64]);
    let (sparse, dense) = (tree.work.sparse.sum(), tree.work.dense.sum());
    // blocks of the factor: links with all that carry them, and the equations outside the tree with theirs
    let chains: usize = tree.depth.iter().map(|d| d + 1).sum();
    let mut paths = 0;
    for &group in &tree.cut {
        paths += problem.blocks_of(group).iter().map(|b| tree.depth[b.body] + 1).sum::<usize>();
    }
    // rows carried from body to body, and the matrix of their multipliers
    let carried = m * m * m / 6.0
        + tree.work.sparse.product.multiply_adds as f64
        + (problem.nv * problem.nv * paths) as f64 * m / (tree.cut.len().max(1) as f64);
    Amounts {
        elimination: [bodies, rows, blocks, madds],
        motion: [bodies, n, m],
        articulated: [bodies, n, carried],
        sparse: [
            (chains + paths) as f64 + (tree.cut.len() * tree.cut.len()) as f64,
            sparse.multiply_adds as f64,
        ],
        dense: [n + m, dense.multiply_adds as f64],
    }
}

/// Multiplications to solve the sparse system in joint coordinates, forming it not counted, and those of Gaussian
/// elimination of the same system [thesis, Tables 6 and 7].
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
            "{name}: no equation lies outside the spanning tree, so the recursion over its {coordinates} needs no matrix"
        );
    }
    let cut = count(tree.cut_equations, "equation");
    let rest: Vec<String> = forecasts
        .iter()
        .skip(1)
        .filter_map(|f| Some(format!("{} {:.1} times", f.method.name(), f.ns / forecasts.first()?.ns)))
        .collect();
    format!(
        "{name}: with {coordinates} and {cut} outside the spanning tree it is predicted to take the least time ({} as much)",
        rest.join(", ")
    )
}
