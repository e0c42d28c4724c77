//! Rigid stops and friction of joints, against formulas: impacts, rest, sticking, sliding, and what becomes of energy.

use kingpin::mechanism::{Checkpoint, Error, Mechanism, Method, Observer, Recording, Settings};
use kingpin_io::{Overrides, read_text};
use std::f64::consts::PI;

fn mechanism(text: &str) -> Mechanism {
    let loaded = read_text("model.toml", text, ".", &Overrides::none());
    let shown = loaded.render(false);
    let model = loaded.model.unwrap_or_else(|| panic!("{shown}"));
    Mechanism::new(model).unwrap_or_else(|e| panic!("{e}"))
}

fn run(mechanism: &Mechanism, settings: &Settings) -> Recording {
    mechanism.simulate_with(settings).unwrap_or_else(|e| panic!("{}: {e}", settings.method.name()))
}

/// The times of events of one kind.
fn times(found: &Recording, what: &str) -> Vec<f64> {
    found.events().iter().filter(|event| event.what == what).map(|event| event.t).collect()
}

const METHODS: [Method; 6] =
    [Method::Dop853, Method::Adams, Method::Radau, Method::ForRosen, Method::Esdirk, Method::GenAlpha];
const EXPLICIT: [Method; 3] = [Method::Dop853, Method::Dopri5, Method::Adams];

/// An arm that a constant torque turns against a stop.
fn arm(torque: &str, restitution: f64) -> String {
    format!(
        r#"
space = "planar"
[[body]]
name = "arm"
mass = 2
inertia = 0.5
com = [0.5, 0]
[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "arm"
stops = {{ max = "30 deg", restitution = {restitution} }}
[[force]]
type = "torque"
name = "motor"
body = "arm"
magnitude = "{torque}"
"#
    )
}

/// Flights of a constant acceleration a: the first takes sqrt(2 d / a), each further one e times as long as twice that.
#[test]
fn a_hinge_bounces_and_comes_to_rest() {
    let (torque, e, j) = (3.0, 0.6, 0.5 + 2.0 * 0.25);
    let (a, d) = (torque / j, f64::to_radians(30.0));
    let mechanism = mechanism(&arm("3 N*m", e));
    let first = f64::sqrt(2.0 * d / a);
    let end = first * (1.0 + 2.0 * e / (1.0 - e));
    for method in METHODS {
        let settings = Settings { method, ..Settings::new(1e-7, 1.5 * end) };
        let found = run(&mechanism, &settings);
        let strikes = times(&found, "joint `hinge` strikes its upper stop");
        assert!(strikes.len() > 20, "{}: {}", method.name(), strikes.len());
        let mut t = first;
        for (k, strike) in strikes.iter().enumerate() {
            assert!((strike - t).abs() < 1e-6, "{}: impact {k} at {strike}, not {t}", method.name());
            t += 2.0 * first * e.powi(k as i32 + 1);
        }
        let rests = times(&found, "joint `hinge` comes to rest on its upper stop");
        assert_eq!(rests.len(), 1, "{}", method.name());
        assert!((rests[0] - end).abs() < 1e-5, "{}: {} {end}", method.name(), rests[0]);
        assert!((found.last("hinge.angle").unwrap() - d).abs() < 1e-9, "{}", method.name());
        assert!(found.last("hinge.angle_rate").unwrap().abs() < 1e-12);
        // the stop holds against the torque, and all the work of the torque is lost
        assert!((found.last("hinge.stops.torque").unwrap() - torque).abs() < 1e-9);
        let energy = &found.run().unwrap().energy;
        assert!((energy.exchanged.dissipated - torque * d).abs() < 1e-6, "{}", method.name());
        assert!(energy.worst < 1e-6, "{}: {}", method.name(), energy.worst);
    }
}

/// At rest on the stop from the start, until the torque changes its sign.
#[test]
fn a_stop_pushes_and_never_pulls() {
    let text = arm("3 N*m*cos(2 rad/s*t)", 0.3).replace("max = ", "min = -9, max = ");
    let text = text.replace("name = \"hinge\"", "name = \"hinge\"\nangle = \"30 deg\"");
    let mechanism = mechanism(&text);
    for method in METHODS {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-8, 1.5) });
        let leaves = times(&found, "joint `hinge` leaves its upper stop");
        assert_eq!(found.events().len(), 1, "{}: {:?}", method.name(), found.events());
        assert!((leaves[0] - PI / 4.0).abs() < 1e-7, "{}: {}", method.name(), leaves[0]);
        // w' = 3 cos 2t, from rest at pi/4
        let rate = 1.5 * (f64::sin(3.0) - 1.0);
        assert!((found.last("hinge.angle_rate").unwrap() - rate).abs() < 1e-6, "{}", method.name());
        assert!(found.series("hinge.stops.torque").unwrap().iter().all(|x| *x > -1e-9));
    }
}

/// All velocities of a linkage jump where one of its coordinates meets a stop, joints are kept, and Newton's law holds for
/// that coordinate.
#[test]
fn velocities_of_a_linkage_jump_together() {
    let text = r#"
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "crank"
mass = 1
inertia = 0.1
com = [0.5, 0]
[[body]]
name = "rod"
mass = 2
inertia = 0.4
position = [1, 0]
com = [1, 0]
[[body]]
name = "slider"
mass = 3
inertia = 1
position = [3, 0]
[[joint]]
type = "revolute"
name = "bearing"
body1 = "ground"
body2 = "crank"
angle_rate = -2
[[joint]]
type = "revolute"
name = "pin"
body1 = "crank"
body2 = "rod"
at = [1, 0]
[[joint]]
type = "revolute"
name = "wrist"
body1 = "rod"
body2 = "slider"
at = [3, 0]
[[joint]]
type = "translational"
name = "rail"
body1 = "ground"
body2 = "slider"
at1 = [3, 0]
at2 = [3, 0]
axis = [1, 0]
stops = { min = -0.4, restitution = 0.5 }
"#;
    let mechanism = mechanism(text);
    for method in [Method::Dop853, Method::Radau] {
        let settings = Settings { method, frame: Some(1e-3), ..Settings::new(1e-8, 1.2) };
        let found = run(&mechanism, &settings);
        let strikes = times(&found, "joint `rail` strikes its lower stop");
        assert!(!strikes.is_empty());
        let rates = found.series("rail.displacement_rate").unwrap();
        let k = found.times().iter().position(|t| *t > strikes[0]).unwrap();
        let (before, after) = (rates[k - 1], rates[k]);
        assert!((after / before + 0.5).abs() < 0.02, "{before} {after}");
        let run = found.run().unwrap();
        assert!(run.position_residual < 1e-9 && run.velocity_residual < 1e-8);
        assert!(run.energy.worst < 1e-6 && run.energy.exchanged.dissipated > 0.1, "{:?}", run.energy);
        assert!(found.series("rail.displacement").unwrap().iter().all(|x| *x > -0.4 - 1e-9));
    }
}

/// A block on an incline, with friction from its reaction.
fn incline(degrees: f64, rate: f64, friction: &str) -> String {
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
    for method in EXPLICIT {
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
    for (degrees, method) in [10.0, 25.0].into_iter().flat_map(|d| EXPLICIT.map(|m| (d, m))) {
        let (s, c) = f64::to_radians(degrees).sin_cos();
        let stop = v / (g * (s + mu * c));
        let mechanism = mechanism(&incline(degrees, v, "coefficient = 0.3"));
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-6, 1.0) });
        let (event, first) = (&found.events()[0], 0.5 * v * stop);
        assert!((event.t - stop).abs() < 1e-9, "{}: {} {stop}", method.name(), event.t);
        let (way, what) = if degrees < 16.0 {
            (first, "joint `slope` sticks")
        } else {
            (first - 0.5 * g * (s - mu * c) * (1.0 - stop) * (1.0 - stop), "joint `slope` slides back")
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
const PULLED: &str = r#"
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
#[ignore = "a minute"]
fn ten_thousand_cycles_keep_the_period() {
    let error = stick_slip(Method::Dop853, 10_000, 1e-6);
    println!("relative error of the period over 10000 cycles: {error:.2e}");
    assert!(error.abs() < 1e-4);
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
    for method in EXPLICIT {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-8, 2.0) });
        let sticks = times(&found, "joint `axle` sticks");
        assert!((sticks[0] - stop).abs() < 1e-8, "{}: {} {stop}", method.name(), sticks[0]);
        assert!((found.last("axle.angle").unwrap() - 1.5 * stop).abs() < 1e-7);
    }
}

/// Collects checkpoints on the way.
#[derive(Default)]
struct Keeper(Vec<Checkpoint>);

impl Observer for Keeper {
    fn wants_checkpoint(&mut self, _: bool) -> bool {
        true
    }
    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        self.0.push(checkpoint.clone());
    }
}

#[test]
fn runs_go_on_from_anywhere_to_the_same_bits() {
    let (pulled, bounced) = (mechanism(PULLED), mechanism(&arm("3 N*m", 0.5)));
    for (mechanism, end) in [(&pulled, 4.0), (&bounced, 3.0)] {
        for method in [Method::Dop853, Method::Radau] {
            let settings = Settings { method, ..Settings::new(1e-6, end) };
            let start = Checkpoint::at_start(mechanism.start().unwrap(), &settings);
            let mut keeper = Keeper::default();
            let whole = mechanism.run(&settings, &start, &mut keeper).unwrap();
            assert!(whole.failure.is_none(), "{:?}", whole.run.end);
            for from in keeper.0.iter().step_by(1 + keeper.0.len() / 7) {
                let rest = mechanism.run(&settings, from, &mut Keeper::default()).unwrap();
                assert_eq!(rest.run.state, whole.run.state, "{} from {}", method.name(), from.run.state.t);
                assert_eq!(rest.run.events, whole.run.events);
            }
        }
    }
}

/// Equilibria and modes leave friction that sticks out, whatever the block did before.
#[test]
fn statics_know_no_friction() {
    let friction = "coefficient = 0.4, preload = 20, reaction = false";
    let text = format!("{}stiffness = 300\nrest = 0.2\n", incline(0.0, 1.5, friction));
    let mechanism = mechanism(&text);
    let rest = mechanism.equilibrium().unwrap_or_else(|e| panic!("{e}"));
    assert!((rest.state.q[0] - 0.2).abs() < 1e-9, "{:?}", rest.state.q);
    let modes = mechanism.modes(&rest.state).unwrap_or_else(|e| panic!("{e}"));
    assert!((modes.modes[0].imaginary.abs() - 10.0).abs() < 1e-9);
}

#[test]
fn what_cannot_be_told_is_refused_by_name() {
    let refused = |result: Result<Recording, Error>| result.err().map(|e| e.to_string()).unwrap_or_default();
    // an implicit method does not know reactions
    let slope = mechanism(&incline(10.0, 1.0, "coefficient = 0.3"));
    let message =
        refused(slope.simulate_with(&Settings { method: Method::Radau, ..Settings::new(1e-6, 1.0) }));
    assert!(message.contains("slope") && message.contains("explicit method"), "{message}");
    // beyond a stop
    let text = arm("3 N*m", 0.5).replace("name = \"hinge\"", "name = \"hinge\"\nangle = \"31 deg\"");
    let message = refused(mechanism(&text).simulate());
    assert!(message.contains("starts beyond its upper stop"), "{message}");
    // an equilibrium that a rigid stop would hold
    let hanging = arm("0 N*m", 0.5).replace("space = \"planar\"", "space = \"planar\"\ngravity = [9, 0]");
    let hanging =
        hanging.replace("max = \"30 deg\"", "min = \"10 deg\"").replace("\"hinge\"", "\"hinge\"\nangle = 1");
    let message = mechanism(&hanging).equilibrium().unwrap_err().to_string();
    assert!(message.contains("lower stop, which is rigid"), "{message}");
}
