//! Conjugate gradients on the constraint metric, preconditioned by its blocks on the diagonal [Kurdila 1990].

use super::boundary::Batches;
use super::error::RangeError;
use super::lanes::{Arithmetic, Kernel};
use super::pieces::{Blocks, GRAIN, INTERFACES, summed};
use super::small::{UPRIGHT, between, invert, turned};
use super::structure::{FRAME, ROWS, Side, Structure};
use kingpin::threads::{Spans, in_pieces};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Places of a block.
const BLOCK: usize = ROWS * ROWS;

/// Inverse blocks, one for each distinct pair of substructures that meet at an interface.
#[derive(Debug, Clone)]
pub(crate) struct BlockJacobi {
    /// In the axes of the first part of the interface.
    inverse: Vec<f64>,
    /// An interface that has each block.
    example: Vec<usize>,
    /// Block of each interface.
    of: Vec<u32>,
    /// Vectors of multipliers: residual, preconditioned, direction, what the metric makes of it.
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
}

/// Directions apart by less are the same, in finding alike interfaces.
const SAME: f64 = 1e9;

impl BlockJacobi {
    /// Finds which interfaces are alike.
    pub fn new(structure: &Structure) -> BlockJacobi {
        let mut known: HashMap<([usize; 4], [i64; 9]), u32> = HashMap::new();
        let (mut example, mut of) = (Vec::new(), Vec::with_capacity(structure.interfaces.len()));
        for (j, sides) in structure.sides.iter().enumerate() {
            let [a, b] = sides.map(|side| structure.parts[side.part].kind);
            let kind = if sides[1].sign == 0.0 { usize::MAX } else { b };
            let key = [a, sides[0].port, kind, sides[1].port];
            let turn = turn_between(structure, sides).map(|x| (x * SAME).round() as i64);
            let block = *known.entry((key, turn)).or_insert_with(|| {
                example.push(j);
                example.len() as u32 - 1
            });
            of.push(block);
        }
        let room = || vec![0.0; structure.multipliers_len()];
        let inverse = vec![0.0; BLOCK * example.len()];
        BlockJacobi { inverse, example, of, r: room(), z: room(), p: room(), q: room() }
    }

    /// New blocks after new factors.
    pub fn factor(&mut self, batches: &Batches) -> Result<(), RangeError> {
        let (structure, example) = (batches.structure, &self.example);
        let failed = AtomicUsize::new(usize::MAX);
        in_pieces(0..example.len(), 64, Blocks::new(&mut self.inverse, BLOCK), &|some, mut room| {
            for block in some {
                let sides = &structure.sides[example[block]];
                let to = room.of(block);
                fill(batches, &sides[0], to);
                if sides[1].sign != 0.0 {
                    let mut other = [0.0; BLOCK];
                    fill(batches, &sides[1], &mut other);
                    turned(&turn_between(structure, sides), &mut other, FRAME);
                    to.iter_mut().zip(other).for_each(|(to, x)| *to += x);
                }
                if !invert(to, ROWS) {
                    failed.fetch_min(example[block], Ordering::Relaxed);
                }
            }
        });
        match failed.into_inner() {
            usize::MAX => Ok(()),
            first => Err(RangeError::Singular { interface: structure.interfaces[first].name.clone() }),
        }
    }

    /// Solves the metric for the right side in `r`; `boundary` are two rooms over all boundaries. The iterations and
    /// what is left of the right side.
    pub fn solve(
        &mut self,
        batches: &Batches,
        lam: &mut [f64],
        boundary: [&mut [f64]; 2],
        starts: &[u32],
        (tolerance, most): (f64, usize),
    ) -> Result<(usize, f64), RangeError> {
        let interfaces = batches.structure.interfaces.len();
        let [forces, yielded] = boundary;
        lam.fill(0.0);
        self.p.fill(0.0);
        let [mut rz, norm] = self.precondition(batches, 0.0, lam);
        let (mut rr, mut beta, mut iterations) = (norm, 0.0, 0);
        let target = tolerance * tolerance * norm;
        // the right side itself is the first residual
        while rr > target {
            if iterations == most || !rr.is_finite() {
                return Err(RangeError::NoConvergence { iterations, residual: (rr / norm).sqrt() });
            }
            let z = &self.z;
            in_pieces(0..interfaces, INTERFACES, Blocks::new(&mut self.p, ROWS), &|some, mut p| {
                for j in some {
                    let z = &z[ROWS * j..ROWS * (j + 1)];
                    p.of(j).iter_mut().zip(z).for_each(|(p, z)| *p = beta * *p + z);
                }
            });
            let pq = metric(batches, &self.p, [forces, yielded], starts, &mut self.q);
            let [next, left] = self.precondition(batches, rz / pq, lam);
            (beta, rz, rr) = (next / rz, next, left);
            iterations += 1;
        }
        Ok((iterations, if norm > 0.0 { (rr / norm).sqrt() } else { 0.0 }))
    }

    /// The right side.
    pub fn right(&mut self) -> &mut [f64] {
        &mut self.r
    }

    /// `lam += alpha p`, `r -= alpha q`, `z = P^-1 r`; `r.z` and `r.r`.
    fn precondition(&mut self, batches: &Batches, alpha: f64, lam: &mut [f64]) -> [f64; 2] {
        let BlockJacobi { inverse, of, r, z, p, q, .. } = self;
        let (inverse, of, p, q) = (&inverse[..], &of[..], &p[..], &q[..]);
        let room = (Blocks::new(r, ROWS), (Blocks::new(z, ROWS), Blocks::new(lam, ROWS)));
        summed(0..of.len(), INTERFACES, room, &|some, (r, (z, lam))| {
            batches.machine.run(Precondition { batches, alpha, some, inverse, of, p, q, r, z, lam })
        })
    }

    pub fn bytes(&self) -> usize {
        8 * (self.inverse.len() + self.example.len() + 4 * self.r.len()) + 4 * self.of.len()
    }
}

/// Axes of the second part of an interface in those of the first, where they were placed.
fn turn_between(structure: &Structure, sides: &[Side; 2]) -> [f64; 9] {
    let [a, b] = sides.map(|side| &structure.parts[side.part].attitude);
    if sides[1].sign == 0.0 { UPRIGHT } else { between(a, b) }
}

/// The compliance of one side of an interface, in the axes of its part.
fn fill(batches: &Batches, side: &Side, block: &mut [f64]) {
    for (k, to) in block.iter_mut().enumerate() {
        let [row, column] = [k / ROWS, k % ROWS].map(|row| side.port * ROWS + row);
        *to = batches.factors.yields(batches.structure, side.part, row, column);
    }
}

/// `q = C A^-1 C^T p` without any matrix but those of substructures; `p.q`. O(boundaries).
pub(crate) fn metric(
    batches: &Batches,
    p: &[f64],
    [forces, yielded]: [&mut [f64]; 2],
    starts: &[u32],
    q: &mut [f64],
) -> f64 {
    let structure = batches.structure;
    let room = (Spans::new(starts, forces), Spans::new(starts, &mut *yielded));
    in_pieces(0..structure.batches.len(), GRAIN, room, &|some, mut room| {
        for batch in some {
            let forces = room.0.of(batch);
            batches.forces(batch, p, forces);
            batches.comply(batch, forces, room.1.of(batch));
        }
    });
    let yielded = &*yielded;
    summed(0..structure.sides.len(), INTERFACES, Blocks::new(q, ROWS), &|some, mut q| {
        let mut sum = 0.0;
        for j in some {
            let q = q.of(j);
            gather(&structure.sides[j], yielded, q);
            sum += q.iter().zip(&p[ROWS * j..]).map(|(q, p)| p * q).sum::<f64>();
        }
        [sum, 0.0]
    })[0]
}

/// By how much the two sides of an interface are apart.
#[inline(always)]
pub(crate) fn gather(sides: &[Side; 2], boundary: &[f64], q: &mut [f64]) {
    const LANES: usize = super::lanes::LANES;
    let [a, b] = sides;
    let (one, other) = (&boundary[a.start..], &boundary[b.start..]);
    for (r, q) in q.iter_mut().enumerate() {
        *q = a.sign * one[LANES * r] + b.sign * other[LANES * r];
    }
}

/// The work of [`BlockJacobi::precondition`] on some interfaces.
struct Precondition<'a, 'b> {
    batches: &'a Batches<'b>,
    alpha: f64,
    some: std::ops::Range<usize>,
    inverse: &'a [f64],
    of: &'a [u32],
    p: &'a [f64],
    q: &'a [f64],
    r: Blocks<'a>,
    z: Blocks<'a>,
    lam: Blocks<'a>,
}

impl Kernel for Precondition<'_, '_> {
    type Out = [f64; 2];

    #[inline(always)]
    fn run<A: Arithmetic>(mut self, arithmetic: A) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for j in self.some {
            let (lam, r, z) = (self.lam.of(j), self.r.of(j), self.z.of(j));
            let (p, q) = (&self.p[ROWS * j..ROWS * (j + 1)], &self.q[ROWS * j..ROWS * (j + 1)]);
            let mut left = [0.0; ROWS];
            for k in 0..ROWS {
                lam[k] = arithmetic.mul_add(self.alpha, p[k], lam[k]);
                r[k] = arithmetic.mul_add(-self.alpha, q[k], r[k]);
                left[k] = r[k];
            }
            let axes = self.batches.attitudes.map(|all| {
                let (batch, lane) = self.batches.structure.home[self.batches.structure.sides[j][0].part];
                all[batch].map(|row| row[lane])
            });
            axes.iter().for_each(|t| turn(t, &mut left, false));
            // the blocks are symmetric, so columns are rows
            let block = &self.inverse[BLOCK * self.of[j] as usize..];
            let mut found = [0.0; ROWS];
            for (column, left) in block.chunks_exact(ROWS).zip(left) {
                for k in 0..ROWS {
                    found[k] = arithmetic.mul_add(column[k], left, found[k]);
                }
            }
            axes.iter().for_each(|t| turn(t, &mut found, true));
            z.copy_from_slice(&found);
            for k in 0..ROWS {
                sums[0] = arithmetic.mul_add(r[k], found[k], sums[0]);
                sums[1] = arithmetic.mul_add(r[k], r[k], sums[1]);
            }
        }
        sums
    }
}

/// `x = T^T x` at all nodes of a frame, or `T x` back.
fn turn(t: &[f64; 9], x: &mut [f64; ROWS], back: bool) {
    for node in x.chunks_exact_mut(3) {
        let given = [node[0], node[1], node[2]];
        for (i, to) in node.iter_mut().enumerate() {
            *to = (0..3).map(|k| if back { t[3 * i + k] } else { t[3 * k + i] } * given[k]).sum();
        }
    }
}
