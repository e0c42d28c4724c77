//! A tumbling body among flywheels that stand still: they change nothing.

use super::tumbling::{Tumble, model};
use crate::motion::{Motion, Track};

/// Ten, and a thousand for the methods that can afford it.
pub fn motions() -> Vec<Motion> {
    let many = Motion { explicit_only: true, ..among("idle_1000", 1000).long() };
    vec![among("idle_10", 10), many]
}

/// The start of the tumbling body.
const START: (f64, f64) = (10.0, 6.5);

fn among(name: &str, flywheels: usize) -> Motion {
    let text = model(START)
        + &format!(
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
        );
    let truth = |t: &[f64]| Tumble::new(START).attitudes(t);
    Motion::new(name, text, 4.0, vec![Track::attitude("body")], Box::new(truth))
}
