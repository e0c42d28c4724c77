//! Tests of the symmetric solvers against plain dense arithmetic on random matrices.

mod block_cholesky;
mod branched_cholesky;
mod row_cholesky;
mod semidefinite;

use super::{BlockPattern, Entry};

/// A reproducible source of numbers (PCG-like congruential generator).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d);
        random.below(2);
        random
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }

    /// In [-1, 1).
    pub fn signed(&mut self) -> f64 {
        self.below(1 << 30) as f64 / (1u64 << 29) as f64 - 1.0
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.signed()).collect()
    }

    pub fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

/// Columns of J per body: enough for two joints of eight rows to be independent.
const BODY: usize = 16;

/// A matrix `S = J J^T + shift`, where each block of J touches two bodies.
pub struct Problem {
    pub pattern: BlockPattern,
    pub s: Vec<f64>,
}

impl Problem {
    /// Blocks of the given sizes between random bodies.
    pub fn random(random: &mut Random, sizes: Vec<usize>, bodies: usize, shift: f64) -> Self {
        let ends: Vec<_> = sizes.iter().map(|_| (random.below(bodies), random.below(bodies))).collect();
        Self::between(random, sizes, ends, bodies, shift)
    }

    /// Blocks of the given sizes between given bodies.
    pub fn between(
        random: &mut Random,
        sizes: Vec<usize>,
        ends: Vec<(usize, usize)>,
        bodies: usize,
        shift: f64,
    ) -> Self {
        let rows: usize = sizes.iter().sum();
        let mut j = vec![vec![0.0; bodies * BODY]; rows];
        let mut row = 0;
        for (&size, &(a, b)) in sizes.iter().zip(&ends) {
            for _ in 0..size {
                for c in 0..BODY {
                    j[row][a * BODY + c] = random.signed();
                    j[row][b * BODY + c] = random.signed();
                }
                row += 1;
            }
        }
        let touch =
            |x: (usize, usize), y: (usize, usize)| x.0 == y.0 || x.0 == y.1 || x.1 == y.0 || x.1 == y.1;
        let pairs: Vec<_> = (0..ends.len())
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .filter(|&(a, b)| touch(ends[a], ends[b]))
            .collect();
        Self { pattern: BlockPattern::new(sizes, &pairs), s: gram(&j, shift) }
    }

    pub fn rows(&self) -> usize {
        self.pattern.rows()
    }

    /// The value array of a solver: each block written once, in one triangle or the other, and nonsense in
    /// the upper triangles of diagonal blocks.
    pub fn assemble(&self, len: usize, locate: impl Fn(usize, usize) -> Option<Entry>) -> Vec<f64> {
        let mut values = vec![0.0; len];
        let n = self.rows();
        let diagonal = (0..self.pattern.blocks()).map(|i| (i, i));
        for (count, (i, j)) in self.pattern.lower().chain(diagonal).enumerate() {
            let (i, j) = if count % 2 == 0 { (i, j) } else { (j, i) };
            let (top, left) = (self.pattern.offsets()[i], self.pattern.offsets()[j]);
            let entry = locate(i, j).expect("a block of the pattern has a place");
            assert_eq!((entry.rows, entry.cols), (self.pattern.sizes()[i], self.pattern.sizes()[j]));
            for r in 0..entry.rows {
                for c in 0..entry.cols {
                    // the upper triangle of a diagonal block may hold anything
                    let value = if i == j && r < c { 1e9 } else { self.s[(top + r) * n + left + c] };
                    values[entry.index(r, c)] = value;
                }
            }
        }
        values
    }

    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let n = self.rows();
        (0..n).map(|i| (0..n).map(|j| self.s[i * n + j] * x[j]).sum()).collect()
    }

    /// Largest `|S x - b|` relative to `|S| |x| + |b|`.
    pub fn residual(&self, x: &[f64], b: &[f64]) -> f64 {
        let size = |v: &[f64]| v.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        let error: Vec<f64> = self.times(x).iter().zip(b).map(|(sx, b)| sx - b).collect();
        assert!(error.iter().all(|e| e.is_finite()));
        size(&error) / (size(&self.s) * size(x) + size(b)).max(f64::MIN_POSITIVE)
    }
}

/// `J J^T + shift`.
pub fn gram(j: &[Vec<f64>], shift: f64) -> Vec<f64> {
    let n = j.len();
    let mut s = vec![0.0; n * n];
    for a in 0..n {
        for b in 0..n {
            s[a * n + b] = j[a].iter().zip(&j[b]).map(|(x, y)| x * y).sum();
        }
        s[a * n + a] += shift;
    }
    s
}

/// Dense Gaussian elimination of a definite matrix, the plainest there is.
pub fn dense_solve(s: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let (mut a, mut x) = (s.to_vec(), b.to_vec());
    for k in 0..n {
        for i in k + 1..n {
            let l = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= l * a[k * n + j];
            }
            x[i] -= l * x[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            x[k] -= a[k * n + j] * x[j];
        }
        x[k] /= a[k * n + k];
    }
    x
}
