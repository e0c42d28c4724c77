//! Actuators, motors and what drivers show; tables in files and how their points are joined.

use kingpin::mechanism::{Mechanism, Method, Produced, Recording, Settings};
use kingpin_io::{Loaded, Overrides, read_text, read_texts, to_toml};

fn loaded(text: &str) -> Loaded {
    read_text("model.toml", text, ".", &Overrides::none())
}

fn made(loaded: Loaded) -> Mechanism {
    let shown = loaded.render(false);
    let model = loaded.model.unwrap_or_else(|| panic!("{shown}"));
    Mechanism::new(model).unwrap_or_else(|e| panic!("{e}"))
}

fn run(mechanism: &Mechanism, method: Method, t_end: f64) -> Recording {
    let settings = Settings { method, t_end, ..mechanism.settings() };
    mechanism.simulate_with(&settings).unwrap_or_else(|e| panic!("{}: {e}", method.name()))
}

fn last(recording: &Recording, name: &str) -> f64 {
    let k = recording.channels().iter().position(|c| c.name == name).unwrap_or_else(|| panic!("{name}"));
    recording.row(recording.times().len() - 1).expect("a frame")[k]
}

const CART: &str = r#"
space = "planar"
[[body]]
name = "cart"
mass = 2
inertia = 1
[[joint]]
type = "translational"
name = "rail"
body1 = "ground"
body2 = "cart"
axis = [1, 0]
[simulation]
t_end = 3
tol = 1e-9
"#;

/// A cart with an actuator of some force.
fn cart(force: &str) -> String {
    format!("{CART}\n[[force]]\ntype = 'actuator'\nname = 'push'\njoint = 'rail'\nforce = {force}\n")
}

/// A force that is told, as a number, a function of its own stroke and speed, and a motor: known motions.
#[test]
fn actuators_push_on() {
    for method in [Method::Dop853, Method::Radau, Method::Adams] {
        let one = run(&made(loaded(&cart("3"))), method, 2.0);
        assert!((last(&one, "push.stroke") - 3.0).abs() < 1e-6);
        assert!((last(&one, "push.speed") - 3.0).abs() < 1e-6);
        assert!((last(&one, "push.power") - 9.0).abs() < 1e-6);
        assert!((last(&one, "energy.kinetic") - 9.0).abs() < 1e-6);
        // m v' = 3 - 4 v - 2 (x - 1): critically damped, x = 2.5 (1 - (1 + t) exp(-t))
        let two = run(&made(loaded(&cart("'3 N - 4 N*s/m*speed - 2 N/m*(stroke - 1 m)'"))), method, 2.0);
        let exact = 2.5 * (1.0 - 3.0 * (-2.0_f64).exp());
        assert!((last(&two, "push.stroke") - exact).abs() < 1e-6, "{}", method.name());
        assert!(last(&two, "energy.balance").abs() < 1e-6);
    }
    let wheel = "space = 'planar'\n[[body]]\nname = 'w'\nmass = 1\ninertia = 0.5\n[[joint]]\ntype = 'revolute'\n\
                 name = 'axle'\nbody1 = 'ground'\nbody2 = 'w'\n[[force]]\ntype = 'motor'\nname = 'm'\njoint = 'axle'\n\
                 torque = '2 N*m'\n[simulation]\nt_end = 1\ntol = 1e-9\n";
    let turned = run(&made(loaded(wheel)), Method::Dop853, 1.0);
    assert!((last(&turned, "m.stroke") - 2.0).abs() < 1e-7 && (last(&turned, "m.power") - 8.0).abs() < 1e-6);
}

/// A driver shows what it does, and a spring its power.
#[test]
fn drivers_and_springs_show_what_they_do() {
    let text = format!(
        "{CART}[[driver]]\ntype = 'displacement'\nname = 'lift'\njoint = 'rail'\nmotion = '2*t^2'\n\
         [[force]]\ntype = 'spring'\nname = 's'\nbody1 = 'ground'\npoint1 = [-1, 0]\nbody2 = 'cart'\n\
         stiffness = 10\nrest_length = 1\n"
    );
    let model = loaded(&text.replace("2*t^2", "2 m*(t/(1 s))^2"));
    let all = run(&made(model), Method::Dop853, 1.5);
    let (x, v) = (4.5, 6.0);
    let near = |name: &str, value: f64| {
        assert!((last(&all, name) - value).abs() < 1e-7, "{name}: {} {value}", last(&all, name));
    };
    near("lift.stroke", x);
    near("lift.speed", v);
    near("lift.force", 2.0 * 4.0 + 10.0 * x);
    near("lift.power", (2.0 * 4.0 + 10.0 * x) * v);
    near("lift.fx", 2.0 * 4.0 + 10.0 * x);
    near("s.force", 10.0 * x);
    near("s.power", -10.0 * x * v);
}

/// Columns of a file, with units, beside the file that names them.
#[test]
fn tables_come_from_files() {
    let table = "# by hand\ntime [ms], push [kN], note [mm]\n0,0.001,1\n500, 0.003,2\n\n3000,0.002,4\n";
    let inline = "{ t = [0, 0.5, 3], value = [1, 3, 2] }";
    let plain = "1.5;9\n2;8\n";
    for (force, other) in [
        ("{ file = 'a/push.csv', value = 'push' }", inline),
        (
            "{ file = 'a/push.csv', t = 'time', value = 'push', ends = 'natural' }",
            "{ t = [0, 0.5, 3], value = [1, 3, 2], ends = 'natural' }",
        ),
        ("{ file = 'plain.csv', join = 'linear' }", "{ t = [1.5, 2], value = [9, 8], join = 'linear' }"),
        ("{ file = 'plain.csv', t = '1', value = '1' }", "{ t = [1.5, 2], value = [1.5, 2] }"),
    ] {
        let text = cart(force);
        let texts = [("m/model.toml", text.as_str()), ("m/a/push.csv", table), ("m/plain.csv", plain)];
        let found = read_texts("m/model.toml", &texts, &Overrides::none());
        let (shown, wanted) = (found.render(false), loaded(&cart(other)).model.expect("a model"));
        let found = found.model.unwrap_or_else(|| panic!("{shown}"));
        assert_eq!(found.forces, wanted.forces, "{force}");
        // and is written out
        assert_eq!(loaded(&to_toml(&found)).model.expect("a model").forces, wanted.forces);
    }
}

/// Lines and steps, against their integrals.
#[test]
fn points_are_joined_as_told() {
    for method in [Method::Dop853, Method::Radau, Method::Adams] {
        // impulses until 3 s
        for (join, exact) in [("linear", 1.0 + 2.0 + 3.0), ("step", 1.0 + 1.0 + 3.0)] {
            let force = format!("{{ t = [0, 1, 2, 2.5], value = [1, 1, 3, 3], join = '{join}' }}");
            let all = run(&made(loaded(&cart(&force))), method, 3.0);
            let speed = last(&all, "push.speed");
            assert!((speed - exact / 2.0).abs() < 1e-8, "{join} by {}: {speed}", method.name());
        }
    }
    // a spline follows a sine
    let points: Vec<f64> = (0..=60).map(|k| 0.05 * f64::from(k)).collect();
    let values: Vec<f64> = points.iter().map(|t| t.sin()).collect();
    let slopes = [1.0, 3.0_f64.cos()];
    let driver = format!(
        "{CART}[[driver]]\ntype = 'displacement'\nname = 'lift'\njoint = 'rail'\n\
         motion = {{ t = {points:?}, value = {values:?}, join = 'spline', ends = {slopes:?} }}\n"
    );
    let all = run(&made(loaded(&driver)), Method::Dop853, 2.975);
    let t = 2.975_f64;
    assert!((last(&all, "lift.stroke") - t.sin()).abs() < 1e-7);
    assert!((last(&all, "lift.speed") - t.cos()).abs() < 1e-5);
    assert!((last(&all, "lift.force") + 2.0 * t.sin()).abs() < 2e-3);
}

/// Inverse dynamics by the library: the force of a cart that is moved.
#[test]
fn the_front_door_has_inverse_dynamics() {
    let text = format!(
        "{CART}[[driver]]\ntype = 'coordinate'\nname = 'path'\nbody = 'cart'\ncoordinate = 'x'\n\
         motion = '2 m*(t/(1 s))^2'\n[[driver]]\ntype = 'displacement'\nname = 'lift'\njoint = 'rail'\nmotion = '1 m'\n"
    );
    let model = loaded(&text).model.expect("a model");
    let produced = Produced::new(&model, &[], &["lift"]).unwrap_or_else(|found| panic!("{found:?}"));
    assert_eq!(produced.motions, ["path"]);
    let mechanism = Mechanism::new(produced.model.clone()).unwrap_or_else(|e| panic!("{e}"));
    let mut all = Recording::new();
    let done = mechanism.inverse(&produced, 2.0, 4, &mut all).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(done.frames, 5);
    assert!((last(&all, "lift.force") - 8.0).abs() < 1e-10 && last(&all, "path.force").abs() < 1e-10);
    assert!((last(&all, "lift.power") - 64.0).abs() < 1e-9);
    assert!(Produced::new(&model, &["lift"], &["lift"]).is_err());
}

/// Forces that are no linear functions of an input: it is found from near and far.
#[test]
fn inputs_of_curved_forces_are_found() {
    for magnitude in ["u^3", "u^2", "exp(u)", "4*atan(u)", "u + 0.1*sin(u)"] {
        for start in [1.0, 5.0, 0.1] {
            let text = format!(
                "space = 'planar'\n[[body]]\nname = 'b'\nmass = 1\ninertia = 1\n\
                 [[joint]]\ntype = 'translational'\nname = 'j'\nbody1 = 'ground'\nbody2 = 'b'\naxis = [1, 0]\n\
                 [[driver]]\ntype = 'displacement'\nname = 'path'\njoint = 'j'\nmotion = 't^2'\n\
                 [[input]]\nname = 'u'\nvalue = {start}\n\
                 [[force]]\ntype = 'force'\nname = 'f'\nbody = 'b'\ndirection = [1, 0]\nmagnitude = '{magnitude}'\n"
            );
            let model = loaded(&text).model.expect("a model");
            let produced = Produced::new(&model, &[], &["u"]).unwrap_or_else(|found| panic!("{found:?}"));
            let mechanism = Mechanism::new(produced.model.clone()).unwrap_or_else(|e| panic!("{e}"));
            let mut all = Recording::new();
            mechanism
                .inverse(&produced, 1.0, 4, &mut all)
                .unwrap_or_else(|e| panic!("{magnitude} from {start}: {e}"));
            // m x'' of a kilogram that is moved by t^2, and nothing left for the driver
            let [force, drive] = ["f.force", "path.force"].map(|name| last(&all, name));
            assert!(
                (force - 2.0).abs() < 1e-8 && drive.abs() < 1e-8,
                "{magnitude} from {start}: {force} {drive}"
            );
        }
    }
}

/// A table that still changes where it ends is told of by runs that go on behind it, and by no others.
#[test]
fn tables_that_end_before_the_run_are_told() {
    let text = CART.replace("[simulation]", "[[force]]\ntype = 'actuator'\nname = 'pusher'\njoint = 'rail'\nforce = { t = [0, 1, 2], value = [0, 1, 3] }\n[[force]]\ntype = 'actuator'\nname = 'rests'\njoint = 'rail'\nforce = { t = [0, 1, 2], value = [0, 1, 3], ends = [0, 0] }\n[simulation]");
    let mechanism = made(loaded(&text));
    assert!(mechanism.warnings().is_empty());
    for (end, told) in [(2.0, 0), (2.5, 1), (1.0, 0)] {
        let found = run(&mechanism, Method::Dop853, end);
        let said: Vec<String> = found.warnings().iter().map(|own| own.to_string()).collect();
        assert_eq!(said.len(), told, "{said:?}");
        let what = "the table of force `pusher` ends at t = 2 s, before the run at 2.5 s; its last value";
        assert!(said.iter().all(|own| own.contains(what)), "{said:?}");
    }
}

/// Steps of a table end where it jumps, as those of conditions do.
#[test]
fn runs_end_steps_where_tables_jump() {
    let force = "{ t = [0, 0.5, 1], value = [1, -10, 0], join = 'step' }";
    let text = CART.replace(
        "[simulation]",
        &format!(
            "[[force]]\ntype = 'actuator'\nname = 'pusher'\njoint = 'rail'\nforce = {force}\n[simulation]"
        ),
    );
    let mechanism = made(loaded(&text));
    // 1/2 m/s^2 for half a second, then -5
    let exact = 0.5 * 0.5 * 0.25 + 0.25 * 0.5 - 0.5 * 5.0 * 0.25;
    for method in
        [Method::Dop853, Method::Dopri5, Method::Adams, Method::Radau, Method::ForRosen, Method::SspTrap]
    {
        let found = run(&mechanism, method, 1.0);
        let x = last(&found, "rail.displacement");
        assert!((x - exact).abs() < 1e-8, "{}: {x}, not {exact}", method.name());
        let steps = found.run().expect("a run").statistics;
        assert!(steps.rejected <= 6, "{}: {} rejected", method.name(), steps.rejected);
    }
}

/// The plainest oscillator, with steps as long as a radian: what its damper takes is known to the tolerance.
#[test]
fn a_damped_oscillator_is_no_doubt() {
    let spring = "[[force]]\ntype = 'spring'\nname = 'spring'\nbody1 = 'ground'\nbody2 = 'cart'\npoint1 = [-1, 0]\nstiffness = 50\nrest_length = 1.2\ndamping = 1\n[simulation]";
    let mechanism = made(loaded(&CART.replace("[simulation]", spring).replace("tol = 1e-9\n", "")));
    for method in [Method::Auto, Method::Dop853, Method::Dopri5, Method::Adams, Method::Radau] {
        for rtol in [1e-4, 1e-5, 1e-6, 1e-7] {
            let settings = Settings { method, rtol, t_end: 5.0, ..mechanism.settings() };
            let found = mechanism.simulate_with(&settings).expect("a run");
            let name = method.name();
            assert!(found.warnings().is_empty(), "{name} {rtol:e}: {:?}", found.warnings());
            let energy = &found.run().expect("a run").energy;
            assert!(energy.worst < 20.0 * rtol, "{name} {rtol:e}: {}", energy.worst);
        }
    }
}

/// A road of points is level in front of the first and behind the last.
#[test]
fn roads_of_points_are_level_outside() {
    let rolls = |road: &str, x: f64| {
        let text = format!(
            "space = 'planar'\ngravity = [0, -9.81]\n[[body]]\nname = 'w'\nmass = 20\ninertia = 1\nposition = [{x}, 0.29]\nvelocity = [1, 0]\n{road}[[force]]\ntype = 'tyre'\nname = 'tyre'\nbody = 'w'\nradius = 0.3\nstiffness = 50000\ndamping = 500\n"
        );
        let mechanism = made(loaded(&text));
        last(&run(&mechanism, Method::Dop853, 1.0), "w.y")
    };
    let road = "[[road]]\ntype = 'table'\nname = 'r'\npoints = { x = [0, 1, 2, 3], y = [0, 0.05, 0.05, 0], join = 'linear' }\n";
    for x in [-4.0, 4.0] {
        let (on, flat) = (rolls(road, x), rolls("", x));
        assert!((on - flat).abs() < 1e-6, "{x}: {on} {flat}");
    }
}
