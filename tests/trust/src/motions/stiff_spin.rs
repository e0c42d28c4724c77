//! Stiff mechanisms that spin: a slide on a turning arm held by a stiff spring, and a blade on a stiff bushing.

use crate::motion::{Motion, Track};
use crate::reference::extrapolation::{FINE, solve};
use crate::reference::rotation::{about, euler_parameters};

const MASS: f64 = 1.0;
const HUB: f64 = 1.0;
const REACH: f64 = 0.5;
const STIFFNESS: f64 = 1e8;

/// In the plane and in space; slow and fast.
pub fn motions() -> Vec<Motion> {
    vec![
        slide("spinning_slide_planar", 1e6, 20.0, 2.0, false),
        slide("spinning_slide", 1e6, 20.0, 2.0, true),
        slide("stiff_slide_planar", STIFFNESS, 20.0, 2.0, false).long(),
        slide("stiff_slide", STIFFNESS, 20.0, 2.0, true).long(),
        slide("stiff_slide_fast", STIFFNESS, 150.0, 0.5, true).long(),
        blade("spinning_blade", 1e6, 20.0, 1.0),
        blade("stiff_blade", STIFFNESS, 20.0, 2.0).long(),
        blade("stiff_blade_fast", STIFFNESS, 150.0, 0.5).long(),
    ]
}

/// Arm and slide: (J + m r^2) angle' is constant, m r'' = m r angle'^2 - k (r - r0) - c r'.
fn slide(name: &str, stiffness: f64, spin: f64, t_end: f64, spatial: bool) -> Motion {
    // as much damping as just does not swing
    let damping = 2.0 * (stiffness * MASS).sqrt();
    let model = if spatial { slide_in_space(spin, stiffness, damping) } else { slide_in_the_plane(spin, stiffness, damping) };
    let truth = move |t: &[f64]| {
        // both bodies turn, the slide has an inertia of its own
        let own = HUB + 0.1;
        let momentum = (own + MASS * REACH * REACH) * spin;
        let rates = move |_: f64, y: &[f64], f: &mut [f64]| {
            // how far the spring is drawn out, so that no digits are lost
            let reach = REACH + y[0];
            let rate = momentum / (own + MASS * reach * reach);
            f[0] = y[1];
            f[1] = reach * rate * rate - (stiffness * y[0] + damping * y[1]) / MASS;
            f[2] = rate;
        };
        let row = |y: Vec<f64>| {
            let ((s, c), reach) = (y[2].sin_cos(), REACH + y[0]);
            if spatial {
                let mut row = vec![reach * c, reach * s, 0.0];
                row.extend(euler_parameters(&about([0.0, 0.0, 1.0], y[2])));
                row
            } else {
                vec![reach * c, reach * s, y[2]]
            }
        };
        solve(&rates, (0.0, &[0.0, 0.0, 0.0]), t, &[], FINE).into_iter().map(row).collect()
    };
    let tracks = match spatial {
        true => vec![Track::place("slide", REACH), Track::attitude("arm")],
        false => vec![Track::planar("slide", REACH), Track::channel("hinge.angle", 1.0)],
    };
    Motion::new(name, model, t_end, tracks, Box::new(truth))
}

fn slide_in_the_plane(spin: f64, stiffness: f64, damping: f64) -> String {
    format!(
        r#"
space = "planar"

[[body]]
name = "arm"
mass = 1
inertia = {HUB}
angular_velocity = {spin}

[[body]]
name = "slide"
mass = {MASS}
inertia = 0.1
position = [{REACH}, 0]
velocity = [0, {}]
angular_velocity = {spin}

[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "arm"

[[joint]]
type = "translational"
name = "way"
body1 = "arm"
body2 = "slide"
axis = [1, 0]

[[force]]
type = "spring"
name = "spring"
body1 = "arm"
body2 = "slide"
stiffness = {stiffness:e}
damping = {damping}
"#,
        REACH * spin
    )
}

fn slide_in_space(spin: f64, stiffness: f64, damping: f64) -> String {
    format!(
        r#"
[[body]]
name = "arm"
mass = 1
inertia = [0.7, 0.8, {HUB}]
angular_velocity = [0, 0, {spin}]

[[body]]
name = "slide"
mass = {MASS}
inertia = [0.08, 0.09, 0.1]
position = [{REACH}, 0, 0]
velocity = [0, {}, 0]
angular_velocity = [0, 0, {spin}]

[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "arm"
axis = [0, 0, 1]

[[joint]]
type = "translational"
name = "way"
body1 = "arm"
body2 = "slide"
axis = [1, 0, 0]

[[force]]
type = "spring"
name = "spring"
body1 = "arm"
body2 = "slide"
stiffness = {stiffness:e}
damping = {damping}
"#,
        REACH * spin
    )
}

/// A blade on a bushing at the hub, started where its pull balances the turn: it stays there.
fn blade(name: &str, stiffness: f64, spin: f64, t_end: f64) -> Motion {
    let reach = REACH * stiffness / (stiffness - MASS * spin * spin);
    let (damping, torsion, drag) = (2e-4 * stiffness, 1e-2 * stiffness, 1e-5 * stiffness);
    let model = format!(
        r#"
[[body]]
name = "hub"
mass = 1
inertia = [0.7, 0.8, {HUB}]
angular_velocity = [0, 0, {spin}]

[[body]]
name = "blade"
mass = {MASS}
inertia = [0.01, 0.1, 0.1]
position = [{reach:.17}, 0, 0]
velocity = [0, {:.17}, 0]
angular_velocity = [0, 0, {spin}]

[[marker]]
name = "root"
body = "hub"
position = [{REACH}, 0, 0]

[[marker]]
name = "middle"
body = "blade"

[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "hub"
axis = [0, 0, 1]

[[force]]
type = "bushing"
name = "bushing"
marker1 = "root"
marker2 = "middle"
stiffness = [{stiffness:e}, {stiffness:e}, {stiffness:e}]
damping = [{damping}, {damping}, {damping}]
rotational_stiffness = [{torsion}, {torsion}, {torsion}]
rotational_damping = [{drag}, {drag}, {drag}]
"#,
        reach * spin
    );
    let truth = move |t: &[f64]| {
        let row = |&t: &f64| {
            let (s, c) = (spin * t).sin_cos();
            let mut row = vec![reach * c, reach * s, 0.0];
            row.extend(euler_parameters(&about([0.0, 0.0, 1.0], spin * t)));
            row
        };
        t.iter().map(row).collect()
    };
    let tracks = vec![Track::place("blade", REACH), Track::attitude("blade")];
    Motion::new(name, model, t_end, tracks, Box::new(truth))
}
