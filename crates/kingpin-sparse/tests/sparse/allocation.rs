//! After the first factorisation nothing is allocated.

use crate::augmented;

use augmented::{Mechanism, Random};
use kingpin_sparse::{Pivots, SparseLdlt, SparseLu};
use kingpin_testing::counting::allocations;

#[test]
fn numeric_phases_allocate_nothing() {
    let mut random = Random::new(1);
    let mechanism = Mechanism::chain(6, 20, 3);
    let (first, second) = (mechanism.augmented(&mut random), mechanism.augmented(&mut random));
    let (upper, upper_second) = (first.upper(), second.upper());
    let mut x = random.vector(first.n);

    let mut ldlt = SparseLdlt::analyse(first.n, &upper.columns, &upper.rows, None).unwrap();
    let count = allocations(|| {
        ldlt.factor(&upper.values).unwrap();
        ldlt.solve(&mut x).unwrap();
        ldlt.factor(&upper_second.values).unwrap();
    });
    assert_eq!(count, 0);

    let mut lu = SparseLu::analyse(first.n, &first.columns, &first.rows).unwrap();
    let count = allocations(|| lu.factor(&first.values).unwrap());
    assert!(count < 60, "{count}: only the factors grow, by doubling");
    let count = allocations(|| {
        assert_eq!(lu.refactor(&first.values), Ok(Pivots::Kept));
        lu.factor(&first.values).unwrap();
        lu.solve(&mut x).unwrap();
        lu.solve_transposed(&mut x).unwrap();
    });
    assert_eq!(count, 0);
}
