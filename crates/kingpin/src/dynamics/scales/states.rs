//! Errors of states of all bodies, as explicit methods ask for them.

use super::{Four, Yardstick, natural, worse};
use crate::integrate::ErrorMeasure;

/// States that differ by less than this part of the tolerance differ by rounding.
const APART: f64 = 1e-6;

impl Yardstick {
    /// Of the parts of a difference of states y = (q, v) that belong to a body.
    fn of_body(&self, y: &[f64], body: usize) -> Four {
        let ((q, v), node) = (self.halves(y), &self.nodes[body]);
        // a small difference of Euler parameters is half an angle
        let double = if self.d == 3 { 2.0 } else { 1.0 };
        Self::lengths(node, &q[node.q()], &v[node.v()], double)
    }

    fn halves<'a>(&self, y: &'a [f64]) -> (&'a [f64], &'a [f64]) {
        y.split_at(self.nodes.coordinates())
    }
}

/// States are y = (q, v) of all bodies.
impl ErrorMeasure for Yardstick {
    fn dim(&self) -> usize {
        self.nodes.coordinates() + self.nodes.velocities()
    }

    fn relative(&self) -> f64 {
        self.rtol
    }

    fn worst(&self, h: f64, [a, b]: [&[f64]; 2], y1: &[f64], f: fn(f64, f64) -> f64) -> f64 {
        let scales = self.standing();
        let (q, v) = self.halves(y1);
        let mut worst = 0.0;
        for part in 0..self.parts.len() {
            let allowed = self.allowed(&scales, part, h, q, v);
            let of_body = |body: usize| {
                let (a, b) = (self.of_body(a, body), self.of_body(b, body));
                let allowed = self.arms.allowed(body, allowed);
                // what is no error is none where nothing is allowed
                let part = |x: f64, allowed: f64| if x == 0.0 { 0.0 } else { x / allowed };
                let each = |a: f64, b: f64, allowed: f64| f(part(a, allowed), part(b, allowed));
                let all = [
                    each(a.position, b.position, allowed.position),
                    each(a.angle, b.angle, allowed.angle),
                    each(a.velocity, b.velocity, allowed.velocity),
                    each(a.angular_velocity, b.angular_velocity, allowed.angular_velocity),
                ];
                all.into_iter().fold(0.0, worse)
            };
            worst = worse(worst, self.worst_of(part, &of_body));
        }
        worst
    }

    fn ratio(&self, df: &[f64], dy: &[f64], y: &[f64]) -> f64 {
        let scales = self.standing();
        let (q, v) = self.halves(y);
        let mut most = 0.0f64;
        for part in 0..self.parts.len() {
            let allowed = self.allowed(&scales, part, f64::INFINITY, q, v);
            let of = |x: &[f64], body| self.of_body(x, body).over(self.arms.allowed(body, allowed));
            let size = |x: &[f64]| self.worst_of(part, &|body| of(x, body));
            let apart = size(dy);
            if apart > APART {
                most = most.max(size(df) / apart);
            }
        }
        most
    }

    fn natural_time(&self, y: &[f64], f: &[f64]) -> Option<f64> {
        let scales = self.standing();
        let (q, v) = self.halves(y);
        let mut least = f64::INFINITY;
        for part in (0..self.parts.len()).filter(|&part| !self.is_state(part)) {
            let reach = scales.parts[part].reach.max(self.instant(&scales, part, q, v).reach);
            let mut scale = natural(scales.parts[part].size, reach);
            if scale.position == 0.0 {
                scale.position = scales.parts[part].size;
            }
            if scale.angle == 0.0 {
                scale.angle = 1.0;
            }
            for &body in self.parts.of(part) {
                let rate = self.of_body(f, body);
                least = least.min(scale.position / rate.position).min(scale.angle / rate.angle);
                least = least.min((scale.position / rate.velocity).sqrt());
                least = least.min((scale.angle / rate.angular_velocity).sqrt());
            }
        }
        (least.is_finite() && least > 0.0).then_some(least)
    }
}
