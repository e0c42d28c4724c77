//! Inputs that a program sets between steps.

use kingpin::prelude::*;

/// A cart of two kilograms on a rail, pushed by an input.
fn cart(push: Function) -> Model {
    let mut model = Model::new("cart", Space::Planar);
    model.body(Body::planar("cart", 2.0, 1.0));
    model.joint("rail", Ends::at("ground", "cart", [0.0; 3]).axis([1.0, 0.0, 0.0]), Translational {});
    model.input("push", 0.0);
    let direction = Vec3::new(1.0, 0.0, 0.0);
    let motor = AppliedForce { magnitude: push, direction, body_fixed: false };
    model.force("motor", Ends::on("cart", [0.0; 3]), motor);
    model.simulation.t_end = 3.0;
    model
}

#[test]
fn inputs_act_from_the_instant_they_are_set() {
    let mechanism = Mechanism::new(cart(Function::closure(&["push"], |x| x[0]))).expect("a mechanism");
    for method in [Method::Auto, Method::Adams, Method::ForRosen, Method::ForSdirk, Method::SspTrap] {
        let settings = Settings { method, rtol: 1e-9, ..mechanism.settings() };
        let mut motion = mechanism.motion_with(&settings).expect("a motion");
        // before the first step too: one second of 1 m/s^2, one of nothing, one of -1 m/s^2
        for (t, push) in [(1.0, 2.0), (2.0, 0.0), (3.0, -2.0)] {
            motion.set_input("push", push).expect("an input");
            assert_eq!(motion.input("push"), Ok(push));
            motion.advance_to(t).expect("progress");
        }
        let (x, v) = (motion.value("cart.x").expect("x"), motion.value("cart.vx").expect("vx"));
        assert!((x - 2.0).abs() < 1e-7 && v.abs() < 1e-7, "{method:?}: {x} {v}");
        // the account knows what the motor did: two joules in, two out
        assert!(motion.value("energy.balance").expect("a balance").abs() < 1e-7, "{method:?}");
    }
    let mut motion = mechanism.motion().expect("a motion");
    assert!(motion.set_input("push", f64::NAN).is_err());
}

#[test]
fn a_checkpoint_holds_inputs() {
    let mechanism = Mechanism::new(cart(Function::closure(&["push"], |x| x[0]))).expect("a mechanism");
    let mut motion = mechanism.motion().expect("a motion");
    motion.set_input("push", 4.0).expect("an input");
    motion.advance_to(1.0).expect("progress");
    let mut other = mechanism.resume(&motion.checkpoint(), &mechanism.settings()).expect("a motion");
    for motion in [&mut motion, &mut other] {
        motion.set_input("push", 1.0).expect("an input");
        motion.advance_to(3.0).expect("progress");
    }
    assert_eq!(motion.state(), other.state());
}

#[test]
fn inputs_of_model_files_reach_expressions() {
    let text = "
        space = 'planar'
        [[input]]
        name = 'push'
        value = 1.5
        [[body]]
        name = 'cart'
        mass = 2
        inertia = 1
        [[joint]]
        type = 'translational'
        name = 'rail'
        body1 = 'ground'
        body2 = 'cart'
        axis = [1, 0]
        [[force]]
        type = 'force'
        name = 'motor'
        body = 'cart'
        direction = [1, 0]
        magnitude = 'max(2 * push, 1)'
    ";
    let loaded = kingpin_io::read_text("cart.toml", text, ".", &kingpin_io::Overrides::none());
    let mechanism =
        Mechanism::new(loaded.model.clone().unwrap_or_else(|| panic!("{}", loaded.render(false))));
    let mechanism = mechanism.expect("a mechanism");
    assert_eq!(mechanism.inputs(), ["push"]);
    let mut motion = mechanism.motion().expect("a motion");
    assert_eq!(motion.value("motor.force"), Ok(3.0));
    motion.step().expect("a step");
    // the corner of the expression lies between the two values
    motion.set_input("push", -7.0).expect("an input");
    assert_eq!(motion.value("motor.force"), Ok(1.0));
    motion.step().expect("a step");
    assert!((motion.value("cart.ax").expect("ax") - 0.5).abs() < 1e-12);
    // and the file comes back
    let again = kingpin_io::to_toml(mechanism.model());
    let loaded = kingpin_io::read_text("again.toml", &again, ".", &kingpin_io::Overrides::none());
    assert_eq!(loaded.model.expect("a model").inputs, mechanism.model().inputs);
}
