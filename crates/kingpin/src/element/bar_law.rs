//! The law of bars and cables: axial force from strain.

use crate::scalar::Scalar;

/// Measures of the strain of a bar of length l and rest length l0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strain {
    /// (l - l0) / l0, and the axial force goes with it.
    Linear,
    /// That of Green and Lagrange, (l^2 - l0^2) / (2 l0^2); its conjugate force times l / l0 is the axial force.
    Green,
}

/// What becomes of a bar that is shorter than at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WhenSlack {
    /// It pushes.
    Pushes,
    /// It does next to nothing: its strain e counts as (e + sqrt(e^2 + w^2)) / 2, with this w.
    Smooth(f64),
    /// It does nothing; the switch of this number tells whether it is taut.
    Switched(usize),
}

/// Stiffness EA and damping on the strain e of a bar: it stores 1/2 EA e^2 l0 and dissipates damping e'^2 l0, so the
/// tension is (EA e + damping e') l0 de/dl. Of a cable that goes slack smoothly, phi(e) takes the place of e.
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
    /// What it does where it is slack.
    pub slack: WhenSlack,
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

    /// The strain that counts, and its first two derivatives in e.
    fn counted<T: Scalar>(&self, e: T) -> [T; 3] {
        let WhenSlack::Smooth(width) = self.slack else { return [e, T::one(), T::zero()] };
        let w2 = T::from_f64(width * width);
        let s = (e * e + w2).sqrt();
        [(e + s).scale(0.5), (T::one() + e / s).scale(0.5), (w2 / (s * s * s)).scale(0.5)]
    }

    /// Whether it is slack and does nothing.
    pub fn is_slack(&self, pieces: &[u8]) -> bool {
        matches!(self.slack, WhenSlack::Switched(switch) if pieces[switch] == 0)
    }

    /// Tension.
    pub fn eval<T: Scalar>(&self, vars: &[T], pieces: &[u8]) -> T {
        if self.is_slack(pieces) { T::zero() } else { self.tension(vars) }
    }

    /// Tension, where it is taut.
    fn tension<T: Scalar>(&self, vars: &[T]) -> T {
        let [strain, rate, lever] = self.strained(vars);
        let [strain, part, _] = self.counted(strain);
        (strain.scale(self.stiffness) + (rate * part).scale(self.damping)) * lever
    }

    /// Tension with its partial derivatives.
    pub fn partials(&self, vars: &[f64], pieces: &[u8], out: &mut [f64]) -> f64 {
        out.fill(0.0);
        if self.is_slack(pieces) {
            return 0.0;
        }
        let [strain, rate, lever] = self.strained(vars);
        let [strain, part, bent] = self.counted(strain);
        let inner = self.stiffness * strain + self.damping * rate * part;
        let per = 1.0 / self.rest;
        // de/dl = lever / l0, de'/dl' the same; of the strain of Green e' and the lever change with l too
        let (bend, turn) = match self.strain {
            Strain::Linear => (0.0, 0.0),
            Strain::Green => (per, per * per * vars[2]),
        };
        let by_strain = self.stiffness * part + self.damping * rate * bent;
        out[1] = (by_strain * lever * per + self.damping * part * turn) * lever + inner * bend;
        out[2] = self.damping * part * lever * per * lever;
        inner * lever
    }

    /// The two functions that are positive where it is taut: the tension that its strain makes, and all of it. Taut it is
    /// once the first is, until the second is not.
    pub fn pulls<T: Scalar>(&self, vars: &[T]) -> [T; 2] {
        let [strain, _, lever] = self.strained(vars);
        [strain.scale(self.stiffness) * lever, self.tension(vars)]
    }

    /// The smaller of the two.
    pub fn taut(&self, vars: &[f64]) -> f64 {
        let [strained, all] = self.pulls(vars);
        if strained < all || strained.is_nan() { strained } else { all }
    }

    /// Strain and stored energy.
    pub fn stored(&self, vars: &[f64], pieces: &[u8]) -> [f64; 2] {
        let [e, ..] = self.strained(vars);
        let twice_per_stiffness = match self.slack {
            _ if self.is_slack(pieces) => 0.0,
            // twice the integral of phi, from where it is all slack for short cables: zero at e = 0 less a little
            WhenSlack::Smooth(w) => 0.5 * (e * (e + e.hypot(w)) + w * w * (e / w).asinh()),
            WhenSlack::Pushes | WhenSlack::Switched(_) => e * e,
        };
        [e, 0.5 * self.stiffness * self.rest * twice_per_stiffness]
    }

    /// Power that damping takes.
    pub fn dissipated(&self, vars: &[f64], pieces: &[u8]) -> f64 {
        if self.is_slack(pieces) {
            return 0.0;
        }
        let [strain, rate, _] = self.strained(vars);
        self.damping * self.counted(strain)[1] * self.rest * rate * rate
    }
}
