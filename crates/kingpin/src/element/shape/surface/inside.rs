//! What lies inside of what.

use super::Triangles;
use super::shells::Shell;
use crate::model::value::Vec3;
use std::f64::consts::PI;

/// Places of a shell that are looked for inside of another.
const SAMPLES: usize = 16;

impl Triangles {
    /// Whether one shell lies inside of another; shells may touch, but not go through each other.
    pub(super) fn contains(&self, outer: &Shell, inner: &Shell) -> bool {
        let inside = |k: usize| outer.low[k] <= inner.low[k] && inner.high[k] <= outer.high[k];
        if !(0..3).all(inside) {
            return false;
        }
        // the place that says it most clearly: some may lie on the other shell
        let step = inner.triangles.len().div_ceil(SAMPLES);
        let windings = inner.triangles.iter().step_by(step).map(|&k| {
            let [a, b, c] = self.corners(&self.triangles[k]);
            self.winding(outer, (a + b + c) / 3.0).abs()
        });
        let clear = |w: &f64| (w - 0.5).abs();
        windings.max_by(|a, b| clear(a).total_cmp(&clear(b))).is_some_and(|winding| winding > 0.5 + 1e-6)
    }

    /// How often a shell winds around a place: the solid angles of its triangles over that of a sphere
    /// [Van Oosterom and Strackee 1983, Eq 8].
    fn winding(&self, shell: &Shell, place: Vec3) -> f64 {
        let angle = |&k: &usize| {
            let [a, b, c] = self.corners(&self.triangles[k]).map(|corner| corner - place);
            let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * a.dot(&b.cross(&c)).atan2(below)
        };
        shell.triangles.iter().map(angle).sum::<f64>() / (4.0 * PI)
    }
}
