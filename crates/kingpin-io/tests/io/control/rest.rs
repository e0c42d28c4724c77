//! Equilibria of mechanisms with states, and linear systems.

use super::{alone, mechanism};
use kingpin::dynamics::Matrices;

/// An arm under gravity whose hinge has a torque; what gives it is added.
fn arm(more: &str) -> String {
    format!(
        r#"
name = "arm"
space = "planar"
gravity = [0, -10]

[[body]]
name = "arm"
mass = 3
inertia = 0.2
position = [0.5, 0]

[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "arm"
at = [0, 0]

[[measure]]
type = "angle"
name = "turn"
joint = "hinge"

[[force]]
type = "torque"
name = "drive"
body = "arm"
magnitude = "torque"
{more}
"#
    )
}

#[test]
fn integral_action_leaves_no_error_at_rest() {
    // the integral part carries the weight: 3 kg * 10 m/s^2 * 0.5 m * cos(0.4)
    let pid = "[[controller]]\ntype = \"pid\"\nname = \"torque\"\ninput = \"turn\"\nsetpoint = 0.4\nkp = 50\nki = 20\nkd = 9\nfilter = 0.05\n";
    let of = mechanism(&arm(pid));
    for matrices in [Matrices::Auto, Matrices::Dense, Matrices::Sparse] {
        let found = of.equilibrium_with(matrices).unwrap();
        let values = of.values(&found.state).unwrap();
        assert!((values.get("turn").unwrap() - 0.4).abs() < 1e-10);
        let carried = 15.0 * 0.4f64.cos();
        for channel in ["torque", "torque.integral"] {
            assert!((values.get(channel).unwrap() - carried).abs() < 1e-8, "{channel}");
        }
        assert!(values.get("torque.filtered").unwrap().abs() < 1e-10);
        assert_eq!(found.unstable_directions, 0);
    }
    // with the sign of the integral part turned it runs away from there
    let of = mechanism(&arm(&pid.replace("ki = 20", "ki = -20")));
    let found = of.equilibrium().unwrap();
    assert_eq!(found.unstable_directions, 1);
}

#[test]
fn a_state_of_a_motor_settles_where_its_rate_is_zero() {
    // x' = 2 - x - x^3 = 0 at 1, which gives the torque 15 that holds the arm level
    let motor = "[[controller]]\ntype = \"transfer-function\"\nname = \"torque\"\ninput = \"15*x - 40*turn\"\nnumerator = [1]\n\
                 denominator = [0.1, 1]\n[[state]]\nname = \"x\"\nrate = \"2 - x - x^3\"\ninitial = 0.2\n\
                 [[state]]\nname = \"seen\"\nrate = \"turn + 1\"\ninitial = 7\n";
    let of = mechanism(&arm(motor));
    let found = of.equilibrium().unwrap();
    let values = of.values(&found.state).unwrap();
    assert!((values.get("x").unwrap() - 1.0).abs() < 1e-10);
    assert!(values.get("turn").unwrap().abs() < 1e-9);
    // what nobody reads stays where it was
    assert_eq!(values.get("seen").unwrap(), 7.0);
}

#[test]
fn what_cannot_come_to_rest_is_named() {
    let ramp = "[[state]]\nname = \"ramp\"\nrate = \"1\"\n[[state]]\nname = \"torque\"\nrate = \"ramp - 3*torque\"\n";
    let said = mechanism(&arm(ramp)).equilibrium().unwrap_err().to_string();
    assert!(said.contains("state `ramp`") && said.contains("stays at 1 per second"), "{said}");
}

#[test]
fn linear_systems_have_each_state_once() {
    let text = alone(
        "[[input]]\nname = \"u\"\n[[state]]\nname = \"x\"\nrate = \"-2*x + 3*y + 5*u\"\n[[state]]\nname = \"y\"\nrate = \"x*y - 7*y\"\ninitial = 2\n",
    );
    let of = mechanism(&text);
    let linear = of.linearise(of.state(), &["u"], &["y"]).unwrap();
    assert_eq!(linear.states, ["x", "y"]);
    let a: Vec<f64> = linear.a.transpose().iter().copied().collect();
    assert_eq!(a, [-2.0, 3.0, 2.0, -7.0]);
    assert_eq!(linear.b.as_slice(), [5.0, 0.0]);
    assert!((linear.c[(0, 0)]).abs() < 1e-12 && (linear.c[(0, 1)] - 1.0).abs() < 1e-9);
    let modes = of.modes(of.state()).unwrap();
    // s^2 + 9 s + 8 = 0
    let found: Vec<f64> = modes.modes.iter().map(|mode| mode.real).collect();
    assert!((found[0] + 8.0).abs() < 1e-12 && (found[1] + 1.0).abs() < 1e-12, "{found:?}");
    assert_eq!((modes.dof, modes.zeros), (0, 0));
}

#[test]
fn kinematics_names_the_state_that_it_cannot_follow() {
    let driven = "[[state]]\nname = \"torque\"\nrate = \"1 - torque\"\n[[driver]]\ntype = \"angle\"\nname = \"turned\"\njoint = \"hinge\"\nmotion = \"t\"\n";
    let of = mechanism(&arm(driven));
    let mut sink = kingpin::mechanism::Recording::new();
    let said = of.kinematics(1.0, 5, &mut sink).unwrap_err().to_string();
    assert!(said.contains("`torque`"), "{said}");
}
