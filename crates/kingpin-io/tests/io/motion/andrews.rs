//! Andrews' squeezing mechanism at t = 0.03 s.

use crate::motion::Ready;
use kingpin::dynamics::{Method, Unwatched};

/// beta, Theta, gamma, Phi, delta, Omega, epsilon, recomputed at 1e-13.
const REFERENCE: [f64; 7] = [
    15.810771195154,
    -15.756371058412,
    0.0408222401196,
    -0.5347301163421,
    0.5244099658800,
    0.5347301163421,
    1.0480807410419,
];

/// The seven angles from those of the bars.
fn angles(q: &[f64]) -> [f64; 7] {
    let bar: Vec<f64> = q.chunks_exact(3).map(|q| q[2]).collect();
    [bar[0], bar[1] - bar[0], bar[2], bar[3] - bar[4], bar[4], bar[5] - bar[6], bar[6]]
}

#[test]
fn errors_stay_within_a_hundred_times_the_tolerance() {
    let ready = Ready::shipped("andrews.toml");
    let mut worst: f64 = 0.0;
    for method in [
        Method::Radau,
        Method::Esdirk,
        Method::ForSdirk,
        Method::ForRosen,
        Method::Dop853,
        Method::Auto,
        Method::Adams,
        Method::Dopri5,
    ] {
        for tol in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9] {
            let run = ready.run(method, tol, 0.03, &mut Unwatched);
            let errors = angles(&run.state.q).into_iter().zip(REFERENCE).map(|(a, b)| (a - b).abs());
            let ratio = errors.fold(0.0, f64::max) / tol;
            println!("{:9} {tol:.0e}: {ratio:6.2} times the tolerance", method.name());
            worst = worst.max(ratio);
        }
    }
    assert!(worst <= 100.0, "{worst}");
}
