//! Linear systems about a state.

use kingpin::prelude::*;

/// A mass on a guide with spring, damper and an input, and a pendulum hanging from it; in space.
fn crane_model() -> Model {
    let mut model = Model::new("crane", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    model.body(Body::spatial("trolley", 3.0, [0.1, 0.1, 0.1]));
    model.body(Body::spatial("load", 1.5, [0.02, 0.02, 0.02]).at([0.0, 0.0, -2.0]));
    model.joint("rail", Ends::at("ground", "trolley", [0.0; 3]).axis([1.0, 0.0, 0.0]), Translational {});
    model.joint("rope", Ends::at("trolley", "load", [0.0; 3]).axis([0.0, 1.0, 0.0]), Revolute {});
    let spring = Spring { stiffness: 40.0, damping: 2.0, rest_length: Some(1.0), ..Spring::default() };
    model.force("spring", Ends::points("ground", [-1.0, 0.0, 0.0], "trolley", [0.0; 3]), spring);
    for (name, gain) in [("push", 1.0), ("pull", -3.0)] {
        model.input(name, 0.0);
        let magnitude = Function::closure(&[name], move |x| gain * x[0]);
        let motor = AppliedForce { magnitude, direction: Vec3::new(1.0, 0.0, 0.0), body_fixed: false };
        model.force(&format!("motor_{name}"), Ends::on("trolley", [0.0; 3]), motor);
    }
    model
}

fn crane() -> Mechanism {
    Mechanism::new(crane_model()).expect("a mechanism")
}

/// Inputs act on a mechanism in motion with an inerter as accelerations say.
#[test]
fn inputs_of_a_moving_crane_with_an_inerter() {
    let mut model = crane_model();
    let ends = Ends::points("ground", [1.0, 0.0, -3.0], "load", [0.0; 3]);
    model.force("flywheel", ends, Inerter { inertance: 2.0 });
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let settings = Settings { t_end: 1.0, ..mechanism.settings() };
    let mut motion = mechanism.motion_with(&settings).expect("a motion");
    motion.set_input("push", 30.0).expect("an input");
    motion.advance_to(0.5).expect("progress");
    assert!(motion.value("load.vx").expect("a speed").abs() > 0.1);
    let outputs = ["trolley.x", "trolley.ax"];
    let linear = mechanism.linearise(motion.state(), &["pull", "push"], &outputs).expect("a linear system");
    let through = linear.c.row(0) * &linear.a * &linear.b;
    for k in 0..2 {
        let at_once = linear.d[(1, k)];
        assert!((through[k] - at_once).abs() < 1e-8 && at_once.abs() > 0.1, "{through} {at_once}");
    }
}

#[test]
fn the_matrices_of_a_crane() {
    let mechanism = crane();
    let rest = mechanism.equilibrium().expect("equilibrium").state;
    let outputs = ["trolley.x", "rope.angle", "trolley.ax"];
    let linear = mechanism.linearise(&rest, &["pull", "push"], &outputs).expect("a linear system");
    assert_eq!(linear.inputs, ["pull", "push"]);
    assert_eq!((linear.a.shape(), linear.b.shape()), ((4, 4), (4, 2)));
    assert_eq!((linear.c.shape(), linear.d.shape()), ((3, 4), (3, 2)));
    // eigenvalues are those of the modes
    let mut poles: Vec<(f64, f64)> =
        linear.a.complex_eigenvalues().iter().filter(|x| x.im > 0.0).map(|x| (x.re, x.im)).collect();
    poles.sort_by(|a, b| b.1.total_cmp(&a.1));
    let modes = mechanism.modes_at_rest(&rest).expect("modes");
    for (pole, mode) in poles.iter().zip(&modes.modes) {
        assert!((pole.0 - mode.real).abs() < 1e-9 && (pole.1 - mode.imaginary).abs() < 1e-9);
    }
    // what an input does at once: accelerations of all states, and of the output
    let ax = linear.d.row(2);
    assert!((ax[0] + 3.0 * ax[1]).abs() < 1e-9 && ax[1] > 0.0);
    // C follows A: the third output is a combination of rates that A gives
    let rate_rows = linear.c.row(0) * &linear.a * &linear.a;
    for k in 0..4 {
        assert!((rate_rows[k] - linear.c[(2, k)]).abs() < 1e-7, "{k}");
    }
    let through = linear.c.row(0) * &linear.a * &linear.b;
    assert!((through[0] - linear.d[(2, 0)]).abs() < 1e-9);
}

#[test]
fn a_small_step_response_is_that_of_the_linear_system() {
    let mechanism = crane();
    let rest = mechanism.equilibrium().expect("equilibrium").state;
    let linear = mechanism.linearise(&rest, &["push"], &["trolley.x"]).expect("a linear system");
    let settings = Settings { rtol: 1e-10, t_end: 1.0, ..mechanism.settings() };
    let mut motion = mechanism.motion_with(&settings).expect("a motion");
    motion.set_state(&rest).expect("a state");
    let before = motion.value("trolley.x").expect("x");
    motion.set_input("push", 1e-3).expect("an input");
    motion.advance_to(1.0).expect("progress");
    let moved = motion.value("trolley.x").expect("x") - before;
    // x(1) of x' = A x + B u by many small steps of the exponential's series
    let (n, mut x) = (2000, linear.b.column(0) * 0.0);
    let h = 1.0 / f64::from(n);
    for _ in 0..n {
        let rate = |x: &_| &linear.a * x + linear.b.column(0) * 1e-3;
        let k1 = rate(&x);
        let k2 = rate(&(&x + &k1 * (0.5 * h)));
        let k3 = rate(&(&x + &k2 * (0.5 * h)));
        let k4 = rate(&(&x + &k3 * h));
        x += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0);
    }
    let predicted = (&linear.c * &x)[0];
    assert!((moved - predicted).abs() < 1e-3 * predicted.abs(), "{moved:e} {predicted:e}");
}
