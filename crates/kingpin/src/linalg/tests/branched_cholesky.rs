//! A factor in branches against the plain solution, and its bits with any number of threads.

use super::{Problem, Random};
use crate::linalg::{BlockCholesky, BranchedCholesky};
use crate::threads::within;

/// Blocks on the edges of a binary tree of bodies, with a few across, or along a chain.
fn problem(random: &mut Random, blocks: usize, chain: bool) -> (Problem, Vec<usize>) {
    let sizes = (0..blocks).map(|k| [1, 3, 5, 6, 2, 8][k % 6]).collect();
    let carrier = |k: usize| if chain { k } else { k / 2 };
    let mut ends: Vec<_> = (0..blocks).map(|k| (carrier(k), k + 1)).collect();
    if !chain {
        ends[7] = (3, blocks - 1);
        ends[blocks - 1] = (blocks, 2);
    }
    (Problem::between(random, sizes, ends, blocks + 1, 1e-3), (0..blocks).rev().collect())
}

fn solved(problem: &Problem, factor: &BranchedCholesky, b: &[f64], threads: usize) -> Vec<f64> {
    let given = problem.assemble(factor.len(), |i, j| factor.locate(i, j));
    let (mut values, mut x, mut room) = (vec![f64::NAN; factor.len()], b.to_vec(), vec![0.0; b.len()]);
    let cuts = factor.cuts();
    within(threads, |_| {
        let fill = |piece: usize, to: &mut [f64]| to.copy_from_slice(&given[cuts[piece]..cuts[piece + 1]]);
        factor.factor(&mut values, 1e-13, &fill).expect("definite");
        factor.solve(&values, &mut x, &mut room);
        // and both at once
        let (mut again, mut at_once) = (vec![f64::NAN; factor.len()], b.to_vec());
        let both = (&mut at_once[..], &mut room[..]);
        factor.factor_and_solve(&mut again, 1e-13, &fill, both).expect("definite");
        let end = cuts[cuts.len() - 1];
        assert!(again[..end] == values[..end] && at_once == x, "the same numbers");
    });
    x
}

#[test]
fn pieces_solve_what_the_whole_solves_with_the_same_bits_for_any_number_of_threads() {
    let mut random = Random::new(3);
    for (blocks, chain, grain) in
        [(63, false, 2), (63, true, 2), (40, true, 1), (90, false, 1), (33, true, 2)]
    {
        let (problem, order) = problem(&mut random, blocks, chain);
        let factor = BranchedCholesky::analyse(&problem.pattern, &order, grain);
        assert!(factor.pieces() > 2, "{blocks} blocks in {} pieces", factor.pieces());
        let b = random.vector(problem.rows());
        let x = solved(&problem, &factor, &b, 1);
        assert!(problem.residual(&x, &b) < 1e-13);
        for threads in [2, 3, 8] {
            assert!(solved(&problem, &factor, &b, threads) == x, "{blocks} blocks, {threads} threads");
        }
        let whole = BlockCholesky::analyse(&problem.pattern, &order);
        assert_eq!(factor.len(), whole.len());
    }
}

#[test]
fn a_vanishing_pivot_is_named_by_its_block() {
    let mut random = Random::new(5);
    let (mut problem, order) = problem(&mut random, 63, false);
    let (n, row) = (problem.rows(), problem.pattern.offsets()[40] + 1);
    problem.s[row * n + row] = -1.0;
    let factor = BranchedCholesky::analyse(&problem.pattern, &order, 2);
    let mut values = problem.assemble(factor.len(), |i, j| factor.locate(i, j));
    let failure = factor.factor(&mut values, 1e-13, &|_, _| {}).expect_err("not definite");
    assert_eq!((failure.block, failure.row), (40, 1));
}
