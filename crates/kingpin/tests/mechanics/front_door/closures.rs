//! Functions written in Rust: the same as expressions, with derivatives that are right.

use crate::front_door::pendulum;
use kingpin::expr::{Scope, parse};
use kingpin::prelude::*;

/// A law with products, powers and a sine of everything.
struct Tangled;

impl SmoothLaw for Tangled {
    fn eval<T: Scalar>(&self, x: &[T]) -> T {
        let [angle, rate, t] = [x[0], x[1], x[2]];
        -(rate * rate.abs()).scale(0.3) + (angle * t).sin() * rate.powi(2).cos() - angle.powi(3)
    }
}

fn tangled(x: &[f64]) -> f64 {
    Tangled.eval(x)
}

/// Its slopes by hand.
fn slopes(x: &[f64], out: &mut [f64]) {
    let [angle, rate, t] = [x[0], x[1], x[2]];
    let (turning, squared) = ((angle * t).cos() * rate.powi(2).cos(), rate.powi(2).sin());
    out[0] = t * turning - 3.0 * angle.powi(2);
    out[1] = -0.6 * rate.abs() - (angle * t).sin() * squared * 2.0 * rate;
    out[2] = angle * turning;
}

const READS: [&str; 3] = ["swing", "swing.rate", "t"];

fn with(magnitude: Function) -> Mechanism {
    let mut model = pendulum();
    model.force("law", Ends::on("rod", [0.0; 3]), AppliedTorque { magnitude, ..AppliedTorque::default() });
    Mechanism::new(model).expect("a mechanism")
}

/// The same law as an expression, in the variables t, swing and swing.rate.
fn expression() -> Function {
    let mut scope = Scope::new();
    scope.variable("t", 0, None).variable("swing", 1, None).variable("w", 2, None);
    let text = "-0.3*w*abs(w) + sin(swing*t)*cos(w^2) - swing^3";
    Function::Expr(parse(text, &scope).expect("an expression"))
}

#[test]
fn slopes_agree_with_dual_numbers() {
    let (smooth, plain) = (Function::smooth(&READS, Tangled), Function::closure(&READS, tangled));
    let sloped = Function::sloped(&READS, tangled, slopes);
    for x in [[0.3, -0.7, 1.1], [-2.0, 0.4, 0.0], [1e-3, 1.5, 7.0]] {
        let (mut exact, mut near, mut given) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        let values = [smooth.partials(&x, &mut exact), plain.partials(&x, &mut near)];
        assert_eq!(values[0], values[1]);
        for k in 0..3 {
            let dual: Vec<Dual<f64>> =
                (0..3).map(|i| Dual::new(x[i], if i == k { 1.0 } else { 0.0 })).collect();
            let slope = Tangled.eval(&dual).d;
            assert_eq!(exact[k], slope);
            assert_eq!(sloped.partials(&x, &mut given), values[0]);
            assert!(
                (given[k] - slope).abs() < 1e-14 * (1.0 + slope.abs()),
                "{k} {x:?}: {} {slope}",
                given[k]
            );
            assert!((near[k] - slope).abs() < 1e-9 * (1.0 + slope.abs()), "{k} {x:?}: {} {slope}", near[k]);
        }
    }
}

#[test]
fn second_slopes_of_motions() {
    let motion = |x: &[f64]| (3.0 * x[0]).sin() + x[0].powi(2);
    let plain = Function::closure(&["t"], motion);
    let sloped = Function::sloped(&["t"], motion, |x, out| out[0] = 3.0 * (3.0 * x[0]).cos() + 2.0 * x[0]);
    for (function, exactly) in [(&plain, [1e-9, 1e-6]), (&sloped, [1e-14, 1e-8])] {
        for t in [0.0, 0.4, 3.0] {
            let [value, rate, second] = function.time_jet(t);
            let exact = [motion(&[t]), 3.0 * (3.0 * t).cos() + 2.0 * t, -9.0 * (3.0 * t).sin() + 2.0];
            assert_eq!(value, exact[0]);
            let wrong = [(rate - exact[1]).abs(), (second - exact[2]).abs()];
            assert!(wrong[0] <= exactly[0] && wrong[1] <= exactly[1], "{rate} {second} {exact:?}");
        }
    }
}

#[test]
fn force_derivatives_are_those_of_the_expression() {
    let reference = with(expression());
    for (magnitude, tolerance) in [
        (Function::smooth(&READS, Tangled), 1e-12),
        (Function::closure(&READS, tangled), 1e-7),
        (Function::sloped(&READS, tangled, slopes), 1e-12),
    ] {
        let mechanism = with(magnitude);
        let slopes = |mechanism: &Mechanism| {
            let mut state = mechanism.state().clone();
            (state.t, state.v[2]) = (0.8, 1.3);
            let system = mechanism.system();
            let mut work = system.work();
            system.set_state(&mut work, &state);
            let mut derivatives = system.derivatives();
            let (qddot, lam) = (vec![0.0; state.q.len()], vec![0.0; system.joint_equations()]);
            system.evaluate_derivatives(&work, &qddot, &lam, &mut derivatives);
            (derivatives.force_q, derivatives.force_qdot)
        };
        let (found, wanted) = (slopes(&mechanism), slopes(&reference));
        for (a, b) in found.0.iter().zip(&wanted.0).chain(found.1.iter().zip(&wanted.1)) {
            assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} {b}");
        }
    }
}

#[test]
fn runs_with_closures_are_those_with_expressions() {
    let reference = with(expression());
    for method in [Method::Dop853, Method::ForRosen, Method::ForSdirk] {
        let settings = Settings { method, rtol: 1e-8, ..reference.settings() };
        let end = |mechanism: &Mechanism| {
            mechanism.simulate_with(&settings).expect("results").last("swing").expect("an angle")
        };
        let wanted = end(&reference);
        let smooth = end(&with(Function::smooth(&READS, Tangled)));
        let plain = end(&with(Function::closure(&READS, tangled)));
        assert!((smooth - wanted).abs() < 1e-6 && (plain - wanted).abs() < 1e-6, "{method:?}");
    }
}

#[test]
fn closures_are_told_from_each_other_and_shown_by_what_they_read() {
    let one = Function::closure(&["t"], |x| x[0]);
    assert_eq!(one, one.clone());
    assert_ne!(one, Function::closure(&["t"], |x| x[0]));
    let shown = format!("{one:?}");
    assert_eq!(shown, "Closure(closure of t)");
    // a file cannot hold it, and says so to whoever reads it
    let text = kingpin_io::to_toml(with(one).model());
    let loaded = kingpin_io::read_text("x.toml", &text, ".", &kingpin_io::Overrides::none());
    assert!(loaded.model.is_none() && loaded.render(false).contains("closure"), "{}", loaded.render(false));
}
