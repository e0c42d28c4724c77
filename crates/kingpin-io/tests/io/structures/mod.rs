//! Sheets and solids of model files: the linear limit is that of the linear elements, rigid motions strain nothing, energy is
//! kept, and what is wrong is told.

mod motions;
mod told;

use kingpin::mechanism::Mechanism;
use kingpin_flex::cells::areas;
use kingpin_flex::mesh::{Material, Section, box_mesh};
use kingpin_flex::structure::Structure;
use kingpin_io::{Overrides, read_text, read_texts};
use nalgebra::DMatrix;

/// A mechanism from a text.
fn mechanism(text: &str) -> Mechanism {
    let loaded = read_text("a.toml", text, ".", &Overrides::none());
    let said = loaded.render(false);
    Mechanism::new(loaded.model.expect(&said)).expect(&said)
}

/// Measures of a point against where it is at rest.
fn measures(point: &str, names: &[(&str, &str)]) -> String {
    let measure = |(name, coordinate): &(&str, &str)| {
        format!(
            "[[measure]]\ntype = 'coordinate'\nname = '{name}'\nbody = '{point}'\ncoordinate = '{coordinate}'\n"
        )
    };
    names.iter().map(measure).collect()
}

/// The sheet of a metre with n cells along each side that a load by area pulls sideways.
fn sheet(n: usize, load: f64) -> String {
    let own = format!(
        "space = 'planar'
[[structure]]
name = 'sheet'
size = [1, 1]
cells = [{n}, {n}]
youngs_modulus = 73e9
density = 2700
fixed = ['x0']
load_on = ['x1']
load = {load}
load_direction = [0, 1]
"
    );
    own + &measures(&format!("sheet.{n}.{n}"), &[("ux", "x"), ("uy", "y")])
        + &measures(&format!("sheet.{n}.{}", n / 2), &[("my", "y")])
}

fn cube(n: usize, load: f64) -> String {
    let own = format!(
        "[[structure]]
name = 'cube'
size = [1, 1, 1]
cells = [{n}, {n}, {n}]
youngs_modulus = 73e9
density = 2700
fixed = ['x0']
load_on = ['x1']
load = {load}
load_direction = [0, 0, 1]
"
    );
    own + &measures(&format!("cube.{n}.{n}.{n}"), &[("ux", "x"), ("uy", "y"), ("uz", "z")])
}

/// Values of measures at rest.
fn at_rest(text: &str, names: &[&str]) -> Vec<f64> {
    let mechanism = mechanism(text);
    let rest = mechanism.equilibrium().expect("an equilibrium");
    let values = mechanism.values(&rest.state).expect("values");
    names.iter().map(|name| values.get(name).expect(name)).collect()
}

/// What is linear in a load, as displacements under 1 MPa: half of the difference of a small load and its opposite, beside which
/// what is of the third order is 1e-10.
fn linear_limit(model: impl Fn(f64) -> String, names: &[&str]) -> Vec<f64> {
    let load = 1e5;
    let [there, back] = [load, -load].map(|load| at_rest(&model(load), names));
    there.iter().zip(&back).map(|(a, b)| 0.5 * (a - b) * 1e6 / load).collect()
}

fn near(found: &[f64], wanted: &[f64], within: f64) {
    for (a, b) in found.iter().zip(wanted) {
        assert!((a - b).abs() <= within * b.abs(), "{found:?} is not {wanted:?}: {:.1e}", (a - b) / b);
    }
}

/// Displacements of linear elements, in shared tables of two direct solvers.
#[test]
fn small_loads_move_sheets_as_linear_elements() {
    let found = linear_limit(|load| sheet(8, load), &["ux", "uy", "my"]);
    near(&found, &[-4.475543840e-5, 9.754395537e-5, 9.214283976e-5], 1e-9);
    let found = linear_limit(|load| sheet(32, load), &["ux", "uy", "my"]);
    near(&found, &[-4.667596429e-5, 1.004474299e-4, 9.346070764e-5], 1e-9);
}

/// The same cube of linear elements, assembled and solved by itself; its own tables are checked elsewhere.
#[test]
fn small_loads_move_solids_as_linear_elements() {
    let n = 3;
    let mut mesh = box_mesh([n; 3], [1.0; 3], [0.0; 3]);
    mesh.give_section(Section::solid(Material::new("aluminium", 73e9, 0.3, 2700.0)));
    let structure = Structure::assemble(&mesh).expect("matrices");
    let mut load = DMatrix::zeros(3 * mesh.nodes.len(), 1);
    let carried = areas(&mesh, mesh.node_set("x1").expect("a face")).expect("areas");
    carried.iter().enumerate().for_each(|(node, area)| load[(3 * node + 2, 0)] = 1e6 * area);
    assert!((load.sum() - 1e6).abs() < 1e-6);
    let moved = structure.displacements(mesh.node_set("x0").expect("a face"), &load).expect("displacements");
    let corner = 3 * (mesh.nodes.len() - 1);
    let found = linear_limit(|load| cube(n, load), &["ux", "uy", "uz"]);
    near(&found, &[moved[corner], moved[corner + 1], moved[corner + 2]], 1e-9);
}

/// A mesh of text.
fn meshed(mesh: &str, text: &str) -> String {
    let loaded = read_texts("a.toml", &[("a.toml", text), ("arm.inp", mesh)], &Overrides::none());
    assert!(loaded.model.is_none());
    loaded.render(false)
}

/// A box of tetrahedra with ten nodes, six for each of its bricks, as text of Abaqus; the faces across x are the sets `x0` and
/// `x1`.
fn tetrahedra(counts: [usize; 3], sides: [f64; 3]) -> String {
    let places = counts.map(|n| 2 * n + 1);
    let number = |at: [usize; 3]| 1 + at[0] + places[0] * (at[1] + places[1] * at[2]);
    let mut text = String::from("*NODE\n");
    let all = || {
        (0..places[2])
            .flat_map(move |k| (0..places[1]).flat_map(move |j| (0..places[0]).map(move |i| [i, j, k])))
    };
    for at in all() {
        let x: Vec<String> =
            (0..3).map(|c| (sides[c] * at[c] as f64 / (2 * counts[c]) as f64).to_string()).collect();
        text += &format!("{}, {}\n", number(at), x.join(", "));
    }
    text += "*ELEMENT, TYPE=C3D10, ELSET=all\n";
    let mut element = 0;
    for brick in all().filter(|at| (0..3).all(|c| at[c] % 2 == 0 && at[c] + 2 < places[c])) {
        for path in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            // from one corner of the brick to the opposite along its edges
            let mut corners = vec![brick];
            for axis in path {
                let mut next = corners[corners.len() - 1];
                next[axis] += 2;
                corners.push(next);
            }
            if [[0, 2, 1], [2, 1, 0], [1, 0, 2]].contains(&path) {
                corners.swap(2, 3);
            }
            let between = |[a, b]: [usize; 2]| std::array::from_fn(|c| (corners[a][c] + corners[b][c]) / 2);
            let edges = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]].map(between);
            element += 1;
            let nodes: Vec<String> = corners.iter().chain(&edges).map(|at| number(*at).to_string()).collect();
            text += &format!("{element}, {}\n", nodes.join(", "));
        }
    }
    for (name, x) in [("x0", 0), ("x1", places[0] - 1)] {
        text += &format!("*NSET, NSET={name}\n");
        all().filter(|at| at[0] == x).for_each(|at| text += &format!("{}\n", number(at)));
    }
    text
}
