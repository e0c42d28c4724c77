//! The law of stops that yield, on a weighted sum of one or two coordinates.

use crate::scalar::Scalar;

/// One stop: beyond its limit, stiffness times how far plus damping times how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Where it is met.
    pub limit: f64,
    /// Whether values above the limit are beyond it, or those below.
    pub upper: bool,
    /// Force per how far.
    pub stiffness: f64,
    /// Force per how fast.
    pub damping: f64,
    /// Weights of the coordinates; the second is zero if there is one alone.
    pub weights: [f64; 2],
}

impl Stop {
    /// The weighted sum of the coordinates and its rate, from t, and value and rate of each.
    fn met<T: Scalar>(&self, vars: &[T]) -> [T; 2] {
        let [a, b] = self.weights;
        let mut sum = [vars[1].scale(a), vars[2].scale(a)];
        if b != 0.0 {
            sum = [sum[0] + vars[3].scale(b), sum[1] + vars[4].scale(b)];
        }
        sum
    }

    /// The force against the coordinate while it is in contact: positive at an upper stop.
    fn force<T: Scalar>(&self, vars: &[T]) -> T {
        let [g, rate] = self.met(vars);
        (g - T::from_f64(self.limit)).scale(self.stiffness) + rate.scale(self.damping)
    }

    /// The two functions that are positive in contact: the push of its spring, and all of it. Contact begins where the
    /// first becomes positive and ends where one of them no longer is.
    pub fn presses<T: Scalar>(&self, vars: &[T]) -> [T; 2] {
        let g = self.met(vars)[0] - T::from_f64(self.limit);
        let sign = if self.upper { 1.0 } else { -1.0 };
        [g.scale(sign * self.stiffness), self.force(vars).scale(sign)]
    }

    /// The smaller of the two.
    pub fn contact(&self, vars: &[f64]) -> f64 {
        let [spring, all] = self.presses(vars);
        if spring < all || spring.is_nan() { spring } else { all }
    }

    /// Its name among two.
    pub fn word(&self) -> &'static str {
        if self.upper { "upper" } else { "lower" }
    }
}

/// Stops on one coordinate, each with the switch that tells whether it is met.
#[derive(Clone, Debug, PartialEq)]
pub struct StopsLaw {
    /// The stops.
    pub stops: Vec<(Stop, usize)>,
    /// Whether this term accounts for the energy: one of those that make up a force.
    pub accounts: bool,
}

impl StopsLaw {
    fn met<'a>(&'a self, pieces: &'a [u8]) -> impl Iterator<Item = &'a Stop> {
        self.stops.iter().filter(|(_, switch)| pieces[*switch] == 1).map(|(stop, _)| stop)
    }

    /// The force against the coordinate.
    pub fn eval<T: Scalar>(&self, vars: &[T], pieces: &[u8]) -> T {
        self.met(pieces).fold(T::zero(), |sum, stop| sum + stop.force(vars))
    }

    /// The force with its partial derivatives.
    pub fn partials(&self, vars: &[f64], pieces: &[u8], out: &mut [f64]) -> f64 {
        out.fill(0.0);
        for stop in self.met(pieces) {
            for (k, weight) in stop.weights.into_iter().enumerate().filter(|(_, weight)| *weight != 0.0) {
                out[1 + 2 * k] += weight * stop.stiffness;
                out[2 + 2 * k] += weight * stop.damping;
            }
        }
        self.eval(vars, pieces)
    }

    /// The coordinate and its rate.
    pub fn probed(&self, vars: &[f64]) -> [f64; 2] {
        self.stops.first().map_or([0.0; 2], |(stop, _)| stop.met(vars))
    }

    /// Energy stored in stops that are met.
    pub fn stored(&self, value: f64, pieces: &[u8]) -> f64 {
        if !self.accounts {
            return 0.0;
        }
        self.met(pieces).map(|stop| 0.5 * stop.stiffness * (value - stop.limit) * (value - stop.limit)).sum()
    }

    /// Power that damping takes.
    pub fn dissipated(&self, vars: &[f64], pieces: &[u8]) -> f64 {
        if !self.accounts {
            return 0.0;
        }
        let taken = |stop: &Stop| stop.damping * stop.met(vars)[1] * stop.met(vars)[1];
        self.met(pieces).map(taken).sum()
    }

    /// Whether it takes energy.
    pub fn is_damped(&self) -> bool {
        self.stops.iter().any(|(stop, _)| stop.damping > 0.0)
    }
}
