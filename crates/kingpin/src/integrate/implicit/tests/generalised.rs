//! The generalised-alpha method: what it damps, and how its errors follow the tolerance.

use super::*;

/// Of what oscillates faster than the steps as much is left in a step as the radius says.
#[test]
fn a_spectral_radius_is_what_is_left_in_a_step() {
    let position = |radius: f64, steps: i32| {
        let control = Control { radius, ..Control::fixed(1.0) };
        let mut s = implicit::<Gen>(control, 1e-14, &[1.0, 0.0], f64::from(steps));
        run(&mut s, &mut Undamped)[0]
    };
    for radius in [0.5f64, 0.8, 0.9] {
        // the eigenvalue is threefold, so positions are its powers times a square function of the steps
        let [a, b, c, d] = [20, 30, 40, 50].map(|steps| position(radius, steps) / radius.powi(steps));
        assert!((d - a - 3.0 * (c - b)).abs() < 1e-2 * d.abs(), "{radius}: {a} {b} {c} {d}");
    }
    assert!(position(0.0, 6).abs() < 1e-6 && (position(1.0, 120).abs() - 1.0).abs() < 1e-2);
}

/// Slow oscillations lose (h w)^4 ((1 - r) / (1 + r))^3 / 2 of their amplitude in a step.
#[test]
fn slow_oscillations_lose_the_fourth_power_of_the_step() {
    for radius in [0.0, 0.5, 0.8] {
        // w h = 0.1; from the second hundred of steps on, when the start is forgotten
        let mut s = implicit::<Gen>(Control { radius, ..Control::fixed(1e-6) }, 1e-14, &[1.0, 0.0], 3e-4);
        let mut amplitudes = Vec::new();
        integrate(&mut s, &mut Undamped, 10_000, |s, _| {
            amplitudes.push(s.state()[0].hypot(1e-5 * s.state()[1]));
            ControlFlow::Continue(())
        })
        .unwrap();
        let most = |part: &[f64]| part.iter().fold(0.0, |m: f64, a| m.max(*a));
        let lost = 1.0 - (most(&amplitudes[189..252]) / most(&amplitudes[63..126])).powf(1.0 / 126.0);
        let expected = 0.5e-4 * ((1.0 - radius) / (1.0 + radius)).powi(3);
        assert!((lost / expected - 1.0).abs() < 0.1, "{radius}: {lost:e} instead of {expected:e}");
    }
}

/// Errors fall as fast as the tolerance, and with steps that change size as with fixed ones.
#[test]
fn generalised_alpha_controls_its_error() {
    let error = |tolerance: f64, radius: f64| {
        let control = Control { radius, ..Control::default() };
        let mut s = implicit::<Gen>(control, tolerance, &Forced::exact(0.0), 3.0);
        let end = run(&mut s, &mut Forced);
        (distance(&end, &Forced::exact(3.0)), s.statistics().steps)
    };
    for radius in [0.0, 0.5, 0.8, 1.0] {
        let [loose, medium, tight] = [1e-3, 1e-5, 1e-7].map(|tolerance| error(tolerance, radius));
        for (tolerance, (error, _)) in [(1e-3, loose), (1e-5, medium), (1e-7, tight)] {
            println!("{radius}: {error:e} at {tolerance:e}");
            assert!(error < 30.0 * tolerance, "{radius}: {error:e} at {tolerance:e}");
        }
        // a hundredth of the error takes ten times the steps
        let growth = tight.1 as f64 / medium.1 as f64;
        assert!((8.0..12.0).contains(&growth), "{radius}: {medium:?} {tight:?}");
    }
}
