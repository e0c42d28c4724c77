//! The generalised-alpha method of [Chung and Hulbert 1993] for a spectral radius at infinity:
//!
//! ```text
//! v1  = v0 + h v0' + h^2 ((1/2 - beta) a0 + beta a1)      v1' = v0' + h ((1 - gamma) a0 + gamma a1)
//! (1 - am) a1 + am a0 = (1 - af) f(y1) + af f(y0)
//! ```
//!
//! The accelerations a are those of the method: smooth ones are f at a time that is `shift` of a step behind. What
//! oscillates much faster than the steps shrinks by the radius in each of them.

/// The weights of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Generalised {
    /// Weight of the old acceleration in the mean of those of the method.
    pub am: f64,
    /// Weight of the old force in the mean of the forces.
    pub af: f64,
    /// Weight of the new acceleration in the velocity.
    pub gamma: f64,
    /// Its weight in the position.
    pub beta: f64,
    /// How much later than its step, in parts of it, f is what the method has for an acceleration.
    pub shift: f64,
    /// Error of the position in a step, over `h^3` times the third derivative of the position.
    pub error_position: f64,
    /// Error of the velocity, over `h^3` times the fourth.
    pub error_velocity: f64,
    /// What a start with `a0 = f(y0)` leaves in the velocity, over `h^2` times the third derivative of the position.
    pub error_start: f64,
}

impl Generalised {
    /// For a radius from 0 to 1.
    pub const fn new(radius: f64) -> Self {
        let (am, af) = ((2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0));
        let shift = am - af;
        let gamma = 0.5 - shift;
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        // a = f + shift h f' + curl h^2 f'' on smooth motions
        let curl = 0.5 * (1.0 - af) - (1.0 - am) * (0.5 + shift);
        Self {
            am,
            af,
            gamma,
            beta,
            shift,
            error_position: 0.5 * shift + beta - 1.0 / 6.0,
            error_velocity: curl + gamma * (0.5 + shift) - 1.0 / 6.0,
            error_start: 0.5 * shift * shift,
        }
    }

    /// Weight of the new force in the new acceleration.
    pub const fn lead(&self) -> f64 {
        (1.0 - self.af) / (1.0 - self.am)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position and velocity after steps of 1 where f is a polynomial of time, from accelerations in their places.
    fn after(rule: &Generalised, f: impl Fn(f64) -> f64, a0: f64) -> [f64; 2] {
        let a1 = ((1.0 - rule.af) * f(1.0) + rule.af * f(0.0) - rule.am * a0) / (1.0 - rule.am);
        let position = (0.5 - rule.beta) * a0 + rule.beta * a1;
        [position, (1.0 - rule.gamma) * a0 + rule.gamma * a1]
    }

    #[test]
    fn errors_are_those_of_polynomials() {
        for radius in [0.0, 0.5, 0.8, 1.0] {
            let rule = Generalised::new(radius);
            // f = t: the velocity is exact, the position wrong by what is said
            let [position, velocity] = after(&rule, |t| t, rule.shift);
            assert!((velocity - 0.5).abs() < 1e-15, "{radius}");
            assert!((position - 1.0 / 6.0 - rule.error_position).abs() < 1e-15, "{radius}");
            // f = t^2/2 with the acceleration that steps before have left
            let curl = 0.5 * (1.0 - rule.af) - (1.0 - rule.am) * (0.5 + rule.shift);
            let [_, velocity] = after(&rule, |t| 0.5 * t * t, curl);
            assert!((velocity - 1.0 / 6.0 - rule.error_velocity).abs() < 1e-15, "{radius}");
        }
    }

    /// A start with the force itself: what is left of it in the velocity after many steps.
    #[test]
    fn a_start_leaves_what_is_said() {
        for radius in [0.0, 0.5, 0.8] {
            let rule = Generalised::new(radius);
            let (mut a, mut velocity) = (0.0, 0.0);
            for k in 0..60 {
                let (now, next) = (f64::from(k), f64::from(k + 1));
                let a1 = ((1.0 - rule.af) * next + rule.af * now - rule.am * a) / (1.0 - rule.am);
                velocity += (1.0 - rule.gamma) * a + rule.gamma * a1;
                a = a1;
            }
            assert!((velocity - 1800.0 - rule.error_start).abs() < 1e-9, "{radius}: {velocity}");
        }
    }
}
