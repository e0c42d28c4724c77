//! Problems with known solutions, and the measuring of orders, for tests.

use super::{DenseMatrix, Ode, SecondOrder, Stepper, integrate};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// Steps that no test needs.
const MANY: usize = 2_000_000;

/// First-order equations given by a function.
pub struct TestOde<F> {
    pub dim: usize,
    pub f: F,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> Ode for TestOde<F> {
    type Error = Infallible;
    fn dim(&self) -> usize {
        self.dim
    }
    fn rhs(&mut self, t: f64, y: &[f64], f: &mut [f64]) -> Result<(), Infallible> {
        (self.f)(t, y, f);
        Ok(())
    }
}

/// Runs to the end and returns the final state.
pub fn run<P, S: Stepper<P>>(stepper: &mut S, problem: &mut P) -> Vec<f64>
where
    S::Error: std::fmt::Debug,
{
    integrate(stepper, problem, MANY, |_, _| ControlFlow::Continue(())).expect("the integration succeeds");
    stepper.state().to_vec()
}

/// Largest difference of two states.
pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Restricted three-body problem: a closed orbit with the period [`ARENSTORF_PERIOD`].
pub fn arenstorf() -> TestOde<impl FnMut(f64, &[f64], &mut [f64])> {
    let mu = 0.012277471;
    TestOde {
        dim: 4,
        f: move |_, y: &[f64], f: &mut [f64]| {
            let (left, right) = (y[0] + mu, y[0] - (1.0 - mu));
            let d1 = (left * left + y[1] * y[1]).powf(1.5);
            let d2 = (right * right + y[1] * y[1]).powf(1.5);
            (f[0], f[1]) = (y[2], y[3]);
            f[2] = y[0] + 2.0 * y[3] - (1.0 - mu) * left / d1 - mu * right / d2;
            f[3] = y[1] - 2.0 * y[2] - (1.0 - mu) * y[1] / d1 - mu * y[1] / d2;
        },
    }
}

pub const ARENSTORF_START: [f64; 4] = [0.994, 0.0, 0.0, -2.001_585_106_379_082_4];
pub const ARENSTORF_PERIOD: f64 = 17.065_216_560_157_964;

/// Two coupled nonlinear nonautonomous equations with a full mass matrix whose solution is
/// `v = (sin t, cos 2t)`.
pub struct Forced;

impl Forced {
    pub fn exact(t: f64) -> [f64; 4] {
        [t.sin(), (2.0 * t).cos(), t.cos(), -2.0 * (2.0 * t).sin()]
    }

    fn law(v: &[f64], d: &[f64]) -> [f64; 2] {
        [-v[0] * v[0] * v[0] - d[0] * v[1], -v[1].sin() - 0.5 * d[1] * d[1] * d[0] + v[0] * d[1]]
    }
}

const MASS: [[f64; 2]; 2] = [[2.0, 0.5], [0.25, 1.0]];

impl SecondOrder for Forced {
    type Error = Infallible;
    type Matrix = DenseMatrix;

    fn dim(&self) -> usize {
        2
    }

    fn acceleration(&mut self, t: f64, v: &[f64], d: &[f64], a: &mut [f64]) -> Result<(), Infallible> {
        let y = Self::exact(t);
        let (law, known) = (Self::law(v, d), Self::law(&y[..2], &y[2..]));
        a[0] = law[0] - known[0] - t.sin();
        a[1] = law[1] - known[1] - 4.0 * (2.0 * t).cos();
        Ok(())
    }

    fn linearise(&mut self, t: f64, v: &[f64], d: &[f64], out: &mut DenseMatrix) -> Result<(), Infallible> {
        let out = &mut out.linear;
        let j1 = [[-3.0 * v[0] * v[0], -d[0]], [d[1], -v[1].cos()]];
        let j2 = [[-v[1], 0.0], [-0.5 * d[1] * d[1], -d[1] * d[0] + v[0]]];
        for i in 0..2 {
            for j in 0..2 {
                out.mhat[i + 2 * j] = MASS[i][j];
                out.m1[i + 2 * j] = -(0..2).map(|k| MASS[i][k] * j2[k][j]).sum::<f64>();
                out.m2[i + 2 * j] = -(0..2).map(|k| MASS[i][k] * j1[k][j]).sum::<f64>();
            }
        }
        // explicit dependence on time: the known part of the law and the known acceleration
        let (y, [_, _, a0, a1]) = (Self::exact(t), [0.0, 0.0, -t.sin(), -4.0 * (2.0 * t).cos()]);
        let (v, d) = (&y[..2], &y[2..]);
        out.f_t[0] = 3.0 * v[0] * v[0] * d[0] + a0 * v[1] + d[0] * d[1] - t.cos();
        out.f_t[1] = v[1].cos() * d[1] + d[1] * a1 * d[0] + 0.5 * d[1] * d[1] * a0 - d[0] * d[1] - v[0] * a1
            + 8.0 * (2.0 * t).sin();
        Ok(())
    }
}

/// Order of `error` (a function of the step size) between `h` and `h / 2`.
pub fn observed_order(mut error: impl FnMut(f64) -> f64, h: f64) -> f64 {
    (error(h) / error(h / 2.0)).log2()
}
