//! What an integrator asks of a problem.

use super::implicit::IterationMatrix;
use super::norm::Norm;
use super::snapshot::snapshot;

/// A system of first-order equations `y' = f(t, y)`.
pub trait Ode {
    /// Why the right-hand side could not be evaluated.
    type Error;

    /// Number of equations.
    fn dim(&self) -> usize;

    /// Evaluates `f(t, y)`. An error at a trial point makes the integrator try a smaller step.
    fn rhs(&mut self, t: f64, y: &[f64], f: &mut [f64]) -> Result<(), Self::Error>;
}

/// What a method loses where stiff parts turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// One more than the order that its error estimate has elsewhere.
    pub exponent: usize,
    /// How many times smaller errors are to be there, at most.
    pub caution: f64,
}

/// A system of second-order equations `Mhat v'' = Qhat`, seen as `v'' = f(t, v, v')`.
pub trait SecondOrder {
    /// Why the equations could not be evaluated.
    type Error;

    /// Number of positions.
    fn dim(&self) -> usize;

    /// Evaluates `v'' = f(t, v, v')`. An error at a trial point makes the integrator try a smaller step.
    fn acceleration(&mut self, t: f64, v: &[f64], vdot: &[f64], vddot: &mut [f64])
    -> Result<(), Self::Error>;

    /// Evaluates the matrices of the equations linearised at `(t, v, v')`.
    fn linearise(
        &mut self,
        t: f64,
        v: &[f64],
        vdot: &[f64],
        out: &mut Linearisation,
    ) -> Result<(), Self::Error>;

    /// The force that is missing for an acceleration `a` at `(t, v, v')`: `Mhat (f(t, v, v') - a)`, Mhat by
    /// default that of the linearisation.
    fn imbalance(
        &mut self,
        matrix: &mut IterationMatrix,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        out: &mut [f64],
    ) -> Result<(), Self::Error> {
        self.acceleration(t, v, vdot, out)?;
        out.iter_mut().zip(a).for_each(|(f, a)| *f -= a);
        matrix.multiply_by_mass(out);
        Ok(())
    }

    /// Unknowns of a stage in methods that solve for accelerations: these, and after them whatever else the
    /// problem corrects along with them. Arrays of accelerations have that many places; `acceleration` may also
    /// be asked for the accelerations alone.
    fn unknowns(&self) -> usize {
        self.dim()
    }

    /// Factors the matrix that belongs to the linearisation at hand and to `weights`; a column without a pivot
    /// is the error.
    ///
    /// This, [`correct`](Self::correct) and [`filter`](Self::filter) are for problems that have a matrix of
    /// their own. A problem that replaces one must replace all three, and only methods whose unknowns are
    /// accelerations heed it: the trapezoidal rule, the method of Hilber, Hughes and Taylor, SDIRK4/16.
    fn factor(&mut self, matrix: &mut IterationMatrix, weights: Weights) -> Result<(), usize> {
        matrix.factor(weights)
    }

    /// One correction `da` of the unknowns `a` of a stage at `(t, v, v')`, whose positions and velocities move
    /// with them by the weights of the factor: by default `Pi da` is the [`imbalance`](Self::imbalance).
    fn correct(
        &mut self,
        matrix: &mut IterationMatrix,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        da: &mut [f64],
    ) -> Result<(), Self::Error> {
        self.imbalance(matrix, (t, v, vdot), a, da)?;
        matrix.solve(da);
        Ok(())
    }

    /// Solves `(I - g G) x = x` in place, where G is the Jacobian of the first-order form, `g` the weight in the
    /// velocity and `x = (position, velocity)`. What is no number shows that it could not.
    fn filter(&mut self, matrix: &mut IterationMatrix, x: &mut [f64]) {
        matrix.solve_first_order(x);
    }

    /// Called before a step that follows another, with the state it starts from and accelerations there (lists that
    /// a method has no use for are empty). A problem whose coordinates are good for one step only goes over to new
    /// ones here and writes what it is given in them; a linearisation must stay nearly what it was.
    fn rebase(&mut self, t: f64, y: &mut [f64], accelerations: [&mut [f64]; 2]) -> Result<(), Self::Error> {
        let _ = (t, y, accelerations);
        Ok(())
    }

    /// How much less than others the iteration of a stage may leave.
    fn strictness(&self) -> f64 {
        1.0
    }

    /// Size of an `error` of `(v, v')` in a step of size `h` from `y0` to `y1`: 1 just meets the tolerances. By
    /// default that of the norm; a problem that knows what its coordinates stand for has its own.
    fn measure(&mut self, norm: &Norm, h: f64, error: &[f64], (y0, y1): (&[f64], &[f64])) -> f64 {
        norm.of_step(h, error, y0, y1)
    }

    /// The same of the error of a step by a method that loses its order where stiff parts turn. By default no other:
    /// only a problem that knows what turns can tell.
    fn measure_losing(
        &mut self,
        norm: &Norm,
        h: f64,
        (error, _loss): (&[f64], Loss),
        ends: (&[f64], &[f64]),
    ) -> f64 {
        self.measure(norm, h, error, ends)
    }

    /// The time in which what errors are relative to changes, at the state where the acceleration was evaluated last:
    /// `None` if the problem does not know, `Some(None)` if nothing moves.
    fn natural_time(&self) -> Option<Option<f64>> {
        None
    }

    /// The longest step for which the coordinates at hand are good.
    fn longest_step(&self) -> f64 {
        f64::INFINITY
    }

    /// The part of a step that is tried next after this error in it.
    fn retreat(&self, error: &Self::Error) -> f64 {
        let _ = error;
        0.25
    }
}

/// By how much an acceleration of a stage moves its velocity and its position.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weights {
    /// Of the velocity: `g = gamma h`.
    pub velocity: f64,
    /// Of the position over that of the velocity: `g` in Runge-Kutta methods.
    pub ratio: f64,
}

snapshot!(Weights as "weights" { velocity, ratio });

impl Weights {
    /// Of the position.
    pub fn position(self) -> f64 {
        self.velocity * self.ratio
    }
}

/// Second-order equations linearised: `Mhat dv'' + M1 dv' + M2 dv = 0`, so that
/// `df/dv = -Mhat^-1 M2` and `df/dv' = -Mhat^-1 M1`. Matrices are column-major, (i, j) at `i + j n`.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearisation {
    /// Mass matrix.
    pub mhat: Vec<f64>,
    /// Damping matrix.
    pub m1: Vec<f64>,
    /// Stiffness matrix.
    pub m2: Vec<f64>,
    /// Partial derivative of the acceleration with respect to time, used by the Rosenbrock method only.
    pub f_t: Vec<f64>,
}

snapshot!(Linearisation as "linearisation" { mhat, m1, m2, f_t });

impl Linearisation {
    /// Zeros for `n` positions.
    pub fn zeros(n: usize) -> Self {
        let square = vec![0.0; n * n];
        Self { mhat: square.clone(), m1: square.clone(), m2: square, f_t: vec![0.0; n] }
    }
}

/// Second-order equations as first-order ones with `y = (v, v')`.
#[derive(Debug)]
pub struct FirstOrder<'a, P>(pub &'a mut P);

impl<P: SecondOrder> Ode for FirstOrder<'_, P> {
    type Error = P::Error;

    fn dim(&self) -> usize {
        2 * self.0.dim()
    }

    fn rhs(&mut self, t: f64, y: &[f64], f: &mut [f64]) -> Result<(), P::Error> {
        let (v, vdot) = y.split_at(self.0.dim());
        let (velocity, acceleration) = f.split_at_mut(v.len());
        velocity.copy_from_slice(vdot);
        self.0.acceleration(t, v, vdot, acceleration)
    }
}
