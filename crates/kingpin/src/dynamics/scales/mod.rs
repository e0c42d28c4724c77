//! What errors of a motion are measured against: natural scales of its parts.
//!
//! Bodies that joints or forces connect, ground left out, are a *part*; others do not matter to it. A part has a
//! size, its extent at the start of the run, and a reach that grows with the run: how far its bodies have moved and
//! turned from where they started, and how fast they are. Errors are allowed to be `rtol` times
//!
//! | of | times |
//! |---|---|
//! | positions | the furthest move so far, at most the size |
//! | attitudes | the largest turn so far, or that move over the size, at most 1 rad |
//! | velocities | the largest speed, which is forgotten as fast as it crosses the reach: V' = -V^2 / reach |
//! | angular velocities | the same of turns, or that speed over the size |
//! | those of sections of beams and interfaces | that, or the speed over their radius of gyration ([`arms`]) |
//!
//! but not less than round-off of the coordinates, nor than what the user calls small. The step that is measured
//! counts as moved already, and at the start the forces tell how far they will move a part ([`predict`]). Nothing
//! depends on units, on other parts or on frames. Memory of speeds that fades as t^-1 leaves errors of velocity which
//! add up, over all the time since, to the error of position that is allowed.

mod arms;
mod parts;
mod predict;
mod resolution;
mod states;
mod yardstick;

pub use parts::Parts;
pub(super) use predict::{expect, predict};
pub use resolution::{Unresolved, unresolved};
pub use yardstick::Yardstick;

/// One number each for positions, attitudes, velocities and angular velocities.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Four {
    /// Of positions, in metres.
    pub position: f64,
    /// Of attitudes, in radians.
    pub angle: f64,
    /// Of velocities, in metres per second.
    pub velocity: f64,
    /// Of angular velocities, in radians per second.
    pub angular_velocity: f64,
}

impl Four {
    /// The larger of both, one by one.
    pub fn max(self, other: Four) -> Four {
        Four {
            position: self.position.max(other.position),
            angle: self.angle.max(other.angle),
            velocity: self.velocity.max(other.velocity),
            angular_velocity: self.angular_velocity.max(other.angular_velocity),
        }
    }

    /// All times a number.
    pub fn times(self, factor: f64) -> Four {
        Four {
            position: factor * self.position,
            angle: factor * self.angle,
            velocity: factor * self.velocity,
            angular_velocity: factor * self.angular_velocity,
        }
    }

    /// The worst of errors (these) in units of what is allowed; 0 where there is no error.
    pub fn over(self, allowed: Four) -> f64 {
        let part = |error: f64, allowed: f64| if error == 0.0 { 0.0 } else { error / allowed };
        let all = [
            part(self.position, allowed.position),
            part(self.angle, allowed.angle),
            part(self.velocity, allowed.velocity),
            part(self.angular_velocity, allowed.angular_velocity),
        ];
        all.into_iter().fold(0.0, worse)
    }
}

/// The larger of two errors; what is no number is the largest.
#[inline(always)]
pub(super) fn worse(a: f64, b: f64) -> f64 {
    if b <= a || a.is_nan() { a } else { b }
}

/// A part of a mechanism and its reach.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Scale {
    /// The first of its bodies, and how many there are.
    pub body: usize,
    /// Bodies.
    pub bodies: usize,
    /// Extent at the start, in metres.
    pub size: f64,
    /// Furthest move and turn from the start, largest speeds of late.
    pub reach: Four,
}

impl Scale {
    /// What errors are relative to.
    pub fn natural(&self) -> Four {
        natural(self.size, self.reach)
    }
}

/// What errors are relative to in a part of some size and reach.
fn natural(size: f64, reach: Four) -> Four {
    let Four { mut position, mut angle, velocity, mut angular_velocity } = reach;
    if size > 0.0 {
        position = position.min(size);
        angle = angle.max(position / size);
        angular_velocity = angular_velocity.max(velocity / size);
    }
    Four { position, angle: angle.min(1.0), velocity, angular_velocity }
}

/// The scales of a run: all of them that changes with it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Scales {
    /// Coordinates at the start of the run.
    pub start: Vec<f64>,
    /// Time up to which the motion is known.
    pub t: f64,
    /// The parts.
    pub parts: Vec<Scale>,
}
