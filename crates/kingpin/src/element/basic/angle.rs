//! Angle about an axis, counted over full turns: atan2 of two dot-1 products, whose derivatives go through the chain rule
//! of two inner functions; in the plane the difference of two coordinates.

use super::dot1::Dot1;
use super::jet::{First, Jet, Outer2};
use crate::scalar::Scalar;
use crate::spatial::{BodyState, Coords, Pose, V3};
use std::f64::consts::TAU;

/// Angle from the x axis of frame i to the x axis of frame j about the z axis of frame i.
///
/// Planar: angle of j minus angle of i plus an offset. Spatial: atan2(y_i . x_j, x_i . x_j), which is the joint
/// angle where the z axes are parallel; the turn nearest to the reference angle `turns[slot]` is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle {
    /// Bodies i and j.
    pub bodies: [usize; 2],
    /// x axis of frame i on body i.
    pub x_i: V3,
    /// y axis of frame i on body i.
    pub y_i: V3,
    /// x axis of frame j on body j.
    pub x_j: V3,
    /// Added to the angle (planar: the angles of the frames on their bodies).
    pub offset: f64,
    /// Place of the reference angle in the list of turns.
    pub slot: usize,
}

/// The representative of `angle` modulo a full turn that is nearest to `reference`.
pub fn nearest_turn(angle: f64, reference: f64) -> f64 {
    angle + TAU * ((reference - angle) / TAU).round()
}

impl Angle {
    fn sine(&self) -> Dot1 {
        Dot1 { bodies: self.bodies, a: self.y_i, b: self.x_j }
    }
    fn cosine(&self) -> Dot1 {
        Dot1 { bodies: self.bodies, a: self.x_i, b: self.x_j }
    }
    fn reference(&self, turns: &[f64]) -> f64 {
        turns.get(self.slot).copied().unwrap_or(0.0)
    }
    fn counted(&self, wrapped: f64, turns: &[f64]) -> f64 {
        nearest_turn(wrapped + self.offset, self.reference(turns))
    }

    /// The definition.
    pub fn value<C: Coords, T: Scalar>(&self, poses: [&Pose<T>; 2], turns: &[f64]) -> T {
        if C::D == 2 {
            return poses[1].p[0] - poses[0].p[0] + T::from_f64(self.offset);
        }
        let wrapped = self.sine().value::<C, T>(poses).atan2(self.cosine().value::<C, T>(poses));
        wrapped + T::from_f64(self.counted(wrapped.value(), turns) - wrapped.value())
    }

    /// Value, row, curvature.
    #[inline]
    pub fn first<C: Coords>(&self, bodies: [&BodyState; 2], turns: &[f64]) -> First {
        if C::D == 2 {
            let value = bodies[1].p[0] - bodies[0].p[0] + self.offset;
            let none = [0.0; 3];
            let row = First::row::<C>(&none, &[-1.0, 0.0, 0.0], &none, &[1.0, 0.0, 0.0]);
            return First { value, row, curvature: 0.0 };
        }
        // row = f_s s_v + f_c c_v; no derivative by r, since directions have none
        let (s, c) = (self.sine().first::<C>(bodies), self.cosine().first::<C>(bodies));
        let (sdot, cdot) = (s.rate::<C>(bodies), c.rate::<C>(bodies));
        let o = atan2_derivatives(s.value, c.value);
        let mut row = [[0.0; 6]; 2];
        for a in 0..2 {
            for k in C::D..C::NV {
                row[a][k] = o.d1[0] * s.row[a][k] + o.d1[1] * c.row[a][k];
            }
        }
        // f'' = f_s s'' + f_c c'' + f_ss s'^2 + 2 f_sc s' c' + f_cc c'^2
        let curvature = o.d1[0] * s.curvature
            + o.d1[1] * c.curvature
            + o.d2[0] * sdot * sdot
            + 2.0 * o.d2[1] * sdot * cdot
            + o.d2[2] * cdot * cdot;
        First { value: self.counted(o.f, turns), row, curvature }
    }

    /// Derivatives in coordinates.
    pub fn jet<C: Coords>(&self, bodies: [&BodyState; 2], turns: &[f64], hessian: bool, jet: &mut Jet) {
        if C::D == 2 {
            *jet = Jet::default();
            jet.value = bodies[1].p[0] - bodies[0].p[0] + self.offset;
            jet.rate = bodies[1].pdot[0] - bodies[0].pdot[0];
            jet.grad[C::D] = -1.0;
            jet.grad[C::NQ + C::D] = 1.0;
            return;
        }
        let mut c = Jet::default();
        self.cosine().jet::<C>(bodies, hessian, &mut c);
        self.sine().jet::<C>(bodies, hessian, jet);
        let o = atan2_derivatives(jet.value, c.value);
        jet.chain2::<C>(&c, &o, hessian);
        jet.value = self.counted(o.f, turns);
    }
}

/// atan2(s, c) with its derivatives in s and c. It is harmonic, f_ss + f_cc = 0, so four third derivatives are two numbers;
/// the lengths of the vectors cancel, so nothing assumes s^2 + c^2 = 1.
fn atan2_derivatives(s: f64, c: f64) -> Outer2 {
    let n = s * s + c * c;
    let (n2, n3) = (n * n, n * n * n);
    let (sss, ssc) = ((6.0 * s * s * c - 2.0 * c * c * c) / n3, (6.0 * s * c * c - 2.0 * s * s * s) / n3);
    let sc = (s * s - c * c) / n2;
    Outer2 {
        f: s.atan2(c),
        d1: [c / n, -s / n],
        d2: [-2.0 * s * c / n2, sc, 2.0 * s * c / n2],
        d3: [sss, ssc, -sss, -ssc],
    }
}
