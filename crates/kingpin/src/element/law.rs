//! Laws: how big a force is, as a function of time and of what is probed.

use crate::element::road::Profile;
use crate::expr::Curve;
use crate::model::function::Function;
use crate::scalar::{Dual, Scalar};

/// Most variables a law can have: time, and value and rate of each input.
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

/// How big a force is. Variables: t, then value and rate of each input.
#[derive(Clone, Debug, PartialEq)]
pub enum Strength {
    /// A spring on the first input.
    Spring(Law),
    /// A function of time and all inputs.
    Magnitude(Function),
    /// A tyre; inputs are the horizontal and the vertical position of the wheel centre.
    Tyre {
        /// Radius without load.
        radius: f64,
        /// Force per deflection.
        stiffness: f64,
        /// Force per deflection speed.
        damping: f64,
        /// Whether it never pulls.
        unilateral: bool,
        /// The road.
        road: Profile,
    },
}

impl Law {
    fn eval<T: Scalar>(&self, vars: &[T]) -> T {
        let (g, rate) = (vars[1] - T::from_f64(self.rest), vars[2]);
        let mut f = g.scale(self.stiffness) + rate.scale(self.damping) + T::from_f64(self.preload);
        if let Some(curve) = &self.spring {
            f += curve.eval(g);
        }
        if let Some(curve) = &self.damper {
            f += curve.eval(rate);
        }
        if !self.actuator.is_zero() {
            f += self.actuator.eval(vars);
        }
        f
    }

    fn partials(&self, vars: &[f64], out: &mut [f64]) -> f64 {
        let mut f = self.preload + self.stiffness * (vars[1] - self.rest) + self.damping * vars[2];
        if self.actuator.is_zero() {
            out.fill(0.0);
        } else {
            f += self.actuator.partials(vars, out);
        }
        out[1] += self.stiffness;
        out[2] += self.damping;
        if let Some(curve) = &self.spring {
            let y = curve.eval(Dual::variable(vars[1] - self.rest));
            f += y.re;
            out[1] += y.d;
        }
        if let Some(curve) = &self.damper {
            let y = curve.eval(Dual::variable(vars[2]));
            f += y.re;
            out[2] += y.d;
        }
        f
    }
}

impl Strength {
    /// The definition.
    pub fn eval<T: Scalar>(&self, vars: &[T]) -> T {
        match self {
            Strength::Spring(law) => law.eval(vars),
            Strength::Magnitude(f) => f.eval(vars),
            Strength::Tyre { radius, stiffness, damping, unilateral, road } => {
                let [x, xdot, z, zdot] = [vars[1], vars[2], vars[3], vars[4]];
                let height = road.height(Dual::variable(x));
                let deflection = T::from_f64(*radius) - z + height.re;
                let f = deflection.scale(*stiffness) + (height.d * xdot - zdot).scale(*damping);
                if *unilateral && (deflection.value() <= 0.0 || f.value() < 0.0) { T::zero() } else { f }
            }
        }
    }

    /// The quantity that is felt, and its rate: the first input of a spring, the deflection of a tyre.
    pub fn probed(&self, vars: &[f64]) -> [f64; 2] {
        match self {
            Strength::Spring(_) => [vars[1], vars[2]],
            Strength::Magnitude(_) => [0.0; 2],
            Strength::Tyre { radius, road, .. } => {
                let height = road.height(Dual::variable(vars[1]));
                [radius - vars[3] + height.re, height.d * vars[2] - vars[4]]
            }
        }
    }

    /// Value and partial derivatives with respect to all variables.
    pub fn partials(&self, vars: &[f64], out: &mut [f64]) -> f64 {
        match self {
            Strength::Spring(law) => law.partials(vars, out),
            Strength::Magnitude(f) => f.partials(vars, out),
            Strength::Tyre { radius, stiffness: k, damping: c, unilateral, road } => {
                let [x, xdot, z, zdot] = [vars[1], vars[2], vars[3], vars[4]];
                let jet = road.height(Dual::variable(Dual::variable(x)));
                let (height, slope, bend) = (jet.re.re, jet.d.re, jet.d.d);
                let deflection = radius - z + height;
                let f = k * deflection + c * (slope * xdot - zdot);
                out.fill(0.0);
                if *unilateral && (deflection <= 0.0 || f < 0.0) {
                    return 0.0;
                }
                out[1] = k * slope + c * bend * xdot;
                out[2] = c * slope;
                out[3] = -k;
                out[4] = -c;
                f
            }
        }
    }
}
