//! Mechanisms of bars, and what tests ask of them.

use crate::bars::shared::evaluated;
use kingpin::accel::{Accelerations, Accelerator, Solver};
use kingpin::dynamics::{Dynamics, End, Settings, Unwatched, simulate_with};
use kingpin::element::force::Bar;
use kingpin::element::joint::AbsoluteY;
use kingpin::model::{Body, Ends, Model, Space, Vec3};
use kingpin::system::{State, System, Work};
use kingpin_io::Overrides;
use std::f64::consts::PI;
use std::path::Path;

pub fn from_file() -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/bar.toml");
    kingpin_io::read_path(&path, &Overrides::none()).model.unwrap()
}

pub fn solved(system: &System, work: &Work, solver: Solver) -> Accelerations {
    let mut accelerator = Accelerator::new(system, &[], solver);
    let mut out = accelerator.result();
    accelerator.solve(system, work, &mut out).unwrap_or_else(|e| panic!("{}: {e}", solver.name()));
    out
}

pub fn energy(system: &System, state: &State) -> f64 {
    let work = evaluated(system, state);
    system.kinetic_energy(&work) + system.potential_energy(&work)
}

pub fn end(system: &System, start: &State, settings: Settings) -> State {
    let dynamics = Dynamics::new(system, &[], settings.solver);
    let run = simulate_with(dynamics, start, &settings, &mut Unwatched);
    assert_eq!(run.end, End::Reached, "{} {}", settings.method.name(), settings.solver.name());
    run.state
}

pub const STIFFNESS: f64 = 800.0;
pub const MASS: f64 = 1.2;

/// A straight bar along x from the origin, of `n` elements with masses that grow along it by `growth`.
pub fn straight(n: usize, inertia: &str, growth: f64) -> Model {
    let mut model = Model::new("bar", Space::Planar);
    for k in 1..=n {
        let (before, name) = (if k == 1 { "ground".into() } else { format!("p{}", k - 1) }, format!("p{k}"));
        let h = 1.0 / n as f64;
        model.body(Body::point(&name, 0.0).at([k as f64 * h, 0.0, 0.0]));
        model.joint(&format!("rail{k}"), Ends::on(&name, [0.0; 3]), AbsoluteY { value: None });
        let (mass, inertia) = (MASS * h * (1.0 + growth * k as f64), inertia.to_string());
        let bar = Bar { axial_stiffness: STIFFNESS, mass, inertia, ..Bar::default() };
        model.force(&format!("bar{k}"), Ends::points(&before, [0.0; 3], &name, [0.0; 3]), bar);
    }
    model
}

/// A ring of bars with masses of their own at the corners, flying freely.
pub fn ring(space: Space) -> Model {
    let mut model = Model::new("ring", space);
    let n = 5;
    for k in 0..n {
        let a = 2.0 * PI * k as f64 / n as f64;
        let z = if space == Space::Spatial { 0.2 * (3.0 * a).sin() } else { 0.0 };
        let velocity = Vec3::new(1.0 - a.sin(), 0.5 + 2.0 * a.cos(), 4.0 * z);
        let mass = 0.1 * k as f64;
        model.body(Body { velocity, ..Body::point(&format!("p{k}"), mass).at([a.cos(), a.sin(), z]) });
    }
    for (k, strain) in ["linear", "green", "linear", "green", "linear"].into_iter().enumerate() {
        let ends = Ends::points(&format!("p{k}"), [0.0; 3], &format!("p{}", (k + 1) % n), [0.0; 3]);
        let (mass, strain) = (0.5 + 0.2 * k as f64, strain.into());
        let bar = Bar { axial_stiffness: 300.0, rest_length: Some(1.1), mass, strain, ..Bar::default() };
        model.force(&format!("bar{k}"), ends, bar);
    }
    model
}
