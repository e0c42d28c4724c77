//! The nearest state on the constraints: optimal by a dense solver, for weights of all kinds and with every solver.

use crate::common;

use common::{Random, random_body};
use kingpin::accel::Solver;
use kingpin::analysis::assemble;
use kingpin::dynamics::{ChangeWeights, Dynamics, LeastChange, Projection};
use kingpin::element::joint::{Distance, Revolute, Spherical, Universal};
use kingpin::model::{Body, Ends, Model, Space};
use kingpin::system::System;
use nalgebra::{DMatrix, DVector};

/// Three bodies in a row and a rod from the last to ground: a loop in space.
fn spatial(random: &mut Random) -> Model {
    let mut model = Model::new("loop", Space::Spatial);
    for k in 0..3 {
        model.body(random_body(&format!("b{k}"), Space::Spatial, random));
    }
    model.joint("hinge", Ends::at("ground", "b0", [0.3, 0.1, 0.0]).axis([0.2, 0.5, 1.0]), Revolute {});
    model.joint("ball", Ends::at("b0", "b1", [1.0, 0.2, 0.1]), Spherical {});
    let cross = Ends::at("b1", "b2", [1.5, 0.8, 0.4]).axes([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    model.joint("cross", cross, Universal {});
    let rod = Ends::points("b2", [0.4, 0.1, 0.2], "ground", [2.0, 2.0, 1.0]);
    model.joint("rod", rod, Distance { length: None });
    model
}

/// A planar four-bar.
fn linkage() -> Model {
    let mut model = Model::new("four_bar", Space::Planar);
    let pins = [[0.0, 0.0], [0.3, 1.0], [2.2, 1.6], [2.5, 0.0]].map(|[x, y]| [x, y, 0.0]);
    for k in 0..3 {
        let middle = [0, 1, 2].map(|c| 0.5 * (pins[k][c] + pins[k + 1][c]));
        model.body(Body::planar(&format!("bar{k}"), 1.0 + k as f64, 0.1 + 0.2 * k as f64).at(middle));
    }
    let names = ["ground", "bar0", "bar1", "bar2", "ground"];
    for k in 0..4 {
        model.joint(&format!("pin{k}"), Ends::at(names[k], names[k + 1], pins[k]), Revolute {});
    }
    model
}

/// W as a matrix.
fn matrix(system: &System, weights: &ChangeWeights) -> DMatrix<f64> {
    let n = system.velocities();
    let mut w = DMatrix::zeros(n, n);
    for k in 0..n {
        let (mut unit, mut column) = (vec![0.0; n], vec![0.0; n]);
        unit[k] = 1.0;
        match weights {
            ChangeWeights::Mass => system.mass_times(&unit, &mut column),
            ChangeWeights::Unit => column[k] = 1.0,
            ChangeWeights::Given(given) => column[k] = given[k],
        }
        w.set_column(k, &DVector::from_vec(column));
    }
    w
}

/// Phi_v at the instant of the mechanism.
fn jacobian(mechanism: &Dynamics) -> DMatrix<f64> {
    let (n, m) = (mechanism.system.velocities(), mechanism.system.joint_equations());
    let mut phi_v = DMatrix::zeros(m, n);
    for k in 0..n {
        let (mut unit, mut column) = (vec![0.0; n], vec![0.0; m]);
        unit[k] = 1.0;
        mechanism.system.jacobian_times(&mechanism.work, &unit, &mut column);
        phi_v.set_column(k, &DVector::from_vec(column));
    }
    phi_v
}

fn ways(n: usize, random: &mut Random) -> Vec<ChangeWeights> {
    let given = (0..n).map(|_| random.between(0.2, 50.0)).collect();
    vec![ChangeWeights::Mass, ChangeWeights::Unit, ChangeWeights::Given(given)]
}

#[test]
fn velocities_are_the_optimum_of_a_dense_solver() {
    let mut random = Random::new(11);
    for model in [spatial(&mut random), linkage()] {
        let (system, _) = System::compile(&model).expect("valid");
        let start = assemble(&system).expect("assembled").state;
        for weights in ways(system.velocities(), &mut random) {
            for solver in [Solver::Elimination, Solver::Pcg, Solver::Recursive] {
                let mut mechanism = Dynamics::new(&system, &[], solver);
                system.set_state(&mut mechanism.work, &start);
                let (mut q, n) = (start.q.clone(), system.velocities());
                let given: Vec<f64> = start.v.iter().map(|v| v + 0.3 * random.signed()).collect();
                let mut v = given.clone();
                let mut nearest = LeastChange::new(&mechanism, &weights);
                nearest.apply(&mut mechanism, start.t, &mut q, &mut v).expect("a state");
                // [W Phi_v^T; Phi_v 0] [x; lam] = [0; nu - Phi_v v0]
                system.set(&mut mechanism.work, start.t, &q, &given);
                system.evaluate_constraints(&mut mechanism.work);
                let (w, phi_v) = (matrix(&system, &weights), jacobian(&mechanism));
                let m = phi_v.nrows();
                let mut a = DMatrix::zeros(n + m, n + m);
                a.view_mut((0, 0), (n, n)).copy_from(&w);
                a.view_mut((0, n), (n, m)).copy_from(&phi_v.transpose());
                a.view_mut((n, 0), (m, n)).copy_from(&phi_v);
                let open = DVector::from_column_slice(&mechanism.work.nu)
                    - &phi_v * DVector::from_vec(given.clone());
                let mut b = DVector::zeros(n + m);
                b.rows_mut(n, m).copy_from(&open);
                let x = a.full_piv_lu().solve(&b).expect("regular");
                let size = x.rows(0, n).amax();
                for k in 0..n {
                    let far = (v[k] - given[k] - x[k]).abs();
                    let story = format!("{} {} {k}", solver.name(), weights.name());
                    assert!(far <= 1e-12 * size.max(1.0), "{story}: {far:e} of {size}");
                }
            }
        }
    }
}

/// How far W (q - q0) is from being a combination of rows of Phi_v, relative.
fn defect(mechanism: &Dynamics, weights: &ChangeWeights, change: &[f64]) -> f64 {
    let force = matrix(mechanism.system, weights) * DVector::from_column_slice(change);
    let rows = jacobian(mechanism).transpose();
    let lam = rows.clone().svd(true, true).solve(&force, 1e-12).expect("a least-squares solution");
    (&force - rows * lam).norm() / force.norm()
}

#[test]
fn positions_are_nearest_to_where_they_were_predicted() {
    let (system, _) = System::compile(&linkage()).expect("valid");
    let start = assemble(&system).expect("assembled").state;
    let mut random = Random::new(5);
    for weights in ways(system.velocities(), &mut random) {
        let given: Vec<f64> = start.q.iter().map(|q| q + 0.05 * random.signed()).collect();
        let mut mechanism = Dynamics::new(&system, &[], Solver::Elimination);
        system.set_state(&mut mechanism.work, &start);
        let (mut q, mut v) = (given.clone(), start.v.clone());
        let mut nearest = LeastChange::new(&mechanism, &weights);
        nearest.apply(&mut mechanism, start.t, &mut q, &mut v).expect("a state");
        assert!(mechanism.position_residual() < 1e-12 && mechanism.corrections.position_iterations > 1);
        let change: Vec<f64> = q.iter().zip(&given).map(|(a, b)| a - b).collect();
        let own = defect(&mechanism, &weights, &change);
        assert!(own < 1e-9, "{}: {own:e}", weights.name());
        if weights != ChangeWeights::Mass {
            continue;
        }
        // a projection is nearest to its last iterate: on the constraints as well, but not the nearest
        let (mut q, mut v) = (given.clone(), start.v.clone());
        Projection::new(&mechanism).apply(&mut mechanism, start.t, &mut q, &mut v).expect("a state");
        let change: Vec<f64> = q.iter().zip(&given).map(|(a, b)| a - b).collect();
        let other = defect(&mechanism, &weights, &change);
        assert!(other > 1e3 * own, "{other:e} {own:e}");
    }
}
