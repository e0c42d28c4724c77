//! Nodes of one coordinate, alone and with frames and points: against formulas, and against points held on a line.

use crate::shared;

use kingpin::accel::{Accelerator, Solver};
use kingpin::dynamics::{Dynamics, End, Method, Settings, Unwatched, equilibrium, modes, simulate_with};
use kingpin::element::force::Spring;
use kingpin::element::joint::{AbsoluteY, Distance, PointOnLine};
use kingpin::model::{Body, Ends, Model, Space};
use kingpin::results::Channels;
use kingpin::system::{State, System};
use kingpin_io::Overrides;
use shared::{evaluated, ready};
use std::f64::consts::PI;
use std::path::Path;

/// Scalars of the oscillator.
const K: usize = 5;
const STIFFNESS: f64 = 80.0;
const MASS: f64 = 0.4;

/// k scalars between walls, springs between neighbours, in the shape of a mode.
fn oscillator(space: Space, mode: usize, amplitude: f64) -> Model {
    let mut model = Model::new("oscillator", space);
    model.gravity = Default::default();
    let name = |k: usize| if k == 0 || k > K { "ground".to_string() } else { format!("s{k}") };
    for k in 1..=K {
        let shape = (PI * (k * mode) as f64 / (K + 1) as f64).sin();
        model.body(Body::scalar(&name(k), MASS).at([k as f64 + amplitude * shape, 0.0, 0.0]));
    }
    for k in 0..=K {
        let mut ends = Ends::bodies(&name(k), &name(k + 1));
        if k == 0 {
            ends.point1 = Some(Default::default());
        }
        if k == K {
            ends.point2 = Some([(K + 1) as f64, 0.0, 0.0].into());
        }
        let spring = Spring { stiffness: STIFFNESS, rest_length: Some(1.0), ..Spring::default() };
        model.force(&format!("c{k}"), ends, spring);
    }
    model
}

fn frequency(mode: usize) -> f64 {
    2.0 * (STIFFNESS / MASS).sqrt() * (0.5 * PI * mode as f64 / (K + 1) as f64).sin()
}

fn run(
    system: &System,
    start: &State,
    method: Method,
    solver: Solver,
    (tolerance, end): (f64, f64),
) -> State {
    let h = method.has_fixed_step().then_some(1e-3);
    let settings = Settings { method, solver, h, ..Settings::new(tolerance, end) };
    let run = simulate_with(Dynamics::new(system, &[], solver), start, &settings, &mut Unwatched);
    assert_eq!(run.end, End::Reached, "{} {}", method.name(), solver.name());
    run.state
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
}

#[test]
fn an_oscillator_of_k_scalars_moves_by_its_modes() {
    for space in [Space::Planar, Space::Spatial] {
        let (system, assembly) = ready(&oscillator(space, 2, 0.1));
        assert_eq!((system.coordinates(), system.velocities(), system.constraints()), (K, K, 0));
        for method in Method::ALL {
            let state = run(&system, &assembly.state, method, Solver::Auto, (1e-7, 0.5));
            let expected: Vec<f64> = (1..=K)
                .map(|k| {
                    let shape = (PI * (2 * k) as f64 / (K + 1) as f64).sin();
                    k as f64 + 0.1 * shape * (0.5 * frequency(2)).cos()
                })
                .collect();
            let (error, most) =
                (apart(&state.q, &expected), if method.has_fixed_step() { 1e-3 } else { 1e-5 });
            assert!(error < most, "{} {space:?}: {error:e}", method.name());
        }
        let found = equilibrium(&system, &assembly.state, &[]).unwrap();
        let rest: Vec<f64> = (1..=K).map(|k| k as f64).collect();
        assert!(apart(&found.state.q, &rest) < 1e-9);
        let modes = modes(&system, &found.state, &[]).unwrap();
        assert_eq!((modes.dof, modes.modes.len()), (K, K));
        let mut found: Vec<f64> = modes.modes.iter().map(|mode| mode.imaginary).collect();
        found.sort_by(f64::total_cmp);
        let expected: Vec<f64> = (1..=K).map(frequency).collect();
        assert!(apart(&found, &expected) < 1e-8, "{found:?} {expected:?}");
    }
}

fn mixed() -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/scalar.toml");
    kingpin_io::read_path(&path, &Overrides::none()).model.unwrap()
}

/// The same with a point that a joint holds on the line.
fn held(mut model: Model) -> Model {
    let slider = model.bodies.iter().position(|body| body.scalar).unwrap();
    model.bodies[slider].scalar = false;
    if model.space == Space::Planar {
        model.joint(
            "rail",
            Ends { body: Some("slider".into()), ..Ends::default() },
            AbsoluteY { value: Some(0.0) },
        );
    } else {
        let ends = Ends::bodies("ground", "slider").axis([1.0, 0.0, 0.0]);
        model.joint("rail", ends, PointOnLine {});
    }
    model
}

/// Places of all bodies and what joints carry, by names that both models have.
fn channels(system: &System, state: &State, solver: Solver) -> Vec<f64> {
    let (channels, work) = (Channels::new(system), evaluated(system, state));
    let mut accelerator = Accelerator::new(system, &[], solver);
    let mut result = accelerator.result();
    accelerator.solve(system, &work, &mut result).unwrap();
    let mut values = vec![0.0; channels.len()];
    channels.fill(system, &work, &result, &mut values);
    let wanted = |name: &str| !name.starts_with("rail");
    let all = channels.list().iter().zip(values);
    all.filter(|(channel, _)| wanted(&channel.name)).map(|(_, value)| value).collect()
}

/// Frame, scalar and point in one mechanism: by every solver, the accelerations and reactions of a point on a line.
#[test]
fn a_scalar_is_a_point_that_something_holds_on_a_line() {
    let ((system, assembly), (other, given)) = (ready(&mixed()), ready(&held(mixed())));
    assert_eq!((system.coordinates(), system.velocities()), (7 + 1 + 3, 6 + 1 + 3));
    let reference = channels(&other, &given.state, Solver::ReducedDense);
    for solver in Solver::ALL {
        let values = channels(&system, &assembly.state, solver);
        assert_eq!(values.len(), reference.len());
        assert!(apart(&values, &reference) < 1e-9, "{}: {:e}", solver.name(), apart(&values, &reference));
    }
}

#[test]
fn every_method_and_solver_finds_the_motion_of_the_held_point() {
    let ((system, assembly), (other, given)) = (ready(&mixed()), ready(&held(mixed())));
    let end = run(&other, &given.state, Method::Dop853, Solver::Auto, (1e-11, 0.6));
    let reference = channels(&other, &end, Solver::ReducedDense);
    let places = |state: &State| channels(&system, state, Solver::ReducedDense);
    for solver in Solver::ALL {
        let state = run(&system, &assembly.state, Method::Dop853, solver, (1e-10, 0.6));
        let error = apart(&places(&state)[..7], &reference[..7]);
        assert!(error < 1e-6, "{}: {error:e}", solver.name());
    }
    for method in Method::ALL {
        let state = run(&system, &assembly.state, method, Solver::Auto, (1e-7, 0.6));
        let error = apart(&places(&state)[..7], &reference[..7]);
        let most = if method.has_fixed_step() { 1e-2 } else { 1e-4 };
        assert!(error < most, "{}: {error:e}", method.name());
    }
}

/// The same in the plane, where a frame has as many velocities as a point in space.
#[test]
fn a_scalar_in_the_plane() {
    let mut model = oscillator(Space::Planar, 1, 0.2);
    model.gravity.y = -9.81;
    model.body(Body::planar("rod", 1.0, 0.1).at([3.0, -0.5, 0.0]));
    model.body(Body::point("slider", 0.3).at([3.5, 0.0, 0.0]));
    let last = model.bodies.len() - 1;
    model.bodies[last].scalar = true;
    let mut ends = Ends::bodies("s3", "rod");
    ends.point2 = Some([0.0, 0.2, 0.0].into());
    model.joint("hanger", ends, Distance::default());
    let mut ends = Ends::bodies("slider", "rod");
    ends.point2 = Some([0.2, 0.0, 0.0].into());
    model.joint("link", ends, Distance::default());
    // only the slider is exchanged: the others stay scalars
    let mut other = model.clone();
    other.bodies[last].scalar = false;
    other.joint(
        "rail",
        Ends { body: Some("slider".into()), ..Ends::default() },
        AbsoluteY { value: Some(0.0) },
    );
    let ((system, assembly), (other, given)) = (ready(&model), ready(&other));
    let reference = channels(&other, &given.state, Solver::ReducedDense);
    for solver in Solver::ALL {
        let error = apart(&channels(&system, &assembly.state, solver), &reference);
        assert!(error < 1e-9, "{}: {error:e}", solver.name());
    }
    let end = run(&other, &given.state, Method::Dop853, Solver::Auto, (1e-11, 0.4));
    let reference = channels(&other, &end, Solver::ReducedDense);
    for method in [Method::ForSdirk, Method::ForRosen, Method::InflTrap, Method::SspTrap, Method::Radau] {
        let state = run(&system, &assembly.state, method, Solver::Auto, (1e-8, 0.4));
        let error = apart(&channels(&system, &state, Solver::ReducedDense)[..9], &reference[..9]);
        assert!(error < 1e-4, "{}: {error:e}", method.name());
    }
}
