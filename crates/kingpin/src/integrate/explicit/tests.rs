use super::*;
use crate::integrate::testing::*;
use crate::integrate::{
    Control, Ending, FirstOrder, Halt, Norm, Ode, Solution, Statistics, Tolerance, integrate,
};
use std::ops::ControlFlow;

fn stepper<F: ExplicitFormula>(
    control: Option<Control>,
    tolerance: f64,
    y: &[f64],
    t_end: f64,
) -> ExplicitRungeKutta<F> {
    ExplicitRungeKutta::new(Norm::uniform(y.len(), Tolerance::both(tolerance)), control, 0.0, y, t_end)
}

/// Largest errors with fixed steps to t = 2: after steps, and of the dense output inside the first step.
fn errors<F: ExplicitFormula>(h: f64) -> (f64, f64) {
    let mut s = stepper::<F>(Some(Control::fixed(h)), 1e-3, &Forced::exact(0.0), 2.0);
    let (mut problem, mut after, mut inside) = (Forced, 0.0f64, 0.0f64);
    integrate(&mut s, &mut FirstOrder(&mut problem), 10_000, |s, step| {
        after = after.max(distance(s.state(), &Forced::exact(step.t)));
        if step.t_old == 0.0 {
            for theta in [0.3, 0.6, 0.85] {
                let mut y = [0.0; 4];
                s.dense(theta, &mut y);
                inside = inside.max(distance(&y, &Forced::exact(theta * step.t)));
            }
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    (after, inside)
}

#[test]
fn observed_orders_are_5_and_8() {
    let five = observed_order(|h| errors::<DormandPrince5>(h).0, 0.2);
    let eight = observed_order(|h| errors::<DormandPrince8>(h).0, 0.4);
    assert!((five - 5.0).abs() < 0.3, "{five}");
    assert!((eight - 8.0).abs() < 0.6, "{eight}");
}

#[test]
fn dense_outputs_have_local_orders_5_and_8() {
    let five = observed_order(|h| errors::<DormandPrince5>(h).1, 0.1);
    let eight = observed_order(|h| errors::<DormandPrince8>(h).1, 0.25);
    assert!(five > 4.7, "{five}");
    assert!(eight > 7.5, "{eight}");
}

/// Error after one period, steps, rejections and evaluations.
fn orbit<F: ExplicitFormula>(tolerance: f64) -> (f64, Statistics) {
    let mut problem = arenstorf();
    let mut s = stepper::<F>(None, tolerance, &ARENSTORF_START, ARENSTORF_PERIOD).without_dense();
    let end = run(&mut s, &mut problem);
    (distance(&end[..2], &ARENSTORF_START[..2]), s.statistics())
}

#[test]
fn dopri5_takes_the_published_steps_on_the_arenstorf_orbit() {
    // as printed by the driver of DOPRI5 [Hairer, Norsett and Wanner 1993] for tolerances 1e-7: fcn 1442, step 240, accpt 216
    let (_, statistics) = orbit::<DormandPrince5>(1e-7);
    let Statistics { steps, rejected, evaluations, .. } = statistics;
    assert_eq!((evaluations, steps + rejected, steps), (1442, 240, 216));
}

/// Errors of the orbit stay within a factor of 10 of `constant * tolerance`.
fn proportional<F: ExplicitFormula>(constant: f64) {
    for tolerance in [1e-6, 1e-8, 1e-10, 1e-12] {
        let ratio = orbit::<F>(tolerance).0 / (constant * tolerance);
        assert!(ratio > 0.1 && ratio < 10.0, "tolerance {tolerance}: {ratio}");
    }
}

#[test]
fn errors_follow_the_tolerance_on_the_arenstorf_orbit() {
    proportional::<DormandPrince5>(150.0);
    proportional::<DormandPrince8>(40.0);
    // and the order shows in the work
    let work = |tolerance| (orbit::<DormandPrince5>(tolerance).1, orbit::<DormandPrince8>(tolerance).1);
    let (five, eight) = work(1e-12);
    assert!(five.evaluations > 2 * eight.evaluations);
}

#[test]
fn stiffness_is_noticed() {
    let mut problem =
        TestOde { dim: 1, f: |t: f64, y: &[f64], f: &mut [f64]| f[0] = -1e4 * (y[0] - t.cos()) };
    let mut s = stepper::<DormandPrince5>(None, 1e-4, &[1.0], 1.0);
    let mut stiff_at = None;
    let end = integrate(&mut s, &mut problem, 10_000, |_, step| {
        if step.stiff {
            stiff_at = Some(step.t);
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(end, Ok(Ending::Stopped));
    assert!(stiff_at.unwrap() < 0.1);
    // and not where there is none
    let mut problem = TestOde { dim: 2, f: |_, y: &[f64], f: &mut [f64]| (f[0], f[1]) = (y[1], -y[0]) };
    let mut s = stepper::<DormandPrince8>(None, 1e-6, &[1.0, 0.0], 200.0);
    integrate(&mut s, &mut problem, 10_000, |_, step| {
        assert!(!step.stiff);
        ControlFlow::Continue(())
    })
    .unwrap();
}

#[test]
fn a_singularity_ends_in_a_named_outcome() {
    // y = 1 / (1 - t)
    let mut problem = TestOde { dim: 1, f: |_, y: &[f64], f: &mut [f64]| f[0] = y[0] * y[0] };
    let mut s = stepper::<DormandPrince5>(None, 1e-6, &[1.0], 2.0);
    let end = integrate(&mut s, &mut problem, 100_000, |_, _| ControlFlow::Continue(()));
    let Err(Halt::StepTooSmall { t, .. } | Halt::NotFinite { t }) = end else { panic!("{end:?}") };
    assert!((t - 1.0).abs() < 1e-4, "{t}");
    let end = integrate(&mut s, &mut problem, 0, |_, _| ControlFlow::Continue(()));
    assert!(matches!(end, Err(Halt::TooManySteps { .. })));
}

#[test]
fn a_problem_that_says_no_is_quoted() {
    struct Wall;
    impl Ode for Wall {
        type Error = &'static str;
        fn dim(&self) -> usize {
            1
        }
        fn rhs(&mut self, t: f64, _: &[f64], f: &mut [f64]) -> Result<(), Self::Error> {
            f[0] = 1.0;
            if t > 0.5 { Err("wall") } else { Ok(()) }
        }
    }
    let mut s = stepper::<DormandPrince8>(None, 1e-6, &[0.0], 1.0);
    let end = integrate(&mut s, &mut Wall, 1000, |_, _| ControlFlow::Continue(()));
    let Err(Halt::Problem { t, error: "wall" }) = end else { panic!("{end:?}") };
    // the steps shrink towards the wall
    assert!(t > 0.49 && t <= 0.5, "{t}");
}

#[test]
fn integration_backwards_returns() {
    let mut problem = arenstorf();
    let mut s = stepper::<DormandPrince8>(None, 1e-11, &ARENSTORF_START, 4.0);
    run(&mut s, &mut problem);
    s.reach(0.0);
    let back = run(&mut s, &mut problem);
    assert!(distance(&back, &ARENSTORF_START) < 1e-6);
}

#[test]
fn a_replaced_state_is_the_new_start() {
    let mut problem = TestOde { dim: 1, f: |_, y: &[f64], f: &mut [f64]| f[0] = y[0] };
    let mut s = stepper::<DormandPrince5>(None, 1e-9, &[1.0], 1.0);
    let mut doubled = false;
    integrate(&mut s, &mut problem, 1000, |s, _| {
        if !std::mem::replace(&mut doubled, true) {
            let y = 2.0 * s.state()[0];
            s.replace_state(&[y]);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!((s.state()[0] - 2.0 * 1f64.exp()).abs() < 1e-7);
}
