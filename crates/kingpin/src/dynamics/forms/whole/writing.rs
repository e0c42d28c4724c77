//! Writing matrices over all coordinates and multipliers, piece by piece: each is written right before it is factored.

use super::skeleton::Skeleton;
use crate::linalg::{BlockFactor, BlockPlace, PivotScalar, SingularBlock};
use crate::system::Pair;
use std::ops::Range;

/// Where the numbers of matrices go, in the order of their places.
#[derive(Clone, Debug)]
pub(super) struct Writing {
    pairs: Vec<PairPlace>,
    entries: Vec<JacobianEntry>,
    /// What belongs to each piece of the values.
    pieces: Vec<WrittenPiece>,
}

/// The place of a pair of bodies, first copy, and how far the next is by rows and by columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairPlace {
    pub pair: Pair,
    pub place: BlockPlace,
    pub next: [usize; 2],
}

/// A number of Phi_x: its place in arrays of the layout, and places in the matrix, both in the same piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct JacobianEntry {
    pub number: u32,
    /// (equation, coordinate) and (coordinate, equation), first copy.
    pub below: u32,
    pub beside: u32,
    /// How far the next copy is: of (equation, coordinate) by its equation and by its coordinate, of the transposed by
    /// both at once.
    pub next: [u32; 3],
}

/// The first value of a piece, and its pairs and entries.
#[derive(Clone, Debug)]
struct WrittenPiece {
    at: usize,
    pairs: Range<usize>,
    entries: Range<usize>,
}

impl Writing {
    /// Sorts places into the pieces that begin and end at the cuts.
    pub fn new(mut pairs: Vec<PairPlace>, mut entries: Vec<JacobianEntry>, cuts: &[usize]) -> Self {
        pairs.sort_by_key(|pair| pair.place.at);
        entries.sort_by_key(|entry| entry.below.min(entry.beside));
        let pair = |cut: usize| pairs.partition_point(|pair| pair.place.at < cut);
        let entry = |cut: usize| entries.partition_point(|e| (e.below.min(e.beside) as usize) < cut);
        let piece = |ends: &[usize]| WrittenPiece {
            at: ends[0],
            pairs: pair(ends[0])..pair(ends[1]),
            entries: entry(ends[0])..entry(ends[1]),
        };
        Self { pieces: cuts.windows(2).map(piece).collect(), pairs, entries }
    }

    /// How many numbers matrices of pairs and of equations have, at least.
    pub fn reach(&self) -> [usize; 2] {
        let pairs = self.pairs.iter().map(|p| p.pair.at + p.pair.nv[0] * p.pair.nv[1]);
        let entries = self.entries.iter().map(|e| e.number as usize + 1);
        [pairs.max().unwrap_or(0), entries.max().unwrap_or(0)]
    }
}

impl Skeleton {
    /// Writes a matrix by `write`, which is asked for one part after the other, or for several at once, and factors it.
    pub fn factor<T: PivotScalar>(
        &self,
        to: &mut BlockFactor<T>,
        threshold: f64,
        write: &(impl Fn(&mut MatrixPart<T>) + Sync),
    ) -> Result<f64, SingularBlock> {
        self.lu.factor_filled(to, threshold, &|piece, values: &mut [T]| {
            values.fill(T::ZERO);
            let WrittenPiece { at, pairs, entries } = self.writing.pieces[piece].clone();
            let (pairs, entries) = (&self.writing.pairs[pairs], &self.writing.entries[entries]);
            write(&mut MatrixPart { pairs, entries, at, values });
        })
    }
}

/// A part of a matrix, all zeros at first.
pub(super) struct MatrixPart<'a, T> {
    pairs: &'a [PairPlace],
    entries: &'a [JacobianEntry],
    /// The place of its first value.
    at: usize,
    values: &'a mut [T],
}

impl<T> MatrixPart<'_, T> {
    /// Does something with each number of a matrix of pairs, or of as many of the first pairs as it has numbers for, at its
    /// place in rows and columns of these copies.
    #[inline(always)]
    pub fn put_pairs(&mut self, pairs: &[f64], copies: [usize; 2], put: impl Fn(&mut T, f64)) {
        for PairPlace { pair, place, next } in self.pairs {
            let [rows, columns] = pair.nv;
            let Some(from) = pairs.get(pair.at..pair.at + rows * columns) else { continue };
            let first = place.at - self.at + copies[0] * next[0] + copies[1] * next[1];
            let values = &mut self.values[first..];
            for (i, row) in from.chunks_exact(columns).enumerate() {
                for (j, x) in row.iter().enumerate() {
                    put(&mut values[i * place.by_row + j * place.by_column], *x);
                }
            }
        }
    }

    /// Writes the equations of a matrix of one copy beside and below.
    pub fn put_border(&mut self, phi: &[f64], put: impl Fn(&mut T, f64)) {
        for e in self.entries {
            let x = phi[e.number as usize];
            put(&mut self.values[e.below as usize - self.at], x);
            put(&mut self.values[e.beside as usize - self.at], x);
        }
    }
}

impl MatrixPart<'_, f64> {
    /// Adds `weight` times a matrix of pairs to the block of rows and columns of these copies.
    pub fn add_pairs(&mut self, weight: f64, pairs: &[f64], copies: [usize; 2]) {
        self.put_pairs(pairs, copies, |to, x| *to += weight * x);
    }

    /// Writes M + g C + b K in the first copy, where M may have but the first pairs.
    pub fn put_sums(&mut self, mass: &[f64], (g, c): (f64, &[f64]), (b, k): (f64, &[f64])) {
        for PairPlace { pair, place, .. } in self.pairs {
            let [rows, columns] = pair.nv;
            let own = pair.at..pair.at + rows * columns;
            let (mass, c, k) = (mass.get(own.clone()), &c[own.clone()], &k[own]);
            let values = &mut self.values[place.at - self.at..];
            for i in 0..rows {
                for j in 0..columns {
                    let n = i * columns + j;
                    let sum = mass.map_or(0.0, |mass| mass[n]) + g * c[n] + b * k[n];
                    values[i * place.by_row + j * place.by_column] = sum;
                }
            }
        }
    }

    fn below(&self, e: &JacobianEntry, copies: [usize; 2]) -> usize {
        e.below as usize - self.at + copies[0] * e.next[0] as usize + copies[1] * e.next[1] as usize
    }

    /// Writes `weight` times a matrix of equations below: in rows of copy `copies[0]`, columns of `copies[1]`.
    pub fn put_below(&mut self, weight: f64, phi: &[f64], copies: [usize; 2]) {
        for e in self.entries {
            self.values[self.below(e, copies)] = weight * phi[e.number as usize];
        }
    }

    /// Adds the same.
    pub fn add_below(&mut self, weight: f64, phi: &[f64], copies: [usize; 2]) {
        for e in self.entries {
            self.values[self.below(e, copies)] += weight * phi[e.number as usize];
        }
    }

    /// Writes `weight` times a transposed matrix of equations beside: in rows and columns of a copy.
    pub fn put_beside(&mut self, weight: f64, phi: &[f64], copy: usize) {
        for e in self.entries {
            let at = e.beside as usize - self.at + copy * e.next[2] as usize;
            self.values[at] = weight * phi[e.number as usize];
        }
    }
}
