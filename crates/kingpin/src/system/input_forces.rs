//! How forces depend on inputs.

use super::forces::{apply_force, inputs};
use super::{System, Work, in_space};
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
}
