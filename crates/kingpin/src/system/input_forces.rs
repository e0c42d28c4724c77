//! How forces depend on inputs, and what single terms do.

use super::forces::{apply_force, inputs};
use super::{System, Work, in_space};
use crate::element::equation::Direction;
use crate::element::law::MAX_VARIABLES;
use crate::element::switch::Flag;

impl System {
    /// dQ/du of an input u at the instant of the work, in velocities. Exact where the functions are; O(terms).
    pub fn force_by_input(&self, input: usize, work: &Work, out: &mut [f64]) {
        out.fill(0.0);
        in_space!(self.space, C => {
            for term in &self.terms {
                let Some(place) = term.flags.iter().position(|flag| *flag == Flag::Input(input)) else { continue };
                let (mut vars, mut slopes) = ([0.0; MAX_VARIABLES], [0.0; MAX_VARIABLES]);
                inputs::<C>(&term.inputs, &work.bodies, &work.turns, work.t, &mut vars);
                let used = term.fill_flags(&work.pieces, &work.inputs, &mut vars);
                term.strength.partials(&vars[..used], &work.pieces, &mut slopes[..used]);
                let slope = slopes[1 + 2 * term.inputs.len() + place];
                let bodies = (&self.nodes, &work.bodies[..]);
                apply_force::<C>(&term.direction, slope, bodies, &work.turns, out);
            }
        });
    }

    /// The variables of a term at the instant of the work; returns how many. O(inputs of the term)
    pub(crate) fn term_variables(&self, term: usize, work: &Work, vars: &mut [f64; MAX_VARIABLES]) -> usize {
        let term = &self.terms[term];
        in_space!(self.space, C => inputs::<C>(&term.inputs, &work.bodies, &work.turns, work.t, vars));
        term.fill_flags(&work.pieces, &work.inputs, vars)
    }

    /// The force of a term of strength one at the instant of the work, in velocities. O(velocities)
    pub(crate) fn unit_force(&self, term: usize, work: &Work, out: &mut [f64]) {
        out.fill(0.0);
        let bodies = (&self.nodes, &work.bodies[..]);
        in_space!(self.space, C => {
            apply_force::<C>(&self.terms[term].direction, 1.0, bodies, &work.turns, out);
        });
    }

    /// Whether a term is the rate of a state, on which no multiplier depends.
    pub(crate) fn is_rate_of_state(&self, term: usize) -> bool {
        match &self.terms[term].direction {
            Direction::Along(basic, _) => self.is_state(basic),
            Direction::BodyForce { .. } | Direction::Torque { .. } => false,
        }
    }
}
