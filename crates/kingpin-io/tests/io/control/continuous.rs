//! States and controllers that work all the time.

use super::{alone, at_end, integrated, mechanism, settings};
use kingpin::dynamics::{Matrices, Method};
use kingpin::prelude::*;

#[test]
fn a_lag_answers_a_step_exactly() {
    let text = alone(
        "[[state]]\nname = \"y\"\nrate = \"(1 - y) / 0.2\"\n\
         [[controller]]\ntype = \"transfer-function\"\nname = \"lag\"\ninput = \"1\"\nnumerator = [1]\n\
         denominator = [0.2, 1]\n",
    );
    let of = mechanism(&text);
    let exact = 1.0 - f64::exp(-1.0 / 0.2);
    for method in Method::ALL {
        let tol = 1e-6;
        for found in at_end(&of, &settings(method, tol, 1.0), &["y", "lag"]) {
            let most = if method.has_fixed_step() { 1e-5 } else { 30.0 * tol };
            assert!((found - exact).abs() < most, "{}: {:e}", method.name(), found - exact);
        }
    }
}

/// Nothing moves and nothing pushes at the start, and a point by itself has no size: all there is to measure errors against comes
/// later, x'' = 1 - exp(-t).
#[test]
fn a_point_at_rest_is_pushed_by_a_lag() {
    let text = "[[body]]\nname = \"p\"\npoint = true\nmass = 1\n[[state]]\nname = \"x\"\nrate = \"1 - x\"\n\
                [[force]]\ntype = \"force\"\nname = \"push\"\nbody = \"p\"\ndirection = [1, 0, 0]\nmagnitude = \"1 N*x\"\n";
    let of = mechanism(text);
    let exact = 0.5 - 1.0 + 1.0 - f64::exp(-1.0);
    for method in Method::ALL {
        let tol = 1e-5;
        for found in at_end(&of, &settings(method, tol, 1.0), &["p.x"]) {
            assert!((found - exact).abs() < 30.0 * tol, "{}: {:e}", method.name(), found - exact);
        }
    }
}

#[test]
fn a_stiff_state_is_no_matter_for_implicit_methods() {
    // follows the cosine within a microsecond, beside a slow one
    let text = alone(
        "[[state]]\nname = \"fast\"\nrate = \"-1e6 * (fast - cos(t))\"\ninitial = 1\n\
         [[state]]\nname = \"slow\"\nrate = \"fast\"\n",
    );
    let of = mechanism(&text);
    for (method, matrices) in [
        (Method::Radau, Matrices::Dense),
        (Method::Radau, Matrices::Sparse),
        (Method::Esdirk, Matrices::Sparse),
        (Method::ForRosen, Matrices::Dense),
    ] {
        let settings = Settings { matrices, ..settings(method, 1e-6, 2.0) };
        let recording = of.simulate_with(&settings).unwrap();
        let found = recording.last("slow").unwrap();
        assert!((found - 2f64.sin()).abs() < 1e-4, "{}: {found}", method.name());
        let steps = recording.run().unwrap().statistics.steps;
        assert!(steps < 5000, "{} took {steps} steps", method.name());
    }
}

#[test]
fn state_space_and_transfer_function_are_the_same_system() {
    // (2 s^2 + 3 s + 4) / (s^2 + 0.6 s + 9) in both ways, with a gain through
    let text = alone(
        "[[controller]]\ntype = \"transfer-function\"\nname = \"one\"\ninput = \"sin(3*t)\"\nnumerator = [2, 3, 4]\n\
         denominator = [1, 0.6, 9]\n\
         [[controller]]\ntype = \"state-space\"\nname = \"two\"\ninputs = [\"sin(3*t)\"]\noutputs = [\"y\", \"x\"]\n\
         a = [[0, 1], [-9, -0.6]]\nb = [[0], [1]]\nc = [[-14, 1.8], [1, 0]]\nd = [[2], [0]]\n\
         [[controller]]\ntype = \"transfer-function\"\nname = \"behind\"\ninput = \"two.y - one\"\nnumerator = [1, 0]\n\
         denominator = [0.1, 1]\n",
    );
    let of = mechanism(&text);
    let f = |t: f64, x: &[f64]| vec![x[1], -9.0 * x[0] - 0.6 * x[1] + (3.0 * t).sin()];
    let exact = integrated(vec![0.0; 2], 2.0, 20_000, f);
    let u = 6f64.sin();
    let y = -14.0 * exact[0] + 1.8 * exact[1] + 2.0 * u;
    let found = at_end(&of, &settings(Method::Dop853, 1e-9, 2.0), &["one", "two.y", "two.x", "behind"]);
    for (found, exact) in found.iter().zip([y, y, exact[0], 0.0]) {
        assert!((found - exact).abs() < 1e-6, "{found} {exact}");
    }
}

/// A force limited to 1 N moves a mass of 1 kg by 1 m; without care the integral part would wind up.
fn limited(lines: &str) -> Mechanism {
    mechanism(&format!(
        r#"
name = "limited"
space = "planar"

[[body]]
name = "cart"
mass = 1
point = true
scalar = true

[[measure]]
type = "coordinate"
name = "x"
body = "cart"
point = [0, 0]
coordinate = "x"

[[controller]]
type = "pid"
name = "pull"
input = "x"
setpoint = 1
kp = 20
ki = 30
kd = 8
minimum = -1
maximum = 1
{lines}

[[force]]
type = "force"
name = "push"
body = "cart"
point = [0, 0]
direction = [1, 0]
magnitude = "pull"
"#
    ))
}

#[test]
fn back_calculation_keeps_the_integral_part_from_winding_up() {
    let exact = |tracking: f64, t: f64| {
        integrated(vec![0.0; 3], t, 80_000, |_, x| {
            let wanted = 20.0 * (1.0 - x[0]) + x[2] - 8.0 * x[1];
            let u = wanted.clamp(-1.0, 1.0);
            vec![x[1], u, 30.0 * (1.0 - x[0]) + tracking * (u - wanted)]
        })
    };
    let of = limited("");
    for method in [Method::Dopri5, Method::Radau, Method::ForRosen, Method::Esdirk] {
        let found = at_end(&of, &settings(method, 1e-7, 3.0), &["x", "x.rate", "pull.integral"]);
        for (found, exact) in found.iter().zip(exact(1.5, 3.0)) {
            assert!((found - exact).abs() < 2e-4, "{}: {found} {exact}", method.name());
        }
    }
    // with it the overshoot is small, and as good as without it is not
    let most = |of: &Mechanism| {
        let recording = of.simulate_with(&settings(Method::Dop853, 1e-6, 8.0)).unwrap();
        recording.series("x").unwrap().into_iter().fold(0.0, f64::max)
    };
    let (with, without) = (most(&of), most(&limited("tracking_time = 1e6")));
    assert!(with < 1.7 && without > with + 1.0, "{with} {without}");
}

#[test]
fn states_have_no_energy_and_no_weight() {
    let text = alone("gravity = [5, 0]\n[[state]]\nname = \"x\"\nrate = \"-x\"\ninitial = 3\n");
    let of = mechanism(&text);
    let values = of.values(of.state()).unwrap();
    for (channel, value) in [("x", 3.0), ("energy.kinetic", 0.0), ("energy.total", 0.0)] {
        assert_eq!(values.get(channel).unwrap(), value);
    }
    let recording = of.simulate_with(&settings(Method::Radau, 1e-8, 1.0)).unwrap();
    assert!((recording.last("x").unwrap() - 3.0 * (-1f64).exp()).abs() < 1e-6);
    assert!(recording.last("energy.balance").unwrap().abs() < 1e-12);
}

#[test]
fn events_and_switches_read_states() {
    let text = alone(
        "[[state]]\nname = \"x\"\nrate = \"1\"\n[[state]]\nname = \"y\"\nrate = \"if(half, 2, 0)\"\n\
         [[event]]\nname = \"half\"\nwhen = \"x - 0.5\"\naction = \"switch\"\ndirection = \"rising\"\n\
         [[event]]\nname = \"end\"\nwhen = \"y - 1\"\n",
    );
    let of = mechanism(&text);
    for method in [Method::Dopri5, Method::Radau, Method::ForRosen] {
        let recording = of.simulate_with(&settings(method, 1e-8, 3.0)).unwrap();
        let t = recording.run().unwrap().state.t;
        assert!((t - 1.0).abs() < 1e-7, "{}: {t}", method.name());
    }
}
