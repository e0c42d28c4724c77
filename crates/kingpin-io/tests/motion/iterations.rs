//! Runs with the iterative solver: the same motions, few iterations, and no bit that depends on who looks.

use crate::{Frames, Ready};
use kingpin::accel::Solver;
use kingpin::dynamics::{End, Method, Settings, Unwatched, simulate};
use std::path::Path;

const PCG: [Solver; 3] = [Solver::Pcg, Solver::PcgJacobi, Solver::PcgIncomplete];

/// Shipped models, and for how long they run.
pub const MODELS: [(&str, f64); 13] = [
    ("andrews.toml", 0.02),
    ("andrews_spatial.toml", 0.01),
    ("chain50.toml", 0.2),
    ("conical_pendulum.toml", 0.5),
    ("door.toml", 1.0),
    ("double_pendulum_stiff.toml", 0.2),
    ("four_bar.toml", 0.5),
    ("hmmwv14.toml", 0.2),
    ("hmmwv14_stiff.toml", 0.1),
    ("jansen.toml", 0.3),
    ("pendulum.toml", 0.5),
    ("slider_crank.toml", 0.5),
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(folder).expect("models").map(|entry| entry.expect("a file").file_name());
    let names = files.filter_map(|name| name.into_string().ok());
    let mut shipped: Vec<String> = names.filter(|name| name.ends_with(".toml")).collect();
    shipped.sort();
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
    for (name, ready, tol, t_end) in [("car", &car, 1e-3, 2.0), ("chain", &chain, 1e-5, 0.3)] {
        let settings = Settings { solver: Solver::Pcg, ..Settings::new(tol, t_end) };
        let run = ready.run_with(&settings, &mut Unwatched);
        let iterations = run.iterations.expect("an iterative solver");
        assert!(iterations.solves > 100 && iterations.renewals > 0, "{name}: {iterations:?}");
        assert!(iterations.renewals < iterations.solves / 4, "{name}: {iterations:?}");
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
