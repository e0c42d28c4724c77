//! Expressions made of others, where no text says them.

use super::code::depth;
use super::op::Op;
use super::program::{Expr, MAX_DEPTH};
use super::quantity::Unitness;

impl Expr {
    /// A program with a text that tells what it is.
    fn made(text: &str, ops: Vec<Op>) -> Expr {
        let mut used: Vec<u32> =
            ops.iter().filter_map(|op| if let Op::Var(index) = op { Some(*index) } else { None }).collect();
        used.sort_unstable();
        used.dedup();
        Expr {
            text: text.into(),
            depth: depth(&ops),
            ops,
            held: Vec::new(),
            used,
            unit: Unitness::Unknown,
            bare_factor: false,
            read_as_unit: None,
        }
    }

    /// A variable alone.
    pub fn variable(name: &str, index: usize) -> Expr {
        Expr::made(name, vec![Op::Var(index as u32)])
    }

    /// The variable that it is and nothing else.
    pub fn as_variable(&self) -> Option<usize> {
        match self.ops[..] {
            [Op::Var(index)] => Some(index as usize),
            _ => None,
        }
    }

    /// The sum of expressions times numbers; terms times zero are left out.
    pub fn sum(text: &str, terms: &[(f64, &Expr)]) -> Expr {
        let mut ops = Vec::new();
        for (k, term) in terms.iter().filter(|(k, _)| *k != 0.0) {
            let first = ops.is_empty();
            ops.extend_from_slice(&term.ops);
            if *k != 1.0 {
                ops.extend([Op::Const(*k), Op::Mul]);
            }
            if !first {
                ops.push(Op::Add);
            }
        }
        if ops.is_empty() {
            ops.push(Op::Const(0.0));
        }
        Expr::made(text, ops)
    }

    /// The sum of products of two variables.
    pub fn products(text: &str, factors: impl Iterator<Item = [usize; 2]>) -> Expr {
        let mut ops = Vec::new();
        for [a, b] in factors {
            let first = ops.is_empty();
            ops.extend([Op::Var(a as u32), Op::Var(b as u32), Op::Mul]);
            if !first {
                ops.push(Op::Add);
            }
        }
        Expr::made(text, ops)
    }

    /// The same between two bounds, where there are some.
    pub fn between(&self, low: Option<f64>, high: Option<f64>) -> Expr {
        let mut ops = self.ops.clone();
        match (low, high) {
            (Some(low), Some(high)) => ops.extend([Op::Const(low), Op::Const(high), Op::Clamp]),
            (Some(low), None) => ops.extend([Op::Const(low), Op::Max]),
            (None, Some(high)) => ops.extend([Op::Const(high), Op::Min]),
            (None, None) => {}
        }
        Expr::made(&self.text, ops)
    }

    /// The same with expressions in the places of variables; `None` where it would need more intermediate values than
    /// there may be. Before it is split.
    pub fn with_parts<'e>(&self, part: impl Fn(usize) -> Option<&'e Expr>) -> Option<Expr> {
        let mut ops = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            match op {
                Op::Var(index) => match part(*index as usize) {
                    Some(expr) => ops.extend_from_slice(&expr.ops),
                    None => ops.push(*op),
                },
                _ => ops.push(*op),
            }
        }
        let made = Expr::made(&self.text, ops);
        (made.depth <= MAX_DEPTH).then_some(Expr { unit: self.unit, ..made })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Scope, parse};

    fn expression(text: &str) -> Expr {
        let mut scope = Scope::new();
        scope.variable("t", 0, None).variable("x", 1, None).variable("y", 2, None);
        parse(text, &scope).unwrap()
    }

    #[test]
    fn sums_bounds_and_parts_are_what_they_say() {
        let (a, b) = (expression("x^2 + t"), expression("sin(y)"));
        let sum = Expr::sum("s", &[(2.0, &a), (0.0, &b), (-1.0, &b), (1.0, &a)]);
        let vars = [0.3, 1.7, -0.4];
        assert_eq!(sum.eval(&vars), 2.0 * a.eval(&vars) - b.eval(&vars) + a.eval(&vars));
        assert_eq!(sum.variables().collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(Expr::sum("0", &[(0.0, &a)]).constant_value(), Some(0.0));
        for (low, high, value) in [
            (Some(-1.0), Some(2.0), 2.0),
            (Some(5.0), None, 5.0),
            (None, Some(1.5), 1.5),
            (None, None, a.eval(&vars)),
        ] {
            assert_eq!(a.between(low, high).eval(&vars), value);
        }
        let inside = expression("x * y").with_parts(|k| (k == 1).then_some(&a)).unwrap();
        assert_eq!(inside.eval(&vars), a.eval(&vars) * -0.4);
        assert_eq!(expression("y").as_variable(), Some(2));
        assert_eq!(expression("y + 1").as_variable(), None);
        assert_eq!(Expr::variable("y", 2).eval(&vars), -0.4);
    }
}
