//! Curves through tables.

use super::*;
use crate::scalar::Dual;

fn curve(x: &[f64], y: &[f64], outside: Extrapolate) -> Curve {
    Curve::new(x.to_vec(), y.to_vec(), outside).unwrap()
}

fn slope(c: &Curve, x: f64) -> f64 {
    c.eval(Dual::variable(x)).d
}

const X: [f64; 8] = [-2.0, -1.0, -0.5, 0.0, 0.1, 2.0, 2.2, 5.0];
const Y: [f64; 8] = [-9.0, -8.9, -1.0, 0.0, 0.0, 7.0, 7.1, 30.0];

#[test]
fn passes_through_its_points_and_stays_monotone() {
    for outside in [Extrapolate::Linear, Extrapolate::Hold] {
        let c = curve(&X, &Y, outside);
        for (x, y) in c.points() {
            assert!((c.eval(x) - y).abs() < 1e-14);
        }
        let mut before = c.eval(-3.0);
        for k in 1..=9000 {
            let y = c.eval(-3.0 + f64::from(k) * 1e-3);
            assert!(y >= before - 1e-13, "falls at step {k}");
            before = y;
        }
        assert_eq!(c.eval(0.05), 0.0);
    }
}

#[test]
fn slope_is_continuous_and_exact() {
    for outside in [Extrapolate::Linear, Extrapolate::Hold] {
        let c = curve(&X, &Y, outside);
        // a table that holds its end values has corners there
        let inside = if outside == Extrapolate::Hold { &X[1..7] } else { &X[..] };
        for &x in inside {
            let jump = slope(&c, x + 1e-10) - slope(&c, x - 1e-10);
            assert!(jump.abs() < 1e-6, "slope jumps by {jump} at {x}");
        }
        for k in 0..80 {
            let (x, h) = (-2.96 + 0.1 * f64::from(k), 1e-5);
            let quotient = (c.eval(x + h) - c.eval(x - h)) / (2.0 * h);
            assert!((slope(&c, x) - quotient).abs() < 1e-6);
        }
    }
    // second derivative inside an interval
    let c = curve(&X, &Y, Extrapolate::Linear);
    let jet = c.eval(Dual::variable(Dual::variable(3.3)));
    let quotient = (slope(&c, 3.3 + 1e-5) - slope(&c, 3.3 - 1e-5)) / 2e-5;
    assert!((jet.d.d - quotient).abs() < 1e-6);
}

#[test]
fn integral_is_exact() {
    for outside in [Extrapolate::Linear, Extrapolate::Hold] {
        let c = curve(&X, &Y, outside);
        assert_eq!(c.integral(0.0), 0.0);
        // its slope is the curve, inside and outside of the table
        for k in 0..90 {
            let (x, h) = (-3.46 + 0.1 * f64::from(k), 1e-5);
            let quotient = (c.integral(x + h) - c.integral(x - h)) / (2.0 * h);
            assert!((quotient - c.eval(x)).abs() < 1e-7, "{quotient} at {x}");
        }
    }
}

#[test]
fn turning_points_do_not_overshoot() {
    let c = curve(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 1.0, 0.0], Extrapolate::Hold);
    assert!((0..=300).all(|k| (0.0..=1.0).contains(&c.eval(f64::from(k) * 0.01))));
    assert_eq!(slope(&c, 1.0), 0.0);
}

#[test]
fn ends_have_the_slope_of_the_table() {
    for outside in [Extrapolate::Linear, Extrapolate::Hold] {
        // a parabola is met at both ends, a line everywhere
        let c = curve(&[0.0, 1.0, 2.0], &[0.0, 1.0, 4.0], outside);
        assert!(slope(&c, 1e-9).abs() < 1e-8 && (slope(&c, 2.0 - 1e-9) - 4.0).abs() < 1e-7);
        let line = curve(&[0.0, 1.0, 2.0], &[0.0, 3.0, 6.0], outside);
        assert!((0..100).all(|k| (slope(&line, 0.02 * f64::from(k)) - 3.0).abs() < 1e-12));
    }
}

#[test]
fn ends_are_natural_or_given() {
    let made = |ends| Curve::with_ends(X.to_vec(), Y.to_vec(), Extrapolate::Hold, ends).unwrap();
    let natural = made(Ends::Natural);
    let bend = |x: f64| natural.eval(Dual::variable(Dual::variable(x))).d.d;
    assert!(bend(-2.0).abs() < 1e-12 && bend(5.0 - 1e-12).abs() < 1e-9);
    // monotone as before
    let rises =
        |k: u32| natural.eval(-2.0 + 7e-3 * f64::from(k + 1)) >= natural.eval(-2.0 + 7e-3 * f64::from(k));
    assert!((0..999).all(rises));
    let given = made(Ends::Given([0.0, -4.0]));
    assert!(slope(&given, -2.0).abs() < 1e-14 && (slope(&given, 5.0 - 1e-12) + 4.0).abs() < 1e-9);
    // only the outermost intervals know
    for curve in [natural, given] {
        assert_eq!(curve.eval(1.3), made(Ends::Parabola).eval(1.3));
        assert!(curve.points().all(|(x, y)| (curve.eval(x) - y).abs() < 1e-14));
    }
    let line = Curve::with_ends(vec![0.0, 2.0], vec![1.0, 5.0], Extrapolate::Hold, Ends::Natural).unwrap();
    assert_eq!(slope(&line, 0.7), 2.0);
    let bad =
        Curve::with_ends(vec![0.0, 1.0], vec![0.0, 1.0], Extrapolate::Hold, Ends::Given([0.0, f64::NAN]));
    assert_eq!(bad.unwrap_err().to_string(), "the slope at its end is not finite");
}

#[test]
fn parts_between_bends_go_on_beyond_them() {
    let c = curve(&[-1.0, 0.0, 0.1, 1.0, 2.0, 3.0], &[-1.0, 0.0, 5.0, 6.0, 7.0, 8.1], Extrapolate::Linear);
    // at its start it goes on along a slope of zero, since the parabola falls there
    assert_eq!(c.bends(), [0, 1, 2]);
    let parted = c.clone().parted_by(0, vec![1, 2]);
    for x in [-2.0, -0.3, 0.05, 0.5, 1.7, 2.9, 9.0] {
        let part = u8::from(x >= 0.0) + u8::from(x >= 0.1);
        assert_eq!(parted.eval_on(x, &[part]), c.eval(x), "{x}");
    }
    // smooth across the bend on either side of it
    for (part, bend) in [(0, 0.0), (1, 0.0), (1, 0.1), (2, 0.1)] {
        let at = |x: f64| parted.eval_on(Dual::variable(Dual::variable(x)), &[part]).d.d;
        assert!((at(bend + 1e-9) - at(bend - 1e-9)).abs() < 1e-2, "{part} at {bend}");
    }
}

#[test]
fn outside_the_table() {
    let linear = curve(&[0.0, 1.0, 2.0], &[0.0, 2.0, 6.0], Extrapolate::Linear);
    assert!((linear.eval(4.0) - (6.0 + 2.0 * slope(&linear, 2.0))).abs() < 1e-14);
    assert!((slope(&linear, 3.0) - 5.0).abs() < 1e-14, "slope of the parabola x^2 + x");
    let hold = curve(&[0.0, 1.0, 2.0], &[0.0, 2.0, 6.0], Extrapolate::Hold);
    assert_eq!((hold.eval(9.0), slope(&hold, 9.0), hold.eval(-9.0)), (6.0, 0.0, 0.0));
    assert!(hold.eval(f64::NAN).is_nan() && linear.eval(f64::NAN).is_nan());
}

#[test]
fn lines_are_reproduced() {
    let c = curve(&[-1.0, 0.5, 0.7, 3.0], &[-2.0, 1.0, 1.4, 6.0], Extrapolate::Linear);
    for x in [-4.0, -0.3, 0.6, 1.9, 7.0] {
        assert!((c.eval(x) - 2.0 * x).abs() < 1e-13);
        assert_eq!(Curve::line(2.0).eval(x), 2.0 * x);
    }
}

#[test]
fn bad_points_are_refused() {
    let make = |x: &[f64], y: &[f64]| Curve::new(x.to_vec(), y.to_vec(), Extrapolate::Hold).unwrap_err();
    assert_eq!(make(&[1.0], &[1.0]), CurveError::TooFew(1));
    assert_eq!(make(&[], &[]), CurveError::TooFew(0));
    assert_eq!(make(&[1.0, 2.0], &[1.0]), CurveError::Lengths { x: 2, y: 1 });
    assert_eq!(make(&[1.0, f64::NAN], &[1.0, 2.0]), CurveError::NotFinite(1));
    assert_eq!(make(&[0.0, 1.0], &[f64::INFINITY, 2.0]), CurveError::NotFinite(0));
    assert_eq!(make(&[0.0, 5e-324], &[0.0, 1.0]), CurveError::TooSteep(0));
    assert_eq!(make(&[-1e308, 1e308], &[0.0, 1.0]), CurveError::TooSteep(0));
    assert_eq!(
        make(&[0.0, 2.0, 2.0], &[0.0; 3]).to_string(),
        "the x of a curve must increase, but x = 2 at point 3 follows x = 2"
    );
}

/// Steps of the same height are steps all the same; more of them than a piece has numbers.
#[test]
fn every_step_and_every_corner_is_a_bend() {
    let (x, y): (Vec<f64>, Vec<f64>) = (0..1000).map(|k| (f64::from(k), f64::from(k / 2))).unzip();
    let steps = Curve::joined(x.clone(), y.clone(), Extrapolate::Hold, Join::Step, Ends::Parabola).unwrap();
    assert_eq!(steps.bends(), (1..500).map(|k| 2 * k).collect::<Vec<_>>());
    let lines = Curve::joined(x, y, Extrapolate::Hold, Join::Linear, Ends::Parabola).unwrap();
    assert_eq!(lines.bends(), (1..999).collect::<Vec<_>>());
    for curve in [steps, lines] {
        let bends = curve.bends();
        let parted = curve.clone().parted_by(0, bends.clone());
        for x in [-1.0, 0.5, 255.3, 256.9, 513.0, 700.2, 998.5, 999.5] {
            let part = bends.partition_point(|&k| k as f64 <= x) as u8;
            assert_eq!(parted.eval_on(x, &[part]), curve.eval(x), "{x}");
        }
    }
}
