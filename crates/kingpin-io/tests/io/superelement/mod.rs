//! Superelements of model files: what is wrong with them is told, and what is right moves as the mesh would.

mod absolute;
mod link;
mod mesh;
#[path = "../../../../kingpin-flex/tests/flex/link/mesh.rs"]
mod solid;
mod sources;

use kingpin::prelude::*;
use kingpin_flex::mesh::{Material, Mesh, Section};
use kingpin_flex::read::abaqus;
use kingpin_flex::reduce::{Basis, Choice, Interface, Recipe, reduce};
use kingpin_flex::structure::Structure;
use kingpin_io::{Overrides, read_texts};
use mesh::beam;

const MATERIAL: &str = "youngs_modulus = '70 GPa'\npoissons_ratio = 0.3\ndensity = 2700\n";

/// A model with one superelement of a mesh and more lines.
fn text(own: &str, more: &str) -> String {
    format!("[[superelement]]\nname = 'arm'\nmesh = 'arm.inp'\n{MATERIAL}{own}\n{more}")
}

fn model(mesh: &str, text: &str) -> kingpin::model::Model {
    let loaded = read_texts("a.toml", &[("a.toml", text), ("arm.inp", mesh)], &Overrides::none());
    let said = loaded.render(false);
    loaded.model.expect(&said)
}

fn said(mesh: &str, own: &str) -> String {
    let text = text(own, "");
    let loaded = read_texts("a.toml", &[("a.toml", &text), ("arm.inp", mesh)], &Overrides::none());
    assert!(loaded.model.is_none());
    loaded.render(false)
}

const ENDS: &str = "interfaces = ['x0', 'x1']\n";
const CLAMP: &str = "[[joint]]\ntype = 'fixed'\nname = 'wall'\nbody1 = 'ground'\nbody2 = 'arm.x0'\n";

#[test]
fn bad_input_is_told_where_it_stands() {
    let good = beam([4, 1, 1], [0.4, 0.05, 0.05], 0.0);
    insta::assert_snapshot!("unknown_set", said(&good, "interfaces = ['x0', 'x2']\n"));
    insta::assert_snapshot!("no_interface", said(&good, "modes = 3\n"));
    insta::assert_snapshot!("too_few_modes", said(&good, &format!("{ENDS}basis = 'free'\nmodes = 2\n")));
    insta::assert_snapshot!("no_mesh", said("", &format!("{ENDS}modes = 2\n")));
    let inverted = good.replacen("1, 1, 5, 7, 3, 2, 6, 8, 4", "1, 2, 6, 8, 4, 1, 5, 7, 3", 1);
    assert_ne!(inverted, good);
    insta::assert_snapshot!("inverted_element", said(&inverted, ENDS));
    // an element that hangs on one node of the others
    let loose = good.replacen("*ELEMENT", "91, 1.0, 0, 0\n92, 1.1, 0, 0\n*ELEMENT", 1).replacen(
        "*NSET",
        "*ELEMENT, TYPE=T3D2, ELSET=loose\n99, 20, 91\n*NSET",
        1,
    );
    insta::assert_snapshot!("mechanism_inside", said(&loose, ENDS));
    insta::assert_snapshot!("too_many_modes", said(&good, &format!("{ENDS}modes = 1000000\n")));
    let finer = beam([10, 3, 3], [0.4, 0.05, 0.05], 0.0);
    insta::assert_snapshot!("too_fast", said(&finer, &format!("{ENDS}up_to = '1e30 Hz'\n")));
    insta::assert_snapshot!("mode_twice", said(&good, &format!("{ENDS}only_modes = [1, 3, 1]\n")));
    insta::assert_snapshot!(
        "modes_in_two_ways",
        said(&good, &format!("{ENDS}modes = 3\nonly_modes = [1, 2]\n"))
    );
    insta::assert_snapshot!(
        "modes_that_are_no_numbers",
        said(&good, &format!("{ENDS}only_modes = [1, 0.5]\n"))
    );
    insta::assert_snapshot!("no_such_mode", said(&good, &format!("{ENDS}only_modes = [1, 300]\n")));
    // bending shortens where that is known
    let free = format!("{ENDS}basis = 'free'\nmodes = 12\nforeshortening = true\n");
    insta::assert_snapshot!("free_does_not_shorten", said(&good, &free));
    let three = "interfaces = ['x0', 'mid', 'x1']\nforeshortening = true\n";
    insta::assert_snapshot!("three_do_not_shorten", said(&good, three));
}

/// Modes 1 to 4 of a held body, and two of them: what is left out is gone, and the others are as they were.
#[test]
fn modes_are_chosen_by_their_numbers() {
    let mesh = beam([12, 1, 1], [0.6, 0.05, 0.03], 0.0);
    let hertz = |own: &str| {
        let both = format!("{CLAMP}{}at = [0.6, 0, 0]\n", CLAMP.replace("x0", "x1").replace("wall", "other"));
        frequencies(model(&mesh, &text(&format!("{ENDS}{own}"), &both)))
    };
    let (all, some) = (hertz("modes = 4\n"), hertz("only_modes = [3, 1]\n"));
    assert_eq!((all.len(), some.len()), (4, 2));
    assert!(some.iter().zip([all[0], all[2]]).all(|(a, b)| (a / b - 1.0).abs() < 1e-9), "{all:?} {some:?}");
    assert_eq!(hertz("only_modes = [1, 2, 3, 4]\n"), all);
}

#[test]
fn what_is_said_of_shortening_counts() {
    let good = beam([4, 1, 1], [0.4, 0.05, 0.05], 0.0);
    let shortens = |own: &str| {
        let mechanism = Mechanism::new(model(&good, &text(own, CLAMP))).unwrap_or_else(|why| panic!("{why}"));
        mechanism.system().floating[0].constants.foreshortening.is_some()
    };
    assert!(shortens(ENDS));
    assert!(shortens(&format!("{ENDS}foreshortening = true\n")));
    assert!(!shortens(&format!("{ENDS}foreshortening = false\n")));
    assert!(!shortens("interfaces = ['x0', 'mid', 'x1']\nmodes = 2\n"));
}

/// Soft as jelly, and pressed to half its length.
#[test]
fn deformed_too_far_is_told() {
    let soft = "youngs_modulus = 1e5\ndensity = 1000\nmodes = 2\nforeshortening = false\n";
    let push = |end: &str, sign: f64| {
        format!(
            "[[force]]\ntype = 'force'\nname = 'push {end}'\nbody = 'arm.{end}'\nmagnitude = 2000\n\
             direction = [{sign}, 0, 0]\n"
        )
    };
    let text = format!(
        "[[superelement]]\nname = 'arm'\nmesh = 'arm.inp'\n{ENDS}{soft}{}{}[simulation]\nt_end = 1\n",
        push("x0", 1.0),
        push("x1", -1.0)
    );
    let mechanism = Mechanism::new(model(&beam([4, 1, 1], [0.4, 0.05, 0.05], 0.0), &text))
        .unwrap_or_else(|why| panic!("{why}"));
    let settings = Settings { method: Method::Dop853, ..mechanism.settings() };
    let why = mechanism.simulate_with(&settings).expect_err("it cannot go on").to_string();
    insta::assert_snapshot!("deformed_too_far", why);
}

/// The mesh with its matrices.
fn structure(text: &str) -> (Mesh, Structure) {
    let mut mesh = abaqus(text).expect("a mesh");
    mesh.give_section(Section::solid(Material::new("aluminium", 70e9, 0.3, 2700.0)));
    let structure = Structure::assemble(&mesh).expect("sound");
    (mesh, structure)
}

/// Frequencies of a model in Hz, slowest first.
fn frequencies(model: kingpin::model::Model) -> Vec<f64> {
    let mechanism = Mechanism::new(model).unwrap_or_else(|why| panic!("{why}"));
    let modes = mechanism.modes(mechanism.state()).unwrap_or_else(|why| panic!("{why}"));
    let mut all: Vec<f64> = modes
        .modes
        .iter()
        .map(|mode| mode.magnitude() / std::f64::consts::TAU)
        .filter(|f| *f > 1.0)
        .collect();
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn a_clamped_beam_of_ten_modes_has_the_frequencies_of_its_mesh() {
    let mesh = beam([12, 2, 2], [0.6, 0.05, 0.03], 0.0);
    let (own, structure) = structure(&mesh);
    let clamped = [Interface::rigid("x0", "x0")];
    let recipe = Recipe { interfaces: &clamped, basis: Basis::CraigBampton(Choice::Count(3)), keep: None };
    let exact = reduce(&own, &structure, &recipe).expect("a reduction").hertz;
    let found = frequencies(model(&mesh, &text(&format!("{ENDS}modes = 10\n"), CLAMP)));
    for (found, exact) in found.iter().zip(&exact).take(2) {
        assert!((found / exact - 1.0).abs() < 1e-4, "{found} {exact}");
    }
}

#[test]
fn a_body_cut_in_two_is_the_same_to_rounding_errors() {
    // with all modes there are
    let whole = model(
        &beam([4, 1, 1], [0.4, 0.05, 0.03], 0.0),
        &text("interfaces = ['x0', 'mid', 'x1']\nmodes = 24\n", CLAMP),
    );
    let half = beam([2, 1, 1], [0.2, 0.05, 0.03], 0.0);
    let second = "[[superelement]]\nname = 'rest'\nmesh = 'arm.inp'\nposition = [0.2, 0, 0]\n\
                  interfaces = ['x0', 'x1']\nmodes = 12\n";
    let held =
        "[[joint]]\ntype = 'fixed'\nname = 'cut'\nbody1 = 'arm.x1'\nbody2 = 'rest.x0'\nat = [0.2, 0, 0]\n";
    let halves =
        model(&half, &text(&format!("{ENDS}modes = 12\n"), &format!("{second}{MATERIAL}{CLAMP}{held}")));
    let (one, two) = (frequencies(whole), frequencies(halves));
    assert_eq!(one.len(), two.len());
    for (one, two) in one.iter().zip(&two).take(8) {
        assert!((one / two - 1.0).abs() < 1e-9, "{one} {two}");
    }
}

#[test]
fn a_hundred_turns_strain_nothing() {
    let spin = 0.05;
    let own =
        format!("{ENDS}modes = 4\nangular_velocity = [0, 0, {spin}]\nvelocity = [0, '-0.3*{spin}', 0]\n");
    let mechanism = Mechanism::new(model(&beam([4, 1, 1], [0.6, 0.05, 0.03], -0.3), &text(&own, "")))
        .unwrap_or_else(|why| panic!("{why}"));
    let t_end = 100.0 * std::f64::consts::TAU / spin;
    let settings = Settings { method: Method::Radau, rtol: 1e-5, t_end, ..mechanism.settings() };
    let mut motion = mechanism.motion_with(&settings).unwrap_or_else(|why| panic!("{why}"));
    motion.advance_to(t_end).unwrap_or_else(|why| panic!("{why}"));
    let system = mechanism.system();
    let amplitudes = system.floating[0].amplitudes.iter().map(|&node| motion.state().q[system.nodes[node].q]);
    let most = amplitudes.fold(0.0_f64, |most, z| most.max(z.abs()));
    assert!(most < 1e-10 * 0.6, "{most:e}");
}

#[test]
fn free_vibration_keeps_its_energy() {
    let more = format!("{CLAMP}\n[simulation]\nt_end = 0.002\n");
    let text = format!("gravity = [0, -9.81, -9.81]\n{}", text(&format!("{ENDS}modes = 4\n"), &more));
    let mechanism = Mechanism::new(model(&beam([6, 1, 1], [0.6, 0.04, 0.02], 0.0), &text))
        .unwrap_or_else(|why| panic!("{why}"));
    for method in [Method::Radau, Method::Esdirk] {
        let settings = Settings { method, rtol: 1e-6, t_end: 0.002, ..mechanism.settings() };
        let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
        let total = results.series("energy.total").expect("energy");
        let size = results.series("energy.kinetic").expect("energy").iter().fold(0.0_f64, |m, x| m.max(*x));
        let worst = total.iter().fold(0.0_f64, |m, x| m.max((x - total[0]).abs()));
        assert!(worst < 1e-4 * size, "{method:?}: {worst:e} of {size:e}");
    }
}
