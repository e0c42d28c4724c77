//! What programs are told when something fails.

use crate::front_door::pendulum;
use kingpin::dynamics::{Coordinates, Matrices};
use kingpin::prelude::*;

fn refused(model: Model) -> String {
    Mechanism::new(model).expect_err("refused").to_string()
}

#[test]
fn models_that_make_no_sense() {
    let mut model = pendulum();
    model.bodies[0].mass = -1.0;
    model.joint("pin", Ends::at("ground", "rdo", [0.0; 3]), Revolute {});
    let said = refused(model);
    for part in ["error: body `rod`, `mass`: ", "joint `pin`", "`rdo`", "did you mean `rod`?"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn models_that_cannot_be_assembled() {
    let mut model = pendulum();
    model.joint("far", Ends::points("ground", [5.0, 0.0, 0.0], "rod", [0.0; 3]), Revolute {});
    let said = refused(model);
    assert!(said.contains("contradict each other") && said.contains("help: "), "{said}");
}

#[test]
fn runs_that_cannot_go_on() {
    let mut model = pendulum();
    let magnitude = Function::closure(&["t"], |x| (1.0 - x[0]).sqrt());
    model.force("brake", Ends::on("rod", [0.0; 3]), AppliedTorque { magnitude, ..AppliedTorque::default() });
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let mut recording = Recording::new();
    let failed = mechanism.simulate_into(&mechanism.settings(), &mut recording).expect_err("failed");
    let said = failed.to_string();
    for part in ["the run failed at t = ", "of 2 s: ", "why: Force `brake`", "try: make `brake` finite"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // settings are written as a program has them, and what came before is kept
    assert!(said.contains("`t_end = 0.99") && !said.contains("--"), "{said}");
    assert!(recording.times().last().is_some_and(|t| *t > 0.9));
    // step by step it is the same failure
    let mut motion = mechanism.motion().expect("a motion");
    let stepped = loop {
        match motion.step() {
            Ok(Progress::Going) => {}
            other => break other,
        }
    };
    assert!(matches!(stepped, Err(Error::Run(failure)) if (0.9..1.0).contains(&failure.t)));
    // and once it is over it stays over
    assert!(motion.step().is_err());
}

#[test]
fn settings_that_make_no_sense() {
    let mechanism = Mechanism::new(pendulum()).expect("a mechanism");
    for (settings, part) in [
        (Settings { rtol: 1e-20, ..mechanism.settings() }, "below round-off"),
        (Settings { rtol: f64::NAN, ..mechanism.settings() }, "invalid tolerance"),
        (Settings { method: Method::Newmark, ..mechanism.settings() }, "needs a step size"),
        (
            Settings {
                matrices: Matrices::Sparse,
                coordinates: Coordinates::Partition,
                ..mechanism.settings()
            },
            "sparse matrices are not available with coordinate partitioning",
        ),
    ] {
        let said = mechanism.simulate_with(&settings).expect_err("refused").to_string();
        assert!(said.contains(part) && said.contains("help: "), "{said}");
    }
}

#[test]
fn a_sink_that_fails_ends_the_run() {
    struct Broken(usize);
    impl Sink for Broken {
        fn begin(&mut self, _: &kingpin::results::Channels) -> Result<(), SinkError> {
            Ok(())
        }
        fn row(&mut self, _: f64, _: &[f64]) -> Result<(), SinkError> {
            self.0 += 1;
            if self.0 > 3 { Err("no more room".into()) } else { Ok(()) }
        }
    }
    let mechanism = Mechanism::new(pendulum()).expect("a mechanism");
    let mut sink = Broken(0);
    let failed = mechanism.simulate_into(&mechanism.settings(), &mut sink).expect_err("failed");
    assert_eq!(failed.to_string(), "the results could not be stored: no more room");
    assert_eq!(sink.0, 4);
}

#[test]
fn all_errors_are_errors() {
    fn is_error<E: std::error::Error + 'static>() {}
    is_error::<Error>();
    is_error::<FailureReport>();
    is_error::<kingpin::accel::AccelFailure>();
    is_error::<kingpin::analysis::AssemblyFailure>();
    is_error::<kingpin::dynamics::Trouble>();
    is_error::<kingpin::dynamics::NoEquilibrium>();
    is_error::<kingpin::dynamics::NoModes>();
    is_error::<kingpin::dynamics::KinematicFailure>();
    is_error::<kingpin::integrate::Unfit>();
    is_error::<kingpin_io::ReadError>();
}
