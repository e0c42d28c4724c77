//! The first zero of a function of one variable, found by intervals: none is missed, however near the next is.

use super::interval::Interval;
use crate::scalar::Dual;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RootSearch {
    /// The function becomes negative here.
    Below(f64),
    /// Not negative up to here, where the search was given up for now.
    Pause(f64),
    /// Never.
    Never,
}

/// Ranges put aside at the same time: halves of halves.
const DEPTH: usize = 64;

/// The first place in `from ..= to` where a function is negative, to the resolution of numbers. Functions that
/// touch zero within `least` of each other count as not having crossed it. At most `patience` ranges are looked at.
pub fn first_below(
    f: impl Fn(Dual<Interval>) -> Dual<Interval>,
    from: f64,
    to: f64,
    (least, patience): (f64, usize),
) -> RootSearch {
    if from.is_nan() || to.is_nan() || from >= to {
        return RootSearch::Never;
    }
    let at = |x: f64| f(Dual::variable(Interval::point(x))).re.lo;
    // ranges still to be looked at, the next on top
    let (mut ranges, mut left) = ([(from, to); DEPTH], 1);
    for _ in 0..patience {
        if left == 0 {
            return RootSearch::Never;
        }
        left -= 1;
        let (a, b) = ranges[left];
        let y = f(Dual::variable(Interval::new(a, b)));
        if y.re.lo >= 0.0 {
            continue;
        }
        let middle = 0.5 * (a + b);
        let monotone = y.d.lo >= 0.0 || y.d.hi <= 0.0;
        if monotone || b - a <= least || !(a < middle && middle < b) || left + 2 > DEPTH {
            if at(b) < 0.0 {
                return RootSearch::Below(edge(at, a, b));
            }
            continue;
        }
        (ranges[left], ranges[left + 1]) = ((middle, b), (a, middle));
        left += 2;
    }
    let reached = if left == 0 { to } else { ranges[left - 1].0 };
    RootSearch::Pause(reached.max(from + least).min(to))
}

/// The first number at which a function that is not negative at `a` and negative at `b` is negative.
fn edge(at: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    if at(a) < 0.0 {
        return a;
    }
    loop {
        let middle = 0.5 * (a + b);
        if !(a < middle && middle < b) {
            return b;
        }
        if at(middle) < 0.0 {
            b = middle;
        } else {
            a = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Scope, parse};
    use crate::scalar::Scalar;

    fn first(text: &str, from: f64, to: f64) -> RootSearch {
        let mut scope = Scope::new();
        scope.variable("t", 0, None);
        let expr = parse(text, &scope).unwrap();
        first_below(|t| expr.eval(&[t]), from, to, (1e-12 * (to - from), 20_000))
    }

    #[test]
    fn zeros_are_found_exactly_and_in_order() {
        assert_eq!(first("7 - t", 0.0, 10.0), RootSearch::Below(7_f64.next_up()));
        assert_eq!(first("t - 7", 8.0, 10.0), RootSearch::Never);
        assert_eq!(first("7.05 - t", 7.0, 1e6), RootSearch::Below(7.05_f64.next_up()));
        let RootSearch::Below(t) = first("4 - t^2", 0.0, 1e9) else { panic!() };
        assert!((t - 2.0).abs() < 1e-15);
        // one narrow dip in a long run
        let RootSearch::Below(t) = first("0.5 - exp(-((t - 500)/1e-6)^2)", 0.0, 1e4) else { panic!() };
        assert!((t - 500.0 + 1e-6 * 2_f64.ln().sqrt()).abs() < 1e-12, "{t}");
        // touches without crossing
        assert_eq!(first("(t - 3)^2", 0.0, 10.0), RootSearch::Never);
        assert_eq!(first("1 + 0 * t", 0.0, 10.0), RootSearch::Never);
    }

    #[test]
    fn every_zero_of_a_fast_oscillation_comes_in_turn() {
        let mut t = 0.0;
        for k in 1..2000 {
            let text = if k % 2 == 1 { "sin(1e4 * t)" } else { "-sin(1e4 * t)" };
            let RootSearch::Below(next) = first(text, t, 1e3) else { panic!("{k}") };
            assert!((next - f64::from(k) * std::f64::consts::PI / 1e4).abs() < 1e-12, "{k}: {next}");
            t = next;
        }
    }

    #[test]
    fn a_search_without_end_pauses() {
        // never negative, but its range does not know that
        let wave = |t: Dual<Interval>| (Dual::from_f64(1.0) / t).sin();
        let wild = |t: Dual<Interval>| wave(t) * wave(t);
        assert!(
            matches!(first_below(wild, 1e-9, 1.0, (1e-14, 20_000)), RootSearch::Pause(t) if t > 1e-9 && t < 1.0)
        );
    }
}
