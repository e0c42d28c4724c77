//! Functions a model can prescribe: of time, of an element's own variables, of measures.

use super::closure::{Closure, SmoothLaw};
use crate::expr::{Curve, Expr};
use crate::scalar::Scalar;

/// A number, an expression, a table, or a function written in Rust.
///
/// The variables of an expression are numbered: first those the field declares (see
/// [`Kind::Function`](super::describe::Kind)), then value and rate of
/// measure 0, of measure 1, …, then states, outputs of controllers, the variables of all events, 0 or 1, and
/// all inputs ([`Numbering`](super::controller::Numbering)).
#[derive(Clone, Debug, PartialEq)]
pub enum Function {
    /// The same always.
    Constant(f64),
    /// An expression.
    Expr(Expr),
    /// A table over the first variable.
    Table(Curve),
    /// A function written in Rust.
    Closure(Closure),
}

impl Default for Function {
    fn default() -> Self {
        Function::Constant(0.0)
    }
}

impl From<f64> for Function {
    fn from(value: f64) -> Self {
        Function::Constant(value)
    }
}

impl Function {
    /// A function written in Rust once for all scalars: its derivatives are exact. The names say what it reads: `t`
    /// and what else the field offers, measures (`swing`, and `swing.rate`), switches and inputs of the model.
    pub fn smooth(names: &[&str], law: impl SmoothLaw) -> Function {
        Function::Closure(Closure::smooth(names, law))
    }

    /// A function written as a closure over plain numbers: its derivatives are differences. Names as for
    /// [`Function::smooth`]. It should be smooth: nobody looks for its corners.
    pub fn closure(names: &[&str], f: impl Fn(&[f64]) -> f64 + Send + Sync + 'static) -> Function {
        Function::Closure(Closure::plain(names, f))
    }

    /// As [`Function::closure`], with its slopes given too: `slopes` fills the derivatives with respect to all it reads.
    /// Only second derivatives are differences then.
    ///
    /// ```
    /// use kingpin::prelude::*;
    ///
    /// let drag = Function::sloped(&["speed"], |x| -0.3 * x[0] * x[0].abs(), |x, slopes| slopes[0] = -0.6 * x[0].abs());
    /// ```
    pub fn sloped(
        names: &[&str],
        f: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
        slopes: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Function {
        Function::Closure(Closure::sloped(names, f, slopes))
    }

    /// The value at the given variables.
    pub fn eval<T: Scalar>(&self, variables: &[T]) -> T {
        match self {
            Function::Constant(c) => T::from_f64(*c),
            Function::Expr(e) => e.eval(variables),
            Function::Table(curve) => curve.eval(variables[0]),
            Function::Closure(closure) => closure.eval(variables),
        }
    }

    /// The value on given pieces of the switches it was split into.
    pub fn eval_on<T: Scalar>(&self, variables: &[T], pieces: &[u8]) -> T {
        match self {
            Function::Expr(e) => e.eval_on(variables, pieces),
            Function::Table(curve) => curve.eval_on(variables[0], pieces),
            Function::Closure(closure) => closure.eval(variables),
            Function::Constant(c) => T::from_f64(*c),
        }
    }

    /// Value and partial derivatives on given pieces.
    pub fn partials_on(&self, variables: &[f64], pieces: &[u8], out: &mut [f64]) -> f64 {
        match self {
            Function::Expr(e) => e.partials_on(variables, pieces, out),
            Function::Table(curve) => {
                out.fill(0.0);
                let y = curve.eval_on(crate::scalar::Dual::variable(variables[0]), pieces);
                out[0] = y.d;
                y.re
            }
            Function::Constant(_) | Function::Closure(_) => self.partials(variables, out),
        }
    }

    /// Value and partial derivatives with respect to all variables.
    pub fn partials(&self, variables: &[f64], out: &mut [f64]) -> f64 {
        out.fill(0.0);
        match self {
            Function::Constant(c) => *c,
            Function::Expr(e) => e.partials(variables, out),
            Function::Table(curve) => {
                let y = curve.eval(crate::scalar::Dual::variable(variables[0]));
                out[0] = y.d;
                y.re
            }
            Function::Closure(closure) => closure.partials(variables, out),
        }
    }

    /// Value, first and second derivative with respect to the only variable, time.
    pub fn time_jet(&self, t: f64) -> [f64; 3] {
        use crate::scalar::Dual;
        let y = self.eval(&[Dual::variable(Dual::variable(t))]);
        [y.re.re, y.d.re, y.d.d]
    }

    /// As [`time_jet`](Self::time_jet), on given pieces.
    pub fn time_jet_on(&self, t: f64, pieces: &[u8]) -> [f64; 3] {
        use crate::scalar::Dual;
        let y = self.eval_on(&[Dual::variable(Dual::variable(t))], pieces);
        [y.re.re, y.d.re, y.d.d]
    }

    /// Reads its variables at other places.
    pub(crate) fn renumbered(&mut self, place: impl Fn(usize) -> usize) {
        match self {
            Function::Expr(expr) => *expr = expr.renumber(place),
            Function::Closure(closure) => *closure = closure.moved(place),
            Function::Constant(_) | Function::Table(_) => {}
        }
    }

    /// Its value, if it is the same always.
    pub fn constant_value(&self) -> Option<f64> {
        match self {
            Function::Constant(c) => Some(*c),
            Function::Expr(e) => e.constant_value(),
            Function::Table(_) | Function::Closure(_) => None,
        }
    }

    /// Whether it is zero everywhere.
    pub fn is_zero(&self) -> bool {
        *self == Function::Constant(0.0)
    }
}
