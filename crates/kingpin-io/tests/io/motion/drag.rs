//! Air drag, `-c*w*abs(w)`: value and slope of the force go on where the speed changes its sign, so nothing stops there.

use super::Ready;
use kingpin::dynamics::{Method, Observer, Step};
use kingpin_io::{Overrides, read_path};
use std::ops::ControlFlow;
use std::path::Path;

/// The sizes of all steps.
#[derive(Default)]
struct Sizes(Vec<f64>);

impl Observer for Sizes {
    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self.0.push(step.report.h());
        ControlFlow::Continue(())
    }
}

/// A wheel with drag that a torque turns to and fro.
fn wheel(drag: &str) -> Ready {
    Ready::text(&format!(
        r#"
space = "planar"
[[body]]
name = "wheel"
mass = 1
inertia = 1
[[joint]]
type = "revolute"
name = "hub"
body1 = "ground"
body2 = "wheel"
[[measure]]
type = "angle"
name = "turn"
joint = "hub"
[[force]]
type = "torque"
name = "air"
body = "wheel"
magnitude = "{drag} + sin(t)"
"#
    ))
}

/// A toy car with an air brake and a gear train run down: they come to rest without a step of no length.
#[test]
fn machines_with_air_brakes_run_down() {
    for (name, t_end, most) in [("toy.toml", 20.0, 200), ("absgear.toml", 30.0, 200)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/trust").join(name);
        let (ready, mut sizes) = (Ready::of(read_path(path, &Overrides::default())), Sizes::default());
        ready.run(Method::Auto, 1e-6, t_end, &mut sizes);
        assert!(sizes.0.len() <= most, "{name}: {} steps", sizes.0.len());
        assert!(sizes.0.iter().all(|h| *h > 0.0), "{name}");
    }
}

/// As exact as with an event at every change of sign, in about as many steps.
#[test]
fn drag_is_integrated_within_tolerance() {
    let (drag, pieces) =
        (wheel("-turn.rate*abs(turn.rate)"), wheel("if(turn.rate > 0, -turn.rate^2, turn.rate^2)"));
    for method in [Method::Dop853, Method::Dopri5, Method::Radau] {
        let run = |ready: &Ready, tol: f64| {
            let run = ready.run(method, tol, 20.0, &mut Sizes::default());
            (run.state.q[2], run.statistics.steps)
        };
        let ((exact, _), (found, few), (other, many)) =
            (run(&drag, 1e-12), run(&drag, 1e-6), run(&pieces, 1e-6));
        assert!((found - exact).abs() < 2e-5, "{}: {found} {exact}", method.name());
        assert!((other - exact).abs() < 2e-5, "{}: {other} {exact}", method.name());
        assert!(4 * few <= 5 * many, "{}: {few} steps for {many}", method.name());
    }
}
