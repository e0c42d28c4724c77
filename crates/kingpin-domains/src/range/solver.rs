//! Solutions of structures: `A x + C^T lam = f`, `C x = 0`.

use super::boundary::{Attitudes, Batches};
use super::direct::Direct;
use super::error::RangeError;
use super::factors::{Factors, Matrix};
use super::jacobi::{BlockJacobi, gather};
use super::lanes::{LANES, Machine};
use super::mixed::Mixed;
use super::pieces::{Blocks, GRAIN, INTERFACES};
use super::structure::{ROWS, Structure};
use kingpin::threads::{Spans, in_pieces};
use std::sync::Arc;

/// How the constraint metric is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Conjugate gradients preconditioned by blocks on the diagonal.
    BlockJacobi,
    /// Rigid motions of interfaces by a coarse problem, the rest by conjugate gradients.
    Mixed,
    /// A block factor.
    Direct,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 3] = [Method::BlockJacobi, Method::Mixed, Method::Direct];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::BlockJacobi => "block-jacobi",
            Method::Mixed => "mixed",
            Method::Direct => "direct",
        }
    }
}

/// How a solution was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Iterations of conjugate gradients.
    pub iterations: usize,
    /// What is left of the right side of the metric, over it.
    pub residual: f64,
}

/// The numbers behind a method.
#[derive(Debug, Clone)]
enum Metric {
    BlockJacobi(BlockJacobi),
    Mixed(Box<Mixed>),
    Direct(Direct),
}

/// A structure with the factors of its substructures. After construction nothing is allocated.
#[derive(Debug, Clone)]
pub struct Solver {
    structure: Arc<Structure>,
    machine: Machine,
    factors: Factors,
    metric: Metric,
    method: Method,
    attitudes: Vec<Attitudes>,
    turned: bool,
    lam: Vec<f64>,
    right: Vec<f64>,
    boundary: [Vec<f64>; 2],
    /// Means of joined nodes.
    means: Vec<f64>,
    starts: Vec<u32>,
    boundary_starts: Vec<u32>,
    /// Residual of the metric to reach, over its right side.
    pub tolerance: f64,
}

/// Most iterations.
const MOST: usize = 2_000;

impl Solver {
    /// Room for a structure. O(parts).
    pub fn new(structure: &Arc<Structure>, matrix: Matrix, method: Method) -> Result<Solver, RangeError> {
        let metric = match method {
            Method::BlockJacobi => Metric::BlockJacobi(BlockJacobi::new(structure)),
            Method::Mixed => Metric::Mixed(Box::new(Mixed::new(structure)?)),
            Method::Direct => Metric::Direct(Direct::new(structure)),
        };
        let room = || vec![0.0; structure.boundary_len()];
        let ends = structure.batches.iter().map(|batch| batch.boundary).chain([structure.boundary_len()]);
        let boundary_starts = ends.map(|start| start as u32).collect();
        let upright = [[0.0; LANES]; 9];
        let mut solver = Solver {
            machine: Machine::detect(),
            factors: Factors::new(structure, matrix),
            metric,
            method,
            attitudes: vec![upright; structure.batches.len()],
            turned: false,
            lam: vec![0.0; structure.multipliers_len()],
            right: vec![0.0; structure.multipliers_len()],
            boundary: [room(), room()],
            means: vec![0.0; 3 * structure.joined.len()],
            starts: structure.starts(),
            boundary_starts,
            tolerance: 1e-10,
            structure: structure.clone(),
        };
        let placed: Vec<[f64; 9]> = structure.parts.iter().map(|part| part.attitude).collect();
        solver.set_attitudes(&placed);
        Ok(solver)
    }

    /// The same bits on all processors of an architecture, at some cost in speed.
    pub fn portable(mut self) -> Solver {
        self.machine = Machine::Portable;
        self
    }

    /// How the metric is solved.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Axes of the parts as they are now; factors are found in them.
    pub fn set_attitudes(&mut self, of: &[[f64; 9]]) {
        self.turned = of.iter().any(|one| *one != super::small::UPRIGHT);
        for (batch, to) in self.structure.batches.iter().zip(&mut self.attitudes) {
            for lane in 0..LANES {
                let part = batch.parts[if lane < batch.parts.len() { lane } else { 0 }];
                (0..9).for_each(|k| to[k][lane] = of[part][k]);
            }
        }
    }

    /// Factors `M + weight K` of every distinct substructure, and prepares the metric.
    pub fn factor(&mut self, weight: f64) -> Result<(), RangeError> {
        self.factors.factor(&self.structure, self.machine, weight)?;
        self.prepare()
    }

    /// Prepares the metric anew after a change of attitudes.
    pub fn prepare(&mut self) -> Result<(), RangeError> {
        let Solver { structure, machine, factors, attitudes, metric, .. } = self;
        let attitudes = (self.turned && factors.matrix == Matrix::Effective).then_some(&attitudes[..]);
        let batches = Batches { structure, machine: *machine, factors, attitudes };
        match metric {
            Metric::BlockJacobi(metric) => metric.factor(&batches),
            Metric::Mixed(metric) => metric.factor(&batches),
            Metric::Direct(metric) => metric.factor(&batches),
        }
    }

    /// The x of `A x + C^T lam = f`, `C x = 0`. Nodes that are one have the same bits in all parts.
    pub fn solve(&mut self, f: &[f64], x: &mut [f64]) -> Result<Found, RangeError> {
        let Solver { structure, machine, factors, attitudes, metric, lam, right, .. } = self;
        let attitudes = (self.turned && factors.matrix == Matrix::Effective).then_some(&attitudes[..]);
        let batches = Batches { structure, machine: *machine, factors, attitudes };
        let (count, starts, boundary_starts) =
            (structure.batches.len(), &self.starts[..], &self.boundary_starts[..]);
        let [forces, yielded] = &mut self.boundary;
        let room = (Spans::new(starts, &mut *x), Spans::new(boundary_starts, &mut *yielded));
        in_pieces(0..count, GRAIN, room, &|some, mut room| {
            for batch in some {
                let x = room.0.of(batch);
                x.copy_from_slice(&f[starts[batch] as usize..starts[batch + 1] as usize]);
                batches.solve(batch, x);
                batches.restrict(batch, x, room.1.of(batch));
            }
        });
        let (sides, apart) = (&structure.sides[..], &*yielded);
        let to = match metric {
            Metric::BlockJacobi(metric) => metric.right(),
            _ => &mut right[..],
        };
        in_pieces(0..sides.len(), INTERFACES, Blocks::new(to, ROWS), &|some, mut to| {
            some.for_each(|j| gather(&sides[j], apart, to.of(j)));
        });
        let ends = (self.tolerance, MOST);
        let (iterations, residual) = match metric {
            Metric::BlockJacobi(metric) => {
                metric.solve(&batches, lam, [&mut *forces, &mut *yielded], boundary_starts, ends)?
            }
            Metric::Mixed(metric) => metric.solve(&batches, lam, (&*yielded, boundary_starts), ends)?,
            Metric::Direct(metric) => metric.solve(right, lam),
        };
        let (lam, room) = (&lam[..], (Spans::new(starts, &mut *x), Spans::new(boundary_starts, forces)));
        in_pieces(0..count, GRAIN, room, &|some, mut room| {
            for batch in some {
                let (x, forces) = (room.0.of(batch), room.1.of(batch));
                x.copy_from_slice(&f[starts[batch] as usize..starts[batch + 1] as usize]);
                batches.forces(batch, lam, forces);
                batches.unload(batch, forces, x);
                batches.solve(batch, x);
            }
        });
        self.unite(x);
        Ok(Found { iterations, residual })
    }

    /// Gives all copies of a node the mean of them, and those at the ground zero.
    fn unite(&mut self, x: &mut [f64]) {
        let joined = &self.structure.joined;
        let from = &*x;
        in_pieces(0..joined.len(), INTERFACES, Blocks::new(&mut self.means, 3), &|some, mut means| {
            for group in some {
                let (places, means) = (joined.group(group), means.of(group));
                let share = if joined.grounded[group] { 0.0 } else { 1.0 / places.len() as f64 };
                for (axis, mean) in means.iter_mut().enumerate() {
                    *mean = share * places.iter().map(|at| from[at + axis * LANES]).sum::<f64>();
                }
            }
        });
        for group in 0..joined.len() {
            for at in joined.group(group) {
                (0..3).for_each(|axis| x[at + axis * LANES] = self.means[3 * group + axis]);
            }
        }
    }

    /// Bytes of all numbers and lists, the structure included.
    pub fn bytes(&self) -> usize {
        let metric = match &self.metric {
            Metric::BlockJacobi(metric) => metric.bytes(),
            Metric::Mixed(metric) => metric.bytes(),
            Metric::Direct(metric) => metric.bytes(),
        };
        let own = self.lam.len() + self.right.len() + self.boundary[0].len() + self.boundary[1].len();
        let attitudes = size_of::<Attitudes>() * self.attitudes.len();
        self.structure.bytes()
            + self.factors.bytes()
            + metric
            + 8 * (own + self.means.len())
            + 4 * (self.starts.len() + self.boundary_starts.len())
            + attitudes
    }
}
