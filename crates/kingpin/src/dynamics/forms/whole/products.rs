//! Products of matrices over all coordinates with vectors, and right sides in the order of elimination, in pieces: every
//! sum is one body's or one equation's, in a fixed order.

use super::skeleton::Skeleton;
use crate::dynamics::forms::jacobian::CoordinateJacobian;
use crate::system::{Pair, System};
use crate::threads::{Each, STRETCH, Spans, in_pieces, in_stretches};

/// Velocities of a body in space and in the plane: sums over as many are taken without loops.
const SPATIAL: usize = 6;
const PLANAR: usize = 3;

/// Equations of a piece.
const ROWS: usize = STRETCH / 16;

/// No coordinate and no equation.
const NOTHING: u32 = u32::MAX;

/// The numbers of matrices by rows and by columns.
#[derive(Clone, Debug)]
pub(super) struct Products {
    grain: usize,
    /// The first velocity of each body, and the end of all.
    starts: Vec<u32>,
    /// Blocks of a matrix of pairs by the bodies of their rows, and the first of each body.
    blocks: Vec<PairBlock>,
    first_block: Vec<u32>,
    /// Phi_x by equations and bodies, and the first of each equation.
    runs: Vec<JacobianRun>,
    first: Vec<u32>,
    /// The same by bodies and equations: the first number and the equation, and the first of each body.
    columns: Vec<[u32; 2]>,
    first_column: Vec<u32>,
    /// What each row of a right side is for: a coordinate, an equation (counted from the last coordinate), or none of the
    /// first copy.
    meaning: Vec<u32>,
}

/// A block of a matrix of pairs: its first number, the first velocity of its columns, and how many of them.
#[derive(Clone, Copy, Debug)]
struct PairBlock {
    number: u32,
    from: u32,
    columns: u32,
}

/// The numbers of a row of Phi_x for a body: where they begin in arrays of the layout and in coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
struct JacobianRun {
    number: u32,
    coordinate: u32,
    length: u32,
}

impl JacobianRun {
    /// `sum + a . x` over the run.
    #[inline(always)]
    fn product(&self, sum: f64, phi: &[f64], x: &[f64]) -> f64 {
        let (a, x) = (&phi[self.number as usize..], &x[self.coordinate as usize..]);
        match self.length as usize {
            SPATIAL => product(sum, &a[..SPATIAL], &x[..SPATIAL]),
            PLANAR => product(sum, &a[..PLANAR], &x[..PLANAR]),
            n => product(sum, &a[..n], &x[..n]),
        }
    }
}

#[inline(always)]
fn product(sum: f64, a: &[f64], x: &[f64]) -> f64 {
    a.iter().zip(x).fold(sum, |sum, (a, x)| sum + a * x)
}

#[inline(always)]
fn subtract(x: f64, a: &[f64], out: &mut [f64]) {
    out.iter_mut().zip(a).for_each(|(out, a)| *out -= x * a);
}

/// `out += weight A x`, rows of A as long as x.
#[inline(always)]
fn add_products(weight: f64, a: &[f64], x: &[f64], out: &mut [f64]) {
    let rows = a.chunks_exact(x.len().max(1));
    out.iter_mut().zip(rows).for_each(|(out, row)| *out += weight * product(0.0, row, x));
}

/// The runs of a row.
fn runs_of(system: &System, list: &[(usize, usize)], runs: &mut Vec<JacobianRun>) {
    let first = runs.len();
    for &(number, c) in list {
        let (body, local) = system.nodes.of_velocity(c);
        let [number, coordinate, length] =
            [number - local, c - local, system.nodes[body].nv].map(|x| x as u32);
        let run = JacobianRun { number, coordinate, length };
        if runs[first..].last() != Some(&run) {
            runs.push(run);
        }
    }
}

/// Where the items of each of `n` lists begin, and the end of the last, if items are in the order of their lists.
fn firsts(n: usize, lists: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut first = vec![0; n + 1];
    lists.for_each(|list| first[list + 1] += 1);
    (0..n).for_each(|k| first[k + 1] += first[k]);
    first
}

impl Products {
    /// Structure for right sides of so many rows, where coordinates and equations have their places.
    pub fn new(
        system: &System,
        jacobian: &CoordinateJacobian,
        rows: usize,
        places: [&[[u32; 2]]; 2],
    ) -> Self {
        let bodies = system.bodies();
        let starts = system.nodes.iter().take(bodies).map(|node| node.v as u32);
        let starts = starts.chain([system.velocities() as u32]).collect();
        let mut pairs = system.layout.pairs.clone();
        pairs.sort_by_key(|pair| pair.bodies[0]);
        let block = |pair: &Pair| PairBlock {
            number: pair.at as u32,
            from: pair.v[1] as u32,
            columns: pair.nv[1] as u32,
        };
        let (mut runs, mut first) = (Vec::new(), vec![0]);
        for list in &jacobian.rows {
            runs_of(system, list, &mut runs);
            first.push(runs.len() as u32);
        }
        let of_row = |e: usize| &runs[first[e] as usize..first[e + 1] as usize];
        let body = |run: &JacobianRun| system.nodes.of_velocity(run.coordinate as usize).0;
        let all = (0..jacobian.rows.len()).flat_map(|e| of_row(e).iter().map(move |run| (run, e)));
        let mut columns: Vec<(usize, [u32; 2])> =
            all.map(|(run, e)| (body(run), [run.number, e as u32])).collect();
        columns.sort_by_key(|column| column.0);
        let mut meaning = vec![NOTHING; rows];
        for (k, place) in places[0].iter().chain(places[1]).enumerate() {
            meaning[place[0] as usize] = k as u32;
        }
        Products {
            grain: system.grain,
            starts,
            first_block: firsts(bodies, pairs.iter().map(|pair| pair.bodies[0])),
            blocks: pairs.iter().map(block).collect(),
            first_column: firsts(bodies, columns.iter().map(|column| column.0)),
            columns: columns.into_iter().map(|column| column.1).collect(),
            meaning,
            runs,
            first,
        }
    }

    /// The runs of a kept equation.
    #[inline(always)]
    fn row(&self, e: usize) -> &[JacobianRun] {
        &self.runs[self.first[e] as usize..self.first[e + 1] as usize]
    }

    /// Bodies.
    fn bodies(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Skeleton {
    /// A right side in the order of elimination, from what it is for each coordinate and each kept equation of the first
    /// copy; zero elsewhere.
    pub fn write_right<T: Copy + Default + Send>(
        &self,
        right: &mut [T],
        coordinate: impl Fn(usize) -> T + Sync,
        equation: impl Fn(usize) -> T + Sync,
    ) {
        let n = self.coordinates.len();
        in_stretches(right, &|first, right| {
            for (to, &meaning) in right.iter_mut().zip(&self.products.meaning[first..]) {
                *to = match meaning {
                    NOTHING => T::default(),
                    k if (k as usize) < n => coordinate(k as usize),
                    k => equation(k as usize - n),
                };
            }
        });
    }

    /// Writes equations of another copy into a right side.
    pub fn spread(&self, copy: usize, e: &[f64], right: &mut [f64]) {
        let at = |&[first, next]: &[u32; 2]| first as usize + copy * next as usize;
        e.iter().zip(&self.equations).for_each(|(x, place)| right[at(place)] = *x);
    }

    /// Does something to each number of a list with the coordinate of the first copy in a solution.
    pub fn with_coordinates<T: Copy + Sync>(
        &self,
        right: &[T],
        to: &mut [f64],
        what: impl Fn(&mut f64, T) + Sync,
    ) {
        in_stretches(to, &|first, to| {
            let places = &self.coordinates[first..];
            to.iter_mut().zip(places).for_each(|(to, place)| what(to, right[place[0] as usize]));
        });
    }

    /// The same with the multipliers.
    pub fn with_multipliers<T: Copy + Sync>(
        &self,
        right: &[T],
        to: &mut [f64],
        what: impl Fn(&mut f64, T) + Sync,
    ) {
        in_stretches(to, &|first, to| {
            let places = &self.equations[first..];
            to.iter_mut().zip(places).for_each(|(to, place)| what(to, right[place[0] as usize]));
        });
    }

    /// Where the coordinates of the first copy are in a right side.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.coordinates.iter().map(|place| place[0] as usize)
    }

    /// Where a coordinate of the first copy is.
    #[inline(always)]
    pub fn place_of(&self, c: usize) -> usize {
        self.coordinates[c][0] as usize
    }

    /// The multiplier of a kept equation in a solution.
    #[inline(always)]
    pub fn multiplier(&self, right: &[f64], e: usize) -> f64 {
        right[self.equations[e][0] as usize]
    }

    /// `out += weight A x` for a matrix of pairs, or of as many of the first as it has numbers for.
    pub fn add_product(&self, weight: f64, pairs: &[f64], x: &[f64], out: &mut [f64]) {
        let products = &self.products;
        let room = Spans::new(&products.starts, out);
        in_pieces(0..products.bodies(), products.grain, room, &|bodies, room: Spans<f64>| {
            products.add(weight, pairs, x, (bodies, room));
        });
    }

    /// `(Phi x)_r` and `(Phi y)_r` of a kept equation, for a matrix of equations.
    #[inline(always)]
    pub fn equation_times(&self, e: usize, phi: &[f64], [x, y]: [&[f64]; 2]) -> [f64; 2] {
        let each = self.products.row(e).iter();
        each.fold([0.0; 2], |[a, b], run| [run.product(a, phi, x), run.product(b, phi, y)])
    }

    /// `out[r] = (Phi x)_r` of every kept equation, for a matrix of equations.
    pub fn equations_times(&self, phi: &[f64], x: &[f64], out: &mut [f64]) {
        let products = &self.products;
        in_pieces(0..out.len(), ROWS, Each(out, 0), &|some, room: Each<f64>| {
            for (e, out) in some.zip(room.0) {
                *out = products.row(e).iter().fold(0.0, |sum, run| run.product(sum, phi, x));
            }
        });
    }

    /// `out -= Phi^T e` over the kept equations.
    pub fn subtract_transposed(&self, phi: &[f64], e: impl Fn(usize) -> f64 + Sync, out: &mut [f64]) {
        let products = &self.products;
        let room = Spans::new(&products.starts, out);
        in_pieces(0..products.bodies(), products.grain, room, &|bodies, mut room: Spans<f64>| {
            for body in bodies {
                let out = room.of(body);
                let own = products.first_column[body] as usize..products.first_column[body + 1] as usize;
                for &[number, equation] in &products.columns[own] {
                    let (x, a) = (e(equation as usize), &phi[number as usize..]);
                    match out.len() {
                        SPATIAL => subtract(x, &a[..SPATIAL], &mut out[..SPATIAL]),
                        PLANAR => subtract(x, &a[..PLANAR], &mut out[..PLANAR]),
                        n => subtract(x, &a[..n], out),
                    }
                }
            }
        });
    }
}

impl Products {
    /// The same product for some bodies.
    #[inline(never)]
    fn add(
        &self,
        weight: f64,
        pairs: &[f64],
        x: &[f64],
        (bodies, mut room): (std::ops::Range<usize>, Spans<f64>),
    ) {
        for body in bodies {
            let out = room.of(body);
            let own = self.first_block[body] as usize..self.first_block[body + 1] as usize;
            for &PairBlock { number, from, columns } in &self.blocks[own] {
                let (number, columns) = (number as usize, columns as usize);
                let Some(a) = pairs.get(number..number + out.len() * columns) else { continue };
                let x = &x[from as usize..];
                match columns {
                    SPATIAL => add_products(weight, a, &x[..SPATIAL], out),
                    PLANAR => add_products(weight, a, &x[..PLANAR], out),
                    n => add_products(weight, a, &x[..n], out),
                }
            }
        }
    }
}
