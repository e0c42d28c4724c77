//! No method allocates in a step, accepted or rejected; none minds an empty state.
use crate::common::van_der_pol;

use kingpin::integrate::{
    Adams, Control, Crossing, DenseMatrix, Dop853, Dopri5, EventFinder, FirstOrder, Norm, Ode, Rosenbrock,
    Sdirk15, Sdirk16, SecondOrder, Stepper, Tolerance, Trapezoidal,
};
use std::convert::Infallible;
use van_der_pol::{END, START, VanDerPol};

fn norm() -> Norm {
    Norm::uniform(2, Tolerance::both(1e-5))
}

/// Loose enough for the cautious estimate of the trapezoidal rule to reject steps.
fn loose() -> Norm {
    Norm::uniform(2, Tolerance::both(1e-2))
}

/// Steps to the end with dense output, events and replaced states.
fn check<P, S: Stepper<P>>(mut stepper: S, problem: &mut P) {
    let mut finder = EventFinder::new(2, Crossing::Any, 1e-9);
    let (mut y, mut events) = ([0.0; 2], 0);
    let before = kingpin_testing::counting::so_far();
    while !stepper.finished() {
        let t_old = stepper.t();
        if stepper.step(problem).is_err() {
            break;
        }
        stepper.dense(0.5, &mut y);
        events += usize::from(finder.find(&stepper, t_old, |_, y| y[0]).is_some());
        y.copy_from_slice(stepper.state());
        stepper.replace_state(&y);
    }
    assert_eq!(kingpin_testing::counting::so_far() - before, 0);
    assert!(stepper.finished(), "stopped at {}", stepper.t());
    assert!(stepper.statistics().rejected > 0, "no rejection was seen");
    assert!(events > 1);
}

fn first_order<S>(stepper: S)
where
    S: for<'a> Stepper<FirstOrder<'a, VanDerPol>>,
{
    let mut problem = VanDerPol;
    let mut problem = FirstOrder(&mut problem);
    assert_eq!(problem.dim(), 2);
    check(stepper, &mut problem);
}

#[test]
fn explicit_methods() {
    first_order(Dopri5::new(norm(), None, 0.0, &START, END));
    first_order(Dop853::new(norm(), None, 0.0, &START, END));
    first_order(Adams::new(norm(), Control::default(), 0.0, &START, END));
}

#[test]
fn implicit_methods() {
    let control = Control::default();
    check(Trapezoidal::new(loose(), control, 0.0, &START, END), &mut VanDerPol);
    check(Sdirk16::new(norm(), control, 0.0, &START, END), &mut VanDerPol);
    check(Sdirk15::new(norm(), control, 0.0, &START, END), &mut VanDerPol);
    check(Rosenbrock::new(norm(), control, 0.0, &START, END), &mut VanDerPol);
}

/// A driven mechanism without freedom: nothing to integrate, and nothing that fails.
struct Driven;

impl SecondOrder for Driven {
    type Error = Infallible;
    type Matrix = DenseMatrix;
    fn dim(&self) -> usize {
        0
    }
    fn acceleration(&mut self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) -> Result<(), Infallible> {
        Ok(())
    }
    fn linearise(&mut self, _: f64, _: &[f64], _: &[f64], _: &mut DenseMatrix) -> Result<(), Infallible> {
        Ok(())
    }
}

#[test]
fn no_freedom_is_no_problem() {
    fn check<P, S: Stepper<P>>(mut stepper: S, problem: &mut P) {
        for _ in 0..100 {
            if !stepper.finished() {
                assert!(stepper.step(problem).is_ok());
                stepper.dense(0.5, &mut []);
                stepper.replace_state(&[]);
            }
        }
        assert!(stepper.finished());
    }
    let (norm, control) = (Norm::uniform(0, Tolerance::both(1e-6)), Control::default());
    let mut driven = Driven;
    check(Trapezoidal::new(norm.clone(), control, 0.0, &[], 1.0), &mut driven);
    check(Sdirk16::new(norm.clone(), control, 0.0, &[], 1.0), &mut driven);
    check(Sdirk15::new(norm.clone(), control, 0.0, &[], 1.0), &mut driven);
    check(Rosenbrock::new(norm.clone(), control, 0.0, &[], 1.0), &mut driven);
    let mut problem = FirstOrder(&mut driven);
    check(Dopri5::new(norm.clone(), None, 0.0, &[], 1.0), &mut problem);
    check(Dop853::new(norm.clone(), None, 0.0, &[], 1.0), &mut problem);
    check(Adams::new(norm, control, 0.0, &[], 1.0), &mut problem);
}
