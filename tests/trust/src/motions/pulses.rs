//! A mass at rest on a spring that is pushed for a moment, with the same impulse however short it is.

use crate::motion::{Motion, Track};
use crate::reference::extrapolation::{FINE, solve};

const T_END: f64 = 10.0;
/// When the push comes.
const AT: f64 = 7.0;
/// Angular frequency of the mass on its spring.
const W: f64 = 3.0;

/// Widths from a ten-thousandth to three tenths of the run.
pub fn motions() -> Vec<Motion> {
    let mut list = Vec::new();
    for width in [1e-4, 1e-3, 1e-2, 0.1, 0.3].map(|part| part * T_END) {
        let name = |kind: &str| format!("{kind}_{:e}", width / T_END);
        list.push(square(&name("pulse_if"), width, W * W, "if(t < {at}, 0, if(t < {end}, {push}, 0))"));
        list.push(bump(&name("pulse_table"), width, Shape::Table));
        list.push(bump(&name("pulse_gauss"), width, Shape::Gauss));
    }
    for width in [1e-4, 1e-2].map(|part| part * T_END) {
        let name = |kind: &str| format!("{kind}_{:e}", width / T_END);
        list.push(square(&name("pulse_free"), width, 0.0, "{push}*pulse(t, {at}, {end})"));
        list.push(square(&name("pulse_sign"), width, W * W, "{push}/2*(sign(t - {at}) - sign(t - {end}))"));
    }
    list
}

fn model(stiffness: f64, magnitude: &str) -> String {
    format!(
        r#"
space = "planar"

[[body]]
name = "mass"
mass = 1
inertia = 1

[[joint]]
type = "translational"
name = "slide"
body1 = "ground"
body2 = "mass"
axis = [1, 0]

[[force]]
type = "bushing"
name = "spring"
body1 = "ground"
body2 = "mass"
stiffness = [{stiffness}, 0]

[[force]]
type = "force"
name = "push"
body = "mass"
direction = [1, 0]
magnitude = {magnitude}
"#
    )
}

/// A constant push: x = p/k (1 - cos w(t - t0)) while it lasts, the difference of two such afterwards.
fn square(name: &str, width: f64, stiffness: f64, magnitude: &str) -> Motion {
    let (push, end) = (1.0 / width, AT + width);
    let text = [("{at}", AT), ("{end}", end), ("{push}", push)]
        .iter()
        .fold(magnitude.to_string(), |text, (mark, x)| text.replace(mark, &x.to_string()));
    let w = stiffness.sqrt();
    let answer = move |since: f64| {
        if since <= 0.0 {
            0.0
        } else if stiffness == 0.0 {
            0.5 * push * since * since
        } else {
            // 1 - cos without loss of digits
            push * 2.0 * (0.5 * w * since).sin().powi(2) / stiffness
        }
    };
    let truth = move |t: &[f64]| t.iter().map(|t| vec![answer(t - AT) - answer(t - end)]).collect();
    let tracks = vec![Track::channel("mass.x", 0.0)];
    Motion::new(name, model(stiffness, &format!("\"{text}\"")), T_END, tracks, Box::new(truth))
}

#[derive(Clone, Copy)]
enum Shape {
    /// Points of a table: up and down again.
    Table,
    /// A bell without any edge.
    Gauss,
}

fn bump(name: &str, width: f64, shape: Shape) -> Motion {
    let middle = AT + 0.5 * width;
    let magnitude = match shape {
        Shape::Table => {
            let push = 2.0 / width;
            let end = AT + width;
            format!("{{ t = [0, {AT}, {middle}, {end}, {}], value = [0, 0, {push}, 0, 0] }}", T_END + 1.0)
        }
        Shape::Gauss => {
            let (narrow, push) = (width / 4.0, 4.0 / width / std::f64::consts::PI.sqrt());
            format!("\"{push}*exp(-((t - {middle})/{narrow})^2)\"")
        }
    };
    let push = move |t: f64| match shape {
        Shape::Table => {
            // slopes are zero at all points: each side is the cubic 3 u^2 - 2 u^3
            let u = (1.0 - (t - middle).abs() / (0.5 * width)).max(0.0);
            2.0 / width * u * u * (3.0 - 2.0 * u)
        }
        Shape::Gauss => {
            4.0 / width / std::f64::consts::PI.sqrt() * (-((t - middle) / (width / 4.0)).powi(2)).exp()
        }
    };
    let truth = move |t: &[f64]| {
        let rates =
            move |t: f64, y: &[f64], f: &mut [f64]| (f[0], f[1]) = (y[1], push(t) - W * W * y[0]);
        let edges = [middle - 2.0 * width, AT, middle, AT + width, middle + 2.0 * width];
        solve(&rates, (0.0, &[0.0, 0.0]), t, &edges, FINE).into_iter().map(|y| vec![y[0]]).collect()
    };
    let tracks = vec![Track::channel("mass.x", 0.0)];
    Motion::new(name, model(W * W, &magnitude), T_END, tracks, Box::new(truth))
}
