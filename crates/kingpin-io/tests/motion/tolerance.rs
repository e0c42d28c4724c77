//! Tolerance means error: on smooth closed loops the error at the end follows the tolerance, with every method.
//! `make tolerance` prints the whole table.

use crate::Ready;
use crate::revolutions::FOUR_BAR;
use kingpin::dynamics::{Method, Run, Unwatched};
use kingpin::system::State;

/// A mechanism, and how long it moves: about a turn.
struct Case {
    name: &'static str,
    ready: Ready,
    t_end: f64,
}

fn cases() -> Vec<Case> {
    let case = |name, ready, t_end| Case { name, ready, t_end };
    vec![
        case("four_bar", Ready::shipped("four_bar.toml"), 0.5),
        case("slider_crank", Ready::shipped("slider_crank.toml"), 0.5),
        case("andrews", Ready::shipped("andrews.toml"), 0.02),
        case("spatial four-bar", Ready::text(FOUR_BAR), 0.1),
    ]
}

/// The worst error of a position or an attitude, over the scale it is relative to.
fn error(case: &Case, run: &Run, exact: &State) -> f64 {
    let system = &case.ready.system;
    let (nq, d) = (system.nq(), system.dimensions());
    let natural = run.scales.parts[0].natural();
    let length = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    let bodies = run.state.q.chunks_exact(nq).zip(exact.q.chunks_exact(nq));
    let body = |(a, b): (&[f64], &[f64])| {
        let turn = if d == 3 { 2.0 } else { 1.0 } * length(&a[d..], &b[d..]);
        (length(&a[..d], &b[..d]) / natural.position).max(turn / natural.angle)
    };
    bodies.map(body).fold(0.0, f64::max)
}

/// Errors over tolerances, and the slope of errors against tolerances (logarithms, least squares).
fn measure(case: &Case, method: Method, tols: &[f64]) -> (Vec<f64>, f64) {
    let exact = case.ready.run(Method::Dop853, 1e-13, case.t_end, &mut Unwatched).state;
    let ratios: Vec<f64> = tols
        .iter()
        .map(|&tol| error(case, &case.ready.run(method, tol, case.t_end, &mut Unwatched), &exact) / tol)
        .collect();
    let points: Vec<(f64, f64)> = tols.iter().zip(&ratios).map(|(t, r)| (t.ln(), (r * t).ln())).collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let (top, bottom) =
        points.iter().fold((0.0, 0.0), |(t, b), p| (t + (p.0 - x) * (p.1 - y), b + (p.0 - x) * (p.0 - x)));
    (ratios, top / bottom)
}

/// Decades from `first` to `last`.
fn decades(first: i32, last: i32) -> Vec<f64> {
    (first..=last).map(|k| 10f64.powi(-k)).collect()
}

/// Methods, and the last decade that they are measured at: 1e-2 to 1e-11; those of order 4 and 2 as far as is
/// affordable.
const METHODS: [(Method, i32); 8] = [
    (Method::Dop853, 11),
    (Method::Dopri5, 11),
    (Method::Adams, 11),
    (Method::ForRosen, 9),
    (Method::ForSdirk, 9),
    (Method::InflSdirk, 9),
    (Method::SspTrap, 6),
    (Method::InflTrap, 6),
];

#[test]
fn tolerance_means_error() {
    for case in cases() {
        for (method, last) in METHODS {
            let (ratios, slope) = measure(&case, method, &decades(2, last));
            let shown = format!("{} {}: {ratios:.2?}, slope {slope:.2}", case.name, method.name());
            assert!((slope - 1.0).abs() < 0.35, "{shown}");
            assert!(ratios.iter().all(|r| *r < 100.0), "{shown}");
        }
    }
}

#[test]
#[ignore = "make tolerance"]
fn table() {
    println!("Error over tolerance at 1e-2, 1e-3, ...; slope of error against tolerance (1 is wanted)");
    for case in cases() {
        for (method, last) in METHODS {
            let (ratios, slope) = measure(&case, method, &decades(2, last));
            let shown: Vec<String> = ratios.iter().map(|r| format!("{r:8.2}")).collect();
            println!("{:<17} {:<10} {:5.2} |{}", case.name, method.name(), slope, shown.join(""));
        }
    }
}
