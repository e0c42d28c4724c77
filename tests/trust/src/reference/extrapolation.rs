//! An integrator of its own: the modified midpoint rule, extrapolated (W. B. Gragg; R. Bulirsch and J. Stoer), to round-off.

/// Right side of y' = f(t, y).
pub type Rates<'a> = &'a dyn Fn(f64, &[f64], &mut [f64]);

/// Columns of the extrapolation: order 14.
const COLUMNS: usize = 7;
/// Relative error of a step, as estimated: that of the formula two orders below.
pub const FINE: f64 = 2e-13;

/// The solution at each of the times (ascending, from `t0` on). Steps end at them and at `edges`, where the right
/// side may have corners: it is evaluated only within the piece a step lies in.
pub fn solve(rates: Rates, (t0, y0): (f64, &[f64]), times: &[f64], edges: &[f64], tol: f64) -> Vec<Vec<f64>> {
    let mut y = y0.to_vec();
    let mut size: Vec<f64> = y.iter().map(|x| x.abs()).collect();
    // time, next step, and the error of a step that was refused just before
    let (mut t, mut h, mut refused) = (t0, f64::INFINITY, f64::INFINITY);
    let mut out = Vec::with_capacity(times.len());
    for &goal in times {
        while t < goal {
            let edge = edges.iter().copied().filter(|&e| e > t).fold(goal, f64::min);
            let far = edge - t;
            let step = if h >= 0.999 * far { far } else { h.min(0.5 * far.max(h)) };
            let (next, error) = extrapolated(rates, t, step, edge, &y, &size, tol);
            let factor = 0.9 * error.max(1e-12).powf(-1.0 / (2 * COLUMNS - 1) as f64);
            // what a smaller step does not make better is round-off
            if error <= 1.0 || (error < 10.0 && error > 0.7 * refused) {
                y = next;
                size.iter_mut().zip(&y).for_each(|(size, x)| *size = size.max(x.abs()));
                t = if step == far { edge } else { t + step };
                h = if h.is_finite() && step == far && far < h { h } else { step * factor.clamp(0.2, 3.0) };
                refused = f64::INFINITY;
            } else {
                h = step * factor.clamp(0.1, 0.7);
                refused = error;
                assert!(h > 1e-15 * t.abs(), "the reference does not converge at t = {t}");
            }
        }
        out.push(y.clone());
    }
    out
}

/// One step; its result and its error in tolerances.
fn extrapolated(
    rates: Rates,
    t: f64,
    step: f64,
    edge: f64,
    y: &[f64],
    size: &[f64],
    tol: f64,
) -> (Vec<f64>, f64) {
    // rows of Neville's scheme in the square of the step: the one before, and the new one
    let (mut old, mut new): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for row in 0..COLUMNS {
        let parts = 2 * (row + 1);
        new.clear();
        new.push(midpoint(rates, t, step, edge, y, parts));
        for k in 1..=row {
            let ratio = (parts as f64 / (2 * (row - k + 1)) as f64).powi(2) - 1.0;
            let both = new[k - 1].iter().zip(&old[k - 1]);
            let better = both.map(|(new, old)| new + (new - old) / ratio).collect();
            new.push(better);
        }
        std::mem::swap(&mut old, &mut new);
    }
    let (best, next) = (&old[COLUMNS - 1], &old[COLUMNS - 2]);
    let largest = size.iter().copied().fold(0.0, f64::max);
    let mut error = 0.0_f64;
    for k in 0..y.len() {
        let scale = size[k].max(best[k].abs()).max(1e-6 * largest);
        let off = (best[k] - next[k]).abs() / (tol * scale).max(f64::MIN_POSITIVE);
        error = if off.is_nan() { f64::INFINITY } else { error.max(off) };
    }
    (old.swap_remove(COLUMNS - 1), error)
}

/// The modified midpoint rule without smoothing, in an even number of parts.
fn midpoint(rates: Rates, t: f64, step: f64, edge: f64, y: &[f64], parts: usize) -> Vec<f64> {
    let h = step / parts as f64;
    // never on the far side of an edge
    let inside = |k: usize| (t + k as f64 * h).min(edge - 1e-15 * edge.abs());
    let mut slope = vec![0.0; y.len()];
    rates(t + 1e-15 * t.abs(), y, &mut slope);
    let mut before = y.to_vec();
    let mut now: Vec<f64> = y.iter().zip(&slope).map(|(y, f)| y + h * f).collect();
    for k in 1..parts {
        rates(inside(k), &now, &mut slope);
        for ((before, now), f) in before.iter_mut().zip(&mut now).zip(&slope) {
            let next = *before + 2.0 * h * f;
            *before = *now;
            *now = next;
        }
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pendulum_against_elliptic_functions() {
        // released from the horizontal: sin(theta/2) = k sn(K - t, k), k^2 = 1/2
        let rates = |_: f64, y: &[f64], f: &mut [f64]| (f[0], f[1]) = (y[1], -y[0].sin());
        let start = [std::f64::consts::FRAC_PI_2, 0.0];
        let times: Vec<f64> = (0..=40).map(f64::from).collect();
        for (t, y) in times.iter().zip(solve(&rates, (0.0, &start), &times, &[], FINE)) {
            let k = crate::reference::jacobi::complete(0.5);
            let (sn, ..) = crate::reference::jacobi::sn_cn_dn(k - t, 0.5);
            let right = 2.0 * (0.5_f64.sqrt() * sn).asin();
            assert!((y[0] - right).abs() < 1e-11, "{t}: {} {right}", y[0]);
        }
    }

    #[test]
    fn corners_at_edges_do_no_harm() {
        let rates =
            |t: f64, _: &[f64], f: &mut [f64]| f[0] = if (0.7..0.71).contains(&t) { 100.0 } else { 0.0 };
        let y = solve(&rates, (0.0, &[0.0]), &[0.5, 2.0], &[0.7, 0.71], FINE);
        assert!(y[0][0] == 0.0 && (y[1][0] - 1.0).abs() < 1e-13, "{y:?}");
    }

    #[test]
    fn stiff_decay() {
        let rates = |t: f64, y: &[f64], f: &mut [f64]| f[0] = -1e4 * (y[0] - t.sin()) + t.cos();
        let y = solve(&rates, (0.0, &[1.0]), &[1.0], &[], FINE);
        assert!((y[0][0] - 1.0_f64.sin()).abs() < 1e-12, "{y:?}");
    }
}
