use super::{Problem, Random, gram};
use crate::linalg::{BlockCholesky, BlockPattern};

/// Blocks of J whose rows span less than they count: each row is a random combination of `rank` vectors.
fn dependent(random: &mut Random, sizes: Vec<usize>, rank: usize) -> Problem {
    let rows: usize = sizes.iter().sum();
    let basis: Vec<Vec<f64>> = (0..rank).map(|_| random.vector(rank)).collect();
    let j: Vec<Vec<f64>> = (0..rows)
        .map(|_| {
            let weights = random.vector(rank);
            (0..rank).map(|c| weights.iter().zip(&basis).map(|(w, b)| w * b[c]).sum()).collect()
        })
        .collect();
    let blocks = sizes.len();
    let pairs: Vec<_> = (0..blocks).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    Problem { pattern: BlockPattern::new(sizes, &pairs), s: gram(&j, 0.0) }
}

fn factored(problem: &Problem, cholesky: &BlockCholesky, tolerance: f64) -> (Vec<f64>, Vec<bool>, usize) {
    let mut values = problem.assemble(cholesky.len(), |i, j| cholesky.locate(i, j));
    let mut dropped = vec![true; problem.rows()];
    let count = cholesky.factor_semidefinite(&mut values, tolerance, &mut dropped).unwrap();
    assert_eq!(count, dropped.iter().filter(|&&d| d).count());
    (values, dropped, count)
}

/// Solution of a consistent system, and the null vector of every dropped row.
fn check(problem: &Problem, cholesky: &BlockCholesky, values: &[f64], dropped: &[bool], accuracy: f64) {
    let n = problem.rows();
    let b = problem.times(&(0..n).map(|i| (i as f64).sin()).collect::<Vec<_>>());
    let mut x = b.clone();
    cholesky.solve(values, &mut x);
    assert!(problem.residual(&x, &b) < accuracy, "residual {:e}", problem.residual(&x, &b));
    assert!((0..n).all(|row| !dropped[row] || x[row] == 0.0));

    let (mut y, mut support) = (vec![0.0; n], vec![]);
    for (block, &start) in problem.pattern.offsets()[..problem.pattern.blocks()].iter().enumerate() {
        for row in (0..problem.pattern.sizes()[block]).filter(|row| dropped[start + row]) {
            cholesky.null_vector(values, (block, row), 1e-13, &mut y, &mut support);
            let error = problem.residual(&y, &vec![0.0; n]);
            assert!(error < accuracy, "row {row} of block {block}: {error:e}");
            assert!((0..n).all(|i| !dropped[i] || y[i] == if i == start + row { 1.0 } else { 0.0 }));
            assert_eq!(support[0], block);
            for &block in &support {
                y[problem.pattern.offsets()[block]..problem.pattern.offsets()[block + 1]].fill(0.0);
            }
            assert!(y.iter().all(|&y| y == 0.0), "nonzero outside the support");
        }
    }
}

#[test]
fn rank_of_random_dependent_rows() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let sizes: Vec<usize> = (0..2 + random.below(6)).map(|_| 1 + random.below(8)).collect();
        let rows: usize = sizes.iter().sum();
        let rank = 1 + random.below(rows);
        let problem = dependent(&mut random, sizes.clone(), rank);
        let order = random.order(sizes.len());
        let cholesky = BlockCholesky::analyse(&problem.pattern, &order);
        for cholesky in [cholesky.clone(), cholesky.portable()] {
            let (values, dropped, count) = factored(&problem, &cholesky, 1e-9);
            assert_eq!(count, rows - rank, "seed {seed}, sizes {sizes:?}");
            check(&problem, &cholesky, &values, &dropped, 1e-10);
        }
    }
}

#[test]
fn definite_matrices_lose_nothing_and_give_the_same_factor() {
    let mut random = Random::new(8);
    let problem = Problem::random(&mut random, vec![1, 2, 3, 4, 5, 6, 7, 0], 8, 0.5);
    let cholesky = BlockCholesky::analyse(&problem.pattern, &random.order(8));
    let (values, dropped, count) = factored(&problem, &cholesky, 1e-10);
    assert_eq!((count, dropped.contains(&true)), (0, false));
    let mut definite = problem.assemble(cholesky.len(), |i, j| cholesky.locate(i, j));
    cholesky.factor(&mut definite, 1e-10).unwrap();
    let b = random.vector(problem.rows());
    let (mut x, mut y) = (b.clone(), b);
    cholesky.solve(&values, &mut x);
    cholesky.solve(&definite, &mut y);
    assert_eq!(x, y);
}

/// A block whose first row retains only 1e-6 of itself, and exactly what its second row would explain.
#[test]
fn a_row_with_little_left_waits_for_a_better_one() {
    let j = vec![vec![1.0, 0.0, 0.0], vec![1.0, 1e-3, 0.0], vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]];
    let problem = Problem { pattern: BlockPattern::new(vec![1, 3], &[(0, 1)]), s: gram(&j, 0.0) };
    let cholesky = BlockCholesky::analyse(&problem.pattern, &[0, 1]);
    let (values, dropped, _) = factored(&problem, &cholesky, 1e-10);
    assert_eq!(dropped, [false, true, false, false]);
    // the dropped row precedes kept rows of its block, and depends on one of them
    let (mut y, mut support) = (vec![0.0; 4], vec![]);
    cholesky.null_vector(&values, (1, 0), 1e-12, &mut y, &mut support);
    for (y, expected) in y.iter().zip([-1.0, 1.0, -1e-3, 0.0]) {
        assert!((y - expected).abs() < 1e-12);
    }
    check(&problem, &cholesky, &values, &dropped, 1e-14);
}

#[test]
fn zero_rows_are_dropped() {
    let j = vec![vec![0.0, 0.0], vec![2.0, 0.0], vec![0.0, 0.0], vec![1.0, 1.0]];
    let problem = Problem { pattern: BlockPattern::new(vec![1, 2, 1], &[(0, 1), (1, 2)]), s: gram(&j, 0.0) };
    let cholesky = BlockCholesky::analyse(&problem.pattern, &[2, 1, 0]);
    let (values, dropped, count) = factored(&problem, &cholesky, 1e-12);
    assert_eq!((count, &dropped[..]), (2, &[true, false, true, false][..]));
    check(&problem, &cholesky, &values, &dropped, 1e-15);
}

#[test]
fn numbers_that_are_not_finite_are_an_error() {
    for size in [3, 8] {
        let pattern = BlockPattern::new(vec![size, size], &[(0, 1)]);
        let cholesky = BlockCholesky::analyse(&pattern, &[0, 1]);
        for bad in [f64::NAN, f64::INFINITY] {
            let mut values = vec![0.0; cholesky.len()];
            values[cholesky.locate(0, 0).unwrap().index(2, 2)] = bad;
            let error =
                cholesky.factor_semidefinite(&mut values, 1e-10, &mut vec![false; 2 * size]).unwrap_err();
            assert_eq!((error.block, error.row), (0, 2));
        }
    }
}

/// A ring with one dependent row and a long tail: the null vector must not run down the tail.
#[test]
fn null_vectors_are_sparse() {
    const TAIL: usize = 200;
    let blocks = TAIL + 4;
    let bodies = blocks;
    let mut random = Random::new(21);
    // tail of bodies 0..TAIL, then a ring of four joints between bodies TAIL..TAIL + 4, two rows each
    let ends = |i: usize| if i + 1 < blocks { (i, i + 1) } else { (i, TAIL) };
    let mut j = vec![vec![0.0; bodies * 4]; blocks * 2];
    for i in 0..blocks {
        let (a, b) = ends(i);
        for (row, part) in j[2 * i..2 * i + 2].iter_mut().enumerate() {
            for c in 0..4 {
                part[4 * a + c] = random.signed();
                part[4 * b + c] = if i < TAIL { random.signed() } else { 0.0 };
            }
            // joints of the ring constrain differences of coordinate `row`: their sum around the ring is zero
            if i >= TAIL {
                part[4 * a..4 * a + 4].fill(0.0);
                part[4 * a + row] = 1.0;
                part[4 * b + row] = -1.0;
            }
        }
    }
    let touch = |a: usize, b: usize| {
        let (x, y) = (ends(a), ends(b));
        x.0 == y.0 || x.0 == y.1 || x.1 == y.0 || x.1 == y.1
    };
    let pairs: Vec<_> =
        (0..blocks).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| touch(a, b)).collect();
    let problem = Problem { pattern: BlockPattern::new(vec![2; blocks], &pairs), s: gram(&j, 0.0) };
    let cholesky = BlockCholesky::analyse(&problem.pattern, &(0..blocks).collect::<Vec<_>>());
    let (values, dropped, count) = factored(&problem, &cholesky, 1e-10);
    assert_eq!(count, 2);
    check(&problem, &cholesky, &values, &dropped, 1e-12);
    let (mut y, mut support) = (vec![0.0; 2 * blocks], vec![]);
    cholesky.null_vector(&values, (blocks - 1, 0), 1e-12, &mut y, &mut support);
    assert!(support.len() <= 6, "{} blocks visited", support.len());
    assert!((0..4).all(|i| (y[2 * (TAIL + i)] - 1.0).abs() < 1e-10));
}
