//! Basic functions of the coordinates of two bodies: everything constraints and forces are made of.
//!
//! All closed-form derivatives live here. Each function comes in three strengths:
//! - `value`, generic over the scalar: the definition; dual numbers derive everything else from it;
//! - [`First`]: value, row of the Jacobian in velocities (r', w) and curvature, for every evaluation;
//! - [`Jet`]: derivatives in coordinates (r, p) up to the third, for implicit integration.

mod angle;
mod arrow;
mod coincide;
mod distance;
mod dot1;
mod dot2;
mod fold;
mod jet;
mod midpoint;
mod relative;
mod rotation;
mod sequence;

pub use angle::{Angle, nearest_turn};
pub use coincide::Coincide;
pub use distance::Separation;
pub use dot1::Dot1;
pub use dot2::Dot2;
pub use fold::Fold;
pub use jet::{First, Jet, W};
pub use midpoint::Midpoint;
pub use rotation::Rotation;
pub use sequence::Sequence;

use crate::scalar::Scalar;
use crate::spatial::{BodyState, Coords, Pose};

/// A scalar function of the coordinates of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basic {
    /// Product of two vectors, one on each body.
    Dot1(Dot1),
    /// Component of the gap between two points along a vector on the first body.
    Dot2(Dot2),
    /// Distance of two points.
    Distance(Separation),
    /// Angle about the z axis of the first frame.
    Angle(Angle),
    /// Component of the rotation vector between two frames.
    Rotation(Rotation),
    /// Angle of a sequence of turns between two frames.
    Sequence(Sequence),
    /// Component of the midpoint of two points along a fixed direction.
    Midpoint(Midpoint),
}

impl Basic {
    /// The bodies it connects; the number of bodies stands for ground.
    pub fn bodies(&self) -> [usize; 2] {
        match self {
            Basic::Dot1(x) => x.bodies,
            Basic::Dot2(x) => x.bodies,
            Basic::Distance(x) => x.bodies,
            Basic::Angle(x) => x.bodies,
            Basic::Rotation(x) => x.bodies,
            Basic::Sequence(x) => x.bodies(),
            Basic::Midpoint(x) => x.bodies,
        }
    }

    /// Whether its value is an angle, or the cosine of one, rather than a length.
    pub fn is_angle(&self) -> bool {
        matches!(self, Basic::Dot1(_) | Basic::Angle(_) | Basic::Rotation(_) | Basic::Sequence(_))
    }

    /// Whether it changes with the place or attitude of one body against the other alone.
    pub fn is_relative(&self) -> bool {
        !matches!(self, Basic::Midpoint(_))
    }

    /// What it is, in words.
    pub fn about(&self) -> &'static str {
        match self {
            Basic::Dot1(_) => "cosine of an angle",
            Basic::Dot2(_) => "displacement along an axis of the first frame",
            Basic::Distance(_) => "distance of the two points",
            Basic::Angle(_) => "angle from the first frame to the second, counted over full revolutions",
            Basic::Rotation(_) => "component of the rotation vector in the first frame",
            Basic::Sequence(_) => "angle of a sequence of turns from the first frame to the second",
            Basic::Midpoint(_) => "coordinate of the midpoint of the two points",
        }
    }

    /// The definition. `turns` are the reference angles from which angles are counted on.
    pub fn value<C: Coords, T: Scalar>(&self, poses: [&Pose<T>; 2], turns: &[f64]) -> T {
        match self {
            Basic::Dot1(x) => x.value::<C, T>(poses),
            Basic::Dot2(x) => x.value::<C, T>(poses),
            Basic::Distance(x) => x.value::<C, T>(poses),
            Basic::Angle(x) => x.value::<C, T>(poses, turns),
            Basic::Rotation(x) => x.value::<C, T>(poses),
            Basic::Sequence(x) => x.value::<C, T>(poses),
            Basic::Midpoint(x) => x.value::<C, T>(poses),
        }
    }

    /// Value, row and curvature. About 100 flops.
    #[inline]
    pub fn first<C: Coords>(&self, bodies: [&BodyState; 2], turns: &[f64]) -> First {
        match self {
            Basic::Dot1(x) => x.first::<C>(bodies),
            Basic::Dot2(x) => x.first::<C>(bodies),
            Basic::Distance(x) => x.first::<C>(bodies),
            Basic::Angle(x) => x.first::<C>(bodies, turns),
            Basic::Rotation(x) => x.first::<C>(bodies),
            Basic::Sequence(x) => x.first::<C>(bodies),
            Basic::Midpoint(x) => x.first::<C>(bodies),
        }
    }

    /// Radial derivatives g_p . p of the two bodies: everything is homogeneous in Euler parameters.
    pub fn radial<C: Coords>(&self, [bi, bj]: [&BodyState; 2]) -> [f64; 2] {
        use crate::spatial::{coords::gap, dot};
        match self {
            Basic::Dot1(x) => [2.0 * dot(&C::image(&bi.a, &x.a), &C::image(&bj.a, &x.b)); 2],
            Basic::Dot2(x) => {
                let (a, d) = (C::image(&bi.a, &x.a), gap::<C>(bi, &x.s[0], bj, &x.s[1]).0);
                let of = |b: &BodyState, s| dot(&a, &C::image(&b.a, s));
                [2.0 * (dot(&a, &d) - of(bi, &x.s[0])), 2.0 * of(bj, &x.s[1])]
            }
            Basic::Distance(x) => {
                let d = gap::<C>(bi, &x.s[0], bj, &x.s[1]).0;
                let of = |b: &BodyState, s| 2.0 * dot(&d, &C::image(&b.a, s)) / dot(&d, &d).sqrt();
                [-of(bi, &x.s[0]), of(bj, &x.s[1])]
            }
            Basic::Midpoint(x) => {
                let of = |b: &BodyState, s| dot(&x.e, &C::image(&b.a, s));
                [of(bi, &x.s[0]), of(bj, &x.s[1])]
            }
            Basic::Angle(_) | Basic::Rotation(_) | Basic::Sequence(_) => [0.0; 2],
        }
    }

    /// All derivatives in coordinates; the Hessian only if `hessian` is set.
    pub fn jet<C: Coords>(&self, bodies: [&BodyState; 2], turns: &[f64], hessian: bool, jet: &mut Jet) {
        match self {
            Basic::Dot1(x) => x.jet::<C>(bodies, hessian, jet),
            Basic::Dot2(x) => x.jet::<C>(bodies, hessian, jet),
            Basic::Distance(x) => x.jet::<C>(bodies, hessian, jet),
            Basic::Angle(x) => x.jet::<C>(bodies, turns, hessian, jet),
            Basic::Rotation(x) => x.jet::<C>(bodies, hessian, jet),
            Basic::Sequence(x) => x.jet::<C>(bodies, hessian, jet),
            Basic::Midpoint(x) => x.jet::<C>(bodies, hessian, jet),
        }
    }
}
