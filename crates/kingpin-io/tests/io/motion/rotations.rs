//! Fast and long rotations: neither speed nor number of turns matters to an implicit method.

use crate::motion::models::on_ball;
use crate::motion::{Frames, Ready};
use kingpin::dynamics::{Method, Settings, simulate};
use kingpin::system::State;

const IMPLICIT: [Method; 8] = [
    Method::SspTrap,
    Method::InflTrap,
    Method::InflSdirk,
    Method::ForSdirk,
    Method::ForRosen,
    Method::Esdirk,
    Method::Radau,
    Method::GenAlpha,
];

/// A body in space with nothing that acts on it.
fn free(inertia: &str, spin: &str) -> String {
    format!(
        r#"
name = "free"
space = "spatial"
gravity = [0, 0, 0]

[[body]]
name = "body"
mass = 2
inertia = {inertia}
angular_velocity = {spin}
velocity = [0.3, 0, 0.1]
orientation = {{ axis = [0.3, 1, 0.2], angle = 1.1 }}
"#
    )
}

/// A rotor with its centre of mass off the axis, in two stiff bushings that let it turn.
const ROTOR: &str = r#"
name = "rotor"
space = "spatial"
gravity = [0, 0, -9.81]

[[body]]
name = "rotor"
mass = 1
inertia = [0.02, 0.03, 0.04]
angular_velocity = [0, 0, 20]

[[force]]
type = "bushing"
name = "above"
body1 = "ground"
body2 = "rotor"
point1 = [0, 0, 0.1]
point2 = [0.001, 0, 0.1]
stiffness = [1e6, 1e6, 1e6]
damping = [200, 200, 200]

[[force]]
type = "bushing"
name = "below"
body1 = "ground"
body2 = "rotor"
point1 = [0, 0, -0.1]
point2 = [0.001, 0, -0.1]
stiffness = [1e6, 1e6, 1e6]
damping = [200, 200, 200]
"#;

/// The heavy top of Geradin and Cardona.
fn heavy_top() -> String {
    on_ball(15.0, "[0.234375, 0.46875, 0.234375]", "[0, 1, 0]", "[0, 150, -4.61538]")
}

/// Angle between the attitudes of the first body, rad.
fn turned(a: &State, b: &State) -> f64 {
    let (p, r) = (&a.q[3..7], &b.q[3..7]);
    let g = kingpin::spatial::euler::g_times(&[p[0], p[1], p[2], p[3]], &[r[0], r[1], r[2], r[3]]);
    2.0 * g.iter().map(|x| x * x).sum::<f64>().sqrt().min(1.0).asin()
}

fn moved(a: &State, b: &State) -> f64 {
    (0..3).map(|k| (a.q[k] - b.q[k]).powi(2)).sum::<f64>().sqrt()
}

/// Runs every implicit method at three tolerances against a reference at frames; most error over tolerance allowed.
fn compare(name: &str, text: &str, (t_end, trapezoidal_end): (f64, f64), most: f64) {
    let ready = Ready::text(text);
    let frame = t_end / 40.0;
    let frames = |method: Method, tol: f64, t_end: f64| {
        let mut frames = Frames::default();
        let settings = Settings { method, frame: Some(frame), ..Settings::new(tol, t_end) };
        let run = ready.run_with(&settings, &mut frames);
        (frames.0, run)
    };
    let (reference, _) = frames(Method::Dop853, 1e-12, t_end);
    let mut wrong = Vec::new();
    for method in IMPLICIT {
        for tol in [1e-3, 1e-5, 1e-7] {
            let second_order = matches!(method, Method::SspTrap | Method::InflTrap | Method::GenAlpha);
            let (seen, run) =
                frames(method, tol, if second_order && tol < 1e-6 { trapezoidal_end } else { t_end });
            let each = seen.iter().zip(&reference);
            let error = each.map(|(a, b)| turned(a, b).max(moved(a, b))).fold(0.0, f64::max);
            let line = format!(
                "{name} {} {tol:e}: error/tol {:.1}, {} steps, {} rejected, {} new choices",
                method.name(),
                error / tol,
                run.statistics.steps,
                run.statistics.rejected,
                run.repartitions
            );
            println!("{line}");
            if error.is_nan() || error > most * tol {
                wrong.push(line);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_free_body_keeps_its_spin_about_a_principal_axis() {
    compare("principal", &free("[0.1, 0.2, 0.3]", "[0, 0, 20]"), (3.0, 3.0), 1.0);
}

#[test]
fn a_free_body_keeps_its_spin_about_any_axis_of_a_ball() {
    compare("ball", &free("[0.2, 0.2, 0.2]", "[12, -9.6, 12.8]"), (3.0, 3.0), 1.0);
}

#[test]
fn a_free_body_spins_about_a_general_axis() {
    compare("general", &free("[0.1, 0.2, 0.3]", "[6, 4, 18.65]"), (3.0, 0.1), 100.0);
}

#[test]
fn a_tumbling_body_is_followed() {
    compare("tumbling", &free("[1, 2, 3]", "[4, 5, 2]"), (3.0, 0.1), 100.0);
}

#[test]
fn a_rotor_on_stiff_bushings_keeps_its_spin() {
    compare("rotor", ROTOR, (1.0, 0.05), 100.0);
}

/// After 2 s: the table of the literature, with steps of 2 us good to about 1e-6, and an own solution to 1e-8.
#[test]
fn a_heavy_top_is_where_the_literature_has_it() {
    let ready = Ready::text(&heavy_top());
    for (method, tol, within) in [(Method::Dop853, 1e-11, 3e-8), (Method::Radau, 1e-9, 1e-6)] {
        let mut frames = Frames::default();
        let settings = Settings { method, frame: Some(2.0), ..Settings::new(tol, 2.0) };
        ready.run_with(&settings, &mut frames);
        let end = frames.0.last().expect("a last frame");
        let far = |place: [f64; 3], p: [f64; 4]| {
            let sign = if end.q[3] * p[0] < 0.0 { -1.0 } else { 1.0 };
            let turn = (0..4).map(|k| (sign * end.q[3 + k] - p[k]).abs());
            (0..3).map(|k| (end.q[k] - place[k]).abs()).chain(turn).fold(0.0, f64::max)
        };
        let own = far(
            [-0.15041682, 1.0 - 1.72416559, -0.67302227],
            [0.12294714, -0.49107989, 0.35043003, -0.78798689],
        );
        let published = far(
            [-0.150416985653, 1.0 - 1.724164450780, -0.673023460701],
            [0.122947275601, -0.491079359220, 0.350430794926, -0.787986857973],
        );
        println!("{} at {tol:e}: {own:e} from the own solution, {published:e} from the table", method.name());
        assert!(own < within && published < 3e-6, "{}: {own:e} {published:e}", method.name());
    }
}

#[test]
fn a_heavy_top_is_followed() {
    compare("top", &heavy_top(), (0.5, 0.02), 100.0);
}

/// One body after the other added at rest changes nothing in the steps.
#[test]
fn idle_bodies_change_no_step() {
    let mut text = free("[0.1, 0.2, 0.3]", "[6, 4, 18.65]");
    let mut counts = Vec::new();
    for extra in 0..3 {
        let ready = Ready::text(&text);
        for method in IMPLICIT {
            let run = ready.run(method, 1e-3, 1.0, &mut Frames::default());
            counts.push((extra, run.statistics.steps, run.statistics.rejected));
        }
        for k in 0..10 * (extra + 1) {
            text += &format!(
                "\n[[body]]\nname = \"idle{extra}_{k}\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [{k}, 5, {extra}]\n"
            );
        }
    }
    let first: Vec<_> = counts[..IMPLICIT.len()].iter().map(|c| (c.1, c.2)).collect();
    for more in counts[IMPLICIT.len()..].chunks(IMPLICIT.len()) {
        assert_eq!(more.iter().map(|c| (c.1, c.2)).collect::<Vec<_>>(), first);
    }
}

/// A slide on a spinning arm, in a stiff spring that is damped so that it just does not swing.
const SLIDE: &str = r#"
name = "slide"
space = "planar"
body = [
    { name = "slide", mass = 1, inertia = 0.1, position = [0.5, 0], velocity = [0, 75], angular_velocity = 150 },
    { name = "arm", mass = 1, inertia = 1, angular_velocity = 150 },
]
joint = [
    { type = "revolute", name = "hinge", body1 = "ground", body2 = "arm" },
    { type = "translational", name = "way", body1 = "arm", body2 = "slide", axis = [1, 0] },
]
force = [{ type = "spring", name = "spring", body1 = "arm", body2 = "slide", stiffness = 1e8, damping = 2e4 }]
"#;

/// What Newton's iteration leaves has the same sign in each of the many steps to a turn: it must be far below the
/// tolerance.
#[test]
fn a_stiff_slide_loses_no_spin_to_newton() {
    let ready = Ready::text(SLIDE);
    let end = |method: Method, tol: f64| {
        let mut frames = Frames::default();
        let settings = Settings { method, frame: Some(0.1), ..Settings::new(tol, 0.1) };
        simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut frames);
        frames.0.last().map(|state| [state.q[0], state.q[1], state.q[5]])
    };
    let truth = end(Method::Dop853, 1e-9).expect("a last frame");
    for method in [Method::InflSdirk, Method::ForSdirk] {
        let found = end(method, 1e-3).expect("a last frame");
        let error = (0..3).map(|k| (found[k] - truth[k]).abs()).fold(0.0, f64::max);
        assert!(error < 1e-3, "{}: {error:e}", method.name());
    }
}
