//! The law of a bar: axial force from its strain.

use crate::scalar::Scalar;

/// Measures of the strain of a bar of length l and rest length l0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strain {
    /// (l - l0) / l0, and the axial force goes with it.
    Linear,
    /// That of Green and Lagrange, (l^2 - l0^2) / (2 l0^2); its conjugate force times l / l0 is the axial force.
    Green,
}

/// Stiffness EA and damping on the strain e of a bar: it stores 1/2 EA e^2 l0 and dissipates damping e'^2 l0, so the
/// tension is (EA e + damping e') l0 de/dl.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarLaw {
    /// Force per strain.
    pub stiffness: f64,
    /// Force per strain rate.
    pub damping: f64,
    /// Length without load.
    pub rest: f64,
    /// What strain is.
    pub strain: Strain,
}

impl BarLaw {
    /// Strain, its rate and l0 de/dl, from t, length and rate.
    fn strained<T: Scalar>(&self, vars: &[T]) -> [T; 3] {
        let (rest, l, rate) = (T::from_f64(self.rest), vars[1], vars[2]);
        let per = 1.0 / self.rest;
        match self.strain {
            Strain::Linear => [(l - rest).scale(per), rate.scale(per), T::one()],
            Strain::Green => {
                let stretch = l.scale(per);
                [((l - rest) * (l + rest)).scale(0.5 * per * per), stretch * rate.scale(per), stretch]
            }
        }
    }

    /// Tension.
    pub fn eval<T: Scalar>(&self, vars: &[T]) -> T {
        let [strain, rate, lever] = self.strained(vars);
        (strain.scale(self.stiffness) + rate.scale(self.damping)) * lever
    }

    /// Tension with its partial derivatives.
    pub fn partials(&self, vars: &[f64], out: &mut [f64]) -> f64 {
        let [strain, rate, lever] = self.strained(vars);
        let inner = self.stiffness * strain + self.damping * rate;
        let per = 1.0 / self.rest;
        // de/dl = lever / l0, de'/dl' the same; of the strain of Green e' and the lever change with l too
        let (bend, turn) = match self.strain {
            Strain::Linear => (0.0, 0.0),
            Strain::Green => (per, per * per * vars[2]),
        };
        out.fill(0.0);
        out[1] = (self.stiffness * lever * per + self.damping * turn) * lever + inner * bend;
        out[2] = self.damping * lever * per * lever;
        inner * lever
    }

    /// Strain and stored energy.
    pub fn stored(&self, vars: &[f64]) -> [f64; 2] {
        let [strain, ..] = self.strained(vars);
        [strain, 0.5 * self.stiffness * self.rest * strain * strain]
    }

    /// Power that damping takes.
    pub fn dissipated(&self, vars: &[f64]) -> f64 {
        let [_, rate, _] = self.strained(vars);
        self.damping * self.rest * rate * rate
    }
}
