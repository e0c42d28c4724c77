//! Beams of the literature at rest, from model files to the place of the tip.

use kingpin::mechanism::Mechanism;
use kingpin_io::{Overrides, read_path, read_text};

/// Measures of the tip, which all files below need.
const TIP: &str = "
[[joint]]
type = 'fixed'
name = 'wall'
body1 = 'ground'
body2 = 'arm.start'
[[measure]]
type = 'coordinate'
name = 'tip_x'
body = 'arm.end'
coordinate = 'x'
[[measure]]
type = 'coordinate'
name = 'tip_y'
body = 'arm.end'
coordinate = 'y'
[[measure]]
type = 'coordinate'
name = 'tip_z'
body = 'arm.end'
coordinate = 'z'
";

/// Where the tip of a cantilever comes to rest.
fn tip(text: &str) -> [f64; 3] {
    let loaded = read_text("arm.toml", &format!("{text}{TIP}"), ".", &Overrides::none());
    let said = loaded.render(false);
    let mechanism = Mechanism::new(loaded.model.expect(&said)).expect(&said);
    let rest = mechanism.equilibrium().expect("an equilibrium");
    let values = mechanism.values(&rest.state).expect("values");
    ["tip_x", "tip_y", "tip_z"].map(|name| values.get(name).expect(name))
}

fn near(found: [f64; 3], wanted: [f64; 3], within: f64) {
    let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < within, "{found:?} is {off:.1e} off {wanted:?}");
}

/// A moment bends a cantilever to a full circle.
#[test]
fn rolled_up() {
    let found = tip("
[[beam]]
name = 'arm'
from = [0, 0, 0]
to = [10, 0, 0]
elements = 2
order = 7
stiffness = [1770e3, 1770e3, 1770e3, 8.16e3, 86.9e3, 215e3]
mass_per_length = 1
rotary_inertia = [2e-2, 1e-2, 1e-2]
[[force]]
type = 'torque'
name = 'roll'
body = 'arm.end'
magnitude = '2*pi*86.9e3/10'
direction = [0, -1, 0]
");
    near(found, [0.0, 0.0, 0.0], 1e-8);
}

/// A composite section couples bending and twist: table of Wang et al. 2017.
#[test]
fn coupled() {
    let found = tip("
[[beam]]
name = 'arm'
from = [0, 0, 0]
to = [10, 0, 0]
elements = 2
order = 6
stiffness = [
  [1368.17e3, 0, 0, 0, 0, 0], [0, 88.56e3, 0, 0, 0, 0], [0, 0, 38.78e3, 0, 0, 0],
  [0, 0, 0, 16.96e3, 17.61e3, -0.351e3], [0, 0, 0, 17.61e3, 59.12e3, -0.370e3], [0, 0, 0, -0.351e3, -0.370e3, 141.47e3],
]
mass_per_length = 8.538e-2
rotary_inertia = [1.4433e-2, 0.4097e-2, 1.0336e-2]
[[force]]
type = 'force'
name = 'pull'
body = 'arm.end'
magnitude = 150
direction = [0, 0, 1]
");
    near(found, [10.0 - 0.0902726627566, -0.0647488486259, 1.22973648292], 1e-8);
}

/// Twisted by a quarter of a turn before it is loaded.
#[test]
fn twisted() {
    let found = tip("
[[beam]]
name = 'arm'
from = [0, 0, 0]
to = [10, 0, 0]
elements = 2
order = 8
twist = 'x*pi/2'
stiffness = [2.5e10, 8.2604167e9, 8.2604167e9, 1.41872656e8, 5.20833e8, 1.30208333e8]
mass_per_length = 1
rotary_inertia = [2e-2, 1e-2, 1e-2]
[[force]]
type = 'force'
name = 'pull'
body = 'arm.end'
magnitude = 4e6
direction = [0, 0, -1]
");
    near(found, [10.0 - 1.14152599954, -1.71805334646, -3.59321324027], 1e-8);
}

/// The Princeton beam: bent about both axes at once, tip displacements against the table of ANSYS; own converged values are
/// below.
fn princeton(theta: &str, load: &str) -> [f64; 3] {
    tip(&format!(
        "
[parameters]
theta = '{theta} deg'
[[beam]]
name = 'arm'
from = [0, 0, 0]
to = [0.508, 0, 0]
elements = 2
order = 5
section = 'rectangle'
height = '12.3777 mm'
width = '3.2024 mm'
youngs_modulus = '71.7 GPa'
poissons_ratio = 0.31
density = '2810 kg/m^3'
torsion_constant = '0.198*(12.3777e-3*3.2024e-3^3 + 3.2024e-3*12.3777e-3^3)/12'
shear_factor_y = 1
shear_factor_z = 1
[[force]]
type = 'force'
name = 'pull'
body = 'arm.end'
magnitude = '{load} N'
direction = [0, '-cos(theta)', 'sin(theta)']
"
    ))
}

/// Angle in degrees, then u_y and u_z under 8.896 N and under 13.345 N.
const ANSYS: [(&str, [f64; 2], [f64; 2]); 7] = [
    ("0", [0.010714176, 0.0], [0.016064237, 0.0]),
    ("15", [0.010613287, 0.042082321], [0.016458258, 0.064358129]),
    ("30", [0.010111696, 0.079394829], [0.016658732, 0.117735994]),
    ("45", [0.008837226, 0.108987937], [0.015186184, 0.156467239]),
    ("60", [0.006604665, 0.129887616], [0.011578375, 0.181861627]),
    ("75", [0.003538889, 0.142194370], [0.006248967, 0.196097131]),
    ("90", [0.0, 0.146245978], [0.0, 0.200677707]),
];

#[test]
fn princeton_beam_bends_as_another_program_has_it() {
    for (theta, light, heavy) in ANSYS {
        for (load, [y, z]) in [("8.896", light), ("13.345", heavy)] {
            let found = princeton(theta, load);
            let off = |found: f64, wanted: f64| (found - wanted) / wanted.max(1e-9);
            let (by_y, by_z) = (off(-found[1], y), off(found[2], z));
            println!(
                "{theta} deg, {load} N: u_y {:.9}, u_z {:.9}, off by {by_y:.4}, {by_z:.4}",
                -found[1], found[2]
            );
            assert!(y == 0.0 && found[1].abs() < 1e-9 || by_y.abs() < 0.04, "{theta} {load}: {by_y}");
            assert!(z == 0.0 && found[2].abs() < 1e-9 || by_z.abs() < 0.01, "{theta} {load}: {by_z}");
        }
    }
}

#[test]
fn princeton_beam_converges() {
    for (theta, load, y, z) in [
        ("45", "8.896", 0.00897920, 0.10911312),
        ("0", "8.896", 0.010712765, 0.0),
        ("90", "8.896", 0.0, 0.146252357),
        ("45", "13.345", 0.015621150, 0.156774618),
    ] {
        let found = princeton(theta, load);
        let off = (found[1] + y).abs().max((found[2] - z).abs());
        assert!(off < 2e-8, "{theta} {load}: {found:?}, off by {off:e}");
    }
}

/// The shipped cantilever, with both loads of its table.
#[test]
fn shipped_cantilever() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/cantilever.toml");
    for (sets, x, y, within) in [
        (&["load=62.5e6 N"][..], 1.8490288558, -0.7105685979, 2e-8),
        (&["load=62.5e3 N"], 2.0 - 1.888492e-7, -8.099033e-4, 1e-10),
        (&["elements=2", "order=8"], 1.8490288558, -0.7105685979, 1e-8),
    ] {
        let loaded = read_path(&path, &Overrides::new(sets.iter().copied()));
        let mechanism = Mechanism::new(loaded.model.unwrap()).unwrap();
        let rest = mechanism.equilibrium().unwrap();
        let values = mechanism.values(&rest.state).unwrap();
        let off = [values.get("tip_x").unwrap() - x, values.get("tip_y").unwrap() - y];
        assert!(off.iter().all(|off| off.abs() < within), "{sets:?}: {off:?}");
    }
}

/// Half a ring, clamped and pulled at its end, is as stiff as energy says: small displacements by Castigliano's theorem.
#[test]
fn curved() {
    // radius 1, force 1 along z, square to the plane of the ring: EI = 2, GJ = 1.2, GA = 1e9
    let found = tip("
[[beam]]
name = 'arm'
from = [1, 0, 0]
through = [0, 1, 0]
to = [-1, 0, 0]
elements = 4
order = 5
stiffness = [2e9, 2e9, 2e9, 1.2e3, 2e3, 2e3]
mass_per_length = 1
rotary_inertia = [2e-2, 1e-2, 1e-2]
[[force]]
type = 'force'
name = 'pull'
body = 'arm.end'
magnitude = 1e-3
direction = [0, 0, 1]
");
    // bending M = F R sin a, torsion T = F R (1 - cos a), a from the end: u = F R^3 (pi/2 / EI + 3 pi/2 / GJ)
    let half = std::f64::consts::FRAC_PI_2;
    let exact = 1e-3 * (half / 2e3 + 3.0 * half / 1.2e3) + 1e-3 * std::f64::consts::PI / 2e9;
    assert!((found[2] / exact - 1.0).abs() < 1e-6, "{} {exact}", found[2]);
}

/// A frame with a corner: the side behind it turns and drops as the other bends and twists.
#[test]
fn cornered() {
    let found = tip("
[[beam]]
name = 'arm'
path = [[0, 0, 0], [2, 0, 0], [2, 1, 0]]
elements = 3
order = 3
stiffness = [2e9, 2e9, 2e9, 1.2e3, 2e3, 3e3]
mass_per_length = 1
rotary_inertia = [2e-2, 1e-2, 1e-2]
[[force]]
type = 'force'
name = 'pull'
body = 'arm.end'
magnitude = 1e-3
direction = [0, 0, 1]
");
    let f = 1e-3;
    // a side bends by F b^3 / 3 EI, the other by F a^3 / 3 EI, and twists by F b a / GJ with the arm b; shear a little
    let exact = f / (3.0 * 2e3) + f * 8.0 / (3.0 * 2e3) + f * 2.0 / 1.2e3 + f * 3.0 / 2e9;
    assert!((found[2] / exact - 1.0).abs() < 1e-6, "{} {exact}", found[2]);
}

/// A load per length is that of its nodes: q L^4 / 8 EI, and a follower that does not turn is the same.
#[test]
fn loaded_along_its_length() {
    for load in [
        "load = 'if(x < 2, 1e-3, 0)'\nload_direction = [0, 1, 0]",
        "follower_load = 1e-3\nfollower_direction = [0, 1, 0]",
    ] {
        let found = tip(&format!(
            "
[[beam]]
name = 'arm'
from = [0, 0, 0]
to = [3, 0, 0]
elements = 2
order = 4
stiffness = [2e9, 2e9, 2e9, 1.2e3, 2e3, 3e3]
mass_per_length = 1
rotary_inertia = [2e-2, 1e-2, 1e-2]
{load}
"
        ));
        let exact = 1e-3 * 81.0 / (8.0 * 3e3) + 1e-3 * 9.0 / (2.0 * 2e9);
        assert!((found[1] / exact - 1.0).abs() < 1e-6, "{} {exact}", found[1]);
    }
}

/// A cantilever whose sections are given at stations: bending stiffness and shear stiffness fall linearly between three of
/// them. The small deflection under a load P at the tip is the integral of P (L - s)^2 / EI + P / GA, in closed form.
#[test]
fn tapered() {
    let (l, p) = (2.0, 1e-3);
    // s, EI, GA
    let stations: [(f64, f64, f64); 3] = [(0.0, 1000.0, 3e5), (0.8, 700.0, 2e5), (2.0, 100.0, 1e5)];
    let found = tip(&format!(
        "
[[beam]]
name = 'arm'
from = [0, 0, 0]
to = [{l}, 0, 0]
elements = 6
order = 5
stiffness = {{ x = [0, 0.4, 1], value = [
  [2e6, 3e5, 3e5, 500, 1000, 1000], [1.5e6, 2e5, 2e5, 400, 700, 700], [1e6, 1e5, 1e5, 50, 100, 100] ] }}
mass_matrix = {{ x = [0, 1], value = [[2, 2, 2, 2e-2, 1e-2, 1e-2], [1, 1, 1, 1e-2, 5e-3, 5e-3]] }}
[[force]]
type = 'force'
name = 'pull'
body = 'arm.end'
magnitude = {p}
direction = [0, 1, 0]
"
    ));
    let mut exact = 0.0;
    for pair in stations.windows(2) {
        let ((s0, e0, g0), (s1, e1, g1)) = (pair[0], pair[1]);
        // u = EI is linear in s: L - s = (c - u) / b
        let b = (e1 - e0) / (s1 - s0);
        let c = e0 + b * (l - s0);
        let primitive = |u: f64| c * c * u.ln() - 2.0 * c * u + 0.5 * u * u;
        exact += p * (primitive(e1) - primitive(e0)) / (b * b * b);
        exact += p * (g1 / g0).ln() / (g1 - g0) * (s1 - s0);
    }
    assert!((found[1] / exact - 1.0).abs() < 1e-6, "{} {exact}", found[1]);
}
