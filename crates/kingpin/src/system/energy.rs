//! Energies of an instant, and whether their sum is conserved.

use super::{System, Work, in_space};
use crate::element::equation::{Direction, EquationForm, Term};
use crate::element::law::{Law, Strength};
use crate::element::road::Profile;
use crate::model::Space;
use crate::spatial::{Coords, apply, dot};

impl System {
    /// Kinetic energy at the instant of the work. O(bodies + inertances + amplitudes).
    pub fn kinetic_energy(&self, work: &Work) -> f64 {
        in_space!(self.space, C => {
            let energy = |(inertia, body): (&super::Inertia, &crate::spatial::BodyState)| {
                let turn = if C::M == 1 {
                    inertia.tensor[0][0] * body.w[0] * body.w[0]
                } else {
                    dot(&body.w, &apply(&inertia.tensor, &body.w))
                };
                0.5 * (inertia.mass * dot(&body.rdot, &body.rdot) + turn)
            };
            self.inertia[..self.masses()].iter().zip(&work.bodies).map(energy).sum::<f64>() + self.inertance_energy(work) + self.floating_energy(work)
        })
    }

    /// Potential energy at the instant of the work: weight, from the global origin; springs, spring curves,
    /// preloads and constant actuators, from the rest of each; tyres; beams, cells and flexible bodies; constant forces in a fixed direction.
    /// Dampers, functions of time or of measures and forces that turn with a body have none. O(bodies + terms).
    pub fn potential_energy(&self, work: &Work) -> f64 {
        let weight: f64 = self
            .inertia
            .iter()
            .zip(&work.bodies)
            .map(|(inertia, body)| -inertia.weight * dot(&self.gravity, &body.r))
            .sum();
        let terms = self.terms.iter().map(|term| self.term_energy(term, work)).sum::<f64>();
        weight + terms + self.strains_store(work)
    }

    /// What is stored in beams, cells and flexible bodies.
    fn strains_store(&self, work: &Work) -> f64 {
        self.strain_energy(work) + self.cells_store(work) + self.floating_strain(work)
    }

    fn term_energy(&self, term: &Term, work: &Work) -> f64 {
        match (&term.strength, &term.direction) {
            (Strength::Spring(law), _) => {
                let [value, ..] = self.term_numbers(term, work);
                spring_energy(law, value)
            }
            (Strength::Tyre(law), _) => {
                let [deflection, ..] = self.term_numbers(term, work);
                // what a tyre holds when it leaves the ground is lost
                if law.is_off(&work.pieces) { 0.0 } else { 0.5 * law.stiffness * deflection * deflection }
            }
            (Strength::Bar(_), _) => self.strain(term, work)[1],
            (Strength::Stops(law), _) => law.stored(self.term_numbers(term, work)[0], &work.pieces),
            (Strength::Rigid(_) | Strength::Friction(_), _) => 0.0,
            (Strength::Magnitude(f), Direction::Along(basic, sign)) => {
                f.constant_value().map_or(0.0, |force| -sign * force * self.basic_value(basic, work))
            }
            (Strength::Magnitude(f), Direction::Torque { body, .. }) if self.space == Space::Planar => {
                f.constant_value().map_or(0.0, |torque| -torque * work.bodies[*body].p[0])
            }
            (Strength::Magnitude(_) | Strength::Rate(_), _) => 0.0,
        }
    }

    /// How big the numbers are that the potential energy is the sum of: the scale of its rounding errors.
    pub fn potential_size(&self, work: &Work) -> f64 {
        let far =
            work.bodies[..self.masses()].iter().map(|body| dot(&body.r, &body.r)).fold(0.0, f64::max).sqrt();
        let mass: f64 = self.inertia.iter().map(|inertia| inertia.weight).sum();
        let weight = mass * dot(&self.gravity, &self.gravity).sqrt() * far;
        let terms = self.terms.iter().map(|term| self.term_energy(term, work).abs()).sum::<f64>();
        weight + terms + self.strains_store(work)
    }

    /// Whether kinetic and potential energy together stay the same: no damping, no prescribed motion, nothing
    /// that depends on time or measures, no force that turns with a body, no tyre on an uneven road.
    pub fn is_conservative(&self) -> bool {
        let still = |form: &EquationForm| match form {
            EquationForm::Single(_, motion) => motion.constant_value().is_some(),
            EquationForm::Coincide(_) | EquationForm::Sum(..) | EquationForm::Held(..) => true,
        };
        self.layout.equations.iter().all(|n| still(&n.equation.form))
            && self.terms.iter().all(|term| self.term_is_conservative(term))
            && self.beams.iter().all(|beam| beam.damping == 0.0)
            && self.cells.iter().all(|cell| cell.damping == 0.0)
            && self.floating.iter().all(|body| body.constants.damping.iter().all(|c| *c == 0.0))
    }

    pub(super) fn term_is_conservative(&self, term: &Term) -> bool {
        match (&term.strength, &term.direction) {
            (Strength::Spring(law), _) => {
                law.damping == 0.0 && law.damper.is_none() && law.actuator.constant_value().is_some()
            }
            (Strength::Tyre(law), _) => law.damping == 0.0 && matches!(law.road, Profile::Flat(_)),
            (Strength::Bar(law), _) => law.damping == 0.0,
            (Strength::Stops(law), _) => !law.is_damped(),
            // states have no energy
            (Strength::Rate(_) | Strength::Rigid(_), _) => true,
            (Strength::Friction(_), _) => false,
            (Strength::Magnitude(f), direction) => {
                let fixed = match direction {
                    Direction::Along(..) => true,
                    Direction::Torque { .. } => self.space == Space::Planar,
                    Direction::BodyForce { .. } => false,
                };
                f.constant_value().is_some_and(|force| fixed || force == 0.0)
            }
        }
    }
}

/// Energy stored in a spring on a quantity of the given value, zero at rest.
fn spring_energy(law: &Law, value: f64) -> f64 {
    let g = value - law.rest;
    let curve = law.spring.as_ref().map_or(0.0, |curve| curve.integral(g));
    let always = law.preload + law.actuator.constant_value().unwrap_or(0.0);
    0.5 * law.stiffness * g * g + always * g + curve
}
