//! Motions of structures, and states of rest far from where they were made.

use super::{at_rest, measures, mechanism, near, tetrahedra};
use kingpin_io::{Overrides, read_texts};

/// A strip of rubber.
const STRIP: &str = "
[[structure]]
name = 'strip'
size = [0.4, 0.1, 0.05]
cells = [4, 1, 1]
youngs_modulus = 1e6
density = 1000
";

#[test]
fn a_solid_that_spins_keeps_its_energy() {
    let text = format!(
        "{STRIP}angular_velocity = [0.3, 5, 1]\n[simulation]\nt_end = 0.1\ntol = 1e-7\nmethod = 'radau'\n"
    );
    let results = mechanism(&text).simulate().expect("a run");
    let (total, balance) =
        (results.last("energy.total").expect("energy"), results.last("energy.balance").expect("energy"));
    assert!(balance.abs() < 1e-6 * total, "{balance} of {total}");
    assert!(results.last("strip.energy").expect("energy") > 0.0);
}

#[test]
fn damping_takes_what_it_should() {
    let text = format!(
        "gravity = [0, 0, -9.81]\n{STRIP}damping = 0.02\nfixed = ['x0']\n[simulation]\nt_end = 0.1\ntol = 1e-6\nmethod = 'radau'\n"
    );
    let results = mechanism(&text).simulate().expect("a run");
    let dissipated = results.last("energy.dissipated").expect("energy");
    let balance = results.last("energy.balance").expect("energy");
    assert!(dissipated > 1e-4 && balance.abs() < 1e-3 * dissipated, "{balance} of {dissipated}");
}

/// However a structure is turned and shifted, it is not strained.
#[test]
fn rigid_motions_strain_nothing() {
    for turn in ["[1, 2, 3], angle = 2.5", "[0, 1, 0], angle = 300", "[3, -1, 1], angle = -1"] {
        let text = format!("{STRIP}position = [7, -3, 2]\norientation = {{ axis = {turn} }}\n");
        let own = mechanism(&text);
        let values = own.values(own.state()).expect("values");
        let energy = values.get("strip.energy").expect("an energy");
        // strains of round-off in places some metres away, over cells of a tenth of one
        assert!(energy < 1e6 * 0.002 * 1e-27, "{energy:e}");
    }
}

/// Without contraction across, a pull p by area at rest and the stretch s have 2 p / E = s^3 - s.
const STRETCH: f64 = 1.324717957244746;

fn pulled(own: &str, point: &str) -> String {
    let text = format!(
        "[[structure]]
name = 'bar'
{own}
youngs_modulus = 1e6
poissons_ratio = 0
density = 1000
fixed = ['x0']
load_on = ['x1']
load = 5e5
load_direction = [1, 0, 0]
"
    );
    text + &measures(point, &[("tip", "x")])
}

#[test]
fn a_bar_is_stretched_by_a_third() {
    let solid = pulled("size = [2, 0.5, 0.5]\ncells = [3, 2, 2]", "bar.3.1.2");
    near(&at_rest(&solid, &["tip"]), &[2.0 * STRETCH], 1e-9);
    let planar = pulled("size = [2, 0.5]\ncells = [3, 2]", "bar.3.1").replace("[1, 0, 0]", "[1, 0]");
    near(&at_rest(&format!("space = 'planar'\n{planar}"), &["tip"]), &[2.0 * STRETCH], 1e-9);
}

#[test]
fn tetrahedra_stretch_alike() {
    let mesh = tetrahedra([2, 1, 1], [2.0, 0.5, 0.5]);
    let text = pulled("mesh = 'bar.inp'\npoints = { end = 5 }", "bar.end");
    let loaded = read_texts("a.toml", &[("a.toml", &text), ("bar.inp", &mesh)], &Overrides::none());
    let said = loaded.render(false);
    let own = kingpin::mechanism::Mechanism::new(loaded.model.expect(&said)).expect(&said);
    let rest = own.equilibrium().expect("an equilibrium");
    let tip = own.values(&rest.state).expect("values").get("tip").expect("a measure");
    near(&[tip], &[2.0 * STRETCH], 1e-9);
}

/// A sheet of rubber that swings from a hinge at its corner, with a rigid weight at another.
#[test]
fn joints_hold_points() {
    let text = "
space = 'planar'
gravity = [0, -9.81]
[[structure]]
name = 'flag'
size = [0.3, 0.2]
cells = [4, 3]
thickness = 0.01
youngs_modulus = 1e5
density = 1000
damping = 1e-3
[[body]]
name = 'weight'
mass = 0.2
inertia = 1e-4
position = [0.3, -0.05]
[[joint]]
type = 'revolute'
name = 'hinge'
body1 = 'ground'
body2 = 'flag.0.3'
at = [0, 0.2]
[[joint]]
type = 'revolute'
name = 'hook'
body1 = 'flag.4.0'
body2 = 'weight'
at = [0.3, 0]
[simulation]
t_end = 0.2
tol = 1e-5
method = 'radau'
";
    let results = mechanism(text).simulate().expect("a run");
    let (balance, fallen) =
        (results.last("energy.balance").expect("energy"), results.last("energy.kinetic").expect("energy"));
    assert!(balance.abs() < 1e-3 * fallen && fallen > 0.1, "{balance} {fallen}");
    // the hinge holds: nothing of the corner moves
    assert!(results.last("flag.0.3.x").expect("a place").abs() < 1e-9);
}
