//! Motions driven step by step.

use crate::front_door::pendulum;
use kingpin::prelude::*;

#[test]
fn steps_and_runs_end_in_the_same_state() {
    let mechanism = Mechanism::new(pendulum()).expect("a mechanism");
    let results = mechanism.simulate().expect("results");
    let mut motion = mechanism.motion().expect("a motion");
    while motion.step().expect("a step") == Progress::Going {}
    let run = results.run().expect("a run");
    assert_eq!(run.state, *motion.state());
    assert_eq!(run.statistics, motion.run().statistics);
    assert_eq!(results.last("swing").ok(), motion.value("swing").ok());
    assert_eq!(motion.step(), Ok(Progress::Reached));
}

#[test]
fn a_motion_halts_where_it_is_told_to() {
    let mechanism = Mechanism::new(pendulum()).expect("a mechanism");
    let exact = mechanism.simulate_with(&Settings { rtol: 1e-11, ..mechanism.settings() }).expect("results");
    for method in Method::ALL {
        let tol = if method.has_fixed_step() { 1e-3 } else { 1e-4 };
        let settings = Settings { method, h: Some(2e-3), rtol: 1e-7, ..mechanism.settings() };
        let mut motion = mechanism.motion_with(&settings).expect("a motion");
        for k in 1..=20 {
            let t = 0.1 * f64::from(k);
            let progress = motion.advance_to(t).expect("progress");
            assert_eq!(progress, if k < 20 { Progress::Going } else { Progress::Reached }, "{method:?}");
            assert_eq!(motion.time(), t.min(2.0), "{method:?}");
            let frame = exact.times().iter().position(|at| (at - t).abs() < 1e-9).expect("a frame");
            let error =
                motion.value("swing").expect("a channel") - exact.series("swing").expect("a series")[frame];
            assert!(error.abs() < tol, "{method:?} at {t}: {error:e}");
        }
    }
}

#[test]
fn what_goes_on_from_a_checkpoint_has_the_same_bits() {
    let mechanism = Mechanism::new(pendulum()).expect("a mechanism");
    for method in [Method::Auto, Method::Adams, Method::ForRosen, Method::ForSdirk, Method::InflTrap] {
        let settings = Settings { method, rtol: 1e-6, ..mechanism.settings() };
        let mut motion = mechanism.motion_with(&settings).expect("a motion");
        for _ in 0..7 {
            motion.step().expect("a step");
        }
        let checkpoint = motion.checkpoint();
        let mut other = mechanism.resume(&checkpoint, &settings).expect("another");
        while motion.step().expect("a step") == Progress::Going {}
        while other.step().expect("a step") == Progress::Going {}
        assert_eq!(motion.state(), other.state(), "{method:?}");
    }
}

#[test]
fn a_checkpoint_of_another_mechanism_is_refused() {
    let mechanism = Mechanism::new(pendulum()).expect("a mechanism");
    let mut motion = mechanism.motion().expect("a motion");
    for _ in 0..3 {
        motion.step().expect("a step");
    }
    let mut model = pendulum();
    model.body(Body::planar("more", 1.0, 1.0));
    let other = Mechanism::new(model).expect("another");
    let refused = other.resume(&motion.checkpoint(), &other.settings()).err();
    assert!(matches!(refused, Some(Error::Checkpoint(_) | Error::Asked { .. })), "{refused:?}");
}

#[test]
fn a_state_goes_in_and_is_brought_onto_the_constraints() {
    let mechanism = Mechanism::new(pendulum()).expect("a mechanism");
    let mut motion = mechanism.motion().expect("a motion");
    motion.advance_to(0.5).expect("progress");
    let energy = motion.value("energy.total").expect("energy");
    // upright at rest, a little beside the circle
    let mut state = motion.state().clone();
    state.q = vec![0.001, 0.501, std::f64::consts::FRAC_PI_2];
    state.v = vec![0.0; 3];
    motion.set_state(&state).expect("a state");
    assert!((motion.state().q[1] - 0.5).abs() < 1e-3);
    let work = motion.value("energy.work").expect("work");
    assert!((motion.value("energy.total").expect("energy") - energy - work).abs() < 1e-9);
    // it takes its time to fall
    motion.advance_to(0.6).expect("progress");
    assert!(motion.value("rod.y").expect("y") > 0.499);
    // a state of something else is refused
    assert!(motion.set_state(&State::default()).is_err());
}

#[test]
fn events_are_heard_and_end_a_motion() {
    let mut model = pendulum();
    // the lowest point, from which it goes on, and the other side, where it stops
    let below = Function::closure(&["swing"], |x| x[0] + std::f64::consts::FRAC_PI_2);
    let beyond = Function::closure(&["swing"], |x| x[0] + 2.5);
    model.event(Event { name: "below".into(), when: below, action: "note".into(), ..Event::default() });
    model.event(Event { name: "beyond".into(), when: beyond, ..Event::default() });
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let mut motion = mechanism.motion().expect("a motion");
    let end = loop {
        match motion.step().expect("a step") {
            Progress::Going => {}
            other => break other,
        }
    };
    let heard: Vec<String> = motion.take_events().into_iter().map(|event| event.what).collect();
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(
        heard[0].contains("below") && matches!(end, Progress::Ended(event) if event.what.contains("beyond"))
    );
    assert!((motion.value("swing").expect("an angle") + 2.5).abs() < 1e-6);
    assert!(motion.take_events().is_empty());
}

#[test]
fn a_model_that_starts_at_equilibrium_stays_there() {
    let mut model = pendulum();
    model.simulation.start = "equilibrium".into();
    model.bodies[0].position = Vec3::new(0.3, -0.4, 0.0);
    model.bodies[0].angle = -0.9;
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let results = mechanism.simulate().expect("results");
    assert!(results.series("rod.x").expect("x").iter().all(|x| x.abs() < 1e-7));
    let modes = mechanism.modes_at_rest(&mechanism.equilibrium().expect("equilibrium").state).expect("modes");
    // sqrt(m g l / J) with l = 0.5 and J = 1/3
    let exact = (9.81_f64 * 0.5 * 3.0).sqrt() / std::f64::consts::TAU;
    assert!((modes.modes[0].frequency() - exact).abs() < 1e-9);
}

#[test]
fn accelerations_and_reactions_by_name() {
    let mechanism = Mechanism::new(pendulum()).expect("a mechanism");
    let values = mechanism.values(mechanism.state()).expect("values");
    // a rod let go from the horizontal: alpha = 3 g / 2 l, a quarter of the weight on the pin
    assert!((values.get("rod.alpha").expect("alpha") + 1.5 * 9.81).abs() < 1e-12);
    assert!((values.get("pin.fy").expect("a reaction") - 9.81 / 4.0).abs() < 1e-12);
    assert_eq!(values.iter().count(), mechanism.channels().len() - 3);
}

#[test]
fn kinematics_goes_to_any_sink() {
    let mut model = pendulum();
    let motion = Function::closure(&["t"], |x| (3.0 * x[0]).sin());
    model.driver("crank", Ends::default(), DrivenAngle { joint: "pin".into(), motion });
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let mut recording = Recording::new();
    mechanism.kinematics(1.0, 50, &mut recording).expect("kinematics");
    for (t, angle) in recording.times().iter().zip(recording.series("swing").expect("a series")) {
        assert!((angle - (3.0 * t).sin()).abs() < 1e-12);
    }
    for (t, alpha) in recording.times().iter().zip(recording.series("rod.alpha").expect("a series")) {
        assert!((alpha + 9.0 * (3.0 * t).sin()).abs() < 1e-5, "{alpha}");
    }
    // a free mechanism cannot be followed
    let free = Mechanism::new(pendulum()).expect("a mechanism");
    let refused = free.kinematics(1.0, 10, &mut recording).expect_err("free").to_string();
    assert!(refused.contains("1 degree of freedom is not driven"), "{refused}");
}
