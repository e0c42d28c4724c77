//! Superelements of matrices, and of beams and bars of the same model.

use crate::superelement::mesh::beam;
use kingpin::model::{Model, ReducedBody};
use kingpin::prelude::*;
use kingpin_flex::mesh::{Material, Mesh, Section};
use kingpin_flex::read::abaqus;
use kingpin_flex::structure::{Structure, SymmetricMatrix};
use kingpin_io::{Overrides, read_texts};
use std::fmt::Write;

/// A model among files.
fn read(files: &[(&str, &str)]) -> Result<Model, String> {
    let loaded = read_texts(files[0].0, files, &Overrides::none());
    let said = loaded.render(false);
    loaded.model.ok_or(said)
}

fn written(matrix: &SymmetricMatrix) -> String {
    let n = matrix.order();
    let mut text =
        format!("%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {}\n", matrix.values.len());
    for (row, column, value) in matrix.entries() {
        let _ = writeln!(text, "{} {} {value:e}", column + 1, row + 1);
    }
    text
}

fn places(structure: &Structure) -> String {
    let mut text = format!("%%MatrixMarket matrix array real general\n{} 3\n", structure.places.len());
    for axis in 0..3 {
        for place in &structure.places {
            let _ = writeln!(text, "{:e}", place[axis]);
        }
    }
    text
}

fn set(mesh: &Mesh, name: &str) -> String {
    let numbers = mesh.node_sets[name].iter().map(|k| (k + 1).to_string());
    format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
}

/// A mesh and its matrices as files.
struct Exported {
    mesh: String,
    stiffness: String,
    mass: String,
    places: String,
    sets: String,
}

fn exported() -> Exported {
    let text = beam([6, 1, 2], [0.6, 0.05, 0.08], 0.0);
    let mut mesh = abaqus(&text).expect("a mesh");
    mesh.give_section(Section::solid(Material::new("aluminium", 70e9, 0.3, 2700.0)));
    let structure = Structure::assemble(&mesh).expect("a structure");
    Exported {
        stiffness: written(&structure.stiffness),
        mass: written(&structure.mass),
        places: places(&structure),
        sets: format!("node_sets = {{ x0 = {}, x1 = {} }}\n", set(&mesh, "x0"), set(&mesh, "x1")),
        mesh: text,
    }
}

const FILES: &str = "stiffness_matrix = 'k.mtx'\nmass_matrix = 'm.mtx'\nnode_places = 'x.mtx'\n";

fn of_matrices(from: &Exported, own: &str) -> Result<Model, String> {
    let text = format!("[[superelement]]\nname = 'arm'\n{own}");
    let matrices = [("k.mtx", from.stiffness.as_str()), ("m.mtx", &from.mass), ("x.mtx", &from.places)];
    read(&[&[("a.toml", text.as_str())][..], &matrices].concat())
}

fn body(model: &Model) -> ReducedBody {
    let own = model.superelements[0].reduced.as_deref().expect("a body");
    ReducedBody { surface: None, foreshortening: None, ..own.clone() }
}

#[test]
fn matrices_of_a_mesh_make_the_same_body() {
    let from = exported();
    for own in ["interfaces = ['x0', 'x1']\nmodes = 6\n", "mean_interfaces = ['x0']\npoints = { tip = 42 }\n"]
    {
        let by_matrices =
            of_matrices(&from, &format!("{FILES}{}{own}", from.sets)).unwrap_or_else(|why| panic!("{why}"));
        let material = "youngs_modulus = '70 GPa'\npoissons_ratio = 0.3\ndensity = 2700\n";
        let text = format!("[[superelement]]\nname = 'arm'\nmesh = 'arm.inp'\n{material}{own}");
        let by_mesh =
            read(&[("a.toml", &text), ("arm.inp", &from.mesh)]).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(body(&by_matrices), body(&by_mesh));
    }
}

#[test]
fn sets_by_numbers_serve_meshes_too() {
    let from = exported();
    let material = "youngs_modulus = '70 GPa'\npoissons_ratio = 0.3\ndensity = 2700\n";
    let text = |own: &str| format!("[[superelement]]\nname = 'arm'\nmesh = 'arm.inp'\n{material}{own}");
    let named = text("interfaces = ['x0', 'x1']\n");
    let numbered = text(
        &format!("{}interfaces = ['left', 'right']\n", from.sets)
            .replace("x0", "left")
            .replace("x1", "right"),
    );
    let [named, numbered] = [named, numbered].map(|text| {
        body(&read(&[("a.toml", &text), ("arm.inp", &from.mesh)]).unwrap_or_else(|why| panic!("{why}")))
    });
    assert_eq!(named.stiffness, numbered.stiffness);
}

#[test]
fn bad_matrices_are_told_where_they_stand() {
    let from = exported();
    let ends = format!("{}interfaces = ['x0', 'x1']\n", from.sets);
    let said = |from: &Exported, own: &str| of_matrices(from, own).expect_err("something is wrong");
    let other = |own: &str| said(&from, own);
    insta::assert_snapshot!(
        "no_mass",
        other(&format!("stiffness_matrix = 'k.mtx'\nnode_places = 'x.mtx'\n{ends}"))
    );
    insta::assert_snapshot!("no_file", other(&format!("{}{ends}", FILES.replace("m.mtx", "n.mtx"))));
    insta::assert_snapshot!("other_ending", other(&format!("{}{ends}", FILES.replace("k.mtx", "k.csv"))));
    insta::assert_snapshot!("no_such_set", other(&format!("{FILES}interfaces = ['base']\n")));
    insta::assert_snapshot!("two_sources", other(&format!("mesh = 'a.inp'\n{FILES}{ends}")));
    insta::assert_snapshot!("sets_of_words", other(&format!("{FILES}node_sets = {{ base = ['a'] }}\n")));
    let few =
        Exported { places: "%%MatrixMarket matrix array real general\n1 3\n0\n0\n0\n".into(), ..exported() };
    insta::assert_snapshot!("few_places", said(&few, &format!("{FILES}{ends}")));
    let torn = Exported { stiffness: from.stiffness.replacen("1 1 ", "1 x ", 1), ..exported() };
    insta::assert_snapshot!("torn_matrix", said(&torn, &format!("{FILES}{ends}")));
    // a node that nothing holds
    let head: Vec<&str> = from.stiffness.lines().take(2).collect();
    let last = format!("{} ", 3 * 42);
    let zeroed = |line: &&str| match line.split_once(' ') {
        Some((row, rest)) if format!("{row} ") == last && rest.contains(' ') => {
            format!("{row} {} 0", rest.split_once(' ').map_or("", |(column, _)| column))
        }
        _ => line.to_string(),
    };
    let entries: Vec<&str> = from.stiffness.lines().skip(2).collect();
    let zeros: Vec<String> = entries.iter().map(zeroed).collect();
    let stiffness = format!("{}\n{}\n", head.join("\n"), zeros.join("\n"));
    let loose = Exported { stiffness, ..exported() };
    insta::assert_snapshot!(
        "singular_stiffness",
        said(&loose, &format!("{FILES}{}interfaces = ['x0']\n", loose.sets))
    );
}

/// A beam that is clamped, and by more lines a superelement.
fn arm(space: &str, more: &str) -> Model {
    let to = if space == "planar" { "[0.6, 0.8]" } else { "[0.6, 0.8, 0]" };
    let text = format!(
        "space = '{space}'\n[[beam]]\nname = 'arm'\nfrom = {}\nto = {to}\nelements = 6\norder = 3\nsection = 'rectangle'\n\
         height = '30 mm'\nwidth = '20 mm'\nyoungs_modulus = '70 GPa'\npoissons_ratio = 0.33\n\
         density = '2700 kg/m^3'\n[[joint]]\ntype = 'fixed'\nname = 'wall'\nbody1 = 'ground'\nbody2 = 'arm.start'\n{more}",
        if space == "planar" { "[0, 0]" } else { "[0, 0, 0]" },
    );
    read(&[("a.toml", &text)]).unwrap_or_else(|why| panic!("{why}"))
}

/// Frequencies in rad/s, slowest first.
fn frequencies(model: Model) -> Vec<f64> {
    let mechanism = Mechanism::new(model).unwrap_or_else(|why| panic!("{why}"));
    let modes = mechanism.modes(mechanism.state()).unwrap_or_else(|why| panic!("{why}"));
    let mut all: Vec<f64> = modes.modes.iter().map(|mode| mode.magnitude()).collect();
    all.sort_by(f64::total_cmp);
    all
}

const REDUCED: &str =
    "[[superelement]]\nname = 'boom'\nof = ['arm']\ninterfaces = ['arm.start', 'arm.end']\nmodes = 10\n";

#[test]
fn a_beam_as_superelement_has_its_frequencies() {
    for space in ["spatial", "planar"] {
        let (whole, reduced) = (frequencies(arm(space, "")), frequencies(arm(space, REDUCED)));
        // ten modes serve the slowest: fast ones want modes up to five times their frequency
        let off = whole.iter().zip(&reduced).map(|(a, b)| (b / a - 1.0).abs());
        let off: Vec<f64> = off.take(3).collect();
        println!("{space}: {:?} rad/s, off by {off:?}", &whole[..3]);
        assert!(off.iter().all(|off| *off < 1e-4), "{space}: {off:?}");
        assert!(reduced[0] > whole[0] * (1.0 - 1e-9));
    }
}

#[test]
fn a_beam_as_superelement_hangs_as_far() {
    let pull =
        "[[force]]\ntype = 'force'\nname = 'pull'\nbody = 'arm.end'\nmagnitude = 1\ndirection = [0, 0, -1]\n";
    let hang = |more: &str| {
        let mechanism =
            Mechanism::new(arm("spatial", &format!("{pull}{more}"))).unwrap_or_else(|why| panic!("{why}"));
        let rest = mechanism.equilibrium().unwrap_or_else(|why| panic!("{more}: {why}"));
        mechanism.values(&rest.state).expect("values").get("arm.end.z").expect("a channel")
    };
    let (whole, reduced) = (hang(""), hang(REDUCED));
    println!("{whole} m as a beam, {reduced} m reduced");
    assert!((reduced / whole - 1.0).abs() < 1e-5, "{whole} {reduced}");
}

/// Two beams that a fixed joint holds together, with a corner in one and a bar between them.
fn bracket(more: &str) -> String {
    let section = "section = 'tube'\ndiameter = '40 mm'\nwall = '2 mm'\nyoungs_modulus = '200 GPa'\npoissons_ratio = 0.3\ndensity = '7800 kg/m^3'\n";
    format!(
        "[[beam]]\nname = 'post'\nfrom = [0, 0, 0]\nto = [0, 0, 1]\npoints = {{ mid = 0.5 }}\n{section}\
         [[beam]]\nname = 'arm'\npath = [[0, 0, 1], [0.8, 0, 1], [0.8, 0.4, 1]]\npoints = {{ elbow = 0.5 }}\n{section}\
         [[joint]]\ntype = 'fixed'\nname = 'weld'\nbody1 = 'post.end'\nbody2 = 'arm.start'\nat = [0, 0, 1]\n\
         [[force]]\ntype = 'bar'\nname = 'brace'\nbody1 = 'post.mid'\nbody2 = 'arm.elbow'\naxial_stiffness = '20 MN'\nmass = 0.5\n\
         [[joint]]\ntype = 'fixed'\nname = 'floor'\nbody1 = 'ground'\nbody2 = 'post.start'\n{more}"
    )
}

const OF_BRACKET: &str = "[[superelement]]\nname = 'bracket'\nof = ['post', 'arm', 'brace']\ninterfaces = ['post.start', 'arm.end']\nmodes = 20\n";

#[test]
fn beams_with_joints_corners_and_bars_are_reduced_together() {
    let of =
        |more: &str| frequencies(read(&[("a.toml", &bracket(more))]).unwrap_or_else(|why| panic!("{why}")));
    let (whole, reduced) = (of(""), of(OF_BRACKET));
    let off: Vec<f64> = whole.iter().zip(&reduced).map(|(a, b)| (b / a - 1.0).abs()).take(5).collect();
    println!("{:?} rad/s, off by {off:?}", &whole[..5]);
    assert!(off.iter().all(|off| *off < 1e-4), "{off:?}");
}

#[test]
fn what_cannot_be_reduced_is_told_where_it_stands() {
    let said = |more: &str| read(&[("a.toml", &bracket(more))]).expect_err("something is wrong");
    let other = |from: &str, to: &str| said(&OF_BRACKET.replace(from, to));
    insta::assert_snapshot!("of_nobody", other("'post', ", "'pots', "));
    insta::assert_snapshot!("of_a_bar_alone", other("'post', 'arm', ", ""));
    insta::assert_snapshot!("of_a_bar_outside", other("'post', ", ""));
    insta::assert_snapshot!("of_no_node", other("'arm.end'", "'arm.tip'"));
    insta::assert_snapshot!("of_one_corner", other("'arm.end'", "'post.end', 'arm.start'"));
    insta::assert_snapshot!(
        "of_two",
        format!("{}", said(&format!("{OF_BRACKET}{}", OF_BRACKET.replace("'bracket'", "'other'"))))
    );
    insta::assert_snapshot!("of_points", other("modes = 20", "points = { tip = 3 }"));
    insta::assert_snapshot!("of_shortened", other("modes = 20", "foreshortening = true"));
    insta::assert_snapshot!("of_modes", other("modes = 20", "modes = 390"));
    let stretched = bracket(OF_BRACKET).replace("mass = 0.5", "rest_length = 0.9");
    insta::assert_snapshot!("of_stretched", read(&[("a.toml", &stretched)]).expect_err("a stretched bar"));
    let bent = bracket(OF_BRACKET).replace("to = [0, 0, 1]", "to = [0, 0, 0]");
    insta::assert_snapshot!("of_no_length", read(&[("a.toml", &bent)]).expect_err("a beam without length"));
    let damped = bracket(OF_BRACKET).replacen("name = 'post'", "name = 'post'\ndamping = '1 ms'", 1);
    insta::assert_snapshot!("of_damped", read(&[("a.toml", &damped)]).expect_err("a damped beam"));
    // what holds a node that is inside
    let held = format!(
        "{OF_BRACKET}[[joint]]\ntype = 'spherical'\nname = 'hook'\nbody1 = 'ground'\nbody2 = 'post.mid'\nat = [0, 0, 0.5]\n"
    );
    let mut loaded = read_texts("a.toml", &[("a.toml", &bracket(&held))], &Overrides::none());
    assert!(loaded.compile().is_none());
    insta::assert_snapshot!("of_inside", loaded.render(false));
}
