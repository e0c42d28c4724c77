//! Exact integration Jacobians of every shipped model against differences of the acceleration function.

use kingpin_testing::models;

use kingpin::accel::Solver;
use kingpin::analysis::assemble;
use kingpin::dynamics::{Coordinates, Dynamics, Linearising, Reduced};
use kingpin::integrate::SecondOrder;
use kingpin::linalg::DenseLu;
use kingpin::system::System;
use std::path::Path;

struct Random(u64);

impl Random {
    /// Between -1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// `Mhat^-1` times each column of a matrix.
fn divided(mhat: &[f64], m: &[f64]) -> Vec<f64> {
    let n = (m.len() as f64).sqrt() as usize;
    let (lu, mut factor, mut exchange) = (DenseLu::new(n), mhat.to_vec(), vec![0; n]);
    lu.factor(&mut factor, &mut exchange, 0.0).unwrap();
    let mut out = m.to_vec();
    out.chunks_exact_mut(n.max(1)).for_each(|column| lu.solve(&factor, &exchange, column));
    out
}

/// Largest difference, relative to the largest number.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().chain(b).fold(1e-3, |m: f64, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / size
}

/// How accelerations change with time, by differences over two steps: where a drive of 150 rad/s strains a stiff rod,
/// those over a single one err by 2e-5 of it, in proportion to the square of the step.
fn in_time(reduced: &mut Reduced, t: f64, v: &[f64], vdot: &[f64]) -> Vec<f64> {
    let mut over = |h: f64| -> Vec<f64> {
        let [mut ahead, mut behind] = [vec![0.0; v.len()], vec![0.0; v.len()]];
        reduced.acceleration(t + h, v, vdot, &mut ahead).unwrap();
        reduced.acceleration(t - h, v, vdot, &mut behind).unwrap();
        ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    let (long, short) = (over(6e-6), over(3e-6));
    short.iter().zip(&long).map(|(short, long)| (4.0 * short - long) / 3.0).collect()
}

fn check_file(path: &Path, linearising: Linearising, coordinates: Coordinates) {
    let model = path.display();
    let loaded = kingpin_io::read_path(path, &Default::default());
    let (system, _) = System::compile(&loaded.model.unwrap()).unwrap();
    let assembly = assemble(&system).unwrap();
    let mechanism = Dynamics::new(&system, &assembly.diagnosis.redundant_rows, Solver::EliminationUnsplit);
    let mut reduced = Reduced::in_coordinates(mechanism, &assembly.state, coordinates).unwrap();
    let n = reduced.dim();
    assert_eq!(n, assembly.diagnosis.dof + system.states.len());
    let (mut y, mut random, mut state) = (vec![0.0; 2 * n], Random(5), assembly.state.clone());
    for _ in 0..3 {
        reduced.start(&assembly.state);
        reduced.independent(&mut y);
        let v: Vec<f64> = y[..n].iter().map(|x| x + 0.004 * random.next()).collect();
        // fast enough for differences in the rates to stand out from rounding errors
        let mut speed = || random.next();
        let vdot: Vec<f64> =
            y[n..].iter().map(|x| x + 100.0 * (speed() + 1.0f64.copysign(speed()))).collect();
        let t = 0.01 * random.next();
        // charts are linearised where they are based
        reduced.recover_at(t, &[&v[..], &vdot[..]].concat()).unwrap();
        reduced.write_state(&mut state);
        reduced.start(&state);
        reduced.independent(&mut y);
        let (v, vdot) = y.split_at(n);
        let [exact, differences] = [linearising, Linearising::Differences].map(|linearising| {
            reduced.linearising = linearising;
            reduced.linearised().unwrap()
        });
        let by_v = difference(&divided(&exact.mhat, &exact.m2), &differences.m2);
        // relative to the accelerations themselves where they do not depend on time
        let mut a = vec![0.0; n];
        reduced.acceleration(t, v, vdot, &mut a).unwrap();
        // accelerations are nearly quadratic in the rates: that is the size of their derivatives
        let scale = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
            / vdot.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let [mut c, mut d] = [divided(&exact.mhat, &exact.m1), differences.m1.clone()];
        c.push(scale);
        d.push(scale);
        let by_vdot = difference(&c, &d);
        a.extend(&exact.f_t);
        let mut b = a.clone();
        b[n..].copy_from_slice(&in_time(&mut reduced, t, v, vdot));
        let by_t = difference(&a, &b);
        let name = format!("{model} in {}", coordinates.name());
        assert!(by_v < 1e-6 && by_vdot < 1e-6 && by_t < 1e-6, "{name}: {by_v:e} {by_vdot:e} {by_t:e}");
    }
}

#[test]
fn exact_jacobians_are_those_of_the_accelerations() {
    for path in models::all_shipped() {
        for linearising in [Linearising::Reduced, Linearising::Columns] {
            check_file(&path, linearising, Coordinates::Partition);
            check_file(&path, linearising, Coordinates::Tangent);
        }
    }
}

/// Forces that go with reactions, of which accelerations and their derivatives have all.
#[test]
fn and_where_forces_go_with_reactions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/reactions.toml");
    for linearising in [Linearising::Exact, Linearising::Reduced, Linearising::Columns] {
        check_file(&path, linearising, Coordinates::Partition);
        check_file(&path, linearising, Coordinates::Tangent);
    }
}

/// Mass that couples bodies, in every coordinate of spinning ones.
#[test]
fn and_where_mass_couples_bodies() {
    let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    for name in ["inerter.toml", "bar.toml"] {
        for linearising in [Linearising::Exact, Linearising::Reduced, Linearising::Columns] {
            check_file(&good.join(name), linearising, Coordinates::Partition);
            check_file(&good.join(name), linearising, Coordinates::Tangent);
        }
    }
}
