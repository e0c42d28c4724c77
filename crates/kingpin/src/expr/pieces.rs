//! Where an expression is not smooth, and the expression on given pieces between those places.
//!
//! Comparisons, `abs`, `sign`, `min`, `max`, `clamp`, `ramp`, `pulse`, `step`, `smooth5`, `floor`, `ceil`, `round`,
//! `mod` and the cut of `atan2` each become a [`Site`]: a function whose sign or whole part tells the piece. The
//! expression on pieces reads these pieces instead of comparing values, so that it is smooth in all variables.

use super::contact::Pieced;
use super::op::Op;
use super::program::{Expr, MAX_DEPTH};

/// Variables from this index on stand for the pieces of switches.
pub const HELD: usize = 1 << 24;

/// What tells the pieces of a site apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// Piece 0 where the gauge is negative, 1 elsewhere.
    Zero,
    /// The same, and piece 2 exactly at zero: the value of `sign` there.
    Sign,
    /// The whole part of the gauge, modulo 256.
    Whole,
}

/// A place where an expression is not smooth.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// The function whose sign or whole part tells the piece, of the variables of the expression and of pieces.
    pub gauge: Expr,
    /// How it does that.
    pub edges: Edges,
    /// Whether the gauge depends on nothing but time.
    pub timed: bool,
    /// Whether the expression itself is continuous there, and only its slope or curvature is not.
    pub continuous: bool,
    /// The function or operator that makes it.
    pub word: &'static str,
}

impl Site {
    /// The switches whose pieces the gauge reads.
    pub fn reads(&self) -> Vec<usize> {
        held(&self.gauge.ops)
    }
}

/// The whole number nearest to that of `g` which agrees with a piece modulo 256.
pub fn whole(g: f64, piece: u8) -> f64 {
    let now = g.floor();
    let ahead = (f64::from(piece) - now).rem_euclid(256.0);
    now + if ahead < 128.0 { ahead } else { ahead - 256.0 }
}

/// The switches whose pieces some steps read, ascending.
fn held(ops: &[Op]) -> Vec<usize> {
    let read = |op: &Op| match op {
        Op::Var(index) => (*index as usize).checked_sub(HELD),
        _ => None,
    };
    let mut all: Vec<usize> = ops.iter().filter_map(read).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A part of the program under construction.
#[derive(Clone)]
struct ProgramPart {
    ops: Vec<Op>,
    /// Constant on given pieces.
    flat: bool,
    /// A function of time and of nothing else.
    timed: bool,
}

impl ProgramPart {
    fn number(x: f64) -> ProgramPart {
        ProgramPart { ops: vec![Op::Const(x)], flat: true, timed: true }
    }

    /// The operands, then a step.
    fn of(op: Op, parts: &[&ProgramPart]) -> ProgramPart {
        let mut ops: Vec<Op> = parts.iter().flat_map(|p| p.ops.iter().copied()).collect();
        ops.push(op);
        ProgramPart { ops, flat: parts.iter().all(|p| p.flat), timed: parts.iter().all(|p| p.timed) }
    }
}

/// Goes through a program and collects its sites.
struct Splitter<'a> {
    expr: &'a Expr,
    first: usize,
    sites: Vec<Site>,
    /// The steps of the program that make the sites; the one at hand; those that are evaluated by value.
    places: Vec<usize>,
    place: usize,
    by_value: &'a [usize],
}

impl Splitter<'_> {
    /// A new site; the part that stands for its piece.
    fn site(
        &mut self,
        gauge: &ProgramPart,
        edges: Edges,
        continuous: bool,
        word: &'static str,
    ) -> ProgramPart {
        let held = (HELD + self.first + self.sites.len()) as u32;
        let gauge_expr = self.expr.with_program(gauge.ops.clone());
        self.sites.push(Site { gauge: gauge_expr, edges, timed: gauge.timed, continuous, word });
        self.places.push(self.place);
        ProgramPart { ops: vec![Op::Var(held)], flat: true, timed: gauge.timed }
    }

    /// One on the pieces where `a - b` is not negative.
    fn above(
        &mut self,
        a: &ProgramPart,
        b: &ProgramPart,
        continuous: bool,
        word: &'static str,
    ) -> ProgramPart {
        self.site(&ProgramPart::of(Op::Sub, &[a, b]), Edges::Zero, continuous, word)
    }

    fn compare(&mut self, op: Op, a: &ProgramPart, b: &ProgramPart) -> ProgramPart {
        let not = |p: &ProgramPart| ProgramPart::of(Op::Sub, &[&ProgramPart::number(1.0), p]);
        match op {
            Op::Less => not(&self.above(a, b, false, "<")),
            Op::LessEqual => self.above(b, a, false, "<="),
            Op::Greater => not(&self.above(b, a, false, ">")),
            _ => self.above(a, b, false, ">="),
        }
    }

    /// The whole part of a function.
    fn stair(&mut self, g: &ProgramPart, word: &'static str) -> ProgramPart {
        let piece = self.site(g, Edges::Whole, false, word);
        let mut stair = ProgramPart::of(Op::Whole, &[g, &piece]);
        stair.flat = true;
        stair
    }

    /// A smooth shape between two constants.
    fn transition(&mut self, shape: Op, args: &[&ProgramPart], word: &'static str) -> ProgramPart {
        let [x, x0, y0, x1, y1] = args else { return ProgramPart::number(f64::NAN) };
        let (begun, ended) = (self.above(x, x0, true, word), self.above(x, x1, true, word));
        let inside = ProgramPart::of(shape, args);
        ProgramPart::of(Op::Select, &[&begun, &ProgramPart::of(Op::Select, &[&ended, y1, &inside]), y0])
    }

    /// What stands for a step on given pieces.
    fn step(&mut self, op: Op, args: &[&ProgramPart]) -> ProgramPart {
        if args.iter().all(|p| p.flat) || self.by_value.contains(&self.place) {
            return ProgramPart::of(op, args);
        }
        let (two, one) = (ProgramPart::number(2.0), ProgramPart::number(1.0));
        match (op, args) {
            (Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual, [a, b]) => self.compare(op, a, b),
            (Op::Abs, [a]) => {
                let piece = self.site(a, Edges::Zero, true, "abs");
                let sign = ProgramPart::of(Op::Sub, &[&ProgramPart::of(Op::Mul, &[&two, &piece]), &one]);
                ProgramPart::of(Op::Mul, &[a, &sign])
            }
            (Op::Sign, [a]) => ProgramPart::of(Op::Signed, &[&self.site(a, Edges::Sign, false, "sign")]),
            (Op::Min, [a, b]) => ProgramPart::of(Op::Select, &[&self.above(a, b, true, "min"), b, a]),
            (Op::Max, [a, b]) => ProgramPart::of(Op::Select, &[&self.above(a, b, true, "max"), a, b]),
            (Op::Clamp, [x, lo, hi]) => {
                let (over, past) = (self.above(x, lo, true, "clamp"), self.above(x, hi, true, "clamp"));
                ProgramPart::of(Op::Select, &[&over, &ProgramPart::of(Op::Select, &[&past, hi, x]), lo])
            }
            (Op::Ramp, [x, a]) => {
                let begun = self.above(x, a, true, "ramp");
                ProgramPart::of(Op::Mul, &[&begun, &ProgramPart::of(Op::Sub, &[x, a])])
            }
            (Op::Pulse, [x, a, b]) => {
                let (begun, ended) = (self.above(x, a, false, "pulse"), self.above(x, b, false, "pulse"));
                ProgramPart::of(Op::Mul, &[&begun, &ProgramPart::of(Op::Sub, &[&one, &ended])])
            }
            (Op::Step, _) => self.transition(Op::Cubic, args, "step"),
            (Op::Smooth5, _) => self.transition(Op::Quintic, args, "smooth5"),
            (Op::Floor, [x]) => self.stair(x, "floor"),
            (Op::Ceil, [x]) => {
                let stair = self.stair(&ProgramPart::of(Op::Neg, &[x]), "ceil");
                ProgramPart::of(Op::Neg, &[&stair])
            }
            (Op::Round, [x]) => {
                self.stair(&ProgramPart::of(Op::Add, &[x, &ProgramPart::number(0.5)]), "round")
            }
            (Op::Mod, [x, y]) => {
                let count = self.stair(&ProgramPart::of(Op::Div, &[x, y]), "mod");
                ProgramPart::of(Op::Sub, &[x, &ProgramPart::of(Op::Mul, &[y, &count])])
            }
            (Op::Atan2, [y, x]) => {
                let side = self.site(y, Edges::Zero, false, "atan2");
                ProgramPart::of(Op::Atan2On, &[y, x, &side])
            }
            _ => ProgramPart::of(op, args),
        }
    }
}

impl Expr {
    /// The expression on pieces with the sites that tell them, which become the switches from `first` on; `None`
    /// where it is smooth. `time` is the variable that is time; `flat` tells variables that are constant on pieces.
    pub fn split(
        &self,
        first: usize,
        time: Option<usize>,
        flat: impl Fn(usize) -> bool,
    ) -> Option<(Expr, Vec<Site>)> {
        self.split_but(first, time, &flat, &[]).map(|(expr, sites, _)| (expr, sites))
    }

    /// The same without sites at which nobody need stop: both pieces of an `abs` or `sign` have the same value and slope
    /// there, and bend alike, as those of `w*abs(w)`. Such steps are evaluated by value.
    pub fn split_where_rough(
        &self,
        first: usize,
        time: Option<usize>,
        flat: impl Fn(usize) -> bool,
    ) -> Option<(Expr, Vec<Site>)> {
        let (expr, sites, places) = self.split_but(first, time, &flat, &[])?;
        let pieced = Pieced { expr: &expr, sites: &sites, first };
        let is_smooth = |k: usize| {
            let read = sites.iter().any(|other| other.reads().contains(&(first + k)));
            matches!(sites[k].word, "abs" | "sign") && !sites[k].timed && !read && pieced.is_smooth(k)
        };
        let smooth: Vec<usize> = (0..sites.len()).filter(|&k| is_smooth(k)).map(|k| places[k]).collect();
        if smooth.is_empty() {
            return Some((expr, sites));
        }
        self.split_but(first, time, &flat, &smooth).map(|(expr, sites, _)| (expr, sites))
    }

    /// The same with some steps of the program evaluated by value, and the steps that make the sites.
    fn split_but(
        &self,
        first: usize,
        time: Option<usize>,
        flat: &impl Fn(usize) -> bool,
        by_value: &[usize],
    ) -> Option<(Expr, Vec<Site>, Vec<usize>)> {
        let (sites, places) = (Vec::new(), Vec::new());
        let mut splitter = Splitter { expr: self, first, sites, places, place: 0, by_value };
        let mut stack: Vec<ProgramPart> = Vec::new();
        for (place, &op) in self.ops.iter().enumerate() {
            splitter.place = place;
            let part = match op {
                Op::Const(x) => ProgramPart::number(x),
                Op::Var(index) => {
                    let k = index as usize;
                    ProgramPart { ops: vec![op], flat: flat(k), timed: time == Some(k) }
                }
                _ => {
                    let operands = stack.split_off(stack.len().checked_sub(op.arity())?);
                    splitter.step(op, &operands.iter().collect::<Vec<_>>())
                }
            };
            stack.push(part);
        }
        let whole = stack.pop()?;
        if splitter.sites.is_empty() {
            return None;
        }
        let mut on_pieces = self.clone();
        on_pieces.held = whole.ops;
        on_pieces.depth = self.depth.max(super::code::depth(&on_pieces.held));
        let deepest = splitter.sites.iter().map(|s| s.gauge.depth).fold(on_pieces.depth, usize::max);
        // as rare as it is hopeless: such an expression stays as it is, evaluated by value
        (deepest <= MAX_DEPTH).then_some((on_pieces, splitter.sites, splitter.places))
    }

    /// Another program of the same text.
    fn with_program(&self, ops: Vec<Op>) -> Expr {
        let mut used: Vec<u32> = ops
            .iter()
            .filter_map(|op| if let Op::Var(k) = op { Some(*k) } else { None })
            .filter(|&k| (k as usize) < HELD)
            .collect();
        used.sort_unstable();
        used.dedup();
        let depth = super::code::depth(&ops);
        Expr { held: ops.clone(), ops, used, depth, ..self.clone() }
    }

    /// Its degree on given pieces if it is a polynomial of all variables together; infinite if it is none.
    pub fn degree(&self) -> f64 {
        let mut stack: Vec<f64> = Vec::new();
        for op in if self.held.is_empty() { &self.ops } else { &self.held } {
            let operands = stack.split_off(stack.len().saturating_sub(op.arity()));
            let most = operands.iter().copied().fold(0.0, f64::max);
            stack.push(match (op, &operands[..]) {
                (Op::Var(index), _) => f64::from(u8::from((*index as usize) < HELD)),
                (Op::Add | Op::Sub | Op::Neg, _) => most,
                (Op::Mul, [a, b]) => a + b,
                (Op::Div, [a, b]) if *b == 0.0 => *a,
                (Op::PowI(n), [a]) if *n >= 0 => a * f64::from(*n),
                (Op::Select, [condition, a, b]) if *condition == 0.0 => a.max(*b),
                (Op::Whole, _) => 0.0,
                (Op::Cubic, [x, rest @ ..]) if rest.iter().all(|d| *d == 0.0) => 3.0 * x,
                _ if most == 0.0 => 0.0,
                _ => f64::INFINITY,
            });
        }
        stack.pop().unwrap_or(0.0)
    }

    /// Whether it is evaluated on pieces.
    pub fn has_pieces(&self) -> bool {
        !self.held.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Scope, parse};

    fn expression(text: &str) -> Expr {
        let mut scope = Scope::new();
        scope.variable("t", 0, None).variable("x", 1, None);
        parse(text, &scope).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
    }

    fn settle(sites: &[Site], vars: &[f64]) -> Vec<u8> {
        let mut pieces = vec![0; sites.len()];
        for (k, site) in sites.iter().enumerate() {
            let g = site.gauge.eval_on(vars, &pieces);
            pieces[k] = match site.edges {
                Edges::Zero => u8::from(g >= 0.0),
                Edges::Sign => {
                    if g == 0.0 {
                        2
                    } else {
                        u8::from(g > 0.0)
                    }
                }
                Edges::Whole => g.floor().rem_euclid(256.0) as u8,
            };
        }
        pieces
    }

    const TEXTS: [&str; 24] = [
        "if(t < 1, x, 2*x)",
        "if(t <= 1, x, 2*x)",
        "if(t > 1, x, 2*x)",
        "if(t >= x, x, 2*x)",
        "if(t < 1 && x > 0 || t > 2, 3, 4)",
        "abs(x)",
        "abs(abs(x) - 1)",
        "sign(x) * t",
        "min(t, x, 1)",
        "max(t, x, 1)",
        "clamp(x, -1, t)",
        "ramp(x, 0.5)",
        "pulse(t, 1, 2) * x",
        "step(t, 0, x, 2, 5)",
        "smooth5(x, -1, 2, 1, 3)",
        "floor(3*x)",
        "ceil(3*x) + t",
        "round(3*x)",
        "mod(x, 0.7)",
        "mod(x, -0.7) + mod(t, 1)",
        "if(floor(t) == 1, x, -x)",
        "if((t < 1) + (x > 0) > 0.5, 1, 0)",
        "atan2(x, t - 1)",
        "if(!(t < 1), sqrt(abs(x)), 0)",
    ];

    #[test]
    fn on_settled_pieces_it_is_the_same_function() {
        for text in TEXTS {
            let expr = expression(text);
            let (on, sites) =
                expr.split(0, Some(0), |_| false).unwrap_or_else(|| panic!("{text} is not smooth"));
            for i in -40..40 {
                for j in -40..40 {
                    let vars = [0.1003 * f64::from(i), 0.0797 * f64::from(j)];
                    let pieces = settle(&sites, &vars);
                    let (value, by_value) = (on.eval_on(&vars, &pieces), expr.eval(&vars));
                    let same = (value - by_value).abs() < 1e-12 || value.is_nan() && by_value.is_nan();
                    assert!(same, "{text} at {vars:?} on {pieces:?}: {value}, not {by_value}");
                }
            }
        }
    }

    #[test]
    fn a_piece_goes_on_smoothly_beyond_its_edge() {
        let (on, sites) = expression("if(t < 1, 5 + x, abs(x))").split(0, Some(0), |_| false).unwrap();
        assert_eq!(sites.len(), 2);
        assert_eq!((sites[0].timed, sites[1].timed), (true, false));
        assert_eq!((sites[0].continuous, sites[1].continuous), (false, true));
        assert_eq!(on.eval_on(&[9.0, -2.0], &[0, 1]), 3.0);
        assert_eq!(on.eval_on(&[9.0, -2.0], &[1, 1]), -2.0);
        let mut by = [0.0; 2];
        assert_eq!(on.partials_on(&[9.0, -2.0], &[1, 0], &mut by), 2.0);
        assert_eq!(by, [0.0, -1.0]);
    }

    #[test]
    fn where_a_piece_has_no_value_the_function_has() {
        // on the piece where x is positive, looked at just beyond its edge
        for (text, there) in
            [("sqrt(max(0, x))", 0.0), ("if(x > 0, x^1.5, 0)", 0.0), ("if(x > 0, ln(x), 7)", 7.0)]
        {
            let (on, sites) = expression(text).split(0, Some(0), |_| false).unwrap();
            let pieces = settle(&sites, &[0.0, 1.0]);
            assert_eq!(on.eval_on(&[0.0, -1e-3], &pieces), there, "{text}");
            assert_eq!(on.eval_on(&[0.0, 1.0], &pieces), expression(text).eval(&[0.0, 1.0]));
        }
    }

    #[test]
    fn what_depends_on_what() {
        let (_, sites) = expression("abs(abs(x) - t)").split(7, Some(0), |_| false).unwrap();
        assert_eq!((sites[0].reads(), sites[1].reads()), (vec![], vec![7]));
        let (_, sites) = expression("abs(abs(t) - 1)").split(7, Some(0), |_| false).unwrap();
        assert!(sites.iter().all(|s| s.timed));
        for smooth in ["sin(t) + x^3", "t * x", "3"] {
            assert!(expression(smooth).split(0, Some(0), |_| false).is_none());
        }
    }

    #[test]
    fn whole_numbers_are_counted_beyond_a_byte() {
        for (g, count) in [(700.4, 700.0), (-3.2, -4.0), (1e9 + 0.5, 1e9)] {
            let piece = f64::rem_euclid(count, 256.0) as u8;
            assert_eq!(whole(g, piece), count);
            assert_eq!(whole(g + 100.0, piece), count);
            assert_eq!(whole(g - 100.0, piece), count);
        }
    }
}
