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

/// A force across the rail and one on to it, each a function of the force of the rail: N = m g + s f(N), and m x'' = f(N).
fn fed_back(f: &str, s: f64, more: &str) -> String {
    railed(&format!(
        r#"
[[force]]
type = "force"
name = "press"
body = "block"
direction = [0, -1]
magnitude = "{s}*({f})"
[[force]]
type = "force"
name = "push"
body = "block"
direction = [1, 0]
magnitude = "{f}"
{more}
"#
    ))
}

/// Functions of the force of the rail whose slope vanishes at zero, or that jump, with N and f(N) by a fine scan.
const BENT: [(&str, f64, f64, f64); 12] = [
    ("if(normal > 15 N, 3 N, 0 N)", 0.0, 20.0, 3.0),
    ("if(normal > 15 N, 3 N, 0 N)", -0.6, 18.2, 3.0),
    ("max(normal - 15 N, 0 N)", 0.0, 20.0, 5.0),
    ("max(normal - 15 N, 0 N)", -2.0, 50.0 / 3.0, 5.0 / 3.0),
    ("normal^2/400*3/(1 N)", -0.6, 18.465598, 2.557338),
    ("normal^2/400*3/(1 N)", 0.9, 23.834593, 4.260659),
    ("normal^3/8000/(1 N^2)", 0.3, 20.314370, 1.047898),
    ("normal^3/8000/(1 N^2)", 1.7, 22.382918, 1.401717),
    ("1 N*step(normal, 10 N, 0, 30 N, 1)", 0.3, 20.153461, 0.511508),
    ("sign(normal)*max(abs(normal) - 5 N, 0 N)", -0.6, 14.375, 9.375),
    ("1 N*ln(normal/(1 N))", 0.0, 20.0, 2.995732),
    ("40 N^2/normal", 0.0, 20.0, 2.0),
];

/// What depends on a reaction by any function is found in runs by every method, at rest, and where motions are given.
#[test]
fn forces_bend_with_reactions() {
    for (f, s, normal, push) in BENT {
        let near = |found: f64, wanted: f64| (found - wanted).abs() < 1e-5 * wanted.abs().max(1.0);
        let free = mechanism(&fed_back(f, s, ""));
        for method in METHODS {
            let found = run(&free, &Settings { method, ..Settings::new(1e-6, 3.0) });
            let last = |name: &str| found.last(name).unwrap();
            let who = format!("{f} {s} {}", method.name());
            assert!(near(last("normal"), normal), "{who}: {}", last("normal"));
            assert!(near(last("push.force"), push), "{who}: {}", last("push.force"));
            assert!(
                near(last("rail.displacement"), 0.25 * push * 9.0),
                "{who}: {}",
                last("rail.displacement")
            );
        }
        let held = fed_back(f, s, "").replacen("axis = [1, 0]", "axis = [1, 0]\nstiffness = 70", 1);
        let rest = mechanism(&held).equilibrium().unwrap_or_else(|e| panic!("{f}: {e}"));
        assert!(near(rest.state.q[0], push / 70.0), "{f} {s}: {:?}", rest.state.q);
        let driven = "[[driver]]\ntype = \"displacement\"\nname = \"path\"\njoint = \"rail\"\nmotion = \"1 m/s^2*t^2\"";
        let mut sink = Recording::new();
        mechanism(&fed_back(f, s, driven))
            .kinematics(1.0, 4, &mut sink)
            .unwrap_or_else(|e| panic!("{f}: {e}"));
        let drive = sink.series("path.force").unwrap();
        assert!(drive.iter().all(|x| near(*x, 4.0 - push)), "{f} {s}: {drive:?}");
    }
}

/// The file of the same, by the name of its model.
fn trust(name: &str) -> Mechanism {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/trust").join(name);
    let loaded = read_path(&path, &Overrides::none());
    let shown = loaded.render(false);
    Mechanism::new(loaded.model.unwrap_or_else(|| panic!("{shown}"))).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_force_beyond_a_limit_of_a_reaction() {
    let found = trust("reading_if.toml").simulate().unwrap();
    assert!((found.last("push.force").unwrap() - 3.0).abs() < 1e-12);
    assert!((found.last("b.x").unwrap() - 6.75).abs() < 1e-6, "{:?}", found.last("b.x"));
}

/// A reaction is known where the first sample is taken, with all that holds there.
#[test]
fn the_first_sample_reads_reactions() {
    let found = trust("sampled_reaction.toml").simulate().unwrap();
    let series = found.series("c").unwrap();
    assert!((series[0] - 19.62).abs() < 1e-9, "{}", series[0]);
    // the reaction of the load at the last sample
    assert!((found.last("c").unwrap() - 19.62 - 5.0 * 3.0).abs() < 0.51, "{:?}", found.last("c"));
}

/// Two blocks, each pressed by a function of the force under the other: both agree, by every method.
#[test]
fn reactions_that_depend_on_each_other() {
    let functions = ["abs(X)", "max(X - 5 N, 0 N)", "clamp(X, -8 N, 8 N)", "X^2/(100 N)"];
    let value = |k: usize, x: f64| match k {
        0 => x.abs(),
        1 => (x - 5.0).max(0.0),
        2 => x.clamp(-8.0, 8.0),
        _ => x * x / 100.0,
    };
    for (k, f) in functions.iter().enumerate() {
        for (l, g) in functions.iter().enumerate() {
            let block = |name: &str, y: f64, other: &str, f: &str, s: f64| {
                let force = f.replace('X', other);
                format!(
                    "[[body]]\nname = \"{name}\"\nmass = 2\ninertia = 1\nposition = [0, {y}]\n\
                     [[joint]]\ntype = \"translational\"\nname = \"r{name}\"\nbody1 = \"ground\"\nbody2 = \"{name}\"\n\
                     at = [0, {y}]\naxis = [1, 0]\n\
                     [[measure]]\ntype = \"reaction\"\nname = \"n{name}\"\njoint = \"r{name}\"\ncomponent = \"force_y\"\n\
                     [[force]]\ntype = \"force\"\nname = \"f{name}\"\nbody = \"{name}\"\ndirection = [0, -1]\n\
                     magnitude = \"{s}*({force})\"\n"
                )
            };
            let text = "space = \"planar\"\ngravity = [0, -10]\n".to_owned()
                + &block("a", 0.0, "nb", f, 0.4)
                + &block("b", 1.0, "na", g, -0.7);
            let found =
                run(&mechanism(&text), &Settings { method: Method::Radau, ..Settings::new(1e-6, 0.1) });
            let [a, b] = ["na", "nb"].map(|name| found.last(name).unwrap());
            assert!((a - 20.0 - 0.4 * value(k, b)).abs() < 1e-9, "{f} {g}: {a} {b}");
            assert!((b - 20.0 + 0.7 * value(l, a)).abs() < 1e-9, "{f} {g}: {a} {b}");
        }
    }
}

/// Where no reaction agrees with the forces that depend on it, the message names the measure and where they jump.
#[test]
fn forces_that_no_reaction_agrees_with() {
    let message = |f: &str, s: f64| {
        let mechanism = mechanism(&fed_back(f, s, ""));
        mechanism.simulate().err().map(|e| e.to_string()).unwrap_or_default()
    };
    let jumps = message("if(normal > 15 N, 3 N, 0 N)", -2.0);
    assert!(jumps.contains("`normal`") && jumps.contains("jump where it is 15 N"), "{jumps}");
    let away = message("max(normal - 15 N, 0 N)", 1.7);
    assert!(away.contains("`normal`") && away.contains("agrees with the forces"), "{away}");
}
