//! The ways to solve the acceleration problem: each is a file that holds its solver, and names, help, explanation and
//! size of it. To add one, write its file and its two lines: the module, and one below.

use super::accelerator::Solve;
use super::elimination;
use super::problem::Problem;
use crate::system::System;
use crate::topology::{Metrics, Permutation};

/// A solver as everybody else sees it.
pub(super) struct SolverEntry {
    /// The name users give.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// Whether memory and time grow with the square of the equations or worse.
    pub dense: bool,
    /// About how many numbers its matrix holds, factor included.
    pub storage: fn(&Problem) -> u64,
    /// Symbolic phase.
    pub build: fn(&System, &Problem) -> Box<dyn Solve>,
    /// What `kingpin explain` says: its name with other words for it, lines, an example, what to see also.
    pub explained: &'static str,
}

/// Declares the enum over the solvers and its lists.
macro_rules! solver_list {
    ($( $Variant:ident = $module:ident::$ENTRY:ident ),* $(,)?) => {
        /// The ways to solve the acceleration problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Solver {
            $( #[doc = concat!("`", stringify!($module), "`, ", stringify!($ENTRY))] $Variant, )*
            /// Whichever of the others is predicted to be fastest.
            Auto,
        }

        const ENTRIES: &[SolverEntry] = &[$( super::$module::$ENTRY ),*];

        impl Solver {
            /// All ways there are; [`Solver::Auto`] is one of them.
            pub const ALL: [Solver; ENTRIES.len()] = [$( Solver::$Variant ),*];
            /// The names of all that a user can ask for, the default first.
            pub const NAMES: &'static [&'static str] = &[AUTO, $( super::$module::$ENTRY.name ),*];
        }
    };
}

const AUTO: &str = "auto";

solver_list! {
    Elimination = elimination::SPLIT,
    EliminationUnsplit = elimination::WHOLE,
    ReducedEnvelope = reduced::ENVELOPE,
    ReducedBand = reduced::BAND,
    ReducedDense = reduced::DENSE,
    AugmentedLdlt = augmented_sparse::LDLT,
    AugmentedSparse = augmented_sparse::LU,
    AugmentedDense = augmented::DENSE,
    Pcg = pcg::EARLIER,
    PcgJacobi = pcg::JACOBI,
    PcgIncomplete = pcg::INCOMPLETE,
    Recursive = recursive::ARTICULATED,
    RecursiveSparse = recursive::SPARSE,
    RecursiveDense = recursive::DENSE,
}

impl Solver {
    fn entry(self) -> Option<&'static SolverEntry> {
        ENTRIES.get(self as usize)
    }

    /// The name users give.
    pub fn name(self) -> &'static str {
        self.entry().map_or(AUTO, |entry| entry.name)
    }

    /// One line on what it does.
    pub fn about(self) -> &'static str {
        self.entry().map_or("the solver with the lowest predicted time (default)", |entry| entry.about)
    }

    /// What `kingpin explain` says; [`Solver::Auto`] is explained with the methods of integration.
    #[doc(hidden)]
    pub fn explained(self) -> &'static str {
        self.entry().map_or("", |entry| entry.explained)
    }

    /// The method of that name.
    pub fn named(name: &str) -> Option<Solver> {
        Solver::choices().find(|m| m.name() == name)
    }

    /// Everything a user can ask for, the default first.
    pub fn choices() -> impl Iterator<Item = Solver> {
        std::iter::once(Solver::Auto).chain(Solver::ALL)
    }

    /// The method itself, or the one chosen for a problem.
    pub fn resolved(self, problem: &Problem) -> Solver {
        if self == Solver::Auto { problem.choice().method } else { self }
    }

    /// Whether memory and time grow with the square of the equations or worse.
    pub fn is_dense(self) -> bool {
        self.entry().is_some_and(|entry| entry.dense)
    }

    /// Symbolic phase.
    pub(super) fn build(self, system: &System, problem: &Problem) -> Box<dyn Solve> {
        let entry = self.resolved(problem).entry().unwrap_or(&elimination::SPLIT);
        (entry.build)(system, problem)
    }

    /// About how many numbers the matrix of this method holds, factor included; a few passes over the joint
    /// graph. Methods that store what is not zero, with bodies split as needed, grow with the mechanism.
    pub fn storage(self, problem: &Problem) -> u64 {
        let entry = self.resolved(problem).entry().unwrap_or(&elimination::SPLIT);
        (entry.storage)(problem)
    }
}

/// Numbers of what stores only what is not zero, with bodies split as needed.
pub(super) fn sparse(problem: &Problem) -> u64 {
    let velocities = problem.nodes.velocities() as u64;
    2 * problem.numbers as u64 + velocities * problem.nodes.widest() as u64
}

/// What an order costs.
pub(super) fn measure(problem: &Problem, order: &Permutation) -> Metrics {
    Metrics::new(&problem.graph(), order)
}

/// Joints, one at least.
pub(super) fn joints(problem: &Problem) -> u64 {
    problem.groups.len().max(1) as u64
}

/// Numbers of a block of mean size.
pub(super) fn block(problem: &Problem) -> u64 {
    (problem.rows as u64).div_ceil(joints(problem)).pow(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::joint::Revolute;
    use crate::model::{Body, Ends, Model, Space};
    use crate::system::System;

    /// Arms on a hub, or each on the one before.
    fn problem(arms: usize, star: bool) -> Problem {
        let mut model = Model::new("arms", Space::Planar);
        model.body(Body::planar("b0", 1.0, 1.0));
        for k in 1..=arms {
            let name = format!("b{k}");
            model.body(Body::planar(&name, 1.0, 1.0));
            let before = if star { "b0".into() } else { format!("b{}", k - 1) };
            model.joint(&format!("pin{k}"), Ends::at(&before, &name, [0.5; 3]), Revolute {});
        }
        Problem::new(&System::compile(&model).expect("valid").0, &[])
    }

    #[test]
    fn only_wasteful_methods_grow_with_the_square() {
        let growth = |method: Solver, star: bool| {
            let [small, large] = [100, 1000].map(|n| method.storage(&problem(n, star)) as f64);
            large / small
        };
        for method in Solver::ALL {
            let (chain, star) = (growth(method, false), growth(method, true));
            let unsplit = [Solver::EliminationUnsplit, Solver::ReducedEnvelope, Solver::ReducedBand];
            let along_chains = [Solver::RecursiveSparse];
            assert_eq!(
                chain > 50.0,
                method.is_dense() || along_chains.contains(&method),
                "{}: {chain}",
                method.name()
            );
            assert_eq!(
                star > 50.0,
                method.is_dense() || unsplit.contains(&method),
                "{}: {star}",
                method.name()
            );
        }
    }
}
