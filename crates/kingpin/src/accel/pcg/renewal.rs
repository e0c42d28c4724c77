//! When the factor of an earlier state is too old: by counted work of the solutions that steps ask for.

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
    /// Whether the factor has served its time.
    pub spent: bool,
    /// Whether a step is under way.
    pub stepping: bool,
    /// Counts of the run.
    pub counts: Iterations,
}

/// Iterations of a solution from which on a factor is renewed at any price: the preconditioner no longer is one.
const MANY: usize = 6;

impl Economy {
    /// Notes a solution, if a step asked for it. The factor has served its time if the solution cost more than solutions
    /// have cost on the average since it was made, its making included: that is where the average is least if costs
    /// only grow.
    pub fn note(&mut self, iterations: usize, rescued: bool) {
        if !self.stepping {
            return;
        }
        self.since[0] += 1;
        self.since[1] += iterations;
        let [all, spent] = self.since.map(|n| n as f64);
        let (own, average) =
            (iterations as f64 * self.iteration, (self.factor + spent * self.iteration) / all);
        self.spent = rescued || iterations > MANY || own > average;
        let counts = &mut self.counts;
        counts.solves += 1;
        counts.iterations += iterations;
        counts.most = counts.most.max(iterations);
        counts.rescues += usize::from(rescued);
    }

    /// A new factor was made.
    pub fn renewed(&mut self) {
        (self.since, self.spent) = ([0; 2], false);
        self.counts.renewals += 1;
    }

    /// All that later decisions depend on, and the counts of the run.
    pub fn numbers(&self) -> [usize; 8] {
        let [a, b] = self.since;
        let Iterations { solves, iterations, most, renewals, rescues } = self.counts;
        [a, b, usize::from(self.spent), solves, iterations, most, renewals, rescues]
    }

    /// Sets them as they were.
    pub fn set_numbers(&mut self, numbers: [usize; 8]) {
        let [a, b, spent, solves, iterations, most, renewals, rescues] = numbers;
        (self.since, self.spent) = ([a, b], spent != 0);
        self.counts = Iterations { solves, iterations, most, renewals, rescues };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_work(factor: f64) -> Economy {
        Economy { iteration: 1.0, factor, stepping: true, ..Economy::default() }
    }

    #[test]
    fn a_factor_is_renewed_where_the_average_cost_is_least() {
        let mut economy = at_work(3.0);
        // averages of a solution with the factor 4, 3, 3, 3.25
        let decisions = [1, 2, 3, 4].map(|iterations| {
            economy.note(iterations, false);
            economy.spent
        });
        assert_eq!(decisions, [false, false, false, true]);
        economy.renewed();
        assert!(!economy.spent && economy.counts.renewals == 1);
        economy.note(4, false);
        assert!(!economy.spent);
    }

    #[test]
    fn what_is_looked_at_in_between_does_not_count() {
        let mut economy = at_work(10.0);
        (0..3).for_each(|_| economy.note(2, false));
        let before = economy.numbers();
        economy.stepping = false;
        economy.note(1000, true);
        assert_eq!(economy.numbers(), before);
        assert_eq!((economy.counts.mean(), economy.counts.most), (2.0, 2));
    }

    #[test]
    fn a_rescue_or_many_iterations_renew_at_once() {
        let mut economy = at_work(1e9);
        economy.note(MANY, false);
        assert!(!economy.spent);
        economy.note(MANY + 1, false);
        assert!(economy.spent);
        economy.renewed();
        economy.note(1, true);
        assert!(economy.spent);
    }

    #[test]
    fn numbers_come_back() {
        let mut economy = at_work(1.0);
        [1, 2, 7].into_iter().for_each(|iterations| economy.note(iterations, false));
        assert!(economy.spent);
        let mut other = Economy::default();
        other.set_numbers(economy.numbers());
        assert_eq!(other.numbers(), economy.numbers());
    }
}
