//! The block factorisation against dense arithmetic, on random saddle-point matrices of chains, trees and loops.

use super::*;
use crate::linalg::DenseLu;
use crate::linalg::tests::Random;

/// A random matrix over nodes with couplings, dense and by blocks.
pub(super) struct Example {
    pub lu: BlockLu,
    pub factor: BlockFactor<f64>,
    /// Row-major, in the order of vectors.
    pub dense: Vec<f64>,
}

pub(super) fn example(
    random: &mut Random,
    sizes: &[usize],
    couplings: &[BlockCoupling],
    order: &[usize],
    machine: Arithmetic,
) -> Example {
    let lu = BlockLu::analyse(sizes, couplings, order, 1).with(machine);
    let (mut factor, rows) = (BlockFactor::new(&lu), lu.rows());
    let mut dense = vec![0.0; rows * rows];
    let mut fill = |i: usize, j: usize, [m, n]: [usize; 2], strong: f64| {
        let place = lu.locate(i, j).expect("a block");
        for r in 0..m {
            for c in 0..n {
                let x = random.signed() + if i == j && r == (c + 1) % sizes[i] { strong } else { 0.0 };
                factor.values[place.at + r * place.by_row + c * place.by_column] += x;
                dense[(lu.start(i) + r) * rows + lu.start(j) + c] += x;
            }
        }
    };
    // large numbers beside the diagonal: without exchanges nothing works
    (0..sizes.len()).for_each(|i| fill(i, i, [sizes[i]; 2], 30.0));
    for BlockCoupling { nodes: [a, b], extents: [m, n] } in couplings {
        fill(*a, *b, [*m, *n], 0.0);
        fill(*b, *a, [*n, *m], 0.0);
    }
    Example { lu, factor, dense }
}

pub(super) fn product(a: &[f64], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let at = |i: usize, j: usize| a[i * n + j];
    (0..n).map(|i| (0..n).map(|j| at(i, j) * x[j]).sum()).collect()
}

/// A chain or tree with some more couplings; extents smaller than the sizes.
pub(super) fn couplings(random: &mut Random, sizes: &[usize], more: usize) -> Vec<BlockCoupling> {
    let mut list = Vec::new();
    let extent = |random: &mut Random, size: usize| if size == 0 { 0 } else { 1 + random.below(size) };
    for b in 1..sizes.len() {
        let a = random.below(b);
        list.push(BlockCoupling {
            nodes: [a, b],
            extents: [extent(random, sizes[a]), extent(random, sizes[b])],
        });
    }
    for _ in 0..more {
        let (a, b) = (random.below(sizes.len()), random.below(sizes.len()));
        if a != b {
            list.push(BlockCoupling {
                nodes: [a, b],
                extents: [extent(random, sizes[a]), extent(random, sizes[b])],
            });
        }
    }
    list
}

impl BlockLu {
    /// Factors values that are there.
    pub(super) fn factor<T: PivotScalar>(
        &self,
        to: &mut BlockFactor<T>,
        threshold: f64,
    ) -> Result<f64, SingularBlock> {
        self.factor_filled(to, threshold, &|_, _| {})
    }
}

/// Multiplications of a factorisation and of a solution.
fn work(lu: &BlockLu) -> [f64; 2] {
    let all = (0..lu.position.len()).map(|node| lu.node_work(node));
    all.fold([0.0; 2], |[a, b], [x, y]| [a + x, b + y])
}

#[test]
fn solutions_are_those_of_the_dense_matrix() {
    for trial in 0..60 {
        let mut random = Random::new(trial);
        let nodes = 1 + random.below(if trial % 3 == 0 { 40 } else { 12 });
        let sizes: Vec<usize> = (0..nodes).map(|_| 1 + random.below(14)).collect();
        let more = random.below(4);
        let list = couplings(&mut random, &sizes, more);
        let machine = if trial % 2 == 0 { Arithmetic::Fastest } else { Arithmetic::Portable };
        let order = random.order(nodes);
        let Example { lu, mut factor, dense } = example(&mut random, &sizes, &list, &order, machine);
        lu.factor(&mut factor, 1e-14).expect("regular");
        let x = random.vector(lu.rows());
        let mut b = product(&dense, &x);
        lu.solve(&factor, &mut b);
        let far = b.iter().zip(&x).map(|(b, x)| (b - x).abs()).fold(0.0, f64::max);
        assert!(far < 1e-9, "trial {trial}: {far:e}");
        // four right sides at a time
        let mut four: Vec<[f64; 4]> =
            product(&dense, &x).iter().map(|b| [*b, -2.0 * b, 0.0, 0.5 * b]).collect();
        lu.solve(&factor, &mut four);
        for (four, x) in four.iter().zip(&x) {
            let wanted = [*x, -2.0 * x, 0.0, 0.5 * x];
            assert!(four.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-9), "trial {trial}: {four:?}");
        }
    }
}

/// A tree whose branches are done at once has the numbers of all its columns one after the other.
#[test]
fn branches_change_no_bit() {
    let mut random = Random::new(3);
    let sizes: Vec<usize> = (0..200).map(|_| 1 + random.below(7)).collect();
    let list = couplings(&mut random, &sizes, 3);
    // outer nodes first: little fills
    let order: Vec<usize> = (0..200).rev().collect();
    let Example { lu, factor, .. } = example(&mut random, &sizes, &list, &order, Arithmetic::Fastest);
    assert!(lu.branches.len() > 3 && !lu.bordering.is_empty(), "{:?}", lu.branches);
    assert!(lu.critical_work() < 0.5 * work(&lu)[0]);
    let whole =
        BlockLu { branches: Vec::new(), bordering: Vec::new(), cuts: vec![0, lu.len()], ..lu.clone() };
    let b = random.vector(lu.rows());
    let numbers = |lu: &BlockLu, threads: usize| {
        let (mut factor, mut x) = (factor.clone(), b.clone());
        let mut four: Vec<[f64; 4]> = b.iter().map(|b| [*b, -b, 2.0 * b, b * b]).collect();
        let least = crate::threads::within(threads, |_| {
            // every piece is written once, when its turn comes
            let given = std::mem::replace(&mut factor.values, vec![f64::NAN; lu.len()]);
            let fill = |piece: usize, to: &mut [f64]| {
                to.copy_from_slice(&given[lu.cuts()[piece]..lu.cuts()[piece + 1]]);
            };
            let least = lu.factor_filled(&mut factor, 1e-14, &fill).expect("regular");
            lu.solve(&factor, &mut x);
            lu.solve(&factor, &mut four);
            least
        });
        let all = [&factor.values[..], &x, four.as_flattened(), &[least]].concat();
        all.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    let expected = numbers(&whole, 1);
    for threads in [1, 2, 3, 8] {
        assert!(numbers(&lu, threads) == expected, "{threads} threads");
    }
}

/// Along a chain nothing fills, and work grows with its length.
#[test]
fn chains_fill_nothing() {
    let couple = |k: usize| BlockCoupling { nodes: [k, k + 1], extents: [3, 3] };
    let of = |n: usize| {
        let list: Vec<_> = (0..n - 1).map(couple).collect();
        BlockLu::analyse(&vec![5; n], &list, &(0..n).rev().collect::<Vec<_>>(), 1)
    };
    let (short, long) = (of(10), of(100));
    assert_eq!((short.len(), long.len()), (10 * 25 + 9 * 30, 100 * 25 + 99 * 30));
    // the same for every link more
    let more = |a: &BlockLu, b: &BlockLu, links: f64| [0, 1].map(|k| (work(a)[k] - work(b)[k]) / links);
    let (few, many) = (more(&of(11), &short, 1.0), more(&long, &short, 90.0));
    assert!((0..2).all(|k| (few[k] - many[k]).abs() < 1e-9 * few[k]), "{few:?} {many:?}");
    assert_eq!(long.locate(3, 5), None);
}

/// A block of a loop that is eliminated too early has no pivots left, and that is said.
#[test]
fn a_singular_block_is_named() {
    let list = [BlockCoupling { nodes: [0, 1], extents: [2, 1] }];
    let lu = BlockLu::analyse(&[2, 1], &list, &[1, 0], 1);
    let mut factor = BlockFactor::<f64>::new(&lu);
    let error = lu.factor(&mut factor, 1e-14).expect_err("all zero");
    assert_eq!((error.node, error.unknown), (1, 0));
    assert!(error.to_string().starts_with("no pivot for unknown 0 of node 1"));
    factor.values[0] = f64::NAN;
    assert!(lu.factor(&mut factor, 1e-14).is_err());
}

/// Equations of a heavy body have small pivots, which are pivots none the less; those that depend on each other have none.
#[test]
fn heavy_bodies_keep_their_equations() {
    let lu = BlockLu::analyse(&[8], &[], &[0], 1);
    let first = [0.1, 0.7, 0.0, 0.3, -0.9, 0.2];
    let factor = |mass: f64, second: [f64; 6]| {
        let mut factor = BlockFactor::<f64>::new(&lu);
        for c in 0..6 {
            factor.values[c * 9] = mass * (1.0 + 0.1 * c as f64);
            for (row, x) in [(6, first[c]), (7, second[c])] {
                (factor.values[row * 8 + c], factor.values[c * 8 + row]) = (x, x);
            }
        }
        lu.factor(&mut factor, 1e-15)
    };
    for mass in [1.0, 1e8, 1e14] {
        assert!(factor(mass, [0.5, 0.0, 0.2, 0.3, 0.1, 0.0]).is_ok(), "{mass:e}");
        let error = factor(mass, first.map(|x| 3.3 * x)).expect_err("dependent");
        assert_eq!(error.unknown, 7, "{mass:e}");
    }
}

/// The same numbers as a dense factorisation, in another order.
#[test]
fn saddle_points_need_no_rows_of_other_nodes() {
    // two bodies in a row, each held by two equations
    let sizes = [5, 5];
    let list = [BlockCoupling { nodes: [0, 1], extents: [3, 5] }];
    let lu = BlockLu::analyse(&sizes, &list, &[1, 0], 1);
    let (mut factor, mut dense) = (BlockFactor::new(&lu), vec![0.0; 100]);
    let mut put = |i: usize, r: usize, j: usize, c: usize, x: f64| {
        let place = lu.locate(i, j).expect("a block");
        factor.values[place.at + r * place.by_row + c * place.by_column] = x;
        dense[(lu.start(j) + c) * 10 + lu.start(i) + r] = x;
    };
    for body in 0..2 {
        (0..3).for_each(|c| put(body, c, body, c, 1.0 + c as f64));
        for (row, column, x) in [(3, 0, 1.0), (4, 1, 1.0), (3, 2, 0.4), (4, 2, -0.3)] {
            put(body, row, body, column, x);
            put(body, column, body, row, x);
        }
    }
    for (row, column, x) in [(3, 0, -1.0), (4, 1, -1.0), (3, 2, 0.5), (4, 2, 0.2)] {
        put(1, row, 0, column, x);
        put(0, column, 1, row, x);
    }
    let least = lu.factor(&mut factor, 1e-14).expect("regular");
    assert!(least > 0.01 && least <= 1.0);
    let mut x: Vec<f64> = (0..10).map(|k| f64::from(k) - 4.0).collect();
    let (mut y, mut exchange) = (x.clone(), vec![0; 10]);
    let whole = DenseLu::new(10);
    whole.factor(&mut dense, &mut exchange, 1e-14).expect("regular");
    whole.solve(&dense, &exchange, &mut y);
    lu.solve(&factor, &mut x);
    assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-12));
}

/// A complex matrix is the real one [re -im; im re].
#[test]
fn complex_solutions_satisfy_their_equations() {
    let mut random = Random::new(17);
    let sizes = [3, 5, 2, 13];
    let list = couplings(&mut random, &sizes, 2);
    let order = random.order(sizes.len());
    let Example { lu, factor, dense } = example(&mut random, &sizes, &list, &order, Arithmetic::Fastest);
    let imaginary = 0.7;
    // (1 + 0.7 i) A
    let mut complex = BlockFactor::<ComplexNumber>::new(&lu);
    for (to, &re) in complex.values.iter_mut().zip(&factor.values) {
        *to = ComplexNumber { re, im: imaginary * re };
    }
    lu.factor(&mut complex, 1e-14).expect("regular");
    let (re, im) = (random.vector(lu.rows()), random.vector(lu.rows()));
    let (a_re, a_im) = (product(&dense, &re), product(&dense, &im));
    let mut x: Vec<ComplexNumber> = (0..lu.rows())
        .map(|k| ComplexNumber { re: a_re[k] - imaginary * a_im[k], im: a_im[k] + imaginary * a_re[k] })
        .collect();
    lu.solve(&complex, &mut x);
    let far = |k: usize| (x[k].re - re[k]).abs() + (x[k].im - im[k]).abs();
    assert!((0..lu.rows()).all(|k| far(k) < 1e-9));
}

/// Symmetric matrices have as many negative eigenvalues as their blocks say.
#[test]
fn negative_eigenvalues_are_counted() {
    for trial in 0..40 {
        let mut random = Random::new(100 + trial);
        let nodes = 1 + random.below(12);
        let sizes: Vec<usize> = (0..nodes).map(|_| 1 + random.below(6)).collect();
        let mut list = couplings(&mut random, &sizes, 2);
        list.extend((0..nodes).map(|k| BlockCoupling { nodes: [k, k], extents: [sizes[k]; 2] }));
        let (apart, order): (Vec<_>, _) =
            (list.iter().filter(|c| c.nodes[0] != c.nodes[1]).copied().collect(), random.order(nodes));
        let lu = BlockLu::analyse(&sizes, &apart, &order, 1);
        let (mut factor, rows) = (BlockFactor::new(&lu), lu.rows());
        let mut dense = nalgebra::DMatrix::<f64>::zeros(rows, rows);
        for BlockCoupling { nodes: [a, b], extents: [m, n] } in list {
            for (r, c) in (0..m).flat_map(|r| (0..n).map(move |c| (r, c))) {
                let x = random.signed();
                for (i, j, r, c) in [(a, b, r, c), (b, a, c, r)] {
                    let place = lu.locate(i, j).expect("a block");
                    factor.values[place.at + r * place.by_row + c * place.by_column] += x;
                    dense[(lu.start(i) + r, lu.start(j) + c)] += x;
                }
            }
        }
        lu.factor(&mut factor, 1e-14).expect("regular");
        let negative = dense.symmetric_eigenvalues().iter().filter(|x| **x < 0.0).count();
        assert_eq!(lu.negatives(&factor), Some(negative), "trial {trial}");
    }
}
