//! Sub-domains of matrices: every way at interfaces, threads and ranks.

use super::{BlockCoupling, BlockFactor, BlockLu, ComplexNumber, PivotScalar};
use crate::linalg::{DomainTree, FourWide, InterfaceWay, NodeSite, Subdivision};
use crate::ranks::{Exchange, crew};
use crate::threads::within;
use std::sync::Arc;

/// A net of side times side points with three unknowns each, held at two corners, in s times s sub-domains.
struct Net {
    side: usize,
    per_side: usize,
    /// Sub-domains that squares are dealt out to: one may have several squares, which nothing joins.
    dealt: usize,
    /// Mass, and how much the matrix differs from its transposed.
    mass: f64,
    skew: f64,
}

impl Net {
    fn couplings(&self) -> Vec<BlockCoupling> {
        let at = |i: usize, j: usize| i * self.side + j;
        let mut list = Vec::new();
        for i in 0..self.side {
            for j in 0..self.side {
                let mut to =
                    |other: usize| list.push(BlockCoupling { nodes: [at(i, j), other], extents: [3, 3] });
                if i + 1 < self.side {
                    to(at(i + 1, j));
                }
                if j + 1 < self.side {
                    to(at(i, j + 1));
                }
                if i + 1 < self.side && j + 1 < self.side {
                    to(at(i + 1, j + 1));
                }
            }
        }
        list
    }

    fn structure(&self, cut: &Subdivision) -> BlockLu {
        let n = self.side * self.side;
        let step = self.side.div_ceil(self.per_side);
        // lines between the squares separate them
        let domain = |k: usize| {
            let (i, j) = (k / self.side, k % self.side);
            let line = |x: usize| x > 0 && x.is_multiple_of(step);
            (!line(i) && !line(j)).then_some((i / step * self.per_side + j / step) % self.dealt)
        };
        let tree = DomainTree::halving(self.dealt);
        let pairs: Vec<[usize; 2]> = self.couplings().iter().map(|coupling| coupling.nodes).collect();
        let part = tree.place(&(0..n).map(domain).collect::<Vec<_>>(), &pairs, &[]);
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&k| part[k]);
        let ends: Vec<usize> = (0..tree.parts()).map(|p| order.partition_point(|&k| part[k] <= p)).collect();
        let site = |k: usize| NodeSite {
            place: [(k / self.side) as f64, (k % self.side) as f64, 0.0],
            directions: 3,
        };
        let sites: Vec<NodeSite> = (0..n).map(site).collect();
        BlockLu::analyse_cut(&vec![3; n], &self.couplings(), (&order, &ends), (&tree, &sites, 1), cut)
    }

    /// Writes the matrix: bars between neighbours with some tension, mass, and what is not symmetric.
    fn write<T: PivotScalar>(&self, lu: &BlockLu, number: impl Fn(f64) -> T, values: &mut [T]) {
        let mut add = |i: usize, j: usize, [r, c]: [usize; 2], x: f64| {
            if let Some(place) = lu.locate(i, j) {
                let at = place.at + r * place.by_row + c * place.by_column;
                values[at] = values[at].plus(number(x));
            }
        };
        for BlockCoupling { nodes: [a, b], .. } in self.couplings() {
            let place = |k: usize| [(k / self.side) as f64, (k % self.side) as f64];
            let d = [0, 1].map(|x| place(b)[x] - place(a)[x]);
            let length = d[0].hypot(d[1]);
            let e = [d[0] / length, d[1] / length, 0.0];
            for r in 0..3 {
                for c in 0..3 {
                    let k = e[r] * e[c] * 100.0 + if r == c { 1.0 } else { 0.0 };
                    let skew = if r == c { 0.0 } else { self.skew * (r as f64 - c as f64) };
                    [(a, a, k), (b, b, k), (a, b, skew - k), (b, a, skew - k)]
                        .into_iter()
                        .for_each(|(i, j, x)| add(i, j, [r, c], x));
                }
            }
        }
        let last = self.side * self.side - 1;
        for k in 0..=last {
            let held = if k == 0 || k == last { 1000.0 } else { 0.0 };
            (0..3).for_each(|r| add(k, k, [r, r], self.mass + held));
        }
    }

    /// What a solution leaves of its forces, by the matrix as one block.
    fn residual(&self, x: &[f64]) -> f64 {
        let n = self.side * self.side;
        let mut matrix = vec![0.0; 9 * n * n];
        let whole = self.structure(&Subdivision::new(1, InterfaceWay::Interface));
        let mut values = vec![0.0; whole.len()];
        self.write(&whole, |x| x, &mut values);
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let Some(place) = whole.locate(i, j) else { continue };
            for (r, c) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
                matrix[(3 * i + r) * 3 * n + 3 * j + c] =
                    values[place.at + r * place.by_row + c * place.by_column];
            }
        }
        let product = |k: usize| -> f64 { (0..3 * n).map(|j| matrix[k * 3 * n + j] * x[j]).sum() };
        let size = x.iter().fold(0.0, |most: f64, x| most.max(x.abs())) * 400.0;
        (0..3 * n).fold(0.0, |most: f64, k| most.max((product(k) - force(k / 3, k % 3)).abs())) / size
    }

    /// The solution by a way, in the order of nodes.
    fn solution(&self, cut: &Subdivision, iterating: bool) -> Vec<f64> {
        let lu = self.structure(cut);
        let mut factor = if iterating { BlockFactor::iterating(&lu) } else { BlockFactor::new(&lu) };
        let mut whole = vec![0.0; lu.len()];
        self.write(&lu, |x| x, &mut whole);
        let cuts = lu.cuts().to_vec();
        let fill = |piece: usize, to: &mut [f64]| to.copy_from_slice(&whole[cuts[piece]..cuts[piece + 1]]);
        lu.factor_filled(&mut factor, 1e-15, &fill).expect("regular");
        let n = self.side * self.side;
        let mut x = vec![0.0; lu.rows()];
        let mut four: Vec<FourWide> = vec![[0.0; 4]; lu.rows()];
        for k in 0..n {
            for r in 0..3 {
                x[lu.start(k) + r] = force(k, r);
                four[lu.start(k) + r] = [0.0, force(k, r), -force(k, r), 0.0];
            }
        }
        lu.solve(&factor, &mut x);
        lu.solve(&factor, &mut four);
        let scale = x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for (x, four) in x.iter().zip(&four) {
            assert!((four[1] - x).abs() + (four[2] + x).abs() < 1e-9 * scale && four[0] == 0.0);
        }
        (0..n).flat_map(|k| (0..3).map(move |r| (k, r))).map(|(k, r)| x[lu.start(k) + r]).collect()
    }
}

/// A force on a node.
fn force(k: usize, r: usize) -> f64 {
    ((7 * k + 3 * r) % 11) as f64 - 5.0
}

fn far(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / scale
}

fn nets() -> [Net; 4] {
    [
        Net { side: 13, per_side: 2, dealt: 4, mass: 5.0, skew: 0.0 },
        Net { side: 20, per_side: 3, dealt: 9, mass: 0.5, skew: 0.3 },
        // statics: sub-domains in the middle float
        Net { side: 20, per_side: 3, dealt: 9, mass: 0.0, skew: 0.0 },
        // sub-domains of several squares each
        Net { side: 20, per_side: 3, dealt: 4, mass: 3.0, skew: 0.0 },
    ]
}

#[test]
fn every_way_gives_the_same_solution() {
    for net in nets() {
        let direct = net.solution(&Subdivision::new(9, InterfaceWay::Interface), false);
        assert!(net.residual(&direct) < 1e-12);
        for way in InterfaceWay::ALL {
            // without mass nothing holds sub-domains that float
            let bare = matches!(way, InterfaceWay::Range | InterfaceWay::Global);
            if bare && net.mass == 0.0 {
                continue;
            }
            let cut = Subdivision::new(9, way);
            let apart = far(&net.solution(&cut, true), &direct);
            let counts = cut.tally.counts();
            let told = format!("{} on {} with {}: {apart:e}, {counts:?}", way.name(), net.side, net.mass);
            assert!(apart < 1e-9, "{told}");
            assert_eq!(counts.eliminated, 0, "{told}");
            assert_eq!(counts.solutions > 0, way.iterates(), "{told}");
            let few = if bare { 150 } else { 45 };
            assert!(counts.most <= few, "{told}");
        }
    }
}

/// Without mass a sub-domain in the middle floats, its matrix is singular, and forces between copies cannot be found:
/// the interface is eliminated, and that is counted.
#[test]
fn what_floats_is_eliminated() {
    let net = &nets()[2];
    let direct = net.solution(&Subdivision::new(9, InterfaceWay::Interface), false);
    for way in [InterfaceWay::Range, InterfaceWay::Global] {
        let cut = Subdivision::new(9, way);
        assert!(far(&net.solution(&cut, true), &direct) < 1e-9);
        assert!(cut.tally.counts().eliminated > 0, "{:?}", cut.tally.counts());
    }
}

#[test]
fn threads_and_ranks_change_no_bit() {
    let net = &nets()[1];
    for way in InterfaceWay::ALL {
        let one = net.solution(&Subdivision::new(9, way), true);
        for threads in [2, 4] {
            let several = within(threads, |_| net.solution(&Subdivision::new(9, way), true));
            assert!(several == one, "{} by {threads} threads", way.name());
        }
        for ranks in [2, 3, 4] {
            let all: Vec<Vec<f64>> = std::thread::scope(|scope| {
                let start = |hand| {
                    let hand: Arc<dyn Exchange> = Arc::new(hand);
                    scope.spawn(move || net.solution(&Subdivision::among(9, way, hand), true))
                };
                let started: Vec<_> = crew(ranks).into_iter().map(start).collect();
                started.into_iter().map(|rank| rank.join().expect("a rank")).collect()
            });
            assert!(all.iter().all(|found| *found == one), "{} by {ranks} ranks", way.name());
        }
    }
}

#[test]
fn complex_matrices_are_solved_alike() {
    let net = &nets()[1];
    let solve = |way: InterfaceWay, iterating: bool| {
        let lu = net.structure(&Subdivision::new(9, way));
        let mut factor = if iterating { BlockFactor::iterating(&lu) } else { BlockFactor::new(&lu) };
        let mut whole = vec![ComplexNumber::default(); lu.len()];
        let turned = |x: f64| ComplexNumber { re: 0.6 * x, im: 0.8 * x };
        net.write(&lu, turned, &mut whole);
        let cuts = lu.cuts().to_vec();
        let fill =
            |piece: usize, to: &mut [ComplexNumber]| to.copy_from_slice(&whole[cuts[piece]..cuts[piece + 1]]);
        lu.factor_filled(&mut factor, 1e-15, &fill).expect("regular");
        let mut x: Vec<ComplexNumber> = vec![ComplexNumber::default(); lu.rows()];
        (0..400)
            .for_each(|k| x[lu.start(k)] = ComplexNumber { re: (k % 7) as f64 - 3.0, im: (k % 5) as f64 });
        lu.solve(&factor, &mut x);
        (0..400).flat_map(|k| [x[lu.start(k)].re, x[lu.start(k)].im]).collect::<Vec<f64>>()
    };
    let direct = solve(InterfaceWay::Interface, false);
    for way in InterfaceWay::ALL {
        let apart = far(&solve(way, true), &direct);
        assert!(apart < 1e-9, "{}: {apart:e}", way.name());
    }
}

/// Negative eigenvalues are counted by sub-domains.
#[test]
fn negative_eigenvalues_are_counted_by_all() {
    let count = |cut: &Subdivision, mass: f64| {
        let net = Net { side: 13, per_side: 2, dealt: 4, mass, skew: 0.0 };
        let lu = net.structure(cut);
        let mut factor = BlockFactor::new(&lu);
        let mut whole = vec![0.0; lu.len()];
        net.write(&lu, |x| x, &mut whole);
        let cuts = lu.cuts().to_vec();
        let fill = |piece: usize, to: &mut [f64]| to.copy_from_slice(&whole[cuts[piece]..cuts[piece + 1]]);
        lu.factor_filled(&mut factor, 1e-15, &fill).expect("regular");
        lu.negatives(&factor)
    };
    let one = Subdivision::new(4, InterfaceWay::Bddc);
    assert_eq!(count(&one, 1.0), Some(0));
    let several = count(&one, -20.0);
    assert!(several.is_some_and(|count| (10..500).contains(&count)), "{several:?}");
    let all: Vec<Option<usize>> = std::thread::scope(|scope| {
        let start = |hand| {
            let cut = Subdivision::among(4, InterfaceWay::Bddc, Arc::new(hand));
            scope.spawn(move || count(&cut, -20.0))
        };
        let started: Vec<_> = crew(3).into_iter().map(start).collect();
        started.into_iter().map(|rank| rank.join().expect("a rank")).collect()
    });
    assert!(all.iter().all(|count| *count == several));
}
