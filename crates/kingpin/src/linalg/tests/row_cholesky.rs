use super::{Problem, Random};
use crate::linalg::{Band, BlockPattern, DenseCholesky, Envelope, ZeroPivot};

fn problems() -> impl Iterator<Item = (Random, Problem, Vec<usize>)> {
    (0..30).map(|seed| {
        let mut random = Random::new(seed);
        let blocks = random.below(16);
        let sizes = (0..blocks).map(|_| random.below(9)).collect();
        let problem = Problem::random(&mut random, sizes, blocks + 2, 0.1);
        let order = random.order(blocks);
        (random, problem, order)
    })
}

#[test]
fn envelope_solves_random_patterns_in_random_orders() {
    for (mut random, problem, order) in problems() {
        let envelope = Envelope::analyse(&problem.pattern, &order);
        let mut values = problem.assemble(envelope.len(), |i, j| envelope.locate(i, j));
        envelope.factor(&mut values, 1e-12).unwrap();
        let b = random.vector(envelope.rows());
        let (mut x, mut scratch) = (b.clone(), vec![0.0; b.len()]);
        envelope.solve(&values, &mut x, &mut scratch);
        assert!(problem.residual(&x, &b) < 1e-14, "{:e}", problem.residual(&x, &b));
    }
}

#[test]
fn band_solves_random_patterns_in_random_orders() {
    for (mut random, problem, order) in problems() {
        let band = Band::analyse(&problem.pattern, &order);
        let mut values = problem.assemble(band.len(), |i, j| band.locate(i, j));
        band.factor(&mut values, 1e-12).unwrap();
        let b = random.vector(band.rows());
        let (mut x, mut scratch) = (b.clone(), vec![0.0; b.len()]);
        band.solve(&values, &mut x, &mut scratch);
        assert!(problem.residual(&x, &b) < 1e-14, "{:e}", problem.residual(&x, &b));
    }
}

#[test]
fn dense_solves_random_patterns() {
    for (mut random, problem, _) in problems() {
        let dense = DenseCholesky::analyse(&problem.pattern);
        let mut values = problem.assemble(dense.len(), |i, j| dense.locate(i, j));
        dense.factor(&mut values, 1e-12).unwrap();
        let b = random.vector(dense.rows());
        let mut x = b.clone();
        dense.solve(&values, &mut x);
        assert!(problem.residual(&x, &b) < 1e-14, "{:e}", problem.residual(&x, &b));
    }
}

#[test]
fn storage_follows_the_pattern() {
    let pattern = BlockPattern::new(vec![2, 3, 2], &[(0, 1), (1, 2)]);
    let envelope = Envelope::analyse(&pattern, &[0, 1, 2]);
    assert_eq!(envelope.len(), 2 * 2 + 3 * 5 + 2 * 5);
    assert_eq!(envelope.locate(2, 0), None);
    assert_eq!(envelope.locate(3, 0), None);
    let band = Band::analyse(&pattern, &[0, 1, 2]);
    assert_eq!(band.half_bandwidth(), 4);
    assert_eq!((band.locate(0, 2), band.locate(0, 3)), (None, None));
    let dense = DenseCholesky::analyse(&pattern);
    assert_eq!(dense.len(), 2 * 2 + 3 * 5 + 2 * 7);
    assert_eq!((dense.locate(2, 0).unwrap().offset, dense.locate(3, 0)), (19, None));
}

#[test]
fn zero_pivots_name_natural_blocks() {
    let pattern = BlockPattern::new(vec![2, 3], &[(0, 1)]);
    let mut problem = Problem { pattern, s: vec![0.0; 25] };
    for i in 0..5 {
        problem.s[6 * i] = 4.0;
    }
    // rows 1 (block 0) and 3 (block 1, row 1) are the same
    problem.s[5 + 3] = 4.0;
    problem.s[3 * 5 + 1] = 4.0;
    let expected = |block, row| Err(ZeroPivot { block, row, pivot: 0.0, scale: 4.0 });
    let envelope = Envelope::analyse(&problem.pattern, &[1, 0]);
    let mut values = problem.assemble(envelope.len(), |i, j| envelope.locate(i, j));
    assert_eq!(envelope.factor(&mut values, 1e-12), expected(0, 1));
    let band = Band::analyse(&problem.pattern, &[1, 0]);
    let mut values = problem.assemble(band.len(), |i, j| band.locate(i, j));
    assert_eq!(band.factor(&mut values, 1e-12), expected(0, 1));
    let dense = DenseCholesky::analyse(&problem.pattern);
    let mut values = problem.assemble(dense.len(), |i, j| dense.locate(i, j));
    assert_eq!(dense.factor(&mut values, 1e-12), expected(1, 1));
}
