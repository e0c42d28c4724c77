//! Modes with sparse matrices: the same as with dense ones, and some of systems of any size.

use kingpin_testing::models;

use kingpin::accel::Problem;
use kingpin::analysis::{Assembly, assemble};
use kingpin::dynamics::{Matrices, Mode, ModeChoice, Modes, NoModes, equilibrium_of, modes_of};
use kingpin::system::{State, System};
use std::f64::consts::{PI, TAU};

fn compiled(loaded: kingpin_io::Loaded) -> (System, Assembly) {
    let (system, _) = System::compile(&loaded.model.expect("a model")).expect("compiled");
    let assembly = assemble(&system).expect("assembled");
    (system, assembly)
}

fn text(model: &str) -> (System, Assembly) {
    compiled(kingpin_io::read_text("model.toml", model, "", &Default::default()))
}

fn of((system, assembly): &(System, Assembly), state: &State, choice: ModeChoice) -> Result<Modes, NoModes> {
    let problem = Problem::new(system, &assembly.diagnosis.redundant_rows);
    modes_of(&system.frozen(state.t), &problem, state, &choice)
}

fn at_rest((system, assembly): &(System, Assembly)) -> State {
    let problem = Problem::new(system, &assembly.diagnosis.redundant_rows);
    let found = equilibrium_of(system, &problem, &assembly.state, Matrices::Auto);
    found.unwrap_or_else(|why| panic!("{why}")).state
}

fn far(a: &Mode, b: &Mode) -> f64 {
    (a.real - b.real).hypot(a.imaginary - b.imaginary) / b.magnitude()
}

/// Every mode of one list is in the other, with the same body in front.
fn agree(name: &str, sparse: &Modes, dense: &Modes, tolerance: f64) {
    assert_eq!((sparse.dof, sparse.zeros), (dense.dof, dense.zeros), "{name}");
    assert_eq!(sparse.free.len(), dense.free.len(), "{name}");
    for mode in &sparse.modes {
        let nearest = dense.modes.iter().min_by(|a, b| far(mode, a).total_cmp(&far(mode, b))).expect("some");
        assert!(
            far(mode, nearest) < tolerance,
            "{name}: {} {} {:e}",
            mode.real,
            mode.imaginary,
            far(mode, nearest)
        );
        // of what is a million times slower than the fastest, rounding leaves more
        let (fastest, slow) = (dense.modes.iter().map(Mode::magnitude).fold(0.0, f64::max), mode.magnitude());
        let rounding = 1e-9_f64.max(1e-17 * (fastest / slow).powi(2));
        assert!(mode.residual < rounding, "{name}: {} {} {:e}", mode.real, mode.imaginary, mode.residual);
    }
}

/// How many of the slowest modes come before a crowd: damping in proportion to stiffness brings as many rates next to one
/// limit as there are fast vibrations, and no iteration tells these apart.
fn told_apart(dense: &Modes) -> usize {
    let slowest: Vec<&Mode> = dense.modes.iter().rev().collect();
    slowest.windows(5).position(|five| far(five[0], five[4]) < 1e-3).unwrap_or(slowest.len())
}

#[test]
fn shipped_models_have_the_modes_that_dense_matrices_find() {
    let mut seen = 0;
    for path in models::all_shipped() {
        let ready = compiled(kingpin_io::read_path(&path, &Default::default()));
        let (state, name) = (at_rest(&ready), path.display().to_string());
        let dense = of(&ready, &state, ModeChoice { matrices: Matrices::Dense, ..Default::default() })
            .expect("modes");
        let count = told_apart(&dense).min(12);
        let choice = ModeChoice { matrices: Matrices::Sparse, count: Some(count), near: None };
        let sparse = of(&ready, &state, choice).unwrap_or_else(|why| panic!("{name}: {why}"));
        agree(&name, &sparse, &dense, 1e-7);
        // the slowest, one by one
        let slowest = dense.modes.iter().rev().zip(sparse.modes.iter().rev());
        for (a, b) in slowest.take(6) {
            assert!(
                (a.magnitude() - b.magnitude()).abs() < 1e-7 * a.magnitude(),
                "{name}: {} {}",
                a.magnitude(),
                b.magnitude()
            );
        }
        let list = |modes: &Modes| modes.modes.iter().map(|m| (m.real, m.imaginary)).collect::<Vec<_>>();
        assert_eq!(
            sparse.modes.len(),
            dense.modes.len().min(count),
            "{name}: {:?} {:?}",
            list(&sparse),
            list(&dense)
        );
        seen += usize::from(!sparse.modes.is_empty());
    }
    assert!(seen > 8, "{seen}");
}

/// A clamped beam of rods with springs in its hinges, without weight.
fn beam(count: usize) -> (System, Assembly) {
    text(&format!(
        r#"
        space = "planar"
        [[pattern]]
        to = {count}
        [[pattern.body]]
        name = "rod{{i}}"
        mass = 1
        inertia = "1/12"
        com = [0.5, 0]
        position = ["i - 1", 0]
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
        stiffness = {stiffness}"#,
        stiffness = (count as f64).powi(4)
    ))
}

/// EI = k l; with k of the fourth power of the length, frequencies do not depend on it: (beta L)^2.
#[test]
fn a_long_beam_sounds_like_an_elastic_one() {
    let elastic = [1.875_104_068_7_f64, 4.694_091_132_9, 7.854_757_438_2, 10.995_540_734_9];
    for (count, tolerance) in [(300, 1e-2), (3000, 1e-3)] {
        let ready = beam(count);
        let choice = ModeChoice { count: Some(4), ..Default::default() };
        let modes = of(&ready, &ready.1.state, choice).unwrap_or_else(|why| panic!("{why}"));
        assert!(modes.sparse && !modes.all && modes.modes.len() == 4);
        for (mode, beta) in modes.modes.iter().rev().zip(elastic) {
            let error = mode.imaginary / (beta * beta) - 1.0;
            assert!(error.abs() < tolerance, "{count} {beta} {error:e}");
            // fourteen digits lie between the slowest and the fastest mode of the longer one
            assert!(mode.residual < 1e-4, "{:e}", mode.residual);
        }
    }
}

/// Modes next to a frequency are those of the dense list that are closest to it.
#[test]
fn modes_next_to_a_frequency_are_found() {
    let ready = beam(40);
    let all = of(&ready, &ready.1.state, ModeChoice { matrices: Matrices::Dense, ..Default::default() })
        .expect("modes");
    let near = Some(all.modes[20].frequency() * 1.01);
    let [dense, sparse] = [Matrices::Dense, Matrices::Sparse].map(|matrices| {
        of(&ready, &ready.1.state, ModeChoice { matrices, count: Some(5), near }).expect("modes")
    });
    assert_eq!((dense.modes.len(), sparse.modes.len()), (5, 5));
    for (a, b) in dense.modes.iter().zip(&sparse.modes) {
        assert!((a.imaginary - b.imaginary).abs() < 1e-8 * a.imaginary, "{} {}", a.imaginary, b.imaginary);
    }
    assert!(near.is_some_and(|f| f * TAU > PI));
}

#[test]
fn what_hinders_is_said() {
    let ready = beam(3);
    let say = |why: NoModes| {
        let finding = why.finding(&ready.1.diagnosis);
        format!("{} / {}", finding.message, finding.hint.unwrap_or_default())
    };
    let mut moving = ready.1.state.clone();
    moving.v[2] = 1.0;
    let choice = ModeChoice { matrices: Matrices::Sparse, ..Default::default() };
    let found = of(&ready, &moving, choice).expect_err("moving");
    assert_eq!(
        say(found),
        "no modes: sparse matrices require a mechanism at rest, and this one moves / linearise at \
             the equilibrium, or use dense matrices"
    );
    assert_eq!(
        say(NoModes::NoConvergence { wanted: 20, found: 3 }),
        "no modes: the eigenvalue iteration did not converge: 3 of 20 found / request \
             fewer modes, or those near another frequency"
    );
    assert_eq!(
        say(NoModes::ManyFree { least: 64 }),
        "no modes: 64 or more motions without stiffness are too many for sparse matrices / \
             constrain the free motions by joints or springs"
    );
}
