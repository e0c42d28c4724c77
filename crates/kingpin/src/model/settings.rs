//! How a model wants to be simulated, unless the command line says otherwise.

use crate::described;
use crate::{accel, dynamics};

/// The start at rest.
const EQUILIBRIUM: &str = "equilibrium";

described! {
    /// Simulation settings.
    pub struct Simulation {
        /// End time of the simulation.
        t_end: f64 [Kind::Number("s"), range = Range::NonNegative] = 1.0;
        /// Integration method; `auto` chooses a suitable one.
        method: String [Kind::Choice(dynamics::Method::NAMES)] = "auto".to_string();
        /// Solver for accelerations and multipliers; `auto` chooses the one with the lowest predicted time.
        solver: String [Kind::Choice(accel::Solver::NAMES)] = "auto".to_string();
        /// Matrices of implicit methods: dense ones of the size of the degrees of freedom, sparse ones of all
        /// coordinates and multipliers for any size, or (`auto`) the kind with the lower predicted time.
        matrices: String [Kind::Choice(dynamics::Matrices::NAMES)] = "auto".to_string();
        /// Coordinates integrated by implicit methods: independent coordinates (`partition`, dense matrices only),
        /// tangent plane coordinates (`tangent`), or (`auto`) the former with dense matrices and the latter with
        /// sparse ones.
        coordinates: String [Kind::Choice(dynamics::Coordinates::NAMES)] = "auto".to_string();
        /// Number of threads of a run; by default the fastest number by prediction, one for small mechanisms. Results
        /// do not depend on it.
        threads: Option<usize> [Kind::Count] = None;
        /// Error tolerance per step, relative to the natural scales of the motion.
        tol: f64 [Kind::Number(""), range = Range::Accuracy] = 1e-6;
        /// Same as `tol`, over which it takes precedence.
        rtol: Option<f64> [Kind::Number(""), range = Range::Accuracy] = None;
        /// Absolute error tolerance per step, in SI units: one number for all, or a table such as `{ position = "1
        /// nm", angle = "1e-9 rad" }`.
        atol: Option<f64> [Kind::Number(""), range = Range::Positive] = None;
        /// Absolute tolerance of positions, same as `atol.position`.
        atol_position: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
        /// Absolute tolerance of orientations, same as `atol.angle`.
        atol_angle: Option<f64> [Kind::Number("rad"), range = Range::Positive] = None;
        /// Absolute tolerance of velocities, same as `atol.velocity`.
        atol_velocity: Option<f64> [Kind::Number("m/s"), range = Range::Positive] = None;
        /// Absolute tolerance of angular velocities, same as `atol.angular_velocity`.
        atol_angular_velocity: Option<f64> [Kind::Number("rad/s"), range = Range::Positive] = None;
        /// Constraint stabilisation of explicit methods: `projection` and `optimisation` correct the state after each
        /// step, `none` does not.
        stabilisation: String [Kind::Choice(dynamics::Stabilisation::NAMES)] = "projection".to_string();
        /// Weights of `optimisation` in the search for the closest state.
        stabilisation_weights: String [Kind::Choice(dynamics::ChangeWeights::NAMES)] = "mass".to_string();
        /// Initial state: the given positions, or the static equilibrium near them; in both cases with the given
        /// velocities.
        start: String [Kind::Choice(&["given", EQUILIBRIUM])] = "given".to_string();
        /// Output interval of the results.
        frame: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
        /// Maximum step size.
        h_max: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
        /// High-frequency spectral radius rho_inf of `gen-alpha`: from 1 (no numerical damping) to 0 (asymptotic
        /// annihilation).
        spectral_radius: f64 [Kind::Number(""), range = Range::Share] = 0.8;
        /// Fixed step size of `newmark` and `hht`.
        h: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
    }
}

impl Simulation {
    /// Whether it starts from static equilibrium.
    pub fn starts_at_equilibrium(&self) -> bool {
        self.start == EQUILIBRIUM
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_lists() {
        assert!(accel::Solver::choices().map(accel::Solver::name).eq(accel::Solver::NAMES.iter().copied()));
        assert!(dynamics::Method::ALL.map(dynamics::Method::name).iter().eq(dynamics::Method::NAMES));
        assert!(accel::Solver::NAMES.contains(&Simulation::default().solver.as_str()));
        assert!(dynamics::Stabilisation::NAMES.contains(&Simulation::default().stabilisation.as_str()));
        assert!(dynamics::Method::NAMES.contains(&Simulation::default().method.as_str()));
        assert_eq!(Simulation::default().spectral_radius, crate::integrate::RADIUS);
    }
}
