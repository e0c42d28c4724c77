//! Axes of the section along a beam.

use super::{Beam, BeamFault};
use crate::model::Space;
use crate::model::value::{Mat3, Vec3};

/// Sine of the angle between two directions below which they are one.
const PARALLEL: f64 = 1e-6;

/// How the section is turned about the beam.
pub(super) enum Reference {
    /// Its y axis is as near this direction as can be.
    Up(Vec3),
    /// Its z axis is as near the global one as can be.
    Level,
}

impl Reference {
    /// That of a beam whose direction at its nodes is `along`.
    pub fn of(beam: &Beam, along: impl Iterator<Item = Vec3>) -> Reference {
        let upright = |t: Vec3| t.x.hypot(t.y) < PARALLEL;
        match beam.up {
            Some(up) => Reference::Up(up.normalize()),
            None if along.into_iter().all(upright) => Reference::Up(Vec3::y()),
            None => Reference::Level,
        }
    }

    /// Axes of the section where the beam goes along `t`, turned by `twist`; x along the beam.
    pub fn axes(&self, t: &Vec3, twist: f64) -> Result<Mat3, BeamFault> {
        let y = match self {
            Reference::Up(up) => up - t * t.dot(up),
            Reference::Level => Vec3::z().cross(t),
        };
        let square = y.norm() > PARALLEL;
        if !square {
            let (message, hint) = match self {
                Reference::Up(_) => (
                    "`up` is parallel to the beam",
                    "it is the y axis of the section, perpendicular to the beam",
                ),
                Reference::Level => (
                    "it is parallel to z at some points but not everywhere, so the orientation of \
                         its section is not defined",
                    "give `up`, such as the normal of its plane",
                ),
            };
            return Err(BeamFault::new("up", message).hint(hint));
        }
        let y = y.normalize();
        let z = t.cross(&y);
        let (s, c) = twist.sin_cos();
        Ok(Mat3::from_columns(&[*t, y * c + z * s, z * c - y * s]))
    }
}

/// The angle of a direction in the plane, the nearest to the one before.
pub(super) fn angle_behind(before: f64, t: &Vec3) -> f64 {
    let turn = t.y.atan2(t.x) - before;
    let whole = (turn / std::f64::consts::TAU).round();
    before + turn - whole * std::f64::consts::TAU
}

/// The turn of the section at a place.
pub(super) fn twist_at(beam: &Beam, space: Space, x: f64) -> Result<f64, BeamFault> {
    let twist = if space == Space::Spatial { beam.twist.eval(&[x]) } else { 0.0 };
    if !twist.is_finite() {
        return Err(BeamFault::new("twist", format!("its twist at x = {x} is {twist}")));
    }
    Ok(twist)
}
