//! Inputs that large steps must not step over: pulses, corners, bumps, of all widths, with all methods.

use crate::motion::models::on_spring;
use crate::motion::{Ready, controlled};
use kingpin::dynamics::{End, Method, Run, Settings, Trouble, Unwatched, simulate};
use kingpin::integrate::Halt;

/// A block of 2 kg on a rail, pushed by a force along it.
fn block(force: &str) -> Ready {
    pushed(force, "")
}

fn pushed(force: &str, extra: &str) -> Ready {
    Ready::text(&format!(
        r#"
name = "block"
space = "planar"
gravity = [0, 0]

[[body]]
name = "block"
mass = 2
inertia = 0.1
{extra}

[[measure]]
type = "coordinate"
name = "x"
body = "block"
point = [0, 0]
coordinate = "x"

[[force]]
type = "force"
name = "push"
body = "block"
point = [0, 0]
direction = [1, 0]
magnitude = "{force}"
"#
    ))
}

fn run(ready: &Ready, method: Method, tol: f64, t_end: f64) -> Run {
    let settings = Settings { method, ..Settings::new(tol, t_end) };
    let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
    assert_eq!(run.end, End::Reached, "{}", method.name());
    run
}

/// Velocity and position at the end against what they must be.
fn check(ready: &Ready, t_end: f64, [x, v]: [f64; 2], what: &str) {
    for method in controlled() {
        for tol in [1e-3, 1e-5, 1e-7] {
            let run = run(ready, method, tol, t_end);
            let error = (run.state.q[0] - x).abs().max((run.state.v[0] - v).abs());
            let most = 30.0 * tol * (1.0 + x.abs());
            assert!(error <= most, "{what}, {} at {tol:e}: off by {error:e}", method.name());
        }
    }
}

#[test]
fn pulses_of_all_widths_are_felt() {
    for width in [1.0, 0.05, 1e-3, 1e-6] {
        // 2 N s whatever the width
        let height = 2.0 / width;
        let end = 7.0 + width;
        let texts = [
            format!("if(t < 7, 0, if(t < {end}, {height}, 0))"),
            format!("{height} * pulse(t, 7, {end})"),
            format!("if(t >= 7 && t <= {end}, {height}, 0)"),
            format!("{height} * (sign(t - 7) - sign(t - {end})) / 2"),
        ];
        // a stair has as many steps as the run has widths
        let stair = (width > 0.01).then(|| format!("{height} * (floor((t - 7) / {width}) == 0)"));
        for text in texts.into_iter().chain(stair) {
            check(&block(&text), 10.0, [3.0 - 0.5 * width, 1.0], &text);
        }
    }
}

#[test]
fn corners_in_time_end_steps() {
    // a triangle of 2 N s between 4 and 4 + 2w
    for w in [0.5, 1e-2, 1e-4] {
        let top = 4.0 + w;
        for text in [
            format!("max(0, {w} - abs(t - {top})) * {}", 2.0 / (w * w)),
            format!("ramp({w} - abs(t - {top}), 0) * {}", 2.0 / (w * w)),
            format!("clamp({w} - abs(t - {top}), 0, 9) * {}", 2.0 / (w * w)),
        ] {
            check(&block(&text), 10.0, [6.0 - w, 1.0], &text);
        }
    }
}

#[test]
fn a_square_wave_gives_all_its_impulses() {
    // back and forth 50 times: each period moves the block a little
    let text = "sign(sin(2*pi*5*t))";
    // v rises to 0.05 m/s and falls to zero in each period of 0.2 s
    check(&block(text), 10.0, [50.0 * 0.2 * 0.025, 0.0], text);
    let text = "if(mod(t, 0.5) < 1e-4, 1e4, 0)";
    // twenty kicks of 1 N s: v = k/2 after kick k at 0.5 (k - 1)
    let x: f64 = (1..=20).map(|k| 0.25 * f64::from(k) - 0.5 * 0.5e-4).sum();
    check(&block(text), 10.0, [x, 10.0], text);
}

#[test]
fn switches_in_state_are_found_by_themselves() {
    // pushed with 2 N as long as it is short of 3 m, then left alone, then stopped between 8 m and the end
    let text = "if(x < 3, 2, 0)";
    let v: f64 = 6f64.sqrt();
    let t = (2.0f64 * 3.0).sqrt();
    check(&block(text), 5.0, [3.0 + v * (5.0 - t), v], text);
    // a narrow strip that takes speed away: 1/2 m dv^2 = F w
    for w in [0.5, 0.01, 1e-4] {
        let text = format!("if(x > 5 && x < {}, -{}, 0)", 5.0 + w, 3.0 / w);
        let ready = pushed(&text, "velocity = [2, 0]");
        let (v, t) = (1.0, 2.5 + w / 1.5);
        check(&ready, 10.0, [5.0 + w + v * (10.0 - t), v], &text);
    }
    // there and back within one step: a short push at the top of a throw
    let text = "-2 + if(x > 0.99, 1000*(0.99 - x), 0)";
    let ready = pushed(text, "velocity = [1.4142135623730951, 0]");
    // from 0.99 m on a spring of 1000 N/m besides the 2 N: half an oscillation about a place 2 mm before
    let (omega, u) = (500f64.sqrt(), 0.02f64.sqrt());
    let stay = 2.0 * (u * omega).atan2(1.0) / omega;
    let back = 2.0f64.sqrt() - u;
    let (x, v) = (0.0, -(2.0f64.sqrt()));
    check(&ready, 2.0 * back + stay, [x, v], text);
}

#[test]
fn narrow_functions_without_structure_are_felt() {
    for width in [1.0, 0.1, 1e-2, 1e-3] {
        // impulse height * width * sqrt(pi) = 2 N s
        let height = 2.0 / (width * std::f64::consts::PI.sqrt());
        let text = format!("{height} * exp(-((t - 5.03) / {width})^2)");
        check(&block(&text), 10.0, [4.97, 1.0], &text);
        // the same in position, passed at 2 m/s: takes 2 J
        let height = 3.0 / (width * std::f64::consts::PI.sqrt());
        let text = format!("-{height} * exp(-((x - 10.03) / {width})^2)");
        let ready = pushed(&text, "velocity = [2, 0]");
        for method in controlled() {
            for tol in [1e-3, 1e-5, 1e-7] {
                let run = run(&ready, method, tol, 12.0);
                let error = (run.state.v[0] - 1.0).abs();
                assert!(error <= 100.0 * tol, "{text}, {} at {tol:e}: off by {error:e}", method.name());
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_frames() {
    let ready = block("if(t < 7, 0, if(t < 7.05, 100, 0)) + 20*exp(-((t - 3) / 0.01)^2)");
    for method in controlled() {
        let plain = run(&ready, method, 1e-5, 10.0);
        for every in [0.7, 0.013] {
            let settings = Settings { method, frame: Some(every), ..Settings::new(1e-5, 10.0) };
            let framed = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
            assert_eq!(
                (&plain.state, plain.statistics),
                (&framed.state, framed.statistics),
                "{}",
                method.name()
            );
        }
    }
}

/// A wheel that rolls at 10 m/s over a road with one bump of a height of 5 cm, after 60 m.
fn wheel(road: &str) -> Ready {
    Ready::text(&format!(
        r#"
name = "wheel"
space = "planar"
gravity = [0, -10]

[[body]]
name = "wheel"
mass = 100
inertia = 1
position = [0, 0.49]
velocity = [10, 0]

[[road]]
name = "road"
{road}

[[force]]
type = "tyre"
name = "tyre"
body = "wheel"
point = [0, 0]
radius = 0.5
stiffness = 100000
damping = 20000
unilateral = false
"#
    ))
}

/// Lifts the wheel at least to this height somewhere.
fn highest(ready: &Ready, method: Method, tol: f64) -> f64 {
    struct Highest(f64);
    impl kingpin::dynamics::Observer for Highest {
        fn accepted(&mut self, state: &kingpin::system::State) {
            self.0 = self.0.max(state.q[1]);
        }
    }
    let mut highest = Highest(0.0);
    let settings = Settings { method, ..Settings::new(tol, 10.0) };
    let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut highest);
    assert_eq!(run.end, End::Reached, "{}", method.name());
    highest.0
}

#[test]
fn no_bump_is_stepped_over() {
    let roads = [
        "type = \"bump\"\ncentre = 60.3\nradius = 0.05\nwheel_radius = 0.5",
        "type = \"table\"\npoints = { x = [0, 60, 60.3, 60.6, 200], y = [0, 0, 0.05, 0, 0] }",
        "type = \"expression\"\nheight = \"0.05*exp(-((x - 60.3)/0.15)^2)\"",
        "type = \"expression\"\nheight = \"if(abs(x - 60.3) < 0.3, 0.025*(1 + cos(pi*(x - 60.3)/0.3)), 0)\"",
    ];
    for road in roads {
        let ready = wheel(road);
        let right = highest(&ready, Method::Dop853, 1e-9) - 0.49;
        assert!(right > 0.02, "{road}: {right}");
        for method in controlled() {
            for tol in [1e-2, 1e-3, 1e-4, 1e-6] {
                let lift = highest(&ready, method, tol) - 0.49;
                // only accepted states are looked at
                assert!(lift > 0.5 * right, "{road}, {} at {tol:e}: {lift} of {right}", method.name());
            }
        }
    }
}

#[test]
fn what_sticks_is_named_within_bounded_work() {
    // rubs to a halt and is still pushed: neither direction of sliding holds
    for text in ["1 - 5*sign(x.rate)", "1 + if(x.rate > 0, -5, 5)"] {
        let ready = pushed(text, "velocity = [2, 0]");
        for method in controlled() {
            let settings = Settings { method, ..Settings::new(1e-5, 10.0) };
            let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
            let End::Failed(Halt::Problem { error: Trouble::Chatter(chatter), .. }) = &run.end else {
                panic!("{text}, {}: {:?}", method.name(), run.end)
            };
            assert_eq!((chatter.name.as_str(), chatter.event), ("push", false));
            // stops after 1 s: 2 m/s at 2 m/s^2
            assert!((chatter.from - 1.0).abs() < 1e-3, "{}: {chatter:?}", method.name());
            assert!(run.statistics.steps < 100_000, "{}: {} steps", method.name(), run.statistics.steps);
        }
    }
    // sliding that comes to rest for good where nothing pushes is another matter than sliding on
    let sliding = pushed("-5*sign(x.rate)", "velocity = [2, 0]");
    check(&sliding, 0.7, [2.0 * 0.7 - 1.25 * 0.49, 2.0 - 2.5 * 0.7], "still sliding");
}

/// A spring that becomes hard and soft within a tenth of a millimetre, and a damper that does within 1 mm/s: methods see
/// neither coming, and steps end at the bends of both curves.
#[test]
fn sharp_bends_of_springs_and_dampers_are_met() {
    let hard = "spring_curve = { x = [-1, -0.05, -0.0499, 0.0499, 0.05, 1], y = [-51, -50, -1, 1, 50, 51] }";
    let rough = "stiffness = 40\ndamper_curve = { x = [-9, -0.301, -0.3, 0.3, 0.301, 9], y = [-1.1, -1, -0.1, 0.1, 1, 1.1] }";
    let mut wrong = Vec::new();
    for curve in [hard, rough] {
        let ready = Ready::text(&on_spring([1.0, 1.0], [1.3, 0.0], &format!("rest_length = 1\n{curve}"), ""));
        let exact = run(&ready, Method::Dop853, 1e-12, 2.0).state;
        let again = run(&ready, Method::Dopri5, 1e-11, 2.0).state;
        assert!((again.q[0] - exact.q[0]).abs() < 1e-8, "{curve}: {:e}", again.q[0] - exact.q[0]);
        for method in controlled() {
            for tol in [1e-3, 1e-5, 1e-7] {
                let found = run(&ready, method, tol, 2.0).state;
                let error = ((found.q[0] - exact.q[0]) / 0.3).abs();
                let line = format!("{curve}, {} at {tol:e}: {:.2} tolerances", method.name(), error / tol);
                println!("{line}");
                wrong.extend((error > 100.0 * tol).then_some(line));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Forces so large that states leave the range of numbers: no run reaches its end with something that is none.
#[test]
fn no_run_ends_with_what_is_no_number() {
    for force in ["1e307*(9+t)", "1e200*t"] {
        let ready = block(force);
        for method in controlled() {
            let settings = Settings { method, most_steps: 2000, ..Settings::new(1e-6, 10.0) };
            let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
            let name = format!("{force} with {}", method.name());
            assert!(run.state.q.iter().chain(&run.state.v).all(|x| x.is_finite()), "{name}: {:?}", run.state);
            if force == "1e307*(9+t)" {
                assert!(matches!(run.end, End::Failed(_)), "{name}: {:?}", run.end);
            }
        }
    }
}
