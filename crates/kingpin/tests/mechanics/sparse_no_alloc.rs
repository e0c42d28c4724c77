//! Once a few steps were taken, steps of implicit methods with sparse matrices allocate nothing.
use crate::common;

use common::{Random, random_body};
use kingpin::accel::Solver;
use kingpin::analysis::assemble;
use kingpin::dynamics::{Bordered, Dynamics, Whole};
use kingpin::element::force::{Bushing, Inerter};
use kingpin::element::joint::{Revolute, Spherical};
use kingpin::integrate::{
    Begin, Control, EsdirkFormula, Implicit, Norm, RadauFormula, RosenbrockFormula, Scheme, Sdirk15Formula,
    Solution, Stepper, Tolerance, TrapezoidalRule,
};
use kingpin::model::{Ends, Model, Space, Vec3};
use kingpin::system::System;
use kingpin_testing::counting::allocations;

/// A closed loop with a bushing and an inertance.
fn model() -> Model {
    let (mut model, mut random) = (Model::new("loop", Space::Spatial), Random::new(5));
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let names = ["a", "b", "c", "d"];
    for (k, name) in names.iter().enumerate() {
        let mut body = random_body(name, Space::Spatial, &mut random);
        (body.com, body.velocity, body.angular_velocity) = (None, Vec3::zeros(), Vec3::zeros());
        model.body(body);
        let (carrier, at) = (if k == 0 { "ground" } else { names[k - 1] }, [k as f64, 0.3, 0.1]);
        let ends = Ends::at(carrier, name, at);
        match k {
            0 | 3 => model.joint(&format!("joint {k}"), ends.axis([0.2, 1.0, 0.1]), Revolute {}),
            _ => model.joint(&format!("joint {k}"), ends, Spherical {}),
        };
    }
    model.joint("end", Ends::at("d", "ground", [3.5, 0.7, 0.4]), Spherical {});
    let law = Bushing { stiffness: Vec3::new(3e3, 2e3, 1e3), ..Bushing::default() };
    model.force("bushing", Ends::at("ground", "b", [1.0, 2.0, 0.0]), law);
    let ends = Ends::points("a", [0.1, 0.0, 0.0], "c", [0.0, 0.2, 0.0]);
    model.force("inerter", ends, Inerter { inertance: 0.3 });
    model
}

fn check<S: Scheme, const EXACT: bool>(name: &str) {
    let (system, _) = System::compile(&model()).expect("a model");
    let assembly = assemble(&system).expect("assembled");
    let mechanism = Dynamics::new(&system, &assembly.diagnosis.redundant_rows, Solver::Elimination);
    let mut whole = Whole::<EXACT>::new(mechanism, &assembly.state).expect("independent");
    let mut y = vec![0.0; 2 * system.velocities()];
    whole.coordinates(&mut y);
    let norm = Norm::uniform(y.len(), Tolerance::both(1e-6));
    let mut stepper: Implicit<S, Bordered<EXACT>> = Begin::begin(norm, Control::fixed(1e-3), 0.0, &y, 1.0);
    let mut some = |steps: usize| {
        allocations(|| {
            for _ in 0..steps {
                assert!(stepper.step(&mut whole).is_ok(), "{name}");
                assert!(whole.take_over(stepper.t(), stepper.state()).is_ok(), "{name}");
            }
        })
    };
    assert!(some(5) > 0, "{name}: the first steps make room");
    assert_eq!(some(10), 0, "{name}");
}

#[test]
fn steps_allocate_nothing() {
    check::<TrapezoidalRule, false>("trapezoidal");
    check::<Sdirk15Formula, false>("sdirk");
    check::<EsdirkFormula, false>("esdirk");
    check::<RadauFormula, false>("radau");
    check::<RosenbrockFormula, true>("rosenbrock");
}
