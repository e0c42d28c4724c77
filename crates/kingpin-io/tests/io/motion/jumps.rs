//! Drivers whose motion jumps: impacts where the velocity does, an error where the position does.

use crate::motion::{Ready, distinct};
use kingpin::dynamics::{End, Method, Run, Settings, Trouble, Unwatched, simulate};
use kingpin::integrate::Halt;

/// A cart of 3 kg driven along x, with a pendulum of 1 kg on a massless-looking rod of 1 m hanging from it.
fn cart(motion: &str) -> Ready {
    Ready::text(&format!(
        r#"
name = "cart"
space = "planar"
gravity = [0, 0]

[[body]]
name = "cart"
mass = 3
inertia = 1

[[body]]
name = "bob"
mass = 1
inertia = 0.5
position = [0, -1]

[[joint]]
type = "translational"
name = "rail"
body1 = "ground"
body2 = "cart"
axis = [1, 0]

[[joint]]
type = "revolute"
name = "pin"
body1 = "cart"
body2 = "bob"
at = [0, 0]

[[driver]]
type = "displacement"
name = "pull"
joint = "rail"
motion = {motion}
"#
    ))
}

fn run(ready: &Ready, method: Method, t_end: f64) -> Run {
    let settings = Settings { method, ..Settings::new(1e-7, t_end) };
    simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched)
}

#[test]
fn a_jump_in_velocity_is_an_impact() {
    // the cart starts with 2 m/s at once and the bob stays behind: m l v = -(J + m l^2) w
    let w = -2.0 / 1.5;
    for motion in
        ["\"if(t < 1, 0, 2*(t - 1))\"", "\"ramp(t, 1) * 2\"", "\"max(0, 2*t - 2)\"", "\"t - 1 + abs(t - 1)\""]
    {
        let ready = cart(motion);
        for method in distinct() {
            let run = run(&ready, method, 1.0 + 1e-3);
            assert_eq!(run.end, End::Reached, "{motion} {}", method.name());
            let turn = run.state.v[5];
            assert!((turn - w).abs() < 1e-5, "{motion} {}: {turn} instead of {w}", method.name());
            let [event] = &run.events[..] else { panic!("{:?}", run.events) };
            assert!((event.t - 1.0).abs() < 1e-12);
            // momentum: the driver gives 3 * 2 + 1 * (2 - 4/3), the pin 2/3 of it
            assert_eq!(
                event.what,
                "driver `pull` jumps by 2 m/s: impact with 6.667 N s from driver `pull`, 0.6667 N s from joint `pin`"
            );
        }
    }
}

/// A carriage of 3 kg starts with 2 m/s at once; an inerter of 3 kg drags one of 1 kg along: (m + b) dv = b 2 m/s. The
/// impulse of the driver is the momentum of both, its work their kinetic energy and that of the inerter.
#[test]
fn an_impact_passes_through_inerters() {
    let mut text = String::from("name = \"train\"\nspace = \"planar\"\ngravity = [0, 0]\n");
    for (name, mass, x) in [("first", 3.0, 0.0), ("second", 1.0, 1.5)] {
        text += &format!("[[body]]\nname = \"{name}\"\nmass = {mass}\ninertia = 1\nposition = [{x}, 0]\n");
        text += &format!("[[joint]]\ntype = \"translational\"\nname = \"rail_{name}\"\nbody1 = \"ground\"\n");
        text += &format!("body2 = \"{name}\"\naxis = [1, 0]\n");
    }
    text += "[[force]]\ntype = \"inerter\"\nname = \"coupler\"\nbody1 = \"first\"\nbody2 = \"second\"\ninertance = 3\n";
    text += "[[driver]]\ntype = \"displacement\"\nname = \"pull\"\njoint = \"rail_first\"\nmotion = \"ramp(t, 1) * 2\"\n";
    let ready = Ready::text(&text);
    for method in distinct() {
        let run = run(&ready, method, 1.25);
        assert_eq!(run.end, End::Reached, "{}", method.name());
        let (first, second) = (run.state.v[0], run.state.v[3]);
        assert!((first - 2.0).abs() < 1e-9 && (second - 1.5).abs() < 1e-9, "{}: {second}", method.name());
        let [event] = &run.events[..] else { panic!("{:?}", run.events) };
        assert_eq!(event.what, "driver `pull` jumps by 2 m/s: impact with 7.5 N s from driver `pull`");
        assert!((run.energy.exchanged.work - 7.5).abs() < 1e-9, "{:?}", run.energy.exchanged);
        assert!(run.energy.worst < 1e-9, "{:?}", run.energy);
    }
}

#[test]
fn all_methods_agree_behind_impacts() {
    let ready = cart("\"0.3*abs(sin(2*t))\"");
    let reference = run(&ready, Method::Dop853, 5.0);
    assert_eq!(reference.events.len(), 3);
    for method in distinct() {
        let run = run(&ready, method, 5.0);
        assert_eq!(run.events.len(), 3, "{}", method.name());
        let pairs = run.state.v.iter().zip(&reference.state.v);
        let worst = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 2e-4, "{}: {worst}", method.name());
    }
}

#[test]
fn a_jump_in_position_is_an_error_before_the_run() {
    for (motion, by, at) in [
        ("\"if(t < 2, 0, 0.1)\"", 0.1, 2.0),
        ("\"0.5*floor(t/3)\"", 0.5, 3.0),
        ("\"mod(t, 1.5)\"", -1.5, 1.5),
        ("\"0.05*sign(sin(pi*(t + 0.5)))\"", -0.1, 0.5),
    ] {
        let ready = cart(motion);
        for method in distinct() {
            let run = run(&ready, method, 4.0);
            let End::Failed(Halt::Problem { error: Trouble::Jump(jump), .. }) = &run.end else {
                panic!("{motion}: {:?}", run.end)
            };
            assert_eq!(jump.driver, "pull");
            assert!((jump.by - by).abs() < 1e-9 && (jump.t - at).abs() < 1e-9, "{motion}: {jump:?}");
            assert_eq!(run.state.t, 0.0);
        }
    }
    // what comes after the end does not matter
    assert_eq!(run(&cart("\"if(t < 2, 0, 0.1)\""), Method::Dopri5, 1.9).end, End::Reached);
}

#[test]
fn jumps_in_acceleration_are_mere_corners() {
    // x = (t - 1)^2 from 1 s on: the bob feels 2 m/s^2 along x
    let ready = cart("\"if(t < 1, 0, (t - 1)^2)\"");
    let reference = run(&ready, Method::Dop853, 3.0);
    assert!(reference.events.is_empty());
    for method in distinct() {
        let run = run(&ready, method, 3.0);
        let worst =
            run.state.v.iter().zip(&reference.state.v).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(run.events.is_empty() && worst < 5e-5, "{}: {worst}", method.name());
    }
}

#[test]
fn a_motion_table_starts_with_the_speed_it_says() {
    // 0.5 m/s all the way; held after 2 s, which stops the cart at once
    let ready = cart("{ t = [0, 0.5, 1, 2], value = [0, 0.25, 0.5, 1] }");
    assert!((ready.start.v[0] - 0.5).abs() < 1e-12, "{}", ready.start.v[0]);
    for method in distinct() {
        let moving = run(&ready, method, 1.9);
        assert!((moving.state.v[0] - 0.5).abs() < 1e-9 && moving.events.is_empty(), "{}", method.name());
        let stopped = run(&ready, method, 3.0);
        assert!(stopped.state.v[0].abs() < 1e-9 && (stopped.state.q[0] - 1.0).abs() < 1e-9);
        let [event] = &stopped.events[..] else { panic!("{:?}", stopped.events) };
        assert!(
            event.t == 2.0 && event.what.starts_with("driver `pull` jumps by -0.5 m/s: impact"),
            "{event:?}"
        );
    }
    // a table that ends at rest does so without
    let calm = cart("{ t = [0, 1, 2, 2.5], value = [0, 0.5, 1, 1] }");
    assert!(run(&calm, Method::Dopri5, 3.0).events.is_empty());
}

#[test]
fn the_ends_of_a_motion_table_are_natural_or_given() {
    let points = "t = [0, 1, 2], value = [0, 0.5, 2]";
    // the slope in the middle is that of the parabola through the three points: (0.5 + 1.5) / 2
    for (ends, [first, last]) in [
        ("", [0.0, 2.0]),
        (", ends = \"natural\"", [0.5 * (1.5 - 1.0), 0.5 * (4.5 - 1.0)]),
        (", ends = [0.2, 0]", [0.2, 0.0]),
        (", ends = [\"20 cm/s\", \"0 m/s\"]", [0.2, 0.0]),
    ] {
        let ready = cart(&format!("{{ {points}{ends} }}"));
        assert!((ready.start.v[0] - first).abs() < 1e-12, "{ends}: starts with {}", ready.start.v[0]);
        let moving = run(&ready, Method::Dopri5, 2.0 - 1e-9);
        assert!((moving.state.v[0] - last).abs() < 1e-6, "{ends}: ends with {}", moving.state.v[0]);
        // a table that ends with a speed stops at once, one that comes to rest does not jump
        let events = run(&ready, Method::Dopri5, 3.0).events.len();
        assert_eq!(events, usize::from(last != 0.0), "{ends}");
    }
}
