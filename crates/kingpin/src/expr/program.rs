//! Compiled expressions and their evaluation.

use super::dim::Dim;
use super::error::ExprError;
use super::op::{Op, Stack};
use super::pieces::HELD;
use super::quantity::{Quantity, Unitness};
use crate::scalar::{Dual, Scalar};

/// Largest number of intermediate values an expression may hold at once.
pub const MAX_DEPTH: usize = 64;
/// Stack of the expressions met in practice.
const USUAL_DEPTH: usize = 8;

/// Variables, and pieces behind them.
fn on<T: Scalar>(var: impl Fn(usize) -> T, pieces: &[u8]) -> impl Fn(usize) -> T {
    move |index| if index < HELD { var(index) } else { T::from_f64(f64::from(pieces[index - HELD])) }
}

fn run<T: Scalar, const N: usize>(ops: &[Op], var: &impl Fn(usize) -> T) -> T {
    let mut slots = [T::zero(); N];
    let mut stack = Stack::new(&mut slots);
    for op in ops {
        op.apply(&mut stack, var);
    }
    stack.pop()
}

/// An expression ready to be evaluated: a flat postfix program with parameters folded in.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub(super) text: Box<str>,
    pub(super) ops: Vec<Op>,
    /// The program on pieces of switches; empty where the expression is smooth.
    pub(super) held: Vec<Op>,
    /// Variables that occur, ascending.
    pub(super) used: Vec<u32>,
    /// Stack needed, at most [`MAX_DEPTH`].
    pub(super) depth: usize,
    pub(super) unit: Unitness,
    /// A plain number multiplies or divides a quantity with a dimension.
    pub(super) bare_factor: bool,
    /// A name of the scope that was read as a unit.
    pub(super) read_as_unit: Option<Box<str>>,
}

impl Expr {
    /// A number as an expression.
    pub fn number(value: f64) -> Expr {
        Expr {
            text: value.to_string().into(),
            ops: vec![Op::Const(value)],
            held: Vec::new(),
            used: Vec::new(),
            depth: 1,
            unit: Unitness::Bare,
            bare_factor: false,
            read_as_unit: None,
        }
    }

    /// The value, for variables given by their index. No allocation; O(length).
    ///
    /// `vars` must cover the indices of the scope the expression was read in.
    pub fn eval<T: Scalar>(&self, vars: &[T]) -> T {
        self.eval_with(|index| vars[index])
    }

    /// The value, for variables given by a function of their index. No allocation; O(length).
    pub fn eval_with<T: Scalar>(&self, var: impl Fn(usize) -> T) -> T {
        self.run_program(&self.ops, &var)
    }

    /// The value on given pieces of the switches that [`split`](Self::split) has made. No allocation; O(length).
    pub fn eval_on<T: Scalar>(&self, vars: &[T], pieces: &[u8]) -> T {
        if self.held.is_empty() {
            return self.eval(vars);
        }
        let var = on(|index| vars[index], pieces);
        self.continued(self.run_program(&self.held, &var), &var)
    }

    /// A value on a piece, or the value itself where the piece does not go on that far, as that of `sqrt(max(0, x))`.
    fn continued<T: Scalar>(&self, on_piece: T, var: &impl Fn(usize) -> T) -> T {
        if on_piece.value().is_nan() { self.run_program(&self.ops, var) } else { on_piece }
    }

    fn run_program<T: Scalar>(&self, ops: &[Op], var: &impl Fn(usize) -> T) -> T {
        if self.depth <= USUAL_DEPTH {
            run::<T, USUAL_DEPTH>(ops, var)
        } else {
            run::<T, MAX_DEPTH>(ops, var)
        }
    }

    /// The value, and in `out` its derivatives by all variables. No allocation; O(length * variables used).
    pub fn partials(&self, vars: &[f64], out: &mut [f64]) -> f64 {
        out.fill(0.0);
        for &used in &self.used {
            let used = used as usize;
            if let Some(slot) = out.get_mut(used) {
                let seed = |index: usize| Dual::new(vars[index], if index == used { 1.0 } else { 0.0 });
                *slot = self.eval_with(seed).d;
            }
        }
        self.eval(vars)
    }

    /// As [`partials`](Self::partials), on given pieces.
    pub fn partials_on(&self, vars: &[f64], pieces: &[u8], out: &mut [f64]) -> f64 {
        if self.held.is_empty() {
            return self.partials(vars, out);
        }
        out.fill(0.0);
        for &used in &self.used {
            let used = used as usize;
            if let Some(slot) = out.get_mut(used) {
                let seed = |index: usize| Dual::new(vars[index], if index == used { 1.0 } else { 0.0 });
                let var = on(seed, pieces);
                *slot = self.continued(self.run_program(&self.held, &var), &var).d;
            }
        }
        self.eval_on(vars, pieces)
    }

    /// Value, first and second derivative by one variable, the others held. No allocation.
    pub fn time_jet(&self, vars: &[f64], t_index: usize) -> [f64; 3] {
        let jet: Dual<Dual<f64>> = self.eval_with(|index| {
            if index == t_index {
                Dual::variable(Dual::variable(vars[index]))
            } else {
                Dual::from_f64(vars[index])
            }
        });
        [jet.re.re, jet.re.d, jet.d.d]
    }

    /// The value, if it depends on no variable.
    pub fn constant_value(&self) -> Option<f64> {
        match self.ops[..] {
            [Op::Const(value)] => Some(value),
            _ => None,
        }
    }

    /// Value and dimension, if it depends on no variable.
    pub fn quantity(&self) -> Option<Quantity> {
        self.constant_value().map(|value| Quantity { value, unit: self.unit })
    }

    /// Whether a variable occurs.
    pub fn uses(&self, var_index: usize) -> bool {
        self.variables().any(|used| used == var_index)
    }

    /// Indices of the variables that occur, ascending.
    pub fn variables(&self) -> impl Iterator<Item = usize> {
        self.used.iter().map(|&index| index as usize)
    }

    /// The same expression with its variables numbered anew.
    pub fn renumber(&self, place: impl Fn(usize) -> usize) -> Expr {
        let mut expr = self.clone();
        for op in expr.ops.iter_mut().chain(&mut expr.held) {
            if let Op::Var(index) = op
                && (*index as usize) < HELD
            {
                *index = place(*index as usize) as u32;
            }
        }
        expr.used.iter_mut().for_each(|index| *index = place(*index as usize) as u32);
        expr.used.sort_unstable();
        expr
    }

    /// The same expression with a number for a variable; those behind it move up by one. Before it is split.
    pub fn with_value(&self, variable: usize, value: f64) -> Expr {
        let mut expr = self.clone();
        for op in &mut expr.ops {
            match op {
                Op::Var(index) if *index as usize == variable => *op = Op::Const(value),
                Op::Var(index) if *index as usize > variable => *index -= 1,
                _ => {}
            }
        }
        expr.used.retain(|index| *index as usize != variable);
        expr.used.iter_mut().filter(|index| **index as usize > variable).for_each(|index| *index -= 1);
        expr
    }

    /// The same expression times a number. Before it is split.
    pub fn scaled(&self, factor: f64) -> Expr {
        let mut expr = self.clone();
        expr.ops.extend([Op::Const(factor), Op::Mul]);
        expr.depth = expr.depth.max(2);
        expr
    }

    /// What is known of the dimension of the value.
    pub fn unit(&self) -> Unitness {
        self.unit
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Checks the dimension against the one needed; plain numbers fit anything.
    pub fn expect(&self, needed: Dim) -> Result<(), ExprError> {
        let Some(found) = self.unit.dim().filter(|&found| found != needed) else { return Ok(()) };
        let message = format!("this is {}, but {} is needed", found.noun(), needed.noun());
        let error = ExprError::new(0..self.text.len(), message);
        // the likely slip, if one shows
        let missing = needed.over(found);
        Err(if found == Dim::MASS && needed == Dim::ACCELERATION {
            error.with_hint("`g` is the gram; standard gravity is `g0`, as in `1.5 g0`")
        } else if let Some(name) = &self.read_as_unit {
            error.with_hint(format!("behind a number, `{name}` is the unit; for the name write `*({name})`"))
        } else if self.bare_factor {
            let noun = missing.noun();
            error.with_hint(format!(
                "a number without a unit is a pure number; if it is {noun}, write its unit, as in \
                     `2 {missing}`"
            ))
        } else {
            error
        })
    }
}
