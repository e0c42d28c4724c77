//! The mixed method: rigid motions of interfaces are unknowns of a coarse problem, local multipliers hold every side to
//! them, and conjugate gradients find the global multipliers of what strains the frames [Bauchau 2010].
//!
//! With `F` the compliance of a part at its boundary in the axes of its interfaces, rigid (R) and strained (D) rows apart:
//! `N = F_RR^-1`, `H = N F_RD`, `E = F_DD - F_DR H`. The coarse matrix is the sum of the N, a block per pair of interfaces
//! of a part: tridiagonal for a chain.

use super::basis::{RIGID, STRAINED, basis};
use super::boundary::Batches;
use super::direct::{attitude, order, ports};
use super::error::RangeError;
use super::lanes::LANES;
use super::mixed_parts::{Condensed, Which, condense};
use super::pieces::{Blocks, GRAIN, INTERFACES, summed};
use super::structure::{Links, ROWS, Structure};
use kingpin::linalg::{BlockCholesky, BlockPattern, Entry};
use kingpin::threads::{Spans, in_pieces};

/// Where rows of one side of an interface lie in rooms over boundaries, rigid ones before strained ones.
#[derive(Debug, Clone, Copy)]
struct Rows {
    rigid: usize,
    strained: usize,
    sign: f64,
}

/// The condensed parts, the coarse factor and room.
#[derive(Debug, Clone)]
pub(crate) struct Mixed {
    /// Rigid and strained motions of the frame of each interface, in the axes of its first part.
    frames: Vec<[f64; ROWS * ROWS]>,
    /// The same in global axes.
    turned: Vec<[f64; ROWS * ROWS]>,
    condensed: Condensed,
    rows: Vec<[Rows; 2]>,
    coarse: BlockCholesky,
    values: Vec<f64>,
    /// What parts add to the coarse matrix: part, its two ports, and where.
    terms: Vec<(usize, [usize; 2], Entry)>,
    /// Rooms over boundaries: what parts are given and what they answer; of rigid motions; of multipliers.
    given: Vec<f64>,
    answer: Vec<f64>,
    apart: Vec<f64>,
    q: Vec<f64>,
    lam: Vec<f64>,
    r: Vec<f64>,
    p: Vec<f64>,
    s: Vec<f64>,
}

impl Mixed {
    /// Symbolic work. O(parts).
    pub fn new(structure: &Structure) -> Result<Mixed, RangeError> {
        let count = structure.interfaces.len();
        let mut frames = Vec::with_capacity(count);
        for (interface, sides) in structure.interfaces.iter().zip(&structure.sides) {
            let kind = &structure.kinds[structure.parts[sides[0].part].kind];
            let line = || RangeError::Line { interface: interface.name.clone() };
            frames.push(basis(&kind.places[sides[0].port]).ok_or_else(line)?);
        }
        let held = ports(structure);
        let pairs: Vec<(usize, usize)> =
            held.iter().flat_map(|own| own.iter().flat_map(|a| own.iter().map(|b| (a.0, b.0)))).collect();
        let pattern = BlockPattern::new(vec![RIGID; count], &pairs);
        let coarse = BlockCholesky::analyse(&pattern, &order(structure));
        let mut terms = Vec::new();
        for (part, own) in held.iter().enumerate() {
            let moves = |j: usize| structure.interfaces[j].second.is_some();
            for &(i, port, _) in own.iter().filter(|(i, ..)| moves(*i)) {
                for &(j, other, _) in own.iter().filter(|(j, ..)| i >= *j && moves(*j)) {
                    terms.extend(coarse.locate(i, j).map(|entry| (part, [port, other], entry)));
                }
            }
        }
        let rows = structure.sides.iter().map(|sides| {
            sides.map(|side| {
                let ports =
                    structure.shapes[structure.kinds[structure.parts[side.part].kind].shape].ports.len();
                let start = side.start - side.port * ROWS * LANES;
                Rows {
                    rigid: start + side.port * RIGID * LANES,
                    strained: start + (ports * RIGID + side.port * STRAINED) * LANES,
                    sign: side.sign,
                }
            })
        });
        let (boundary, small) = (structure.boundary_len(), || vec![0.0; STRAINED * (count + 1)]);
        Ok(Mixed {
            turned: frames.clone(),
            frames,
            condensed: Condensed::new(structure),
            rows: rows.collect(),
            values: vec![0.0; coarse.len()],
            coarse,
            terms,
            given: vec![0.0; boundary],
            answer: vec![0.0; boundary],
            apart: vec![0.0; boundary],
            q: vec![0.0; RIGID * (count + 1)],
            lam: small(),
            r: small(),
            p: small(),
            s: small(),
        })
    }

    /// Condenses all parts and factors the coarse matrix. O(parts).
    pub fn factor(&mut self, batches: &Batches) -> Result<(), RangeError> {
        let structure = batches.structure;
        for (j, sides) in structure.sides.iter().enumerate() {
            let t = attitude(batches, sides[0].part);
            self.turned[j] = turn_rows(&t, &self.frames[j]);
        }
        condense(batches, &self.turned, &mut self.condensed)?;
        self.values.fill(0.0);
        for (part, [i, j], entry) in &self.terms {
            for (k, value) in self.condensed.rigid(structure, *part, *i, *j).into_iter().enumerate() {
                let (row, column) = (k / RIGID, k % RIGID);
                self.values[entry.index(row, column)] += value;
            }
        }
        // the ground does not move
        for j in (0..structure.interfaces.len()).filter(|&j| structure.interfaces[j].second.is_none()) {
            if let Some(entry) = self.coarse.locate(j, j) {
                (0..RIGID).for_each(|k| self.values[entry.index(k, k)] = 1.0);
            }
        }
        self.coarse.factor(&mut self.values, 1e-13).map_err(|pivot| RangeError::Singular {
            interface: structure.interfaces[pivot.block].name.clone(),
        })
    }

    /// Solves the metric for what boundaries are apart by, in `yielded`, into multipliers of all rows. The iterations and
    /// what is left of the right side.
    pub fn solve(
        &mut self,
        batches: &Batches,
        lam: &mut [f64],
        (yielded, starts): (&[f64], &[u32]),
        (tolerance, most): (f64, usize),
    ) -> Result<(usize, f64), RangeError> {
        self.split(batches, yielded, starts);
        // as if nothing strained the frames
        self.lam.fill(0.0);
        self.respond(batches, starts, Ask::Start);
        let norm = self.across(Ask::Start);
        self.p.copy_from_slice(&self.r);
        let (mut rr, mut iterations) = (norm, 0);
        while rr > tolerance * tolerance * norm {
            if iterations == most || !rr.is_finite() {
                return Err(RangeError::NoConvergence { iterations, residual: (rr / norm).sqrt() });
            }
            self.respond(batches, starts, Ask::Direction);
            let alpha = rr / self.across(Ask::Direction);
            let left = self.advance(alpha);
            let (beta, r) = (left / rr, &self.r);
            in_pieces(0..self.rows.len(), INTERFACES, Blocks::new(&mut self.p, STRAINED), &|some, mut p| {
                for j in some {
                    let r = &r[STRAINED * j..STRAINED * (j + 1)];
                    p.of(j).iter_mut().zip(r).for_each(|(p, r)| *p = beta * *p + r);
                }
            });
            (rr, iterations) = (left, iterations + 1);
        }
        self.respond(batches, starts, Ask::End);
        self.finish(batches, starts, lam);
        Ok((iterations, if norm > 0.0 { (rr / norm).sqrt() } else { 0.0 }))
    }

    /// What boundaries are apart by, in the axes of interfaces, rigid rows before strained ones.
    fn split(&mut self, batches: &Batches, yielded: &[f64], starts: &[u32]) {
        let (structure, turned) = (batches.structure, &self.turned);
        in_pieces(0..structure.batches.len(), GRAIN, Spans::new(starts, &mut self.apart), &|some, mut to| {
            for batch in some {
                let own = &structure.batches[batch];
                let ports = structure.shapes[own.shape].ports.len();
                let (to, from) = (to.of(batch), &yielded[starts[batch] as usize..]);
                for (port, link) in structure.links[own.ports..own.ports + ports].iter().enumerate() {
                    for lane in 0..LANES {
                        let Some(q) = turned.get(link.interface[lane] as usize) else { continue };
                        let mut found = [0.0; ROWS];
                        for (row, q) in q.chunks_exact(ROWS).enumerate() {
                            let x = from[(port * ROWS + row) * LANES + lane];
                            found.iter_mut().zip(q).for_each(|(sum, q)| *sum += q * x);
                        }
                        for (k, x) in found.into_iter().enumerate() {
                            to[place(ports, port, k) * LANES + lane] = x;
                        }
                    }
                }
            }
        });
    }

    /// Answers of all parts, the coarse problem included: strained rows of `answer`, and rigid motions in `q`.
    fn respond(&mut self, batches: &Batches, starts: &[u32], ask: Ask) {
        let Mixed { condensed, rows, coarse, values, given, answer, apart, q, lam, p, .. } = self;
        let (condensed, apart) = (&*condensed, &apart[..]);
        let multipliers = if matches!(ask, Ask::Direction) { &p[..] } else { &lam[..] };
        let count = batches.structure.batches.len();
        let room = (Spans::new(starts, &mut *given), Spans::new(starts, &mut *answer));
        in_pieces(0..count, GRAIN, room, &|some, mut room| {
            for batch in some {
                let (given, answer) = (room.0.of(batch), room.1.of(batch));
                let own = &apart[starts[batch] as usize..starts[batch + 1] as usize];
                let rigid = RIGID * own.len() / ROWS;
                let (low, high) = given.split_at_mut(rigid);
                pull::<STRAINED>(batches, batch, multipliers, high, true);
                let (to, strained_to) = answer.split_at_mut(rigid);
                match ask {
                    // N w and w_D - H^T w
                    Ask::Start => {
                        condensed.apply(batches, batch, Which::N, &own[..rigid], to);
                        condensed.apply(batches, batch, Which::Transposed, &own[..rigid], strained_to);
                        let w = &own[rigid..];
                        strained_to.iter_mut().zip(w).for_each(|(x, w)| *x = w - *x);
                    }
                    // H lam and E lam
                    Ask::Direction => {
                        condensed.apply(batches, batch, Which::H, high, to);
                        condensed.apply(batches, batch, Which::E, high, strained_to);
                    }
                    // N w - H lam
                    Ask::End => {
                        condensed.apply(batches, batch, Which::N, &own[..rigid], to);
                        condensed.apply(batches, batch, Which::H, high, low);
                        to.iter_mut().zip(low).for_each(|(x, h)| *x -= *h);
                    }
                }
            }
        });
        let (from, sides) = (&answer[..], &rows[..]);
        in_pieces(0..sides.len(), INTERFACES, Blocks::new(&mut q[..], RIGID), &|some, mut q| {
            for j in some {
                let [a, b] = &sides[j];
                for (k, q) in q.of(j).iter_mut().enumerate() {
                    let at = |side: &Rows| from[side.rigid + k * LANES];
                    *q = if b.sign == 0.0 { 0.0 } else { at(a) + at(b) };
                }
            }
        });
        coarse.solve(values, &mut q[..RIGID * sides.len()]);
        if matches!(ask, Ask::End) {
            return;
        }
        let q = &q[..];
        let room = (Spans::new(starts, &mut *given), Spans::new(starts, &mut *answer));
        in_pieces(0..count, GRAIN, room, &|some, mut room| {
            for batch in some {
                let (given, answer) = (room.0.of(batch), room.1.of(batch));
                let rigid = RIGID * answer.len() / ROWS;
                let (low, high) = given.split_at_mut(rigid);
                pull::<RIGID>(batches, batch, q, low, false);
                condensed.apply(batches, batch, Which::Transposed, low, high);
                answer[rigid..].iter_mut().zip(high).for_each(|(x, h)| *x += *h);
            }
        });
    }

    /// Differences of the answers of both sides: into the residual with its square, or into `s` with its product with p.
    fn across(&mut self, ask: Ask) -> f64 {
        let Mixed { rows, answer, r, p, s, .. } = self;
        let (rows, answer, p, start) = (&rows[..], &answer[..], &p[..], matches!(ask, Ask::Start));
        let to = if start { r } else { s };
        summed(0..rows.len(), INTERFACES, Blocks::new(to, STRAINED), &|some, mut to| {
            let mut sum = 0.0;
            for j in some {
                for (k, x) in to.of(j).iter_mut().enumerate() {
                    *x = rows[j].iter().map(|side| side.sign * answer[side.strained + k * LANES]).sum();
                    sum += *x * if start { *x } else { p[STRAINED * j + k] };
                }
            }
            [sum, 0.0]
        })[0]
    }

    /// `lam += alpha p`, `r -= alpha s`; what is left of r, squared.
    fn advance(&mut self, alpha: f64) -> f64 {
        let Mixed { rows, lam, r, p, s, .. } = self;
        let (p, s) = (&p[..], &s[..]);
        let room = (Blocks::new(lam, STRAINED), Blocks::new(r, STRAINED));
        summed(0..rows.len(), INTERFACES, room, &|some, mut room| {
            let mut sum = 0.0;
            for k in some.flat_map(|j| STRAINED * j..STRAINED * (j + 1)) {
                let (j, row) = (k / STRAINED, k % STRAINED);
                room.0.of(j)[row] += alpha * p[k];
                let r = &mut room.1.of(j)[row];
                *r -= alpha * s[k];
                sum += *r * *r;
            }
            [sum, 0.0]
        })[0]
    }

    /// All multipliers: local ones from what rigid motions leave, `N (w - q) - H lam`, and global ones.
    fn finish(&mut self, batches: &Batches, starts: &[u32], out: &mut [f64]) {
        let Mixed { condensed, rows, turned, given, answer, apart, q, lam, .. } = self;
        let (condensed, q, multipliers) = (&*condensed, &q[..], &lam[..]);
        let room =
            (Spans::new(starts, given), (Spans::new(starts, &mut *answer), Spans::new(starts, &mut *apart)));
        in_pieces(0..batches.structure.batches.len(), GRAIN, room, &|some, mut room| {
            for batch in some {
                let (given, answer, apart) = (room.0.of(batch), room.1.0.of(batch), room.1.1.of(batch));
                let rigid = RIGID * answer.len() / ROWS;
                let (low, high) = given.split_at_mut(rigid);
                pull::<RIGID>(batches, batch, q, low, false);
                apart[..rigid].iter_mut().zip(&*low).for_each(|(w, q)| *w -= q);
                condensed.apply(batches, batch, Which::N, &apart[..rigid], &mut answer[..rigid]);
                pull::<STRAINED>(batches, batch, multipliers, high, true);
                condensed.apply(batches, batch, Which::H, high, low);
                answer[..rigid].iter_mut().zip(low).for_each(|(x, h)| *x -= *h);
            }
        });
        let (rows, turned, answer, lam) = (&rows[..], &turned[..], &answer[..], &lam[..]);
        in_pieces(0..rows.len(), INTERFACES, Blocks::new(out, ROWS), &|some, mut out| {
            for j in some {
                let local = |k: usize| answer[rows[j][0].rigid + k * LANES];
                let all: [f64; ROWS] =
                    std::array::from_fn(|k| if k < RIGID { local(k) } else { lam[STRAINED * j + k - RIGID] });
                for (q, out) in turned[j].chunks_exact(ROWS).zip(out.of(j)) {
                    *out = q.iter().zip(&all).map(|(q, x)| q * x).sum();
                }
            }
        });
    }

    pub fn bytes(&self) -> usize {
        let rooms = self.given.len() + self.answer.len() + self.apart.len() + 4 * self.r.len() + self.q.len();
        8 * (rooms + self.values.len())
            + 16 * ROWS * ROWS * self.frames.len()
            + self.condensed.bytes()
            + size_of::<[Rows; 2]>() * self.rows.len()
            + 100 * self.coarse.blocks()
            + 64 * self.terms.len()
    }
}

/// What parts are asked for.
#[derive(Debug, Clone, Copy)]
enum Ask {
    /// The right side, from what boundaries are apart by.
    Start,
    /// What the metric makes of a direction.
    Direction,
    /// Rigid motions for multipliers that were found.
    End,
}

/// Where a row of a port lies among rigid rows before strained ones.
fn place(ports: usize, port: usize, k: usize) -> usize {
    if k < RIGID { port * RIGID + k } else { ports * RIGID + port * STRAINED + k - RIGID }
}

/// Numbers of the interfaces of a batch, `W` of each, perhaps with the sign of the side.
fn pull<const W: usize>(batches: &Batches, batch: usize, from: &[f64], to: &mut [f64], signed: bool) {
    let own = &batches.structure.batches[batch];
    let links: &[Links] = &batches.structure.links[own.ports..];
    for (link, rows) in links.iter().zip(to.as_chunks_mut::<LANES>().0.as_chunks_mut::<W>().0) {
        for lane in 0..LANES {
            let start = W * link.interface[lane] as usize;
            let sign = if signed { link.sign[lane] } else { 1.0 };
            for (row, value) in rows.iter_mut().zip(&from[start..start + W]) {
                row[lane] = sign * value;
            }
        }
    }
}

/// `T x` at every node, of all columns.
fn turn_rows(t: &[f64; 9], q: &[f64; ROWS * ROWS]) -> [f64; ROWS * ROWS] {
    std::array::from_fn(|k| {
        let (row, column) = (k / ROWS, k % ROWS);
        (0..3).map(|m| t[3 * (row % 3) + m] * q[(row - row % 3 + m) * ROWS + column]).sum()
    })
}
