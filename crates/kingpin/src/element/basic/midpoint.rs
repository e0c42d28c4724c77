//! Component of the midpoint of two points along a fixed direction: what mass that two points share moves with.

use super::jet::{First, Jet};
use crate::scalar::Scalar;
use crate::spatial::coords::point;
use crate::spatial::{BodyState, Coords, Pose, V3, add, dot, scale};

/// e . (p_i + p_j) / 2 with p_i the point s_i of body i, p_j the point s_j of body j and e fixed in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Midpoint {
    /// Bodies i and j.
    pub bodies: [usize; 2],
    /// Points on body i and body j.
    pub s: [V3; 2],
    /// The direction.
    pub e: V3,
}

impl Midpoint {
    /// The definition.
    pub fn value<C: Coords, T: Scalar>(&self, [pi, pj]: [&Pose<T>; 2]) -> T {
        let (si, sj) = (C::rotate(&pi.p, &self.s[0]), C::rotate(&pj.p, &self.s[1]));
        let mut sum = T::zero();
        for k in 0..C::D {
            sum += (pi.r[k] + si[k] + pj.r[k] + sj[k]).scale(0.5 * self.e[k]);
        }
        sum
    }

    /// Value, row, curvature: the points turn about their bodies, the direction does not.
    #[inline]
    pub fn first<C: Coords>(&self, [bi, bj]: [&BodyState; 2]) -> First {
        let ([si, sj], e) = (&self.s, scale(0.5, &self.e));
        let curve = add(&C::spin2(&bi.a, &bi.w, si), &C::spin2(&bj.a, &bj.w, sj));
        First {
            value: dot(&e, &add(&point::<C>(bi, si), &point::<C>(bj, sj))),
            row: First::row::<C>(&e, &C::moment(&bi.a, si, &e), &e, &C::moment(&bj.a, sj, &e)),
            curvature: dot(&e, &curve),
        }
    }

    /// Derivatives in coordinates: linear in places, and each end by itself in rotations.
    pub fn jet<C: Coords>(&self, bodies: [&BodyState; 2], hessian: bool, jet: &mut Jet) {
        let e = scale(0.5, &self.e);
        *jet = Jet::default();
        for (a, b) in bodies.into_iter().enumerate() {
            let (at, s) = (a * C::NQ, &self.s[a]);
            let (d1, d2, d3) = (C::d1(&b.p, s), C::d2(&b.p, s, &b.pdot), C::d3(&b.p, s, &b.pdot));
            jet.value += dot(&e, &point::<C>(b, s));
            jet.grad[at..at + C::D].copy_from_slice(&e[..C::D]);
            jet.rate += dot(&e, &b.rdot);
            for l in 0..C::K {
                let of = |m: &[[f64; 4]; 3]| (0..C::D).map(|k| m[k][l] * e[k]).sum::<f64>();
                let turn = at + C::D + l;
                (jet.grad[turn], jet.grad_rate[turn], jet.grad_curvature[turn]) = (of(&d1), of(&d2), of(&d3));
                jet.rate += jet.grad[turn] * b.pdot[l];
                jet.curvature += jet.grad_rate[turn] * b.pdot[l];
            }
            if hessian {
                let bent = C::d2f(&b.p, s, &e);
                for k in 0..C::K {
                    let row = &mut jet.hessian[at + C::D + k];
                    row[at + C::D..at + C::NQ].copy_from_slice(&bent[k][..C::K]);
                }
            }
        }
    }
}
