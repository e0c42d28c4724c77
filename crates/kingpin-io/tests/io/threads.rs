//! Results have the same bits for any number of threads. Work is cut into pieces of two bodies here, so that small
//! models have many.

use kingpin::accel::Solver;
use kingpin::dynamics::{Checkpoint, End, Frame, Matrices, Method, Observer, Settings};
use kingpin::elements::Revolute;
use kingpin::mechanism::Mechanism;
use kingpin::model::{Body, Ends, Model, Space};
use kingpin_io::Overrides;
use std::ops::ControlFlow;
use std::path::Path;

/// A shipped model, its end and a step for methods of fixed steps.
const MODELS: [(&str, f64, f64); 5] = [
    ("four_bar.toml", 0.05, 2e-3),
    ("andrews_spatial.toml", 0.003, 1e-4),
    ("chain50.toml", 0.02, 2e-3),
    ("stewart.toml", 0.05, 2e-3),
    ("hmmwv14_stiff.toml", 0.004, 2e-4),
];

const THREADS: [usize; 5] = [2, 3, 4, 8, 64];

/// All that is seen of a run, bit by bit, and where it could go on.
#[derive(Default)]
struct Seen {
    numbers: Vec<u64>,
    steps: usize,
    checkpoint: Option<(Checkpoint, usize)>,
}

impl Observer for Seen {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        let (state, result) = (frame.state, frame.accelerations);
        let all = [&[state.t][..], &state.q, &state.v, &result.acc, &result.lam].concat();
        self.numbers.extend(all.iter().map(|x| x.to_bits()));
        ControlFlow::Continue(())
    }
    fn wants_checkpoint(&mut self, _: bool) -> bool {
        self.steps += 1;
        self.steps == 4
    }
    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        self.checkpoint = Some((checkpoint.clone(), self.numbers.len()));
    }
}

fn mechanism(name: &str) -> Mechanism {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let loaded = kingpin_io::read_path(path, &Overrides::default());
    let mut mechanism = Mechanism::new(loaded.model.expect("a model")).expect("assembled");
    mechanism.set_grain(2);
    mechanism
}

fn run(mechanism: &Mechanism, settings: &Settings, threads: usize, from: Option<&Checkpoint>) -> Seen {
    let mut seen = Seen::default();
    let start = Checkpoint::at_start(mechanism.start().expect("a start"), settings);
    let settings = Settings { threads: Some(threads), ..settings.clone() };
    let outcome =
        mechanism.run(&settings, from.unwrap_or(&start), &mut seen).expect("a checkpoint of its own");
    assert_eq!((outcome.run.end, outcome.threads), (End::Reached, threads), "{}", settings.method.name());
    seen
}

fn compare(mechanism: &Mechanism, settings: &Settings, numbers: &[usize], story: &str) {
    let one = run(mechanism, settings, 1, None);
    assert!(one.numbers.len() > 100, "{story}");
    for &threads in numbers {
        let many = run(mechanism, settings, threads, None);
        assert!(many.numbers == one.numbers, "{story}: {threads} threads");
        // what two threads began, others end
        if threads == 2 {
            let (checkpoint, before) = many.checkpoint.as_ref().expect("a checkpoint");
            let rest = run(mechanism, settings, 3, Some(checkpoint));
            assert!(one.numbers[*before..] == rest.numbers, "{story}: two threads, then three");
        }
    }
}

/// Runs of every method that is asked for on all models, with so many threads.
fn compare_methods(numbers: &[usize], asked: impl Fn(Method) -> bool, given: &Settings) {
    for (name, t_end, h) in MODELS {
        let mechanism = mechanism(name);
        for method in Method::ALL.into_iter().filter(|method| asked(*method)) {
            let (h, frame) = (method.has_fixed_step().then_some(h), Some(t_end / 5.0));
            // steps enough for a checkpoint in the midst of them
            let h_max = Some(t_end / 8.0);
            let settings = Settings { method, h, h_max, frame, t_end, ..given.clone() };
            let kind = format!("{} and {} matrices", given.solver.name(), given.matrices.name());
            compare(&mechanism, &settings, numbers, &format!("{name} with {}, {kind}", method.name()));
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    compare_methods(&THREADS, |_| true, &Settings::new(1e-4, 1.0));
}

#[test]
fn so_it_is_with_iterations() {
    let solver = Solver::named("pcg").expect("a solver");
    compare_methods(&THREADS, |_| true, &Settings { solver, ..Settings::new(1e-4, 1.0) });
}

#[test]
fn so_it_is_with_sparse_matrices() {
    let settings = Settings { matrices: Matrices::Sparse, ..Settings::new(1e-4, 1.0) };
    compare_methods(&THREADS, |method| !method.is_explicit(), &settings);
}

#[test]
fn so_it_is_with_every_solver() {
    for (name, t_end, _) in MODELS {
        let (mechanism, t_end) = (mechanism(name), t_end / 3.0);
        for solver in Solver::choices() {
            let (method, frame) = (Method::Dopri5, Some(t_end / 5.0));
            let h_max = Some(t_end / 6.0);
            let settings = Settings { method, solver, h_max, frame, ..Settings::new(1e-3, t_end) };
            compare(&mechanism, &settings, &[2, 8], &format!("{name} with {}", solver.name()));
        }
    }
}

/// Rods that carry two rods each, in the plane.
fn tree(bodies: usize) -> Mechanism {
    let mut model = Model::new("tree", Space::Planar);
    model.gravity.y = -9.81;
    let place = |k: usize| [(k as f64 + 1.0).ln(), 0.3 * (k % 5) as f64, 0.0];
    for k in 0..bodies {
        let (name, carrier) = (format!("rod{k}"), k.div_ceil(2));
        model.body(Body::planar(&name, 1.0 + 0.01 * k as f64, 0.1).at(place(k)));
        let inboard = if carrier == 0 { "ground".to_string() } else { format!("rod{}", carrier - 1) };
        model.joint(&format!("pin{k}"), Ends::at(&inboard, &name, place(k).map(|x| x - 0.2)), Revolute {});
    }
    Mechanism::new(model).expect("assembled")
}

#[test]
fn branches_have_the_bits_of_any_number_of_threads_and_the_motion_of_the_whole() {
    let mut mechanism = tree(64);
    let kinds = [
        (Method::Dopri5, Solver::Recursive, Matrices::Auto),
        (Method::Dopri5, Solver::Elimination, Matrices::Auto),
        (Method::SspTrap, Solver::Auto, Matrices::Sparse),
        (Method::Radau, Solver::Auto, Matrices::Sparse),
    ];
    for (method, solver, matrices) in kinds {
        let (h_max, frame) = (Some(0.01), Some(0.01));
        let settings = Settings { method, solver, matrices, h_max, frame, ..Settings::new(1e-6, 0.05) };
        let story = format!("{} with {}", method.name(), solver.name());
        mechanism.set_grain(2);
        compare(&mechanism, &settings, &THREADS, &story);
        let pieces = run(&mechanism, &settings, 1, None);
        mechanism.set_grain(usize::MAX);
        let whole = run(&mechanism, &settings, 1, None);
        let far = |(a, b): (&u64, &u64)| {
            let (a, b) = (f64::from_bits(*a), f64::from_bits(*b));
            (a - b).abs() / a.abs().max(1.0)
        };
        let worst = pieces.numbers.iter().zip(&whole.numbers).map(far).fold(0.0, f64::max);
        assert!(pieces.numbers.len() == whole.numbers.len() && worst < 1e-6, "{story}: {worst:e}");
    }
}

/// Cells of a box that hangs from a corner, evaluated in pieces.
#[test]
fn cells_have_the_bits_of_any_number_of_threads() {
    let text = "gravity = [0, 0, -9.81]\n[[structure]]\nname = 'box'\nsize = [0.3, 0.2, 0.1]\ncells = [4, 3, 2]\n\
                youngs_modulus = 1e5\ndensity = 1000\ndamping = 1e-3\n[[joint]]\ntype = 'spherical'\nname = 'hook'\n\
                body1 = 'ground'\nbody2 = 'box.0.0.0'\nat = [0, 0, 0]\n";
    let loaded = kingpin_io::read_text("box.toml", text, ".", &Overrides::default());
    let mut mechanism = Mechanism::new(loaded.model.expect("a model")).expect("assembled");
    mechanism.set_grain(2);
    for method in [Method::Dopri5, Method::Radau] {
        let (h_max, frame) = (Some(0.002), Some(0.004));
        let settings = Settings { method, h_max, frame, ..Settings::new(1e-4, 0.02) };
        compare(&mechanism, &settings, &[2, 5], method.name());
    }
}

#[test]
fn a_motion_has_the_threads_that_it_is_given_and_the_bits_of_one() {
    let mut mechanism = tree(64);
    mechanism.set_grain(2);
    let driven = |threads: usize| -> Vec<u64> {
        let settings = Settings { threads: Some(threads), ..Settings::new(1e-6, 1.0) };
        let mut motion = mechanism.motion_with(&settings).expect("a motion");
        assert_eq!(motion.threads(), threads);
        (0..3).for_each(|_| assert!(motion.step().is_ok()));
        motion.advance_to(0.05).expect("no trouble");
        motion.state().q.iter().chain(&motion.state().v).map(|x| x.to_bits()).collect()
    };
    let one = driven(1);
    assert!([2, 5].into_iter().all(|threads| driven(threads) == one));
}
