//! Events found inside steps: contact, and what users ask for.

use crate::motion::{Ready, distinct};
use kingpin::dynamics::{End, Method, Run, Settings, Unwatched, simulate};

/// A ball that drops on a springy ground without damping; what a user adds comes behind.
fn ball(extra: &str) -> Ready {
    let model = format!(
        r#"
name = "ball"
space = "planar"
gravity = [0, -10]

[[body]]
name = "ball"
mass = 2
inertia = 0.1
position = [0, 1.5]

[[force]]
type = "tyre"
name = "skin"
body = "ball"
point = [0, 0]
radius = 0.25
stiffness = 20000

[[measure]]
type = "coordinate"
name = "height"
body = "ball"
point = [0, 0]
coordinate = "y"
{extra}"#
    );
    Ready::text(&model)
}

fn run(ready: &Ready, method: Method, tol: f64, t_end: f64) -> Run {
    let settings = Settings { method, ..Settings::new(tol, t_end) };
    simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched)
}

#[test]
fn contact_begins_and_ends_when_it_should() {
    // falls 1.25 m in half a second; on the ground it is half a turn and a bit of an oscillator
    let (fall, omega): (f64, f64) = (0.5, (20000.0_f64 / 2.0).sqrt());
    let stay = (std::f64::consts::PI + 2.0 * (10.0 / (omega * 5.0)).atan()) / omega;
    let expected = [fall, fall + stay, 3.0 * fall + stay, 3.0 * fall + 2.0 * stay];
    let ready = ball("");
    for method in distinct() {
        let run = run(&ready, method, 1e-8, 1.7);
        assert_eq!(run.end, End::Reached, "{}", method.name());
        let words: Vec<&str> = run.events.iter().map(|e| e.what.as_str()).collect();
        let (on, off) = ("tyre `skin` touches the ground", "tyre `skin` leaves the ground");
        assert_eq!(words, [on, off, on, off], "{}", method.name());
        for (event, t) in run.events.iter().zip(expected) {
            assert!((event.t - t).abs() < 2e-6, "{}: {} instead of {t}", method.name(), event.t);
        }
        // nothing is lost: after two jumps it flies as high as before
        let energy = 10.0 * (run.state.q[1] - 1.5) + 0.5 * run.state.v[1] * run.state.v[1];
        assert!(energy.abs() < 1e-4, "{}: {energy}", method.name());
    }
}

#[test]
fn an_event_stops_the_run_on_the_spot() {
    let ready = ball("[[event]]\nname = \"low\"\nwhen = \"height - 1.05\"\ndirection = \"falling\"\n");
    for method in distinct() {
        let run = run(&ready, method, 1e-7, 5.0);
        let End::Event(event) = &run.end else { panic!("{:?}", run.end) };
        assert_eq!(event.what, "event `low`");
        assert!((event.t - 0.3).abs() < 1e-7 && run.state.t == event.t, "{}: {event:?}", method.name());
        assert!((run.state.q[1] - 1.05).abs() < 1e-6);
    }
}

#[test]
fn what_is_only_noted_does_not_change_the_motion() {
    let plain = ball("");
    let noted =
        ball("[[event]]\nname = \"half\"\nwhen = \"height - 1\"\naction = \"note\"\ndirection = \"any\"\n");
    for method in distinct() {
        let (a, b) = (run(&plain, method, 1e-6, 1.2), run(&noted, method, 1e-6, 1.2));
        assert_eq!(a.statistics.steps, b.statistics.steps);
        let pairs = a.state.q.iter().chain(&a.state.v).zip(b.state.q.iter().chain(&b.state.v));
        // a contact in the same step may be located a rounding error apart
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-11), "{}", method.name());
        let notes = b.events.iter().filter(|e| e.what == "event `half`").count();
        assert_eq!(notes, 2, "{}: down and up, {:?}", method.name(), b.events);
    }
}

#[test]
fn a_switch_turns_a_force_on() {
    let ready = ball(
        r#"
[[event]]
name = "brake"
when = "height - 1.05"
direction = "falling"
action = "switch"

[[force]]
type = "force"
name = "lift"
body = "ball"
point = [0, 0]
direction = [0, 1]
magnitude = "20*brake"
"#,
    );
    for method in distinct() {
        // weightless from 0.3 s on, at 3 m/s downwards
        let run = run(&ready, method, 1e-7, 0.5);
        assert_eq!(run.end, End::Reached);
        assert!((run.state.v[1] + 3.0).abs() < 1e-5, "{}: {:?}", method.name(), run.state);
        assert!((run.state.q[1] - (1.05 - 0.6)).abs() < 1e-5, "{}", method.name());
    }
}
