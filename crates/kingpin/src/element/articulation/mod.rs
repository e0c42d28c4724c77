//! Articulation: how a joint carries one body from another, as a tree joint of relative coordinates.
//!
//! An [`Articulation`] is an ordered list of elementary motions that lead from a point and frame of the inboard
//! body to a point and frame of the outboard body. With v = (r', w), the velocities of the library (r' of the
//! centre of mass in global axes, w in the axes of the body; in the plane x', y', angle'),
//!
//! ```text
//! v_out  = X v_in  + H s          s: rates of the joint coordinates, k of them
//! v_out' = X v_in' + H s' + c     X = [1, -d~ A_in; 0, A_out^T A_in],  d = r_out - r_in
//! ```
//!
//! H ([`Articulation::subspace`]) and c ([`Articulation::bias`]) are taken from the Cartesian states of the two
//! bodies, which must satisfy the joint: every axis is fixed to one of the bodies and the axes are orthonormal,
//! so that no angle is needed. No allocation, no dispatch but one `match` per motion.
//!
//! The coordinates are those that results show for the joint, from its first body to its second, whichever of
//! them is inboard. A ball has the four Euler parameters of the second frame in the first as coordinates, and
//! the angular velocity of the outboard body relative to the inboard one, in the axes of the outboard body, as
//! rates.

mod motion;
mod place;

pub use motion::{JointMotion, MotionKind, Side, transfer, transfer_transposed};

use super::compose::{Axis, Composer};
use super::place::Place;
use crate::model::value::Mat3;
use crate::spatial::{V3, euler};

/// Most motions of one articulation.
pub const MOTIONS: usize = 3;
/// Most coordinates of one articulation: three, or the four Euler parameters of a ball.
pub const COORDINATES: usize = 4;

/// How a joint carries its outboard body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Articulation {
    /// The inboard body; the number of bodies stands for ground.
    pub inboard: usize,
    /// The outboard body.
    pub outboard: usize,
    /// Point of the joint on the inboard body, from its centre of mass.
    pub point_in: V3,
    /// Point of the joint on the outboard body, from its centre of mass.
    pub point_out: V3,
    /// Whether the first body of the joint is outboard.
    pub reversed: bool,
    motions: [JointMotion; MOTIONS],
    count: u8,
    /// Frames on the inboard and outboard body as Euler parameters: they coincide where a ball is not turned.
    frames: [[f64; 4]; 2],
    /// Rotation of the outboard body in the inboard one where all angles are zero.
    zero: [f64; 4],
    /// The same in the plane, as an angle with its turns.
    zero_angle: f64,
}

/// A motion as joints describe it: along or about an axis of the first or the second frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// Turns about an axis of the first frame.
    Turn(Axis),
    /// Turns about an axis of the second frame.
    TurnSecond(Axis),
    /// Slides along an axis of the first frame.
    Slide(Axis),
    /// Turns about an axis of the first frame and slides along it by so much per radian.
    Screw(Axis, f64),
    /// Turns any way.
    Ball,
}

/// What the frames do where all angles of the joint are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// They coincide.
    Aligned,
    /// They are as in the given pose; in space only for the cross of a universal joint.
    AsGiven,
}

impl Articulation {
    /// The articulation of the joint at work, from its first body to its second.
    pub(super) fn compose(c: &Composer, steps: &[Move], zero: Zero) -> Option<Articulation> {
        let [first, second] = c.places?;
        let [a, b] = [&c.given.poses[first.body], &c.given.poses[second.body]];
        let turn = |p: &Place| p.c[(1, 0)].atan2(p.c[(0, 0)]);
        let mut zero_angle = turn(&first) - turn(&second);
        let mut relative = Mat3::identity();
        if zero == Zero::AsGiven && c.is_spatial() {
            relative = cross_in_given_pose(c, &first, &second);
        } else if zero == Zero::AsGiven {
            zero_angle = b.p[0] - a.p[0];
            let (sin, cos) = zero_angle.sin_cos();
            let turned = Mat3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0);
            relative = first.c.transpose() * turned * second.c;
        }
        // from the axes of the second body to those of the first
        let rotation = first.c * relative * second.c.transpose();
        let mut all = Articulation {
            inboard: first.body,
            outboard: second.body,
            point_in: first.s,
            point_out: second.s,
            reversed: false,
            motions: [JointMotion::NONE; MOTIONS],
            count: steps.len() as u8,
            frames: [euler::parameters(&first.c), euler::parameters(&second.c)],
            zero: euler::parameters(&rotation),
            zero_angle,
        };
        let column = |m: &Mat3, k: usize| -> V3 { m.column(k % 3).into_owned().into() };
        for (number, (motion, step)) in all.motions.iter_mut().zip(steps).enumerate() {
            *motion = match *step {
                Move::Ball => JointMotion { kind: MotionKind::Ball, ..JointMotion::NONE },
                Move::Slide(axis) => {
                    let axis = column(&first.c, axis as usize);
                    JointMotion { kind: MotionKind::Slide, side: Side::Inboard, axis, ..JointMotion::NONE }
                }
                Move::Turn(axis) | Move::Screw(axis, _) => {
                    let kind = match *step {
                        Move::Screw(_, lead) => MotionKind::Screw { lead, base: base(c, axis, lead) },
                        _ => MotionKind::Turn,
                    };
                    let k = axis as usize;
                    // the angle is seen on an axis that the other turns leave alone
                    let seen = if steps.contains(&Move::TurnSecond(axis)) {
                        first.c * relative.column(k)
                    } else {
                        first.c.column((k + 1) % 3).into_owned()
                    };
                    let to = (rotation.transpose() * seen).into();
                    let axis = column(&first.c, k);
                    JointMotion { kind, side: Side::Inboard, axis, from: seen.into(), to, number: 0 }
                }
                Move::TurnSecond(axis) => {
                    let k = axis as usize;
                    // beside a turn about the same axis of the first frame, the angle is seen on that axis
                    let from = if steps.contains(&Move::Turn(axis)) {
                        first.c.column(k).into_owned()
                    } else {
                        rotation * second.c.column((k + 1) % 3)
                    };
                    let to = (rotation.transpose() * from).into();
                    let axis = column(&second.c, k);
                    JointMotion {
                        kind: MotionKind::Turn,
                        side: Side::Outboard,
                        axis,
                        from: from.into(),
                        to,
                        number: 0,
                    }
                }
            };
            motion.number = number as u8;
        }
        Some(all)
    }

    /// The same joint with its bodies the other way round: the coordinates keep their meaning.
    pub fn reverse(&self) -> Articulation {
        let mut motions = [JointMotion::NONE; MOTIONS];
        for (to, from) in motions.iter_mut().zip(self.motions().iter().rev()) {
            *to = from.reverse();
        }
        Articulation {
            inboard: self.outboard,
            outboard: self.inboard,
            point_in: self.point_out,
            point_out: self.point_in,
            reversed: !self.reversed,
            motions,
            count: self.count,
            frames: [self.frames[1], self.frames[0]],
            zero: motion::back(&self.zero),
            zero_angle: -self.zero_angle,
        }
    }

    /// The motions, from the inboard body to the outboard one; their coordinates and rates stand in that order.
    pub fn motions(&self) -> &[JointMotion] {
        &self.motions[..usize::from(self.count)]
    }

    /// Degrees of freedom k: the columns of H.
    pub fn freedoms(&self) -> usize {
        self.motions().iter().map(|m| m.kind.freedoms()).sum()
    }

    /// Numbers that the joint coordinates take: as many as freedoms, or four of a ball.
    pub fn coordinates(&self) -> usize {
        self.motions().iter().map(|m| m.kind.coordinates()).sum()
    }
}

/// Displacement of a screw where its angle is zero: that of the given pose less its turn.
fn base(c: &Composer, axis: Axis, lead: f64) -> f64 {
    c.value_in_given_pose(&c.probe_offset(axis)) - lead * c.angle_in_given_pose()
}

/// Second frame in the first at zero angles of a cross: in the given pose, made exactly perpendicular.
fn cross_in_given_pose(c: &Composer, first: &Place, second: &Place) -> Mat3 {
    let a = c.given.rotations[first.body] * first.c;
    let b = c.given.rotations[second.body] * second.c;
    let r = a.transpose() * b;
    let about_z = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        Mat3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0)
    };
    // the second pin along x of the first frame, the first pin along x of the second
    let swap = Mat3::new(0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0);
    about_z(r[(1, 2)].atan2(r[(0, 2)])) * swap * about_z((-r[(2, 1)]).atan2(r[(2, 0)]))
}
