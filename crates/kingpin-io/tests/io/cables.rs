//! Cables that go slack and taut again, at instants and in shapes known from formulas.

use kingpin::dynamics::{End, Method, Settings, Unwatched, simulate_with};
use kingpin::mechanism::Mechanism;
use kingpin_io::{Overrides, read_text};
use std::f64::consts::PI;

fn mechanism(text: &str) -> Mechanism {
    let loaded = read_text("model.toml", text, ".", &Overrides::none());
    let said = loaded.render(false);
    Mechanism::new(loaded.model.expect(&said)).unwrap_or_else(|why| panic!("{why}"))
}

/// A weight of 2 kg on a cable of 1 m, let go half a metre below its hook.
fn falling(more: &str) -> Mechanism {
    mechanism(&format!(
        "
space = 'planar'
gravity = [0, -10]
[[body]]
name = 'weight'
mass = 2
inertia = 0.1
position = [0, -0.5]
[[force]]
type = 'cable'
name = 'rope'
body1 = 'ground'
body2 = 'weight'
rest_length = 1
axial_stiffness = 20e3
{more}
"
    ))
}

/// When it goes taut and slack, twice: it falls half a metre, is an oscillator while it is taut, and comes back as fast.
fn instants() -> [f64; 4] {
    let (fall, speed, omega) = (0.1_f64.sqrt(), 10.0_f64.sqrt(), 1e4_f64.sqrt());
    let taut = 2.0 * (PI - (speed * omega / 10.0).atan()) / omega;
    let slack = 2.0 * speed / 10.0;
    [fall, fall + taut, fall + taut + slack, fall + 2.0 * taut + slack]
}

#[test]
fn a_cable_goes_taut_and_slack_when_it_should() {
    let mechanism = falling("");
    for (method, tol) in
        [(Method::Dop853, 1e-9), (Method::Radau, 1e-9), (Method::Adams, 1e-9), (Method::Dop853, 1e-6)]
    {
        let settings = Settings { method, ..Settings::new(tol, 1.1) };
        let dynamics = kingpin::dynamics::Dynamics::new(mechanism.system(), &[], settings.solver);
        let run = simulate_with(dynamics, mechanism.state(), &settings, &mut Unwatched);
        assert_eq!(run.end, End::Reached, "{}", method.name());
        let words: Vec<&str> = run.events.iter().map(|e| e.what.as_str()).collect();
        let (taut, slack) = ("cable `rope` goes taut", "cable `rope` goes slack");
        assert_eq!(words, [taut, slack, taut, slack], "{}", method.name());
        for (event, t) in run.events.iter().zip(instants()) {
            println!("{} at {tol:e}: {} at {}, exact {t}", method.name(), event.what, event.t);
            assert!((event.t - t).abs() < 20.0 * tol, "{}: {} instead of {t}", method.name(), event.t);
        }
    }
}

/// The narrower the strain in which it goes slack, the nearer to one that does so in an instant, and energy is kept.
#[test]
fn a_smooth_cable_is_nearly_one_with_events() {
    let end = |more: &str| {
        let mechanism = falling(more);
        let settings = Settings { method: Method::Dop853, ..Settings::new(1e-9, 0.6) };
        let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
        let balance = results.last("energy.balance").expect("energy");
        assert!(balance.abs() < 1e-6, "{more}: {balance:e}");
        results.last("weight.y").expect("a channel")
    };
    let exact = end("");
    let off = ["1e-4", "1e-5"].map(|s| (end(&format!("slack = 'smooth'\nsmoothing = {s}")) - exact).abs());
    println!("{off:?}");
    assert!(off[0] < 1e-3 && off[1] < 0.2 * off[0], "{off:?}");
}

/// With damping it lets go where its tension vanishes, before it is as short as at rest; with the strain of Green as well.
#[test]
fn damped_cables_never_push() {
    for more in ["axial_damping = 40", "axial_damping = 40\nstrain = 'green'"] {
        let mechanism = falling(more);
        let settings = Settings { method: Method::Dop853, frame: Some(1e-3), ..Settings::new(1e-8, 1.0) };
        let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
        let (force, length) = (
            results.series("rope.force").expect("a force"),
            results.series("rope.length").expect("a length"),
        );
        assert!(force.iter().all(|f| *f >= -1e-6), "{more}");
        assert!(force.iter().zip(&length).all(|(f, l)| *f == 0.0 || *l > 1.0 - 1e-6), "{more}");
        assert!(force.iter().any(|f| *f > 500.0), "{more}");
        let dissipated = results.last("energy.dissipated").expect("energy");
        assert!(dissipated > 1.0, "{dissipated}");
    }
}

/// Of two cables one above and one below a weight, the lower hangs loose.
#[test]
fn at_rest_the_loose_one_does_nothing() {
    for slack in ["event", "smooth"] {
        let mechanism = mechanism(&format!(
            "
gravity = [0, 0, -10]
[[body]]
name = 'weight'
point = true
mass = 2
position = [0, 0, 1]
[[force]]
type = 'cable'
name = 'upper'
body1 = 'ground'
point1 = [0, 0, 2]
body2 = 'weight'
rest_length = 1
axial_stiffness = 1e3
slack = '{slack}'
[[force]]
type = 'cable'
name = 'lower'
body1 = 'ground'
body2 = 'weight'
rest_length = 1.1
axial_stiffness = 1e3
slack = '{slack}'
"
        ));
        let rest = mechanism.equilibrium().unwrap_or_else(|why| panic!("{slack}: {why}"));
        let values = mechanism.values(&rest.state).expect("values");
        let [upper, lower] = ["upper.force", "lower.force"].map(|name| values.get(name).expect("a channel"));
        assert!((upper - 20.0).abs() < 1e-3 && lower.abs() < 1e-3, "{slack}: {upper} {lower}");
    }
}

/// A chain of cables with mass between two hooks hangs in a catenary, all of it taut.
#[test]
fn a_chain_of_cables_hangs_in_a_catenary() {
    let count = 40;
    let mechanism = mechanism(&format!(
        "
space = 'planar'
gravity = [0, -9.81]
[[pattern]]
to = {last}
[[pattern.body]]
name = 'p{{i}}'
point = true
position = ['0.75*i/{count}', '-1.34*min(i, {count} - i)/{count}']
[[force]]
type = 'cable'
name = 'c1'
body1 = 'ground'
body2 = 'p1'
rest_length = '1/{count}'
axial_stiffness = 1e6
mass = '2/{count}'
[[pattern]]
from = 2
to = {last}
[[pattern.force]]
type = 'cable'
name = 'c{{i}}'
body1 = 'p{{i-1}}'
body2 = 'p{{i}}'
rest_length = '1/{count}'
axial_stiffness = 1e6
mass = '2/{count}'
[[force]]
type = 'cable'
name = 'c{count}'
body1 = 'p{last}'
body2 = 'ground'
point2 = [0.75, 0]
rest_length = '1/{count}'
axial_stiffness = 1e6
mass = '2/{count}'
",
        last = count - 1
    ));
    let rest = mechanism.equilibrium().unwrap_or_else(|why| panic!("{why}"));
    let values = mechanism.values(&rest.state).expect("values");
    // length = 2 a sinh(span / 2a)
    let (mut low, mut high) = (1e-2, 1e2);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * (0.375 / a).sinh() > 1.0 { low = a } else { high = a }
    }
    let sag = low * ((0.375 / low).cosh() - 1.0);
    let lowest = values.get("p20.y").expect("a channel");
    println!("sag {lowest}, exact {}", -sag);
    assert!((lowest + sag).abs() < 1e-3, "{lowest} {sag}");
    // the pull of the hooks: a times the weight per length across, in every cable
    let least = low * 2.0 * 9.81;
    for k in 1..=count {
        let tension = values.get(&format!("c{k}.force")).expect("a channel");
        assert!(tension > 0.99 * least, "{k}: {tension} {least}");
    }
}

/// A cable of the file between two hooks at different heights hangs in a catenary, and pulls as the formula says.
#[test]
fn a_cable_hangs_in_a_catenary() {
    let text = |elements: usize, slack: &str| {
        format!(
            "
gravity = [0, 0, -9.81]
[[cable]]
name = 'rope'
from = [0, 0, 0]
to = [3, 0, 1]
length = 4
elements = {elements}
axial_stiffness = 1e9
mass_per_length = 0.5
slack = '{slack}'
smoothing = 1e-9
[[joint]]
type = 'spherical'
name = 'left'
body1 = 'ground'
body2 = 'rope.start'
[[joint]]
type = 'spherical'
name = 'right'
body1 = 'ground'
point1 = [3, 0, 1]
body2 = 'rope.end'
"
        )
    };
    // sqrt(L^2 - dz^2) = 2 a sinh(dx / 2a); the level part of the tension is m g a
    let (mut low, mut high) = (0.1_f64, 10.0);
    for _ in 0..200 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (1.5 / a).sinh() > 15f64.sqrt() { low = a } else { high = a }
    }
    let level = 0.5 * 9.81 * low;
    let errors = [16, 32].map(|elements| {
        let tensions = ["smooth", "event"].map(|slack| {
            let mechanism = mechanism(&text(elements, slack));
            let rest = mechanism.equilibrium().unwrap_or_else(|why| panic!("{elements} {slack}: {why}"));
            let values = mechanism.values(&rest.state).expect("values");
            values.get("left.fx").expect("a channel").abs()
        });
        assert!((tensions[0] - tensions[1]).abs() < 1e-4 * level, "{tensions:?}");
        (tensions[0] - level).abs() / level
    });
    println!("{errors:?}");
    // a chain of straight links errs by the square of their length
    assert!(errors[1] < 2e-3 && (errors[0] / errors[1] - 4.0).abs() < 0.5, "{errors:?}");
}

/// A cable of the file that is let go at one end swings down and keeps its energy.
#[test]
fn a_cable_swings() {
    let mechanism = mechanism(
        "
space = 'planar'
gravity = [0, -9.81]
[[cable]]
name = 'rope'
from = [0, 0]
to = [1, 0]
elements = 8
axial_stiffness = 1e4
axial_damping = 0
mass_per_length = 0.2
[[joint]]
type = 'revolute'
name = 'hook'
body1 = 'ground'
body2 = 'rope.start'
",
    );
    let settings = Settings { method: Method::Radau, ..Settings::new(1e-6, 0.5) };
    let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
    let balance = results.last("energy.balance").expect("energy");
    assert!(balance.abs() < 1e-4, "{balance:e}");
    assert!(results.last("rope.end.y").expect("a channel") < -0.5);
}
