//! Placement: the outboard body from the inboard one and joint coordinates, and back.

use super::motion::{MotionKind, Side, back, then, transfer, turned};
use super::{Articulation, COORDINATES, MOTIONS};
use crate::element::basic::nearest_turn;
use crate::spatial::coords::{gap, point};
use crate::spatial::{BodyState, Coords, V3, add, apply, dot, scale, sub};

impl Articulation {
    /// The joint coordinates at the states of the two bodies; angles are those nearest to `near`, in which the
    /// caller keeps the last values (`coordinates` numbers), so that they are counted over turns.
    pub fn read<C: Coords>(&self, inboard: &BodyState, outboard: &BodyState, near: &[f64], q: &mut [f64]) {
        let d = gap::<C>(inboard, &self.point_in, outboard, &self.point_out).0;
        let mut k = 0;
        for motion in self.motions() {
            match motion.kind {
                MotionKind::Slide => {
                    let body = if motion.side == Side::Inboard { inboard } else { outboard };
                    q[k] = dot(&apply(&body.a, &motion.axis), &d);
                }
                MotionKind::Turn | MotionKind::Screw { .. } if C::D == 2 => {
                    // angles of planar bodies are never wrapped
                    q[k] = motion.axis[2] * (outboard.p[0] - inboard.p[0] - self.zero_angle);
                }
                MotionKind::Turn | MotionKind::Screw { .. } => {
                    q[k] = nearest_turn(motion.angle(inboard, outboard), near[k]);
                }
                MotionKind::Ball => q[k..k + 4].copy_from_slice(&self.ball(inboard, outboard)),
            }
            k += motion.kind.coordinates();
        }
    }

    /// Euler parameters of the second frame of the joint in the first.
    fn ball(&self, inboard: &BodyState, outboard: &BodyState) -> [f64; 4] {
        let [a, b] = [then(&inboard.p, &self.frames[0]), then(&outboard.p, &self.frames[1])];
        if self.reversed { then(&back(&b), &a) } else { then(&back(&a), &b) }
    }

    /// The outboard body where the joint coordinates are `q` (`coordinates` numbers) and their rates `s`
    /// (`freedoms` numbers).
    pub fn place<C: Coords>(&self, inboard: &BodyState, q: &[f64], s: &[f64]) -> BodyState {
        let p = if C::D == 2 { self.planar_turn(inboard, q) } else { self.turn(inboard, q) };
        let still = [0.0; 3];
        let mut out = BodyState { r: still, p, a: C::matrix(&p), rdot: still, w: still, pdot: [0.0; 4] };
        let mut at = point::<C>(inboard, &self.point_in);
        let mut k = 0;
        for motion in self.motions() {
            let along = match motion.kind {
                MotionKind::Slide => q[k],
                MotionKind::Screw { lead, base } => base + lead * q[k],
                MotionKind::Turn | MotionKind::Ball => 0.0,
            };
            let body = if motion.side == Side::Inboard { inboard } else { &out };
            at = add(&at, &scale(along, &apply(&body.a, &motion.axis)));
            k += motion.kind.coordinates();
        }
        out.r = sub(&at, &C::image(&out.a, &self.point_out));
        self.move_along::<C>(inboard, s, &mut out);
        out
    }

    /// Sets the velocity of the placed outboard body: X v_in + H s.
    fn move_along<C: Coords>(&self, inboard: &BodyState, s: &[f64], out: &mut BodyState) {
        let mut v_in = [0.0; 6];
        v_in[..C::D].copy_from_slice(&inboard.rdot[..C::D]);
        v_in[C::D..C::NV].copy_from_slice(&inboard.w[..C::M]);
        let mut v = transfer::<C>(inboard, out, &v_in);
        let mut h = [[0.0; 6]; MOTIONS];
        self.subspace::<C>(inboard, out, &mut h);
        for (h, s) in h.iter().zip(&s[..self.freedoms()]) {
            v.iter_mut().zip(h).for_each(|(v, h)| *v += s * h);
        }
        out.rdot[..C::D].copy_from_slice(&v[..C::D]);
        out.w[..C::M].copy_from_slice(&v[C::D..C::NV]);
        out.pdot = C::rates(&out.p, &out.w);
    }

    /// The vector (axis times angle) that turns the first frame into the second, of the coordinates of a ball.
    pub fn rotation_vector(&self, q: &[f64; COORDINATES]) -> V3 {
        let sign = if q[0] < 0.0 { -1.0 } else { 1.0 };
        let e = q.map(|x| sign * x);
        let n = (e[1] * e[1] + e[2] * e[2] + e[3] * e[3]).sqrt();
        let k = if n > 1e-12 { 2.0 * n.atan2(e[0]) / n } else { 2.0 };
        [k * e[1], k * e[2], k * e[3]]
    }

    /// The coordinates of a ball of such a vector.
    pub fn ball_of(&self, vector: &V3) -> [f64; COORDINATES] {
        let n = dot(vector, vector).sqrt();
        let k = if n > 1e-12 { (0.5 * n).sin() / n } else { 0.5 };
        [(0.5 * n).cos(), k * vector[0], k * vector[1], k * vector[2]]
    }

    fn planar_turn(&self, inboard: &BodyState, q: &[f64]) -> [f64; 4] {
        let turns = self.motions().iter().zip(q).filter(|(m, _)| m.kind == MotionKind::Turn);
        let turned: f64 = turns.map(|(m, q)| m.axis[2] * q).sum();
        [inboard.p[0] + self.zero_angle + turned, 0.0, 0.0, 0.0]
    }

    fn turn(&self, inboard: &BodyState, q: &[f64]) -> [f64; 4] {
        if self.motions().iter().any(|m| m.kind == MotionKind::Ball) {
            let e = [q[0], q[1], q[2], q[3]];
            let e = if self.reversed { back(&e) } else { e };
            return then(&then(&then(&inboard.p, &self.frames[0]), &e), &back(&self.frames[1]));
        }
        // turns about axes of the inboard body, the constant rotation, turns about axes of the outboard body
        let (mut before, mut after) = (inboard.p, [1.0, 0.0, 0.0, 0.0]);
        for (motion, q) in self.motions().iter().zip(q) {
            if motion.kind == MotionKind::Slide {
                continue;
            }
            let turn = turned(&motion.axis, *q);
            match motion.side {
                Side::Inboard => before = then(&before, &turn),
                Side::Outboard => after = then(&after, &turn),
            }
        }
        then(&then(&before, &self.zero), &after)
    }
}
