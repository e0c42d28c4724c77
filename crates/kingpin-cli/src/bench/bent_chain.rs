//! A chain of hinged rods in motion, bent a little at every hinge: no entry of its matrices is zero by chance.

use crate::generate::Space;
use std::fmt::Write;

/// Rods of 1 kg and 1 m, the first hinged to ground at the origin. Hinge i, counted from 0, is turned by
/// 0.3 sin(i + 1) and turns at 0.2 cos(2 i) rad/s: in space about axes along y, in the plane the other way round.
pub fn model(space: Space, links: u32) -> String {
    let mut text = String::from(match space {
        Space::Planar => "name = 'chain'\nspace = 'planar'\ngravity = [0, -9.81]\n",
        Space::Spatial => "name = 'chain'\nspace = 'spatial'\ngravity = [0, 0, -9.81]\n",
    });
    // angle and rate of the link; place and velocity of its hinge, across and up
    let (mut angle, mut rate, mut hinge, mut velocity) = (0.0_f64, 0.0, [0.0; 2], [0.0; 2]);
    for i in 0..links {
        angle += 0.3 * f64::from(i + 1).sin();
        rate += 0.2 * f64::from(2 * i).cos();
        // turning clockwise takes (1, 0) to (cos, -sin), and (x, y) moves with rate (y, -x)
        let half = [0.5 * angle.cos(), -0.5 * angle.sin()];
        let place = |steps: f64| [hinge[0] + steps * half[0], hinge[1] + steps * half[1]];
        let moves = |steps: f64| [velocity[0] + steps * rate * half[1], velocity[1] - steps * rate * half[0]];
        link(&mut text, space, i + 1, hinge, place(1.0), moves(1.0), angle, rate);
        (hinge, velocity) = (place(2.0), moves(2.0));
    }
    text
}

/// One rod and the hinge it hangs on. Writing to a string does not fail.
fn link(
    text: &mut String,
    space: Space,
    number: u32,
    hinge: [f64; 2],
    centre: [f64; 2],
    velocity: [f64; 2],
    angle: f64,
    rate: f64,
) {
    let vector = |[x, y]: [f64; 2]| match space {
        Space::Planar => format!("[{x:?}, {y:?}]"),
        Space::Spatial => format!("[{x:?}, 0, {y:?}]"),
    };
    let before = if number == 1 { "ground".into() } else { format!("link{}", number - 1) };
    let _ = write!(
        text,
        "[[body]]\nname = 'link{number}'\nmass = 1\nposition = {}\nvelocity = {}\n",
        vector(centre),
        vector(velocity)
    );
    let _ = match space {
        Space::Planar => {
            let (angle, rate) = (-angle, -rate);
            write!(text, "inertia = '1/12'\nangle = {angle:?}\nangular_velocity = {rate:?}\n")
        }
        Space::Spatial => write!(
            text,
            "inertia = [1e-3, '1/12', '1/12']\norientation = {{ axis = [0, 1, 0], angle = {angle:?} }}\n\
             angular_velocity = [0, {rate:?}, 0]\n"
        ),
    };
    let axis = if space == Space::Planar { "" } else { "axis = [0, 1, 0]\n" };
    let _ = write!(
        text,
        "[[joint]]\ntype = 'revolute'\nname = 'hinge{number}'\nbody1 = '{before}'\nbody2 = 'link{number}'\n\
         at = {}\n{axis}",
        vector(hinge)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingpin_io::{Overrides, read_text};

    #[test]
    fn it_needs_no_correction() {
        for space in [Space::Planar, Space::Spatial] {
            let loaded = read_text("chain.toml", &model(space, 40), "", &Overrides::none());
            let model = loaded.model.as_ref().unwrap_or_else(|| panic!("{}", loaded.render(false)));
            let (system, _) = kingpin::system::System::compile(model).expect("valid");
            let assembly = kingpin::analysis::assemble(&system).expect("consistent");
            assert!(assembly.corrections.is_empty(), "{:?}", assembly.corrections);
            assert_eq!(assembly.diagnosis.dof, 40);
        }
    }
}
