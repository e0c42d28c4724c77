//! A tumbling body among flywheels that stand still: they change nothing.

use super::tumbling::{Tumble, model};
use crate::motion::{Motion, Track};

/// None, ten, a hundred, and a thousand.
pub fn motions() -> Vec<Motion> {
    vec![
        among("idle_0", 0),
        among("idle_10", 10),
        Motion { patience: 0.1, ..among("idle_100", 100).long() },
        Motion { large: true, ..among("idle_1000", 1000).long() },
    ]
}

/// The start of the tumbling body.
const START: (f64, f64) = (10.0, 6.5);

fn among(name: &str, flywheels: usize) -> Motion {
    let pattern = if flywheels == 0 { String::new() } else { pattern(flywheels) };
    let text = model(START) + &pattern;
    let truth = |t: &[f64]| Tumble::new(START).attitudes(t);
    Motion::new(name, text, 4.0, vec![Track::attitude("body")], Box::new(truth))
}

fn pattern(flywheels: usize) -> String {
    format!(
        r#"
[[pattern]]
from = 1
to = {flywheels}

[[pattern.body]]
name = "flywheel{{i}}"
mass = 3
inertia = [0.2, 0.2, 0.4]
position = ["i", 0, 0]

[[pattern.joint]]
type = "revolute"
name = "bearing{{i}}"
body1 = "ground"
body2 = "flywheel{{i}}"
at = ["i", 0, 0]
axis = [0, 0, 1]
"#
    )
}
