//! A postfix program under construction; constant parts are computed on the spot.

use super::op::{Op, Stack};
use std::ops::Range;

/// The steps so far. Every complete operand is a contiguous run of steps; a constant one is a single step.
#[derive(Default)]
pub(super) struct Code {
    pub(super) ops: Vec<Op>,
}

impl Code {
    pub(super) fn len(&self) -> usize {
        self.ops.len()
    }

    /// Appends a step, or replaces constant operands by its result.
    pub(super) fn emit(&mut self, op: Op) {
        let first = self.ops.len().saturating_sub(op.arity());
        let operands = &self.ops[first..];
        if op.arity() > 0 && operands.iter().all(|o| matches!(o, Op::Const(_))) {
            let mut slots = [0.0; 8];
            let mut stack = Stack::new(&mut slots);
            for step in operands.iter().chain([&op]) {
                step.apply(&mut stack, &|_| f64::NAN);
            }
            self.ops.truncate(first);
            self.ops.push(Op::Const(stack.pop()));
        } else if let (Op::Pow, Some(&Op::Const(c))) = (op, operands.last()) {
            self.ops.pop();
            self.ops.push(Op::power_of(c));
        } else {
            self.ops.push(op);
        }
    }

    /// The value of the operand made by a run of steps, if constant.
    pub(super) fn constant(&self, run: Range<usize>) -> Option<f64> {
        match self.ops.get(run) {
            Some(&[Op::Const(c)]) => Some(c),
            _ => None,
        }
    }

    /// Replaces everything from a step on by a number.
    pub(super) fn replace(&mut self, start: usize, value: f64) {
        self.ops.truncate(start);
        self.ops.push(Op::Const(value));
    }

    /// Ends a choice whose condition, first and second operand start at the given steps; only the chosen
    /// operand stays when the condition is constant.
    pub(super) fn choose(&mut self, [condition, a, b]: [usize; 3]) {
        match self.constant(condition..a) {
            None => self.emit(Op::Select),
            Some(c) => {
                let rejected = if c != 0.0 { b..self.ops.len() } else { a..b };
                self.ops.drain(rejected);
                self.ops.remove(condition);
            }
        }
    }

    /// Numbers on the stack at the worst moment.
    pub(super) fn depth(&self) -> usize {
        depth(&self.ops)
    }

    /// Indices of the variables that are left, ascending.
    pub(super) fn variables(&self) -> Vec<u32> {
        let read = |op: &Op| match op {
            Op::Var(index) => Some(*index),
            _ => None,
        };
        let mut used: Vec<u32> = self.ops.iter().filter_map(read).collect();
        used.sort_unstable();
        used.dedup();
        used
    }
}

/// Numbers on the stack at the worst moment of a program.
pub(super) fn depth(ops: &[Op]) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for op in ops {
        now = now.saturating_sub(op.arity()) + 1;
        most = most.max(now);
    }
    most
}
