//! The iteration matrix of implicit methods for second-order equations: what methods ask of it, and the dense one.

use crate::integrate::problem::{Linearisation, StageWeights};
use crate::integrate::snapshot::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};
use crate::linalg::{ComplexLu, DenseLu};
use crate::threads::in_stretches;

/// Second-order equations linearised, `Mhat dv'' + M1 dv' + M2 dv = Mhat f_t dt`, and the factor of
/// `Pi = Mhat + g (M1 + r M2)`: g is the weight of the acceleration in the velocity, `g r` that in the position.
/// Runge-Kutta methods have `r = g = gamma h`, so that `Mhat^-1 Pi = I - g J2 - g^2 J1`.
///
/// How that is stored and solved is the matter of the problem; the order of its unknowns is that of the positions.
pub trait IterationMatrix: Snapshot + Sized {
    /// Whether it knows something beyond the linearisation at hand that decides over bits to come.
    const LASTING: bool = false;

    /// Room for `n` positions.
    fn new(n: usize) -> Self;

    /// Factors the matrix for some weights; a column without a pivot is the error.
    fn factor(&mut self, weights: StageWeights) -> Result<(), usize>;

    /// Factors the matrix besides for a complex weight `g = re + i im`, `r = g`, and with it for its conjugate; a column
    /// without a pivot is the error.
    fn factor_pair(&mut self, g: [f64; 2]) -> Result<(), usize>;

    /// Turns accelerations, as what the equations of a stage lack of them, into a right side: `x = Mhat x`.
    fn weigh(&mut self, x: &mut [f64]);

    /// Solves `Pi x = x` in place for what the equations of a stage lack; x becomes a correction of its unknowns. What is
    /// no number shows that it could not.
    fn solve_lack(&mut self, x: &mut [f64]);

    /// The same with the complex matrix, for `re + i im`.
    fn solve_pair(&mut self, re: &mut [f64], im: &mut [f64]);

    /// Solves `Pi x = Mhat x` in place. What is no number shows that it could not.
    fn solve_mass(&mut self, x: &mut [f64]);

    /// Solves `(I - g G) x = x` in place, where G is the Jacobian `[0 I; J1 J2]` of the first-order form, g the
    /// weight in the velocity and `x = (position, velocity)`. What is no number shows that it could not.
    fn solve_first_order(&mut self, x: &mut [f64]);

    /// Begins the right side of a linear stage, which the next three put together.
    fn begin(&mut self);

    /// Adds `weight a` to its accelerations.
    fn add_acceleration(&mut self, weight: f64, a: &[f64]);

    /// Adds `weight f_t` to its accelerations: what they change by with time alone.
    fn add_time(&mut self, weight: f64);

    /// Adds `weight v` to its displacements.
    fn add_displacement(&mut self, weight: f64, v: &[f64]);

    /// Solves `Pi x = inertia Mhat accelerations + stiffness M2 displacements`.
    fn solve_stage(&mut self, inertia: f64, stiffness: f64, x: &mut [f64]);
}

/// The matrix of problems with few freedoms: all of Mhat, M1, M2 and of the factor.
#[derive(Debug, Clone)]
pub struct DenseMatrix {
    /// The equations linearised.
    pub linear: Linearisation,
    lu: DenseLu,
    factor: Vec<f64>,
    exchange: Vec<usize>,
    /// Weights of the factor.
    weights: StageWeights,
    /// The complex factor and its weight; empty and zero until one is asked for.
    pair: Vec<f64>,
    pair_exchange: Vec<usize>,
    pair_weight: (f64, f64),
    right: Vec<f64>,
    /// Right side of a linear stage.
    accelerations: Vec<f64>,
    displacements: Vec<f64>,
}

impl IterationMatrix for DenseMatrix {
    fn new(n: usize) -> Self {
        let room = || vec![0.0; n];
        Self {
            linear: Linearisation::zeros(n),
            lu: DenseLu::new(n),
            factor: vec![0.0; n * n],
            exchange: vec![0; n],
            weights: StageWeights { velocity: 0.0, ratio: 0.0 },
            pair: Vec::new(),
            pair_exchange: Vec::new(),
            pair_weight: (0.0, 0.0),
            right: room(),
            accelerations: room(),
            displacements: room(),
        }
    }

    /// O(n^3).
    fn factor(&mut self, weights: StageWeights) -> Result<(), usize> {
        let Linearisation { mhat, m1, m2, .. } = &self.linear;
        let StageWeights { velocity, ratio } = weights;
        for i in 0..self.factor.len() {
            self.factor[i] = mhat[i] + velocity * (m1[i] + ratio * m2[i]);
        }
        self.lu.factor(&mut self.factor, &mut self.exchange, 0.0).map_err(|singular| singular.column)?;
        self.weights = weights;
        Ok(())
    }

    /// O(n^3). Room for it is made when it is asked for first.
    fn factor_pair(&mut self, [re, im]: [f64; 2]) -> Result<(), usize> {
        let n = self.right.len();
        let lu = ComplexLu::new(n);
        self.pair.resize(lu.len(), 0.0);
        self.pair_exchange.resize(n, 0);
        let square = (re * re - im * im, 2.0 * re * im);
        let Linearisation { mhat, m1, m2, .. } = &self.linear;
        for (column, parts) in self.pair.chunks_exact_mut((2 * n).max(1)).enumerate() {
            let own = column * n..(column + 1) * n;
            let given = mhat[own.clone()].iter().zip(&m1[own.clone()]).zip(&m2[own]);
            let (x, y) = parts.split_at_mut(n);
            for ((x, y), ((m, m1), m2)) in x.iter_mut().zip(y).zip(given) {
                *x = m + re * m1 + square.0 * m2;
                *y = im * m1 + square.1 * m2;
            }
        }
        lu.factor(&mut self.pair, &mut self.pair_exchange).map_err(|singular| singular.column)?;
        self.pair_weight = (re, im);
        Ok(())
    }

    fn weigh(&mut self, x: &mut [f64]) {
        self.multiply_by_mass(x);
    }

    fn solve_lack(&mut self, x: &mut [f64]) {
        self.solve(x);
    }

    /// O(n^2).
    fn solve_pair(&mut self, re: &mut [f64], im: &mut [f64]) {
        ComplexLu::new(re.len()).solve(&self.pair, &self.pair_exchange, re, im);
    }

    /// O(n^2).
    fn solve_mass(&mut self, x: &mut [f64]) {
        self.multiply_by_mass(x);
        self.solve(x);
    }

    /// `Pi dv = Mhat r_v - r M2 r_p`, `dp = r_p + r dv`, where r is g. O(n^2).
    fn solve_first_order(&mut self, x: &mut [f64]) {
        let n = self.right.len();
        self.multiply_by_mass(&mut x[n..]);
        self.solve_multiplied(x);
    }

    fn begin(&mut self) {
        self.accelerations.fill(0.0);
        self.displacements.fill(0.0);
    }

    fn add_acceleration(&mut self, weight: f64, a: &[f64]) {
        add(weight, a, &mut self.accelerations);
    }

    fn add_time(&mut self, weight: f64) {
        add(weight, &self.linear.f_t, &mut self.accelerations);
    }

    fn add_displacement(&mut self, weight: f64, v: &[f64]) {
        add(weight, v, &mut self.displacements);
    }

    /// O(n^2).
    fn solve_stage(&mut self, inertia: f64, stiffness: f64, x: &mut [f64]) {
        x.fill(0.0);
        add_product(&self.linear.mhat, inertia, &self.accelerations, x);
        add_product(&self.linear.m2, stiffness, &self.displacements, x);
        self.solve(x);
    }
}

impl DenseMatrix {
    /// Solves `Pi x = x` in place. O(n^2).
    pub fn solve(&self, x: &mut [f64]) {
        self.lu.solve(&self.factor, &self.exchange, x);
    }

    /// `x = Mhat x` in place. O(n^2).
    pub fn multiply_by_mass(&mut self, x: &mut [f64]) {
        self.right.copy_from_slice(x);
        x.fill(0.0);
        add_product(&self.linear.mhat, 1.0, &self.right, x);
    }

    /// As [`solve_first_order`](IterationMatrix::solve_first_order), for a right side `(r_p, Mhat r_v)`. O(n^2).
    pub(crate) fn solve_multiplied(&mut self, x: &mut [f64]) {
        let (position, velocity) = x.split_at_mut(self.right.len());
        let g = self.weights.ratio;
        add_product(&self.linear.m2, -g, position, velocity);
        self.solve(velocity);
        for (p, v) in position.iter_mut().zip(velocity) {
            *p += g * *v;
        }
    }
}

/// The linearisation and its weights; the factor is made again from them.
impl Snapshot for DenseMatrix {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("matrix", |out| {
            self.weights.save(out);
            self.pair_weight.save(out);
            self.linear.save(out);
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("matrix", |from| {
            self.weights.restore(from)?;
            self.pair_weight.restore(from)?;
            self.linear.restore(from)?;
            if self.linear.mhat.len() != self.factor.len() {
                return Err(from.unfit());
            }
            // where it was singular it is so again, and nobody asks for its solution
            let _ = self.factor(self.weights);
            if self.pair_weight != (0.0, 0.0) {
                let _ = self.factor_pair(self.pair_weight.into());
            }
            Ok(())
        })
    }
}

/// `y += factor A x` for a square column-major matrix.
pub fn add_product(a: &[f64], factor: f64, x: &[f64], y: &mut [f64]) {
    for (column, x) in a.chunks_exact(x.len().max(1)).zip(x) {
        let scaled = factor * x;
        y.iter_mut().zip(column).for_each(|(y, a)| *y += scaled * a);
    }
}

/// `y += factor x`, as far as both reach.
pub fn add(factor: f64, x: &[f64], y: &mut [f64]) {
    let n = x.len().min(y.len());
    in_stretches(&mut y[..n], &|first, y| {
        y.iter_mut().zip(&x[first..]).for_each(|(y, x)| *y += factor * x);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_order_solution_satisfies_its_equations() {
        let mut m = DenseMatrix::new(2);
        m.linear.mhat = vec![2.0, 0.5, 0.3, 1.0];
        m.linear.m1 = vec![0.4, -1.0, 2.0, 0.7];
        m.linear.m2 = vec![30.0, 4.0, -2.0, 50.0];
        let g = 0.3;
        m.factor(StageWeights { velocity: g, ratio: g }).unwrap();
        let r = [1.0, -2.0, 0.5, 3.0];
        let mut x = r;
        m.solve_first_order(&mut x);
        let (dp, dv) = x.split_at(2);
        // dp - g dv = r_p, and Mhat dv + g (M1 dv + M2 dp) = Mhat r_v
        let mut left = [0.0; 2];
        add_product(&m.linear.mhat, 1.0, dv, &mut left);
        add_product(&m.linear.m1, g, dv, &mut left);
        add_product(&m.linear.m2, g, dp, &mut left);
        let mut right = [0.0; 2];
        add_product(&m.linear.mhat, 1.0, &r[2..], &mut right);
        for i in 0..2 {
            assert!((dp[i] - g * dv[i] - r[i]).abs() < 1e-14);
            assert!((left[i] - right[i]).abs() < 1e-13);
        }
    }

    #[test]
    fn a_singular_matrix_names_its_column() {
        let mut m = DenseMatrix::new(2);
        m.linear.mhat = vec![1.0, 1.0, 1.0, 1.0];
        assert_eq!(m.factor(StageWeights { velocity: 0.1, ratio: 0.1 }), Err(1));
    }
}
