//! Speed of the symmetric solvers on chains of blocks, the pattern of a serial mechanism.
//!
//! `cargo bench -p kingpin --bench block_cholesky_speed -- [repetitions [block size [portable]]]`
//!
//! Prints nanoseconds per block column, best of several rounds. With a block size it runs that one alone,
//! once, with the processor's widest arithmetic or with the portable one, for counting instructions:
//!
//! `valgrind --tool=callgrind --toggle-collect=kingpin::linalg::factor::avx2_fma::factor` (or `portable`)
//!
//! collects the factorisations, each of 100 columns.

use kingpin::linalg::{Band, BlockCholesky, BlockPattern, DenseCholesky, Entry, Envelope};
use std::hint::black_box;
use std::time::Instant;

const BLOCKS: usize = 100;

fn chain(blocks: usize, size: usize) -> BlockPattern {
    BlockPattern::new(vec![size; blocks], &(1..blocks).map(|i| (i, i - 1)).collect::<Vec<_>>())
}

/// A definite matrix with full blocks.
fn assemble(pattern: &BlockPattern, len: usize, locate: impl Fn(usize, usize) -> Option<Entry>) -> Vec<f64> {
    let mut values = vec![0.0; len];
    for (i, j) in pattern.lower().chain((0..pattern.blocks()).map(|i| (i, i))) {
        let Some(entry) = locate(i, j) else { continue };
        for r in 0..entry.rows {
            for c in 0..entry.cols {
                values[entry.index(r, c)] = match (i == j, r == c) {
                    (true, true) => 100.0,
                    (true, false) => 0.3,
                    _ => ((7 * r + 5 * c + 3) % 11) as f64 * 0.1 - 0.5,
                };
            }
        }
    }
    values
}

/// Best time of one call in nanoseconds, the best of `without` (what had to be done around it) subtracted.
fn time(repetitions: usize, rounds: usize, mut work: impl FnMut(bool)) -> f64 {
    let mut best = [f64::MAX; 2];
    for _ in 0..rounds {
        for (best, with) in best.iter_mut().zip([false, true]) {
            let start = Instant::now();
            for _ in 0..repetitions {
                work(with);
            }
            *best = best.min(start.elapsed().as_secs_f64() / repetitions as f64 * 1e9);
        }
    }
    best[1] - best[0]
}

/// Nanoseconds per column of a factorisation and of a solution.
fn measure(
    columns: usize,
    (repetitions, rounds): (usize, usize),
    matrix: &[f64],
    rows: usize,
    mut factor: impl FnMut(&mut [f64]) -> bool,
    mut solve: impl FnMut(&[f64], &mut [f64]),
) -> (f64, f64) {
    let mut values = matrix.to_vec();
    let factoring = time(repetitions, rounds, |with| {
        black_box(&mut values[..]).copy_from_slice(black_box(matrix));
        assert!(!with || factor(&mut values));
    });
    let (right, mut x) = (vec![1.0; rows], vec![0.0; rows]);
    let solving = time(repetitions, rounds, |with| {
        black_box(&mut x[..]).copy_from_slice(black_box(&right));
        if with {
            solve(&values, &mut x);
        }
    });
    (factoring / columns as f64, solving / columns as f64)
}

fn block(cholesky: &BlockCholesky, pattern: &BlockPattern, effort: (usize, usize)) -> (f64, f64) {
    let matrix = assemble(pattern, cholesky.len(), |i, j| cholesky.locate(i, j));
    let factor = |values: &mut [f64]| cholesky.factor(values, 1e-14).is_ok();
    let solve = |values: &[f64], x: &mut [f64]| cholesky.solve(values, x);
    measure(pattern.blocks(), effort, &matrix, pattern.rows(), factor, solve)
}

fn semidefinite(cholesky: &BlockCholesky, pattern: &BlockPattern, effort: (usize, usize)) -> f64 {
    let matrix = assemble(pattern, cholesky.len(), |i, j| cholesky.locate(i, j));
    let mut dropped = vec![false; pattern.rows()];
    let factor = |values: &mut [f64]| cholesky.factor_semidefinite(values, 1e-10, &mut dropped) == Ok(0);
    measure(pattern.blocks(), effort, &matrix, pattern.rows(), factor, |_, _| ()).0
}

fn chains(repetitions: usize) {
    println!("chain of {BLOCKS} blocks, ns per column: factor / solve");
    println!("size   in order        both ends       portable        semidefinite");
    let straight: Vec<usize> = (0..BLOCKS).collect();
    let both_ends: Vec<usize> =
        (0..BLOCKS).map(|k| if k % 2 == 0 { k / 2 } else { BLOCKS - 1 - k / 2 }).collect();
    for size in [1, 2, 3, 4, 5, 6, 8] {
        let (pattern, effort) = (chain(BLOCKS, size), (repetitions, 40));
        let cholesky = BlockCholesky::analyse(&pattern, &straight);
        let ends = BlockCholesky::analyse(&pattern, &both_ends);
        let show = |(factor, solve): (f64, f64)| print!("  {factor:6.1} /{solve:6.1}");
        print!("{size:4}");
        show(block(&cholesky, &pattern, effort));
        show(block(&ends, &pattern, effort));
        show(block(&cholesky.clone().portable(), &pattern, effort));
        println!("  {:6.1}", semidefinite(&cholesky, &pattern, effort));
    }
}

fn others(repetitions: usize) {
    println!("other solvers on a chain of 20 blocks of 5, ns per block column: factor / solve");
    let (pattern, effort) = (chain(20, 5), (repetitions, 40));
    let (order, rows): (Vec<usize>, usize) = ((0..20).collect(), pattern.rows());
    let mut scratch = vec![0.0; rows];
    let show = |name: &str, (factor, solve): (f64, f64)| println!("  {name:8} {factor:8.1} /{solve:7.1}");
    show("blocks", block(&BlockCholesky::analyse(&pattern, &order), &pattern, effort));
    let envelope = Envelope::analyse(&pattern, &order);
    let matrix = assemble(&pattern, envelope.len(), |i, j| envelope.locate(i, j));
    let factor = |values: &mut [f64]| envelope.factor(values, 1e-14).is_ok();
    let solve = |values: &[f64], x: &mut [f64]| envelope.solve(values, x, &mut scratch);
    show("envelope", measure(20, effort, &matrix, rows, factor, solve));
    let band = Band::analyse(&pattern, &order);
    let matrix = assemble(&pattern, band.len(), |i, j| band.locate(i, j));
    let factor = |values: &mut [f64]| band.factor(values, 1e-14).is_ok();
    let solve = |values: &[f64], x: &mut [f64]| band.solve(values, x, &mut scratch);
    show("band", measure(20, effort, &matrix, rows, factor, solve));
    let dense = DenseCholesky::analyse(&pattern);
    let matrix = assemble(&pattern, dense.len(), |i, j| dense.locate(i, j));
    let factor = |values: &mut [f64]| dense.factor(values, 1e-14).is_ok();
    show("dense", measure(20, effort, &matrix, rows, factor, |values, x| dense.solve(values, x)));
}

fn long_chain() {
    let (pattern, order) = (chain(100_000, 5), (0..100_000).collect::<Vec<_>>());
    let start = Instant::now();
    let cholesky = BlockCholesky::analyse(&pattern, &order);
    println!("100,000 blocks of 5: analysed in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let (factor, solve) = block(&cholesky, &pattern, (1, 20));
    println!("  factor {factor:.1}, solve {solve:.1} ns per column");
}

fn full(repetitions: usize) {
    let pairs: Vec<_> = (0..40).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    let pattern = BlockPattern::new(vec![5; 40], &pairs);
    let cholesky = BlockCholesky::analyse(&pattern, &(0..40).collect::<Vec<_>>());
    let (factor, _) = block(&cholesky, &pattern, (repetitions.div_ceil(20), 40));
    let products = cholesky.updates() as f64 / 40.0;
    println!("40 blocks of 5, all coupled: factor {:.1} ns per block product", factor / products);
    let dense = DenseCholesky::analyse(&pattern);
    let matrix = assemble(&pattern, dense.len(), |i, j| dense.locate(i, j));
    let factor = |values: &mut [f64]| dense.factor(values, 1e-14).is_ok();
    let (dense, _) = measure(40, (repetitions.div_ceil(20), 40), &matrix, 200, factor, |_, _| ());
    println!("  the same by the dense solver: {:.1}", dense / products);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments.get(index).and_then(|argument| argument.parse().ok());
    let repetitions = number(0).unwrap_or(200);
    if let Some(size) = number(1) {
        let pattern = chain(BLOCKS, size);
        let mut cholesky = BlockCholesky::analyse(&pattern, &(0..BLOCKS).collect::<Vec<_>>());
        if arguments.len() > 2 {
            cholesky = cholesky.portable();
        }
        println!("{:?}", block(&cholesky, &pattern, (repetitions, 1)));
        return;
    }
    chains(repetitions);
    others(repetitions);
    full(repetitions);
    long_chain();
}
