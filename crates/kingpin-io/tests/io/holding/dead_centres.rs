//! Coordinates whose rate vanishes for an instant while the mechanism goes on: nothing holds them there, and friction and
//! stops go on with them.

use super::{METHODS, mechanism, run, times};
use kingpin::mechanism::{Method, Settings};
use std::f64::consts::{PI, TAU};

const R: f64 = 0.2;
const L: f64 = 0.5;

/// A slider-crank, with fields of its joints: the bearing of the crank, its pin, the wrist and the slide.
fn slider_crank(start: f64, [bearing, pin, wrist, slide]: [&str; 4], rest: &str) -> String {
    let (s, c) = start.sin_cos();
    let lean = (R * s / L).asin();
    let (x, y, end) = (R * c, R * s, R * c + L * lean.cos());
    format!(
        r#"
space = "planar"
[[body]]
name = "crank"
mass = 1
inertia = 0.05
angle = {start}
[[body]]
name = "rod"
mass = 0.8
inertia = 0.02
position = [{x}, {y}]
angle = {}
com = [0.25, 0]
[[body]]
name = "block"
mass = 2
inertia = 0.05
position = [{end}, 0]
[[joint]]
type = "revolute"
name = "bearing"
body1 = "ground"
body2 = "crank"
at = [0, 0]
{bearing}
[[joint]]
type = "revolute"
name = "pin"
body1 = "crank"
body2 = "rod"
at = [{x}, {y}]
{pin}
[[joint]]
type = "revolute"
name = "wrist"
body1 = "rod"
body2 = "block"
at = [{end}, 0]
{wrist}
[[joint]]
type = "translational"
name = "slide"
body1 = "ground"
body2 = "block"
at = [{end}, 0]
axis = [1, 0]
{slide}
{rest}
"#,
        -lean
    )
}

fn driven(motion: &str) -> String {
    format!("[[driver]]\ntype = 'angle'\nname = 'motor'\njoint = 'bearing'\nmotion = '{motion}'\n")
}

const DRY: &str = "friction = { coefficient = 0.2, preload = 50, reaction = false }";
const PIN: &str = "friction = { coefficient = 0.1, preload = 80, radius = 0.03, reaction = false }";

/// Two turns at a given speed: friction takes its force times the way to and fro, in pins its torque times the angle.
#[test]
fn a_driven_crank_works_against_friction_all_the_way() {
    let lean = (R / L).asin();
    for (start, fields, work) in [
        (0.0, ["", "", "", DRY], 10.0 * 2.0 * 4.0 * R),
        (1.0, ["", "", "", DRY], 10.0 * 2.0 * 4.0 * R),
        (PI / 2.0, ["", "", PIN, ""], 0.24 * 2.0 * 4.0 * lean),
        (0.0, [PIN, PIN, PIN, DRY], 16.0 + 0.24 * (4.0 * PI + 4.0 * PI + 8.0 * lean)),
    ] {
        let text = slider_crank(start, fields, &driven(&format!("{start} + 25*t")));
        let mechanism = mechanism(&text);
        for method in METHODS {
            let settings = Settings { method, ..Settings::new(1e-7, 2.0 * TAU / 25.0) };
            let found = run(&mechanism, &settings);
            let energy = &found.run().unwrap().energy;
            let name = method.name();
            let lost = energy.exchanged.dissipated;
            assert!((lost - work).abs() < 1e-6 * work, "{name} from {start}: {lost}, not {work}");
            let given = energy.exchanged.work;
            assert!((given - work).abs() < 1e-4 * work, "{name} from {start}: {given} given, {work} lost");
            // the block goes the other way twice a turn, and sticks nowhere
            let told: Vec<&str> = found.events().iter().map(|event| event.what.as_str()).collect();
            assert!(
                told.iter().all(|what| what.ends_with("reverses its sliding direction")),
                "{name}: {told:?}"
            );
        }
    }
}

/// A crank that sets off by itself, through dead centres or from one at rest: friction goes against the block wherever that
/// moves, and takes the same energy as a motor would have to give.
#[test]
fn a_free_crank_is_braked_all_the_way() {
    let torque = "[[force]]\ntype = 'torque'\nname = 'push'\nbody = 'crank'\nmagnitude = 6\n";
    for (start, bearing, force) in
        [(0.0, "angle_rate = 25", ""), (1.0, "angle_rate = 25", ""), (0.0, "", torque), (PI, "", torque)]
    {
        let mechanism = mechanism(&slider_crank(start, [bearing, "", "", DRY], force));
        let mut ends = Vec::new();
        for method in METHODS {
            let settings = Settings { method, frame: Some(2e-3), ..Settings::new(1e-8, 0.5) };
            let found = run(&mechanism, &settings);
            let name = method.name();
            let rates = found.series("slide.displacement_rate").unwrap();
            let forces = found.series("slide.friction.force").unwrap();
            for (rate, force) in rates.iter().zip(forces).filter(|(rate, _)| rate.abs() > 1e-6) {
                assert!((force - 10.0 * rate.signum()).abs() < 1e-9, "{name}: {force} at {rate} m/s");
            }
            let energy = &found.run().unwrap().energy;
            assert!(energy.worst < 1e-5, "{name} from {start}: {}", energy.worst);
            ends.push(found.last("bearing.angle").unwrap());
        }
        let [least, most] = [f64::min, f64::max].map(|f| ends.iter().copied().reduce(f).unwrap());
        assert!(most - least < 1e-5, "from {start}: {ends:?}");
    }
}

/// Friction is idle as long as a driver rests, and works as soon as that moves, however gently.
#[test]
fn friction_wakes_up_with_its_driver() {
    let motion = "if(t < 0.2, 0, 8*(t - 0.2)^3)";
    for start in [0.0, 0.7] {
        let mechanism =
            mechanism(&slider_crank(start, ["", "", "", DRY], &driven(&format!("{start} + {motion}"))));
        let end: f64 = start + 8.0 * 0.6_f64.powi(3);
        let place = |angle: f64| R * angle.cos() + (L * L - (R * angle.sin()).powi(2)).sqrt();
        let work = 10.0 * (place(start) - place(end)).abs();
        for method in METHODS {
            let found = run(&mechanism, &Settings { method, ..Settings::new(1e-7, 0.8) });
            let lost = found.run().unwrap().energy.exchanged.dissipated;
            assert!((lost - work).abs() < 1e-6, "{} from {start}: {lost}, not {work}", method.name());
        }
    }
}

/// A stop where the slide turns back anyway never does anything, and is no place to rest.
#[test]
fn a_stop_at_a_dead_centre_holds_nothing() {
    for method in METHODS {
        let settings = Settings { method, ..Settings::new(1e-7, 0.6) };
        let end = |fields: &str| {
            let text = slider_crank(0.0, ["angle_rate = 25", "", "", fields], "");
            let found = run(&mechanism(&text), &settings);
            let strikes = times(&found, "joint `slide` strikes its upper stop").len();
            (found.last("bearing.angle").unwrap(), strikes)
        };
        let (free, (stopped, strikes)) = (end(""), end("stops = { max = 0.01, restitution = 0.5 }"));
        assert!((free.0 - stopped).abs() < 1e-5 && strikes == 0, "{}: {free:?} {stopped}", method.name());
        // at the very place
        let (stopped, _) = end("stops = { max = 1e-9, restitution = 0.5 }");
        assert!((free.0 - stopped).abs() < 1e-5, "{}: {free:?} {stopped}", method.name());
    }
}

/// The other stop is met at the right time although the slide starts at its dead centre, on its stop.
#[test]
fn a_slide_leaves_the_stop_it_starts_on() {
    let fields = "stops = { min = -0.1, max = 0, restitution = 0.5 }";
    let mechanism = mechanism(&slider_crank(0.0, ["angle_rate = 5", "", "", fields], ""));
    let first = |method| {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-9, 0.4) });
        times(&found, "joint `slide` strikes its lower stop")[0]
    };
    let exact = first(Method::Radau);
    for method in METHODS {
        assert!((first(method) - exact).abs() < 1e-7, "{}: {}", method.name(), first(method));
    }
}
