//! Sparse LU against dense LU, on augmented matrices and on matrices made to trouble it.

use crate::augmented;

use augmented::{Matrix, Mechanism, Random, worst};
use kingpin_sparse::{Pivots, SparseError, SparseLdlt, SparseLu};
use nalgebra::DVector;

fn analyse(a: &Matrix) -> SparseLu {
    SparseLu::analyse(a.n, &a.columns, &a.rows).unwrap()
}

/// Any place may be filled; the diagonal is weak.
fn scattered(n: usize, per_column: usize, random: &mut Random) -> Matrix {
    let mut entries = Vec::new();
    for j in 0..n {
        // a cyclic shift keeps the matrix regular in structure
        entries.push(((j + 1) % n, j, 1.0 + random.signed()));
        entries.extend((0..per_column).map(|_| (random.below(n), j, random.signed())));
    }
    Matrix::from_entries(n, &entries)
}

#[test]
fn solves_mechanisms_like_dense_lu() {
    let mut random = Random::new(1);
    for (name, mechanism) in augmented::mechanisms() {
        for a in [mechanism.augmented(&mut random), mechanism.augmented_central(&mut random)] {
            let b = random.vector(a.n);
            let dense = a.dense().lu().solve(&DVector::from_column_slice(&b)).unwrap();
            let mut lu = analyse(&a);
            lu.factor(&a.values).unwrap();
            let mut x = b.clone();
            lu.solve(&mut x).unwrap();
            assert!(worst(&x, dense.as_slice()) < 1e-9 * (1.0 + dense.amax()), "{name}");
            // the residual does not suffer from the condition of the matrix
            let size = dense.amax() * 10.0 + 1.0;
            assert!(worst(&a.times(&x), &b) < 1e-12 * size, "{name}: {}", worst(&a.times(&x), &b));
        }
    }
}

#[test]
fn solves_unsymmetric_matrices_and_their_transposes() {
    let mut random = Random::new(2);
    for n in [1, 2, 3, 10, 60] {
        for per_column in [0, 1, 4] {
            let a = scattered(n, per_column, &mut random);
            let expected = random.vector(n);
            let mut lu = analyse(&a);
            lu.factor(&a.values).unwrap();
            let (mut x, mut y) = (a.times(&expected), a.transposed_times(&expected));
            lu.solve(&mut x).unwrap();
            lu.solve_transposed(&mut y).unwrap();
            let condition = a.dense().singular_values();
            let tolerance = 1e-14 * (n as f64) * (condition.max() / condition.min()) * 1e3;
            assert!(worst(&x, &expected) < tolerance && worst(&y, &expected) < tolerance, "{n} {per_column}");
        }
    }
}

#[test]
fn keeps_the_fill_of_the_symmetric_factor() {
    // spherical joints: every diagonal met is large enough, so L and U have the pattern of the LDLT factor
    let mut random = Random::new(3);
    let (chain, star) = (Mechanism::chain(6, 50, 3), Mechanism::star(6, 100, 3));
    for a in [chain.augmented_central(&mut random), star.augmented(&mut random)] {
        let upper = a.upper();
        let ldlt = SparseLdlt::analyse(a.n, &upper.columns, &upper.rows, None).unwrap();
        let mut lu = analyse(&a);
        assert_eq!(lu.factor_entries(), 0);
        lu.factor(&a.values).unwrap();
        assert_eq!(lu.factor_entries(), 2 * ldlt.factor_entries() - a.n);
    }
}

#[test]
fn refactoring_agrees_with_factoring_afresh() {
    let mut random = Random::new(4);
    for (name, mechanism) in augmented::mechanisms() {
        let first = mechanism.augmented(&mut random);
        let mut kept = analyse(&first);
        assert_eq!(kept.refactor(&first.values), Ok(Pivots::Chosen), "{name}: nothing to keep yet");
        // values near the first: the pivots last
        let nearby: Vec<f64> = first.values.iter().map(|v| v * (1.0 + 1e-3 * random.signed())).collect();
        assert_eq!(kept.refactor(&nearby), Ok(Pivots::Kept), "{name}");
        // other values altogether, whatever becomes of the pivots
        for values in [nearby, mechanism.augmented(&mut random).values] {
            kept.refactor(&values).unwrap();
            let mut fresh = analyse(&first);
            fresh.factor(&values).unwrap();
            let b = random.vector(first.n);
            let (mut x, mut y) = (b.clone(), b);
            kept.solve(&mut x).unwrap();
            fresh.solve(&mut y).unwrap();
            let size = y.iter().fold(1.0, |most: f64, y| most.max(y.abs()));
            assert!(worst(&x, &y) < 1e-8 * size, "{name}: {}", worst(&x, &y));
        }
    }
}

#[test]
fn factoring_twice_gives_the_same_bits() {
    let mut random = Random::new(5);
    let mechanism = Mechanism::vehicle(4);
    let (a, other) = (mechanism.augmented(&mut random), mechanism.augmented(&mut random));
    let b = random.vector(a.n);
    let mut lu = analyse(&a);
    let mut solutions = Vec::new();
    for values in [&a.values, &other.values, &a.values] {
        lu.factor(values).unwrap();
        let mut x = b.clone();
        lu.solve(&mut x).unwrap();
        solutions.push(x);
    }
    assert_eq!(solutions[0], solutions[2]);
    assert_ne!(solutions[0], solutions[1]);
}

#[test]
fn a_pivot_that_vanishes_is_replaced() {
    // the diagonal is chosen first; then it becomes zero, then negligible
    let (columns, rows) = ([0, 2, 4], [0, 1, 0, 1]);
    let mut lu = SparseLu::analyse(2, &columns, &rows).unwrap();
    lu.factor(&[4.0, 1.0, 1.0, 3.0]).unwrap();
    for weak in [0.0, 1e-14, 1e-6] {
        assert_eq!(lu.refactor(&[weak, 1.0, 1.0, 3.0]), Ok(Pivots::Chosen));
        let mut x = [1.0 + weak, 4.0];
        lu.solve(&mut x).unwrap();
        assert!(worst(&x, &[1.0, 1.0]) < 1e-14, "{x:?}");
        lu.factor(&[4.0, 1.0, 1.0, 3.0]).unwrap();
    }
}

#[test]
fn values_follow_the_order_of_the_pattern() {
    // [1 2; 3 4] by columns, against x = (1, 1)
    let mut lu = SparseLu::analyse(2, &[0, 2, 4], &[0, 1, 0, 1]).unwrap();
    lu.factor(&[1.0, 3.0, 2.0, 4.0]).unwrap();
    let (mut x, mut y) = ([3.0, 7.0], [4.0, 6.0]);
    lu.solve(&mut x).unwrap();
    lu.solve_transposed(&mut y).unwrap();
    assert!(worst(&x, &[1.0, 1.0]) < 1e-14 && worst(&y, &[1.0, 1.0]) < 1e-14);
}

#[test]
fn any_order_solves_the_same_matrix() {
    let mut random = Random::new(6);
    let a = Mechanism::vehicle(2).augmented(&mut random);
    let expected = random.vector(a.n);
    for order in [(0..a.n).collect::<Vec<_>>(), (0..a.n).rev().collect()] {
        let mut lu = SparseLu::analyse_in_order(a.n, &a.columns, &a.rows, &order).unwrap();
        lu.factor(&a.values).unwrap();
        let mut x = a.times(&expected);
        lu.solve(&mut x).unwrap();
        assert!(worst(&x, &expected) < 1e-8, "{}", worst(&x, &expected));
    }
    let refused = SparseLu::analyse_in_order(2, &[0, 1, 2], &[0, 1], &[1, 1]);
    assert_eq!(refused.err(), Some(SparseError::NotAPermutation { index: 1 }));
}

#[test]
fn names_a_column_of_a_singular_matrix() {
    // an empty column
    let mut lu = SparseLu::analyse(3, &[0, 1, 1, 2], &[0, 2]).unwrap();
    assert_eq!(lu.factor(&[1.0, 1.0]), Err(SparseError::Singular { column: 1 }));
    assert_eq!(lu.solve(&mut [1.0; 3]), Err(SparseError::NotFactored));
    // a column of zeros
    let mut lu = SparseLu::analyse(3, &[0, 1, 2, 3], &[0, 1, 2]).unwrap();
    assert_eq!(lu.factor(&[1.0, 1.0, 0.0]), Err(SparseError::Singular { column: 2 }));
    // dependent columns, given in their order: the second of them
    let mut lu = SparseLu::analyse_in_order(2, &[0, 2, 4], &[0, 1, 0, 1], &[0, 1]).unwrap();
    assert_eq!(lu.factor(&[0.1, 0.3, 0.7, 2.1]), Err(SparseError::Singular { column: 1 }));
    // a failure leaves nothing behind
    lu.factor(&[1.0, 3.0, 2.0, 4.0]).unwrap();
    let mut x = [3.0, 7.0];
    lu.solve(&mut x).unwrap();
    assert!(worst(&x, &[1.0, 1.0]) < 1e-14);
    // and a factored matrix that becomes singular is not solved with
    assert_eq!(lu.refactor(&[0.1, 0.3, 0.7, 2.1]), Err(SparseError::Singular { column: 1 }));
    assert_eq!(lu.solve(&mut x), Err(SparseError::NotFactored));
}

#[test]
fn finds_redundant_equations() {
    let mut random = Random::new(7);
    let mechanisms = augmented::mechanisms();
    let mut missed = 0;
    for (name, mechanism) in mechanisms.iter().cycle().take(10 * mechanisms.len()) {
        let a = augmented::with_redundant_equation(mechanism, &mut random);
        match analyse(&a).factor(&a.values) {
            Err(error) => assert!(matches!(error, SparseError::Singular { .. }), "{name}: {error}"),
            Ok(()) => missed += 1,
        }
        let a = mechanism.augmented(&mut random);
        assert_eq!(analyse(&a).factor(&a.values), Ok(()), "{name}: regular");
    }
    assert!(missed * 50 <= 10 * mechanisms.len(), "{missed} missed");
}

#[test]
fn overflow_is_an_error_not_a_number() {
    // 1e200 * 1e200 arises below the pivot of 1e-200 that this order and pattern leave no choice about
    let mut lu = SparseLu::analyse_in_order(2, &[0, 1, 3], &[0, 0, 1], &[0, 1]).unwrap();
    lu.factor(&[1e-200, 1e200, 1.0]).unwrap();
    assert_eq!(lu.solve(&mut [0.0, 1.0]), Err(SparseError::SolutionNotFinite { index: 0 }));
    // inf - inf while factoring
    let mut lu = SparseLu::analyse_in_order(2, &[0, 2, 4], &[0, 1, 0, 1], &[0, 1]).unwrap();
    assert_eq!(lu.factor(&[1e200, 1e200, 1e308, -1e308]), Err(SparseError::Singular { column: 1 }));
}

#[test]
fn scale_does_not_matter() {
    let mut random = Random::new(8);
    let a = Mechanism::vehicle(4).augmented(&mut random);
    let b = random.vector(a.n);
    let solve = |scale: f64| {
        let values: Vec<f64> = a.values.iter().map(|value| value * scale).collect();
        let mut lu = analyse(&a);
        lu.factor(&values).unwrap();
        let mut x: Vec<f64> = b.iter().map(|b| b * scale).collect();
        lu.solve(&mut x).unwrap();
        x
    };
    // powers of two: the same bits
    assert_eq!(solve(1.0), solve(2.0_f64.powi(300)));
    assert_eq!(solve(1.0), solve(2.0_f64.powi(-300)));
}

#[test]
fn refuses_what_does_not_fit() {
    let mut lu = SparseLu::analyse(2, &[0, 1, 2], &[0, 1]).unwrap();
    assert_eq!(lu.solve(&mut [0.0; 2]), Err(SparseError::NotFactored));
    assert_eq!(lu.factor(&[1.0]), Err(SparseError::WrongLength { expected: 2, given: 1 }));
    assert_eq!(lu.factor(&[1.0, f64::NAN]), Err(SparseError::ValueNotFinite { position: 1 }));
    assert_eq!(lu.refactor(&[f64::INFINITY, 1.0]), Err(SparseError::ValueNotFinite { position: 0 }));
    lu.factor(&[1.0, 1.0]).unwrap();
    assert_eq!(lu.solve(&mut [0.0; 3]), Err(SparseError::WrongLength { expected: 2, given: 3 }));
    assert_eq!(lu.solve(&mut [0.0, f64::NAN]), Err(SparseError::SolutionNotFinite { index: 1 }));
    let mut empty = SparseLu::analyse(0, &[0], &[]).unwrap();
    assert_eq!((empty.factor(&[]), empty.solve(&mut [])), (Ok(()), Ok(())));
}
