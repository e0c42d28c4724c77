//! The numeric phase of every solver allocates nothing.

use kingpin::linalg::{
    Band, BlockCholesky, BlockPattern, DenseCholesky, DenseLu, Entry, Envelope, RankRevealingQr,
};
use kingpin_testing::counting::allocations;

/// A ring of blocks of sizes 1 to 8, with fill.
fn ring() -> BlockPattern {
    let pairs: Vec<_> = (0..8).map(|i| (i, (i + 1) % 8)).collect();
    BlockPattern::new((1..=8).collect(), &pairs)
}

/// A definite matrix: 2 on the diagonal, the first rows of neighbours coupled.
fn fill(pattern: &BlockPattern, values: &mut [f64], locate: impl Fn(usize, usize) -> Option<Entry>) {
    for (i, &size) in pattern.sizes().iter().enumerate() {
        let entry = locate(i, i).unwrap();
        for r in 0..size {
            values[entry.index(r, r)] = 2.0;
        }
    }
    for (i, j) in pattern.lower() {
        values[locate(i, j).unwrap().index(0, 0)] = 0.5;
    }
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![0u8; 100]))) > 0);
}

#[test]
fn block_cholesky() {
    let pattern = ring();
    for cholesky in [
        BlockCholesky::analyse(&pattern, &[0, 2, 4, 6, 1, 3, 5, 7]),
        BlockCholesky::analyse(&pattern, &[7, 6, 5, 4, 3, 2, 1, 0]).portable(),
    ] {
        let mut values = vec![0.0; cholesky.len()];
        fill(&pattern, &mut values, |i, j| cholesky.locate(i, j));
        // one dependent row in a block of fixed size, one in a block of another
        let mut singular = values.clone();
        singular[cholesky.locate(7, 7).unwrap().index(3, 3)] = 0.0;
        singular[cholesky.locate(4, 4).unwrap().index(2, 2)] = 0.0;
        let (mut x, mut many) = (vec![1.0; pattern.rows()], vec![1.0; pattern.rows() * 7]);
        let (mut dropped, mut support) = (vec![false; pattern.rows()], Vec::with_capacity(8));
        let mut y = vec![0.0; pattern.rows()];
        let count = allocations(|| {
            cholesky.factor(&mut values, 1e-12).unwrap();
            cholesky.solve(&values, &mut x);
            cholesky.solve_many(&values, &mut many, 7);
            assert_eq!(cholesky.factor_semidefinite(&mut singular, 1e-12, &mut dropped), Ok(2));
            cholesky.solve(&singular, &mut x);
            cholesky.null_vector(&singular, (7, 3), 1e-12, &mut y, &mut support);
        });
        assert_eq!(count, 0);
        assert!(dropped[pattern.offsets()[7] + 3] && dropped[pattern.offsets()[4] + 2]);
    }
}

#[test]
fn row_solvers() {
    let pattern = ring();
    let order: Vec<usize> = (0..8).rev().collect();
    let (mut x, mut scratch) = (vec![1.0; pattern.rows()], vec![0.0; pattern.rows()]);

    let envelope = Envelope::analyse(&pattern, &order);
    let mut values = vec![0.0; envelope.len()];
    fill(&pattern, &mut values, |i, j| envelope.locate(i, j));
    let count = allocations(|| {
        envelope.factor(&mut values, 1e-12).unwrap();
        envelope.solve(&values, &mut x, &mut scratch);
    });
    assert_eq!(count, 0);

    let band = Band::analyse(&pattern, &order);
    let mut values = vec![0.0; band.len()];
    fill(&pattern, &mut values, |i, j| band.locate(i, j));
    let count = allocations(|| {
        band.factor(&mut values, 1e-12).unwrap();
        band.solve(&values, &mut x, &mut scratch);
    });
    assert_eq!(count, 0);

    let dense = DenseCholesky::analyse(&pattern);
    let mut values = vec![0.0; dense.len()];
    fill(&pattern, &mut values, |i, j| dense.locate(i, j));
    let count = allocations(|| {
        dense.factor(&mut values, 1e-12).unwrap();
        dense.solve(&values, &mut x);
    });
    assert_eq!(count, 0);
}

#[test]
fn general_dense_solvers() {
    let a: Vec<f64> =
        (0..30).map(|i| ((i * i + 3 * i) % 17) as f64 + (i % 6 == 0) as u8 as f64 * 9.0).collect();
    let (lu, qr) = (DenseLu::new(5), RankRevealingQr::new(6, 5));
    let (mut square, mut tall) = (a[..25].to_vec(), a);
    let (mut exchange, mut columns) = (vec![0; 5], vec![0; 5]);
    let (mut tau, mut x, mut b) = (vec![0.0; qr.tau_len()], vec![1.0; 5], vec![1.0; 6]);
    let count = allocations(|| {
        lu.factor(&mut square, &mut exchange, 1e-14).unwrap();
        lu.solve(&square, &exchange, &mut x);
        let rank = qr.factor(&mut tall, &mut tau, &mut columns, 1e-12);
        qr.solve(&tall, &tau, &columns, rank, &mut b, &mut x);
    });
    assert_eq!(count, 0);
}
