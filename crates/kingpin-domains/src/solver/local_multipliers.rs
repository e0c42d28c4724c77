//! Local multipliers alone: every copy of a freedom is tied to a node of the interface by a multiplier of its own and a
//! penalty (augmented Lagrangian) [Bauchau 2010, 15 to 29].

use super::InterfaceMethod;
use crate::DomainError;
use crate::conjugate::{Iteration, Operator, Outcome, Tolerance};
use crate::domains::Domains;
use crate::local::Grounded;
use kingpin_flex::structure::SymmetricMatrix;
use kingpin_sparse::{FrontalLdlt, SparseError};
use nalgebra::DMatrix;

/// How local multipliers are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Multipliers {
    /// Iterated on `F_L` (22, 23), with a penalty in parts of the largest stiffness of a freedom of each sub-domain.
    Iterated(f64),
    /// Eliminated with the sub-domains (18 to 20): the nodes of the interface are solved for at once.
    Eliminated,
}

/// Sub-domains tied to the nodes of the interface.
pub(crate) struct LocalMultipliers {
    /// number of the freedom of the interface that each copy belongs to
    nodes: Vec<u32>,
    /// penalties of the sub-domains and `K + p` there; none where multipliers are eliminated
    pub(super) penalties: Vec<f64>,
    sprung: Vec<Grounded>,
    /// `K_c` of (29), or of (20)
    factor: FrontalLdlt,
    pub(super) c: Vec<f64>,
    inner: Vec<f64>,
    sweep: Vec<f64>,
    iteration: Iteration,
    pub(super) multipliers: Vec<f64>,
    load: Vec<f64>,
}

impl LocalMultipliers {
    pub fn new(domains: &Domains, how: Multipliers) -> Result<LocalMultipliers, DomainError> {
        if domains.communicator.ranks() > 1 {
            let method = if how == Multipliers::Eliminated { "interface" } else { "local" };
            return Err(DomainError::OneRankOnly { method });
        }
        let (nodes, count) = numbered(domains);
        let (mut penalties, mut sprung) = (Vec::new(), Vec::new());
        let mut entries = Vec::new();
        for (k, local) in domains.locals.iter().enumerate() {
            let own = &nodes[domains.interface.starts[k]..domains.interface.starts[k + 1]];
            let n = own.len();
            let mut element = DMatrix::from_column_slice(n, n, local.schur());
            if let Multipliers::Iterated(part) = how {
                let p = part * local.largest();
                let domain = domains.pieces[k].number;
                let factor = Grounded::of(local, DMatrix::zeros(n, 0), p);
                let factor = factor.map_err(|_| DomainError::NotHeld { domain })?;
                element = element_of(&factor, p, n)?;
                penalties.push(p);
                sprung.push(factor);
            }
            for j in 0..n {
                for i in j..n {
                    let (a, b) = (own[i].min(own[j]), own[i].max(own[j]));
                    entries.push((a as usize, b as usize, element[(i, j)]));
                }
            }
        }
        let matrix = SymmetricMatrix::from_entries(count, entries);
        let mut factor = FrontalLdlt::analyse(count, &matrix.columns, &matrix.rows)?;
        factor.factor(&matrix.values).map_err(|error| match error {
            SparseError::ZeroPivot { .. } => DomainError::Floating,
            other => DomainError::Matrix(other),
        })?;
        Ok(LocalMultipliers {
            multipliers: vec![0.0; nodes.len()],
            nodes,
            penalties,
            sprung,
            factor,
            c: vec![0.0; count],
            inner: Vec::new(),
            sweep: Vec::new(),
            iteration: Iteration::default(),
            load: Vec::new(),
        })
    }

    /// Freedoms of the interface, and constraints between them and their copies.
    pub fn sizes(&self) -> (usize, usize) {
        (self.c.len(), self.nodes.len())
    }

    fn solve_nodes(&mut self) -> Result<(), DomainError> {
        self.factor.condense(&self.c, &mut self.inner, &mut [], &mut self.sweep)?;
        Ok(self.factor.restore(&[], &mut self.inner, &mut self.c, &mut self.sweep)?)
    }

    /// `K + p` of the sub-domains: solutions take the place of the broken vector.
    fn solve_sprung(&self, domains: &mut Domains) -> Result<(), DomainError> {
        let sprung = &self.sprung;
        domains.each(&|k, part, work| sprung[k].solve(part, &mut work.first))
    }

    /// For each copy its penalty.
    fn penalties<'a>(&'a self, domains: &'a Domains) -> impl Iterator<Item = f64> + 'a {
        let counts = domains.interface.starts.windows(2).map(|ends| ends[1] - ends[0]);
        self.penalties.iter().zip(counts).flat_map(|(&p, count)| std::iter::repeat_n(p, count))
    }

    /// (28): from `q_u` in the broken vector and `q_c` in the memory of nodes to displacements there.
    fn tied(&mut self, domains: &mut Domains, kept: &mut Vec<f64>) -> Result<(), DomainError> {
        self.solve_sprung(domains)?;
        kept.clear();
        kept.extend_from_slice(&domains.broken[..self.nodes.len()]);
        let p: Vec<f64> = self.penalties(domains).collect();
        for ((&node, y), p) in self.nodes.iter().zip(kept.iter()).zip(&p) {
            self.c[node as usize] += p * y;
        }
        self.solve_nodes()?;
        for ((to, &node), p) in domains.broken.iter_mut().zip(&self.nodes).zip(&p) {
            *to = p * self.c[node as usize];
        }
        self.solve_sprung(domains)?;
        domains.broken.iter_mut().zip(kept.iter()).for_each(|(to, y)| *to += y);
        Ok(())
    }

    /// `p (u - c)` of what [`LocalMultipliers::tied`] has found.
    fn stretch(&self, domains: &Domains, to: &mut [f64]) {
        let copies = domains.broken.iter().zip(&self.nodes).zip(self.penalties(domains));
        for (to, ((u, &node), p)) in to.iter_mut().zip(copies) {
            *to = p * (u - self.c[node as usize]);
        }
    }

    /// The largest sum of multipliers at a node in parts of the largest of them: zero by Newton's third law (17).
    pub fn imbalance(&self, domains: &Domains) -> f64 {
        let mut sums = vec![0.0; self.c.len()];
        let mut largest = 0.0_f64;
        for ((&node, l), p) in self.nodes.iter().zip(&self.multipliers).zip(self.penalties(domains)) {
            sums[node as usize] += p * l;
            largest = largest.max((p * l).abs());
        }
        sums.iter().fold(0.0_f64, |most, sum| most.max(sum.abs())) / largest
    }
}

/// `p - p^2 (S + p)^-1`
fn element_of(sprung: &Grounded, p: f64, n: usize) -> Result<DMatrix<f64>, DomainError> {
    let mut element = DMatrix::zeros(n, n);
    let mut work = Vec::new();
    for k in 0..n {
        let mut column = element.column_mut(k);
        column[k] = 1.0;
        sprung.solve(column.as_mut_slice(), &mut work)?;
        column.iter_mut().for_each(|value| *value *= -p * p);
        column[k] += p;
    }
    Ok(0.5 * (&element + element.transpose()))
}

/// Freedoms of the interface in the order of their first owners.
fn numbered(domains: &Domains) -> (Vec<u32>, usize) {
    let interface = &domains.interface;
    let (mut nodes, mut count) = (vec![0_u32; interface.len()], 0);
    for freedom in 0..interface.len() {
        match interface.copies(freedom).next() {
            Some((first, _)) if first < freedom => nodes[freedom] = nodes[first],
            _ => {
                nodes[freedom] = count;
                count += 1;
            }
        }
    }
    (nodes, count as usize)
}

/// `F_L` (23), scaled by the penalties where it is preconditioned.
pub(super) struct Tied<'a, 'b> {
    pub domains: &'a mut Domains<'b>,
    pub local: &'a mut LocalMultipliers,
    pub kept: Vec<f64>,
}

impl Operator for Tied<'_, '_> {
    fn apply(&mut self, x: &[f64], y: &mut [f64]) -> Result<(), DomainError> {
        let p: Vec<f64> = self.local.penalties(self.domains).collect();
        self.local.c.fill(0.0);
        for (((to, &node), x), p) in self.domains.broken.iter_mut().zip(&self.local.nodes).zip(x).zip(&p) {
            *to = p * x;
            self.local.c[node as usize] -= p * x;
        }
        self.local.tied(self.domains, &mut self.kept)?;
        self.local.stretch(self.domains, y);
        Ok(())
    }

    fn precondition(&mut self, r: &[f64], z: &mut [f64]) -> Result<(), DomainError> {
        let p = self.local.penalties(self.domains);
        z.iter_mut().zip(r).zip(p).for_each(|((z, r), p)| *z = r / p);
        Ok(())
    }

    fn dot(&mut self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }
}

impl InterfaceMethod for LocalMultipliers {
    fn solve(
        &mut self,
        domains: &mut Domains,
        ends: &mut [f64],
        tolerance: Tolerance,
    ) -> Result<Outcome, DomainError> {
        let mut outcome = Outcome { iterations: 0, kappa: 1.0, residual: 0.0 };
        self.c.fill(0.0);
        if self.penalties.is_empty() {
            // (20): loads of the nodes are those of the sub-domains with their insides eliminated
            self.nodes.iter().zip(&domains.broken).for_each(|(&node, load)| self.c[node as usize] += load);
            self.solve_nodes()?;
        } else {
            self.load.clear();
            self.load.extend_from_slice(&domains.broken[..ends.len()]);
            let mut kept = Vec::new();
            self.tied(domains, &mut kept)?;
            let mut side = vec![0.0; ends.len()];
            self.stretch(domains, &mut side);
            let (mut iteration, mut found) = (std::mem::take(&mut self.iteration), vec![0.0; ends.len()]);
            let mut operator = Tied { domains, local: self, kept };
            outcome = iteration.solve(&mut operator, &side, &mut found, tolerance)?;
            kept = operator.kept;
            (self.iteration, self.multipliers) = (iteration, found);
            // (28) with the multipliers
            let p: Vec<f64> = self.penalties(domains).collect();
            self.c.fill(0.0);
            for (k, p) in p.iter().enumerate() {
                domains.broken[k] = self.load[k] - p * self.multipliers[k];
                self.c[self.nodes[k] as usize] += p * self.multipliers[k];
            }
            self.tied(domains, &mut kept)?;
        }
        ends.iter_mut().zip(&self.nodes).for_each(|(to, &node)| *to = self.c[node as usize]);
        Ok(outcome)
    }

    fn coarse(&self) -> usize {
        self.c.len()
    }
}
