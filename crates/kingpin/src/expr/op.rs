//! The steps of a compiled expression and the stack they work on.

use super::math;
use crate::scalar::Scalar;

/// One step of a postfix program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    /// Pushes a number.
    Const(f64),
    /// Pushes the value of a variable.
    Var(u32),
    Neg,
    Not,
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    /// Power with a constant whole exponent.
    PowI(i32),
    /// Power with any other constant exponent.
    PowF(f64),
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    /// condition, a, b: a if the condition is not zero.
    Select,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Log10,
    Sqrt,
    Cbrt,
    Abs,
    Sign,
    Floor,
    Ceil,
    Round,
    Min,
    Max,
    Mod,
    Hypot,
    Clamp,
    Step,
    Smooth5,
    Pulse,
    Ramp,
    /// g, piece: the whole number near that of g which agrees with the piece modulo 256.
    Whole,
    /// Piece of a sign: -1, 1 or 0.
    Signed,
    /// The shapes of `step` and `smooth5` without their ends.
    Cubic,
    Quintic,
    /// y, x, piece: the angle, continued from the piece where y is negative (0) or positive (1).
    Atan2On,
}

/// Largest whole exponent that is multiplied out.
const MAX_POWI: f64 = 64.0;

impl Op {
    /// Numbers taken from the stack; each step leaves one.
    pub(super) fn arity(self) -> usize {
        match self {
            Op::Const(_) | Op::Var(_) => 0,
            Op::Step | Op::Smooth5 | Op::Cubic | Op::Quintic => 5,
            Op::Select | Op::Clamp | Op::Pulse | Op::Atan2On => 3,
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Pow => 2,
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual | Op::Equal | Op::NotEqual => 2,
            Op::And | Op::Or | Op::Atan2 | Op::Min | Op::Max | Op::Mod | Op::Hypot | Op::Ramp | Op::Whole => {
                2
            }
            _ => 1,
        }
    }

    /// The power with a constant exponent.
    pub(super) fn power_of(c: f64) -> Op {
        if c.fract() == 0.0 && c.abs() <= MAX_POWI { Op::PowI(c as i32) } else { Op::PowF(c) }
    }

    /// Carries the step out; `var` gives the values of variables.
    #[inline]
    pub(super) fn apply<T: Scalar>(self, stack: &mut Stack<T>, var: &impl Fn(usize) -> T) {
        let s = stack;
        match self {
            Op::Const(x) => s.push(T::from_f64(x)),
            Op::Var(index) => s.push(var(index as usize)),
            Op::Add => s.two(|a, b| a + b),
            Op::Sub => s.two(|a, b| a - b),
            Op::Mul => s.two(|a, b| a * b),
            Op::Div => s.two(|a, b| a / b),
            Op::Neg => s.one(|a| -a),
            other => other.call(s),
        }
    }

    /// All but variables and what is quicker than a call; one copy for each kind of number.
    #[inline(never)]
    fn call<T: Scalar>(self, s: &mut Stack<T>) {
        match self {
            Op::PowI(n) => s.one(|a| a.powi(n)),
            Op::PowF(c) => s.one(|a| a.powf(c)),
            Op::Pow => s.two(math::power),
            Op::Select => s.many(|[c, a, b]: [T; 3]| if is_true(c) { a } else { b }),
            Op::Not => s.one(|a| math::truth(!is_true(a))),
            Op::And => s.two(|a, b| math::truth(is_true(a) && is_true(b))),
            Op::Or => s.two(|a, b| math::truth(is_true(a) || is_true(b))),
            Op::Less => s.compare(|a, b| a < b),
            Op::LessEqual => s.compare(|a, b| a <= b),
            Op::Greater => s.compare(|a, b| a > b),
            Op::GreaterEqual => s.compare(|a, b| a >= b),
            Op::Equal => s.compare(|a, b| a == b),
            Op::NotEqual => s.compare(|a, b| a != b),
            Op::Sin => s.one(T::sin),
            Op::Cos => s.one(T::cos),
            Op::Tan => s.one(T::tan),
            Op::Asin => s.one(T::asin),
            Op::Acos => s.one(T::acos),
            Op::Atan => s.one(T::atan),
            Op::Atan2 => s.two(T::atan2),
            Op::Sinh => s.one(T::sinh),
            Op::Cosh => s.one(T::cosh),
            Op::Tanh => s.one(T::tanh),
            Op::Exp => s.one(T::exp),
            Op::Ln => s.one(T::ln),
            Op::Log10 => s.one(T::log10),
            Op::Sqrt => s.one(T::sqrt),
            Op::Cbrt => s.one(T::cbrt),
            Op::Abs => s.one(T::abs),
            Op::Sign => s.one(math::sign),
            Op::Floor => s.one(|x| math::stair(x, f64::floor)),
            Op::Ceil => s.one(|x| math::stair(x, f64::ceil)),
            Op::Round => s.one(|x| math::stair(x, f64::round)),
            Op::Min => s.two(math::min),
            Op::Max => s.two(math::max),
            Op::Mod => s.two(math::modulo),
            Op::Hypot => s.two(math::hypot),
            Op::Ramp => s.two(math::ramp),
            Op::Clamp => s.many(math::clamp),
            Op::Pulse => s.many(math::pulse),
            Op::Step => s.many(math::step),
            Op::Smooth5 => s.many(math::smooth5),
            Op::Whole => s.two(math::whole),
            Op::Signed => s.one(math::signed),
            Op::Cubic => s.many(math::cubic),
            Op::Quintic => s.many(math::quintic),
            Op::Atan2On => s.many(math::atan2_on),
            _ => {} // everything else is in `apply`
        }
    }
}

fn is_true<T: Scalar>(x: T) -> bool {
    x.value() != 0.0
}

/// A stack of numbers in a place of the caller's.
pub(super) struct Stack<'a, T> {
    slots: &'a mut [T],
    len: usize,
}

impl<'a, T: Scalar> Stack<'a, T> {
    pub(super) fn new(slots: &'a mut [T]) -> Self {
        Stack { slots, len: 0 }
    }

    pub(super) fn push(&mut self, x: T) {
        self.slots[self.len] = x;
        self.len += 1;
    }

    pub(super) fn pop(&mut self) -> T {
        self.len -= 1;
        self.slots[self.len]
    }

    fn one(&mut self, f: impl FnOnce(T) -> T) {
        let top = &mut self.slots[self.len - 1];
        *top = f(*top);
    }

    fn two(&mut self, f: impl FnOnce(T, T) -> T) {
        let b = self.pop();
        self.one(|a| f(a, b));
    }

    fn compare(&mut self, f: impl FnOnce(&f64, &f64) -> bool) {
        self.two(|a, b| math::truth(f(&a.value(), &b.value())));
    }

    fn many<const K: usize>(&mut self, f: impl FnOnce([T; K]) -> T) {
        let mut args = [T::zero(); K];
        self.len -= K;
        args.copy_from_slice(&self.slots[self.len..self.len + K]);
        self.push(f(args));
    }
}
