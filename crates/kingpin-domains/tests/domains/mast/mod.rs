//! Trusses of substructures against the same trusses put together as a whole.

mod assembled;
mod swinging;

use assembled::whole;
use kingpin::threads::within;
use kingpin_domains::range::{Matrix, Method, RangeError, Solver};
use kingpin_domains::truss::{Builder, Module, Newmark, Truss, UPRIGHT, lowest_frequencies};

/// Numbers between minus one half and one half, the same every time.
fn scattered(n: usize) -> Vec<f64> {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..n).map(|_| next()).collect()
}

/// A module whose bars have sections of their own.
fn uneven(k: usize) -> Module {
    let mut module = Module::mast();
    for (bar, x) in module.bars.iter_mut().zip(scattered(57 * (k + 1)).into_iter().skip(57 * k)) {
        bar.stiffness *= 1.0 + x;
        bar.density *= 1.0 + 0.5 * x;
    }
    module
}

fn solved(truss: &Truss, (matrix, weight): (Matrix, f64), method: Method, f: &[f64]) -> (Vec<f64>, usize) {
    let mut solver = Solver::new(&truss.structure, matrix, method).unwrap();
    solver.tolerance = 1e-12;
    solver.factor(weight).unwrap();
    let mut x = vec![0.0; f.len()];
    let found = solver.solve(f, &mut x).unwrap();
    (x, found.iterations)
}

#[test]
fn all_methods_give_what_the_whole_truss_gives() {
    let mixed = |k: usize| if k % 3 == 1 { uneven(k) } else { Module::mast() };
    let trusses = [
        ("alike", Truss::mast(3, true).unwrap(), 0.5),
        ("free", Truss::mast(4, false).unwrap(), -1.0),
        ("uneven", Truss::mast_of(3, true, uneven).unwrap(), 0.5),
        ("some alike", Truss::mast_of(5, false, mixed).unwrap(), -1.0),
        ("ring", Truss::ring(3).unwrap(), -1e9),
        ("station", Truss::station(1).unwrap(), -1e9),
    ];
    for (name, truss, ground) in &trusses {
        let whole = whole(truss, *ground);
        let f = scattered(truss.structure.vector_len());
        for (matrix, weight) in [
            (Matrix::Mass, 0.0),
            (Matrix::Effective, 1e-8),
            (Matrix::Effective, 1e-6),
            (Matrix::Effective, 1e-3),
        ] {
            let sum = &whole.mass + &whole.stiffness * weight;
            let expected = sum.cholesky().unwrap().solve(&whole.gathered(truss, &f));
            for method in Method::ALL {
                let (x, _) = solved(truss, (matrix, weight), method, &f);
                let far = whole.difference(truss, &expected, &x);
                assert!(far < 2e-9, "{name} {weight} {}: {far:e}", method.name());
            }
        }
    }
}

/// The table of iterations to 1e-6 and 1e-10 for k modules.
#[test]
fn iterations_do_not_grow_with_the_number_of_modules() {
    for (k, most) in [(2, [1, 1]), (4, [2, 2]), (8, [2, 3]), (64, [2, 3]), (300, [2, 3])] {
        let truss = Truss::mast(k, false).unwrap();
        let f = scattered(truss.structure.vector_len());
        let mut solver = Solver::new(&truss.structure, Matrix::Mass, Method::BlockJacobi).unwrap();
        solver.factor(0.0).unwrap();
        let mut x = vec![0.0; f.len()];
        for (tolerance, most) in [1e-6, 1e-10].into_iter().zip(most) {
            solver.tolerance = tolerance;
            let found = solver.solve(&f, &mut x).unwrap();
            assert!(found.iterations <= most, "{k} {tolerance}: {}", found.iterations);
            assert!(found.residual <= tolerance);
        }
    }
}

/// Newmark steps of c h / L, h twice the root of the weight, c h = L at 1.178 ms: iterations to 1e-8, of which the mixed
/// method needs no more than 8 for any step and length, while blocks on the diagonal need ever more.
#[test]
fn long_steps_need_rigid_motions_of_interfaces() {
    let travel = 6.0 / (7e6_f64 / 0.27).sqrt();
    let mut worst = Vec::new();
    for (k, long) in [(16, 40), (64, 100)] {
        let truss = Truss::mast(k, true).unwrap();
        let f = scattered(truss.structure.vector_len());
        let mut x = vec![0.0; f.len()];
        let mut iterations = |method: Method, ratio: f64| {
            let mut solver = Solver::new(&truss.structure, Matrix::Effective, method).unwrap();
            solver.tolerance = 1e-8;
            solver.factor((0.5 * ratio * travel).powi(2)).unwrap();
            solver.solve(&f, &mut x).unwrap().iterations
        };
        worst.extend(
            [0.1, 1.0, 3.0, 10.0, 100.0, 1000.0].map(|ratio| (k, ratio, iterations(Method::Mixed, ratio))),
        );
        assert!(iterations(Method::BlockJacobi, 1.0) <= 6);
        assert!(iterations(Method::BlockJacobi, 100.0) > long);
    }
    assert!(worst.iter().all(|(.., iterations)| *iterations <= 8), "{worst:?}");
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let truss =
        Truss::mast_of(600, true, |k| if k % 5 == 0 { uneven(k % 7) } else { Module::mast() }).unwrap();
    let f = scattered(truss.structure.vector_len());
    for (matrix, weight, method) in [
        (Matrix::Mass, 0.0, Method::BlockJacobi),
        (Matrix::Effective, 1e-5, Method::Mixed),
        (Matrix::Effective, 1e-7, Method::BlockJacobi),
    ] {
        let by = |threads| within(threads, |_| solved(&truss, (matrix, weight), method, &f).0);
        let one: Vec<u64> = by(1).into_iter().map(f64::to_bits).collect();
        assert!(by(3).into_iter().map(f64::to_bits).eq(one), "{}", method.name());
    }
}

/// Alike modules are found whatever the order they come in; copies of joined nodes have the same bits.
#[test]
fn alike_modules_share_a_factor() {
    let truss = Truss::mast_of(20, false, |k| uneven(k % 3)).unwrap();
    assert_eq!((truss.structure.kinds(), truss.structure.parts()), (3, 20));
    // a boom of two kinds, and wings of two
    let station = Truss::station(2).unwrap().structure;
    assert_eq!((station.kinds(), station.parts(), station.constraints()), (4, 26, 9 * 25));
    assert_eq!((truss.structure.freedoms(), truss.structure.constraints()), (63 * 20, 9 * 19));
    let f = scattered(truss.structure.vector_len());
    let (x, _) = solved(&truss, (Matrix::Mass, 0.0), Method::BlockJacobi, &f);
    for k in 1..20 {
        for c in 0..3 {
            let [a, b] = [truss.structure.place(k - 1, 18 + c), truss.structure.place(k, c)];
            assert!(a.into_iter().zip(b).all(|(a, b)| x[a] == x[b]));
        }
    }
}

#[test]
fn what_makes_the_metric_singular_is_named() {
    let mut builder = Builder::default();
    let module = Module { ports: vec![[0, 1, 2], [18, 19, 20], [18, 19, 20]], ..Module::mast() };
    for name in ["arm", "boom", "crane"] {
        builder.place(name, &module, [0.0; 3], UPRIGHT);
    }
    builder.join("arm-boom", (0, 1), Some((1, 1)));
    builder.join("boom-crane", (1, 2), Some((2, 1)));
    builder.join("crane-arm", (2, 2), Some((0, 2)));
    let error = builder.build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "interface `crane-arm` connects nodes that `boom-crane`, `arm-boom` already connect, so the constraint metric is \
         singular: omit one interface of the loop"
    );
    let mut builder = Builder::default();
    builder.place("arm", &Module::mast(), [0.0; 3], UPRIGHT);
    builder.place("boom", &Module::mast(), [0.0; 3], UPRIGHT);
    builder.place("crane", &Module::mast(), [0.0; 3], UPRIGHT);
    builder.join("one", (0, 1), Some((1, 0)));
    builder.join("two", (0, 1), Some((2, 0)));
    assert_eq!(
        builder.build().unwrap_err().to_string(),
        "interfaces `one` and `two` both use port 1 of `arm`: list the frame as another port of it"
    );
}

#[test]
fn a_node_without_mass_is_named() {
    let truss = Truss::mast_of(2, false, |k| {
        let mut module = Module::mast();
        module
            .bars
            .iter_mut()
            .filter(|bar| k == 1 && bar.ends.contains(&4))
            .for_each(|bar| bar.density = 0.0);
        module
    });
    let mut solver = Solver::new(&truss.unwrap().structure, Matrix::Mass, Method::Direct).unwrap();
    let error = solver.factor(0.0).unwrap_err();
    assert!(matches!(&error, RangeError::NotDefinite { .. }));
    assert_eq!(
        error.to_string(),
        "the matrix of `module1` is not positive definite at node 4: give the node mass"
    );
}

/// The frequencies of a clamped mast, known to ten digits; bending modes come in pairs.
#[test]
fn lowest_frequencies_are_those_of_the_reference() {
    let known = [
        (1, [16.01857920, 16.01857920, 35.96345210, 76.99418744, 76.99418744, 102.0431595]),
        (4, [1.091106403, 1.091106403, 6.646224182, 6.646224182, 9.030332101, 17.87582683]),
    ];
    for (k, known) in known {
        let truss = Truss::mast(k, true).unwrap();
        for method in Method::ALL {
            let found = lowest_frequencies(&truss, 6, method).unwrap();
            for (found, known) in found.into_iter().zip(known) {
                assert!((found / known - 1.0).abs() < 1e-8, "{k} {}: {found} {known}", method.name());
            }
        }
    }
    // a free ring has six motions without stiffness
    let found = lowest_frequencies(&Truss::ring(6).unwrap(), 8, Method::Direct).unwrap();
    assert!(found[..6].iter().all(|f| *f == 0.0) && found[6] > 1e-3, "{found:?}");
}

/// A unit force on the end of four modules, from rest: small steps come to the reference with the square of the step.
#[test]
fn newmark_steps_follow_the_step_response() {
    let truss = Truss::mast(4, true).unwrap();
    let tip = truss.structure.place(3, 18)[0];
    let known = [(0.001, 3.026289067e-7), (0.002, 9.212961741e-7), (0.005, 3.617599415e-6)];
    for method in Method::ALL {
        let mut errors = Vec::new();
        for step in [1e-5, 5e-6] {
            let mut motion = Newmark::new(&truss, method, step).unwrap();
            motion.force[tip] = 1.0;
            let mut solver = Solver::new(&truss.structure, Matrix::Mass, Method::Direct).unwrap();
            solver.factor(0.0).unwrap();
            solver.solve(&motion.force.clone(), &mut motion.a).unwrap();
            let mut done = 0;
            errors.push(known.map(|(t, u): (f64, f64)| {
                while (done as f64) < t / step - 0.5 {
                    motion.step().unwrap();
                    done += 1;
                }
                (motion.u[tip] / u - 1.0).abs()
            }));
        }
        for (coarse, fine) in errors[0].iter().zip(errors[1]) {
            assert!(fine < 1e-3 && (fine < 0.3 * coarse || fine < 1e-6), "{}: {errors:?}", method.name());
        }
    }
}
