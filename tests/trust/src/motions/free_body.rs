//! A body in free flight, spinning about a principal axis: a parabola and a steady turn.

use crate::motion::{Motion, Track};
use crate::reference::rotation::{about, euler_parameters, times};

/// Spins of 20 rad/s, as in a workshop, and of 2,000 rad/s.
pub fn motions() -> Vec<Motion> {
    vec![spinning("free_spin", 20.0, 2.0), spinning("free_spin_fast", 2000.0, 0.02)]
}

fn spinning(name: &str, spin: f64, t_end: f64) -> Motion {
    let model = format!(
        r#"
gravity = [0, 0, -9.81]

[[body]]
name = "body"
mass = 2
inertia = [0.1, 0.2, 0.3]
orientation = {{ axis = [0.6, 0, 0.8], angle = 1.1 }}
velocity = [1, 2, 3]
angular_velocity = [0, 0, {spin}]
"#
    );
    let start = about([0.6, 0.0, 0.8], 1.1);
    let truth = move |t: &[f64]| {
        let row = |&t: &f64| {
            let mut row = vec![t, 2.0 * t, 3.0 * t - 0.5 * 9.81 * t * t];
            row.extend(euler_parameters(&times(&start, &about([0.0, 0.0, 1.0], spin * t))));
            row
        };
        t.iter().map(row).collect()
    };
    let scale = 1.0_f64.hypot(2.0) * t_end;
    Motion::new(name, model, t_end, vec![Track::place("body", scale), Track::attitude("body")], Box::new(truth))
}
