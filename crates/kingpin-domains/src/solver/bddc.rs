//! Balancing domain decomposition by constraints: conjugate gradients on the assembled interface, preconditioned by
//! sub-domains that are joined by the primal part alone [Dohrmann 2003].

use super::InterfaceMethod;
use super::partial::Partial;
use crate::DomainError;
use crate::conjugate::{Iteration, Operator, Outcome, Tolerance};
use crate::domains::Domains;
use crate::interface::Primal;

pub(super) struct Bddc {
    partial: Partial,
    iteration: Iteration,
    load: Vec<f64>,
}

impl Bddc {
    pub fn new(domains: &Domains, primal: Primal) -> Result<Bddc, DomainError> {
        let partial = Partial::new(domains, primal)?;
        Ok(Bddc { partial, iteration: Iteration::default(), load: Vec::new() })
    }
}

/// The assembled Schur complement and its preconditioner.
struct Assembled<'a, 'b> {
    domains: &'a mut Domains<'b>,
    partial: &'a mut Partial,
}

impl Operator for Assembled<'_, '_> {
    fn apply(&mut self, x: &[f64], y: &mut [f64]) -> Result<(), DomainError> {
        self.domains.multiply(x)?;
        self.domains.sum(y);
        Ok(())
    }

    fn precondition(&mut self, r: &[f64], z: &mut [f64]) -> Result<(), DomainError> {
        let domains = &mut *self.domains;
        let weighted = domains.broken.iter_mut().zip(&domains.weights).zip(r);
        weighted.for_each(|((to, weight), r)| *to = weight * r);
        self.partial.solve(domains)?;
        domains.broken.iter_mut().zip(&domains.weights).for_each(|(to, weight)| *to *= weight);
        domains.sum(z);
        Ok(())
    }

    fn dot(&mut self, a: &[f64], b: &[f64]) -> f64 {
        self.domains.dot(a, b)
    }
}

impl InterfaceMethod for Bddc {
    fn solve(
        &mut self,
        domains: &mut Domains,
        ends: &mut [f64],
        tolerance: Tolerance,
    ) -> Result<Outcome, DomainError> {
        self.load.resize(ends.len(), 0.0);
        domains.sum(&mut self.load);
        ends.fill(0.0);
        let mut operator = Assembled { domains, partial: &mut self.partial };
        self.iteration.solve(&mut operator, &self.load, ends, tolerance)
    }

    fn coarse(&self) -> usize {
        self.partial.count()
    }
}
