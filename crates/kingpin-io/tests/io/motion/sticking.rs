//! What sticks at an edge is named, with every method and at every tolerance, and what merely bounces is not.

use crate::motion::{Ready, controlled};
use kingpin::dynamics::{Chatter, End, Method, Run, Settings, Trouble, Unwatched, simulate};
use kingpin::integrate::Halt;

const TOLERANCES: [f64; 3] = [1e-3, 1e-5, 1e-7];

/// A block of 2 kg that starts with 2 m/s along a rail which falls by 30 degrees; `s` is its way along the rail.
fn slope(gravity: f64, force: &str, more: &str) -> Ready {
    Ready::text(&format!(
        r#"
name = "slope"
space = "planar"
gravity = [0, {gravity}]

[[body]]
name = "block"
mass = 2
inertia = 0.1
velocity = [1.7320508075688772, -1]

[[joint]]
type = "translational"
name = "rail"
body1 = "ground"
body2 = "block"
axis = [0.8660254037844386, -0.5]

[[measure]]
type = "displacement"
name = "s"
joint = "rail"
{more}
[[force]]
type = "force"
name = "rub"
body = "block"
direction = [0.8660254037844386, -0.5]
magnitude = "{force}"
"#
    ))
}

fn run(ready: &Ready, method: Method, tol: f64, t_end: f64) -> Run {
    let settings = Settings { method, ..Settings::new(tol, t_end) };
    simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched)
}

/// The chatter a run must end with, close to where it begins and after bounded work.
fn named(ready: &Ready, method: Method, tol: f64, t_end: f64, at: f64) -> Chatter {
    let run = run(ready, method, tol, t_end);
    let at_all = format!("{} at {tol:e} until {t_end}", method.name());
    let End::Failed(Halt::Problem { t, error: Trouble::Chatter(chatter) }) = &run.end else {
        panic!("{at_all}: {:?}", run.end)
    };
    let close = 2e-2 + 1e-5 * t_end;
    assert!((chatter.from - at).abs() < close, "{at_all}: {chatter:?}");
    // nothing beyond the edge is given as a result
    assert!((t - at).abs() < close && run.state.t == *t, "{at_all}: fails at {t}, state of {}", run.state.t);
    assert!(run.state.v.iter().all(|v| v.is_finite()));
    assert!(run.statistics.steps < 50_000, "{at_all}: {} steps", run.statistics.steps);
    chatter.clone()
}

#[test]
fn a_block_that_stops_on_a_slope_is_named() {
    // 10 N pull it down the slope at 10 m/s^2, 16 N hold it: 3 m/s^2 against 2 m/s
    for text in ["-16*sign(s.rate)", "if(s.rate > 0, -16, 16)"] {
        let ready = slope(-10.0, text, "");
        for method in controlled() {
            for tol in TOLERANCES {
                for t_end in [3.0, 300.0] {
                    let chatter = named(&ready, method, tol, t_end, 2.0 / 3.0);
                    assert_eq!((chatter.name.as_str(), chatter.event), ("rub", false));
                }
            }
        }
    }
}

#[test]
fn a_block_that_stops_under_a_spring_is_named() {
    // the first turning point at 2 m/s: 200 s^2 / 2 + 40 s = 4; 200 s < 40 holds it there
    let ready = slope(0.0, "-200*s - 40*sign(s.rate)", "");
    // s = A sin(w t + f) - 0.2 from s = 0 with 2 m/s, w = 10: the turning point is where the sine is 1
    let at = (std::f64::consts::FRAC_PI_2 - 1.0f64.atan()) / 10.0;
    for method in controlled() {
        for tol in TOLERANCES {
            assert_eq!(named(&ready, method, tol, 10.0, at).name, "rub");
        }
    }
}

#[test]
fn a_relay_without_hysteresis_is_named() {
    let event = "\n[[event]]\nname = \"slow\"\nwhen = \"1 - s.rate\"\naction = \"switch\"\n";
    // from 2 m/s to 1 m/s at 2 m/s^2, then to and fro
    let ready = slope(0.0, "-4 + 8*slow", event);
    for method in controlled() {
        for tol in TOLERANCES {
            let chatter = named(&ready, method, tol, 10.0, 0.5);
            assert_eq!((chatter.name.as_str(), chatter.event), ("slow", true));
        }
    }
}

#[test]
fn a_stiff_contact_that_bounces_is_not_accused() {
    // along the rail: 5 m/s^2 down the slope onto a stop 1 m away
    for text in ["-max(0, 1e5*(s - 1))", "if(s > 1, -1e5*(s - 1), 0)"] {
        let ready = slope(-10.0, text, "");
        for method in controlled() {
            for tol in TOLERANCES {
                let run = run(&ready, method, tol, 10.0);
                assert_eq!(run.end, End::Reached, "{text}, {} at {tol:e}", method.name());
            }
        }
    }
}

#[test]
fn a_relay_on_position_swings_and_is_not_accused() {
    // -5 m/s^2 where s > 0, 5 m/s^2 where s < 0: parabolas of 0.8 s, for ever
    let ready = slope(0.0, "if(s > 0, -10, 10)", "");
    for method in controlled() {
        for tol in TOLERANCES {
            let run = run(&ready, method, tol, 8.2);
            assert_eq!(run.end, End::Reached, "{} at {tol:e}", method.name());
            // 0.2 s after a passage with 2 m/s
            let speed = run.state.v[0].hypot(run.state.v[1]);
            assert!((speed - 1.0).abs() < 20.0 * tol, "{} at {tol:e}: {speed}", method.name());
        }
    }
}

/// A foot that is far too hard for the steps: whatever the method makes of its first touch, the run ends soon, well or
/// with a reason.
#[test]
fn what_is_far_too_hard_does_not_hold_a_run_up() {
    let text = r#"
gravity = [0, 0, -10]

[[body]]
name = "block"
mass = 2
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 3]

[[joint]]
type = "translational"
name = "slide"
body1 = "ground"
body2 = "block"
axis = [0, 0, 1]

[[road]]
type = "flat"
name = "road"

[[force]]
type = "tyre"
name = "foot"
body = "block"
radius = 0.5
stiffness = 1e15
damping = 10
unilateral = true
"#;
    let ready = Ready::text(text);
    for method in controlled() {
        for rtol in TOLERANCES {
            let settings = Settings { method, h: Some(1e-3), ..Settings::new(rtol, 1.0) };
            let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
            assert!(run.statistics.steps < 20_000, "{} {rtol:e}: {:?}", method.name(), run.end);
            // what fails ends where it has come to, and not behind it
            let failed = matches!(run.end, End::Failed(_));
            assert!(!failed || run.state.t < 0.708, "{} {rtol:e}: {}", method.name(), run.state.t);
        }
    }
}
