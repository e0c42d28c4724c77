//! How a model wants to be simulated, unless the command line says otherwise.

use crate::described;
use crate::{accel, dynamics};

/// The start at rest.
const EQUILIBRIUM: &str = "equilibrium";

described! {
    /// Simulation settings.
    pub struct Simulation {
        /// Time at which the simulation ends.
        t_end: f64 [Kind::Number("s"), range = Range::NonNegative] = 1.0;
        /// Integration method; `auto` chooses one that suits the model.
        method: String [Kind::Choice(dynamics::Method::NAMES)] = "auto".to_string();
        /// How accelerations are solved for; `auto` chooses the way that is predicted to be fastest.
        solver: String [Kind::Choice(accel::Solver::NAMES)] = "auto".to_string();
        /// Which matrices implicit methods use: dense ones of the degrees of freedom, sparse ones of all coordinates and
        /// multipliers for any size, or (`auto`) whichever are predicted to take less time.
        matrices: String [Kind::Choice(dynamics::Matrices::NAMES)] = "auto".to_string();
        /// In which coordinates implicit methods tell the motions that constraints leave free: independent ones among all
        /// coordinates (`partition`, dense matrices only), those of the plane tangent to the constraints (`tangent`), or
        /// (`auto`) the former with dense matrices and the latter with sparse ones.
        coordinates: String [Kind::Choice(dynamics::Coordinates::NAMES)] = "auto".to_string();
        /// Threads that a run uses; without it as many as are predicted to pay, one for small mechanisms. Results are the
        /// same for any number.
        threads: Option<usize> [Kind::Count] = None;
        /// Accuracy asked for: error of a step over the natural scales of the motion.
        tol: f64 [Kind::Number(""), range = Range::Accuracy] = 1e-6;
        /// The same as `tol`, and goes before it.
        rtol: Option<f64> [Kind::Number(""), range = Range::Accuracy] = None;
        /// Errors of a step, in SI units, that do not matter however small the motion is: one number for all, or
        /// a table such as `{ position = "1 nm", angle = "1e-9 rad" }`.
        atol: Option<f64> [Kind::Number(""), range = Range::Positive] = None;
        /// Error of positions that does not matter; `atol.position` means the same.
        atol_position: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
        /// Error of attitudes that does not matter; `atol.angle` means the same.
        atol_angle: Option<f64> [Kind::Number("rad"), range = Range::Positive] = None;
        /// Error of velocities that does not matter; `atol.velocity` means the same.
        atol_velocity: Option<f64> [Kind::Number("m/s"), range = Range::Positive] = None;
        /// Error of angular velocities that does not matter; `atol.angular_velocity` means the same.
        atol_angular_velocity: Option<f64> [Kind::Number("rad/s"), range = Range::Positive] = None;
        /// How explicit methods keep states on the constraints: `projection` and `optimisation` correct the end of each step,
        /// `none` does not.
        stabilisation: String [Kind::Choice(dynamics::Stabilisation::NAMES)] = "projection".to_string();
        /// What changes are weighed by where `optimisation` looks for the nearest state.
        stabilisation_weights: String [Kind::Choice(dynamics::ChangeWeights::NAMES)] = "mass".to_string();
        /// Where it starts: from the given positions, or from static equilibrium near them; in both cases with the
        /// given velocities.
        start: String [Kind::Choice(&["given", EQUILIBRIUM])] = "given".to_string();
        /// Time between two frames of the results.
        frame: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
        /// Greatest step.
        h_max: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
        /// What is left in a step of `gen-alpha` of oscillations that are much faster than the steps: 1 damps nothing, 0 all of
        /// them at once.
        spectral_radius: f64 [Kind::Number(""), range = Range::Share] = 0.8;
        /// Step of the methods that keep it fixed: `newmark` and `hht`.
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
