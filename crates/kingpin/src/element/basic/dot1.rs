//! Dot-1: product of a vector on each body.

use super::arrow::{Arrow, inner};
use super::jet::{First, Jet};
use crate::scalar::Scalar;
use crate::spatial::{BodyState, Coords, Pose, V3, dot};

/// a . b with a fixed to body i and b to body j.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot1 {
    /// Bodies i and j.
    pub bodies: [usize; 2],
    /// Vector on body i.
    pub a: V3,
    /// Vector on body j.
    pub b: V3,
}

impl Dot1 {
    /// The definition.
    pub fn value<C: Coords, T: Scalar>(&self, [pi, pj]: [&Pose<T>; 2]) -> T {
        let (a, b) = (C::rotate(&pi.p, &self.a), C::rotate(&pj.p, &self.b));
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// Value, row, curvature: (a . b)' = a' . b + a . b' with a' = A (w x a), and at zero accelerations
    /// (a . b)'' = a'' . b + 2 a' . b' + a . b'' with a'' = A (w x (w x a)).
    #[inline]
    pub fn first<C: Coords>(&self, [bi, bj]: [&BodyState; 2]) -> First {
        let (a, b) = (C::image(&bi.a, &self.a), C::image(&bj.a, &self.b));
        let (adot, bdot) = (C::spin(&bi.a, &bi.w, &self.a), C::spin(&bj.a, &bj.w, &self.b));
        let (addot, bddot) = (C::spin2(&bi.a, &bi.w, &self.a), C::spin2(&bj.a, &bj.w, &self.b));
        let none = [0.0; 3];
        First {
            value: dot(&a, &b),
            row: First::row::<C>(
                &none,
                &C::moment(&bi.a, &self.a, &b),
                &none,
                &C::moment(&bj.a, &self.b, &a),
            ),
            curvature: dot(&addot, &b) + 2.0 * dot(&adot, &bdot) + dot(&a, &bddot),
        }
    }

    /// Derivatives in coordinates.
    pub fn jet<C: Coords>(&self, bodies: [&BodyState; 2], hessian: bool, jet: &mut Jet) {
        let none = [0.0; 3];
        let (u, w) = (Arrow { alpha: 0.0, s: [self.a, none] }, Arrow { alpha: 0.0, s: [none, self.b] });
        inner::<C>(bodies, &u, &w, hessian, jet);
    }
}
