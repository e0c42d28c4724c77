//! When the factor of an earlier state is too old: between two steps, by counted work.

/// Iterations of a run: of the solutions that its steps asked for, whatever was looked at in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    /// Systems solved.
    pub solves: usize,
    /// Iterations of all.
    pub iterations: usize,
    /// Most iterations of one.
    pub most: usize,
    /// Renewals of the factor that preconditions them.
    pub renewals: usize,
    /// Systems that had to be solved by a factor of their own, because the iteration did not converge.
    pub rescues: usize,
}

impl Iterations {
    /// Iterations per system.
    pub fn mean(&self) -> f64 {
        if self.solves == 0 { 0.0 } else { self.iterations as f64 / self.solves as f64 }
    }
}

/// The economy of a factor: what it costs, and what has been spent on iterations since it was made.
#[derive(Clone, Debug, Default)]
pub(super) struct Economy {
    /// Multiply-adds of one iteration.
    pub iteration: f64,
    /// Multiply-adds of assembling and factoring.
    pub factor: f64,
    /// Systems solved and iterations since the factor was made.
    pub since: [usize; 2],
    /// The same of the step under way or last taken, and whether one of them had to be rescued.
    pub step: [usize; 3],
    /// Whether a step is under way.
    pub stepping: bool,
    /// Counts of the run.
    pub counts: Iterations,
}

/// Mean iterations of a step from which on a factor is renewed at any price: the preconditioner no longer is one.
const MANY: f64 = 4.0;

impl Economy {
    /// The solutions to come are those of a step.
    pub fn begin_step(&mut self) {
        (self.step, self.stepping) = ([0; 3], true);
    }

    /// Notes a solution, if a step asked for it.
    pub fn note(&mut self, iterations: usize, rescued: bool) {
        if !self.stepping {
            return;
        }
        for sums in [&mut self.step[..2], &mut self.since] {
            sums[0] += 1;
            sums[1] += iterations;
        }
        self.step[2] += usize::from(rescued);
        let counts = &mut self.counts;
        counts.solves += 1;
        counts.iterations += iterations;
        counts.most = counts.most.max(iterations);
        counts.rescues += usize::from(rescued);
    }

    /// Whether the factor has served its time: a solution of the last step costs more than solutions have cost on the
    /// average since it was made, its making included. That is where the average is least if costs only grow.
    pub fn is_spent(&self) -> bool {
        let [solves, iterations, rescued] = self.step;
        if solves == 0 {
            return false;
        }
        let mean = iterations as f64 / solves as f64;
        let [all, spent] = self.since.map(|n| n as f64);
        rescued > 0 || mean > MANY || mean * self.iteration * all > self.factor + spent * self.iteration
    }

    /// A new factor was made.
    pub fn renewed(&mut self) {
        (self.since, self.step) = ([0; 2], [0; 3]);
        self.counts.renewals += 1;
    }

    /// All that later decisions depend on, and the counts of the run.
    pub fn numbers(&self) -> [usize; 10] {
        let ([a, b], [c, d, e]) = (self.since, self.step);
        let Iterations { solves, iterations, most, renewals, rescues } = self.counts;
        [a, b, c, d, e, solves, iterations, most, renewals, rescues]
    }

    /// Sets them as they were.
    pub fn set_numbers(&mut self, numbers: [usize; 10]) {
        let [a, b, c, d, e, solves, iterations, most, renewals, rescues] = numbers;
        (self.since, self.step) = ([a, b], [c, d, e]);
        self.counts = Iterations { solves, iterations, most, renewals, rescues };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(economy: &mut Economy, solves: usize, iterations: usize) -> bool {
        economy.begin_step();
        (0..solves).for_each(|_| economy.note(iterations, false));
        economy.stepping = false;
        economy.is_spent()
    }

    #[test]
    fn a_factor_is_renewed_where_the_average_cost_is_least() {
        let mut economy = Economy { iteration: 1.0, factor: 30.0, ..Economy::default() };
        // costs 10, 20, 30, 40 of steps of ten: averages of a solution with the factor 4, 3, 3, 3.25
        let decisions = [1, 2, 3, 4].map(|iterations| step(&mut economy, 10, iterations));
        assert_eq!(decisions, [false, false, false, true]);
        economy.renewed();
        assert!(!step(&mut economy, 10, 4) && economy.counts.renewals == 1);
    }

    #[test]
    fn what_is_looked_at_in_between_does_not_count() {
        let mut economy = Economy { iteration: 1.0, factor: 10.0, ..Economy::default() };
        step(&mut economy, 3, 2);
        let before = economy.numbers();
        economy.note(1000, true);
        assert_eq!(economy.numbers(), before);
        assert_eq!((economy.counts.mean(), economy.counts.most), (2.0, 2));
    }

    #[test]
    fn a_rescue_or_many_iterations_renew_at_once() {
        let mut economy = Economy { iteration: 1.0, factor: 1e9, ..Economy::default() };
        assert!(!step(&mut economy, 5, 4) && step(&mut economy, 5, 5));
        economy.begin_step();
        economy.note(1, true);
        assert!(economy.is_spent());
    }

    #[test]
    fn numbers_come_back() {
        let mut economy = Economy { iteration: 1.0, factor: 10.0, ..Economy::default() };
        step(&mut economy, 3, 2);
        let mut other = Economy::default();
        other.set_numbers(economy.numbers());
        assert_eq!(other.numbers(), economy.numbers());
    }
}
