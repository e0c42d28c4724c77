//! The structure of matrices over all coordinates and multipliers: nodes, order, and where every number goes.

use super::bordered::Slope;
use super::grouping::Grouping;
use crate::dynamics::forms::jacobian::CoordinateJacobian;
use crate::linalg::{BlockCoupling, BlockLu, BlockPlace};
use crate::system::{Pair, System};
use crate::topology::{SeenEdge, waiting_minimum_degree};

/// Where the numbers of matrices of the form
///
/// ```text
/// [ n by n, by pairs of bodies   Phi_x^T ]
/// [ Phi_x                           0    ]
/// ```
///
/// lie in a [`BlockLu`]. A node holds the coordinates of a body, then the multipliers of its equations. With more
/// copies, each is there as often: first all coordinates of a node in all copies, then all multipliers.
#[derive(Clone, Debug)]
pub(super) struct Skeleton {
    pub lu: BlockLu,
    /// Row of each coordinate and of each kept equation in vectors, of the first copy; how far the next is from it.
    coordinates: Vec<[u32; 2]>,
    equations: Vec<[u32; 2]>,
    /// Places of the pairs of bodies, first copy, and how far the next is by rows and by columns.
    pairs: Vec<(Pair, BlockPlace, [usize; 2])>,
    /// Numbers of Phi_x.
    entries: Vec<JacobianEntry>,
    /// The same by rows and bodies, and the first of each row.
    runs: Vec<JacobianRun>,
    first: Vec<u32>,
}

/// The numbers of a row of Phi_x for a body: where they begin in arrays of the layout and in coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
struct JacobianRun {
    number: u32,
    coordinate: u32,
    length: u32,
}

/// Velocities of a body in space and in the plane: sums over as many are taken without loops.
const SPATIAL: usize = 6;
const PLANAR: usize = 3;

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

    /// `out -= x a` over the run.
    #[inline(always)]
    fn subtract(&self, x: f64, phi: &[f64], out: &mut [f64]) {
        let (a, out) = (&phi[self.number as usize..], &mut out[self.coordinate as usize..]);
        match self.length as usize {
            SPATIAL => subtract(x, &a[..SPATIAL], &mut out[..SPATIAL]),
            PLANAR => subtract(x, &a[..PLANAR], &mut out[..PLANAR]),
            n => subtract(x, &a[..n], &mut out[..n]),
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

/// A number of Phi_x: its place in arrays of the layout, and places in the matrix.
#[derive(Clone, Copy, Debug)]
struct JacobianEntry {
    number: u32,
    /// (equation, coordinate) and (coordinate, equation), first copy.
    below: u32,
    beside: u32,
    /// How far the next copy is: of (equation, coordinate) by its equation and by its coordinate, of the transposed by
    /// both at once.
    next: [u32; 3],
}

/// A node of the elimination.
#[derive(Clone, Copy)]
struct Spot {
    node: usize,
    /// Place among its coordinates or its equations.
    local: usize,
}

/// Nodes in all: how many coordinates and equations each has.
struct Sizes {
    heads: Vec<usize>,
    tails: Vec<usize>,
}

impl Skeleton {
    /// Structure for a system over the equations that are kept, in so many copies.
    pub fn new(system: &System, jacobian: &CoordinateJacobian, grouping: &Grouping, copies: usize) -> Self {
        let bodies = system.bodies();
        let heads = system.nodes.iter().take(bodies).map(|node| node.nv);
        let sizes = Sizes {
            heads: heads.chain(grouping.closing.iter().map(|_| 0)).collect(),
            tails: grouping
                .of_body
                .iter()
                .chain(grouping.closing.iter().map(|c| &c.0))
                .map(Vec::len)
                .collect(),
        };
        let mut rows = vec![Spot { node: 0, local: 0 }; jacobian.rows.len()];
        let lists = grouping.of_body.iter().chain(grouping.closing.iter().map(|c| &c.0)).enumerate();
        for (node, list) in lists {
            list.iter().enumerate().for_each(|(local, &row)| rows[row] = Spot { node, local });
        }
        let couplings = couplings(system, jacobian, &sizes, &rows, copies);
        let all: Vec<usize> =
            (0..sizes.heads.len()).map(|k| copies * (sizes.heads[k] + sizes.tails[k])).collect();
        let mut after = vec![Vec::new(); bodies];
        after.extend(grouping.closing.iter().map(|(_, bodies)| bodies.clone()));
        let edges = couplings.iter().map(|c| SeenEdge { nodes: c.nodes, extents: c.extents });
        let order = waiting_minimum_degree(all.len(), edges, &after);
        let lu = BlockLu::analyse(&all, &couplings, &order, system.grain).with(system.arithmetic);
        Self::place(system, jacobian, (lu, copies), &sizes, &rows)
    }

    fn place(
        system: &System,
        jacobian: &CoordinateJacobian,
        (lu, copies): (BlockLu, usize),
        sizes: &Sizes,
        rows: &[Spot],
    ) -> Self {
        let coordinates = (0..system.velocities()).map(|c| {
            let (body, local) = system.nodes.of_velocity(c);
            [(lu.start(body) + local) as u32, sizes.heads[body] as u32]
        });
        let equations = rows.iter().map(|&Spot { node, local }| {
            [(lu.start(node) + copies * sizes.heads[node] + local) as u32, sizes.tails[node] as u32]
        });
        let pairs = system.layout.pairs.iter().filter_map(|pair| {
            let [a, b] = pair.bodies;
            let place = lu.locate(a, b)?;
            Some((*pair, place, [sizes.heads[a] * place.by_row, sizes.heads[b] * place.by_column]))
        });
        let (coordinates, equations, pairs) = (coordinates.collect(), equations.collect(), pairs.collect());
        let (mut entries, mut runs, mut first) = (Vec::new(), Vec::new(), vec![0]);
        for (list, &Spot { node, local }) in jacobian.rows.iter().zip(rows) {
            let row = copies * sizes.heads[node] + local;
            for &(number, c) in list {
                let (body, column) = system.nodes.of_velocity(c);
                // an equation and its bodies are coupled
                if let (Some(below), Some(beside)) = (lu.locate(node, body), lu.locate(body, node)) {
                    let [by_row, by_column] = [sizes.tails[node], sizes.heads[body]];
                    entries.push(JacobianEntry {
                        number: number as u32,
                        below: (below.at + row * below.by_row + column * below.by_column) as u32,
                        beside: (beside.at + column * beside.by_row + row * beside.by_column) as u32,
                        next: [
                            (by_row * below.by_row) as u32,
                            (by_column * below.by_column) as u32,
                            (by_column * beside.by_row + by_row * beside.by_column) as u32,
                        ],
                    });
                }
            }
            runs_of(system, list, &mut runs);
            first.push(runs.len() as u32);
        }
        Self { lu, coordinates, equations, pairs, entries, runs, first }
    }

    /// Whether numbers have the lengths that the structure has.
    pub fn fits(&self, numbers: &Slope) -> bool {
        let Slope { mass, metric, stiffness, damping, phi, rate, force_t, phi_tt, .. } = numbers;
        let pairs = self.pairs.iter().map(|(pair, ..)| pair.at + pair.nv[0] * pair.nv[1]).max().unwrap_or(0);
        let reach = self.entries.iter().map(|e| e.number as usize + 1).max().unwrap_or(0);
        mass.len() <= pairs
            && metric.len() == mass.len()
            && [stiffness, damping].iter().all(|list| list.len() == pairs)
            && phi.len() >= reach
            && phi.len() == rate.len()
            && [&numbers.acceleration, &numbers.acceleration_rate]
                .iter()
                .all(|a| a.len() == phi.len() || a.is_empty())
            && force_t.len() == self.coordinates.len()
            && phi_tt.len() == self.equations.len()
    }

    /// Kept equations.
    pub fn equations(&self) -> usize {
        self.equations.len()
    }

    /// Writes a vector of coordinates and one of equations into a right side; what is not named becomes zero.
    pub fn spread(&self, copy: usize, x: &[f64], e: &[f64], right: &mut [f64]) {
        let at = |&[first, next]: &[u32; 2]| first as usize + copy * next as usize;
        x.iter().zip(&self.coordinates).for_each(|(x, place)| right[at(place)] = *x);
        e.iter().zip(&self.equations).for_each(|(x, place)| right[at(place)] = *x);
    }

    /// The coordinates of the first copy in a solution.
    pub fn coordinates<'v>(&'v self, right: &'v [f64]) -> impl Iterator<Item = f64> + 'v {
        self.coordinates.iter().map(|place| right[place[0] as usize])
    }

    /// Where the coordinates of the first copy are in a right side.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.coordinates.iter().map(|place| place[0] as usize)
    }

    /// Where the equations of the first copy are in a right side.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.equations.iter().map(|place| place[0] as usize)
    }

    /// The equations of the first copy in a solution.
    pub fn multipliers<'v>(&'v self, right: &'v [f64]) -> impl Iterator<Item = f64> + 'v {
        self.equations.iter().map(|place| right[place[0] as usize])
    }

    /// Adds `weight` times a matrix of pairs, or of as many of the first pairs as it has numbers for, to the block of
    /// rows and columns of these copies.
    pub fn add_pairs(&self, weight: f64, pairs: &[f64], copies: [usize; 2], values: &mut [f64]) {
        self.put_pairs(pairs, copies, values, |to, x| *to += weight * x);
    }

    /// Writes M + g C + b K in the first copy, where M may have but the first pairs.
    pub fn put_sums(&self, mass: &[f64], (g, c): (f64, &[f64]), (b, k): (f64, &[f64]), values: &mut [f64]) {
        for (pair, place, _) in &self.pairs {
            let [rows, columns] = pair.nv;
            let own = pair.at..pair.at + rows * columns;
            let (mass, c, k) = (mass.get(own.clone()), &c[own.clone()], &k[own]);
            let values = &mut values[place.at..];
            for i in 0..rows {
                for j in 0..columns {
                    let n = i * columns + j;
                    let sum = mass.map_or(0.0, |mass| mass[n]) + g * c[n] + b * k[n];
                    values[i * place.by_row + j * place.by_column] = sum;
                }
            }
        }
    }

    /// Does something with each number of such a matrix, at its place.
    #[inline(always)]
    pub fn put_pairs<T>(
        &self,
        pairs: &[f64],
        copies: [usize; 2],
        values: &mut [T],
        put: impl Fn(&mut T, f64),
    ) {
        for (pair, place, next) in &self.pairs {
            let [rows, columns] = pair.nv;
            let Some(from) = pairs.get(pair.at..pair.at + rows * columns) else { break };
            let values = &mut values[place.at + copies[0] * next[0] + copies[1] * next[1]..];
            for (i, row) in from.chunks_exact(columns).enumerate() {
                for (j, x) in row.iter().enumerate() {
                    put(&mut values[i * place.by_row + j * place.by_column], *x);
                }
            }
        }
    }

    /// Writes the equations of a matrix of one copy beside and below.
    pub fn put_border<T>(&self, phi: &[f64], values: &mut [T], put: impl Fn(&mut T, f64)) {
        for e in &self.entries {
            let x = phi[e.number as usize];
            put(&mut values[e.below as usize], x);
            put(&mut values[e.beside as usize], x);
        }
    }

    /// Writes `weight` times a matrix of equations below: in rows of copy `copies[0]`, columns of `copies[1]`.
    pub fn put_below(&self, weight: f64, phi: &[f64], copies: [usize; 2], values: &mut [f64]) {
        for e in &self.entries {
            let at = e.below as usize + copies[0] * e.next[0] as usize + copies[1] * e.next[1] as usize;
            values[at] = weight * phi[e.number as usize];
        }
    }

    /// Adds the same.
    pub fn add_below(&self, weight: f64, phi: &[f64], copies: [usize; 2], values: &mut [f64]) {
        for e in &self.entries {
            let at = e.below as usize + copies[0] * e.next[0] as usize + copies[1] * e.next[1] as usize;
            values[at] += weight * phi[e.number as usize];
        }
    }

    /// Writes `weight` times a transposed matrix of equations beside: in rows and columns of a copy.
    pub fn put_beside(&self, weight: f64, phi: &[f64], copy: usize, values: &mut [f64]) {
        for e in &self.entries {
            values[e.beside as usize + copy * e.next[2] as usize] = weight * phi[e.number as usize];
        }
    }

    /// `out += weight A x` for a matrix of pairs, or of as many of the first as it has numbers for.
    pub fn add_product(&self, weight: f64, pairs: &[f64], x: &[f64], out: &mut [f64]) {
        for (pair, ..) in &self.pairs {
            let [rows, columns] = pair.nv;
            let Some(from) = pairs.get(pair.at..pair.at + rows * columns) else { break };
            let (x, out) = (&x[pair.v[1]..], &mut out[pair.v[0]..][..rows]);
            match columns {
                SPATIAL => add_products(weight, from, &x[..SPATIAL], out),
                PLANAR => add_products(weight, from, &x[..PLANAR], out),
                n => add_products(weight, from, &x[..n], out),
            }
        }
    }

    /// The runs of every kept equation.
    fn rows_of_runs(&self) -> impl Iterator<Item = &[JacobianRun]> {
        self.first.windows(2).map(|ends| &self.runs[ends[0] as usize..ends[1] as usize])
    }

    /// `out[r] = (Phi x)_r` of every kept equation, for a matrix of equations.
    pub fn equations_times(&self, phi: &[f64], x: &[f64], out: &mut [f64]) {
        for (out, row) in out.iter_mut().zip(self.rows_of_runs()) {
            *out = row.iter().fold(0.0, |sum, run| run.product(sum, phi, x));
        }
    }

    /// `(Phi x)_r` and `(Phi y)_r` of every kept equation, for a matrix of equations.
    pub fn each_times<'v>(
        &'v self,
        phi: &'v [f64],
        x: &'v [f64],
        y: &'v [f64],
    ) -> impl Iterator<Item = [f64; 2]> + 'v {
        self.rows_of_runs().map(move |row| {
            row.iter().fold([0.0; 2], |[a, b], run| [run.product(a, phi, x), run.product(b, phi, y)])
        })
    }

    /// `out -= Phi^T e` over the kept equations.
    pub fn subtract_transposed(&self, phi: &[f64], e: impl Iterator<Item = f64>, out: &mut [f64]) {
        for (x, row) in e.zip(self.rows_of_runs()) {
            row.iter().for_each(|run| run.subtract(x, phi, out));
        }
    }
}

/// Nodes that share a joint, a force or an inertance.
fn couplings(
    system: &System,
    jacobian: &CoordinateJacobian,
    Sizes { heads, tails }: &Sizes,
    rows: &[Spot],
    copies: usize,
) -> Vec<BlockCoupling> {
    let mut list = Vec::new();
    for pair in system.layout.pairs.iter().filter(|pair| pair.bodies[0] < pair.bodies[1]) {
        list.push(BlockCoupling { nodes: pair.bodies, extents: pair.bodies.map(|b| copies * heads[b]) });
    }
    for (entries, spot) in jacobian.rows.iter().zip(rows) {
        for &(_, c) in entries {
            let (body, node) = (system.nodes.of_velocity(c).0, spot.node);
            if body != node {
                let whole = copies * (heads[node] + tails[node]);
                list.push(BlockCoupling { nodes: [node, body], extents: [whole, copies * heads[body]] });
            }
        }
    }
    list.sort_unstable_by_key(|c| (c.nodes, c.extents));
    list.dedup();
    list
}
