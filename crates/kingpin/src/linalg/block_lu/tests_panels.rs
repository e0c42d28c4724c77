//! Columns with many neighbours, in panels: against dense arithmetic, by threads, and in solids.

use super::tests::{Example, couplings, example, product};
use super::*;
use crate::linalg::tests::Random;

/// Nodes that see many others, and some that see few.
fn crowd(random: &mut Random, nodes: usize) -> (Vec<usize>, Vec<BlockCoupling>) {
    let sizes: Vec<usize> = (0..nodes).map(|_| 1 + random.below(9)).collect();
    let list = couplings(random, &sizes, 3 * nodes);
    (sizes, list)
}

#[test]
fn solutions_are_those_of_the_dense_matrix() {
    for trial in 0..24 {
        let mut random = Random::new(trial);
        let nodes = 30 + random.below(60);
        let (mut sizes, mut list) = crowd(&mut random, nodes);
        if trial % 4 == 0 {
            // one node is wider than any panel
            sizes[7] = 70;
            list.iter_mut().filter(|c| c.nodes[1] == 7).for_each(|c| c.extents[1] = 60);
        }
        let machine = if trial % 2 == 0 { Arithmetic::Fastest } else { Arithmetic::Portable };
        let order = random.order(nodes);
        let Example { lu, mut factor, dense } = example(&mut random, &sizes, &list, &order, machine);
        assert!(!lu.panels.is_empty(), "trial {trial}");
        let values = factor.values.clone();
        lu.factor(&mut factor, 1e-14).expect("regular");
        let x = random.vector(lu.rows());
        let mut b = product(&dense, &x);
        let mut four: Vec<[f64; 4]> = b.iter().map(|b| [*b, -2.0 * b, 0.0, 0.5 * b]).collect();
        lu.solve(&factor, &mut b);
        lu.solve(&factor, &mut four);
        let far = |k: usize| (b[k] - x[k]).abs().max((four[k][1] + 2.0 * x[k]).abs());
        let worst = (0..x.len()).map(far).fold(0.0, f64::max);
        assert!(worst < 1e-8, "trial {trial}: {worst:e}");
        // the same matrix times 0.6 + 0.8 i
        let mut complex = BlockFactor::<ComplexNumber>::new(&lu);
        let turned = |x: f64| ComplexNumber { re: 0.6 * x, im: 0.8 * x };
        complex.values.iter_mut().zip(&values).for_each(|(to, &x)| *to = turned(x));
        lu.factor(&mut complex, 1e-14).expect("regular");
        let mut b: Vec<ComplexNumber> = product(&dense, &x).into_iter().map(turned).collect();
        lu.solve(&complex, &mut b);
        let worst = b.iter().zip(&x).map(|(b, x)| (b.re - x).abs() + b.im.abs()).fold(0.0, f64::max);
        assert!(worst < 1e-8, "trial {trial}: {worst:e}");
    }
}

/// A block of nodes, each with its neighbours in a cube around it, in an order that halves it again and again.
fn solid([a, b, c]: [usize; 3]) -> (Vec<BlockCoupling>, Vec<usize>) {
    let place = |k: usize| [k / c / b, k / c % b, k % c];
    let near = |a: usize, b: usize| (0..3).all(|axis| place(a)[axis].abs_diff(place(b)[axis]) <= 1);
    let n = a * b * c;
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b])).filter(|&[a, b]| near(a, b));
    let list: Vec<BlockCoupling> = pairs.map(|nodes| BlockCoupling { nodes, extents: [3, 3] }).collect();
    let mut order = Vec::new();
    halved([0; 3], [a, b, c], &mut |[x, y, z]| order.push((x * b + y) * c + z));
    (list, order)
}

/// Places from one corner to another, both halves before the layer between them.
fn halved(from: [usize; 3], to: [usize; 3], put: &mut impl FnMut([usize; 3])) {
    let length = |axis: usize| to[axis] - from[axis];
    let longest = (0..3).fold(0, |best, axis| if length(axis) > length(best) { axis } else { best });
    if (0..3).any(|axis| length(axis) == 0) {
        return;
    }
    let middle = from[longest] + length(longest) / 2;
    let (mut below, mut layer, mut above) = ((from, to), (from, to), (from, to));
    below.1[longest] = middle;
    (layer.0[longest], layer.1[longest]) = (middle, middle + 1);
    above.0[longest] = middle + 1;
    if length(longest) == 1 {
        return put(from);
    }
    [below, above, layer].into_iter().for_each(|(from, to)| halved(from, to, put));
}

/// Branches and threads have the numbers of all columns one after the other.
#[test]
fn threads_change_no_bit() {
    // a bar, whose ends are done at once
    let (list, order) = solid([60, 5, 5]);
    let mut random = Random::new(5);
    let sizes = vec![3; order.len()];
    let Example { lu, factor, .. } = example(&mut random, &sizes, &list, &order, Arithmetic::Fastest);
    assert!(lu.panels.len() > 20 && lu.columns.iter().any(|column| column.panel == panels::SINGLE));
    assert!(lu.branches.len() > 1 && !lu.bordering.is_empty(), "{:?}", lu.branches);
    let whole =
        BlockLu { branches: Vec::new(), bordering: Vec::new(), cuts: vec![0, lu.len()], ..lu.clone() };
    let b = random.vector(lu.rows());
    let numbers = |lu: &BlockLu, threads: usize| {
        let (mut factor, mut x) = (factor.clone(), b.clone());
        let least = crate::threads::within(threads, |_| {
            let given = std::mem::replace(&mut factor.values, vec![f64::NAN; lu.len()]);
            let fill = |piece: usize, to: &mut [f64]| {
                to.copy_from_slice(&given[lu.cuts()[piece]..lu.cuts()[piece + 1]]);
            };
            let least = lu.factor_filled(&mut factor, 1e-14, &fill).expect("regular");
            lu.solve(&factor, &mut x);
            least
        });
        let all = [&factor.values[..], &x, &[least]].concat();
        all.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    let expected = numbers(&whole, 1);
    for threads in [1, 2, 3] {
        assert!(numbers(&lu, threads) == expected, "{threads} threads");
    }
}

/// What is kept beside the numbers grows with the nodes, not with the products of two blocks.
#[test]
fn solids_keep_no_list_of_products() {
    let (list, order) = solid([9; 3]);
    let lu = BlockLu::analyse(&vec![3; order.len()], &list, &order, usize::MAX);
    let products: usize = (0..order.len()).map(|k| (lu.column_work(k)[0] / 27.0) as usize).sum();
    assert!(lu.updates.len() < products / 50, "{} targets of {products} products", lu.updates.len());
    assert!(lu.neighbours.len() + lu.runs.len() < lu.len() / 50);
}

#[test]
fn negative_eigenvalues_are_counted() {
    let mut random = Random::new(8);
    for trial in 0..4 {
        let (sizes, mut list) = crowd(&mut random, 40);
        list.dedup_by_key(|c| c.nodes);
        let order = random.order(40);
        let lu = BlockLu::analyse(&sizes, &list, &order, 1);
        assert!(!lu.panels.is_empty());
        let (mut factor, rows) = (BlockFactor::new(&lu), lu.rows());
        let mut dense = nalgebra::DMatrix::<f64>::zeros(rows, rows);
        list.extend((0..40).map(|k| BlockCoupling { nodes: [k, k], extents: [sizes[k]; 2] }));
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

/// A node without a pivot in the middle of a panel is named, and so is what is no number.
#[test]
fn a_singular_block_is_named() {
    let n = 24;
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
    let list: Vec<BlockCoupling> = pairs.map(|nodes| BlockCoupling { nodes, extents: [2, 2] }).collect();
    let order: Vec<usize> = (0..n).map(|k| k * 7 % n).collect();
    let lu = BlockLu::analyse(&vec![2; n], &list, &order, 1);
    assert!(lu.panels.iter().any(|panel| panel.columns.len() > 3));
    let mut factor = BlockFactor::<f64>::new(&lu);
    let set = |factor: &mut BlockFactor<f64>, node: usize, r: usize, x: f64| {
        let place = lu.locate(node, node).expect("a block");
        factor.values[place.at + r * (place.by_row + place.by_column)] = x;
    };
    for node in 0..n {
        (0..2).for_each(|r| set(&mut factor, node, r, 1.0));
    }
    set(&mut factor, 11, 1, 0.0);
    let given = factor.values.clone();
    let error = lu.factor(&mut factor, 1e-14).expect_err("no pivot");
    assert_eq!((error.node, error.unknown), (11, 1));
    factor.values = given;
    set(&mut factor, 5, 0, f64::NAN);
    assert!(lu.factor(&mut factor, 1e-14).is_err());
}
