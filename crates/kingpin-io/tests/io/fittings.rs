//! Springs, dampers, stops and play of joints, against formulas and against the same forces given apart.

use kingpin::mechanism::{Mechanism, Method, Recording, Settings};
use kingpin_io::{Overrides, read_text, to_toml};

fn mechanism(text: &str) -> Mechanism {
    let loaded = read_text("model.toml", text, ".", &Overrides::none());
    let shown = loaded.render(false);
    let model = loaded.model.unwrap_or_else(|| panic!("{shown}"));
    Mechanism::new(model).unwrap_or_else(|e| panic!("{e}"))
}

fn run(mechanism: &Mechanism, settings: &Settings) -> Recording {
    mechanism.simulate_with(settings).unwrap_or_else(|e| panic!("{}: {e}", settings.method.name()))
}

/// Methods of all kinds: explicit, of several steps, implicit with Newton's method and without.
const METHODS: [Method; 6] =
    [Method::Dop853, Method::Adams, Method::Radau, Method::ForRosen, Method::Esdirk, Method::GenAlpha];

const CART: &str = r#"
space = "planar"
[[body]]
name = "cart"
mass = 2
inertia = 1
velocity = [3, 0]
[[joint]]
type = "translational"
name = "rail"
body1 = "ground"
body2 = "cart"
axis = [1, 0]
"#;

const SLEEVE: &str = r#"
space = "spatial"
gravity = [0, 0, -9.81]
[[body]]
name = "sleeve"
mass = 2
inertia = [1, 1, 2]
[[body]]
name = "arm"
mass = 1
inertia = [0.1, 0.2, 0.3]
position = [1, 0, 0]
"#;

const FITTED: &str = r#"
[[joint]]
type = "cylindrical"
name = "bore"
body1 = "ground"
body2 = "sleeve"
axis = [0, 0, 1]
angle_rate = 2
angle_stiffness = 30
angle_rest = "20 deg"
displacement_stiffness = 400
displacement_damping = 5
displacement_preload = 7
[[joint]]
type = "revolute"
name = "hinge"
body1 = "sleeve"
body2 = "arm"
axis = [0, 1, 0]
stiffness = 12
damping = "0.5 N*m*s/rad"
"#;

/// The same with forces of their own.
const APART: &str = r#"
[[joint]]
type = "cylindrical"
name = "bore"
body1 = "ground"
body2 = "sleeve"
axis = [0, 0, 1]
angle_rate = 2
[[joint]]
type = "revolute"
name = "hinge"
body1 = "sleeve"
body2 = "arm"
axis = [0, 1, 0]
[[measure]]
type = "displacement"
name = "rise"
joint = "bore"
[[force]]
type = "torsion-spring"
name = "a"
joint = "bore"
stiffness = 30
rest_angle = "20 deg"
[[force]]
type = "torsion-spring"
name = "b"
joint = "hinge"
stiffness = 12
damping = 0.5
[[force]]
type = "force"
name = "c"
body = "sleeve"
direction = [0, 0, -1]
magnitude = "400 N/m*rise + 5 N*s/m*rise.rate + 7 N"
"#;

#[test]
fn springs_of_joints_are_those_given_apart() {
    let settings = Settings { method: Method::Dop853, ..Settings::new(1e-10, 2.0) };
    let (one, other) = (mechanism(&format!("{SLEEVE}{FITTED}")), mechanism(&format!("{SLEEVE}{APART}")));
    let (a, b) = (run(&one, &settings), run(&other, &settings));
    for name in ["arm.x", "arm.z", "arm.wy", "sleeve.z", "sleeve.wz"] {
        let (a, b) = (a.last(name).unwrap(), b.last(name).unwrap());
        assert!((a - b).abs() < 1e-8, "{name}: {a} {b}");
    }
    let torque = a.last("hinge.spring.torque").unwrap();
    assert!((torque - b.last("b.torque").unwrap()).abs() < 1e-7);
    assert!(a.last("bore.angle_spring.torque").is_ok() && a.last("bore.displacement_spring.force").is_ok());
    // the model that was run is written as it was given
    assert!(to_toml(one.model()).contains("displacement_preload = 7"), "{}", to_toml(one.model()));
    assert!(!to_toml(one.model()).contains("[[force]]"));
}

/// A cart between two stops without damping: contact lasts half a period, flights d / v; the period is their sum.
#[test]
fn a_cart_goes_to_and_fro_between_stops() {
    let (v, d, k, m) = (3.0, 1.5, 5e4, 2.0_f64);
    let mechanism = mechanism(&format!("{CART}stops = {{ min = -0.5, max = 1, stiffness = '50 N/mm' }}\n"));
    let period = 2.0 * (std::f64::consts::PI * f64::sqrt(m / k) + d / v);
    for method in METHODS {
        // after ten periods it is where it began
        let settings = Settings { method, ..Settings::new(1e-9, 10.0 * period) };
        let found = run(&mechanism, &settings);
        let (x, speed) = (found.last("cart.x").unwrap(), found.last("cart.vx").unwrap());
        assert!(x.abs() < 2e-6 && (speed - v).abs() < 2e-6, "{}: {x} {speed}", method.name());
        assert_eq!(found.events().len(), 40, "{}", method.name());
        assert_eq!(found.events()[0].what, "joint `rail` meets its upper stop");
        assert!((found.events()[0].t - 1.0 / v).abs() < 1e-9);
        assert_eq!(found.events()[3].what, "joint `rail` leaves its lower stop");
        assert!(found.run().unwrap().energy.worst < 1e-6, "{}", method.name());
    }
}

/// The restitution of a spring with a damper that never pulls, underdamped: contact ends where k x + c x' = 0.
#[test]
fn a_damped_stop_pushes_and_never_pulls() {
    let (v, m, k, c) = (3.0, 2.0, 5e4, 120.0);
    let text = format!("{CART}stops = {{ max = 1, stiffness = {k}, damping = {c} }}\n");
    let mechanism = mechanism(&text);
    let (w0, zeta) = (f64::sqrt(k / m), c / (2.0 * f64::sqrt(k * m)));
    let w = w0 * f64::sqrt(1.0 - zeta * zeta);
    // x = v/w exp(-zeta w0 t) sin(w t); x'' = 0 where tan(w t) = 2 zeta w / (w0 (2 zeta^2 - 1))
    let t = f64::atan2(2.0 * zeta * f64::sqrt(1.0 - zeta * zeta), 2.0 * zeta * zeta - 1.0) / w;
    let out = v * f64::exp(-zeta * w0 * t) * (f64::cos(w * t) - zeta * w0 / w * f64::sin(w * t));
    for method in METHODS {
        let settings = Settings { method, ..Settings::new(1e-9, 0.6) };
        let found = run(&mechanism, &settings);
        let speed = found.last("cart.vx").unwrap();
        assert!((speed - out).abs() < 1e-6, "{}: {speed} {out}", method.name());
        let events = found.events();
        assert_eq!(events.len(), 2, "{events:?}");
        assert!((events[1].t - 1.0 / v - t).abs() < 1e-8, "{} {t}", events[1].t);
        assert!(found.series("rail.stops.force").unwrap().iter().all(|f| *f >= -1e-6));
        let energy = &found.run().unwrap().energy;
        // what was in the spring when the cart left it is lost too
        let lost = 0.5 * m * (v * v - out * out);
        let taken = energy.exchanged.dissipated;
        assert!((taken / lost - 1.0).abs() < 1e-4, "{}: {taken} {lost}", method.name());
    }
}

/// Two wheels whose teeth have play: nothing happens until it is used up, then both go together.
#[test]
fn teeth_have_play() {
    let text = r#"
space = "planar"
[[body]]
name = "a"
mass = 1
inertia = 0.5
[[body]]
name = "b"
mass = 1
inertia = 2
position = [1, 0]
[[joint]]
type = "revolute"
name = "first"
body1 = "ground"
body2 = "a"
angle_rate = 2
[[joint]]
type = "revolute"
name = "second"
body1 = "ground"
body2 = "b"
at = [1, 0]
[[joint]]
type = "gear"
name = "mesh"
joint1 = "first"
joint2 = "second"
ratio = 0.5
backlash = "2 deg"
stiffness = 1e4
"#;
    let mechanism = mechanism(text);
    for method in [Method::Dop853, Method::Radau] {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-9, 0.07) });
        let events = found.events();
        // 0.5 angle 1 reaches one degree
        let met = f64::to_radians(1.0) / (0.5 * 2.0);
        assert_eq!(events[0].what, "joint `mesh` meets its upper stop");
        assert!((events[0].t - met).abs() < 1e-9, "{}", events[0].t);
        // an elastic impact in ratio w1 + w2: J = reduced inertia of that sum
        let (j1, j2, r, w) = (0.5, 2.0, 0.5, 2.0);
        let reduced = 1.0 / (r * r / j1 + 1.0 / j2);
        let impulse = 2.0 * reduced * r * w;
        let (w1, w2) = (w - impulse * r / j1, -impulse / j2);
        let at = |name: &str| found.last(name).unwrap();
        assert!((at("a.omega") - w1).abs() < 1e-6, "{} {w1}", at("a.omega"));
        assert!((at("b.omega") - w2).abs() < 1e-6, "{} {w2}", at("b.omega"));
        assert!(found.run().unwrap().energy.worst < 1e-7);
        assert!(at("mesh.play.torque").abs() < 1e-9);
    }
}

/// Weight that rests on a stop: the equilibrium is where the spring of the stop carries it, and modes are those of it.
#[test]
fn an_arm_rests_on_its_stop() {
    let text = r#"
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "arm"
mass = 2
inertia = 0.1
com = [0.5, 0]
[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "arm"
stops = { min = "-10 deg", stiffness = "500 N*m/rad", damping = 3 }
"#;
    let mechanism = mechanism(text);
    let rest = mechanism.equilibrium().unwrap_or_else(|e| panic!("{e}"));
    let angle = rest.state.q[2];
    let left = 500.0 * (-f64::to_radians(10.0) - angle) - 2.0 * 9.81 * 0.5 * angle.cos();
    assert!(left.abs() < 1e-7, "{angle} {left}");
}
