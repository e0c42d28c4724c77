//! Modes of mechanisms that spin and move steadily, against closed forms and against runs.

use kingpin::dynamics::Modes;
use kingpin::mechanism::{Mechanism, Settings};
use kingpin::system::State;
use kingpin_io::{Overrides, read_text};

fn mechanism(text: &str) -> Mechanism {
    let loaded = read_text("model.toml", text, ".", &Overrides::none());
    let said = loaded.render(false);
    Mechanism::new(loaded.model.expect(&said)).unwrap_or_else(|why| panic!("{why}"))
}

/// Modes of the start.
fn modes(text: &str) -> Modes {
    let mechanism = mechanism(text);
    mechanism.modes(mechanism.state()).unwrap_or_else(|why| panic!("{why}"))
}

/// Modes of the steady motion near the start, and the motion itself.
fn steady(text: &str) -> (Mechanism, State, Modes) {
    let mechanism = mechanism(text);
    let state = mechanism.steady_motion(mechanism.state()).unwrap_or_else(|why| panic!("{why}"));
    let modes = mechanism.modes(&state).unwrap_or_else(|why| panic!("{why}"));
    // stiff parts turn round-off of positions into accelerations
    assert!(modes.acceleration < 1e-5, "{}", modes.acceleration);
    (mechanism, state, modes)
}

/// Imaginary parts that are not zero, in order.
fn rates(modes: &Modes) -> Vec<f64> {
    let mut rates: Vec<f64> =
        modes.modes.iter().map(|mode| mode.imaginary).filter(|rate| *rate > 0.0).collect();
    rates.sort_by(f64::total_cmp);
    rates
}

/// An undamped mechanism with these rates and no others.
fn assert_rates(name: &str, modes: &Modes, expected: &[f64], tolerance: f64) {
    let found = rates(modes);
    assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found / expected - 1.0).abs() < tolerance, "{name}: {found} {expected}");
    }
    for mode in &modes.modes {
        let grows = mode.real.abs() > 1e-6 * mode.magnitude();
        assert!(!grows && mode.residual < 1e-9, "{name}: {} {}", mode.real, mode.residual);
    }
}

fn assert_turning(modes: &Modes, body: Option<&str>) {
    assert_eq!(modes.axes.body.as_deref(), body);
}

/// A top that hangs from a ball joint and spins.
fn top(spin: f64) -> String {
    format!(
        "
gravity = [0, 0, -9.81]
[[body]]
name = 'top'
mass = 1
inertia = [0.01, 0.01, 0.018]
com = [0, 0, -0.1]
angular_velocity = [0, 0, {spin}]
[[joint]]
type = 'spherical'
name = 'pivot'
body1 = 'ground'
body2 = 'top'
[[measure]]
type = 'coordinate'
name = 'x'
body = 'top'
point = [0, 0, -0.1]
coordinate = 'x'
[[measure]]
type = 'coordinate'
name = 'y'
body = 'top'
point = [0, 0, -0.1]
coordinate = 'y'
[[input]]
name = 'push'
[[force]]
type = 'force'
name = 'pusher'
body = 'top'
point = [0, 0, -0.1]
direction = [1, 0, 0]
magnitude = 'push'
"
    )
}

/// lambda^2 - i a lambda + m g l / It = 0 with a = Ip W / It, It about the pivot.
#[test]
fn a_hanging_top_nods_fast_and_slowly() {
    let known = [(50.0, [1.064_804_264, 46.064_804_264]), (200.0, [0.272_088_710, 180.272_088_710])];
    for spin in [0.0, 10.0, 50.0, 100.0, 200.0, 500.0] {
        let half = 0.5 * 0.018 * spin / 0.02;
        let root = f64::sqrt(half * half + 9.81 * 0.1 / 0.02);
        let found = modes(&top(spin));
        assert_rates(&format!("{spin}"), &found, &[root - half, root + half], 1e-8);
        assert_turning(&found, None);
        assert!(found.acceleration < 1e-9 && found.zeros == 2, "{} {}", found.acceleration, found.zeros);
        assert_eq!(found.moving, spin > 0.0);
        for (_, pair) in known.iter().filter(|known| known.0 == spin) {
            for (found, known) in rates(&found).iter().zip(pair) {
                assert!((found - known).abs() < 1e-9, "{found} {known}");
            }
        }
    }
}

/// Against the place of the top in a run after a push: what the linear system says of it, at three speeds.
#[test]
fn a_linear_system_of_a_spinning_top_goes_as_the_run_does() {
    for spin in [0.0, 20.0, 100.0] {
        let mechanism = mechanism(&top(spin));
        let outputs = ["x", "y", "x.rate", "y.rate"];
        let linear = mechanism.linearise(mechanism.state(), &["push"], &outputs).expect("a linear system");
        assert_eq!(
            linear.axes.as_ref().map(|axes| axes.to_string()).as_deref(),
            Some("axes that do not turn")
        );
        let settings = Settings { rtol: 1e-11, t_end: 0.4, ..mechanism.settings() };
        let mut motion = mechanism.motion_with(&settings).expect("a motion");
        let before = outputs.map(|name| motion.value(name).expect("a channel"));
        motion.set_input("push", 1e-5).expect("an input");
        motion.advance_to(0.4).expect("progress");
        // x' = A x + B u by the series of its exponential, in steps
        let (steps, mut x) = (4000, linear.b.column(0) * 0.0);
        let h = 0.4 / f64::from(steps);
        for _ in 0..steps {
            let (mut term, mut sum) = (x.clone(), x.clone());
            for k in 1..12 {
                let force = if k == 1 { linear.b.column(0) * 1e-5 } else { linear.b.column(0) * 0.0 };
                term = (&linear.a * &term + force) * (h / f64::from(k));
                sum += &term;
            }
            x = sum;
        }
        let predicted = &linear.c * &x;
        let size = predicted.amax();
        for (k, name) in outputs.iter().enumerate() {
            let moved = motion.value(name).expect("a channel") - before[k];
            let size = if name.ends_with("rate") { size } else { predicted[0].hypot(predicted[1]) };
            assert!(
                (moved - predicted[k]).abs() < 1e-4 * size,
                "{spin} {name}: {moved:e} {:e}",
                predicted[k]
            );
        }
    }
}

/// A housing on a ball joint with springs to the ground or to a table, and a rotor in it.
fn gimbal(spin: f64) -> String {
    format!(
        "
[[body]]
name = 'housing'
mass = 1
inertia = [0.05, 0.05, 0.05]
[[body]]
name = 'rotor'
mass = 1
inertia = [0.1, 0.1, 0.15]
[[joint]]
type = 'spherical'
name = 'ball'
body1 = 'ground'
body2 = 'housing'
[[joint]]
type = 'revolute'
name = 'shaft'
angle_rate = {spin}
body1 = 'housing'
body2 = 'rotor'
axis = [0, 0, 1]
[[force]]
type = 'bushing'
name = 'springs'
body1 = 'ground'
body2 = 'housing'
rotational_stiffness = [50, 50, 50]
"
    )
}

#[test]
fn a_rotor_in_a_sprung_housing() {
    for (spin, expected) in [
        (50.0, [5.956_959_368, 31.622_776_602, 55.956_959_368]),
        (600.0, [0.555_042_103, 31.622_776_602, 600.555_042_103]),
    ] {
        let found = modes(&gimbal(spin));
        assert_rates(&format!("{spin}"), &found, &expected, 1e-9);
        assert_turning(&found, None);
    }
}

/// The ring of a gimbal on unequal springs to a table that turns: constant in the axes of the table alone.
#[test]
fn a_rotor_on_a_turning_table() {
    let found = modes(
        "
[[body]]
name = 'table'
mass = 1
inertia = [1, 1, 1]
[[body]]
name = 'ring'
mass = 1
inertia = [0.02, 0.02, 0.02]
angular_velocity = [0, 0, 2]
[[body]]
name = 'rotor'
mass = 1
inertia = [0.05, 0.05, 0.08]
[[joint]]
type = 'revolute'
name = 'bearing'
body1 = 'ground'
body2 = 'table'
axis = [0, 0, 1]
[[driver]]
type = 'angle'
name = 'drive'
joint = 'bearing'
motion = '2*t'
[[joint]]
type = 'spherical'
name = 'ball'
body1 = 'table'
body2 = 'ring'
[[joint]]
type = 'revolute'
name = 'shaft'
axis = [0, 0, 1]
angle_rate = 90
body1 = 'ring'
body2 = 'rotor'
[[force]]
type = 'bushing'
name = 'springs'
body1 = 'table'
body2 = 'ring'
rotational_stiffness = [200, 300, 400]
",
    );
    assert_turning(&found, Some("table"));
    assert!((found.axes.rate[2] - 2.0).abs() < 1e-12, "{:?}", found.axes.rate);
    // the spin is 90 relative to the ring or to the table alike
    assert_rates("table", &found, &[28.378_206_781, 130.760_038_177, 141.421_356_237], 1e-9);
}

/// Springs across the axis of a rotor at two places, unequal in x and y.
#[test]
fn a_rotor_in_unequal_bearings() {
    let bearings = |spin: f64, inertia: [f64; 2]| {
        format!(
            "
[[body]]
name = 'rotor'
mass = 8
inertia = [{}, {}, 0.2]
angular_velocity = [0, 0, {spin}]
[[force]]
type = 'bushing'
name = 'left'
body1 = 'ground'
body2 = 'rotor'
at = [0, 0, -0.15]
stiffness = [2e5, 3e5, 1e5]
[[force]]
type = 'bushing'
name = 'right'
body1 = 'ground'
body2 = 'rotor'
at = [0, 0, 0.25]
stiffness = [1.5e5, 2.5e5, 0]
",
            inertia[0], inertia[1]
        )
    };
    for (spin, expected) in [
        (200.0, [111.803_398_875, 205.441_502_398, 239.281_104_081, 270.696_798_424, 594.101_026_838]),
        (1000.0, [82.117_036_003, 111.803_398_875, 209.326_761_116, 262.363_329_593, 1_752.987_647_953]),
    ] {
        let found = modes(&bearings(spin, [0.12, 0.12]));
        assert_rates(&format!("{spin}"), &found, &expected, 1e-9);
        assert_turning(&found, None);
    }
    // a rotor that is not round in such bearings has coefficients that vary in time
    let uneven = mechanism(&bearings(300.0, [0.12, 0.15]));
    let refused = uneven.modes(uneven.state()).expect_err("coefficients vary").to_string();
    assert!(refused.contains("time-varying"), "{refused}");
    // and a linear system of the instant alone
    assert_eq!(uneven.linearise(uneven.state(), &[], &[]).expect("a linear system").axes, None);
}

/// A mass on a radial slide of a driven turntable, with a spring: s^2 = W^2 - k/m.
#[test]
fn a_turntable_throws_a_mass_out() {
    let table = |k: f64| {
        modes(&format!(
            "
space = 'planar'
[[body]]
name = 'table'
mass = 1
inertia = 1
[[body]]
name = 'mass'
mass = 2
inertia = 0.1
position = [1, 0]
[[joint]]
type = 'revolute'
name = 'hinge'
body1 = 'ground'
body2 = 'table'
[[driver]]
type = 'angle'
name = 'drive'
joint = 'hinge'
motion = '3*t'
[[joint]]
type = 'translational'
name = 'slide'
body1 = 'table'
body2 = 'mass'
at = [1, 0]
axis = [1, 0]
stiffness = {k}
rest = 0
"
        ))
    };
    let out = table(10.0);
    let mut real: Vec<f64> = out.modes.iter().map(|mode| mode.real).collect();
    real.sort_by(f64::total_cmp);
    assert!(real.len() == 2 && (real[0] + 2.0).abs() < 1e-9 && (real[1] - 2.0).abs() < 1e-9, "{real:?}");
    assert_turning(&out, Some("table"));
    // the spring is not stretched: the mass is about to leave
    assert!((out.acceleration - 9.0).abs() < 1e-9, "{}", out.acceleration);
    assert_rates("stiff", &table(50.0), &[4.0], 1e-9);
}

/// A hub with two hinged panels spins freely: three internal modes, and rigid ones as seen from axes that turn.
#[test]
fn a_free_satellite() {
    let panel = |name: &str, sign: f64| {
        format!(
            "
[[body]]
name = '{name}'
mass = 2
inertia = [{ix}, {iy}, {iz}]
position = [{x}, 0, 0]
velocity = [0, {v}, 0]
angular_velocity = [0, 0, 2]
[[joint]]
type = 'revolute'
name = '{name}_hinge'
body1 = 'hub'
body2 = '{name}'
at = [{at}, 0, 0]
axis = [0, 1, 0]
stiffness = 8
rest = 0
",
            ix = 2.0 * 0.25 / 12.0,
            iy = 2.0 * 1.44 / 12.0,
            iz = 2.0 * 1.69 / 12.0,
            x = sign * 1.1,
            v = sign * 2.2,
            at = sign * 0.5,
        )
    };
    let found = modes(&format!(
        "
[[body]]
name = 'hub'
mass = 20
inertia = [3, 4, 6]
angular_velocity = [0, 0, 2]
{}{}",
        panel("right", 1.0),
        panel("left", -1.0)
    ));
    assert_turning(&found, Some("hub"));
    let rates = rates(&found);
    for expected in [1.546_210_388, 4.117_326_918, 5.237_639_624] {
        assert!(rates.iter().any(|rate| (rate / expected - 1.0).abs() < 1e-9), "{expected}: {rates:?}");
    }
    // shifts across the axis and turns about it: twice 2 i as a defective pair, known to half of the digits, and once more
    assert_eq!(rates.iter().filter(|rate| (**rate - 2.0).abs() < 1e-5).count(), 3, "{rates:?}");
    assert_eq!(rates.len(), 6, "{rates:?}");
    // along z, and about z
    assert_eq!((found.free.len(), found.zeros), (2, 4), "{:?}", found.free);
}

/// A bob on a rod at its angle in a hub that turns, and beside it.
#[test]
fn a_governor() {
    let governor = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        format!(
            "
gravity = [0, 0, -9.81]
[[body]]
name = 'hub'
mass = 1
inertia = [1, 1, 1]
[[body]]
name = 'bob'
mass = 1
inertia = [1e-3, 1e-3, 5e-4]
position = [{}, 0, {}]
orientation = {{ axis = [0, 1, 0], angle = {} }}
[[joint]]
type = 'revolute'
name = 'bearing'
body1 = 'ground'
body2 = 'hub'
axis = [0, 0, 1]
[[driver]]
type = 'angle'
name = 'drive'
joint = 'bearing'
motion = '8*t'
[[joint]]
type = 'revolute'
name = 'hinge'
body1 = 'hub'
body2 = 'bob'
at = [0.1, 0, 0]
axis = [0, 1, 0]
",
            0.1 + 0.4 * sin,
            -0.4 * cos,
            -angle
        )
    };
    let found = modes(&governor(1.263_144_360));
    assert_turning(&found, Some("hub"));
    assert_rates("governor", &found, &[8.639_131_111], 1e-8);
    assert!(found.acceleration < 1e-7, "{}", found.acceleration);
    assert!(modes(&governor(1.0)).acceleration > 1.0);
    // and from beside it
    for angle in [0.9, 1.1, 1.4] {
        let (mechanism, state, found) = steady(&governor(angle));
        let values = mechanism.values(&state).expect("values");
        let radius = values.get("bob.x").expect("a channel");
        assert!((radius - 0.1 - 0.4 * 1.263_144_360_f64.sin()).abs() < 1e-9, "{angle}: {radius}");
        assert_turning(&found, Some("hub"));
        assert_rates("from beside", &found, &[8.639_131_111], 1e-8);
    }
}

/// A mass on an elastic tether, stretched by its turning about a hub: lag, flap and stretch.
#[test]
fn a_tether() {
    for (spin, length, expected) in [
        (10.0, 0.64, [4.134_275_720, 11.456_439_237, 30.235_041_992]),
        (20.0, 1.9, [2.140_754_502, 21.026_299_322, 42.866_332_165]),
    ] {
        let tether = |radius: f64, speed: f64| {
            format!(
                "
[[body]]
name = 'hub'
mass = 1
inertia = [1, 1, 1]
[[body]]
name = 'mass'
point = true
mass = 1.5
position = [{radius}, 0, 0]
velocity = [0, {speed}, 0]
[[joint]]
type = 'revolute'
name = 'bearing'
body1 = 'ground'
body2 = 'hub'
axis = [0, 0, 1]
[[driver]]
type = 'angle'
name = 'drive'
joint = 'bearing'
motion = '{spin}*t'
[[force]]
type = 'spring'
name = 'tether'
body1 = 'hub'
point1 = [0.2, 0, 0]
body2 = 'mass'
stiffness = 900
rest_length = 0.5
"
            )
        };
        let radius = 0.2 + length;
        let found = modes(&tether(radius, radius * spin));
        assert_turning(&found, Some("hub"));
        assert_rates(&format!("{spin}"), &found, &expected, 1e-9);
        assert!(found.acceleration < 1e-9, "{}", found.acceleration);
        // stretched by the turning, from rest and without a load
        let (mechanism, state, found) = steady(&tether(0.7, 0.0));
        let values = mechanism.values(&state).expect("values");
        assert!((values.get("mass.x").expect("a channel") - radius).abs() < 1e-9);
        assert_turning(&found, Some("hub"));
        assert_rates(&format!("stretched by {spin}"), &found, &expected, 1e-8);
    }
}

/// Flap and lag of a clamped blade with EI = L = mass per length = 1, against the table of Wright et al. 1982 by way of a
/// Ritz method; lag^2 = flap^2 - W^2.
#[test]
fn a_blade_is_stiffened_by_its_turning() {
    for (spin, flap) in [(3.0, [4.797_278_53, 23.320_263_67]), (12.0, [13.170_150_49, 37.603_112_36])] {
        let (_, _, found) = steady(&format!(
            "
[[body]]
name = 'hub'
mass = 1
inertia = [1, 1, 1]
[[joint]]
type = 'revolute'
name = 'bearing'
body1 = 'ground'
body2 = 'hub'
axis = [0, 0, 1]
[[driver]]
type = 'angle'
name = 'drive'
joint = 'bearing'
motion = '{spin}*t'
[[beam]]
name = 'blade'
from = [0, 0, 0]
to = [1, 0, 0]
elements = 4
order = 4
stiffness = [
  [1e6, 0, 0, 0, 0, 0], [0, 1e6, 0, 0, 0, 0], [0, 0, 1e6, 0, 0, 0],
  [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1],
]
mass_per_length = 1
rotary_inertia = [2e-6, 1e-6, 1e-6]
[[joint]]
type = 'fixed'
name = 'root'
body1 = 'hub'
body2 = 'blade.start'
"
        ));
        assert_turning(&found, Some("hub"));
        let rates = rates(&found);
        for flap in flap {
            for expected in [flap, f64::sqrt(flap * flap - spin * spin)] {
                let near = rates.iter().any(|rate| (rate / expected - 1.0).abs() < 3e-4);
                assert!(near, "{spin}: {expected} {:?}", &rates[..6]);
            }
        }
    }
}

/// A ball-jointed rotor whose tip is held by long springs: J th'' - i W Jp th' + k a^2 th = 0.
#[test]
fn a_rotor_with_a_tip_on_springs() {
    for spin in [0.0, 30.0, 100.0, 300.0, 1000.0] {
        let found = modes(&format!(
            "
[[body]]
name = 'rotor'
mass = 1
inertia = [0.02, 0.02, 0.02]
angular_velocity = [{spin}, 0, 0]
[[joint]]
type = 'spherical'
name = 'ball'
body1 = 'ground'
body2 = 'rotor'
[[body]]
name = 'tip'
point = true
mass = 1e-3
position = [1, 0, 0]
[[joint]]
type = 'spherical'
name = 'seat'
body1 = 'rotor'
body2 = 'tip'
at = [1, 0, 0]
[[force]]
type = 'spring'
name = 's1'
body1 = 'ground'
point1 = [1, 1000, 0]
body2 = 'tip'
stiffness = 100
rest_length = 1000
[[force]]
type = 'spring'
name = 's2'
body1 = 'ground'
point1 = [1, 0, 1000]
body2 = 'tip'
stiffness = 100
rest_length = 1000
"
        ));
        let half = 0.5 * 0.02 * spin / 0.021;
        let root = f64::sqrt(half * half + 100.0 / 0.021);
        assert_rates(&format!("{spin}"), &found, &[root - half, root + half], 1e-6);
    }
}

/// A bead on a thread that goes round in a level circle: neither a body nor a driver says about which axis. With the cone
/// of half angle a, s = 0 (other circles) and s^2 = -W^2 (1 + 3 cos^2 a).
#[test]
fn a_conical_pendulum() {
    let (length, height) = (1.25_f64, 1.0_f64);
    let (radius, spin) = ((length * length - height * height).sqrt(), (9.81 / height).sqrt());
    let found = modes(&format!(
        "
gravity = [0, 0, -9.81]
[[body]]
name = 'bead'
point = true
mass = 0.5
position = [{radius}, 0, -1]
velocity = [0, {}, 0]
[[joint]]
type = 'distance'
name = 'thread'
body1 = 'ground'
body2 = 'bead'
",
        spin * radius
    ));
    assert_turning(&found, Some("bead"));
    let square = 1.0 + 3.0 * (height / length) * (height / length);
    assert_rates("cone", &found, &[spin * square.sqrt()], 1e-9);
    assert_eq!(found.zeros, 2, "{:?}", found.modes);
}

/// A push of some milliseconds excites the top, and is no part of its steady motion.
#[test]
fn loads_of_time_alone_are_left_out() {
    let text = top(100.0).replace("magnitude = 'push'", "magnitude = '0.1*pulse(t, 0, 0.05) + 0*push'");
    assert!(modes(&text).left_out.is_empty(), "an input counts");
    let found = modes(&top(100.0).replace("magnitude = 'push'", "magnitude = '0.1*pulse(t, 0, 0.05)'"));
    let root = f64::sqrt(45.0 * 45.0 + 9.81 * 0.1 / 0.02);
    assert_rates("kicked", &found, &[root - 45.0, root + 45.0], 1e-8);
    assert_eq!(found.left_out, ["pusher"]);
}

/// A slender rod: twelve decades lie between its slowest bending and the fastest shear.
#[test]
fn the_slowest_modes_of_a_slender_rod() {
    for (diameter, length) in [(5e-3, 3.0), (3e-3, 30.0)] {
        let found = modes(&format!(
            "
[[beam]]
name = 'rod'
from = [0, 0, 0]
to = [{length}, 0, 0]
section = 'circle'
diameter = {diameter}
youngs_modulus = 210e9
poissons_ratio = 0.3
density = 7850
[[joint]]
type = 'fixed'
name = 'wall'
body1 = 'ground'
body2 = 'rod.start'
"
        ));
        assert!(found.free.is_empty() && found.zeros == 0, "{:?}", found.free);
        let beta = 1.875_104_068_7 / length;
        let exact = beta * beta * (0.25 * diameter) * f64::sqrt(210e9 / 7850.0);
        let rates = rates(&found);
        for rate in &rates[..2] {
            assert!((rate / exact - 1.0).abs() < 1e-4, "{length}: {rate} {exact}");
        }
        assert!(rates[2] > 5.0 * exact, "{length}: {rates:?}");
        assert!(found.modes.iter().all(|mode| mode.real.abs() < 1e-6 * mode.magnitude()));
    }
}
