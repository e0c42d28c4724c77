//! Runs with the iterative solver: the same motions, few iterations, and no bit that depends on who looks.

use crate::motion::{Frames, Ready};
use kingpin::accel::Solver;
use kingpin::dynamics::{Dynamics, End, Method, Settings, Unwatched, simulate};
use kingpin_testing::models;
use std::path::PathBuf;

const PCG: [Solver; 3] = [Solver::Pcg, Solver::PcgJacobi, Solver::PcgIncomplete];

/// Shipped models, and for how long they run.
pub const MODELS: [(&str, f64); 19] = [
    ("andrews.toml", 0.02),
    ("andrews_spatial.toml", 0.01),
    ("cable_swing.toml", 2e-3),
    ("cantilever.toml", 2e-5),
    ("chain50.toml", 0.2),
    ("conical_pendulum.toml", 0.5),
    ("door.toml", 1.0),
    ("double_pendulum_stiff.toml", 0.2),
    ("flexible_four_bar.toml", 2e-5),
    ("four_bar.toml", 0.5),
    ("hmmwv14.toml", 0.2),
    ("hmmwv14_stiff.toml", 0.1),
    ("jansen.toml", 0.3),
    ("pendulum.toml", 0.5),
    ("robot_arm_flexible.toml", 1e-5),
    ("slider_crank.toml", 0.5),
    ("slider_crank_flexible.toml", 1e-5),
    ("spinning_beam.toml", 1e-3),
    ("stewart.toml", 0.3),
];

/// Hinged rods in a row, as a curved chain that falls.
pub fn chain(links: usize) -> String {
    let mut text = String::from("name = 'chain'\nspace = 'planar'\ngravity = [0, -9.81]\n");
    let (mut x, mut y) = (0.0, 0.0);
    for k in 0..links {
        let angle = -0.3 * (k as f64).sin();
        let (dx, dy) = (angle.cos(), angle.sin());
        let before = if k == 0 { "ground".into() } else { format!("b{}", k - 1) };
        text += &format!(
            "[[body]]\nname = 'b{k}'\nmass = 1\ninertia = '1/12'\nposition = [{:?}, {:?}]\nangle = {angle:?}\n\
             [[joint]]\ntype = 'revolute'\nname = 'j{k}'\nbody1 = '{before}'\nbody2 = 'b{k}'\nat = [{x:?}, {y:?}]\n",
            x + dx / 2.0,
            y + dy / 2.0
        );
        (x, y) = (x + dx, y + dy);
    }
    text
}

/// All of them.
#[test]
fn every_shipped_model_is_on_the_list() {
    let name = |path: PathBuf| path.file_name().and_then(|name| name.to_str()).map(String::from);
    let shipped: Vec<String> = models::all_shipped().into_iter().filter_map(name).collect();
    assert_eq!(shipped, MODELS.map(|(name, _)| name));
}

#[test]
fn the_same_motion_as_the_direct_way() {
    let tol = 1e-5;
    for (name, t_end) in MODELS {
        let ready = Ready::shipped(name);
        let frames = |solver: Solver| {
            let mut frames = Frames::default();
            let settings = Settings { solver, frame: Some(t_end / 5.0), ..Settings::new(tol, t_end) };
            ready.run_with(&settings, &mut frames);
            frames.0
        };
        let direct = frames(Solver::Elimination);
        let size = direct.iter().flat_map(|s| &s.q).fold(1.0_f64, |most, x| most.max(x.abs()));
        for solver in PCG {
            for (own, other) in frames(solver).iter().zip(&direct) {
                let far = own.q.iter().zip(&other.q).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                assert!(far <= tol * size, "{name} with {}: {far:e} at t = {}", solver.name(), own.t);
            }
        }
    }
}

#[test]
fn few_iterations_with_an_earlier_factor() {
    let car = Ready::shipped("hmmwv14_stiff.toml");
    let chain = Ready::text(&chain(1000));
    for (name, ready, tol, t_end) in [("car", &car, 1e-3, 2.0), ("chain", &chain, 1e-5, 1.0)] {
        let settings = Settings { solver: Solver::Pcg, ..Settings::new(tol, t_end) };
        let run = ready.run_with(&settings, &mut Unwatched);
        let iterations = run.iterations.expect("an iterative solver");
        assert!(iterations.solves > 100 && iterations.renewals > 0, "{name}: {iterations:?}");
        // a factor costs about as much as three iterations here, and serves for more than its own state
        assert!(3 * iterations.renewals < 2 * iterations.solves, "{name}: {iterations:?}");
        assert!(iterations.mean() <= 5.0, "{name}: {} of {iterations:?}", iterations.mean());
        assert_eq!(iterations.rescues, 0, "{name}: {iterations:?}");
    }
}

/// Frames and their number change neither states nor counts.
#[test]
fn who_looks_changes_no_iteration() {
    for (name, t_end) in [("hmmwv14.toml", 0.1), ("four_bar.toml", 0.3), ("stewart.toml", 0.2)] {
        let ready = Ready::shipped(name);
        for method in [Method::Dop853, Method::Adams, Method::ForRosen, Method::ForSdirk] {
            let run = |frame: Option<f64>| {
                let solver = Solver::Pcg;
                let settings = Settings { method, solver, frame, ..Settings::new(1e-4, t_end) };
                let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
                assert_eq!(run.end, End::Reached, "{name}");
                (run.iterations, run.state)
            };
            let alone = run(None);
            assert!(alone.0.is_some_and(|all| all.solves > 0), "{name} {}", method.name());
            for frame in [t_end / 7.3, t_end / 50.0] {
                assert!(run(Some(frame)) == alone, "{name} {}", method.name());
            }
        }
    }
}

/// What iterations leave is not what errors of steps are made of.
#[test]
fn as_many_steps_as_the_direct_way() {
    for (name, t_end) in MODELS {
        let ready = Ready::shipped(name);
        let stiff = name.contains("stiff");
        let methods = [(Method::Auto, 1e-5), (Method::Dopri5, 1e-4), (Method::Adams, 1e-6)];
        for (method, tol) in methods.into_iter().filter(|(method, _)| *method == Method::Auto || !stiff) {
            let steps = |solver: Solver| {
                let settings = Settings { method, solver, ..Settings::new(tol, t_end) };
                ready.run_with(&settings, &mut Unwatched).statistics.steps
            };
            let direct = steps(Solver::Elimination);
            for solver in PCG {
                let (own, case) = (steps(solver), format!("{name}, {}, {}", method.name(), solver.name()));
                assert!(10 * own.abs_diff(direct) <= direct, "{case}: {own} steps instead of {direct}");
            }
        }
    }
}

/// Accelerations of every body are as good as a step asks for, light bodies among heavy ones too, whether the factor is
/// one of this state or of another. With blocks convergence is slow and what is left an estimate, within ten times.
#[test]
fn no_body_is_further_off_than_allowed() {
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    // those of rigid bodies: of a steel rod rounding errors alone are more than that
    for (name, t_end) in MODELS.into_iter().filter(|(_, t_end)| *t_end > 5e-3) {
        let ready = Ready::shipped(name);
        let mut frames = Frames::default();
        ready.run_with(&Settings { frame: Some(t_end / 5.0), ..Settings::new(1e-4, t_end) }, &mut frames);
        let mut direct = Dynamics::new(&ready.system, &ready.redundant, Solver::Elimination);
        for (solver, part) in PCG.into_iter().flat_map(|solver| [1e-3, 1e-5, 1e-7].map(|part| (solver, part)))
        {
            let mut own = Dynamics::new(&ready.system, &ready.redundant, solver);
            own.accelerator.iterative_mut().expect("an iterative solver").set_tolerance(f64::INFINITY);
            for state in &frames.0 {
                ready.system.set_state(&mut direct.work, state);
                direct.accelerate(state.t, &state.q, &state.v).unwrap();
                let exact = &direct.result.acc;
                let allowed = part * exact.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
                own.accelerator.begin_step(Some(|_| [allowed; 2]));
                ready.system.set_state(&mut own.work, state);
                own.accelerate(state.t, &state.q, &state.v).unwrap();
                let off: Vec<f64> = own.result.acc.iter().zip(exact).map(|(a, b)| a - b).collect();
                for node in ready.system.nodes.iter() {
                    let (place, turn) = node.split(&off[node.v()]);
                    let far = length(place).max(length(turn));
                    let case = format!("{name}, {} at {}", solver.name(), state.t);
                    let room = if solver == Solver::Pcg { 1.0 } else { 10.0 };
                    assert!(far <= room * allowed, "{case}: {far:e} instead of {allowed:e}");
                }
            }
        }
    }
}
