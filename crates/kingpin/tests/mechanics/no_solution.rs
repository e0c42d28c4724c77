//! A solver that has no solution says so, and where: nothing is passed over in silence.

use kingpin::accel::{AccelFailure, Accelerator, NoSolution, Numbers, Problem, Solve, Solver};
use kingpin::element::joint::{Fixed, Revolute};
use kingpin::model::{Body, Ends, Model, Space};
use kingpin::system::{System, Work};

/// A rod on a pin, welded to the ground by as many welds.
fn welded(welds: usize) -> System {
    let mut model = Model::new("welded", Space::Planar);
    model.body(Body::planar("rod", 2.0, 0.5).at([1.0, 0.0, 0.0]));
    model.body(Body::planar("free", 1.0, 0.5).at([2.0, 0.0, 0.0]));
    model.joint("pin", Ends::at("rod", "free", [2.0, 0.0, 0.0]), Revolute {});
    for k in 0..welds {
        model.joint(&format!("weld{k}"), Ends::at("ground", "rod", [0.0; 3]), Fixed {});
    }
    System::compile(&model).expect("valid").0
}

fn evaluated(system: &System) -> Work {
    let mut work = system.work();
    system.set_state(&mut work, &system.given);
    system.evaluate_constraints(&mut work);
    system.evaluate_forces(&mut work);
    work
}

fn failure(accelerator: &mut Accelerator, system: &System, work: &Work) -> AccelFailure {
    let mut out = accelerator.result();
    let outcome = accelerator.solve(system, work, &mut out);
    outcome.expect_err(accelerator.method.name())
}

#[test]
fn dependent_equations_are_named_by_every_solver() {
    let system = welded(2);
    let work = evaluated(&system);
    for method in Solver::ALL {
        let mut accelerator = Accelerator::new(&system, &[], method);
        let failure = failure(&mut accelerator, &system, &work);
        let AccelFailure::Singular { row: Some(row), .. } = &failure else {
            panic!("{}: {failure}", method.name())
        };
        assert!(row.name.starts_with("weld"), "{}: {failure}", method.name());
    }
}

#[test]
fn numbers_that_are_not_finite_are_no_dependent_equations() {
    let system = welded(1);
    for method in Solver::ALL {
        let mut accelerator = Accelerator::new(&system, &[], method);
        let mut work = evaluated(&system);
        work.force[0] = f64::NAN;
        let found = failure(&mut accelerator, &system, &work);
        assert_eq!(found, AccelFailure::NotFinite, "{}", method.name());
    }
}

/// Says that all is well, or gives up.
struct Pretender(Result<(), NoSolution>);

impl Solve for Pretender {
    fn solve(
        &mut self,
        _: &Problem,
        _: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), NoSolution> {
        acc.fill(0.0);
        lam.fill(1.0);
        self.0.clone()
    }
}

#[test]
fn multipliers_of_least_norm_fail_where_kept_equations_depend_on_each_other() {
    // of three welds one is left out, and the other two still say the same
    let system = welded(3);
    let work = evaluated(&system);
    let mut redundant = vec![false; system.joint_equations()];
    redundant[system.joint_equations() - 3..].fill(true);
    let mut accelerator = Accelerator::with_solver(&system, &redundant, |_| Box::new(Pretender(Ok(()))));
    let failure = failure(&mut accelerator, &system, &work);
    let AccelFailure::Singular { row: Some(row), .. } = &failure else { panic!("{failure}") };
    assert!(row.name.starts_with("weld"), "{failure}");
}

#[test]
fn a_solver_that_gives_up_tells_why() {
    let system = welded(1);
    let work = evaluated(&system);
    let why = "the matrix or its factor has too many entries for 32-bit indices";
    let gave_up = Err(NoSolution::GaveUp(why.into()));
    let mut accelerator = Accelerator::with_solver(&system, &[], |_| Box::new(Pretender(gave_up)));
    let failure = failure(&mut accelerator, &system, &work);
    assert_eq!(failure, AccelFailure::GaveUp { why: why.into() });
    assert_eq!(failure.to_string(), format!("the solver failed: {why}"));
}
