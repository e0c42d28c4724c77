//! Coincident points: as many equations as space has dimensions.

use crate::scalar::Scalar;
use crate::spatial::coords::gap;
use crate::spatial::{BodyState, Coords, Pose, V3};

/// d = 0 with d from point s_i of body i to point s_j of body j.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coincide {
    /// Bodies i and j.
    pub bodies: [usize; 2],
    /// Points on body i and body j.
    pub s: [V3; 2],
}

impl Coincide {
    /// The definition.
    pub fn value<C: Coords, T: Scalar>(&self, [pi, pj]: [&Pose<T>; 2]) -> [T; 3] {
        let (si, sj) = (C::rotate(&pi.p, &self.s[0]), C::rotate(&pj.p, &self.s[1]));
        std::array::from_fn(|k| if k < C::D { pj.r[k] + sj[k] - pi.r[k] - si[k] } else { T::zero() })
    }

    /// The gap, its rate and its curvature.
    #[inline(always)]
    pub fn first<C: Coords>(&self, [bi, bj]: [&BodyState; 2]) -> (V3, V3, V3) {
        gap::<C>(bi, &self.s[0], bj, &self.s[1])
    }

    /// Row k of the Jacobian in velocities, for side a: sign of the translational part and the rotational part.
    #[inline]
    pub fn turn_row<C: Coords>(&self, a: usize, body: &BodyState, k: usize) -> V3 {
        let sign = if a == 0 { -1.0 } else { 1.0 };
        let mut e = [0.0; 3];
        e[k] = sign;
        C::moment(&body.a, &self.s[a], &e)
    }
}
