//! Solutions of structures in sub-domains, in several ways behind one interface.

mod bddc;
mod choose;
mod direct;
mod dual_primal;
mod global;
mod links;
mod local_multipliers;
mod method;
mod partial;
mod study;

pub use method::{Method, Options};
pub use study::{MultiplierStudy, study_multipliers};

use crate::DomainError;
use crate::communicate::Communicator;
use crate::conjugate::{Outcome, Tolerance};
use crate::domains::Domains;
use crate::piece::Piece;
use direct::Direct;
use links::Links;

/// Displacements of the interface, found in some way.
trait InterfaceMethod {
    /// From loads of the interface in the broken vector to displacements of the interface, the same for all owners.
    fn solve(
        &mut self,
        domains: &mut Domains,
        ends: &mut [f64],
        tolerance: Tolerance,
    ) -> Result<Outcome, DomainError>;

    /// Unknowns of the coarse problem.
    fn coarse(&self) -> usize;
}

/// What comes before the iterations on multipliers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preconditioner {
    /// Nothing.
    Identity,
    /// The matrix on interfaces, before elimination of insides.
    Lumped,
    /// The Schur complements.
    Dirichlet,
}

impl Preconditioner {
    fn apply(
        self,
        domains: &mut Domains,
        links: &Links,
        r: &[f64],
        z: &mut [f64],
    ) -> Result<(), DomainError> {
        if self == Preconditioner::Identity {
            z.copy_from_slice(r);
            return Ok(());
        }
        links.spread(r, true, &mut domains.broken);
        let locals = domains.locals.clone();
        domains.each(&|k, part, work| {
            work.first.clear();
            work.first.extend_from_slice(part);
            if self == Preconditioner::Dirichlet {
                return locals[k].times(&work.first, part);
            }
            locals[k].times_lumped(&work.first, part);
            Ok(())
        })?;
        domains.fetch();
        links.jumps(&domains.broken, true, z);
        Ok(())
    }
}

/// A structure in sub-domains, set up to be solved for loads.
pub struct StructureSolver<'a> {
    way: Way<'a>,
    method: Method,
    tolerance: Tolerance,
}

enum Way<'a> {
    Direct(Box<Direct<'a>>),
    Domains { domains: Box<Domains<'a>>, by: Box<dyn InterfaceMethod + Send + 'a>, ends: Vec<f64> },
}

impl<'a> StructureSolver<'a> {
    /// Factors what can be factored once. `pieces` are those of this rank.
    pub fn new(
        pieces: &'a [Piece],
        communicator: &'a dyn Communicator,
        options: &Options,
    ) -> Result<StructureSolver<'a>, DomainError> {
        let method = options.chosen(pieces, communicator);
        let tolerance = options.tolerance;
        if method == Method::Direct {
            let way = Way::Direct(Box::new(Direct::new(pieces, communicator, options.mix)?));
            return Ok(StructureSolver { way, method, tolerance });
        }
        let mut domains = Box::new(Domains::new(pieces, communicator, options.mix, options.sharing)?);
        let by = method.set_up(&mut domains, options)?;
        let ends = vec![0.0; domains.interface.len()];
        Ok(StructureSolver { way: Way::Domains { domains, by, ends }, method, tolerance })
    }

    /// The method that was chosen.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Unknowns of the coarse problem.
    pub fn coarse(&self) -> usize {
        match &self.way {
            Way::Direct(_) => 0,
            Way::Domains { by, .. } => by.coarse(),
        }
    }

    /// The sub-domains, unless the whole is solved directly.
    pub fn domains(&self) -> Option<&Domains<'a>> {
        match &self.way {
            Way::Direct(_) => None,
            Way::Domains { domains, .. } => Some(domains),
        }
    }

    /// Displacements of the freedoms of each sub-domain here under their loads. A load on a freedom that several
    /// sub-domains have is the sum of what each is given.
    pub fn solve(&mut self, loads: &[Vec<f64>], to: &mut [Vec<f64>]) -> Result<Outcome, DomainError> {
        match &mut self.way {
            Way::Direct(direct) => direct.solve(loads, to),
            Way::Domains { domains, by, ends } => {
                domains.condense(loads)?;
                let outcome = by.solve(domains, ends, self.tolerance)?;
                domains.restore(ends, to)?;
                Ok(outcome)
            }
        }
    }
}
