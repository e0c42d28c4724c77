//! FETI-DP: conjugate gradients on multipliers between sub-domains that are joined by the primal part [Farhat 2001]; with
//! nodes as the primal part the mixed method of local and global multipliers [Bauchau 2010].

use super::links::Links;
use super::partial::Partial;
use super::{InterfaceMethod, Preconditioner};
use crate::DomainError;
use crate::conjugate::{Iteration, Operator, Outcome, Tolerance};
use crate::domains::Domains;
use crate::interface::Primal;

pub(super) struct DualPrimal {
    partial: Partial,
    links: Links,
    preconditioner: Preconditioner,
    iteration: Iteration,
    multipliers: Vec<f64>,
    load: Vec<f64>,
    gaps: Vec<f64>,
}

impl DualPrimal {
    pub fn new(
        domains: &mut Domains,
        primal: Primal,
        preconditioner: Preconditioner,
    ) -> Result<DualPrimal, DomainError> {
        let partial = Partial::new(domains, primal)?;
        let links = Links::of(domains, primal);
        Ok(DualPrimal {
            multipliers: vec![0.0; links.len()],
            gaps: vec![0.0; links.len()],
            partial,
            links,
            preconditioner,
            iteration: Iteration::default(),
            load: Vec::new(),
        })
    }
}

/// Flexibility of the multipliers.
struct Flexibility<'a, 'b> {
    domains: &'a mut Domains<'b>,
    partial: &'a mut Partial,
    links: &'a Links,
    preconditioner: Preconditioner,
}

impl Operator for Flexibility<'_, '_> {
    fn apply(&mut self, x: &[f64], y: &mut [f64]) -> Result<(), DomainError> {
        self.links.spread(x, false, &mut self.domains.broken);
        self.partial.solve(self.domains)?;
        self.domains.fetch();
        self.links.jumps(&self.domains.broken, false, y);
        Ok(())
    }

    fn precondition(&mut self, r: &[f64], z: &mut [f64]) -> Result<(), DomainError> {
        self.preconditioner.apply(self.domains, self.links, r, z)
    }

    fn dot(&mut self, a: &[f64], b: &[f64]) -> f64 {
        self.domains.total(self.links.partial_products(a, b))
    }
}

impl InterfaceMethod for DualPrimal {
    fn solve(
        &mut self,
        domains: &mut Domains,
        ends: &mut [f64],
        tolerance: Tolerance,
    ) -> Result<Outcome, DomainError> {
        let length = ends.len();
        self.load.clear();
        self.load.extend_from_slice(&domains.broken[..length]);
        self.partial.solve(domains)?;
        domains.fetch();
        self.links.jumps(&domains.broken, false, &mut self.gaps);
        self.multipliers.fill(0.0);
        let (partial, links) = (&mut self.partial, &self.links);
        let mut operator = Flexibility { domains, partial, links, preconditioner: self.preconditioner };
        let outcome = self.iteration.solve(&mut operator, &self.gaps, &mut self.multipliers, tolerance)?;
        // loads less the forces of multipliers, then the mean of the copies
        self.links.spread(&self.multipliers, false, &mut domains.broken);
        domains.broken.iter_mut().zip(&self.load).for_each(|(to, load)| *to = load - *to);
        self.partial.solve(domains)?;
        domains.broken.iter_mut().zip(&domains.weights).for_each(|(to, weight)| *to *= weight);
        domains.sum(ends);
        Ok(outcome)
    }

    fn coarse(&self) -> usize {
        self.partial.count()
    }
}
