//! Parts condensed to the rigid and the strained motions of their interfaces.

use super::basis::{RIGID, STRAINED};
use super::boundary::Batches;
use super::direct::attitude;
use super::error::RangeError;
use super::kernel::Dense;
use super::lanes::LANES;
use super::pieces::GRAIN;
use super::small::invert;
use super::structure::{ROWS, Structure};
use kingpin::threads::{Spans, in_pieces};
use std::sync::atomic::{AtomicUsize, Ordering};

/// N, H, H^T and E of all batches, one after the other, by rows, a number per lane.
#[derive(Debug, Clone)]
pub(crate) struct Condensed {
    values: Vec<f64>,
    starts: Vec<u32>,
}

/// One of the four.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which {
    N,
    H,
    Transposed,
    E,
}

/// Where the matrices of a part with so many ports start, and their rows.
fn layout(which: Which, ports: usize) -> (usize, usize, usize) {
    let (rigid, strained, square) = (RIGID * ports, STRAINED * ports, ports * ports);
    match which {
        Which::N => (0, rigid, rigid),
        Which::H => (36 * square, rigid, strained),
        Which::Transposed => (54 * square, strained, rigid),
        Which::E => (72 * square, strained, strained),
    }
}

impl Condensed {
    pub fn new(structure: &Structure) -> Condensed {
        let mut starts = vec![0_u32];
        for batch in &structure.batches {
            let boundary = structure.shapes[batch.shape].boundary();
            starts.push(starts[starts.len() - 1] + (LANES * boundary * boundary) as u32);
        }
        Condensed { values: vec![0.0; starts[structure.batches.len()] as usize], starts }
    }

    /// N of a part between two ports.
    pub fn rigid(&self, structure: &Structure, part: usize, i: usize, j: usize) -> [f64; RIGID * RIGID] {
        let (batch, lane) = structure.home[part];
        let n = RIGID * structure.shapes[structure.batches[batch].shape].ports.len();
        let own = &self.values[self.starts[batch] as usize..];
        std::array::from_fn(|k| own[((RIGID * i + k / RIGID) * n + RIGID * j + k % RIGID) * LANES + lane])
    }

    /// `to = S from` of a batch.
    pub fn apply(&self, batches: &Batches, batch: usize, which: Which, from: &[f64], to: &mut [f64]) {
        let ports = batches.structure.shapes[batches.structure.batches[batch].shape].ports.len();
        let (start, rows, columns) = layout(which, ports);
        let first = self.starts[batch] as usize + LANES * start;
        let matrix = self.values[first..first + LANES * rows * columns].as_chunks::<LANES>().0;
        let (x, y) = (from.as_chunks::<LANES>().0, to.as_chunks_mut::<LANES>().0);
        batches.machine.run(Dense { matrix, x, y });
    }

    pub fn bytes(&self) -> usize {
        8 * self.values.len() + 4 * self.starts.len()
    }
}

/// What a part is condensed from: its kind, the frames of its interfaces in its own axes, and whether it has them.
#[derive(Debug, Clone, PartialEq)]
struct Cause {
    kind: usize,
    frames: Vec<f64>,
    held: Vec<bool>,
}

/// Condenses all parts; alike neighbours once. O(parts).
pub(crate) fn condense(
    batches: &Batches,
    frames: &[[f64; ROWS * ROWS]],
    to: &mut Condensed,
) -> Result<(), RangeError> {
    let structure = batches.structure;
    let failed = AtomicUsize::new(usize::MAX);
    let Condensed { values, starts } = to;
    in_pieces(0..structure.batches.len(), GRAIN, Spans::new(starts, values), &|some, mut room| {
        let mut last: Option<Cause> = None;
        let mut found = Vec::new();
        for batch in some {
            let own = &structure.batches[batch];
            let room = room.of(batch);
            for (lane, &part) in own.parts.iter().enumerate() {
                let cause = cause(batches, frames, part);
                if last.as_ref() != Some(&cause) {
                    if !condensed(batches, part, &cause, &mut found) {
                        failed.fetch_min(part, Ordering::Relaxed);
                    }
                    last = Some(cause);
                }
                found.iter().enumerate().for_each(|(k, value)| room[k * LANES + lane] = *value);
            }
        }
    });
    match failed.into_inner() {
        usize::MAX => Ok(()),
        part => {
            let at = |sides: &&[super::structure::Side; 2]| sides.iter().any(|side| side.part == part);
            let first = structure.sides.iter().position(|sides| at(&sides)).unwrap_or(0);
            Err(RangeError::Singular { interface: structure.interfaces[first].name.clone() })
        }
    }
}

fn cause(batches: &Batches, frames: &[[f64; ROWS * ROWS]], part: usize) -> Cause {
    let structure = batches.structure;
    let (batch, lane) = structure.home[part];
    let own = &structure.batches[batch];
    let ports = structure.shapes[own.shape].ports.len();
    let t = attitude(batches, part);
    let upright = batches.attitudes.is_none();
    let mut cause = Cause { kind: structure.parts[part].kind, frames: Vec::new(), held: Vec::new() };
    for link in &structure.links[own.ports..own.ports + ports] {
        let frame = frames.get(link.interface[lane] as usize);
        cause.held.push(frame.is_some());
        let zero = [0.0; ROWS * ROWS];
        let q = frame.unwrap_or(&zero);
        if upright {
            cause.frames.extend(q);
        } else {
            cause.frames.extend((0..ROWS * ROWS).map(|k| {
                let (row, column) = (k / ROWS, k % ROWS);
                let node = row - row % 3;
                (0..3).map(|m| t[3 * m + row % 3] * q[(node + m) * ROWS + column]).sum::<f64>()
            }));
        }
    }
    cause
}

/// The four matrices of a part; whether it has them.
fn condensed(batches: &Batches, part: usize, cause: &Cause, out: &mut Vec<f64>) -> bool {
    let ports = cause.held.len();
    let n = ROWS * ports;
    // Q^T F Q, ports apart
    let yields = |row: usize, column: usize| batches.factors.yields(batches.structure, part, row, column);
    let q = |port: usize, row: usize, column: usize| cause.frames[(port * ROWS + row) * ROWS + column];
    let mut half = vec![0.0; n * n];
    for row in 0..n {
        for column in 0..n {
            let port = column / ROWS;
            half[row * n + column] =
                (0..ROWS).map(|k| yields(row, port * ROWS + k) * q(port, k, column % ROWS)).sum();
        }
    }
    let mut f = vec![0.0; n * n];
    for row in 0..n {
        for column in 0..n {
            let port = row / ROWS;
            f[row * n + column] =
                (0..ROWS).map(|k| q(port, k, row % ROWS) * half[(port * ROWS + k) * n + column]).sum();
        }
    }
    let (rigid, strained) = (RIGID * ports, STRAINED * ports);
    let r = |k: usize| k / RIGID * ROWS + k % RIGID;
    let d = |k: usize| k / STRAINED * ROWS + RIGID + k % STRAINED;
    out.clear();
    out.resize(n * n, 0.0);
    let (inverse, rest) = out.split_at_mut(rigid * rigid);
    for i in 0..rigid {
        for j in 0..rigid {
            // ports that nothing holds take no part
            let alone = i == j && !cause.held[i / RIGID];
            inverse[i * rigid + j] = if alone { 1.0 } else { f[r(i) * n + r(j)] };
        }
    }
    let regular = invert(inverse, rigid);
    let (h, rest) = rest.split_at_mut(rigid * strained);
    let (transposed, e) = rest.split_at_mut(rigid * strained);
    for i in 0..rigid {
        for j in 0..strained {
            let sum: f64 = (0..rigid).map(|k| inverse[i * rigid + k] * f[r(k) * n + d(j)]).sum();
            h[i * strained + j] = sum;
            transposed[j * rigid + i] = sum;
        }
    }
    for i in 0..strained {
        for j in 0..strained {
            let sum: f64 = (0..rigid).map(|k| f[d(i) * n + r(k)] * h[k * strained + j]).sum();
            e[i * strained + j] = f[d(i) * n + d(j)] - sum;
        }
    }
    regular
}
