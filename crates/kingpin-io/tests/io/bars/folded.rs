//! What solvers see of mass that points share.

use crate::bars::models::{from_file, ring, solved, straight};
use crate::bars::shared::evaluated;
use kingpin::accel::{Problem, Solver};
use kingpin::element::force::Inerter;
use kingpin::model::{Ends, Space};
use kingpin::system::System;

/// Few joints: the mass matrix of the points is factored once, and solvers have no rows but those of joints. Many: mass
/// that points share stays rows that yield. Forces balance either way.
#[test]
fn shared_mass_is_folded_where_few_joints_hold_the_points() {
    let mut stretched = straight(24, "consistent", 0.1);
    stretched.bodies[7].position.x += 0.02;
    let mut mixed = from_file();
    mixed.force("strut", Ends::points("bead", [0.0; 3], "arm", [0.1, 0.0, 0.2]), Inerter { inertance: 2.0 });
    for (model, rows) in [(ring(Space::Spatial), 0), (stretched, 24 + 2 * 23), (mixed, 5 + 3 + 1 + 3 + 3 + 1)]
    {
        let (system, _) = System::compile(&model).unwrap();
        let assembly = kingpin::analysis::assemble(&system).unwrap();
        let problem = Problem::new(&system, &[]);
        assert_eq!(problem.coupled().map(|coupled| coupled.rows), Some(rows), "{}", model.name);
        let work = evaluated(&system, &assembly.state);
        let n = system.velocities();
        for solver in Solver::ALL {
            let found = solved(&system, &work, solver);
            let (mut inertia, mut held) = (vec![0.0; n], vec![0.0; n]);
            system.mass_times(&found.acc, &mut inertia);
            system.add_shared_inertia(&work, &found.acc, &mut inertia);
            system.transpose_times(&work, &found.lam, &mut held);
            let left = |k: usize| (inertia[k] + held[k] - work.force[k]).abs();
            let worst = (0..n).map(left).fold(0.0, f64::max);
            assert!(worst < 1e-9, "{} {}: {worst:e}", model.name, solver.name());
        }
    }
}
