//! Equilibrium with sparse matrices: the same as with dense ones, and for systems of any size.

use kingpin_testing::models;

use kingpin::accel::Problem;
use kingpin::analysis::{Assembly, assemble};
use kingpin::dynamics::{Equilibrium, Matrices, NoEquilibrium, equilibrium_of};
use kingpin::system::System;

fn compiled(loaded: kingpin_io::Loaded) -> (System, Assembly) {
    let (system, _) = System::compile(&loaded.model.expect("a model")).expect("compiled");
    let assembly = assemble(&system).expect("assembled");
    (system, assembly)
}

fn at_rest(
    (system, assembly): &(System, Assembly),
    matrices: Matrices,
) -> Result<Equilibrium, NoEquilibrium> {
    let problem = Problem::new(system, &assembly.diagnosis.redundant_rows);
    equilibrium_of(system, &problem, &assembly.state, matrices)
}

fn agree(name: &str, ready: &(System, Assembly)) {
    let (dense, sparse) = (at_rest(ready, Matrices::Dense), at_rest(ready, Matrices::Sparse));
    let (dense, sparse) = match (dense, sparse) {
        (Ok(dense), Ok(sparse)) => (dense, sparse),
        (Err(NoEquilibrium::Unheld { body: a, .. }), Err(NoEquilibrium::Unheld { body: b, .. })) => {
            assert_eq!(a, b, "{name}");
            return;
        }
        (dense, sparse) => {
            panic!("{name}: {:?}, {:?}", dense.map(|e| e.iterations), sparse.map(|e| e.iterations))
        }
    };
    assert!(sparse.sparse && !dense.sparse && sparse.iterations < 2 * dense.iterations + 10, "{name}");
    let far =
        dense.state.q.iter().zip(&sparse.state.q).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    assert!(far < 1e-8, "{name}: {far:e}");
    assert_eq!((dense.free, dense.unstable_directions), (sparse.free, sparse.unstable_directions), "{name}");
    for (a, b) in dense.unstable.iter().zip(&sparse.unstable) {
        assert!((a.rate - b.rate).abs() < 1e-6 * a.rate, "{name}: {} {}", a.rate, b.rate);
        assert_eq!(a.body, b.body, "{name}");
    }
}

#[test]
fn shipped_models_rest_where_dense_matrices_find_them() {
    for path in models::all_shipped() {
        let loaded = kingpin_io::read_path(&path, &Default::default());
        agree(&path.display().to_string(), &compiled(loaded));
    }
}

/// Rods of length one and mass one from the origin on, hinged to each other, in a given direction and with springs in the
/// hinges; weight acts along a direction.
fn rods(count: usize, weight: [f64; 2], angle: &str, (stiffness, more): (f64, &str)) -> (System, Assembly) {
    let text = format!(
        r#"
        space = "planar"
        gravity = {weight:?}
        [[pattern]]
        to = {count}
        [[pattern.body]]
        name = "rod{{i}}"
        mass = 1
        inertia = "1/12"
        com = [0.5, 0]
        {angle}
        [[joint]]
        type = "revolute"
        name = "pin1"
        body1 = "ground"
        body2 = "rod1"
        [[pattern]]
        from = 2
        to = {count}
        [[pattern.joint]]
        type = "revolute"
        name = "pin{{i}}"
        body1 = "rod{{i-1}}"
        body2 = "rod{{i}}"
        point1 = [1, 0]
        point2 = [0, 0]
        [[pattern]]
        to = {count}
        [[pattern.force]]
        type = "torsion-spring"
        name = "stiffness{{i}}"
        joint = "pin{{i}}"
        stiffness = {stiffness}
        {more}"#
    );
    compiled(kingpin_io::read_text("model.toml", &text, "", &Default::default()))
}

/// Rods stretched out along x.
const STRETCHED: &str = r#"position = ["i - 1", 0]"#;
/// Weight across and along them: towards where they stand.
const DOWN: [f64; 2] = [0.0, -9.81];
const BACK: [f64; 2] = [-9.81, 0.0];

/// A beam of rods, and a tower that is not stiff enough to stand: some ways lead out of it, some do not.
#[test]
fn beams_and_towers_rest_where_dense_matrices_find_them() {
    agree("beam", &rods(8, DOWN, STRETCHED, (2e5, "")));
    agree("tower", &rods(40, BACK, STRETCHED, (600.0, "")));
    let ready = rods(40, BACK, STRETCHED, (600.0, ""));
    let tower = at_rest(&ready, Matrices::Sparse).expect("at rest");
    assert!((2..20).contains(&tower.unstable_directions), "{}", tower.unstable_directions);
}

/// Hinges that are stiffer than the weight asks for: each kind of matrices finds the same place.
#[test]
fn stiff_beams_are_not_lost() {
    let ready = rods(30, DOWN, STRETCHED, (2e5, ""));
    let dense = at_rest(&ready, Matrices::Dense).expect("at rest");
    let sparse = at_rest(&ready, Matrices::Sparse).expect("at rest");
    assert!(sparse.sparse && sparse.iterations < 10, "{}", sparse.iterations);
    let far = dense.state.q.iter().zip(&sparse.state.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(far < 1e-8, "{far:e}");
}

/// Of a tower without any stiffness all directions lead out: the fastest are listed.
#[test]
fn many_unstable_directions_are_counted() {
    let tower = at_rest(&rods(150, BACK, STRETCHED, (0.0, "")), Matrices::Auto).expect("at rest");
    assert!(tower.sparse);
    assert_eq!((tower.unstable.len(), tower.unstable_directions), (100, 150));
    assert!(tower.unstable.windows(2).all(|pair| pair[0].rate >= pair[1].rate));
}

/// A clamped beam of many rods, hardly bent: its end sinks as that of an elastic beam with k l = EI does.
#[test]
fn a_long_beam_bends_as_an_elastic_one() {
    let count = 1500_usize;
    let length = count as f64;
    // as stiff as lets it sink by a thousandth of its length
    let stiffness = 9.81 * length.powi(4) / 8.0 / (1e-3 * length);
    let beam = at_rest(&rods(count, DOWN, STRETCHED, (stiffness, "")), Matrices::Auto).expect("at rest");
    assert!(beam.sparse && beam.free == 0 && beam.unstable.is_empty());
    let (end, angle) = (beam.state.q[3 * count - 2], beam.state.q[3 * count - 1]);
    let sunk = -(end + 0.5 * angle.sin()) / (1e-3 * length);
    assert!((sunk - 1.0).abs() < 5e-3, "{sunk}");
}

/// Both ends of a chain are held: its hinges lie on a catenary, up to the square of the length of a link.
#[test]
fn a_long_chain_hangs_in_a_catenary() {
    let (count, span) = (400, 300.0);
    // straight down and up again
    let wedge = r#"position = ["(i - 1)*0.75", "-0.66143782776614765*min(i - 1, 401 - i)"]
        angle = "sign(i - 200.5)*acos(0.75)""#;
    let last = r#"[[joint]]
        type = "revolute"
        name = "last"
        body1 = "ground"
        body2 = "rod400"
        point1 = [300, 0]
        point2 = [1, 0]"#;
    let rest = at_rest(&rods(count, DOWN, wedge, (0.0, last)), Matrices::Auto).expect("at rest");
    assert!(rest.sparse && rest.free == 0 && rest.unstable.is_empty());
    // length = 2 a sinh(span / 2a)
    let (mut low, mut high) = (1.0, 1e4);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * (span / 2.0 / a).sinh() > count as f64 { low = a } else { high = a }
    }
    let sag = low * ((span / 2.0 / low).cosh() - 1.0);
    let lowest = rest.state.q.chunks_exact(3).map(|q| q[1]).fold(0.0, f64::min);
    assert!((lowest + sag).abs() < 0.01, "{lowest} {sag}");
}

/// Nothing holds a raft of bodies: the same message as with dense matrices.
#[test]
fn what_falls_is_named() {
    let text = r#"
        gravity = [0, 0, -9.81]
        [[body]]
        name = "stone"
        mass = 1
        inertia = [1, 1, 1]
        [[body]]
        name = "pendulum"
        mass = 1
        inertia = [1, 1, 1]
        position = [1, 0, 0]
        [[joint]]
        type = "revolute"
        name = "pin"
        body1 = "ground"
        body2 = "pendulum"
        axis = [0, 1, 0]
        at = [0, 0, 0]
    "#;
    let ready = compiled(kingpin_io::read_text("model.toml", text, "", &Default::default()));
    for matrices in [Matrices::Dense, Matrices::Sparse] {
        let found = at_rest(&ready, matrices);
        assert!(matches!(found, Err(NoEquilibrium::Unheld { body: 0, .. })), "{found:?}");
    }
}

#[test]
fn what_hinders_matrices_is_said() {
    let ready = rods(2001, DOWN, STRETCHED, (0.0, ""));
    let say = |why: NoEquilibrium| {
        let finding = why.finding(&ready.0, &ready.1.diagnosis);
        (finding.message, finding.hint.unwrap_or_default())
    };
    let (message, hint) = say(at_rest(&ready, Matrices::Dense).expect_err("too large"));
    assert_eq!(
        message,
        "no equilibrium: 2001 degrees of freedom are too many for dense matrices: at most 2000"
    );
    assert_eq!(hint, "use sparse matrices, which have no size limit");
    let (message, hint) = say(NoEquilibrium::NoStability);
    assert_eq!(
        message,
        "equilibrium found, but its stability is unknown: the eigenvalue iteration for the stiffness did not \
             converge"
    );
    assert_eq!(hint, "simulate the mechanism with damping and check whether it stays there");
}
