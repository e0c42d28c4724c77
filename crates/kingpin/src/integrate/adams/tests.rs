use super::*;
use crate::integrate::stepper::Solution;
use crate::integrate::testing::*;
use crate::integrate::{FirstOrder, Tolerance, integrate};
use std::ops::ControlFlow;

fn adams(tolerance: f64, y: &[f64], t_end: f64) -> Adams {
    Adams::new(Norm::uniform(y.len(), Tolerance::both(tolerance)), Control::default(), 0.0, y, t_end)
}

fn circle() -> TestOde<impl FnMut(f64, &[f64], &mut [f64])> {
    TestOde { dim: 2, f: |_, y: &[f64], f: &mut [f64]| (f[0], f[1]) = (y[1], -y[0]) }
}

#[test]
fn fixed_steps_converge_with_one_order_more_than_the_predictor() {
    // higher orders than 3 cannot show: the first step has order 1 and an error of h^3
    for (p, expected) in [(1, 2.0), (2, 3.0), (3, 3.0)] {
        let error = |h: f64| {
            let norm = Norm::uniform(4, Tolerance::both(1e-3));
            let s = Adams::new(norm, Control::fixed(h), 0.0, &Forced::exact(0.0), 2.0);
            let end = run(&mut s.with_highest_order(p), &mut FirstOrder(&mut Forced));
            distance(&end, &Forced::exact(2.0))
        };
        let order = observed_order(error, 0.01);
        assert!((order - expected).abs() < 0.1, "{p}: {order}");
    }
}

#[test]
fn errors_follow_the_tolerance_on_the_arenstorf_orbit() {
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        let mut s = adams(tolerance, &ARENSTORF_START, ARENSTORF_PERIOD);
        let end = run(&mut s, &mut arenstorf());
        let ratio = distance(&end[..2], &ARENSTORF_START[..2]) / tolerance;
        assert!(ratio > 10.0 && ratio < 3000.0, "tolerance {tolerance}: {ratio}");
        // two evaluations per step, one per rejection, two at the start
        let Statistics { steps, rejected, evaluations, .. } = s.statistics();
        assert_eq!(evaluations, 2 * steps + rejected + 2);
        assert!(steps < 1200 && rejected * 10 < steps);
    }
}

#[test]
fn the_order_grows_with_the_accuracy() {
    let mut before = 0;
    for (tolerance, least) in [(1e-4, 6), (1e-8, 9), (1e-12, 12)] {
        let mut s = adams(tolerance, &[1.0, 0.0], 20.0);
        let mut highest = 0;
        integrate(&mut s, &mut circle(), 10_000, |_, step| {
            highest = highest.max(step.order);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(highest >= least && highest >= before, "tolerance {tolerance}: {highest}");
        assert!(distance(s.state(), &[20f64.cos(), -20f64.sin()]) < 100.0 * tolerance);
        before = highest;
    }
}

#[test]
fn the_dense_output_joins_the_steps_and_is_accurate() {
    let mut s = adams(1e-9, &[1.0, 0.0], 20.0);
    let (mut worst, mut joint) = (0.0f64, 0.0f64);
    integrate(&mut s, &mut circle(), 10_000, |s, step| {
        let mut y = [0.0; 2];
        for theta in [0.0, 0.2, 0.5, 0.8, 1.0] {
            s.dense(theta, &mut y);
            let t = step.t_old + theta * step.h();
            worst = worst.max(distance(&y, &[t.cos(), -t.sin()]));
            if theta == 1.0 {
                joint = joint.max(distance(&y, s.state()));
            }
        }
        s.dense(0.0, &mut y);
        joint = joint.max(distance(&y, &s.y_old));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(worst < 1e-7, "{worst}");
    assert!(joint < 1e-14, "{joint}");
}

/// A problem whose steps end where a function moves them.
struct Projected<P, F>(P, F);

impl<P: Ode, F: Fn(&mut [f64])> Ode for Projected<P, F> {
    type Error = P::Error;
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn rhs(&mut self, t: f64, y: &[f64], f: &mut [f64]) -> Result<(), P::Error> {
        self.0.rhs(t, y, f)
    }
    fn project(&mut self, _: f64, y: &mut [f64]) -> Result<(), P::Error> {
        (self.1)(y);
        Ok(())
    }
}

/// Both ways of keeping the state on the unit circle.
#[test]
fn projection_needs_no_restart() {
    let project = |y: &mut [f64]| {
        let r = y[0].hypot(y[1]);
        y.iter_mut().for_each(|y| *y /= r);
    };
    let plain = {
        let mut s = adams(1e-6, &[1.0, 0.0], 50.0);
        run(&mut s, &mut circle());
        s.statistics()
    };
    let mut s = adams(1e-6, &[1.0, 0.0], 50.0);
    let mut highest = 0;
    integrate(&mut s, &mut circle(), 10_000, |s, step| {
        highest = highest.max(step.order);
        let mut y = s.state().to_vec();
        project(&mut y);
        s.replace_state(&y);
        ControlFlow::Continue(())
    })
    .unwrap();
    let replaced = s.statistics();
    assert!(distance(s.state(), &[50f64.cos(), -50f64.sin()]) < 1e-4);
    assert!((s.state()[0].hypot(s.state()[1]) - 1.0).abs() < 1e-15);
    assert!(highest >= 6, "{highest}");
    assert!(replaced.steps < plain.steps * 3 / 2, "{replaced:?} {plain:?}");
    // the hook saves the third evaluation of each step
    let mut s = adams(1e-6, &[1.0, 0.0], 50.0);
    run(&mut s, &mut Projected(circle(), project));
    assert!(s.statistics().evaluations * 5 < replaced.evaluations * 4);
    assert!(distance(s.state(), &[50f64.cos(), -50f64.sin()]) < 1e-4);
}

#[test]
fn stiffness_shows_in_low_orders() {
    let mut problem =
        TestOde { dim: 1, f: |t: f64, y: &[f64], f: &mut [f64]| f[0] = -1e3 * (y[0] - t.cos()) };
    let mut s = adams(1e-3, &[1.0], 2.0);
    let mut stiff = false;
    integrate(&mut s, &mut problem, 10_000, |_, step| {
        stiff |= step.stiff;
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(stiff);
    assert!((s.state()[0] - 2f64.cos()).abs() < 1e-2);
}

#[test]
fn it_goes_on_in_other_coordinates() {
    let plain = {
        let mut s = adams(1e-6, &[1.0, 0.0], 50.0);
        run(&mut s, &mut circle());
        s.statistics().steps
    };
    let mut s = adams(1e-6, &[1.0, 0.0], 25.0);
    run(&mut s, &mut circle());
    // turned by a right angle, the equations are what they were
    let (turned, h) = ([-s.state()[1], s.state()[0]], s.proposal());
    s.change_coordinates(&turned);
    s.reach(50.0);
    assert_eq!(s.proposal(), h);
    run(&mut s, &mut circle());
    assert!(distance(s.state(), &[50f64.sin(), 50f64.cos()]) < 1e-4, "{:?}", s.state());
    assert!(s.statistics().steps < plain + 40, "{:?} {plain}", s.statistics());
}
