//! Distance of two points.

use super::arrow::{Arrow, inner};
use super::jet::{First, Jet, Outer1};
use crate::scalar::Scalar;
use crate::spatial::coords::gap;
use crate::spatial::{BodyState, Coords, Pose, V3, dot, scale};

/// |d| with d from point s_i of body i to point s_j of body j; not differentiable where the points meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Bodies i and j.
    pub bodies: [usize; 2],
    /// Points on body i and body j.
    pub s: [V3; 2],
}

impl Separation {
    /// The definition.
    pub fn value<C: Coords, T: Scalar>(&self, [pi, pj]: [&Pose<T>; 2]) -> T {
        let (si, sj) = (C::rotate(&pi.p, &self.s[0]), C::rotate(&pj.p, &self.s[1]));
        let mut sum = T::zero();
        for k in 0..C::D {
            let d = pj.r[k] + sj[k] - pi.r[k] - si[k];
            sum += d * d;
        }
        sum.sqrt()
    }

    /// Value, row, curvature: l'' = (d' . d' - l'^2) / l + u . d'', u = d / l.
    #[inline]
    pub fn first<C: Coords>(&self, [bi, bj]: [&BodyState; 2]) -> First {
        let (d, rate, curve) = gap::<C>(bi, &self.s[0], bj, &self.s[1]);
        let length = dot(&d, &d).sqrt();
        let u = scale(1.0 / length, &d);
        let speed = dot(&u, &rate);
        let turn_i = scale(-1.0, &C::moment(&bi.a, &self.s[0], &u));
        First {
            value: length,
            row: First::row::<C>(&scale(-1.0, &u), &turn_i, &u, &C::moment(&bj.a, &self.s[1], &u)),
            curvature: (dot(&rate, &rate) - speed * speed) / length + dot(&u, &curve),
        }
    }

    /// Derivatives in coordinates: those of d . d, then of the square root.
    pub fn jet<C: Coords>(&self, bodies: [&BodyState; 2], hessian: bool, jet: &mut Jet) {
        let d = Arrow { alpha: 1.0, s: [scale(-1.0, &self.s[0]), self.s[1]] };
        inner::<C>(bodies, &d, &d, hessian, jet);
        let l = jet.value.sqrt();
        let l3 = l * l * l;
        jet.chain1::<C>(&Outer1 { f: l, d: [0.5 / l, -0.25 / l3, 0.375 / (l3 * l * l)] }, hessian);
    }
}
