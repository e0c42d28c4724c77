use super::{Problem, Random, dense_solve};
use crate::linalg::{BlockCholesky, BlockPattern, ZeroPivot};

/// Both arithmetics of a factorisation.
fn machines(cholesky: BlockCholesky) -> [BlockCholesky; 2] {
    [cholesky.clone(), cholesky.portable()]
}

fn chain(blocks: usize, size: usize) -> BlockPattern {
    BlockPattern::new(vec![size; blocks], &(1..blocks).map(|i| (i, i - 1)).collect::<Vec<_>>())
}

#[test]
fn agrees_with_dense_elimination_on_random_patterns() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let blocks = 1 + random.below(24);
        let sizes = (0..blocks).map(|_| 1 + random.below(8)).collect();
        let problem = Problem::random(&mut random, sizes, blocks + 1, 0.1);
        let order = random.order(blocks);
        let b = random.vector(problem.rows());
        let reference = dense_solve(&problem.s, &b);
        for cholesky in machines(BlockCholesky::analyse(&problem.pattern, &order)) {
            let mut values = problem.assemble(cholesky.len(), |i, j| cholesky.locate(i, j));
            cholesky.factor(&mut values, 1e-12).unwrap();
            let mut x = b.clone();
            cholesky.solve(&values, &mut x);
            assert!(problem.residual(&x, &b) < 1e-14, "seed {seed}: {:e}", problem.residual(&x, &b));
            for (x, y) in x.iter().zip(&reference) {
                assert!((x - y).abs() < 1e-10 * (1.0 + y.abs()), "seed {seed}: {x} for {y}");
            }
        }
    }
}

#[test]
fn every_combination_of_block_sizes() {
    // a triangle of blocks uses each kernel once: update, product, division
    for sizes in (0..8 * 8 * 8).map(|c| vec![c / 64, c / 8 % 8, c % 8]) {
        let mut random = Random::new(3);
        let problem = Problem::random(&mut random, sizes.clone(), 1, 0.5);
        let b = random.vector(problem.rows());
        for cholesky in machines(BlockCholesky::analyse(&problem.pattern, &[0, 1, 2])) {
            let mut values = problem.assemble(cholesky.len(), |i, j| cholesky.locate(i, j));
            cholesky.factor(&mut values, 1e-12).unwrap();
            let mut x = b.clone();
            cholesky.solve(&values, &mut x);
            assert!(problem.residual(&x, &b) < 1e-14, "{sizes:?}: {:e}", problem.residual(&x, &b));
        }
    }
}

#[test]
fn several_right_hand_sides_match_one_at_a_time() {
    let mut random = Random::new(11);
    let sizes = (0..12).map(|i| 1 + i % 8).collect();
    let problem = Problem::random(&mut random, sizes, 9, 0.2);
    let order = random.order(12);
    for cholesky in machines(BlockCholesky::analyse(&problem.pattern, &order)) {
        let mut values = problem.assemble(cholesky.len(), |i, j| cholesky.locate(i, j));
        cholesky.factor(&mut values, 0.0).unwrap();
        for width in 0..10 {
            let b = random.vector(problem.rows() * width);
            let mut many = b.clone();
            cholesky.solve_many(&values, &mut many, width);
            for c in 0..width {
                let mut x: Vec<f64> = b.iter().skip(c).step_by(width).copied().collect();
                cholesky.solve(&values, &mut x);
                for (row, x) in x.iter().enumerate() {
                    assert!((many[row * width + c] - x).abs() < 1e-12 * (1.0 + x.abs()));
                }
            }
        }
    }
}

#[test]
fn halves_make_the_quadratic_form() {
    let mut random = Random::new(5);
    let problem = Problem::random(&mut random, vec![3, 5, 2, 6, 7], 4, 0.3);
    let cholesky = BlockCholesky::analyse(&problem.pattern, &[4, 2, 0, 1, 3]);
    let mut values = problem.assemble(cholesky.len(), |i, j| cholesky.locate(i, j));
    cholesky.factor(&mut values, 0.0).unwrap();
    let b = random.vector(problem.rows());
    let (mut half, mut full) = (b.clone(), b.clone());
    cholesky.forward(&values, &mut half);
    cholesky.solve(&values, &mut full);
    // b^T S^-1 b = z^T D^-1 z with z = L^-1 b
    let pivots = (0..5).flat_map(|block| cholesky.pivots(&values, block).collect::<Vec<_>>());
    let form: f64 = half.iter().zip(pivots).map(|(z, d)| z * z / d).sum();
    let expected: f64 = full.iter().zip(&b).map(|(x, b)| x * b).sum();
    assert!((form - expected).abs() < 1e-12 * expected);
    cholesky.backward(&values, &mut half);
    assert_eq!(half, full);
}

#[test]
fn empty_single_and_disconnected() {
    let empty = BlockCholesky::analyse(&BlockPattern::new(vec![], &[]), &[]);
    assert_eq!((empty.len(), empty.rows()), (0, 0));
    empty.factor(&mut [], 0.0).unwrap();
    empty.solve(&[], &mut []);

    let single = BlockCholesky::analyse(&BlockPattern::new(vec![1], &[]), &[0]);
    let mut values = vec![0.0; single.len()];
    values[single.locate(0, 0).unwrap().index(0, 0)] = 4.0;
    single.factor(&mut values, 0.0).unwrap();
    let mut x = [8.0];
    single.solve(&values, &mut x);
    assert_eq!(x, [2.0]);

    let mut random = Random::new(2);
    let mut problem = Problem::random(&mut random, vec![2, 3, 0, 1], 1, 1.0);
    problem.pattern = BlockPattern::new(vec![2, 3, 0, 1], &[]);
    let (n, offsets) = (problem.rows(), problem.pattern.offsets().to_vec());
    let block_of = |row: usize| offsets.partition_point(|&offset| offset <= row);
    for index in 0..n * n {
        if block_of(index / n) != block_of(index % n) {
            problem.s[index] = 0.0;
        }
    }
    let cholesky = BlockCholesky::analyse(&problem.pattern, &[3, 2, 0, 1]);
    assert_eq!((cholesky.blocks(), cholesky.updates()), (4, 0));
    assert_eq!(cholesky.locate(0, 1), None);
    assert_eq!(cholesky.locate(4, 0), None);
    let mut values = problem.assemble(cholesky.len(), |i, j| cholesky.locate(i, j));
    cholesky.factor(&mut values, 0.0).unwrap();
    let b = random.vector(n);
    let mut x = b.clone();
    cholesky.solve(&values, &mut x);
    assert!(problem.residual(&x, &b) < 1e-15);
}

#[test]
fn a_zero_pivot_names_its_block_and_row() {
    for size in [1, 3, 6, 8] {
        for cholesky in machines(BlockCholesky::analyse(&chain(4, size), &[0, 3, 1, 2])) {
            let row = size / 2;
            let mut values = vec![0.0; cholesky.len()];
            for block in 0..4 {
                let entry = cholesky.locate(block, block).unwrap();
                for r in 0..size {
                    values[entry.index(r, r)] = 2.0;
                }
            }
            // blocks 0 and 1 get one row in common
            values[cholesky.locate(1, 0).unwrap().index(row, row)] = 2.0;
            let error = cholesky.factor(&mut values.clone(), 1e-12).unwrap_err();
            assert_eq!(error, ZeroPivot { block: 1, row, pivot: 0.0, scale: 2.0 });
            values[cholesky.locate(3, 3).unwrap().index(row, row)] = f64::NAN;
            let error = cholesky.factor(&mut values, 1e-12).unwrap_err();
            assert_eq!((error.block, error.row), (3, row));
            assert!(error.pivot.is_nan());
        }
    }
}

#[test]
fn the_threshold_is_relative() {
    let cholesky = BlockCholesky::analyse(&BlockPattern::new(vec![2], &[]), &[0]);
    let entry = cholesky.locate(0, 0).unwrap();
    let mut values = vec![0.0; cholesky.len()];
    values[entry.index(0, 0)] = 1.0;
    values[entry.index(1, 0)] = 1e6;
    values[entry.index(1, 1)] = 1e12 + 1.0;
    assert!(cholesky.factor(&mut values.clone(), 1e-11).is_err());
    assert!(cholesky.factor(&mut values, 1e-13).is_ok());
}

#[test]
fn a_chain_has_no_fill() {
    let order: Vec<usize> = (0..50).map(|k| if k % 2 == 0 { k / 2 } else { 49 - k / 2 }).collect();
    let cholesky = BlockCholesky::analyse(&chain(50, 5), &order);
    assert_eq!((cholesky.blocks(), cholesky.updates()), (99, 49));
}

#[test]
fn long_chains_are_analysed_in_linear_time() {
    let pattern = chain(100_000, 5);
    let cholesky = BlockCholesky::analyse(&pattern, &(0..100_000).collect::<Vec<_>>());
    assert_eq!(cholesky.blocks(), 199_999);
    assert_eq!(cholesky.len(), 100_000 * 30 + 99_999 * 25 + 30);
}

/// [A B^T; B 0] with A definite: the last blocks have negative pivots.
#[test]
fn a_saddle_point_matrix_is_solved() {
    let mut random = Random::new(31);
    for round in 0..30 {
        let sizes: Vec<usize> = (0..5 + round % 4).map(|_| 1 + random.below(7)).collect();
        let count = 3;
        let (first, total) = (sizes.len() - count, sizes.iter().sum::<usize>());
        let definite: usize = sizes[..first].iter().sum();
        // rows of B are independent only if there are enough columns
        if total > 2 * definite {
            continue;
        }
        let pairs: Vec<_> = (0..sizes.len()).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
        let mut a = vec![0.0; total * total];
        for i in 0..total {
            for j in 0..i {
                let x = if j >= definite { 0.0 } else { random.signed() };
                (a[i * total + j], a[j * total + i]) = (x, x);
            }
            a[i * total + i] = if i < definite { 2.0 * total as f64 } else { 0.0 };
        }
        let problem = Problem { pattern: BlockPattern::new(sizes.clone(), &pairs), s: a.clone() };
        let order: Vec<usize> = (0..first).rev().chain(first..sizes.len()).collect();
        for cholesky in machines(BlockCholesky::analyse_saddle(&problem.pattern, &order, count)) {
            let mut values = problem.assemble(cholesky.len(), |i, j| cholesky.locate(i, j));
            cholesky.factor(&mut values, 1e-13).expect("regular");
            let x = random.vector(total);
            let mut b: Vec<f64> =
                (0..total).map(|i| (0..total).map(|j| a[i * total + j] * x[j]).sum()).collect();
            cholesky.solve(&values, &mut b);
            let error = b.iter().zip(&x).fold(0.0_f64, |m, (b, x)| m.max((b - x).abs()));
            assert!(error < 1e-9, "round {round}: {error:e}");
        }
    }
}

#[test]
fn a_dependent_row_of_a_saddle_point_matrix_is_named() {
    // two like rows below the unit matrix
    let pattern = BlockPattern::new(vec![2, 1, 1], &[(1, 0), (2, 0)]);
    let cholesky = BlockCholesky::analyse_saddle(&pattern, &[0, 1, 2], 2);
    let mut values = vec![0.0; cholesky.len()];
    let mut put = |i: usize, j: usize, r: usize, c: usize, x: f64| {
        let entry = cholesky.locate(i, j).expect("a block of the pattern");
        values[entry.index(r, c)] = x;
    };
    put(0, 0, 0, 0, 1.0);
    put(0, 0, 1, 1, 1.0);
    for block in 1..3 {
        put(block, 0, 0, 0, 0.6);
        put(block, 0, 0, 1, 0.8);
    }
    let pivot = cholesky.factor(&mut values, 1e-13).expect_err("dependent");
    assert_eq!((pivot.block, pivot.row), (2, 0));
    assert!((pivot.scale - 1.0).abs() < 1e-12 && pivot.pivot.abs() < 1e-12, "{pivot:?}");
}
