//! Elementary motions: motion subspace, bias and rates from the Cartesian states of two bodies.

use super::{Articulation, MOTIONS};
use crate::spatial::coords::{gap, point};
use crate::spatial::{BodyState, Coords, V3, add, apply, apply_t, cross, dot, euler, scale, sub};

/// What a motion does with its axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MotionKind {
    /// Turns about it.
    Turn,
    /// Slides along it.
    Slide,
    /// Turns about it and slides by `lead` per radian, starting from `base` at angle zero.
    Screw {
        /// Displacement per radian.
        lead: f64,
        /// Displacement at angle zero.
        base: f64,
    },
    /// Turns any way: three rates, four Euler parameters.
    Ball,
}

impl MotionKind {
    /// Rates: columns of H.
    pub fn freedoms(self) -> usize {
        if self == MotionKind::Ball { 3 } else { 1 }
    }

    /// Numbers its coordinates take.
    pub fn coordinates(self) -> usize {
        if self == MotionKind::Ball { 4 } else { 1 }
    }
}

/// The body an axis is fixed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The inboard body.
    Inboard,
    /// The outboard body.
    Outboard,
}

/// One elementary motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotion {
    /// What it does.
    pub kind: MotionKind,
    /// The body its axis is fixed to.
    pub side: Side,
    /// Its axis, of length one, in the axes of that body.
    pub axis: V3,
    /// Its place among the motions from the first body of the joint to the second.
    pub number: u8,
    /// Turns: a vector across the axis on the inboard body, from which the angle is counted ...
    pub(super) from: V3,
    /// ... to this vector on the outboard body.
    pub(super) to: V3,
}

impl JointMotion {
    /// No motion: room in an array.
    pub(super) const NONE: JointMotion = JointMotion {
        kind: MotionKind::Slide,
        side: Side::Inboard,
        axis: [0.0; 3],
        number: 0,
        from: [0.0; 3],
        to: [0.0; 3],
    };

    /// The motion from the other end: opposite axis, same coordinate.
    pub(super) fn reverse(&self) -> JointMotion {
        let side = match self.side {
            Side::Inboard => Side::Outboard,
            Side::Outboard => Side::Inboard,
        };
        // the angle from `to` back to `from` about the opposite axis is the same angle
        JointMotion { side, axis: self.axis.map(|x| -x), from: self.to, to: self.from, ..*self }
    }

    /// The axis in global axes.
    #[inline]
    fn direction(&self, inboard: &BodyState, outboard: &BodyState) -> V3 {
        match self.side {
            Side::Inboard => apply(&inboard.a, &self.axis),
            Side::Outboard => apply(&outboard.a, &self.axis),
        }
    }

    /// The angle of a turn between minus and plus half a turn.
    pub(super) fn angle(&self, inboard: &BodyState, outboard: &BodyState) -> f64 {
        let g = self.direction(inboard, outboard);
        let (from, to) = (apply(&inboard.a, &self.from), apply(&outboard.a, &self.to));
        dot(&g, &cross(&from, &to)).atan2(dot(&from, &to))
    }
}

/// Angular velocity in global axes.
#[inline]
pub(super) fn spin<C: Coords>(body: &BodyState) -> V3 {
    if C::D == 2 { [0.0, 0.0, body.w[0]] } else { apply(&body.a, &body.w) }
}

/// A global turning vector as rotation velocities of a body.
#[inline]
pub(super) fn own<C: Coords>(body: &BodyState, g: &V3) -> V3 {
    if C::D == 2 { [g[2], 0.0, 0.0] } else { apply_t(&body.a, g) }
}

/// A velocity of a body out of its two halves.
#[inline]
fn column<C: Coords>(r: &V3, w: &V3) -> [f64; 6] {
    let mut out = [0.0; 6];
    out[..C::D].copy_from_slice(&r[..C::D]);
    out[C::D..C::NV].copy_from_slice(&w[..C::M]);
    out
}

/// What H, c and the rates share.
struct JointInstant {
    /// Gap of the joint points and its rate.
    d: V3,
    rate: V3,
    /// Angular velocities in global axes.
    spin_in: V3,
    spin_out: V3,
    /// The axes in global axes.
    g: [V3; MOTIONS],
}

impl Articulation {
    #[inline]
    fn instant<C: Coords>(&self, inboard: &BodyState, outboard: &BodyState) -> JointInstant {
        let (d, rate, _) = gap::<C>(inboard, &self.point_in, outboard, &self.point_out);
        let mut g = [[0.0; 3]; MOTIONS];
        for (g, motion) in g.iter_mut().zip(self.motions()) {
            *g = motion.direction(inboard, outboard);
        }
        JointInstant { d, rate, spin_in: spin::<C>(inboard), spin_out: spin::<C>(outboard), g }
    }

    /// H: one column per freedom, in the velocities of the outboard body (r' global, w in its own axes; planar
    /// x', y', angle'); the first `freedoms` columns are filled, `C::NV` numbers each. About 20 flops a column.
    pub fn subspace<C: Coords>(&self, inboard: &BodyState, outboard: &BodyState, h: &mut [[f64; 6]]) {
        // from the point where the motions have led so far to the centre of mass
        let mut arm = sub(&outboard.r, &point::<C>(inboard, &self.point_in));
        let d = gap::<C>(inboard, &self.point_in, outboard, &self.point_out).0;
        let mut k = 0;
        for motion in self.motions() {
            let g = motion.direction(inboard, outboard);
            match motion.kind {
                MotionKind::Turn => h[k] = column::<C>(&cross(&g, &arm), &own::<C>(outboard, &g)),
                MotionKind::Slide => {
                    h[k] = column::<C>(&g, &[0.0; 3]);
                    arm = sub(&arm, &scale(dot(&g, &d), &g));
                }
                MotionKind::Screw { lead, .. } => {
                    let r = add(&cross(&g, &arm), &scale(lead, &g));
                    h[k] = column::<C>(&r, &own::<C>(outboard, &g));
                }
                MotionKind::Ball => {
                    // axes of the outboard body; the identity below
                    for j in 0..3 {
                        let axis = [outboard.a[0][j], outboard.a[1][j], outboard.a[2][j]];
                        let mut w = [0.0; 3];
                        w[j] = 1.0;
                        h[k + j] = column::<C>(&cross(&axis, &arm), &w);
                    }
                }
            }
            k += motion.kind.freedoms();
        }
    }

    /// c: the acceleration of the outboard body, as v' is, where those of the inboard body and of the joint
    /// coordinates vanish. About 100 flops.
    ///
    /// From the inboard centre of mass outward, motion by motion: w and alpha of the frame reached so far, a of its origin.
    pub fn bias<C: Coords>(&self, inboard: &BodyState, outboard: &BodyState) -> [f64; 6] {
        let now = self.instant::<C>(inboard, outboard);
        let turn = sub(&now.spin_out, &now.spin_in);
        let (mut w, mut alpha) = (now.spin_in, [0.0; 3]);
        let arm = apply(&inboard.a, &self.point_in);
        let mut a = cross(&w, &cross(&w, &arm));
        for (motion, g) in self.motions().iter().zip(&now.g) {
            // along a line of a turning frame: alpha x s + w x (w x s) + 2 w x s'
            let slide = |along: &V3, rate: &V3, a: &mut V3| {
                let pull = add(&cross(&alpha, along), &cross(&w, &cross(&w, along)));
                *a = add(a, &add(&pull, &scale(2.0, &cross(&w, rate))));
            };
            match motion.kind {
                MotionKind::Slide => {
                    let (q, s) = (dot(g, &now.d), self.slide_rate(motion, g, &now));
                    slide(&scale(q, g), &scale(s, g), &mut a);
                }
                MotionKind::Turn => {
                    let s = scale(dot(g, &turn), g);
                    alpha = add(&alpha, &cross(&w, &s));
                    w = add(&w, &s);
                }
                MotionKind::Screw { lead, .. } => {
                    let s = dot(g, &turn);
                    slide(&scale(dot(g, &now.d), g), &scale(lead * s, g), &mut a);
                    alpha = add(&alpha, &cross(&w, &scale(s, g)));
                    w = add(&w, &scale(s, g));
                }
                MotionKind::Ball => {
                    alpha = add(&alpha, &cross(&w, &turn));
                    w = add(&w, &turn);
                }
            }
        }
        // from the joint to the outboard centre of mass
        let arm = apply(&outboard.a, &self.point_out);
        a = sub(&a, &add(&cross(&alpha, &arm), &cross(&w, &cross(&w, &arm))));
        column::<C>(&a, &own::<C>(outboard, &alpha))
    }

    #[inline]
    fn slide_rate(&self, motion: &JointMotion, g: &V3, now: &JointInstant) -> f64 {
        let with = if motion.side == Side::Inboard { &now.spin_in } else { &now.spin_out };
        dot(g, &sub(&now.rate, &cross(with, &now.d)))
    }

    /// The rates s of the joint coordinates, `freedoms` of them.
    pub fn rates<C: Coords>(&self, inboard: &BodyState, outboard: &BodyState, s: &mut [f64]) {
        let now = self.instant::<C>(inboard, outboard);
        let turn = sub(&now.spin_out, &now.spin_in);
        let mut k = 0;
        for (motion, g) in self.motions().iter().zip(&now.g) {
            match motion.kind {
                MotionKind::Turn | MotionKind::Screw { .. } => s[k] = dot(g, &turn),
                MotionKind::Slide => s[k] = self.slide_rate(motion, g, &now),
                MotionKind::Ball => s[k..k + 3].copy_from_slice(&own::<C>(outboard, &turn)),
            }
            k += motion.kind.freedoms();
        }
    }
}

/// X v: the velocity that the outboard body has when it moves with the inboard one.
#[inline]
pub fn transfer<C: Coords>(inboard: &BodyState, outboard: &BodyState, v: &[f64]) -> [f64; 6] {
    let (mut r, mut w) = ([0.0; 3], [0.0; 3]);
    r[..C::D].copy_from_slice(&v[..C::D]);
    w[..C::M].copy_from_slice(&v[C::D..C::NV]);
    let w = if C::D == 2 { [0.0, 0.0, w[0]] } else { apply(&inboard.a, &w) };
    let d = sub(&outboard.r, &inboard.r);
    column::<C>(&add(&r, &cross(&w, &d)), &own::<C>(outboard, &w))
}

/// X^T f: a force on the outboard body as one on the inboard body.
#[inline]
pub fn transfer_transposed<C: Coords>(inboard: &BodyState, outboard: &BodyState, f: &[f64]) -> [f64; 6] {
    let (mut r, mut w) = ([0.0; 3], [0.0; 3]);
    r[..C::D].copy_from_slice(&f[..C::D]);
    w[..C::M].copy_from_slice(&f[C::D..C::NV]);
    let w = if C::D == 2 { [0.0, 0.0, w[0]] } else { apply(&outboard.a, &w) };
    let d = sub(&outboard.r, &inboard.r);
    column::<C>(&r, &own::<C>(inboard, &add(&w, &cross(&d, &r))))
}

/// Euler parameters of a turn by an angle about an axis of length one.
pub(super) fn turned(axis: &V3, angle: f64) -> [f64; 4] {
    let (sin, cos) = (0.5 * angle).sin_cos();
    [cos, sin * axis[0], sin * axis[1], sin * axis[2]]
}

/// Euler parameters of the opposite rotation.
pub(super) fn back(p: &[f64; 4]) -> [f64; 4] {
    [p[0], -p[1], -p[2], -p[3]]
}

/// Product of rotations.
pub(super) fn then(a: &[f64; 4], b: &[f64; 4]) -> [f64; 4] {
    euler::product(a, b)
}
