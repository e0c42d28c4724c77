//! A wheel that rolls over a bump at constant speed: its height by an integration from edge to edge of the bump.

use crate::motion::{Motion, Track};
use crate::reference::extrapolation::{FINE, solve};
use std::f64::consts::PI;

const T_END: f64 = 10.0;
const MASS: f64 = 10.0;
const RADIUS: f64 = 0.3;
const STIFFNESS: f64 = 4e3;
const DAMPING: f64 = 80.0;
const GRAVITY: f64 = 9.81;
/// Where the bump begins; the wheel runs at 1 m/s.
const FROM: f64 = 5.0;
const HEIGHT: f64 = 0.05;

/// Widths from a ten-thousandth to three tenths of the way, as expressions, tables and half cylinders.
pub fn motions() -> Vec<Motion> {
    let mut list = Vec::new();
    for part in [1e-4, 1e-3, 1e-2, 0.1, 0.3] {
        let width = part * T_END;
        list.push(expression(&format!("road_expression_{part:e}"), width));
        list.push(table(&format!("road_table_{part:e}"), width));
        list.push(lines(&format!("road_lines_{part:e}"), width, 1));
    }
    list.push(lines("road_lines_many", 0.3, 140));
    list.push(cylinder("road_cylinder_small", 1e-3));
    list.push(cylinder("road_cylinder", 0.05));
    list
}

/// A squared cosine, cut out by `if`.
fn expression(name: &str, width: f64) -> Motion {
    let middle = FROM + 0.5 * width;
    let half = 0.5 * width;
    let road = format!(
        "type = \"expression\"\nheight = \"if(abs(x - {middle}) < {half}, {HEIGHT}*cos(pi*(x - {middle})/{width})^2, 0)\""
    );
    let profile = |x: f64, width: f64| {
        let u = PI * (x - FROM - 0.5 * width) / width;
        if u.abs() < 0.5 * PI {
            (HEIGHT * u.cos().powi(2), -HEIGHT * PI / width * (2.0 * u).sin())
        } else {
            (0.0, 0.0)
        }
    };
    rolling(name, &road, width, vec![0.0, 1.0], profile)
}

/// Points, up and down: slopes are zero at all of them, each side is the cubic 3 u^2 - 2 u^3.
fn table(name: &str, width: f64) -> Motion {
    let (middle, to) = (FROM + 0.5 * width, FROM + width);
    let road = format!(
        "type = \"table\"\npoints = {{ x = [0, {FROM}, {middle}, {to}, 20], y = [0, 0, {HEIGHT}, 0, 0] }}"
    );
    let profile = |x: f64, width: f64| {
        let off = x - FROM - 0.5 * width;
        let u = (1.0 - off.abs() / (0.5 * width)).max(0.0);
        let slope = -off.signum() * HEIGHT * 6.0 * u * (1.0 - u) / (0.5 * width);
        (HEIGHT * u * u * (3.0 - 2.0 * u), slope)
    };
    rolling(name, &road, width, vec![0.0, 0.5, 1.0], profile)
}

/// Straight lines, up and down so many times: the slope jumps at each of their points, and the force with it.
fn lines(name: &str, width: f64, teeth: usize) -> Motion {
    let tooth = width / teeth as f64;
    let height = HEIGHT / teeth as f64;
    let corners = (0..=2 * teeth).map(|k| (FROM + 0.5 * tooth * k as f64, height * (k % 2) as f64));
    let all: Vec<(f64, f64)> = [(0.0, 0.0)].into_iter().chain(corners).chain([(20.0, 0.0)]).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = all.iter().copied().unzip();
    let road = format!("type = \"table\"\npoints = {{ x = {x:?}, y = {y:?}, join = \"linear\" }}");
    let profile = move |t: f64, _: f64| {
        let k = x.partition_point(|knot| *knot <= t).clamp(1, x.len() - 1) - 1;
        let slope = (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
        (y[k] + slope * (t - x[k]), slope)
    };
    let edges = (0..=2 * teeth).map(|k| 0.5 * k as f64 / teeth as f64).collect();
    rolling(name, &road, width, edges, profile)
}

/// A half cylinder, felt by the rim of the wheel.
fn cylinder(name: &str, radius: f64) -> Motion {
    let sum = radius + RADIUS;
    let half = (sum * sum - RADIUS * RADIUS).sqrt();
    let centre = FROM + half;
    let road = format!("type = \"bump\"\ncentre = {centre}\nradius = {radius}\nwheel_radius = {RADIUS}");
    let profile = |x: f64, width: f64| {
        let off = x - FROM - 0.5 * width;
        let square = RADIUS * RADIUS + 0.25 * width * width;
        if off.abs() < 0.5 * width {
            let high = (square - off * off).sqrt();
            (high - RADIUS, -off / high)
        } else {
            (0.0, 0.0)
        }
    };
    rolling(name, &road, 2.0 * half, vec![0.0, 1.0], profile)
}

/// The wheel over a bump of a width, with edges at these parts of it.
/// The profile gives height and slope at a place.
fn rolling(
    name: &str,
    road: &str,
    width: f64,
    edges: Vec<f64>,
    profile: impl Fn(f64, f64) -> (f64, f64) + 'static,
) -> Motion {
    let rest = RADIUS - MASS * GRAVITY / STIFFNESS;
    let model = format!(
        r#"
space = "planar"
gravity = [0, -{GRAVITY}]

[[body]]
name = "wheel"
mass = {MASS}
inertia = 1
position = [0, {rest}]
velocity = [1, 0]

[[road]]
name = "road"
{road}

[[force]]
type = "tyre"
name = "tyre"
body = "wheel"
radius = {RADIUS}
stiffness = {STIFFNESS}
damping = {DAMPING}
unilateral = false
road = "road"
"#
    );
    let truth = move |t: &[f64]| {
        let rates = |t: f64, y: &[f64], f: &mut [f64]| {
            let (high, slope) = profile(t, width);
            let push = STIFFNESS * (RADIUS - (y[0] - high)) - DAMPING * (y[1] - slope);
            (f[0], f[1]) = (y[1], push / MASS - GRAVITY);
        };
        let edges: Vec<f64> = edges.iter().map(|part| FROM + part * width).collect();
        solve(&rates, (0.0, &[rest, 0.0]), t, &edges, FINE).into_iter().map(|y| vec![y[0]]).collect()
    };
    // heights are as large as the weight presses the tyre in
    let tracks = vec![Track::channel("wheel.y", MASS * GRAVITY / STIFFNESS)];
    Motion::new(name, model, T_END, tracks, Box::new(truth))
}
