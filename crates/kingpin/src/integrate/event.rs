//! Events: where a function of time and state changes its sign inside a step.

use super::stepper::Solution;

/// Which changes of sign count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    Any,
}

/// An event inside a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Incident {
    /// Time.
    pub t: f64,
    /// Place in the step, for [`Solution::dense`].
    pub theta: f64,
    /// Whether the function rises through zero.
    pub rising: bool,
}

/// Finds events step by step. Each step is divided into equal parts, so that two crossings within one step are
/// found if they lie in different parts.
#[derive(Debug, Clone)]
pub struct EventFinder {
    crossing: Crossing,
    parts: usize,
    tolerance: f64,
    /// Value at the end of the last step looked at.
    before: Option<f64>,
    /// State inside the step; its value at the event after one is found.
    y: Vec<f64>,
}

impl EventFinder {
    /// For states of length `dim`; times are found to `tolerance` times the step size.
    pub fn new(dim: usize, crossing: Crossing, tolerance: f64) -> Self {
        let tolerance = tolerance.max(4.0 * f64::EPSILON);
        Self { crossing, parts: 4, tolerance, before: None, y: vec![0.0; dim] }
    }

    /// Looks at `parts` parts of each step instead of four.
    pub fn with_parts(mut self, parts: usize) -> Self {
        self.parts = parts.max(1);
        self
    }

    /// State at the event found last.
    pub fn state(&self) -> &[f64] {
        &self.y
    }

    /// Forgets the last step, after a jump of the state.
    pub fn forget(&mut self) {
        self.before = None;
    }

    /// The first event in the last step of `solution`, which began at `t_old`. A zero exactly at the end of a
    /// step belongs to that step.
    pub fn find(
        &mut self,
        solution: &impl Solution,
        t_old: f64,
        mut function: impl FnMut(f64, &[f64]) -> f64,
    ) -> Option<Incident> {
        let h = solution.t() - t_old;
        let y = &mut self.y;
        let mut value = |theta: f64| {
            solution.dense(theta, y);
            function(t_old + theta * h, y)
        };
        // signs at the ends of equal parts of the step; the first change is located on the dense output
        let mut left = (0.0, self.before.unwrap_or_else(|| value(0.0)));
        let mut found = None;
        for part in 1..=self.parts {
            let theta = part as f64 / self.parts as f64;
            let right = (theta, value(theta));
            let (rises, falls) = (left.1 < 0.0 && right.1 >= 0.0, left.1 > 0.0 && right.1 <= 0.0);
            let counts = match self.crossing {
                Crossing::Rising => rises,
                Crossing::Falling => falls,
                Crossing::Any => rises || falls,
            };
            if counts && found.is_none() {
                let theta = zero(left, right, self.tolerance, &mut value);
                found = Some(Incident { t: t_old + theta * h, theta, rising: rises });
            }
            left = right;
        }
        self.before = Some(left.1);
        if let Some(event) = found {
            solution.dense(event.theta, &mut self.y);
        }
        found
    }
}

/// A zero of `f` between two points of opposite signs by Brent's method: interpolation where it is safe,
/// bisection elsewhere. The result is on the far side of the zero, where the sign has changed, or exact.
pub fn zero((a, fa): (f64, f64), (b, fb): (f64, f64), tolerance: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    // b is the best point, a the one of opposite sign, c the b before
    let (far_sign, (mut a, mut fa), (mut b, mut fb)) = (fb >= 0.0, (a, fa), (b, fb));
    let (mut c, mut fc) = (a, fa);
    let (mut step, mut step_before) = (b - a, b - a);
    for _ in 0..200 {
        if fc.abs() < fb.abs() {
            (a, b, c) = (b, c, b);
            (fa, fb, fc) = (fb, fc, fb);
        }
        let least = 2.0 * f64::EPSILON * b.abs() + 0.5 * tolerance;
        let middle = 0.5 * (c - b);
        if fb == 0.0 {
            return b;
        }
        if middle.abs() <= least {
            return if (fb >= 0.0) == far_sign { b } else { c };
        }
        (step, step_before) = if step_before.abs() >= least && fa.abs() > fb.abs() {
            let s = fb / fa;
            let (p, q) = if a == c {
                (2.0 * middle * s, 1.0 - s)
            } else {
                let (q, r) = (fa / fc, fb / fc);
                (s * (2.0 * middle * q * (q - r) - (b - a) * (r - 1.0)), (q - 1.0) * (r - 1.0) * (s - 1.0))
            };
            let (p, q) = if p > 0.0 { (p, -q) } else { (-p, q) };
            let safe = 2.0 * p < (3.0 * middle * q - (least * q).abs()).min((step_before * q).abs());
            if safe { (p / q, step) } else { (middle, middle) }
        } else {
            (middle, middle)
        };
        (a, fa) = (b, fb);
        b += if step.abs() > least { step } else { least.copysign(middle) };
        fb = f(b);
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            (step, step_before) = (b - a, b - a);
        }
    }
    if (fb >= 0.0) == far_sign { b } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::testing;
    use crate::integrate::{Dop853, Norm, Tolerance, integrate};
    use std::ops::ControlFlow;

    #[test]
    fn zeros_are_found_to_the_tolerance_in_few_evaluations() {
        type Function = fn(f64) -> f64;
        let functions: [(Function, f64); 4] = [
            (|x| x * x * x - 0.3, 0.3f64.cbrt()),
            (|x| (x - 0.7).powi(9), 0.7),
            (|x| if x < 0.123 { -1.0 } else { 1e9 }, 0.123),
            (|x| x.exp() - 2.0, 2f64.ln()),
        ];
        for (f, exact) in functions {
            let mut count = 0;
            let counted = |x| {
                count += 1;
                f(x)
            };
            let x = zero((0.0, f(0.0)), (1.0, f(1.0)), 1e-10, counted);
            assert!((x - exact).abs() <= 1e-10, "{x} {exact}");
            assert!(f(x) >= 0.0 && count < 110, "{count}");
        }
    }

    #[test]
    fn every_crossing_of_an_oscillation_is_found_once() {
        let mut problem =
            testing::TestOde { dim: 2, f: |_, y: &[f64], f: &mut [f64]| (f[0], f[1]) = (y[1], -y[0]) };
        let norm = Norm::uniform(2, Tolerance::both(1e-11));
        for (crossing, first, period) in
            [(Crossing::Any, 0.5, 1.0), (Crossing::Rising, 1.5, 2.0), (Crossing::Falling, 0.5, 2.0)]
        {
            let mut s = Dop853::new(norm.clone(), None, 0.0, &[1.0, 0.0], 40.0);
            let mut finder = EventFinder::new(2, crossing, 1e-13);
            let mut times = Vec::new();
            integrate(&mut s, &mut problem, 1000, |s, step| {
                if let Some(event) = finder.find(s, step.t_old, |_, y| y[0]) {
                    assert!(finder.state()[0].abs() < 1e-9);
                    assert_eq!(event.rising, finder.state()[1] > 0.0);
                    times.push(event.t / std::f64::consts::PI);
                }
                ControlFlow::Continue(())
            })
            .unwrap();
            assert_eq!(times.len(), ((40.0 / std::f64::consts::PI - first) / period) as usize + 1);
            for (i, t) in times.iter().enumerate() {
                assert!((t - first - i as f64 * period).abs() < 1e-8, "{crossing:?} {i}: {t}");
            }
        }
    }
}
