//! The stiff HMMWV from rest over the bump, against an independent solution.

use crate::motion::{Frames, Ready};
use kingpin::accel::{self, Problem};
use kingpin::dynamics::{Dynamics, Matrices, Method, Settings, settle_at_equilibrium};
use kingpin::results::Channels;

/// t, chassis z, front wheel z, rear wheel z (Radau IIA at 1e-8, all digits good; left = right).
const REFERENCE: [[f64; 4]; 28] = [
    [0.00, 0.710000, 0.445011, 0.446334],
    [0.50, 0.710001, 0.445116, 0.446334],
    [0.52, 0.710473, 0.458155, 0.446250],
    [0.54, 0.712539, 0.479795, 0.445712],
    [0.56, 0.716083, 0.494185, 0.444808],
    [0.58, 0.720013, 0.493156, 0.444148],
    [0.60, 0.722810, 0.473814, 0.444334],
    [0.62, 0.723517, 0.454167, 0.445571],
    [0.65, 0.722480, 0.443333, 0.447810],
    [0.70, 0.719499, 0.443365, 0.448719],
    [0.80, 0.712881, 0.444268, 0.446311],
    [0.90, 0.708345, 0.444344, 0.445582],
    [1.00, 0.707253, 0.444555, 0.445984],
    [1.10, 0.708130, 0.444868, 0.446340],
    [1.20, 0.709341, 0.445084, 0.446435],
    [1.25, 0.709926, 0.445118, 0.451102],
    [1.28, 0.713317, 0.444482, 0.478683],
    [1.30, 0.717757, 0.443576, 0.492470],
    [1.32, 0.722452, 0.442945, 0.493998],
    [1.35, 0.726041, 0.443683, 0.470370],
    [1.40, 0.722375, 0.447122, 0.447287],
    [1.50, 0.711549, 0.445927, 0.442102],
    [1.60, 0.707782, 0.444285, 0.445442],
    [1.80, 0.708989, 0.444903, 0.446553],
    [2.00, 0.710084, 0.445104, 0.446339],
    [2.50, 0.709973, 0.445002, 0.446330],
    [3.00, 0.710004, 0.445012, 0.446334],
    [4.00, 0.710000, 0.445011, 0.446334],
];

fn at_rest() -> Ready {
    let mut ready = Ready::shipped("hmmwv14_stiff.toml");
    let (start, _) = settle_at_equilibrium(
        &ready.system,
        &Problem::new(&ready.system, &ready.redundant),
        &ready.start,
        Matrices::Auto,
    )
    .unwrap();
    ready.start = start;
    ready
}

/// Largest difference from the table.
fn error(ready: &Ready, method: Method, tol: f64) -> f64 {
    let settings = Settings { method, frame: Some(0.01), ..Settings::new(tol, 4.0) };
    let mut frames = Frames::default();
    let run = ready.run_with(&settings, &mut frames);
    assert_eq!(run.events.len(), 8, "four wheels meet and leave the bump: {:?}", run.events);
    let channels = Channels::new(&ready.system);
    let places = ["chassis_z", "fl.wheel_z", "rl.wheel_z"].map(|name| channels.find(name).unwrap());
    let mut mechanism = Dynamics::new(&ready.system, &ready.redundant, accel::Solver::EliminationUnsplit);
    let mut values = vec![0.0; channels.len()];
    let mut worst: f64 = 0.0;
    for [t, heights @ ..] in REFERENCE {
        let state = &frames.0[(t / 0.01).round() as usize];
        assert!((state.t - t).abs() < 1e-9);
        ready.system.set_state(&mut mechanism.work, state);
        mechanism.accelerate(state.t, &state.q, &state.v).unwrap();
        channels.fill(&ready.system, &mechanism.work, &mechanism.result, &mut values);
        for (place, height) in places.iter().zip(heights) {
            worst = worst.max((values[*place] - height).abs());
        }
    }
    println!("{:10} {tol:.0e}: {worst:.1e} m, {} steps", method.name(), run.statistics.steps);
    worst
}

#[test]
fn the_table_is_met_to_the_tolerance() {
    let ready = at_rest();
    for method in [
        Method::ForRosen,
        Method::ForSdirk,
        Method::Esdirk,
        Method::Radau,
        Method::InflSdirk,
        Method::SspTrap,
        Method::InflTrap,
    ] {
        assert!(error(&ready, method, 1e-2) < 1e-2);
        assert!(error(&ready, method, 1e-3) < 1e-3);
        assert!(error(&ready, method, 1e-4) < 1e-4);
        assert!(error(&ready, method, 1e-5) < 1e-5);
    }
    assert!(error(&ready, Method::Auto, 1e-4) < 1e-4);
    for method in [Method::ForRosen, Method::ForSdirk, Method::Esdirk, Method::Radau, Method::Auto] {
        assert!(error(&ready, method, 1e-7) < 1e-6);
    }
}
