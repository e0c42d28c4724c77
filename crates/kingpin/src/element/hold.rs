//! What may hold a coordinate of a joint for a while: a rigid stop, or friction that sticks.

use super::basic::Basic;
use super::friction_law::{FrictionLaw, IDLE, STICKS};

/// Something that may hold a coordinate: an equation more while it does.
#[derive(Clone, Debug, PartialEq)]
pub struct JointHold {
    /// The coordinate.
    pub probe: Basic,
    /// The joint.
    pub joint: usize,
    /// Its name.
    pub owner: String,
    /// The switch whose piece tells whether it holds.
    pub switch: usize,
    /// The place among reference angles where the value at which it holds is kept.
    pub slot: usize,
    /// What it is.
    pub kind: HoldKind,
}

/// What may hold.
#[derive(Clone, Debug, PartialEq)]
pub enum HoldKind {
    /// A rigid stop: it pushes and never pulls.
    Stop(RigidStop),
    /// Friction: as far as its grip goes.
    Friction(FrictionLaw),
}

/// A rigid stop. Pieces of its switch: the coordinate is free, it rests on the stop ([`RESTS`]), it moves away
/// from it ([`LEAVES`]), it is there at rest because others hold it ([`TOUCHES`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidStop {
    /// Where it is met.
    pub limit: f64,
    /// Whether values above the limit are beyond it, or those below.
    pub upper: bool,
    /// Speed after an impact over the speed before.
    pub restitution: f64,
    /// Its switch.
    pub switch: usize,
}

/// Rates below this, in m/s or rad/s, are rounding errors of a coordinate at rest.
pub const AT_REST: f64 = 1e-13;

/// The value at which a coordinate is held that has never been.
pub const NEVER: f64 = f64::MAX;

/// The piece on which a coordinate rests on a rigid stop.
pub const RESTS: u8 = 1;
/// The piece on which it moves away from it, after an impact.
pub const LEAVES: u8 = 2;
/// The piece on which it is there without pushing: others hold the coordinate.
pub const TOUCHES: u8 = 3;

impl JointHold {
    /// Whether it holds.
    pub fn is_active(&self, pieces: &[u8]) -> bool {
        let piece = pieces[self.switch];
        match self.kind {
            HoldKind::Stop(_) => piece == RESTS,
            HoldKind::Friction(_) => piece == STICKS,
        }
    }

    /// Whether it is at rest because others hold the coordinate.
    pub fn is_idle(&self, pieces: &[u8]) -> bool {
        let piece = pieces[self.switch];
        match self.kind {
            HoldKind::Stop(_) => piece == TOUCHES,
            HoldKind::Friction(_) => piece >= IDLE,
        }
    }

    /// How much more it can hold where its multiplier is `lam`, under a reaction of the joint; negative if it must let go.
    pub fn margin(&self, lam: f64, reaction: f64) -> f64 {
        match &self.kind {
            HoldKind::Stop(stop) => stop.sign() * lam,
            HoldKind::Friction(law) => law.grip(reaction) - lam.abs(),
        }
    }
}

impl RigidStop {
    /// The direction in which it is met.
    pub fn sign(&self) -> f64 {
        if self.upper { 1.0 } else { -1.0 }
    }

    /// How far away it is, or, after an impact, how fast the coordinate moves away from it: from t, the coordinate and
    /// its rate.
    pub fn clearance<T: crate::scalar::Scalar>(&self, vars: &[T], pieces: &[u8]) -> T {
        if pieces[self.switch] == LEAVES {
            return vars[2].scale(-self.sign()) + T::from_f64(AT_REST);
        }
        (T::from_f64(self.limit) - vars[1]).scale(self.sign()) + T::from_f64(1e-13 * (1.0 + self.limit.abs()))
    }

    /// Whether it is an event that its switch goes from one piece to another.
    pub fn happens(from: u8, to: u8) -> bool {
        let there = |piece: u8| matches!(piece, RESTS | TOUCHES);
        from != LEAVES && !(there(from) && there(to))
    }

    /// What happens there.
    pub fn verb(from: u8, to: u8) -> &'static str {
        match (from, to) {
            (RESTS | TOUCHES, _) => "leaves",
            (_, RESTS | TOUCHES) => "comes to rest on",
            _ => "strikes",
        }
    }

    /// The piece where nothing else is known: what rests does so until a run finds that it does not.
    pub fn kept(piece: u8) -> u8 {
        if matches!(piece, RESTS | TOUCHES) { piece } else { 0 }
    }

    /// Its name among two.
    pub fn word(&self) -> &'static str {
        if self.upper { "upper" } else { "lower" }
    }
}
