//! Ways to keep explicit methods on the constraints: the same motion, and what is left without any.

use crate::motion::Ready;
use kingpin::accel::Solver;
use kingpin::dynamics::{ChangeWeights, End, Method, Run, Settings, Stabilisation, Unwatched, simulate};

fn settings(method: Method, kind: Stabilisation, weights: ChangeWeights, t_end: f64) -> Settings {
    let plain = Settings::new(1e-6, t_end);
    Settings { method, stabilisation: kind, stabilisation_weights: weights, ..plain }
}

fn run(ready: &Ready, settings: &Settings) -> Run {
    let run = simulate(&ready.system, &ready.start, &ready.redundant, settings, &mut Unwatched);
    assert_eq!(run.end, End::Reached);
    run
}

#[test]
fn the_nearest_state_gives_the_same_motion() {
    for (name, t_end) in [("four_bar.toml", 1.0), ("hmmwv14.toml", 0.2), ("door.toml", 1.0)] {
        let ready = Ready::shipped(name);
        for method in [Method::Dop853, Method::Dopri5, Method::Adams] {
            let projected =
                run(&ready, &settings(method, Stabilisation::Projection, ChangeWeights::Mass, t_end));
            for (weights, solver) in [
                (ChangeWeights::Mass, Solver::Auto),
                (ChangeWeights::Mass, Solver::Pcg),
                (ChangeWeights::Unit, Solver::Elimination),
            ] {
                let own = settings(method, Stabilisation::Optimisation, weights, t_end);
                let nearest = run(&ready, &Settings { solver, ..own });
                let story = format!("{name} {} {}", method.name(), solver.name());
                assert!(nearest.position_residual < 1e-12, "{story}: {:e}", nearest.position_residual);
                assert!(nearest.velocity_residual < 1e-9, "{story}: {:e}", nearest.velocity_residual);
                assert!(nearest.corrections.systems > 0, "{story}");
                let pairs = nearest.state.q.iter().zip(&projected.state.q);
                let far = pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                assert!(far < 2e-4, "{story}: {far:e}");
            }
        }
    }
}

/// With a method of many steps the factor for velocities gives the accelerations too, and PCG factors nothing at all.
#[test]
fn one_factor_serves_velocities_and_accelerations() {
    let ready = Ready::shipped("hmmwv14.toml");
    let own = settings(Method::Adams, Stabilisation::Optimisation, ChangeWeights::Mass, 0.2);
    let direct = run(&ready, &Settings { solver: Solver::Elimination, ..own.clone() }).corrections;
    assert!(direct.factorisations > 0 && direct.solver_iterations == 0, "{direct:?}");
    let shared = run(&ready, &Settings { solver: Solver::Pcg, ..own }).corrections;
    assert!(shared.factorisations == 0 && shared.solver_iterations > 0, "{shared:?}");
}

#[test]
fn without_any_errors_add_up() {
    let ready = Ready::shipped("four_bar.toml");
    let of = |t_end: f64| {
        let own = settings(Method::Dopri5, Stabilisation::None, ChangeWeights::Mass, t_end);
        let run = run(&ready, &own);
        assert_eq!(run.corrections.systems, 0);
        run.position_residual
    };
    let (short, long) = (of(1.0), of(10.0));
    assert!(short > 1e-9 && long > 3.0 * short, "{short:e} {long:e}");
}

/// Whoever looks in between changes nothing.
#[test]
fn frames_change_no_bit() {
    let ready = Ready::shipped("hmmwv14.toml");
    for method in [Method::Adams, Method::Dopri5, Method::Dop853] {
        for solver in [Solver::Elimination, Solver::Pcg] {
            let of = |frame: Option<f64>| {
                let own = settings(method, Stabilisation::Optimisation, ChangeWeights::Mass, 0.1);
                let run = run(&ready, &Settings { solver, frame, ..own });
                (run.state, run.corrections, run.iterations)
            };
            let alone = of(None);
            assert!(of(Some(0.0037)) == alone, "{} {}", method.name(), solver.name());
        }
    }
}
