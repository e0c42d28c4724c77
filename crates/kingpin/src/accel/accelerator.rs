//! One solver for one system, by name.

use super::coupled::Coupled;
use super::least_norm::LeastNorm;
use super::method::Solver;
use super::pcg::Pcg;
use super::problem::{Gathered, Numbers, Problem};
use crate::linalg::ZeroPivot;
use crate::system::{RowName, System, Work};
use crate::topology::Plan;
use std::fmt;

/// Why a solver has no solution.
#[derive(Clone, Debug, PartialEq)]
pub enum NoSolution {
    /// A pivot vanishes: equations are dependent.
    Pivot(ZeroPivot),
    /// A number of the matrix, of the right side or of the solution is not finite.
    NotFinite,
    /// It gave up for a reason of its own, in words.
    GaveUp(String),
}

impl From<ZeroPivot> for NoSolution {
    fn from(pivot: ZeroPivot) -> Self {
        NoSolution::Pivot(pivot)
    }
}

/// What a solver must do: accelerations and multipliers of the kept rows.
pub trait Solve: Send {
    /// Solves the problem. No allocation after the first call.
    fn solve(
        &mut self,
        problem: &Problem,
        numbers: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), NoSolution>;

    /// Accelerations alone; `lam` is room for multipliers and need not be filled. No allocation after the first
    /// call.
    fn accelerate(
        &mut self,
        problem: &Problem,
        numbers: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), NoSolution> {
        self.solve(problem, numbers, acc, lam)
    }

    /// Whether it has gone over to a safer way for good, which is all that a direct solver remembers from call to call.
    fn is_safe(&self) -> bool {
        false
    }

    /// Goes over to the safer way, if it has one.
    fn make_safe(&mut self) {}

    /// The iteration, if it is one.
    fn iterative(&self) -> Option<&Pcg> {
        None
    }

    /// The same to change.
    fn iterative_mut(&mut self) -> Option<&mut Pcg> {
        None
    }

    /// The groups whose Jacobian and gamma [`accelerate`](Self::accelerate) looks at; `None` for all.
    fn needs(&self) -> Option<&[usize]> {
        None
    }
}

/// Accelerations and multipliers of one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accelerations {
    /// v' of all bodies.
    pub acc: Vec<f64>,
    /// Multipliers of all joint and driver equations.
    pub lam: Vec<f64>,
}

/// Why accelerations could not be computed.
#[derive(Clone, Debug, PartialEq)]
pub enum AccelFailure {
    /// The equations are dependent in this configuration.
    Singular {
        /// The equation at which it shows.
        row: Option<RowName>,
        /// What is left of its diagonal, relative.
        remainder: f64,
    },
    /// A force or constraint is not a finite number.
    NotFinite,
    /// The solver gave up for a reason of its own, such as a matrix that is too large for it.
    GaveUp {
        /// The reason, in words.
        why: String,
    },
}

impl fmt::Display for AccelFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccelFailure::Singular { row: Some(row), remainder } => {
                write!(f, "singular configuration at {row} (pivot {remainder:.1e} of its diagonal)")
            }
            AccelFailure::Singular { row: None, remainder } => {
                write!(f, "singular configuration (pivot {remainder:.1e} of its diagonal)")
            }
            AccelFailure::NotFinite => write!(f, "a force or constraint is not a finite number"),
            AccelFailure::GaveUp { why } => write!(f, "the solver failed: {why}"),
        }
    }
}

impl std::error::Error for AccelFailure {}

/// A solver with its structure, ready for any number of instants.
pub struct Accelerator {
    /// The method, never [`Solver::Auto`].
    pub method: Solver,
    /// The problem of bodies and joints.
    pub problem: Problem,
    /// The problem it solves, if mass couples bodies.
    coupled: Option<Coupled>,
    solver: Box<dyn Solve>,
    gathered: Gathered,
    lam: Vec<f64>,
    least_norm: Option<LeastNorm>,
}

impl Accelerator {
    /// Symbolic phase for a system, leaving out the rows marked `redundant` (as the assembly found them).
    pub fn new(system: &System, redundant: &[bool], method: Solver) -> Accelerator {
        Self::of(system, &Problem::new(system, redundant), method)
    }

    /// The same for a problem whose structure may have been looked at before: what was found is used again.
    pub fn of(system: &System, problem: &Problem, method: Solver) -> Accelerator {
        let problem = problem.clone();
        let coupled = Coupled::new(&problem);
        let own = coupled.as_ref().map_or(&problem, |coupled| &coupled.problem);
        let method = method.resolved(own);
        let (solver, lam) = (method.build(system, own), vec![0.0; own.rows]);
        let least_norm = problem.kept.is_some().then(|| LeastNorm::new(&problem));
        Accelerator { method, problem, coupled, solver, gathered: Gathered::default(), lam, least_norm }
    }

    /// The order in which equations are eliminated, by the method or by those who need an elimination beside it.
    pub fn plan(&self) -> &Plan {
        self.problem.plan(self.method == Solver::Elimination)
    }

    /// An accelerator with a solver of one's own, for experiments with orders.
    pub fn with_solver(
        system: &System,
        redundant: &[bool],
        build: impl FnOnce(&Problem) -> Box<dyn Solve>,
    ) -> Accelerator {
        let problem = Problem::new(system, redundant);
        let coupled = Coupled::new(&problem);
        let own = coupled.as_ref().map_or(&problem, |coupled| &coupled.problem);
        let (solver, lam) = (build(own), vec![0.0; own.rows]);
        let least_norm = problem.kept.is_some().then(|| LeastNorm::new(&problem));
        let (method, gathered) = (Solver::Elimination, Gathered::default());
        Accelerator { method, problem, coupled, solver, gathered, lam, least_norm }
    }

    /// Whether the solver has gone over to a safer way for good.
    pub fn is_safe(&self) -> bool {
        self.solver.is_safe()
    }

    /// Makes the solver go over to its safer way.
    pub fn make_safe(&mut self) {
        self.solver.make_safe();
    }

    /// The iteration, if the solver is one.
    pub fn iterative(&self) -> Option<&Pcg> {
        self.solver.iterative()
    }

    /// The same to change.
    pub fn iterative_mut(&mut self) -> Option<&mut Pcg> {
        self.solver.iterative_mut()
    }

    /// Tells an iteration that the solutions to come are those of a step, and what errors of accelerations and angular
    /// accelerations of bodies that step allows, if it can tell. No allocation.
    pub fn begin_step(&mut self, allowed: Option<impl Fn(usize) -> [f64; 2]>) {
        let Some(iterative) = self.solver.iterative_mut() else { return };
        let problem = self.coupled.as_ref().map_or(&self.problem, |coupled| &coupled.problem);
        // where mass is folded, unknowns are scaled by its root
        let scale =
            |body: usize| (self.problem.inertia[body].mass * problem.inertia[body].inverse_mass).sqrt();
        let scaled = allowed.map(|allowed| {
            move |body: usize| {
                let [place, turn] = allowed(body);
                [place * scale(body), turn]
            }
        });
        iterative.begin_step(problem, scaled);
    }

    /// Solves S x = b over the kept equations by the iteration, for the evaluated constraints of `work`; iterations
    /// that it took. `tolerance` is the error of M^-1 Phi_v^T x over its size, in the metric of the mass. Mass must not
    /// couple bodies. No allocation.
    pub fn solve_reduced(&mut self, work: &Work, tolerance: f64, b: &mut [f64]) -> Result<usize, NoSolution> {
        let gave_up = || NoSolution::GaveUp("the solver is not iterative".into());
        let iterative = self.solver.iterative_mut().filter(|_| self.coupled.is_none()).ok_or_else(gave_up)?;
        let numbers = self.problem.gather(work, &mut self.gathered);
        iterative.solve_reduced(&self.problem, &numbers, tolerance, b)
    }

    /// Room for the result.
    pub fn result(&self) -> Accelerations {
        Accelerations {
            acc: vec![0.0; self.problem.nodes.velocities()],
            lam: vec![0.0; self.problem.all_rows],
        }
    }

    /// Multipliers of the kept equations as solved last; those left out have none.
    pub fn kept_multipliers(&self) -> &[f64] {
        &self.lam[..self.problem.rows]
    }

    /// Sets them as they were.
    pub fn set_kept_multipliers(&mut self, lam: &[f64]) {
        self.lam.iter_mut().zip(lam).for_each(|(to, x)| *to = *x);
    }

    /// Solves for the evaluated constraints and forces of `work`. No allocation after the first call.
    pub fn solve(
        &mut self,
        system: &System,
        work: &Work,
        out: &mut Accelerations,
    ) -> Result<(), AccelFailure> {
        let numbers = self.problem.gather(work, &mut self.gathered);
        let (problem, numbers) = match &mut self.coupled {
            None => (&self.problem, numbers),
            Some(coupled) => coupled.gather(system, work, numbers),
        };
        self.solver
            .solve(problem, &numbers, &mut out.acc, &mut self.lam)
            .map_err(|pivot| failure(system, &self.problem, &pivot))?;
        self.coupled.iter().for_each(|coupled| coupled.finish(&mut out.acc));
        self.problem.scatter(&self.lam[..self.problem.rows], &mut out.lam);
        if let Some(least_norm) = &mut self.least_norm {
            let done = least_norm.apply(system, &self.problem, work, &mut out.lam);
            done.map_err(|pivot| failure(system, &self.problem, &pivot.into()))?;
        }
        // a force on a body that cannot move shows in the multipliers alone
        let finite = all_finite(&out.acc) && all_finite(&out.lam);
        if finite { Ok(()) } else { Err(AccelFailure::NotFinite) }
    }

    /// Evaluates constraints and forces at the instant of `work` and solves.
    pub fn evaluate(
        &mut self,
        system: &System,
        work: &mut Work,
        out: &mut Accelerations,
    ) -> Result<(), AccelFailure> {
        system.evaluate_constraints(work);
        system.evaluate_forces(work);
        self.solve(system, work, out)
    }

    /// Evaluates what accelerations depend on at the instant of `work` and solves for them. Constraints that do
    /// not matter are not evaluated, and multipliers may be missing: what `work` holds of them is not to be
    /// relied on. No allocation after the first call.
    pub fn accelerate(
        &mut self,
        system: &System,
        work: &mut Work,
        acc: &mut [f64],
    ) -> Result<(), AccelFailure> {
        match self.solver.needs() {
            Some(groups) => system.evaluate_constraints_of(work, groups),
            None => system.evaluate_constraints(work),
        }
        system.evaluate_forces(work);
        let numbers = self.problem.gather(work, &mut self.gathered);
        let (problem, numbers) = match &mut self.coupled {
            None => (&self.problem, numbers),
            Some(coupled) => coupled.gather(system, work, numbers),
        };
        self.solver
            .accelerate(problem, &numbers, acc, &mut self.lam)
            .map_err(|pivot| failure(system, &self.problem, &pivot))?;
        self.coupled.iter().for_each(|coupled| coupled.finish(acc));
        if all_finite(acc) { Ok(()) } else { Err(AccelFailure::NotFinite) }
    }
}

/// Whether all numbers are finite: a sum of zeros is zero, but zero times infinity or NaN is NaN.
fn all_finite(x: &[f64]) -> bool {
    // four sums, so that additions need not wait for each other
    let (quads, rest) = x.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for quad in quads {
        for k in 0..4 {
            sums[k] += 0.0 * quad[k];
        }
    }
    rest.iter().chain(&sums).map(|x| 0.0 * x).sum::<f64>() == 0.0
}

fn failure(system: &System, problem: &Problem, none: &NoSolution) -> AccelFailure {
    let pivot = match none {
        NoSolution::Pivot(pivot) => pivot,
        NoSolution::NotFinite => return AccelFailure::NotFinite,
        NoSolution::GaveUp(why) => return AccelFailure::GaveUp { why: why.clone() },
    };
    if !pivot.pivot.is_finite() || !pivot.scale.is_finite() {
        return AccelFailure::NotFinite;
    }
    // blocks beyond the joints are fixed joints of virtual bodies, or bodies themselves
    let row =
        problem.groups.get(pivot.block).map(|g| system.row_name(problem.system_row(g.start + pivot.row)));
    AccelFailure::Singular { row, remainder: (pivot.pivot / pivot.scale).abs() }
}
