mod generalised;

use super::generalised::GeneralisedAlphaRule as Gen;
use super::hht::{ALPHA, HilberHughesTaylorRule as Hht};
use super::rosenbrock::RosenbrockFormula as Ros;
use super::scheme::Scheme;
use super::sdirk::Sdirk15Formula as S15;
use super::trapezoidal::TrapezoidalRule as Trap;
use super::*;
use super::{EsdirkFormula as Es4, RadauFormula as Rad, Sdirk16Formula as S16};
use crate::integrate::testing::*;
use crate::integrate::{Control, Halt, Norm, SecondOrder, Solution, Statistics, Tolerance, integrate};
use std::convert::Infallible;
use std::ops::ControlFlow;

fn implicit<S: Scheme>(control: Control, tolerance: f64, y: &[f64], t_end: f64) -> Implicit<S, DenseMatrix> {
    Implicit::new(Norm::uniform(y.len(), Tolerance::both(tolerance)), control, 0.0, y, t_end)
}

/// Largest errors with fixed steps to t = 2: after steps, and of the dense output inside the first step.
fn errors<S: Scheme>(h: f64) -> (f64, f64) {
    let mut s = implicit::<S>(Control::fixed(h), 1e-12, &Forced::exact(0.0), 2.0);
    let (mut after, mut inside) = (0.0f64, 0.0f64);
    let mut before = s.state().to_vec();
    integrate(&mut s, &mut Forced, 10_000, |s, step| {
        after = after.max(distance(s.state(), &Forced::exact(step.t)));
        let mut y = [0.0; 4];
        if step.t_old == 0.0 {
            for theta in [0.3, 0.6, 0.85] {
                s.dense(theta, &mut y);
                inside = inside.max(distance(&y, &Forced::exact(theta * step.t)));
            }
        }
        // the dense output joins the steps
        s.dense(1.0, &mut y);
        assert!(distance(&y, s.state()) < 1e-11);
        s.dense(0.0, &mut y);
        assert_eq!(distance(&y, &before), 0.0);
        before.copy_from_slice(s.state());
        ControlFlow::Continue(())
    })
    .unwrap();
    (after, inside)
}

fn assert_order(name: &str, observed: f64, expected: f64) {
    assert!((observed - expected).abs() < 0.2, "{name}: {observed}");
}

#[test]
fn observed_orders_are_2_to_5() {
    assert_order("trapezoidal", observed_order(|h| errors::<Trap>(h).0, 0.05), 2.0);
    assert_order("hht", observed_order(|h| errors::<Hht>(h).0, 0.05), 2.0);
    assert_order("gen-alpha", observed_order(|h| errors::<Gen>(h).0, 0.05), 2.0);
    assert_order("sdirk 4/16", observed_order(|h| errors::<S16>(h).0, 0.05), 4.0);
    assert_order("sdirk 4/15", observed_order(|h| errors::<S15>(h).0, 0.05), 4.0);
    assert_order("esdirk", observed_order(|h| errors::<Es4>(h).0, 0.05), 4.0);
    assert_order("radau", observed_order(|h| errors::<Rad>(h).0, 0.1), 5.0);
    assert_order("rosenbrock", observed_order(|h| errors::<Ros>(h).0, 0.025), 4.0);
}

#[test]
fn dense_outputs_have_local_orders_3_to_5() {
    assert_order("trapezoidal", observed_order(|h| errors::<Trap>(h).1, 0.05), 3.0);
    assert_order("sdirk 4/16", observed_order(|h| errors::<S16>(h).1, 0.05), 4.0);
    assert_order("sdirk 4/15", observed_order(|h| errors::<S15>(h).1, 0.05), 4.0);
    assert_order("esdirk", observed_order(|h| errors::<Es4>(h).1, 0.05), 5.0);
    assert_order("radau", observed_order(|h| errors::<Rad>(h).1, 0.1), 5.0);
    assert_order("rosenbrock", observed_order(|h| errors::<Ros>(h).1, 0.025), 4.0);
}

/// Van der Pol's equation `eps v'' = (1 - v^2) v' - v`.
struct VanDerPol {
    eps: f64,
}

impl SecondOrder for VanDerPol {
    type Error = Infallible;
    type Matrix = DenseMatrix;
    fn dim(&self) -> usize {
        1
    }
    fn acceleration(&mut self, _: f64, v: &[f64], d: &[f64], a: &mut [f64]) -> Result<(), Infallible> {
        a[0] = ((1.0 - v[0] * v[0]) * d[0] - v[0]) / self.eps;
        Ok(())
    }
    fn linearise(&mut self, _: f64, v: &[f64], d: &[f64], out: &mut DenseMatrix) -> Result<(), Infallible> {
        let out = &mut out.linear;
        out.mhat[0] = self.eps;
        out.m1[0] = v[0] * v[0] - 1.0;
        out.m2[0] = 2.0 * v[0] * d[0] + 1.0;
        Ok(())
    }
}

/// Solution at t = 2 from (2, -0.66) with eps = 1e-6, as published with their test set [Hairer and Wanner 1996].
const VAN_DER_POL_AT_2: [f64; 2] = [1.706167732170483, -0.892809701024795];

fn van_der_pol<S: Scheme>(tolerance: f64) -> (f64, Statistics) {
    let mut s = implicit::<S>(Control::default(), tolerance, &[2.0, -0.66], 2.0);
    let end = run(&mut s, &mut VanDerPol { eps: 1e-6 });
    (distance(&end, &VAN_DER_POL_AT_2), s.statistics())
}

/// The error stays below the tolerance times `factor`, and the steps below `most`.
fn stays_within<S: Scheme>(tolerance: f64, factor: f64, most: usize) {
    let (error, statistics) = van_der_pol::<S>(tolerance);
    assert!(error < factor * tolerance, "tolerance {tolerance}: {error:e}");
    assert!(statistics.steps < most, "tolerance {tolerance}: {statistics:?}");
}

#[test]
fn errors_follow_the_tolerance_on_the_stiff_van_der_pol_equation() {
    for (tolerance, most) in [(1e-2, 130), (1e-3, 240), (1e-4, 500), (1e-5, 1100), (1e-6, 2600)] {
        // its caution of 4 in the error is 4^(1/4) in the steps
        stays_within::<S16>(tolerance, 3.0, most * 142 / 100);
        stays_within::<S15>(tolerance, 3.0, most);
        stays_within::<Es4>(tolerance, 3.0, most);
        stays_within::<Rad>(tolerance, 3.0, most);
        stays_within::<Ros>(tolerance, 30.0, most);
    }
    stays_within::<Gen>(1e-4, 3.0, 6000);
    stays_within::<Trap>(1e-2, 1.0, 1000);
    stays_within::<Trap>(1e-4, 1.0, 6000);
}

#[test]
fn linearisations_and_factors_are_used_again() {
    let (_, sdirk) = van_der_pol::<S16>(1e-4);
    assert!(
        sdirk.jacobians < sdirk.steps && sdirk.newton_iterations < 3 * 5 * (sdirk.steps + sdirk.rejected)
    );
    let with_reuse = |rate| {
        let mut s = implicit::<S16>(Control::default(), 1e-6, &Forced::exact(0.0), 3.0).with_reuse(rate);
        run(&mut s, &mut Forced);
        s.statistics()
    };
    let (never, often) = (with_reuse(-1.0), with_reuse(0.1));
    assert_eq!(never.jacobians, never.steps);
    assert!(often.jacobians * 4 < often.steps && often.steps < never.steps + 5, "{often:?}");
    // a rejection costs a factorisation but no linearisation
    let (_, ros) = van_der_pol::<Ros>(1e-4);
    assert_eq!((ros.jacobians, ros.factorisations), (ros.steps, ros.steps + ros.rejected));
    assert!(ros.evaluations <= 3 * ros.steps + 2 * ros.rejected + 2);
}

/// `v'' = -(1e6 + 1) v' - 1e6 v`: eigenvalues -1 and -1e6; `v + v'` is the amplitude of the fast mode.
struct StiffLinear;

impl SecondOrder for StiffLinear {
    type Error = Infallible;
    type Matrix = DenseMatrix;
    fn dim(&self) -> usize {
        1
    }
    fn acceleration(&mut self, _: f64, v: &[f64], d: &[f64], a: &mut [f64]) -> Result<(), Infallible> {
        a[0] = -(1e6 + 1.0) * d[0] - 1e6 * v[0];
        Ok(())
    }
    fn linearise(&mut self, _: f64, _: &[f64], _: &[f64], out: &mut DenseMatrix) -> Result<(), Infallible> {
        let out = &mut out.linear;
        (out.mhat[0], out.m1[0], out.m2[0]) = (1.0, 1e6 + 1.0, 1e6);
        Ok(())
    }
}

/// What is left of the fast mode after four steps of 0.1, a hundred thousand of its time constants each.
fn fast_mode<S: Scheme>() -> f64 {
    let mut s = implicit::<S>(Control::fixed(0.1), 1e-9, &[1.0, 1.0], 0.4);
    let end = run(&mut s, &mut StiffLinear);
    assert_eq!(s.statistics().steps, 4);
    (end[0] + end[1]).abs() / 2.0
}

#[test]
fn l_stable_methods_damp_what_is_stiff_and_the_trapezoidal_rule_does_not() {
    assert!(fast_mode::<S16>() < 1e-10);
    assert!(fast_mode::<S15>() < 1e-10);
    assert!(fast_mode::<Es4>() < 1e-10);
    assert!(fast_mode::<Rad>() < 1e-10);
    assert!(fast_mode::<Ros>() < 1e-10);
    assert!(fast_mode::<Trap>() > 0.9);
}

/// An oscillator without damping, `v'' = -1e10 v`.
struct Undamped;

impl SecondOrder for Undamped {
    type Error = Infallible;
    type Matrix = DenseMatrix;
    fn dim(&self) -> usize {
        1
    }
    fn acceleration(&mut self, _: f64, v: &[f64], _: &[f64], a: &mut [f64]) -> Result<(), Infallible> {
        a[0] = -1e10 * v[0];
        Ok(())
    }
    fn linearise(&mut self, _: f64, _: &[f64], _: &[f64], out: &mut DenseMatrix) -> Result<(), Infallible> {
        let out = &mut out.linear;
        (out.mhat[0], out.m1[0], out.m2[0]) = (1.0, 0.0, 1e10);
        Ok(())
    }
}

/// Position after so many steps of a hundred thousand radians.
fn high_frequency<S: Scheme>(steps: i32) -> f64 {
    let mut s = implicit::<S>(Control::fixed(1.0), 1e-14, &[1.0, 0.0], f64::from(steps));
    run(&mut s, &mut Undamped)[0]
}

#[test]
fn lagging_forces_damp_high_frequencies() {
    // the eigenvalue is double, so positions are its powers times a linear function of the steps
    let radius = (1.0 + ALPHA) / (1.0 - ALPHA);
    let linear = |steps: i32| high_frequency::<Hht>(steps) / radius.powi(steps);
    let (first, middle, last) = (linear(40), linear(80), linear(120));
    assert!((first + last - 2.0 * middle).abs() < 1e-2 * middle.abs(), "{first} {middle} {last}");
    assert!(high_frequency::<Hht>(120).abs() < 1e-3);
    assert!((high_frequency::<Trap>(120).abs() - 1.0).abs() < 1e-2);
}

/// Adaptive steps through the transient and to t = 10; error and steps.
fn stiff_linear<S: Scheme>(tolerance: f64) -> (f64, usize) {
    let mut s = implicit::<S>(Control::default(), tolerance, &[1.0, 1.0], 10.0);
    let end = run(&mut s, &mut StiffLinear);
    let slow = 1.0 + 2.0 / (1e6 - 1.0);
    let exact = slow * (-10f64).exp();
    (distance(&end, &[exact, -exact]), s.statistics().steps)
}

#[test]
fn stiff_linear_equations_need_few_steps_after_the_transient() {
    for (error, steps) in [
        stiff_linear::<S16>(1e-6),
        stiff_linear::<S15>(1e-6),
        stiff_linear::<Es4>(1e-6),
        stiff_linear::<Rad>(1e-6),
        stiff_linear::<Ros>(1e-6),
    ] {
        assert!(error < 1e-6 && steps < 200, "{error:e} {steps}");
    }
    let (loose, tight) = (stiff_linear::<S16>(1e-4).0, stiff_linear::<S16>(1e-8).0);
    assert!(tight < 1e-2 * loose, "{loose:e} {tight:e}");
}

/// Jumps to nowhere, or refuses, after t = 1.
struct Broken<'a>(&'a str);

impl SecondOrder for Broken<'_> {
    type Error = String;
    type Matrix = DenseMatrix;
    fn dim(&self) -> usize {
        1
    }
    fn acceleration(&mut self, t: f64, _: &[f64], _: &[f64], a: &mut [f64]) -> Result<(), String> {
        a[0] = -1.0;
        match self.0 {
            "refuse" if t > 1.0 => return Err("no road".to_string()),
            "infinite" if t > 1.0 => a[0] = f64::INFINITY,
            _ => {}
        }
        Ok(())
    }
    fn linearise(&mut self, _: f64, _: &[f64], _: &[f64], out: &mut DenseMatrix) -> Result<(), String> {
        let out = &mut out.linear;
        out.mhat[0] = if self.0 == "massless" { 0.0 } else { 1.0 };
        Ok(())
    }
}

fn ending<S: Scheme>(problem: &str) -> Halt<String> {
    let mut s = implicit::<S>(Control::default(), 1e-6, &[0.0, 0.0], 2.0);
    integrate(&mut s, &mut Broken(problem), 10_000, |_, _| ControlFlow::Continue(())).unwrap_err()
}

#[test]
fn failures_have_names() {
    for outcome in [
        ending::<S16>("refuse"),
        ending::<Es4>("refuse"),
        ending::<Rad>("refuse"),
        ending::<Ros>("refuse"),
        ending::<Gen>("refuse"),
        ending::<Trap>("refuse"),
    ] {
        let Halt::Problem { t, error } = &outcome else { panic!("{outcome:?}") };
        assert!(*t <= 1.0 && *t > 0.99 && error == "no road", "{outcome:?}");
    }
    for outcome in [ending::<S16>("massless"), ending::<Rad>("massless"), ending::<Ros>("massless")] {
        assert_eq!(outcome, Halt::Singular { t: 0.0, column: 0 });
    }
    let outcome = ending::<S15>("infinite");
    assert!(matches!(outcome, Halt::NewtonFailed { .. } | Halt::NotFinite { .. }), "{outcome:?}");
}

#[test]
fn a_replaced_state_goes_on_without_a_restart() {
    fn check<S: Scheme>() {
        let mut s = implicit::<S>(Control::default(), 1e-7, &Forced::exact(0.0), 3.0);
        integrate(&mut s, &mut Forced, 10_000, |s, step| {
            s.replace_state(&Forced::exact(step.t));
            ControlFlow::Continue(())
        })
        .unwrap();
        let plain = {
            let mut s = implicit::<S>(Control::default(), 1e-7, &Forced::exact(0.0), 3.0);
            run(&mut s, &mut Forced);
            s.statistics().steps
        };
        assert!(s.statistics().steps < plain + plain / 5 + 3, "{:?} {plain}", s.statistics());
    }
    check::<S16>();
    check::<S15>();
    check::<Es4>();
    check::<Rad>();
    check::<Ros>();
}

/// [`Forced`] with its linearisation half forgotten.
struct Approximate;

impl SecondOrder for Approximate {
    type Error = Infallible;
    type Matrix = DenseMatrix;
    fn dim(&self) -> usize {
        2
    }
    fn acceleration(&mut self, t: f64, v: &[f64], d: &[f64], a: &mut [f64]) -> Result<(), Infallible> {
        Forced.acceleration(t, v, d, a)
    }
    fn linearise(&mut self, t: f64, v: &[f64], d: &[f64], out: &mut DenseMatrix) -> Result<(), Infallible> {
        Forced.linearise(t, v, d, out)?;
        let out = &mut out.linear;
        out.m1.fill(0.0);
        out.m2[1] = 0.0;
        Ok(())
    }
}

#[test]
fn an_approximate_linearisation_costs_iterations_not_accuracy() {
    fn check<S: Scheme>() {
        let solve = |exact: bool| {
            let mut s = implicit::<S>(Control::default(), 1e-6, &Forced::exact(0.0), 3.0);
            let end = if exact { run(&mut s, &mut Forced) } else { run(&mut s, &mut Approximate) };
            (distance(&end, &Forced::exact(3.0)), s.statistics().newton_iterations)
        };
        let (exact, approximate) = (solve(true), solve(false));
        assert!(approximate.0 < 3.0 * exact.0 + 1e-6, "{exact:?} {approximate:?}");
        assert!(approximate.1 * 10 > exact.1 * 11, "{exact:?} {approximate:?}");
    }
    check::<S16>();
    check::<S15>();
    check::<Es4>();
}
