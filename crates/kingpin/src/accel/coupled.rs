//! Mass that couples bodies, for solvers that know the mass of single bodies alone.
//!
//! M + J^T B J with the rates J v of inertances and B = diag(b): their forces lam = B (J v)' are further unknowns, and
//!
//! ```text
//! [ M  Phi_v^T  J^T ] [ v' ]   [ Q     ]
//! [ Phi_v           ] [lam ] = [ gamma ]
//! [ J         -B^-1 ] [lam ]   [ -J' v ]
//! ```
//!
//! is the same problem over the block-diagonal M: rows that yield. S has B^-1 more on its diagonal, so every solver
//! takes them, no body grows, and what is definite stays so.

use super::problem::{Numbers, Problem};
use crate::system::{System, Work, moving};

/// The problem with the rows of inertances, and room for its numbers.
#[derive(Clone, Debug)]
pub struct Coupled {
    /// The problem.
    pub problem: Problem,
    phi_v: Vec<f64>,
    gamma: Vec<f64>,
}

impl Coupled {
    /// For a system with inertances; `None` for one whose mass is that of its bodies.
    pub fn new(plain: &Problem) -> Option<Coupled> {
        let problem = plain.coupled()?.clone();
        Some(Coupled { phi_v: vec![0.0; problem.numbers], gamma: vec![0.0; problem.rows], problem })
    }

    /// The numbers of an instant with those of inertances. No allocation. O(numbers)
    pub fn gather<'a>(
        &'a mut self,
        system: &System,
        work: &Work,
        plain: Numbers<'a>,
    ) -> (&'a Problem, Numbers<'a>) {
        let (mut at, joints) = (plain.phi_v.len(), plain.gamma.len());
        self.phi_v[..at].copy_from_slice(plain.phi_v);
        self.gamma[..joints].copy_from_slice(plain.gamma);
        let mut rates = &work.rates[..];
        for inertances in system.grouped_inertances() {
            let (own, rest) = rates.split_at(inertances.len());
            for (side, _, columns) in moving(system, &inertances[0].basic) {
                for rate in own {
                    let end = at + columns.len();
                    self.phi_v[at..end].copy_from_slice(&rate.row[side][..columns.len()]);
                    at = end;
                }
            }
            rates = rest;
        }
        let curved = self.gamma[joints..].iter_mut().zip(&work.rates);
        curved.for_each(|(gamma, rate)| *gamma = -rate.curvature);
        (&self.problem, Numbers { phi_v: &self.phi_v, gamma: &self.gamma, ..plain })
    }
}
