//! Sticking and sliding.

use super::{METHODS, mechanism, run, times};
use kingpin::mechanism::{Method, Settings};
use std::f64::consts::PI;

/// A block on an incline, with friction from its reaction.
pub fn incline(degrees: f64, rate: f64, friction: &str) -> String {
    let (s, c) = f64::to_radians(degrees).sin_cos();
    format!(
        r#"
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "block"
mass = 3
inertia = 1
[[joint]]
type = "translational"
name = "slope"
body1 = "ground"
body2 = "block"
axis = [{c}, {s}]
displacement_rate = {rate}
friction = {{ {friction} }}
"#
    )
}

#[test]
fn a_block_sticks_below_the_angle_and_slides_above() {
    let (mu, stick) = (0.3, 0.35_f64);
    let angle = stick.atan().to_degrees();
    for method in METHODS {
        let settings = Settings { method, ..Settings::new(1e-8, 1.0) };
        let text = |angle| incline(angle, 0.0, "coefficient = 0.3, static = 0.35");
        let still = run(&mechanism(&text(angle - 0.01)), &settings);
        assert!(still.last("slope.displacement").unwrap().abs() < 1e-15, "{}", method.name());
        let s = f64::to_radians(angle - 0.01).sin();
        assert!((still.last("slope.friction.force").unwrap() + 3.0 * 9.81 * s).abs() < 1e-9);
        let slides = run(&mechanism(&text(angle + 0.01)), &settings);
        let (s, c) = f64::to_radians(angle + 0.01).sin_cos();
        let way = -0.5 * 9.81 * (s - mu * c);
        let found = slides.last("slope.displacement").unwrap();
        assert!((found - way).abs() < 1e-7, "{}: {found} {way}", method.name());
    }
}

/// Thrown up, it stops at v / (g (sin + mu cos)), and stays or slides back with g (sin - mu cos).
#[test]
fn a_thrown_block_stops_in_time() {
    let (v, mu, g) = (2.0, 0.3, 9.81);
    for (degrees, method) in [10.0, 25.0].into_iter().flat_map(|d| METHODS.map(|m| (d, m))) {
        let (s, c) = f64::to_radians(degrees).sin_cos();
        let stop = v / (g * (s + mu * c));
        let mechanism = mechanism(&incline(degrees, v, "coefficient = 0.3"));
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-6, 1.0) });
        let (event, first) = (&found.events()[0], 0.5 * v * stop);
        assert!((event.t - stop).abs() < 1e-9, "{}: {} {stop}", method.name(), event.t);
        let (way, what) = if degrees < 16.0 {
            (first, "joint `slope` sticks")
        } else {
            (
                first - 0.5 * g * (s - mu * c) * (1.0 - stop) * (1.0 - stop),
                "joint `slope` reverses its sliding direction",
            )
        };
        assert_eq!(event.what, what);
        let at = found.last("slope.displacement").unwrap();
        assert!((at - way).abs() < 1e-8, "{}: {at} {way}", method.name());
        // what is lost is friction times the way
        let rubbed = 3.0 * g * c * mu * (first + (first - way).abs());
        let energy = &found.run().unwrap().energy;
        assert!(
            (energy.exchanged.dissipated - rubbed).abs() < 1e-7,
            "{} {rubbed}",
            energy.exchanged.dissipated
        );
        assert!(energy.worst < 1e-7);
    }
}

/// With a given normal force all methods do.
#[test]
fn all_methods_stop_under_a_preload() {
    let friction = "coefficient = 0.4, preload = 20, reaction = false, viscous = '2 N*s/m'";
    let mechanism = mechanism(&incline(0.0, 1.5, friction));
    // m v' = -mu N - c v
    let (m, f, c, v) = (3.0, 8.0, 2.0, 1.5);
    let stop = m / c * f64::ln(1.0 + c * v / f);
    let way = m * v / c - f / c * stop;
    for method in METHODS {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-8, 2.0) });
        let sticks = times(&found, "joint `slope` sticks");
        assert_eq!(found.events().len(), 1, "{}: {:?}", method.name(), found.events());
        assert!((sticks[0] - stop).abs() < 1e-7, "{}: {} {stop}", method.name(), sticks[0]);
        assert!((found.last("slope.displacement").unwrap() - way).abs() < 1e-7, "{}", method.name());
        let energy = &found.run().unwrap().energy;
        assert!((energy.exchanged.dissipated - 0.5 * m * v * v).abs() < 1e-6, "{}", method.name());
    }
}

/// A block that a spring pulls along: sticks while the spring is drawn, then slips.
pub const PULLED: &str = r#"
space = "planar"
[[body]]
name = "puller"
mass = 1
inertia = 1
velocity = [0.1, 0]
[[body]]
name = "block"
mass = 1
inertia = 1
position = [-1, 0]
[[joint]]
type = "translational"
name = "track"
body1 = "ground"
body2 = "puller"
axis = [1, 0]
[[driver]]
type = "displacement"
name = "pull"
joint = "track"
motion = "0.1 m/s*t"
[[joint]]
type = "translational"
name = "floor"
body1 = "ground"
body2 = "block"
at1 = [-1, 0]
at2 = [-1, 0]
axis = [1, 0]
friction = { coefficient = 0.2, static = 0.3, preload = 10, reaction = false }
[[force]]
type = "spring"
name = "rope"
body1 = "block"
body2 = "puller"
stiffness = 40
rest_length = 1
"#;

/// The mean period of so many cycles of the pulled block, over the one of the formula less one.
fn stick_slip(method: Method, cycles: usize, tolerance: f64) -> f64 {
    let (k, m, v, excess) = (40.0, 1.0, 0.1, 1.0);
    let w = f64::sqrt(k / m);
    let period = 2.0 * (PI - f64::atan(excess * w / (k * v))) / w + 2.0 * excess / (k * v);
    let mechanism = mechanism(PULLED);
    let end = 3.0 / (k * v) + (cycles as f64 + 0.5) * period;
    let settings = Settings { method, frame: Some(end), ..Settings::new(tolerance, end) };
    let found = run(&mechanism, &settings);
    let slides = times(&found, "joint `floor` slides");
    assert!(slides.len() > cycles, "{}: {}", method.name(), slides.len());
    assert!((slides[0] - 3.0 / (k * v)).abs() < 1e-9, "{}", slides[0]);
    (slides[cycles] - slides[0]) / (cycles as f64 * period) - 1.0
}

#[test]
fn a_pulled_block_sticks_and_slips_in_its_period() {
    for (method, cycles) in
        [(Method::Dop853, 200), (Method::Adams, 20), (Method::Radau, 20), (Method::ForRosen, 5)]
    {
        let error = stick_slip(method, cycles, 1e-8);
        assert!(error.abs() < 1e-6, "{}: {error}", method.name());
    }
}

/// Ten thousand cycles at the default tolerance.
#[test]
fn ten_thousand_cycles_keep_the_period() {
    let error = stick_slip(Method::Dop853, 10_000, 1e-6);
    assert!(error.abs() < 1e-6, "{error:.2e}");
}

/// Friction that goes through rest smoothly comes close to that which sticks, as its speed goes to zero.
#[test]
fn smooth_friction_creeps() {
    let friction = "coefficient = 0.4, preload = 20, reaction = false, smooth = '0.1 mm/s'";
    let mechanism = mechanism(&incline(0.0, 1.5, friction));
    for method in [Method::Dop853, Method::Radau] {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-7, 1.0) });
        assert!(found.events().is_empty());
        let way = 0.5 * 1.5 * 1.5 * 3.0 / 8.0;
        assert!((found.last("slope.displacement").unwrap() - way).abs() < 1e-4, "{}", method.name());
    }
}

/// A wheel that a reaction brakes: its axle is loaded by its weight, w' = -mu m g r / J.
#[test]
fn a_wheel_is_braked_by_its_axle() {
    let text = r#"
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
angle_rate = 3
friction = { coefficient = 0.2, radius = "10 mm", static = 0.3 }
"#;
    let mechanism = mechanism(text);
    let stop = 3.0 * 0.04 / (0.2 * 4.0 * 9.81 * 0.01);
    for method in METHODS {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-8, 2.0) });
        let sticks = times(&found, "joint `axle` sticks");
        assert!((sticks[0] - stop).abs() < 1e-8, "{}: {} {stop}", method.name(), sticks[0]);
        assert!((found.last("axle.angle").unwrap() - 1.5 * stop).abs() < 1e-7);
    }
}

/// A four-bar linkage, each of whose joints rubs: all come to rest together, and hold together what they can.
fn four_bar(torque: &str, friction: &str) -> String {
    format!(
        r#"
space = "planar"
[[body]]
name = "crank"
mass = 1
inertia = 0.1
com = [0, 0.5]
[[body]]
name = "coupler"
mass = 1
inertia = 0.1
position = [0, 1]
com = [0.5, 0]
[[body]]
name = "rocker"
mass = 1
inertia = 0.1
position = [1, 0]
com = [0, 0.5]
[[joint]]
type = "revolute"
name = "a"
body1 = "ground"
body2 = "crank"
{friction}
[[joint]]
type = "revolute"
name = "b"
body1 = "crank"
body2 = "coupler"
at = [0, 1]
{friction}
[[joint]]
type = "revolute"
name = "c"
body1 = "coupler"
body2 = "rocker"
at = [1, 1]
{friction}
[[joint]]
type = "revolute"
name = "d"
body1 = "ground"
body2 = "rocker"
at = [1, 0]
{friction}
[[force]]
type = "torque"
name = "motor"
body = "crank"
magnitude = "{torque}"
"#
    )
}

/// A parallelogram: all four joints turn alike, so the torque that they hold together is the sum of their grips.
#[test]
fn four_joints_hold_one_motion_together() {
    let friction =
        "friction = { coefficient = 0.2, static = 0.25, radius = 0.1, preload = 10, reaction = false }";
    let mechanism = mechanism(&four_bar("0.5 N*m*t", friction));
    let grip = 4.0 * 0.25 * 0.1 * 10.0;
    for method in METHODS {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-8, 2.2) });
        let slides = times(&found, "joint `a` slides");
        assert_eq!(slides.len(), 1, "{}: {:?}", method.name(), found.events());
        assert!((slides[0] - grip / 0.5).abs() < 1e-7, "{}: {}", method.name(), slides[0]);
        assert_eq!(found.events().len(), 4, "{:?}", found.events());
        let energy = &found.run().unwrap().energy;
        assert!(energy.worst < 1e-7, "{}", energy.worst);
    }
}

/// The same with reactions: it is thrown, comes to rest at once in all joints, and what it had is what friction took.
#[test]
fn a_linkage_comes_to_rest_in_all_joints() {
    let friction = "friction = { coefficient = 0.2, static = 0.3, stribeck = '20 mm/s', radius = 0.05 }";
    let text = four_bar("0 N*m", friction).replace("space =", "gravity = [0, 5]\nspace =");
    let text = text.replacen("body2 = \"crank\"", "body2 = \"crank\"\nangle_rate = 1.5", 1);
    let mechanism = mechanism(&text);
    // a method of order two would take some 10^5 steps
    for method in METHODS.into_iter().filter(|method| *method != Method::GenAlpha) {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-8, 20.0) });
        for joint in ["a", "b", "c", "d"] {
            let sticks = times(&found, &format!("joint `{joint}` sticks"));
            assert!(!sticks.is_empty(), "{} {joint}: {:?}", method.name(), found.events());
            assert!(found.last(&format!("{joint}.angle_rate")).unwrap().abs() < 1e-12);
        }
        let energy = &found.run().unwrap().energy;
        assert!(energy.worst < 1e-5, "{}: {}", method.name(), energy.worst);
        assert!(energy.exchanged.dissipated > 0.1);
    }
}
