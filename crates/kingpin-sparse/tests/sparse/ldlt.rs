//! LDLT without pivoting against dense LU, on augmented matrices.

use crate::augmented;

use augmented::{Matrix, Mechanism, Random, worst};
use kingpin_sparse::{SparseError, SparseLdlt};
use nalgebra::DVector;

fn analyse(a: &Matrix, order: Option<&[usize]>) -> SparseLdlt {
    let upper = a.upper();
    SparseLdlt::analyse(a.n, &upper.columns, &upper.rows, order).unwrap()
}

#[test]
fn solves_mechanisms_like_dense_lu() {
    let mut random = Random::new(1);
    for (name, mechanism) in augmented::mechanisms() {
        let a = mechanism.augmented(&mut random);
        let b = random.vector(a.n);
        let dense = a.dense().lu().solve(&DVector::from_column_slice(&b)).unwrap();
        // coordinates before multipliers is always safe
        let order: Vec<usize> = (0..a.n).collect();
        let mut ldlt = analyse(&a, Some(&order));
        ldlt.factor(&a.upper().values).unwrap();
        let mut x = b.clone();
        ldlt.solve(&mut x).unwrap();
        assert!(worst(&x, dense.as_slice()) < 1e-8 * (1.0 + dense.amax()), "{name}");
    }
}

#[test]
fn its_own_order_solves_every_mechanism_with_less_fill() {
    let mut random = Random::new(2);
    let mut entries = (0, 0);
    for (name, mechanism) in augmented::mechanisms() {
        for a in [mechanism.augmented(&mut random), mechanism.augmented_central(&mut random)] {
            let order: Vec<usize> = (0..a.n).collect();
            let (mut ldlt, plain) = (analyse(&a, None), analyse(&a, Some(&order)));
            let (own, given) = (ldlt.factor_entries(), plain.factor_entries());
            // degrees are a rule of thumb: matrices of one or two bodies may fill in a little more
            assert!(own * 10 <= given * 11, "{name}: {own}, {given}");
            assert!(own <= given || a.n < 40, "{name}: {own}, {given}");
            entries = (entries.0 + own, entries.1 + given);
            assert_eq!(ldlt.factor(&a.upper().values), Ok(()), "{name}");
            let expected = random.vector(a.n);
            let mut x = a.times(&expected);
            ldlt.solve(&mut x).unwrap();
            assert!(worst(&x, &expected) < 1e-7, "{name}: {}", worst(&x, &expected));
        }
    }
    assert!(entries.0 * 4 < entries.1 * 3, "{entries:?}");
}

#[test]
fn names_the_zero_pivot_of_a_driver_eliminated_too_early() {
    let mut random = Random::new(3);
    let mechanism = Mechanism::chain(6, 4, 3).drive(2, 1);
    let a = mechanism.augmented(&mut random);
    let (values, driver) = (a.upper().values, a.n - 1);
    // the matrix is regular, but not its leading block where the driver precedes its coordinate
    let mut order: Vec<usize> = (0..a.n - 1).collect();
    order.insert(5, driver);
    let mut ldlt = analyse(&a, Some(&order));
    assert_eq!(ldlt.factor(&values), Err(SparseError::ZeroPivot { index: driver }));
    assert_eq!(ldlt.solve(&mut vec![0.0; a.n]), Err(SparseError::NotFactored));
    // right after its coordinate it can be eliminated
    order.retain(|&index| index != driver);
    order.insert(2 * 6 + 2, driver);
    let mut ldlt = analyse(&a, Some(&order));
    ldlt.factor(&values).unwrap();
    let expected = random.vector(a.n);
    let mut x = a.times(&expected);
    ldlt.solve(&mut x).unwrap();
    assert!(worst(&x, &expected) < 1e-10, "{}", worst(&x, &expected));
}

#[test]
fn finds_redundant_equations() {
    let mut random = Random::new(4);
    let mechanisms = augmented::mechanisms();
    let mut missed = 0;
    for (name, mechanism) in mechanisms.iter().cycle().take(10 * mechanisms.len()) {
        let a = augmented::with_redundant_equation(mechanism, &mut random);
        let order: Vec<usize> = (0..a.n).collect();
        // the multiplier eliminated last is the redundant one
        match analyse(&a, Some(&order)).factor(&a.upper().values) {
            Err(error) => assert_eq!(error, SparseError::ZeroPivot { index: a.n - 1 }, "{name}"),
            Ok(()) => missed += 1,
        }
        let found = analyse(&a, None).factor(&a.upper().values).is_err();
        missed += usize::from(!found);
    }
    assert!(missed * 50 <= 20 * mechanisms.len(), "{missed} missed");
}

#[test]
fn a_second_factorisation_is_as_good_as_a_first() {
    let mut random = Random::new(5);
    let mechanism = Mechanism::loops(3, 12, 2);
    let order: Vec<usize> = (0..mechanism.coordinates() + mechanism.equations()).collect();
    let (first, second) = (mechanism.augmented(&mut random), mechanism.augmented(&mut random));
    let b = random.vector(first.n);
    let solve = |ldlt: &mut SparseLdlt, values: &[f64]| {
        ldlt.factor(values).unwrap();
        let mut x = b.clone();
        ldlt.solve(&mut x).unwrap();
        x
    };
    let mut used = analyse(&first, Some(&order));
    let before = solve(&mut used, &first.upper().values);
    // a failure in between leaves nothing behind
    assert!(used.factor(&vec![0.0; first.upper().values.len()]).is_err());
    let again = solve(&mut used, &second.upper().values);
    let fresh = solve(&mut analyse(&first, Some(&order)), &second.upper().values);
    assert_eq!(again, fresh);
    assert_ne!(again, before);
}

#[test]
fn values_follow_the_order_of_the_pattern() {
    // [2 1 0; 1 0 3; 0 3 5] by columns of the upper triangle, the zero stored, eliminated from the end
    let (columns, rows, values) = ([0, 1, 3, 5], [0, 0, 1, 1, 2], [2.0, 1.0, 0.0, 3.0, 5.0]);
    for order in [[2, 1, 0], [0, 1, 2], [1, 0, 2]] {
        let mut ldlt = SparseLdlt::analyse(3, &columns, &rows, Some(&order)).unwrap();
        if order[0] == 1 {
            assert_eq!(ldlt.factor(&values), Err(SparseError::ZeroPivot { index: 1 }));
            continue;
        }
        ldlt.factor(&values).unwrap();
        let mut x = [4.0, 10.0, 21.0]; // times (1, 2, 3)
        ldlt.solve(&mut x).unwrap();
        assert!(worst(&x, &[1.0, 2.0, 3.0]) < 1e-14, "{x:?}");
    }
}

#[test]
fn refuses_what_does_not_fit() {
    let refused = SparseLdlt::analyse(2, &[0, 2, 3], &[0, 1, 1], None);
    assert_eq!(refused.err(), Some(SparseError::BelowDiagonal { column: 0, row: 1 }));
    let refused = SparseLdlt::analyse(2, &[0, 1, 2], &[0, 1], Some(&[0]));
    assert_eq!(refused.err(), Some(SparseError::NotAPermutation { index: 1 }));
    let mut ldlt = SparseLdlt::analyse(2, &[0, 1, 2], &[0, 1], None).unwrap();
    assert_eq!(ldlt.factor(&[1.0]), Err(SparseError::WrongLength { expected: 2, given: 1 }));
    assert_eq!(ldlt.factor(&[1.0, f64::NAN]), Err(SparseError::ValueNotFinite { position: 1 }));
    assert_eq!(ldlt.solve(&mut [0.0; 2]), Err(SparseError::NotFactored));
    ldlt.factor(&[1.0, -1.0]).unwrap();
    assert_eq!(ldlt.solve(&mut [0.0]), Err(SparseError::WrongLength { expected: 2, given: 1 }));
    assert_eq!(ldlt.solve(&mut [f64::NAN, 0.0]), Err(SparseError::SolutionNotFinite { index: 0 }));
    let mut empty = SparseLdlt::analyse(0, &[0], &[], None).unwrap();
    assert_eq!((empty.factor(&[]), empty.solve(&mut [])), (Ok(()), Ok(())));
}
