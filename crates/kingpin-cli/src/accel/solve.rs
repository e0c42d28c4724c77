//! Asks one solver, or all of them, and compares.

use crate::ready::Ready;
use crate::words::count;
use kingpin::accel::{AccelFailure, Accelerations, Accelerator, Pcg, Reaction, Solver};
use kingpin::model::{Finding, Subject};
use kingpin::system::Work;

/// Numbers in a matrix up to which a solver takes part in a comparison of all: 3,000 dense equations.
const MOST_OF_ALL: u64 = 10_000_000;
/// Numbers in a matrix up to which a solver is tried if it is asked for: two gigabytes.
const MOST_OF_ONE: u64 = 250_000_000;

/// What is reported.
pub struct Solution<'a> {
    /// The mechanism.
    pub ready: &'a Ready,
    /// Constraints and forces at the assembled state.
    pub work: Work,
    /// The solver whose result is shown.
    pub method: Solver,
    /// Iterations that it took, if it is an iterative one.
    pub iterations: Option<usize>,
    /// Accelerations and multipliers.
    pub result: Accelerations,
    /// Reactions of joints and drivers.
    pub reactions: Vec<Reaction>,
    /// How the solvers compare, if all were asked.
    pub comparison: Option<Comparison>,
}

/// All solvers side by side.
pub struct Comparison {
    /// Every solver, in the order of the list.
    pub entries: Vec<Entry>,
    /// The greatest relative disagreement between any two.
    pub greatest: Disagreement,
}

/// One solver among all.
pub struct Entry {
    pub method: Solver,
    /// Iterations that it took, if it is an iterative one.
    pub iterations: Option<usize>,
    pub outcome: Outcome,
}

/// What became of it.
pub enum Outcome {
    /// How far it is from the solver whose result is shown.
    Solved(Disagreement),
    /// Why it was not tried.
    Skipped(String),
    /// Why there is no result.
    Failed(AccelFailure),
}

/// Greatest difference of two results, relative to their greatest entry.
#[derive(Clone, Copy, Default)]
pub struct Disagreement {
    pub accelerations: f64,
    pub multipliers: f64,
}

impl Solution<'_> {
    /// Whether every solver that was tried found a result.
    pub fn is_good(&self) -> bool {
        let failed = |entry: &Entry| matches!(entry.outcome, Outcome::Failed(_));
        self.comparison.as_ref().is_none_or(|comparison| !comparison.entries.iter().any(failed))
    }
}

/// Refuses joints with friction that sticks or goes with reactions, rigid stops and forces that go with reactions: they are no
/// part of the equations that are solved here.
fn no_holds(ready: &Ready) -> Result<(), Box<Finding>> {
    let system = ready.system();
    let read = system.readings.first().filter(|_| system.forces_read).map(|own| own.group);
    let name = |group: usize| &system.layout.groups[group].name;
    let (message, subject) = match (system.holds.first(), read) {
        (None, None) => return Ok(()),
        (Some(hold), _) => (
            format!(
                "joint `{}` has friction or rigid stops, which this command does not support",
                name(hold.joint)
            ),
            Subject::Joint(hold.joint),
        ),
        (None, Some(group)) => (
            format!(
                "forces depend on the reaction of `{}`, which this command does not support",
                name(group)
            ),
            system.group_subject(group).clone(),
        ),
    };
    let finding = Finding::error(subject, "", message);
    Err(Box::new(finding.hint("`kingpin run` supports them, with accelerations and forces as channels")))
}

/// The result of one solver.
pub fn one(ready: &Ready, method: Solver) -> Result<Solution<'_>, Box<Finding>> {
    no_holds(ready)?;
    let problem = ready.problem();
    let method = method.resolved(problem);
    let numbers = method.storage(problem);
    if numbers > MOST_OF_ONE {
        let message = format!("the model is too large for `{}`: {}", method.name(), too_large(numbers));
        return Err(Box::new(Finding::error(Subject::Model, "", message)));
    }
    let work = ready.work();
    match attempt(ready, &work, method) {
        Ok((result, iterations)) => {
            Ok(Solution { iterations, ..Solution::new(ready, work, method, result, None) })
        }
        Err(failure) => Err(Box::new(finding(&failure, ready, &work))),
    }
}

/// The results of all solvers that the size of the model allows; the first one's are shown.
pub fn all(ready: &Ready) -> Result<Solution<'_>, Box<Finding>> {
    no_holds(ready)?;
    let problem = ready.problem();
    let work = ready.work();
    let mut results: Vec<(Solver, Accelerations)> = Vec::new();
    let mut entries = Vec::new();
    for method in Solver::ALL {
        let numbers = method.storage(problem);
        let mut iterations = None;
        let outcome = if numbers > MOST_OF_ALL {
            Outcome::Skipped(too_large(numbers))
        } else {
            match attempt(ready, &work, method) {
                Ok((result, taken)) => {
                    iterations = taken;
                    let first = results.first().map_or(&result, |(_, first)| first);
                    let outcome = Outcome::Solved(disagreement(&result, first));
                    results.push((method, result));
                    outcome
                }
                Err(failure) => Outcome::Failed(failure),
            }
        };
        entries.push(Entry { method, iterations, outcome });
    }
    let mut greatest = Disagreement::default();
    for (k, (_, a)) in results.iter().enumerate() {
        for (_, b) in &results[..k] {
            let Disagreement { accelerations, multipliers } = disagreement(a, b);
            greatest.accelerations = greatest.accelerations.max(accelerations);
            greatest.multipliers = greatest.multipliers.max(multipliers);
        }
    }
    if results.is_empty() {
        let failure = entries.into_iter().find_map(|entry| match entry.outcome {
            Outcome::Failed(failure) => Some(finding(&failure, ready, &work)),
            _ => None,
        });
        let too_large = || Finding::error(Subject::Model, "", "the model is too large for every solver");
        return Err(Box::new(failure.unwrap_or_else(too_large)));
    }
    let (method, result) = results.swap_remove(0);
    Ok(Solution::new(ready, work, method, result, Some(Comparison { entries, greatest })))
}

impl<'a> Solution<'a> {
    fn new(
        ready: &'a Ready,
        work: Work,
        method: Solver,
        result: Accelerations,
        comparison: Option<Comparison>,
    ) -> Solution<'a> {
        let reactions = ready.system().reactions(&work, &result.lam);
        Solution { ready, work, method, iterations: None, result, reactions, comparison }
    }
}

/// A result, and iterations where it took some.
type Attempt = Result<(Accelerations, Option<usize>), AccelFailure>;

fn attempt(ready: &Ready, work: &Work, method: Solver) -> Attempt {
    let mut accelerator = Accelerator::of(ready.system(), ready.problem(), method);
    let mut result = accelerator.result();
    accelerator.solve(ready.system(), work, &mut result)?;
    Ok((result, accelerator.iterative().map(Pcg::last)))
}

fn too_large(numbers: u64) -> String {
    format!("its matrix would have {} million entries", count((numbers / 1_000_000) as usize))
}

/// The message, at the joint or force where the failure shows.
fn finding(failure: &AccelFailure, ready: &Ready, work: &Work) -> Finding {
    let message = format!("no accelerations: {failure}");
    match failure {
        AccelFailure::Singular { row, .. } => {
            let subject = row.as_ref().map_or(Subject::Model, |row| row.subject.clone());
            let hint = "its equations are dependent in this position only: the mechanism may branch or lock up \
                 here, so start from another position";
            Finding::error(subject, "", message).hint(hint)
        }
        AccelFailure::NotFinite => {
            let culprit = ready.system().first_bad_force(work);
            culprit.unwrap_or_else(|| Finding::error(Subject::Model, "", message))
        }
        AccelFailure::GaveUp { .. } => {
            Finding::error(Subject::Model, "", message).hint("try another solver: --solver elimination")
        }
    }
}

fn disagreement(a: &Accelerations, b: &Accelerations) -> Disagreement {
    Disagreement { accelerations: relative(&a.acc, &b.acc), multipliers: relative(&a.lam, &b.lam) }
}

/// Greatest difference over greatest entry.
fn relative(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().chain(b).fold(0.0_f64, |m, x| m.max(x.abs()));
    let difference = a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
    if difference == 0.0 { 0.0 } else { difference / size }
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn disagreement_is_relative_to_the_greatest_entry() {
        assert_eq!(relative(&[0.0, 0.0], &[0.0, 0.0]), 0.0);
        assert_eq!(relative(&[0.0, 4.0], &[1.0, 4.0]), 0.25);
        assert_eq!(relative(&[], &[]), 0.0);
    }
}
