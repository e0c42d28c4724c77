//! What functions look at, over a step: values and rates at its ends, and the cubics between them.

use crate::element::basic::Basic;
use crate::element::law::MAX_VARIABLES;
use crate::expr::{Interval, RootSearch, first_below};
use crate::scalar::{Dual, Scalar};
use crate::system::{System, Work};

/// The inputs of several functions over one step.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct InputPaths {
    /// The functions: number (of a switch or a term), and where its inputs begin.
    of: Vec<(usize, usize)>,
    inputs: Vec<Basic>,
    /// Value and rate of each input at both ends.
    start: Vec<[f64; 2]>,
    end: Vec<[f64; 2]>,
    t: f64,
    h: f64,
}

/// Places looked at in a step.
const PLACES: usize = 12;
/// Points of a table looked at in a step.
const MOST: usize = 1000;
/// Excursions shorter than this part of a step are not told apart, and so many ranges are looked at.
const CARE: (f64, usize) = (1e-9, 200);

impl InputPaths {
    /// The inputs of functions.
    pub fn new<'a>(functions: impl Iterator<Item = (usize, &'a [Basic])>) -> InputPaths {
        let mut paths = InputPaths::default();
        for (k, inputs) in functions {
            paths.of.push((k, paths.inputs.len()));
            paths.inputs.extend_from_slice(inputs);
        }
        paths.start = vec![[0.0; 2]; paths.inputs.len()];
        paths.end = paths.start.clone();
        paths
    }

    /// The inputs of switches that depend on the state.
    pub fn of_switches(system: &System) -> InputPaths {
        let watched = system.switches.iter().enumerate().filter(|(_, switch)| !switch.is_timed());
        InputPaths::new(watched.map(|(k, switch)| (k, &switch.inputs[..])))
    }

    /// Notes the start of a step.
    pub fn start(&mut self, system: &System, work: &Work) {
        look(&self.inputs, &mut self.start, system, work);
    }

    /// Notes the end of a step.
    pub fn end(&mut self, system: &System, work: &Work, t_old: f64, h: f64) {
        look(&self.inputs, &mut self.end, system, work);
        (self.t, self.h) = (t_old, h);
    }

    /// Number of inputs of a function.
    fn inputs_of(&self, i: usize) -> std::ops::Range<usize> {
        let end = self.of.get(i + 1).map_or(self.inputs.len(), |next| next.1);
        self.of[i].1..end
    }

    /// The variables of function `i` at a place in the step: time, then value and rate of each input. Returns how
    /// many.
    pub fn fill<T: Scalar>(&self, i: usize, theta: T, vars: &mut [T]) -> usize {
        vars[0] = T::from_f64(self.t) + theta.scale(self.h);
        let range = self.inputs_of(i);
        for (slot, k) in range.clone().enumerate() {
            let [value, rate] = hermite(theta, self.h, self.start[k], self.end[k]);
            (vars[1 + 2 * slot], vars[2 + 2 * slot]) = (value, rate);
        }
        1 + 2 * range.len()
    }

    /// The places in the step where the first input of function `i` is at one of the points given, ascending.
    pub fn places(&self, i: usize, points: &[f64], out: &mut Vec<f64>) {
        out.clear();
        let k = self.inputs_of(i).start;
        if points.is_empty() || k >= self.inputs.len() {
            return;
        }
        let ([a, _], [b, _]) = (self.start[k], self.end[k]);
        let from = points.partition_point(|&x| x <= a.min(b));
        let to = points.partition_point(|&x| x < a.max(b));
        for &point in points.get(from..to).unwrap_or_default().iter().take(MOST) {
            out.push(self.reaches(k, point));
        }
        if b < a {
            out.reverse();
        }
    }

    /// Where an input reaches a value between those at the ends.
    fn reaches(&self, k: usize, x: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        let rises = self.end[k][0] > self.start[k][0];
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            let [now, _] = hermite(middle, self.h, self.start[k], self.end[k]);
            if (now < x) == rises {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }

    /// The number of function `i` among the switches or terms.
    pub fn number(&self, i: usize) -> usize {
        self.of[i].0
    }

    /// How many functions there are.
    pub fn functions(&self) -> usize {
        self.of.len()
    }

    /// The first place behind `from` where a switch seems to be beyond its edge, going by the paths: the middle of the
    /// time that it is there.
    pub fn doubtful(&self, system: &System, work: &Work, from: f64) -> Option<f64> {
        let mut first: Option<f64> = None;
        for i in 0..self.of.len() {
            for bound in 0..2 {
                let f = |theta: Dual<Interval>| self.bound(system, work, i, bound, theta);
                let until = first.unwrap_or(1.0);
                let RootSearch::Below(enters) = first_below(f, from, until, CARE) else { continue };
                let back = |theta: Dual<Interval>| -self.bound(system, work, i, bound, theta);
                let leaves = match first_below(back, enters, 1.0, CARE) {
                    RootSearch::Below(leaves) => leaves,
                    _ => 1.0,
                };
                let middle = 0.5 * (enters + leaves);
                if middle < until && middle > from {
                    first = Some(middle);
                }
            }
            first = self.sampled(system, work, i, from, first);
        }
        first
    }

    /// A function that is positive as long as a switch stays on its piece.
    fn bound(
        &self,
        system: &System,
        work: &Work,
        i: usize,
        bound: usize,
        theta: Dual<Interval>,
    ) -> Dual<Interval> {
        let mut vars = [Dual::zero(); MAX_VARIABLES];
        self.fill(i, theta, &mut vars);
        let bounds = system.switch_bounds(self.of[i].0, &mut vars, work);
        bounds[bound].unwrap_or(Dual::one())
    }

    /// The same by looking at a few places.
    fn sampled(
        &self,
        system: &System,
        work: &Work,
        i: usize,
        from: f64,
        mut first: Option<f64>,
    ) -> Option<f64> {
        let mut vars = [0.0; MAX_VARIABLES];
        for place in 1..PLACES {
            let theta = place as f64 / PLACES as f64;
            if first.is_some_and(|found| theta >= found) {
                break;
            }
            if theta <= from {
                continue;
            }
            self.fill(i, theta, &mut vars);
            if system.switch_margin_at(self.of[i].0, &mut vars, work) < 0.0 {
                first = Some(theta);
            }
        }
        first
    }
}

fn look(inputs: &[Basic], out: &mut [[f64; 2]], system: &System, work: &Work) {
    for (basic, out) in inputs.iter().zip(out) {
        let (value, rate) = system.basic_value_and_rate(basic, work);
        *out = [value, rate];
    }
}

/// The cubic through values and rates at both ends of a step, and its rate.
fn hermite<T: Scalar>(theta: T, h: f64, [x0, v0]: [f64; 2], [x1, v1]: [f64; 2]) -> [T; 2] {
    let (d, m0, m1) = (x1 - x0, h * v0, h * v1);
    let (c2, c3) = (3.0 * d - 2.0 * m0 - m1, m0 + m1 - 2.0 * d);
    let n = T::from_f64;
    let value = n(x0) + theta * (n(m0) + theta * (n(c2) + theta.scale(c3)));
    // the rate divides by the step, which may be nothing
    let turn = if h == 0.0 { 0.0 } else { 1.0 / h };
    let rate = (n(m0) + theta * (n(2.0 * c2) + theta.scale(3.0 * c3))).scale(turn);
    [value, rate]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_reproduced() {
        let x = |t: f64| [t * t * t - 2.0 * t + 1.0, 3.0 * t * t - 2.0];
        let (a, h) = (0.3, 0.7);
        for k in 0..=10 {
            let theta = f64::from(k) / 10.0;
            let [value, rate] = hermite(theta, h, x(a), x(a + h));
            let exact = x(a + theta * h);
            assert!((value - exact[0]).abs() < 1e-14 && (rate - exact[1]).abs() < 1e-13);
        }
    }
}
