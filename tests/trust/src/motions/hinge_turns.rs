//! A wheel on a hinge with a spring on its angle, wound up over many turns: angle = A sin t.

use crate::motion::{Motion, Track};
use std::f64::consts::TAU;

/// A hundred and ten thousand turns, in the plane and in space.
pub fn motions() -> Vec<Motion> {
    vec![
        planar("hinge_100_turns_planar", 100.0),
        planar("hinge_10000_turns_planar", 1e4),
        spatial("hinge_100_turns", 100.0),
        Motion { patience: 4.0, ..spatial("hinge_10000_turns", 1e4).long() },
    ]
}

fn planar(name: &str, turns: f64) -> Motion {
    let body = "inertia = 1\nangular_velocity";
    wound(name, turns, format!("space = \"planar\"\n[[body]]\nname = \"wheel\"\nmass = 1\n{body} = {}", turns * TAU), "")
}

fn spatial(name: &str, turns: f64) -> Motion {
    let body = "inertia = [0.6, 0.6, 1]\nangular_velocity";
    wound(name, turns, format!("[[body]]\nname = \"wheel\"\nmass = 1\n{body} = [0, 0, {}]", turns * TAU), "axis = [0, 0, 1]")
}

fn wound(name: &str, turns: f64, body: String, axis: &str) -> Motion {
    let model = format!(
        r#"
{body}

[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "wheel"
{axis}

[[force]]
type = "torsion-spring"
name = "spring"
joint = "hinge"
stiffness = 1
"#
    );
    let greatest = turns * TAU;
    let truth = move |t: &[f64]| t.iter().map(|t| vec![greatest * t.sin()]).collect();
    // the angle is counted over turns, so its size is what it comes to
    Motion::new(name, model, 3.0, vec![Track::channel("hinge.angle", greatest)], Box::new(truth))
}
