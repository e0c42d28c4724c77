//! Equations in independent coordinates whose memory goes through bytes between any two steps go on with the same
//! bits, and so do those that were looked at inside their steps.

use kingpin::accel::Solver;
use kingpin::analysis::assemble;
use kingpin::dynamics::{Coordinates, Dynamics, Reduced, Trouble};
use kingpin::element::force::Spring;
use kingpin::element::joint::{Revolute, Spherical};
use kingpin::integrate::{
    Control, HilberHughesTaylor, Memory, Norm, Rosenbrock, Sdirk15, SecondOrder, Snapshot, Stepper,
    Tolerance, Trapezoidal,
};
use kingpin::model::{Body, Ends, Mat3, Model, Space, Vec3};
use kingpin::system::{State, System};

const END: f64 = 0.6;

/// A top on a swinging arm, with a stiff spring to the ground.
fn model() -> Model {
    let mut model = Model::new("top on an arm", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.5, -9.81);
    let mut arm = Body { name: "arm".into(), mass: 2.0, ..Body::default() };
    arm.inertia = Mat3::from_diagonal(&Vec3::new(0.1, 0.2, 0.25));
    arm.position = Vec3::new(0.5, 0.0, 0.0);
    let mut top = Body { name: "top".into(), mass: 1.0, ..Body::default() };
    top.inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.02, 0.03));
    top.position = Vec3::new(1.0, 0.0, 0.3);
    top.angular_velocity = Vec3::new(1.0, 0.0, 30.0);
    model.body(arm);
    model.body(top);
    model.joint("hinge", Ends::at("ground", "arm", [0.0, 0.0, 0.0]).axis([0.0, 1.0, 0.0]), Revolute {});
    model.joint("tip", Ends::at("arm", "top", [1.0, 0.0, 0.0]), Spherical {});
    let spring = Spring { stiffness: 5e3, damping: 5.0, rest_length: Some(0.4), ..Spring::default() };
    model.force("spring", Ends::points("ground", [1.0, 0.0, -0.5], "arm", [0.5, 0.0, 0.0]), spring);
    model
}

/// States after all steps, with the memory moved after every `every`-th of them and `looks` inside each step.
fn path<'a, S: Stepper<Reduced<'a>, Error = Trouble> + Snapshot>(
    (system, start, redundant, coordinates): (&'a System, &State, &[bool], Coordinates),
    make: impl Fn(Norm, &[f64]) -> S,
    every: usize,
    looks: usize,
) -> Vec<u64> {
    let fresh = || {
        let mechanism = Dynamics::new(system, redundant, Solver::Elimination);
        let reduced = Reduced::in_coordinates(mechanism, start, coordinates);
        let reduced = reduced.expect("the constraints are independent");
        let mut y = vec![0.0; 2 * reduced.dim()];
        reduced.independent(&mut y);
        let stepper = make(Norm::uniform(y.len(), Tolerance::both(1e-5)), &y);
        (reduced, stepper)
    };
    let (mut reduced, mut stepper) = fresh();
    let (mut out, mut state, mut steps) = (Vec::new(), start.clone(), 0);
    while !stepper.finished() {
        let report = stepper.step(&mut reduced).expect("the step succeeds");
        reduced.accept(stepper.t(), stepper.state()).expect("the state is consistent");
        reduced.write_state(&mut state);
        out.extend(state.q.iter().chain(&state.v).chain([&report.error, &report.t]).map(|x| x.to_bits()));
        for look in 0..looks {
            let theta = (look as f64 + 0.5) / looks as f64;
            let mut y = stepper.state().to_vec();
            stepper.dense(theta, &mut y);
            reduced.recover_at(report.t_old + theta * report.h(), &y).expect("inside the step");
        }
        stepper.rebase(&mut reduced).expect("the chart follows");
        steps += 1;
        if steps % every == 0 {
            let mut memory = Memory::default();
            memory.keep("reduced", &reduced);
            memory.keep("stepper", &stepper);
            (reduced, stepper) = fresh();
            assert_eq!(memory.recall("reduced", &mut reduced), Ok(true));
            assert_eq!(memory.recall("stepper", &mut stepper), Ok(true));
        }
    }
    assert!(steps > 10, "{steps} steps");
    out
}

#[test]
fn every_bit_of_the_reduced_form_comes_back() {
    let (system, _) = System::compile(&model()).unwrap_or_else(|findings| panic!("{findings:?}"));
    let assembly = assemble(&system).expect("the mechanism can be assembled");
    for coordinates in [Coordinates::Partition, Coordinates::Tangent] {
        check_bits((&system, &assembly.state, &assembly.diagnosis.redundant_rows[..], coordinates));
    }
}

fn check_bits(of: (&System, &State, &[bool], Coordinates)) {
    macro_rules! check {
        ($make:expr) => {
            let whole = path(of, $make, usize::MAX, 0);
            assert_eq!(path(of, $make, 1, 0), whole, "moved after every step");
            assert_eq!(path(of, $make, 7, 2), whole, "moved now and then, looked at twice a step");
        };
    }
    let free = Control::default();
    check!(|norm, y: &[f64]| Rosenbrock::new(norm, free, 0.0, y, END));
    check!(|norm, y: &[f64]| Sdirk15::new(norm, free, 0.0, y, END));
    check!(|norm, y: &[f64]| Trapezoidal::new(norm, free, 0.0, y, 0.1 * END));
    check!(|norm, y: &[f64]| HilberHughesTaylor::new(norm, Control::fixed(1e-3), 0.0, y, 0.2 * END));
}
