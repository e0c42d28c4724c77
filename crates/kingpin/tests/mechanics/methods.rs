//! Every method of integration by name, on one mechanism.

use kingpin::analysis::assemble;
use kingpin::dynamics::{Dynamics, End, Method, Settings, Unwatched, simulate_with};
use kingpin::element::force::Spring;
use kingpin::element::joint::{Revolute, Universal};
use kingpin::model::{Body, Ends, Mat3, Model, Space, Vec3};
use kingpin::system::{State, System};

/// A double pendulum with a universal joint and a spring.
fn model() -> Model {
    let mut model = Model::new("double pendulum", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    for (name, x) in [("upper", 0.5), ("lower", 1.5)] {
        let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.09, 0.1));
        let position = Vec3::new(x, 0.0, 0.0);
        model.body(Body { name: name.into(), mass: 1.0, inertia, position, ..Body::default() });
    }
    model.joint("hinge", Ends::at("ground", "upper", [0.0; 3]).axis([0.0, 1.0, 0.1]), Revolute {});
    let ends = Ends::at("upper", "lower", [1.0, 0.0, 0.0]).axes([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    model.joint("cross", ends, Universal {});
    let spring = Spring { stiffness: 60.0, damping: 1.0, rest_length: Some(0.8), ..Spring::default() };
    model.force("spring", Ends::points("ground", [0.2, 0.3, 0.9], "lower", [0.1, 0.0, 0.0]), spring);
    model
}

#[test]
fn all_methods_agree() {
    let (system, _) = System::compile(&model()).unwrap_or_else(|findings| panic!("{findings:?}"));
    let assembly = assemble(&system).expect("the mechanism can be assembled");
    let run = |method: Method, tolerance: f64, h: Option<f64>| {
        let settings = Settings { method, h, ..Settings::new(tolerance, 0.5) };
        let redundant = &assembly.diagnosis.redundant_rows;
        let run = simulate_with(
            Dynamics::new(&system, redundant, settings.solver),
            &assembly.state,
            &settings,
            &mut Unwatched,
        );
        assert_eq!(run.end, End::Reached, "{}", method.name());
        run
    };
    let reference = run(Method::Dop853, 1e-11, None).state;
    let error = |state: &State| {
        let numbers = state.q.iter().zip(&reference.q).chain(state.v.iter().zip(&reference.v));
        numbers.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
    };
    for method in Method::ALL {
        let (name, run_by) = (method.name(), |tolerance, h| run(method, tolerance, h));
        if method.has_fixed_step() {
            // without a step of the user's there are a thousand
            let (long, short) = (run_by(1e-8, None), run_by(1e-8, Some(0.5 / 2000.0)));
            assert_eq!((long.statistics.steps, short.statistics.steps), (1000, 2000), "{name}");
            let (long, short) = (error(&long.state), error(&short.state));
            assert!(long < 2e-4 && (long / short - 4.0).abs() < 0.5, "{name}: {long:e} {short:e}");
        } else {
            let error = error(&run_by(1e-6, None).state);
            assert!(error < 2e-5, "{name}: {error:e}");
        }
    }
}
