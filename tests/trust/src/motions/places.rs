//! A body that flies through a place where it is pushed: uniform acceleration there, none elsewhere.

use crate::motion::{Motion, Track};

const T_END: f64 = 10.0;
/// Where it is pushed, at a speed of 1 m/s.
const FROM: f64 = 5.0;
/// Work of the push, and mass: the speed grows from 1 to 2 m/s.
const WORK: f64 = 1.5;

/// Widths from a ten-thousandth to three tenths of the way, written in several ways.
pub fn motions() -> Vec<Motion> {
    let mut list = Vec::new();
    for part in [1e-4, 1e-3, 1e-2, 0.1, 0.3] {
        list.push(pushed(&format!("place_if_{part:e}"), part * T_END, "if(place < {from}, 0, if(place < {to}, {push}, 0))"));
    }
    list.push(pushed("place_min_1e-3", 1e-2, "{push}*min(1, max(0, sign(place - {from}) - sign(place - {to})))"));
    list.push(pushed("place_abs_1e-3", 1e-2, "if(abs(place - ({from} + {to})/2) < ({to} - {from})/2, {push}, 0)"));
    list
}

fn pushed(name: &str, width: f64, magnitude: &str) -> Motion {
    let (push, to) = (WORK / width, FROM + width);
    let text = [("{from}", FROM), ("{to}", to), ("{push}", push)]
        .iter()
        .fold(magnitude.to_string(), |text, (mark, x)| text.replace(mark, &x.to_string()));
    let model = format!(
        r#"
space = "planar"

[[body]]
name = "mass"
mass = 1
inertia = 1
velocity = [1, 0]

[[measure]]
type = "coordinate"
name = "place"
body = "mass"
coordinate = "x"

[[force]]
type = "force"
name = "push"
body = "mass"
direction = [1, 0]
magnitude = "{text}"
"#
    );
    let truth = move |t: &[f64]| {
        let fast = (1.0 + 2.0 * WORK).sqrt();
        let through = (fast - 1.0) / push;
        let row = |&t: &f64| {
            let since = t - FROM;
            vec![if since < 0.0 {
                t
            } else if since < through {
                FROM + since + 0.5 * push * since * since
            } else {
                to + fast * (since - through)
            }]
        };
        t.iter().map(row).collect()
    };
    Motion::new(name, model, T_END, vec![Track::channel("mass.x", 0.0)], Box::new(truth))
}
