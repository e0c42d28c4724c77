//! The sub-domains of a rank, ready to be solved with: insides eliminated, weights known.

use crate::DomainError;
use crate::communicate::Communicator;
use crate::interface::{Interface, total};
use crate::local::{Local, Mix, Work, hash_of, shared};
use crate::piece::Piece;
use crate::team;
use kingpin_sparse::{FrontalLdlt, SparseError};
use std::sync::Arc;

/// Whether equal sub-domains are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// Sub-domains with the same numbers share factors.
    #[default]
    Numbers,
    /// Each has factors of its own; the analysis of equal patterns is shared all the same.
    Patterns,
}

/// Sub-domains with their insides eliminated.
pub struct Domains<'a> {
    pub(crate) communicator: &'a dyn Communicator,
    pub(crate) pieces: &'a [Piece],
    pub(crate) interface: Interface,
    pub(crate) locals: Vec<Arc<Local>>,
    /// for each freedom the part of it that belongs to the sub-domain, by stiffness
    pub(crate) weights: Vec<f64>,
    pub(crate) mix: Mix,
    pub(crate) sharing: Sharing,
    pub(crate) work: Vec<Work>,
    /// a broken vector with what comes from other ranks
    pub(crate) broken: Vec<f64>,
    sent: Vec<f64>,
    partial: Vec<[f64; 1]>,
    all: Vec<f64>,
}

impl<'a> Domains<'a> {
    /// Eliminates the insides of the sub-domains of this rank. O(their factorisations)
    pub fn new(
        pieces: &'a [Piece],
        communicator: &'a dyn Communicator,
        mix: Mix,
        sharing: Sharing,
    ) -> Result<Domains<'a>, DomainError> {
        let interface = Interface::of(pieces, communicator)?;
        let locals = agreed(communicator, eliminated(pieces, mix, sharing))?;
        let mut domains = Domains {
            communicator,
            pieces,
            weights: vec![0.0; interface.len()],
            broken: interface.room(),
            work: vec![Work::default(); pieces.len()],
            partial: vec![[0.0]; pieces.len()],
            interface,
            locals,
            mix,
            sharing,
            sent: Vec::new(),
            all: Vec::new(),
        };
        domains.weigh();
        Ok(domains)
    }

    /// Weights of the freedoms by the diagonals of the matrices of their owners.
    fn weigh(&mut self) {
        let own: Vec<f64> = self.locals.iter().flat_map(|local| local.diagonal().iter().copied()).collect();
        self.broken[..own.len()].copy_from_slice(&own);
        let mut sums = vec![0.0; own.len()];
        self.sum(&mut sums);
        self.weights = own.iter().zip(&sums).map(|(own, sum)| own / sum).collect();
    }

    /// Who shares what.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// What each sub-domain here has by itself.
    pub fn locals(&self) -> &[Arc<Local>] {
        &self.locals
    }

    /// Does something to the part of each sub-domain of the broken vector.
    pub(crate) fn each(
        &mut self,
        what: &(impl Fn(usize, &mut [f64], &mut Work) -> Result<(), SparseError> + Sync),
    ) -> Result<(), DomainError> {
        let length = self.interface.len();
        team::each(&self.interface.starts, &mut self.broken[..length], &mut self.work, &|k, part, work| {
            work.error = what(k, part, work).err();
        });
        self.check()
    }

    /// The broken vector becomes the Schur complements times the parts of `x`.
    pub(crate) fn multiply(&mut self, x: &[f64]) -> Result<(), DomainError> {
        let Domains { locals, interface, broken, work, .. } = self;
        let starts = &interface.starts;
        team::each(starts, &mut broken[..interface.len()], work, &|k, part, work| {
            work.error = locals[k].times(&x[starts[k]..starts[k + 1]], part).err();
        });
        self.check()
    }

    /// The first failure of a sub-domain.
    fn check(&mut self) -> Result<(), DomainError> {
        self.work.iter_mut().find_map(|work| work.error.take()).map_or(Ok(()), |error| Err(error.into()))
    }

    /// Fetches what other ranks have for the broken vector.
    pub(crate) fn fetch(&mut self) {
        self.interface.fetch(self.communicator, &mut self.broken, &mut self.sent);
    }

    /// Sums of the broken vector over the owners of each freedom.
    pub(crate) fn sum(&mut self, to: &mut [f64]) {
        self.fetch();
        let (interface, broken) = (&self.interface, &self.broken);
        team::each(&interface.starts, to, &mut self.partial, &|k, part, _| {
            interface.sums(broken, interface.starts[k], part);
        });
    }

    /// The product of two vectors that are equal on all owners.
    pub(crate) fn dot(&mut self, a: &[f64], b: &[f64]) -> f64 {
        self.interface.partial_products(a, b, self.partial.as_flattened_mut());
        total(&self.interface, self.communicator, &self.partial, &mut self.all)[0]
    }

    /// A sum over all sub-domains, in their order.
    pub(crate) fn total(&mut self, own: impl Iterator<Item = f64>) -> f64 {
        self.partial.iter_mut().zip(own).for_each(|(to, own)| to[0] = own);
        total(&self.interface, self.communicator, &self.partial, &mut self.all)[0]
    }

    /// Loads of the interface with insides eliminated, one for each owner.
    pub(crate) fn condense(&mut self, loads: &[Vec<f64>]) -> Result<(), DomainError> {
        let (expected, given) = (self.pieces.len(), loads.len());
        if expected != given {
            return Err(DomainError::WrongSize { what: "loads of sub-domains", expected, given });
        }
        let locals = self.locals.clone();
        self.each(&|k, part, work| locals[k].condense(&loads[k], part, work))
    }

    /// Displacements of whole sub-domains from those of the interface.
    pub(crate) fn restore(&mut self, ends: &[f64], to: &mut [Vec<f64>]) -> Result<(), DomainError> {
        let (locals, starts) = (&self.locals, &self.interface.starts);
        let mut both: Vec<(&mut Work, &mut Vec<f64>)> = self.work.iter_mut().zip(to).collect();
        let empty = vec![0; both.len() + 1];
        team::each(&empty, &mut [], &mut both, &|k, _, (work, all)| {
            work.error = locals[k].restore(&ends[starts[k]..starts[k + 1]], all, work).err();
        });
        self.check()
    }
}

/// Insides eliminated; what is equal is done once.
fn eliminated(pieces: &[Piece], mix: Mix, sharing: Sharing) -> Result<Vec<Arc<Local>>, DomainError> {
    let pattern = |piece: &Piece| {
        let shared = piece.shared.iter().map(|shared| shared.node as u64);
        let matrix = &piece.stiffness;
        hash_of(
            matrix
                .rows
                .iter()
                .map(|&row| row as u64)
                .chain(piece.free.iter().map(|&k| k as u64))
                .chain(shared),
        )
    };
    let same_pattern = |a: &Piece, b: &Piece| {
        let nodes = |piece: &Piece| piece.shared.iter().map(|shared| shared.node).collect::<Vec<_>>();
        let (p, q) = (&a.stiffness, &b.stiffness);
        a.free == b.free && p.columns == q.columns && p.rows == q.rows && nodes(a) == nodes(b)
    };
    let analyses: Vec<Arc<FrontalLdlt>> =
        shared(pieces, pattern, same_pattern, |_, piece| Local::analysis(piece))?;
    if sharing == Sharing::Patterns {
        let made = |k: usize, piece: &Piece| Local::of(piece, mix, &analyses[k]).map(Arc::new);
        return team::made(pieces, &made);
    }
    let numbers = |piece: &Piece| {
        let values = piece.stiffness.values.iter().chain(&piece.mass.values);
        hash_of(values.map(|value| value.to_bits()).chain([pattern(piece)]))
    };
    let same = |a: &Piece, b: &Piece| {
        same_pattern(a, b) && a.stiffness.values == b.stiffness.values && a.mass.values == b.mass.values
    };
    shared(pieces, numbers, same, |k, piece| Local::of(piece, mix, &analyses[k]))
}

/// The result of this rank if all ranks have one; the failure of this rank, or word that another failed.
pub(crate) fn agreed<R>(
    communicator: &dyn Communicator,
    own: Result<R, DomainError>,
) -> Result<R, DomainError> {
    if communicator.ranks() == 1 {
        return own;
    }
    let mut failed = vec![0.0; communicator.ranks()];
    let counts = vec![1; communicator.ranks()];
    communicator.gather(&[if own.is_err() { 1.0 } else { 0.0 }], &counts, &mut failed);
    match own {
        Ok(_) if failed.contains(&1.0) => Err(DomainError::OtherRank),
        own => own,
    }
}
