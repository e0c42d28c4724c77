//! Mechanisms with any of what may hold, each made where it is needed.

use crate::accel::{Problem, Solver};
use crate::dynamics::instant::Dynamics;
use crate::system::System;

/// The equations while nothing holds, and the problems of all that held together so far.
pub(in crate::dynamics) struct Bench<'a> {
    /// The equations while nothing holds.
    pub base: &'a System,
    problems: Vec<(Vec<usize>, Problem)>,
    solver: Solver,
    /// Acceleration problems solved so far, besides those of the mechanisms in use.
    pub solves: usize,
}

impl<'a> Bench<'a> {
    /// From the equations while nothing holds.
    pub fn new(base: &'a System, problem: Problem, solver: Solver) -> Self {
        Bench { base, problems: vec![(Vec::new(), problem)], solver, solves: 0 }
    }

    /// A mechanism in which these hold.
    pub fn dynamics(&mut self, active: &[usize]) -> Dynamics<'a> {
        let system = self.base.holding(active);
        let known = self.problems.iter().position(|(held, _)| held == active);
        let place = known.unwrap_or_else(|| {
            let mut redundant = self.problems[0].1.redundant();
            redundant.resize(system.layout.rows, false);
            self.problems.push((active.to_vec(), Problem::new(system, &redundant)));
            self.problems.len() - 1
        });
        Dynamics::of(system, &self.problems[place].1, self.solver)
    }
}
