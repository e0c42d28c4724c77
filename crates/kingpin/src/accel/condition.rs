//! The condition number of the reduced matrix: what splitting a body costs in accuracy.

use super::assembler::{Assembler, Weights};
use super::problem::Problem;
use crate::linalg::BlockCholesky;
use crate::topology::Plan;

/// Ratio of the largest to the smallest eigenvalue of the reduced matrix that a plan leads to, scaled to a unit
/// diagonal: that is what the accuracy of Cholesky factorisation depends on. Round-off of the multipliers grows
/// with it; infinite if the matrix is singular. O(rows^3), so for small problems.
pub fn condition(problem: &Problem, plan: &Plan, phi_v: &[f64]) -> f64 {
    let original = problem.graph();
    let graph = plan.graph(&original);
    let factor = BlockCholesky::analyse(&problem.pattern(graph), plan.permutation.order());
    let (weights, split) = (Weights::Mass(&problem.inertia), plan.split.as_ref());
    let assembler = Assembler::new(problem, weights, split, factor.len(), &|i, j| factor.locate(i, j));
    let mut values = vec![0.0; factor.len()];
    assembler.assemble(weights, phi_v, &mut values);
    // the lower triangle into a full matrix
    let mut first = vec![0];
    first.extend(graph.sizes().iter().scan(0, |sum, size| {
        *sum += size;
        Some(*sum)
    }));
    let mut s = nalgebra::DMatrix::zeros(factor.rows(), factor.rows());
    for i in 0..graph.joints() {
        for j in 0..=i {
            let Some(entry) = factor.locate(i, j) else { continue };
            for r in 0..entry.rows {
                for c in 0..if i == j { r + 1 } else { entry.cols } {
                    let (row, column) = (first[i] + r, first[j] + c);
                    s[(row, column)] = values[entry.index(r, c)];
                    s[(column, row)] = s[(row, column)];
                }
            }
        }
    }
    let scale: Vec<f64> = (0..s.nrows()).map(|k| 1.0 / s[(k, k)].sqrt()).collect();
    s.iter_mut().enumerate().for_each(|(k, x)| *x *= scale[k % scale.len()] * scale[k / scale.len()]);
    if s.is_empty() {
        return 1.0;
    }
    if s.iter().any(|x| !x.is_finite()) {
        return f64::INFINITY;
    }
    let eigenvalues = s.symmetric_eigenvalues();
    let (least, greatest) = (eigenvalues.min(), eigenvalues.max());
    if least > 0.0 { greatest / least } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::super::elimination::plan;
    use super::*;
    use crate::element::joint::Revolute;
    use crate::model::{Body, Ends, Model, Space};
    use crate::system::System;
    use crate::topology::{BodyTree, PlanOptions, Split, choose};

    fn evaluated(model: &Model) -> (Problem, Vec<f64>) {
        let (system, _) = System::compile(model).expect("valid");
        let mut work = system.work();
        system.set_state(&mut work, &system.given);
        system.evaluate_constraints(&mut work);
        (Problem::new(&system, &[]), work.phi_v)
    }

    /// Eigenvalues 1/m and 1/m + 2 s^2/J over the diagonal 1/m + s^2/J.
    #[test]
    fn a_pendulum_by_hand() {
        let (mass, inertia, s) = (2.0, 0.5, 3.0);
        let mut model = Model::new("pendulum", Space::Planar);
        model.body(Body::planar("rod", mass, inertia));
        model.joint("pin", Ends::at("ground", "rod", [s, s, 0.0]), Revolute {});
        let (problem, phi_v) = evaluated(&model);
        let expected = 1.0 + 2.0 * s * s * mass / inertia;
        assert!((condition(&problem, &plan(&problem, false), &phi_v) / expected - 1.0).abs() < 1e-12);
    }

    #[test]
    fn splitting_worsens_it() {
        let mut model = Model::new("star", Space::Planar);
        model.body(Body::planar("hub", 1.0, 0.2));
        for k in 0..6 {
            let (name, x) = (format!("arm{k}"), 0.3 * f64::from(k));
            model.body(Body::planar(&name, 1.0, 0.1).at([x + 0.5, 1.0, 0.0]));
            model.joint(&format!("pin{k}"), Ends::at("hub", &name, [x, 1.0, 0.0]), Revolute {});
        }
        let (problem, phi_v) = evaluated(&model);
        let mut plan = plan(&problem, false);
        let whole = condition(&problem, &plan, &phi_v);
        let pieces = vec![vec![0, 1, 2], vec![3, 4, 5]];
        let tree = BodyTree { body: 0, pieces, links: vec![(0, 1)] };
        let split = Split::new(&problem.graph(), &[tree], 3).expect("a valid split");
        plan.permutation = choose(split.graph(), &PlanOptions::default()).permutation;
        plan.split = Some(split);
        let cut = condition(&problem, &plan, &phi_v);
        assert!(whole > 1.0 && cut > whole && cut < 1e6, "{whole} {cut}");
    }

    #[test]
    fn nothing_to_solve() {
        let mut model = Model::new("free", Space::Planar);
        model.body(Body::planar("rod", 1.0, 1.0));
        let (problem, phi_v) = evaluated(&model);
        assert_eq!(condition(&problem, &plan(&problem, true), &phi_v), 1.0);
    }
}
