//! Reactions that functions read, and those that are not unique.

use super::{METHODS, mechanism, run, times};
use kingpin::dynamics::Matrices;
use kingpin::mechanism::{Mechanism, Method, Recording, Settings};
use kingpin_io::{Overrides, read_path};
use std::path::Path;

/// A block on a level rail, driven along it; what is measured is the force of the rail and that of the driver.
fn railed(more: &str) -> String {
    format!(
        r#"
space = "planar"
gravity = [0, -10]
[[body]]
name = "block"
mass = 2
inertia = 1
[[joint]]
type = "translational"
name = "rail"
body1 = "ground"
body2 = "block"
axis = [1, 0]
[[measure]]
type = "reaction"
name = "normal"
joint = "rail"
component = "force_y"
{more}
"#
    )
}

/// Accelerations and a reaction that makes a force are found together: N = m g + 0.5 N, and m x'' = 0.1 N.
#[test]
fn forces_go_with_reactions() {
    let text = railed(
        r#"
[[force]]
type = "force"
name = "press"
body = "block"
direction = [0, -1]
magnitude = "0.5*normal"
[[force]]
type = "force"
name = "pull"
body = "block"
direction = [1, 0]
magnitude = "0.1*normal + 1e-3*normal^2/(1 N)"
[[state]]
name = "impulse"
rate = "normal/(1 N)"
[[event]]
name = "early"
when = "normal*t - 10 N*s"
action = "note"
"#,
    );
    let mechanism = mechanism(&text);
    let n = 40.0;
    for method in METHODS {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-8, 2.0) });
        assert!((found.last("normal").unwrap() - n).abs() < 1e-9, "{}", method.name());
        let way = 0.5 * (0.1 * n + 1e-3 * n * n) / 2.0 * 4.0;
        assert!((found.last("rail.displacement").unwrap() - way).abs() < 1e-6, "{}", method.name());
        assert!((found.last("impulse").unwrap() - 2.0 * n).abs() < 1e-6, "{}", method.name());
        let early = times(&found, "event `early`");
        assert!((early[0] - 0.25).abs() < 1e-9, "{}: {early:?}", method.name());
    }
}

/// Every method goes with the reactions of joints in space that turn, of a driver, and with friction from them.
#[test]
fn every_method_knows_reactions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/reactions.toml");
    let mechanism = Mechanism::new(read_path(&path, &Overrides::none()).model.unwrap()).unwrap();
    let end = |found: &Recording| {
        ["shoulder.angle", "elbow.angle", "elbow.displacement", "warmth"]
            .map(|name| found.last(name).unwrap())
    };
    let exact = end(&run(&mechanism, &Settings { method: Method::Dop853, ..Settings::new(1e-11, 0.3) }));
    for method in Method::ALL {
        let h = method.has_fixed_step().then_some(1e-3);
        let found = end(&run(&mechanism, &Settings { method, h, ..Settings::new(1e-6, 0.3) }));
        let off = found.iter().zip(&exact).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        let most = if h.is_some() { 1e-4 } else { 1e-5 };
        assert!(off < most, "{}: {off:.1e} {found:?} {exact:?}", method.name());
    }
}

/// A block on a spring with a load fixed to it, that is drawn by half of what the load is pushed with: 3.5 kg in effect, and the
/// weight of as much.
#[test]
fn statics_modes_and_linear_systems_know_reactions() {
    let text = r#"
space = "planar"
gravity = [4, 0]
[[input]]
name = "push"
value = "0 N"
[[body]]
name = "block"
mass = 2
inertia = 1
[[body]]
name = "load"
mass = 1
inertia = 1
position = [0, 1]
[[joint]]
type = "translational"
name = "rail"
body1 = "ground"
body2 = "block"
axis = [1, 0]
stiffness = 70
[[joint]]
type = "fixed"
name = "weld"
body1 = "block"
body2 = "load"
at = [0, 0.5]
[[measure]]
type = "reaction"
name = "shove"
joint = "weld"
component = "force_x"
[[force]]
type = "force"
name = "draw"
body = "block"
direction = [1, 0]
magnitude = "push - 0.5*shove"
"#;
    let mechanism = mechanism(text);
    let rest = mechanism.equilibrium().unwrap_or_else(|e| panic!("{e}"));
    assert!((rest.state.q[0] - 3.5 * 4.0 / 70.0).abs() < 1e-12, "{:?}", rest.state.q);
    let modes = mechanism.modes(&rest.state).unwrap_or_else(|e| panic!("{e}"));
    let w = f64::sqrt(70.0 / 3.5);
    assert!((modes.modes[0].imaginary.abs() - w).abs() < 1e-10, "{:?}", modes.modes[0].imaginary);
    let linear = mechanism.linearise(&rest.state, &["push"], &["shove"]).unwrap();
    assert!((linear.a[(1, 0)] + 20.0).abs() < 1e-9 && (linear.b[(1, 0)] - 1.0 / 3.5).abs() < 1e-12);
    assert!((linear.d[(0, 0)] - 1.0 / 3.5).abs() < 1e-9, "{}", linear.d);
    // sparse matrices are told that they do not
    let settings = Settings { method: Method::Radau, matrices: Matrices::Sparse, ..Settings::new(1e-6, 1.0) };
    let message = mechanism.simulate_with(&settings).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(message.contains("`weld`") && message.contains("dense"), "{message}");
}

/// Motors know the friction that they turn against, from reactions too, and a stop that they would turn beyond.
#[test]
fn kinematics_know_friction_and_stops() {
    let text = |stop: &str| {
        format!(
            r#"
gravity = [0, 0, -9.81]
[[body]]
name = "wheel"
mass = 4
inertia = [0.02, 0.04, 0.02]
[[joint]]
type = "revolute"
name = "axle"
body1 = "ground"
body2 = "wheel"
axis = [0, 1, 0]
friction = {{ coefficient = 0.2, radius = "10 mm" }}
{stop}
[[driver]]
type = "angle"
name = "motor"
joint = "axle"
motion = "0.5*sin(t)"
"#
        )
    };
    let mut sink = Recording::new();
    let free = mechanism(&text(""));
    let done = free.kinematics(4.0, 40, &mut sink).unwrap_or_else(|e| panic!("{e}"));
    assert!(done.failure.is_none(), "{:?}", done.failure);
    let torque = sink.series("motor.torque").unwrap();
    let rubs: f64 = 0.2 * 4.0 * 9.81 * 0.01;
    for (k, torque) in torque.iter().enumerate() {
        let t = 0.1 * k as f64;
        let wanted = -0.04 * 0.5 * t.sin() + rubs.copysign(t.cos());
        assert!((torque - wanted).abs() < 1e-9, "{t}: {torque} {wanted}");
    }
    let stopped = mechanism(&text("stops = { max = 0.4, restitution = 0.5 }"));
    let message = stopped.kinematics(4.0, 40, &mut Recording::new()).unwrap_err().to_string();
    assert!(message.contains("`axle`") && message.contains("beyond its upper stop"), "{message}");
}

/// What a driver pushes with, in axes of a body that turns, and the size of it.
#[test]
fn drivers_and_axes() {
    let text = railed(
        r#"
[[driver]]
type = "displacement"
name = "push"
joint = "rail"
motion = "3 m/s^2*t^2"
[[measure]]
type = "reaction"
name = "effort"
driver = "push"
component = "drive_force"
[[measure]]
type = "reaction"
name = "whole"
joint = "rail"
component = "force"
[[measure]]
type = "reaction"
name = "own"
joint = "rail"
axes = "block"
component = "force_y"
"#,
    );
    let found = run(&mechanism(&text), &Settings { method: Method::Dop853, ..Settings::new(1e-8, 1.0) });
    assert!((found.last("effort").unwrap() - 12.0).abs() < 1e-9);
    assert!((found.last("whole").unwrap() - 20.0).abs() < 1e-9);
    assert!((found.last("own").unwrap() - 20.0).abs() < 1e-9);
}

/// A door on two hinges in space: how they share its weight is anybody's guess, and friction would go with it.
#[test]
fn reactions_that_are_not_unique_are_refused_by_name() {
    let text = |friction: &str| {
        format!(
            r#"
gravity = [0, 0, -9.81]
[[body]]
name = "door"
mass = 20
inertia = [5, 5, 3]
com = [0.5, 0, 1]
[[joint]]
type = "revolute"
name = "upper"
body1 = "ground"
body2 = "door"
at = [0, 0, 2]
axis = [0, 0, 1]
angle_rate = 1
friction = {{ coefficient = 0.2, radius = "10 mm"{friction} }}
[[joint]]
type = "revolute"
name = "lower"
body1 = "ground"
body2 = "door"
axis = [0, 0, 1]
"#
        )
    };
    let message = mechanism(&text("")).simulate().err().map(|e| e.to_string()).unwrap_or_default();
    assert!(message.contains("`upper`") && message.contains("not unique"), "{message}");
    let preload = mechanism(&text(", preload = 300, reaction = false"));
    let found = run(&preload, &Settings { method: Method::Radau, ..Settings::new(1e-6, 20.0) });
    // about the hinges, J w' = -mu N r
    let stop = (3.0 + 20.0 * 0.25) / (0.2 * 300.0 * 0.01);
    let sticks = times(&found, "joint `upper` sticks");
    assert!((sticks[0] - stop).abs() < 1e-5, "{sticks:?} {stop}");
}
