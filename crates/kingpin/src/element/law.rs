//! Laws: how big a force is, as a function of time and of what is probed.

use crate::element::bar_law::BarLaw;
use crate::element::friction_law::FrictionLaw;
use crate::element::road::Profile;
use crate::element::stop_law::StopsLaw;
use crate::expr::Curve;
use crate::model::function::Function;
use crate::scalar::{Dual, Scalar};

/// Most variables a law can have: time, value and rate of each input, and flags of events.
pub const MAX_VARIABLES: usize = 33;

/// Spring, damper and actuator on one probed quantity g:
/// stiffness (g - rest) + damping g' + preload + spring curve (g - rest) + damper curve (g') + actuator.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Law {
    /// Per unit of g.
    pub stiffness: f64,
    /// Per unit of g'.
    pub damping: f64,
    /// g without load.
    pub rest: f64,
    /// Added always.
    pub preload: f64,
    /// Over g - rest.
    pub spring: Option<Curve>,
    /// Over g'.
    pub damper: Option<Curve>,
    /// Over t, g, g' and measures.
    pub actuator: Function,
}

/// How big a force is. Variables: t, then value and rate of each input, then flags of events.
#[derive(Clone, Debug, PartialEq)]
pub enum Strength {
    /// A spring on the first input.
    Spring(Box<Law>),
    /// A function of time and all inputs.
    Magnitude(Function),
    /// The rate of a state: the same, but no load and no force.
    Rate(Function),
    /// A tyre; inputs are the horizontal and the vertical position of the wheel centre.
    Tyre(TyreLaw),
    /// A bar or a cable; the input is its length.
    Bar(BarLaw),
    /// Stops on a sum of one or two coordinates, which are the inputs.
    Stops(StopsLaw),
    /// What rigid stops hold with, which they do as equations; their numbers among all holds.
    Rigid(Vec<usize>),
    /// Friction of a joint, and the number of its hold if it may stick; inputs are the coordinate and perhaps its reaction.
    Friction(Box<(FrictionLaw, Option<usize>)>),
}

/// The force of a tyre: stiffness times deflection plus damping times its rate, zero while it is off the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct TyreLaw {
    /// Radius without load.
    pub radius: f64,
    /// Force per deflection.
    pub stiffness: f64,
    /// Force per deflection speed.
    pub damping: f64,
    /// The road.
    pub road: Profile,
    /// The switch that tells where on the road the wheel is, if that matters.
    pub bump: Option<usize>,
    /// The switch that tells whether it is in contact, if it may lift off.
    pub contact: Option<usize>,
}

impl Law {
    fn eval<T: Scalar>(&self, vars: &[T], pieces: &[u8]) -> T {
        let (g, rate) = (vars[1] - T::from_f64(self.rest), vars[2]);
        let mut f = g.scale(self.stiffness) + rate.scale(self.damping) + T::from_f64(self.preload);
        if let Some(curve) = &self.spring {
            f += curve.eval_on(g, pieces);
        }
        if let Some(curve) = &self.damper {
            f += curve.eval_on(rate, pieces);
        }
        if !self.actuator.is_zero() {
            f += self.actuator.eval_on(vars, pieces);
        }
        f
    }

    fn partials(&self, vars: &[f64], pieces: &[u8], out: &mut [f64]) -> f64 {
        let mut f = self.preload + self.stiffness * (vars[1] - self.rest) + self.damping * vars[2];
        if self.actuator.is_zero() {
            out.fill(0.0);
        } else {
            f += self.actuator.partials_on(vars, pieces, out);
        }
        out[1] += self.stiffness;
        out[2] += self.damping;
        if let Some(curve) = &self.spring {
            let y = curve.eval_on(Dual::variable(vars[1] - self.rest), pieces);
            f += y.re;
            out[1] += y.d;
        }
        if let Some(curve) = &self.damper {
            let y = curve.eval_on(Dual::variable(vars[2]), pieces);
            f += y.re;
            out[2] += y.d;
        }
        f
    }
}

impl TyreLaw {
    fn on_bump(&self, pieces: &[u8]) -> bool {
        self.bump.is_some_and(|switch| pieces[switch] == 1)
    }

    /// Whether it is off the ground.
    pub fn is_off(&self, pieces: &[u8]) -> bool {
        self.contact.is_some_and(|switch| pieces[switch] == 0)
    }

    /// Deflection and its rate.
    fn deflection<T: Scalar>(&self, vars: &[T], pieces: &[u8]) -> [T; 2] {
        let [x, xdot, z, zdot] = [vars[1], vars[2], vars[3], vars[4]];
        let height = self.road.height(Dual::variable(x), self.on_bump(pieces), pieces);
        [T::from_f64(self.radius) - z + height.re, height.d * xdot - zdot]
    }

    /// Deflection, and the force of a tyre that cannot lift off.
    fn bilateral<T: Scalar>(&self, vars: &[T], pieces: &[u8]) -> (T, T) {
        let [deflection, rate] = self.deflection(vars, pieces);
        (deflection, deflection.scale(self.stiffness) + rate.scale(self.damping))
    }

    /// Deflection and its rate, and the force of a tyre that cannot lift off.
    pub fn felt(&self, vars: &[f64], pieces: &[u8]) -> ([f64; 2], f64) {
        (self.deflection(vars, pieces), self.bilateral(vars, pieces).1)
    }

    /// Contact begins where the deflection becomes positive and ends where the force would become negative:
    /// the smaller of the spring force and the force. Without a spring the deflection counts as newtons.
    pub fn contact(&self, vars: &[f64], pieces: &[u8]) -> f64 {
        let (deflection, force) = self.bilateral(vars, pieces);
        let spring = if self.stiffness > 0.0 { self.stiffness * deflection } else { deflection };
        if spring < force || spring.is_nan() { spring } else { force }
    }

    /// The two functions that are positive in contact: deflection as a force, and force.
    pub fn presses<T: Scalar>(&self, vars: &[T], pieces: &[u8]) -> [T; 2] {
        let (deflection, force) = self.bilateral(vars, pieces);
        [if self.stiffness > 0.0 { deflection.scale(self.stiffness) } else { deflection }, force]
    }

    fn partials(&self, vars: &[f64], pieces: &[u8], out: &mut [f64]) -> f64 {
        out.fill(0.0);
        if self.is_off(pieces) {
            return 0.0;
        }
        let [x, xdot, z, zdot] = [vars[1], vars[2], vars[3], vars[4]];
        let (k, c) = (self.stiffness, self.damping);
        let jet = self.road.height(Dual::variable(Dual::variable(x)), self.on_bump(pieces), pieces);
        let (height, slope, bend) = (jet.re.re, jet.d.re, jet.d.d);
        out[1] = k * slope + c * bend * xdot;
        out[2] = c * slope;
        out[3] = -k;
        out[4] = -c;
        k * (self.radius - z + height) + c * (slope * xdot - zdot)
    }
}

impl Strength {
    /// The definition, on given pieces of the switches.
    pub fn eval<T: Scalar>(&self, vars: &[T], pieces: &[u8]) -> T {
        match self {
            Strength::Spring(law) => law.eval(vars, pieces),
            Strength::Magnitude(f) | Strength::Rate(f) => f.eval_on(vars, pieces),
            Strength::Tyre(law) if law.is_off(pieces) => T::zero(),
            Strength::Tyre(law) => law.bilateral(vars, pieces).1,
            Strength::Bar(law) => law.eval(vars, pieces),
            Strength::Stops(law) => law.eval(vars, pieces),
            Strength::Rigid(_) => T::zero(),
            Strength::Friction(law) => law.0.eval(vars, pieces),
        }
    }

    /// What it is multiplied by where loads are: loads alone follow them.
    #[inline]
    pub fn part_of(&self, load: f64) -> f64 {
        if matches!(self, Strength::Magnitude(_)) { load } else { 1.0 }
    }

    /// The quantity that is felt, and its rate: the first input of a spring, the deflection of a tyre.
    pub fn probed(&self, vars: &[f64], pieces: &[u8]) -> [f64; 2] {
        match self {
            Strength::Spring(_) | Strength::Bar(_) | Strength::Rigid(_) | Strength::Friction(_) => {
                [vars[1], vars[2]]
            }
            // the first input of an actuator; other loads show nothing of the kind
            Strength::Magnitude(_) if vars.len() > 2 => [vars[1], vars[2]],
            Strength::Magnitude(_) | Strength::Rate(_) => [0.0; 2],
            Strength::Tyre(law) => law.deflection(vars, pieces),
            Strength::Stops(law) => law.probed(vars),
        }
    }

    /// The holds whose forces are part of it while they hold.
    pub fn holds(&self) -> &[usize] {
        match self {
            Strength::Rigid(holds) => holds,
            Strength::Friction(law) => law.1.as_slice(),
            _ => &[],
        }
    }

    /// Value and partial derivatives with respect to all variables, on given pieces of the switches.
    pub fn partials(&self, vars: &[f64], pieces: &[u8], out: &mut [f64]) -> f64 {
        match self {
            Strength::Spring(law) => law.partials(vars, pieces, out),
            Strength::Magnitude(f) | Strength::Rate(f) => f.partials_on(vars, pieces, out),
            Strength::Tyre(law) => law.partials(vars, pieces, out),
            Strength::Bar(law) => law.partials(vars, pieces, out),
            Strength::Stops(law) => law.partials(vars, pieces, out),
            Strength::Rigid(_) => {
                out.fill(0.0);
                0.0
            }
            Strength::Friction(law) => law.0.partials(vars, pieces, out),
        }
    }
}
