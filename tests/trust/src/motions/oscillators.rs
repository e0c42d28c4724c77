//! A mass on a spring, in all sizes: x = A cos(w t), or A sin(w t) if it is kicked.

use crate::motion::{Motion, Track};

/// The same mechanism scaled in length and in time; small motions of a mechanism of ordinary size.
pub fn motions() -> Vec<Motion> {
    let sizes = [("1nm", 1e-9), ("1um", 1e-6), ("1mm", 1e-3), ("1m", 1.0), ("1km", 1e3)];
    let mut list = Vec::new();
    for (name, size) in sizes {
        list.push(scaled(&format!("oscillator_{name}"), size, 10.0));
    }
    list.push(scaled("oscillator_microseconds", 1.0, 1e7));
    list.push(scaled("oscillator_hours", 1.0, 1e-3));
    for (name, size) in &sizes[..3] {
        list.push(small(&format!("small_{name}"), *size, false));
        list.push(small(&format!("kicked_{name}"), *size, true));
    }
    list
}

/// All lengths in proportion: a spring of four amplitudes.
fn scaled(name: &str, size: f64, w: f64) -> Motion {
    let length = 4.0 * size;
    let spring = format!(
        "type = \"spring\"\nbody1 = \"ground\"\npoint1 = [{}, 0]\nbody2 = \"mass\"\nrest_length = {length}\nstiffness = {}",
        -length,
        w * w
    );
    oscillator(name, size, w, false, &spring)
}

/// An elastic bearing of no length, so that no digits are lost; the mass is far from the origin's other parts.
fn small(name: &str, size: f64, kicked: bool) -> Motion {
    let bushing =
        "type = \"bushing\"\nmarker1 = \"rest\"\nmarker2 = \"middle\"\nstiffness = [100, 0]".to_string();
    oscillator(name, size, 10.0, kicked, &bushing)
}

fn oscillator(name: &str, size: f64, w: f64, kicked: bool, force: &str) -> Motion {
    let (x, v) = if kicked { (0.0, size * w) } else { (size, 0.0) };
    let model = format!(
        r#"
space = "planar"

[[body]]
name = "mass"
mass = 1
inertia = 1
position = [{x:e}, 0]
velocity = [{v:e}, 0]

[[marker]]
name = "rest"
body = "ground"

[[marker]]
name = "middle"
body = "mass"

[[joint]]
type = "translational"
name = "slide"
marker1 = "rest"
marker2 = "middle"

[[force]]
name = "spring"
{force}
"#
    );
    let truth = move |t: &[f64]| {
        let row = |t: &f64| vec![if kicked { size * (w * t).sin() } else { size * (w * t).cos() }];
        t.iter().map(row).collect()
    };
    Motion::new(name, model, 20.0 / w, vec![Track::channel("mass.x", size)], Box::new(truth))
}
