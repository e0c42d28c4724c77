//! A parallelogram of equal cranks that goes round ten times, through its flat position twice a turn: it stays a
//! parallelogram. Without forces its speed is constant.

use crate::motion::{Motion, Track};
use std::f64::consts::TAU;

/// Running free, and driven; in the plane and in space.
pub fn motions() -> Vec<Motion> {
    vec![
        linkage("parallelogram", false, false),
        linkage("parallelogram_driven", true, false),
        linkage("parallelogram_spatial", false, true),
    ]
}

/// Angle of the cranks at the start, and their rate.
const START: f64 = 0.7;
const RATE: f64 = TAU;

fn linkage(name: &str, driven: bool, spatial: bool) -> Motion {
    let (s, c) = START.sin_cos();
    let space = if spatial { "spatial" } else { "planar" };
    let vector = |x: f64, y: f64| if spatial { format!("[{x}, {y}, 0]") } else { format!("[{x}, {y}]") };
    let turn = |angle: f64| match spatial {
        true => format!("orientation = {{ axis = [0, 0, 1], angle = {angle} }}"),
        false => format!("angle = {angle}"),
    };
    let spin = |rate: f64| if spatial { format!("[0, 0, {rate}]") } else { rate.to_string() };
    let inertia = |z: f64| if spatial { format!("[0.01, {z}, {z}]") } else { z.to_string() };
    let crank = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = {}\ncom = {}\nposition = {}\n{}\nangular_velocity = {}\n",
            inertia(0.1),
            vector(0.5, 0.0),
            vector(x, 0.0),
            turn(START),
            spin(RATE)
        )
    };
    let joint = |kind: &str, name: &str, (body1, x1): (&str, f64), (body2, x2): (&str, f64)| {
        let axes = if kind == "revolute" && spatial { "axis = [0, 0, 1]\n" } else { "" };
        format!(
            "[[joint]]\ntype = \"{kind}\"\nname = \"{name}\"\nbody1 = \"{body1}\"\npoint1 = {}\nbody2 = \"{body2}\"\npoint2 = {}\n{axes}",
            vector(x1, 0.0),
            vector(x2, 0.0)
        )
    };
    let mut model = format!("space = \"{space}\"\n");
    model += &(crank("left", 0.0) + &crank("right", 2.0));
    model += &format!(
        "[[body]]\nname = \"coupler\"\nmass = 1\ninertia = {}\ncom = {}\nposition = {}\nvelocity = {}\n",
        inertia(0.5),
        vector(1.0, 0.0),
        vector(c, s),
        vector(-RATE * s, RATE * c)
    );
    // in space one pin and a ball hold the coupler in its plane
    let second = if spatial { "spherical" } else { "revolute" };
    model += &joint("revolute", "A", ("ground", 0.0), ("left", 0.0));
    model += &joint("revolute", "B", ("left", 1.0), ("coupler", 0.0));
    model += &joint(second, "C", ("coupler", 2.0), ("right", 1.0));
    model += &joint("revolute", "D", ("ground", 2.0), ("right", 0.0));
    if driven {
        model += &format!(
            "[[driver]]\ntype = \"angle\"\nname = \"motor\"\njoint = \"A\"\nmotion = \"{START} + {RATE}*t\"\n"
        );
    }
    // angles of hinges count from the given pose in space, from the axes in the plane
    let first = if spatial { 0.0 } else { START };
    let truth = move |t: &[f64]| {
        let row = |t: &f64| {
            let (s, c) = (START + RATE * t).sin_cos();
            let mut row = vec![first + RATE * t];
            row.extend(if spatial { vec![c, s, 0.0] } else { vec![c, s] });
            row
        };
        t.iter().map(row).collect()
    };
    let place = if spatial { Track::place("coupler", 1.0) } else { Track::planar("coupler", 1.0) };
    let mut motion = Motion::new(name, model, 10.0, vec![Track::channel("D.angle", 1.0), place], Box::new(truth));
    motion.frames = 170;
    motion
}
