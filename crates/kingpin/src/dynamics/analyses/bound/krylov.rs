//! Eigenvalues of largest magnitude of an operator, from the space that it spans.

use super::Scatter;
use nalgebra::{Complex, DMatrix, DVector, Schur};

type Vector = DVector<Complex<f64>>;

/// An orthonormal basis of the space that an operator spans from a few vectors, and what the operator is in it: Arnoldi's
/// method with a block of vectors, so that eigenvalues may be multiple.
pub(in crate::dynamics::analyses) struct Krylov<'o> {
    operator: Box<dyn Fn(&Vector) -> Vector + 'o>,
    /// The metric in which the basis is orthonormal.
    metric: Box<dyn Fn(&Vector) -> Vector + 'o>,
    basis: Vec<Vector>,
    /// Columns of the operator in the basis.
    columns: Vec<Vec<Complex<f64>>>,
    scatter: Scatter,
    n: usize,
    /// Dimensions that there are.
    all: usize,
    silent: usize,
}

/// An eigenvalue in the space, and how close it is to one of the operator.
pub(in crate::dynamics::analyses) struct Ritz {
    pub value: Complex<f64>,
    /// What is left of the equation of the vector, as a part of the value.
    pub error: f64,
    vector: Vector,
}

/// Vectors to begin with.
const BLOCK: usize = 4;
/// What is left of a vector that lies in the space, at most.
const INSIDE: f64 = 1e-9;
/// The same of a vector to set off from: the solutions that it comes from have lost some digits.
const ALIKE: f64 = 1e-6;

impl<'o> Krylov<'o> {
    /// For vectors of length n, which have so many dimensions. The first `silent` numbers are zeros in what it sets off from:
    /// of these the operator lets something through that is in none of its dimensions.
    pub fn new(
        [n, all, silent]: [usize; 3],
        operator: impl Fn(&Vector) -> Vector + 'o,
        metric: impl Fn(&Vector) -> Vector + 'o,
    ) -> Self {
        let (operator, metric) = (Box::new(operator), Box::new(metric));
        let mut krylov = Self {
            operator,
            metric,
            basis: Vec::new(),
            columns: Vec::new(),
            scatter: Scatter::new(1),
            n,
            all,
            silent,
        };
        (0..BLOCK).for_each(|_| {
            krylov.set_off();
        });
        krylov
    }

    /// Dimensions that are explored.
    pub fn explored(&self) -> usize {
        self.columns.len()
    }

    /// Adds a vector that has nothing to do with those before; whether there is room for one.
    pub fn set_off(&mut self) -> bool {
        let mut start = Vector::from_fn(self.n, |_, _| Complex::new(self.scatter.next(), 0.0));
        start.rows_mut(0, self.silent).fill(Complex::new(0.0, 0.0));
        // what the operator makes of it
        let start = (self.operator)(&start);
        self.add(start, ALIKE).1
    }

    /// Adds what is new of a vector to the basis: its parts in the basis, and whether anything was new.
    fn add(&mut self, mut x: Vector, inside: f64) -> (Vec<Complex<f64>>, bool) {
        let mut parts = vec![Complex::new(0.0, 0.0); self.basis.len()];
        let before = self.size(&x);
        for _ in 0..2 {
            let weighed = (self.metric)(&x);
            for (other, part) in self.basis.iter().zip(&mut parts) {
                let more = other.dotc(&weighed);
                x.axpy(-more, other, Complex::new(1.0, 0.0));
                *part += more;
            }
        }
        let left = self.size(&x);
        // more vectors than dimensions would be round-off
        let new = left.is_finite() && left > inside * before && self.basis.len() < self.all;
        if new {
            parts.push(Complex::new(left, 0.0));
            self.basis.push(x / Complex::new(left, 0.0));
        }
        (parts, new)
    }

    fn size(&self, x: &Vector) -> f64 {
        x.dotc(&(self.metric)(x)).re.max(0.0).sqrt()
    }

    /// Explores so many dimensions more; whether there is anything left to explore.
    pub fn explore(&mut self, more: usize) -> bool {
        for _ in 0..more {
            let Some(x) = self.basis.get(self.columns.len()) else {
                // the space is complete in itself: from somewhere else
                if self.set_off() {
                    continue;
                }
                return false;
            };
            let next = (self.operator)(x);
            let column = self.add(next, INSIDE).0;
            self.columns.push(column);
        }
        true
    }

    /// Eigenvalues in the space, largest magnitude first; `None` if they cannot be computed. O(dimensions^3)
    pub fn ritz(&self) -> Option<Vec<Ritz>> {
        let m = self.columns.len();
        let entry = |i: usize, j: usize| self.columns[j].get(i).copied().unwrap_or_default();
        let h = DMatrix::from_fn(m, m, entry);
        if m == 0 || !h.iter().all(|x| x.re.is_finite() && x.im.is_finite()) {
            return (m == 0).then(Vec::new);
        }
        let (q, t) = Schur::try_new(h, f64::EPSILON, 1000 + 100 * m)?.unpack();
        let outside = DMatrix::from_fn(self.basis.len() - m, m, |i, j| entry(m + i, j));
        let mut list: Vec<Ritz> = (0..m)
            .map(|k| {
                let vector = &q * triangular_vector(&t, k);
                let error = (&outside * &vector).norm() / t[(k, k)].norm().max(f64::MIN_POSITIVE);
                Ritz { value: t[(k, k)], error, vector }
            })
            .collect();
        list.sort_by(|a, b| b.value.norm().total_cmp(&a.value.norm()));
        Some(list)
    }

    /// The vector of an eigenvalue.
    pub fn vector(&self, ritz: &Ritz) -> Vector {
        let mut x = Vector::zeros(self.n);
        for (part, own) in ritz.vector.iter().zip(&self.basis) {
            x.axpy(*part, own, Complex::new(1.0, 0.0));
        }
        x
    }
}

/// The eigenvector of the k-th eigenvalue of a triangular matrix, of unit length.
fn triangular_vector(t: &DMatrix<Complex<f64>>, k: usize) -> Vector {
    let mut x = Vector::zeros(t.nrows());
    x[k] = Complex::new(1.0, 0.0);
    let least = f64::EPSILON * t[(k, k)].norm().max(f64::MIN_POSITIVE);
    for i in (0..k).rev() {
        let sum: Complex<f64> = (i + 1..=k).map(|j| t[(i, j)] * x[j]).sum();
        let mut gap = t[(i, i)] - t[(k, k)];
        if gap.norm() < least {
            gap = Complex::new(least, 0.0);
        }
        x[i] = -sum / gap;
    }
    let size = x.norm();
    x / Complex::new(size, 0.0)
}
