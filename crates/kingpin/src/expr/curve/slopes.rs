//! Slopes of a monotone cubic.

use super::CurveError;

/// Slopes at the points.
pub(super) fn slopes(x: &[f64], y: &[f64]) -> Result<Vec<f64>, CurveError> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|p| p[1] - p[0]).collect();
    let secant: Vec<f64> = y.windows(2).zip(&h).map(|(p, h)| (p[1] - p[0]) / h).collect();
    if let Some(k) = (0..n - 1).find(|&k| !secant[k].is_finite() || !h[k].is_finite()) {
        return Err(CurveError::TooSteep(k));
    }
    // three-point slopes, zero at turning points
    let mut m = vec![0.0; n];
    for k in 1..n - 1 {
        let (a, b) = (secant[k - 1], secant[k]);
        if (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0) {
            let weight = h[k] / (h[k - 1] + h[k]);
            m[k] = weight * a + (1.0 - weight) * b;
        }
    }
    m[0] = end_slope(&h, &secant, 0, 1);
    m[n - 1] = end_slope(&h, &secant, n - 2, n.saturating_sub(3));
    // limit them interval by interval: (m0, m1) / secant into the circle of radius 3
    for k in 0..n - 1 {
        if secant[k] == 0.0 {
            (m[k], m[k + 1]) = (0.0, 0.0);
            continue;
        }
        let size = (m[k] / secant[k]).hypot(m[k + 1] / secant[k]);
        if size > 3.0 {
            m[k] *= 3.0 / size;
            m[k + 1] *= 3.0 / size;
        }
    }
    Ok(m)
}

/// Slope at an end: of the parabola through three points, not against the secant of the end interval.
fn end_slope(h: &[f64], secant: &[f64], end: usize, next: usize) -> f64 {
    if secant.len() < 2 {
        return secant[end];
    }
    let slope = secant[end] + (secant[end] - secant[next]) * (h[end] / (h[end] + h[next]));
    if slope.is_finite() && (slope < 0.0) == (secant[end] < 0.0) { slope } else { 0.0 }
}
