//! The law of friction in a joint.

use crate::scalar::{Dual, Scalar};

/// Dry and viscous friction on a coordinate g of a joint, of surfaces that slide at v = arm g' under the normal force N:
/// arm mu(v) N against the motion, with mu = coefficient + (at_rest - coefficient) exp(-(v / stribeck)^2), and
/// viscous g'.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionLaw {
    /// While it slides.
    pub coefficient: f64,
    /// While it sticks, not less.
    pub at_rest: f64,
    /// Over this speed the one goes over to the other; without it, at once.
    pub stribeck: Option<f64>,
    /// Per rate of the coordinate.
    pub viscous: f64,
    /// Normal force besides the reaction.
    pub preload: f64,
    /// Sliding speed per rate of the coordinate: the radius, or one.
    pub arm: f64,
    /// How it goes through rest.
    pub rest: ThroughRest,
    /// Whether the reaction of the joint is the third variable, and part of the normal force.
    pub reacts: bool,
}

/// How friction goes through rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThroughRest {
    /// By the hyperbolic tangent of the speed over this one: it creeps and never sticks.
    Smooth(f64),
    /// It sticks: the switch of this number tells. Pieces: slides down, slides up, sticks ([`STICKS`]), is idle ([`IDLE`]),
    /// leans down and leans up ([`LEANS`]).
    Sticks(usize),
}

/// The piece on which it sticks.
pub const STICKS: u8 = 2;
/// The piece on which it is at rest because others hold, and does nothing.
pub const IDLE: u8 = 3;
/// The first of two pieces on which it pushes with all its grip, while others hold the coordinate at rest: down as against a
/// motion downwards, and up. A piece that is odd is one upwards.
pub const LEANS: u8 = 4;

impl FrictionLaw {
    /// The torque or force against the coordinate, from t, the coordinate, its rate and perhaps the reaction.
    pub fn eval<T: Scalar>(&self, vars: &[T], pieces: &[u8]) -> T {
        let (speed, mut at_rest) = (vars[2].scale(self.arm), false);
        let direction = match self.rest {
            ThroughRest::Smooth(width) => speed.scale(1.0 / width).tanh(),
            ThroughRest::Sticks(switch) => match pieces[switch] {
                0 => T::from_f64(-1.0),
                1 => T::one(),
                STICKS | IDLE => T::zero(),
                leans => {
                    at_rest = true;
                    T::from_f64(if leans & 1 == 1 { 1.0 } else { -1.0 })
                }
            },
        };
        let mu = if at_rest { T::from_f64(self.at_rest) } else { self.mu(speed) };
        let normal = if self.reacts { vars[3] } else { T::zero() } + T::from_f64(self.preload);
        (mu * direction * normal).scale(self.arm) + vars[2].scale(self.viscous)
    }

    fn mu<T: Scalar>(&self, speed: T) -> T {
        let Some(width) = self.stribeck else { return T::from_f64(self.coefficient) };
        let x = speed.scale(1.0 / width);
        T::from_f64(self.coefficient) + (-(x * x)).exp().scale(self.at_rest - self.coefficient)
    }

    /// The same with its partial derivatives.
    pub fn partials(&self, vars: &[f64], pieces: &[u8], out: &mut [f64]) -> f64 {
        out.fill(0.0);
        let of = |k: usize| {
            let one = |j: usize| {
                let x = vars.get(j).copied().unwrap_or(0.0);
                if j == k { Dual::variable(x) } else { Dual::from_f64(x) }
            };
            self.eval(&[0, 1, 2, 3].map(one), pieces)
        };
        let by_rate = of(2);
        out[2] = by_rate.d;
        if self.reacts {
            out[3] = of(3).d;
        }
        by_rate.re
    }

    /// What it can hold at rest under a normal force besides the preload.
    pub fn grip(&self, reaction: f64) -> f64 {
        self.arm * self.at_rest * (self.preload + if self.reacts { reaction } else { 0.0 })
    }

    /// Whether it has no narrow features.
    pub fn is_tame(&self) -> bool {
        self.stribeck.is_none() && matches!(self.rest, ThroughRest::Sticks(_))
    }
}
