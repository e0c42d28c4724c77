//! What an integrator asks of a problem.

use super::implicit::IterationMatrix;
use super::norm::Norm;
use super::snapshot::{Unfit, snapshot};

/// A system of first-order equations `y' = f(t, y)`.
pub trait Ode {
    /// Why the right-hand side could not be evaluated.
    type Error;

    /// Number of equations.
    fn dim(&self) -> usize;

    /// Evaluates `f(t, y)`. An error at a trial point makes the integrator try a smaller step.
    fn rhs(&mut self, t: f64, y: &[f64], f: &mut [f64]) -> Result<(), Self::Error>;

    /// Moves the end of a step to where it ought to be, say onto constraints. How far it has to move is an error of
    /// the step that an estimate need not have seen. By default it stays.
    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), Self::Error> {
        let _ = (t, y);
        Ok(())
    }
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
    /// How the linearised equations are stored and solved: dense or sparse.
    type Matrix: IterationMatrix;

    /// Number of positions.
    fn dim(&self) -> usize;

    /// Evaluates `v'' = f(t, v, v')`. An error at a trial point makes the integrator try a smaller step.
    fn acceleration(&mut self, t: f64, v: &[f64], vdot: &[f64], vddot: &mut [f64])
    -> Result<(), Self::Error>;

    /// Linearises the equations at `(t, v, v')`.
    fn linearise(
        &mut self,
        t: f64,
        v: &[f64],
        vdot: &[f64],
        out: &mut Self::Matrix,
    ) -> Result<(), Self::Error>;

    /// Unknowns of a stage in methods that solve for accelerations: these, and after them whatever else the
    /// problem corrects along with them. Their arrays of accelerations have that many places; `acceleration` and
    /// `rebase` may also be asked for the accelerations alone.
    fn unknowns(&self) -> usize {
        self.dim()
    }

    /// One correction `da` of the unknowns `a` of a stage at `(t, v, v')`, whose positions and velocities move
    /// with them by the weights of the factor: by default `Pi da = Mhat (f(t, v, v') - a)`.
    fn correct(
        &mut self,
        matrix: &mut Self::Matrix,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        da: &mut [f64],
    ) -> Result<(), Self::Error> {
        self.acceleration(t, v, vdot, da)?;
        da.iter_mut().zip(a).for_each(|(f, a)| *f -= a);
        matrix.solve_mass(da);
        Ok(())
    }

    /// What the equations of a stage at `(t, v, v')` lack with its unknowns `a`, as a right side of the matrix: by default
    /// `Mhat (f(t, v, v') - a)`. For methods that solve for several stages together.
    fn imbalance(
        &mut self,
        matrix: &mut Self::Matrix,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        lack: &mut [f64],
    ) -> Result<(), Self::Error> {
        self.acceleration(t, v, vdot, lack)?;
        lack.iter_mut().zip(a).for_each(|(f, a)| *f -= a);
        matrix.weigh(lack);
        Ok(())
    }

    /// Whether stiffness turns with what it belongs to: what [`imbalance`](Self::imbalance) says is then in the axes of the
    /// linearisation, and changes of positions solved for in these are to be turned.
    fn turns(&self) -> bool {
        false
    }

    /// Turns a change of positions from the axes of the linearisation to those of a stage at `v`.
    fn turn(&mut self, v: &[f64], change: &mut [f64]) {
        let _ = (v, change);
    }

    /// Called once the matrix was solved for what stages lack that were taken apart: the correction of each is the real
    /// solution and both parts of the complex one with these weights. Whatever else the solutions say of stages is
    /// taken over here.
    fn follow(&mut self, matrix: &Self::Matrix, times: &[f64], weights: &[[f64; 3]]) {
        let _ = (matrix, times, weights);
    }

    /// One correction of position and velocity of a stage at `(t, v, v')`, where `a` is the acceleration that its
    /// velocity stands for: `residual` holds what the position lacks and receives the solution of
    /// `(I - g G) x = (residual, g (f(t, v, v') - a))`, g the weight of the factor.
    fn correct_state(
        &mut self,
        matrix: &mut Self::Matrix,
        g: f64,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        residual: &mut [f64],
    ) -> Result<(), Self::Error> {
        let velocity = &mut residual[v.len()..];
        self.acceleration(t, v, vdot, velocity)?;
        velocity.iter_mut().zip(a).for_each(|(f, a)| *f = g * (*f - a));
        matrix.solve_first_order(residual);
        Ok(())
    }

    /// Makes a matrix that was restored fit the equations as they were restored.
    fn fit(&self, matrix: &mut Self::Matrix) -> Result<(), Unfit> {
        let _ = matrix;
        Ok(())
    }

    /// Called before a step that follows another, with the state it starts from and accelerations there (lists that
    /// a method has no use for are empty). A problem whose coordinates are good for one step only goes over to new
    /// ones here and writes what it is given in them; a linearisation must stay nearly what it was.
    fn rebase(&mut self, t: f64, y: &mut [f64], accelerations: [&mut [f64]; 2]) -> Result<(), Self::Error> {
        let _ = (t, y, accelerations);
        Ok(())
    }

    /// Takes out of a change of unknowns what means nothing in the coordinates at hand, which no correction would: guesses
    /// made from guesses must not grow by it. By default every change means something.
    fn meaningful(&mut self, change: &mut [f64]) {
        let _ = change;
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
pub struct StageWeights {
    /// Of the velocity: `g = gamma h`.
    pub velocity: f64,
    /// Of the position over that of the velocity: `g` in Runge-Kutta methods.
    pub ratio: f64,
}

snapshot!(StageWeights as "weights" { velocity, ratio });

impl StageWeights {
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
