//! Dot-2: component of the gap between two points along a vector on the first body.

use super::arrow::{Arrow, inner};
use super::jet::{First, Jet};
use crate::scalar::Scalar;
use crate::spatial::coords::gap;
use crate::spatial::{BodyState, Coords, Pose, V3, dot, scale, sub};

/// a . d with a fixed to body i and d from point s_i of body i to point s_j of body j.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot2 {
    /// Bodies i and j.
    pub bodies: [usize; 2],
    /// Vector on body i.
    pub a: V3,
    /// Points on body i and body j.
    pub s: [V3; 2],
}

impl Dot2 {
    /// The definition.
    pub fn value<C: Coords, T: Scalar>(&self, [pi, pj]: [&Pose<T>; 2]) -> T {
        let a = C::rotate(&pi.p, &self.a);
        let (si, sj) = (C::rotate(&pi.p, &self.s[0]), C::rotate(&pj.p, &self.s[1]));
        let mut sum = T::zero();
        for k in 0..C::D {
            sum += a[k] * (pj.r[k] + sj[k] - pi.r[k] - si[k]);
        }
        sum
    }

    /// Value, row, curvature.
    #[inline]
    pub fn first<C: Coords>(&self, [bi, bj]: [&BodyState; 2]) -> First {
        let a = C::image(&bi.a, &self.a);
        let (d, rate, curve) = gap::<C>(bi, &self.s[0], bj, &self.s[1]);
        let (adot, addot) = (C::spin(&bi.a, &bi.w, &self.a), C::spin2(&bi.a, &bi.w, &self.a));
        let turn_i = sub(&C::moment(&bi.a, &self.a, &d), &C::moment(&bi.a, &self.s[0], &a));
        let turn_j = C::moment(&bj.a, &self.s[1], &a);
        First {
            value: dot(&a, &d),
            row: First::row::<C>(&scale(-1.0, &a), &turn_i, &a, &turn_j),
            curvature: dot(&addot, &d) + 2.0 * dot(&adot, &rate) + dot(&a, &curve),
        }
    }

    /// Derivatives in coordinates.
    pub fn jet<C: Coords>(&self, bodies: [&BodyState; 2], hessian: bool, jet: &mut Jet) {
        let u = Arrow { alpha: 0.0, s: [self.a, [0.0; 3]] };
        let w = Arrow { alpha: 1.0, s: [scale(-1.0, &self.s[0]), self.s[1]] };
        inner::<C>(bodies, &u, &w, hessian, jet);
    }
}
