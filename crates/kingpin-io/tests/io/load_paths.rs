//! Equilibria under loads that grow: points where mechanisms snap or buckle, from model files.

use kingpin::dynamics::{LoadPath, LoadPointKind, PathChoice, PathEnd};
use kingpin::mechanism::Mechanism;
use kingpin_io::{Overrides, read_text};

fn mechanism(text: &str) -> Mechanism {
    let loaded = read_text("model.toml", text, ".", &Overrides::none());
    let said = loaded.render(false);
    Mechanism::new(loaded.model.expect(&said)).unwrap_or_else(|why| panic!("{why}"))
}

fn path(text: &str) -> LoadPath {
    mechanism(text).load_path(PathChoice::default()).unwrap_or_else(|why| panic!("{why}"))
}

/// Load factors of the points where stiffness vanishes.
fn special(path: &LoadPath) -> Vec<(&'static str, f64)> {
    let some = path.points.iter().filter(|point| point.kind != LoadPointKind::Regular);
    some.map(|point| (point.kind.name(), point.factor)).collect()
}

/// Two bars of 1 m width and 0.1 m height each, with a weight of 1 kg on top, that is not loaded by gravity.
fn truss(strain: &str) -> String {
    format!(
        "
space = 'planar'
[[body]]
name = 'top'
point = true
mass = 1
position = [0, 0.1]
[[force]]
type = 'bar'
name = 'left'
body1 = 'ground'
body2 = 'top'
point1 = [-1, 0]
axial_stiffness = 1e6
strain = '{strain}'
[[force]]
type = 'bar'
name = 'right'
body1 = 'ground'
body2 = 'top'
point1 = [1, 0]
axial_stiffness = 1e6
strain = '{strain}'
[[force]]
type = 'force'
name = 'push'
body = 'top'
magnitude = 1000
direction = [0, -1]
"
    )
}

#[test]
fn a_shallow_truss_snaps_at_its_limit() {
    let rest = 1.01_f64.sqrt();
    // F = 2 EA y (1/l - 1/l0), whose largest is where l^3 = l0; of the strain of Green F = EA y (y0^2 - y^2) / l0^3
    let length = rest.cbrt();
    let y = (length * length - 1.0).sqrt();
    let linear = 2e3 * y * (1.0 / length - 1.0 / rest);
    let y = 0.1 / 3.0_f64.sqrt();
    let green = 1e3 * y * (0.01 - y * y) / rest.powi(3);
    for (strain, limit) in [("linear", linear), ("green", green)] {
        let path = path(&truss(strain));
        assert_eq!(path.end, PathEnd::Reached);
        let found = special(&path);
        println!("{strain}: {found:?}, exact {limit}");
        assert_eq!(found.iter().map(|x| x.0).collect::<Vec<_>>(), ["limit", "limit"], "{found:?}");
        assert!(
            (found[0].1 - limit).abs() < 1e-9 && (found[1].1 + limit).abs() < 1e-9,
            "{strain}: {found:?} {limit}"
        );
        let unstable: Vec<usize> = path.points.iter().map(|p| p.unstable_directions).collect();
        assert!(unstable.contains(&1) && unstable.last() == Some(&0), "{unstable:?}");
        // as finely as loads change
        assert!(path.points.len() > 20, "{}", path.points.len());
        // every point is an equilibrium: the other bar by symmetry
        for point in &path.points {
            let (q, l) = (&point.state.q, (1.0 + point.state.q[1].powi(2)).sqrt());
            let force = match strain {
                "linear" => 2e3 * q[1] * (1.0 / l - 1.0 / rest),
                _ => 1e3 * q[1] * (0.01 - q[1] * q[1]) / rest.powi(3),
            };
            assert!(
                (force - point.factor).abs() < 1e-9 && q[0].abs() < 1e-12,
                "{q:?} {force} {}",
                point.factor
            );
        }
    }
}

/// Lee's frame snaps through and back: 18.55 and -9.41 kN in the literature, here to more digits.
#[test]
fn a_frame_snaps_back() {
    let beam = |name: &str, from: &str, to: &str, elements: usize| {
        format!(
            "[[beam]]\nname = '{name}'\nfrom = {from}\nto = {to}\nelements = {elements}\norder = 4\n\
             stiffness = [43.2e6, 1e9, 14.4e6]\nmass_per_length = 6\nrotary_inertia = 2\n"
        )
    };
    let joint = |kind: &str, bodies: [&str; 2], at: &str| {
        let [a, b] = bodies;
        format!("[[joint]]\ntype = '{kind}'\nname = '{b}'\nbody1 = '{a}'\nbody2 = '{b}'\n{at}\n")
    };
    let text = "space = 'planar'\n".to_string()
        + &beam("column", "[0, 0]", "[0, 120]", 4)
        + &beam("short", "[0, 120]", "[24, 120]", 1)
        + &beam("long", "[24, 120]", "[120, 120]", 4)
        + &joint("revolute", ["ground", "column.start"], "at = [0, 0]")
        + &joint("fixed", ["column.end", "short.start"], "")
        + &joint("fixed", ["short.end", "long.start"], "")
        + &joint("revolute", ["ground", "long.end"], "at = [120, 120]")
        + "[[force]]\ntype = 'force'\nname = 'push'\nbody = 'short.end'\nmagnitude = 30e3\ndirection = [0, -1]\n";
    let path = path(&text);
    assert_eq!(path.end, PathEnd::Reached);
    let found = special(&path);
    println!("Lee's frame: {:?} kN", found.iter().map(|x| 30.0 * x.1).collect::<Vec<_>>());
    assert_eq!(found.iter().map(|x| x.0).collect::<Vec<_>>(), ["limit", "limit"], "{found:?}");
    assert!(
        (30.0 * found[0].1 - 18.5566).abs() < 1e-3 && (30.0 * found[1].1 + 9.4141).abs() < 1e-3,
        "{found:?}"
    );
}

/// A right-angle frame of thin metal, loaded in its plane, buckles out of it at 1.088 N in the literature, with straight
/// elements of two nodes: here by the stiffness along the path in the plane.
#[test]
fn a_thin_frame_buckles_out_of_its_plane() {
    let text = "
[[beam]]
name = 'frame'
path = [[0, 0, 0], [0.24, 0, 0], [0.24, -0.24, 0]]
elements = 3
order = 4
section = 'rectangle'
height = '30 mm'
width = '0.6 mm'
youngs_modulus = '71.24 GPa'
poissons_ratio = 0.31
density = '2700 kg/m^3'
[[joint]]
type = 'fixed'
name = 'wall'
body1 = 'ground'
body2 = 'frame.start'
[[force]]
type = 'force'
name = 'pull'
body = 'frame.end'
magnitude = 2
direction = [1, 0, 0]
";
    let path = path(text);
    let found = special(&path);
    println!("critical load: {:?} N", found.iter().map(|x| 2.0 * x.1).collect::<Vec<_>>());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "branching");
    assert!((2.0 * found[0].1 - 1.088).abs() < 0.006, "{found:?}");
    // with a small force across it leaves the plane there
    let pushed = text.replace("magnitude = 2\n", "magnitude = 1.2\n")
        + "[[force]]\ntype = 'force'\nname = 'side'\nbody = 'frame.end'\nmagnitude = 2e-4\ndirection = [0, 0, 1]\n";
    let mechanism = mechanism(&pushed);
    let path = mechanism.load_path(PathChoice::default()).unwrap_or_else(|why| panic!("{why}"));
    let across = |state: &kingpin::mechanism::State| {
        mechanism.values(state).expect("values").get("frame.end.z").expect("a channel")
    };
    assert!(special(&path).is_empty() && path.end == PathEnd::Reached, "{:?}", special(&path));
    let before = path.points.iter().rev().find(|point| 1.2 * point.factor < 0.95).expect("a point");
    let last = path.points.last().expect("a point");
    let (before, behind) = (across(&before.state), across(&last.state));
    println!("out of plane below 0.95 N: {before:e} m, at 1.2 N: {behind:e} m");
    assert!(before.abs() < 5e-3 && behind.abs() > 4e-2, "{before} {behind}");
    // what is found with all loads at once is that, or said to be unstable
    let rest = mechanism.equilibrium().unwrap_or_else(|why| panic!("{why}"));
    println!(
        "at once: {:e} m, {} unstable, {} free",
        across(&rest.state),
        rest.unstable_directions,
        rest.free
    );
    assert!(rest.free == 0 && (rest.unstable_directions > 0 || across(&rest.state).abs() > 4e-2), "{rest:?}");
}

/// A beam on a hinge whose spring gives way, pushed by a force that turns with it: nothing can hold that.
#[test]
fn what_cannot_be_borne_is_told_by_its_part() {
    let text = "
space = 'planar'
[[beam]]
name = 'arm'
from = [0, 0]
to = [1, 0]
elements = 2
order = 3
stiffness = [1e6, 1e6, 1e3]
mass_per_length = 1
rotary_inertia = 1e-3
[[joint]]
type = 'revolute'
name = 'hinge'
body1 = 'ground'
body2 = 'arm.start'
[[force]]
type = 'torsion-spring'
name = 'grip'
joint = 'hinge'
actuator = '10 N*m*tanh(angle)'
[[force]]
type = 'force'
name = 'push'
body = 'arm.end'
magnitude = 20
direction = [0, 1]
body_fixed = true
";
    let why = mechanism(text).equilibrium().expect_err("nothing holds it").to_string();
    println!("{why}");
    assert!(why.contains("growing loads can be carried up to a factor of 0.4"), "{why}");
    assert!(why.contains("`arm."), "{why}");
    let text = text.replace("actuator = '10 N*m*tanh(angle)'", "damping = 1");
    let why = mechanism(&text).load_path(PathChoice::default()).expect_err("loose").to_string();
    println!("{why}");
    assert!(why.contains("no load path: without loads body `arm."), "{why}");
}
