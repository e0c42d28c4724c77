//! Small models that several tests run.

/// A mass on a rail along x, on a spring to the origin. `spring` holds the lines of the spring, `more` whatever else
/// the model has.
pub fn on_spring([mass, inertia]: [f64; 2], [x, v]: [f64; 2], spring: &str, more: &str) -> String {
    format!(
        r#"
name = "on_spring"
space = "planar"
gravity = [0, 0]

[[body]]
name = "mass"
mass = {mass:e}
inertia = {inertia:e}
position = [{x:e}, 0]
velocity = [{v:e}, 0]

[[joint]]
type = "translational"
name = "guide"
body1 = "ground"
body2 = "mass"
axis = [1, 0]

[[force]]
type = "spring"
name = "spring"
body1 = "ground"
body2 = "mass"
point1 = [0, 0]
point2 = [0, 0]
{spring}

{more}
"#
    )
}

/// A body on a ball joint at the origin, under gravity.
pub fn on_ball(mass: f64, inertia: &str, com: &str, angular_velocity: &str) -> String {
    format!(
        r#"
name = "on_ball"
space = "spatial"
gravity = [0, 0, -9.81]

[[body]]
name = "body"
mass = {mass}
inertia = {inertia}
com = {com}
angular_velocity = {angular_velocity}

[[joint]]
type = "spherical"
name = "tip"
body1 = "ground"
body2 = "body"
at = [0, 0, 0]
"#
    )
}
