//! Global multipliers alone: FETI of one level, whose coarse problem are the rigid motions of floating sub-domains
//! [Farhat and Roux 1991].

use super::links::Links;
use super::{InterfaceMethod, Preconditioner};
use crate::DomainError;
use crate::communicate::gather_lists;
use crate::conjugate::{Iteration, Operator, Outcome, Tolerance};
use crate::domains::{Domains, agreed};
use crate::local::Grounded;
use kingpin_sparse::DenseLdlt;
use nalgebra::DMatrix;

pub(super) struct Global {
    tear: Tear,
    iteration: Iteration,
    multipliers: Vec<f64>,
    load: Vec<f64>,
    gaps: Vec<f64>,
    change: Vec<f64>,
}

/// Sub-domains torn apart: flexibility of multipliers, rigid motions, projector.
struct Tear {
    grounded: Vec<Grounded>,
    links: Links,
    preconditioner: Preconditioner,
    /// whether the projector has the preconditioner in it
    weighted: bool,
    /// rigid motions on each rank, of all, and where those of the sub-domains here begin
    counts: Vec<usize>,
    total: usize,
    starts: Vec<usize>,
    /// `G^T Q G`
    factor: DenseLdlt,
    /// memory: multipliers, rigid motions
    first: Vec<f64>,
    second: Vec<f64>,
    own: Vec<f64>,
    motion: Vec<f64>,
}

impl Tear {
    fn new(
        domains: &mut Domains,
        preconditioner: Preconditioner,
        weighted: bool,
    ) -> Result<Tear, DomainError> {
        let statics = domains.mix.mass == 0.0;
        let pieces = domains.pieces;
        let grounded = crate::team::made(pieces, &|k, piece| {
            let boundary = piece.boundary();
            let rigid =
                if statics { piece.rigid_motions(&boundary) } else { DMatrix::zeros(boundary.len(), 0) };
            Grounded::of(&domains.locals[k], rigid, 0.0).map_err(|freedom| match boundary.get(freedom) {
                Some(&at) => DomainError::Mechanism { domain: piece.number, node: piece.node_of(at) },
                None => DomainError::NotHeld { domain: piece.number },
            })
        });
        let grounded = agreed(domains.communicator, grounded)?;
        let links = Links::of(domains, crate::interface::Primal::Nothing);
        let mut starts = vec![0];
        grounded.iter().for_each(|own: &Grounded| starts.push(starts[starts.len() - 1] + own.rigid.ncols()));
        let (all, _) = gather_lists(domains.communicator, &[starts[starts.len() - 1] as f64]);
        let counts: Vec<usize> = all.iter().map(|&count| count as usize).collect();
        let (total, length) = (counts.iter().sum(), links.len());
        let mut tear = Tear {
            own: vec![0.0; starts[starts.len() - 1]],
            motion: vec![0.0; total],
            first: vec![0.0; length],
            second: vec![0.0; length],
            factor: DenseLdlt::default(),
            grounded,
            links,
            preconditioner,
            weighted,
            counts,
            total,
            starts,
        };
        tear.factor_motions(domains)?;
        Ok(tear)
    }

    /// `G^T Q G`, column by column, factored.
    fn factor_motions(&mut self, domains: &mut Domains) -> Result<(), DomainError> {
        let n = self.total;
        let mut lower = vec![0.0; n * n];
        let mut gaps = vec![0.0; self.links.len()];
        for k in 0..n {
            self.motion.fill(0.0);
            self.motion[k] = 1.0;
            self.opened(domains, &mut gaps);
            self.weigh(domains, &mut gaps)?;
            self.pulled(domains, &gaps);
            lower[k * n..(k + 1) * n].copy_from_slice(&self.motion);
        }
        self.factor = DenseLdlt::factor(n, lower, 1.0).map_err(|_| DomainError::Floating)?;
        Ok(())
    }

    /// `Q x`
    fn weigh(&mut self, domains: &mut Domains, x: &mut [f64]) -> Result<(), DomainError> {
        if !self.weighted {
            return Ok(());
        }
        self.second.copy_from_slice(x);
        self.preconditioner.apply(domains, &self.links, &self.second, x)
    }

    /// `F x`
    fn flex(&mut self, domains: &mut Domains, x: &[f64], y: &mut [f64]) -> Result<(), DomainError> {
        self.links.spread(x, false, &mut domains.broken);
        self.released(domains)?;
        domains.fetch();
        self.links.jumps(&domains.broken, false, y);
        Ok(())
    }

    /// `K^+` times the broken vector.
    fn released(&self, domains: &mut Domains) -> Result<(), DomainError> {
        let grounded = &self.grounded;
        domains.each(&|k, part, work| grounded[k].solve(part, &mut work.first))
    }

    /// `G` times the motions: what gaps rigid motions open.
    fn opened(&mut self, domains: &mut Domains, gaps: &mut [f64]) {
        domains.broken.fill(0.0);
        self.moved(domains);
        domains.fetch();
        self.links.jumps(&domains.broken, false, gaps);
    }

    /// Adds rigid motions to the broken vector.
    fn moved(&self, domains: &mut Domains) {
        let before: usize = self.counts[..domains.communicator.rank()].iter().sum();
        for (k, own) in self.grounded.iter().enumerate() {
            let begin = domains.interface.starts[k];
            for (motion, column) in own.rigid.column_iter().enumerate() {
                let factor = self.motion[before + self.starts[k] + motion];
                let part = domains.broken[begin..].iter_mut().zip(column.iter());
                part.for_each(|(to, r)| *to += factor * r);
            }
        }
    }

    /// `G^T x`: what multipliers do on rigid motions.
    fn pulled(&mut self, domains: &mut Domains, x: &[f64]) {
        self.links.spread(x, false, &mut domains.broken);
        self.rigid_parts(domains);
    }

    /// `R^T` times the broken vector, of all sub-domains.
    fn rigid_parts(&mut self, domains: &Domains) {
        for (k, own) in self.grounded.iter().enumerate() {
            let begin = domains.interface.starts[k];
            for (motion, column) in own.rigid.column_iter().enumerate() {
                let part = domains.broken[begin..].iter().zip(column.iter());
                self.own[self.starts[k] + motion] = part.map(|(a, b)| a * b).sum();
            }
        }
        domains.communicator.gather(&self.own, &self.counts, &mut self.motion);
    }

    /// Takes `Q G (G^T Q G)^-1 G^T x` from `x`.
    fn balance(&mut self, domains: &mut Domains, x: &mut [f64]) -> Result<(), DomainError> {
        if self.total == 0 {
            return Ok(());
        }
        self.pulled(domains, x);
        self.factor.solve(&mut self.motion)?;
        let mut gaps = std::mem::take(&mut self.first);
        self.opened(domains, &mut gaps);
        self.weigh(domains, &mut gaps)?;
        x.iter_mut().zip(&gaps).for_each(|(x, gap)| *x -= gap);
        self.first = gaps;
        Ok(())
    }

    /// `(G^T Q G)^-1 G^T Q x` in the memory of motions.
    fn slack(&mut self, domains: &mut Domains, x: &[f64]) -> Result<(), DomainError> {
        let mut weighted = std::mem::take(&mut self.first);
        weighted.copy_from_slice(x);
        self.weigh(domains, &mut weighted)?;
        self.pulled(domains, &weighted);
        self.first = weighted;
        Ok(self.factor.solve(&mut self.motion)?)
    }
}

struct Torn<'a, 'b> {
    domains: &'a mut Domains<'b>,
    tear: &'a mut Tear,
    memory: &'a mut Vec<f64>,
}

impl Operator for Torn<'_, '_> {
    fn apply(&mut self, x: &[f64], y: &mut [f64]) -> Result<(), DomainError> {
        self.tear.flex(self.domains, x, y)
    }

    fn precondition(&mut self, r: &[f64], z: &mut [f64]) -> Result<(), DomainError> {
        self.tear.preconditioner.apply(self.domains, &self.tear.links, r, z)?;
        self.tear.balance(self.domains, z)
    }

    fn project(&mut self, r: &mut [f64]) -> Result<(), DomainError> {
        if self.tear.total == 0 {
            return Ok(());
        }
        self.tear.slack(self.domains, r)?;
        self.memory.resize(r.len(), 0.0);
        self.tear.opened(self.domains, self.memory);
        r.iter_mut().zip(self.memory.iter()).for_each(|(r, gap)| *r -= gap);
        Ok(())
    }

    fn dot(&mut self, a: &[f64], b: &[f64]) -> f64 {
        self.domains.total(self.tear.links.partial_products(a, b))
    }
}

impl Global {
    pub fn new(
        domains: &mut Domains,
        preconditioner: Preconditioner,
        weighted: bool,
    ) -> Result<Global, DomainError> {
        let tear = Tear::new(domains, preconditioner, weighted)?;
        let length = tear.links.len();
        Ok(Global {
            tear,
            iteration: Iteration::default(),
            multipliers: vec![0.0; length],
            load: Vec::new(),
            gaps: vec![0.0; length],
            change: Vec::new(),
        })
    }

    /// Gaps that loads and multipliers open: `d - F l`.
    fn open_gaps(&mut self, domains: &mut Domains) -> Result<(), DomainError> {
        self.balance_loads(domains);
        self.tear.released(domains)?;
        domains.fetch();
        self.tear.links.jumps(&domains.broken, false, &mut self.gaps);
        Ok(())
    }

    /// The broken vector becomes loads less forces of multipliers.
    fn balance_loads(&self, domains: &mut Domains) {
        self.tear.links.spread(&self.multipliers, false, &mut domains.broken);
        domains.broken.iter_mut().zip(&self.load).for_each(|(to, load)| *to = load - *to);
    }
}

impl InterfaceMethod for Global {
    fn solve(
        &mut self,
        domains: &mut Domains,
        ends: &mut [f64],
        tolerance: Tolerance,
    ) -> Result<Outcome, DomainError> {
        self.load.clear();
        self.load.extend_from_slice(&domains.broken[..ends.len()]);
        self.multipliers.fill(0.0);
        if self.tear.total > 0 {
            // multipliers that balance the loads of floating sub-domains
            self.tear.rigid_parts(domains);
            self.tear.factor.solve(&mut self.tear.motion)?;
            self.tear.opened(domains, &mut self.multipliers);
            self.tear.weigh(domains, &mut self.multipliers)?;
        }
        self.open_gaps(domains)?;
        let mut operator = Torn { domains, tear: &mut self.tear, memory: &mut self.change };
        let outcome = self.iteration.solve(&mut operator, &self.gaps, &mut self.multipliers, tolerance)?;
        if self.tear.total > 0 {
            self.open_gaps(domains)?;
            self.tear.slack(domains, &self.gaps)?;
            self.tear.motion.iter_mut().for_each(|motion| *motion = -*motion);
        }
        self.balance_loads(domains);
        self.tear.released(domains)?;
        self.tear.moved(domains);
        domains.broken.iter_mut().zip(&domains.weights).for_each(|(to, weight)| *to *= weight);
        domains.sum(ends);
        Ok(outcome)
    }

    fn coarse(&self) -> usize {
        self.tear.total
    }
}
