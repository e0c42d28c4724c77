//! Sub-domains joined by the primal part of their interfaces alone: what BDDC and FETI-DP have in common.

use crate::DomainError;
use crate::coarse::Coarse;
use crate::communicate::gather_lists;
use crate::domains::{Domains, Sharing, agreed};
use crate::interface::Primal;
use crate::local::{Constrained, Grounded, Local, Rows, hash_of, shared};
use crate::piece::Piece;
use nalgebra::DMatrix;
use std::sync::Arc;

/// The inverse of the partially assembled matrix.
pub(crate) struct Partial {
    constrained: Vec<Arc<Constrained>>,
    /// none where nothing is primal
    coarse: Option<Coarse>,
    own: Vec<f64>,
}

/// What a constrained factor is made of.
struct Recipe<'a> {
    piece: &'a Piece,
    local: &'a Arc<Local>,
    rigid: DMatrix<f64>,
    rows: Rows,
}

impl Partial {
    pub fn new(domains: &Domains, primal: Primal) -> Result<Partial, DomainError> {
        let recipes: Vec<Recipe> = crate::team::made(domains.pieces, &|k, piece| {
            let rigid = match domains.mix.mass == 0.0 {
                true => piece.rigid_motions(&piece.boundary()),
                false => DMatrix::zeros(domains.locals[k].order(), 0),
            };
            let rows = Rows::of(&domains.interface.classes[k], piece.axes, primal);
            Ok::<_, DomainError>(Recipe { piece, local: &domains.locals[k], rigid, rows })
        })?;
        let constrained = agreed(domains.communicator, held(&recipes, domains.sharing))?;
        let own: usize = constrained.iter().map(|own| own.count()).sum();
        let all: f64 = gather_lists(domains.communicator, &[own as f64]).0.iter().sum();
        let coarse = (all > 0.0).then(|| {
            let lists = domains.interface.classes.iter().zip(&constrained);
            let lists: Vec<Vec<_>> =
                lists.map(|(classes, own)| classes.iter().zip(own.rows_by_class()).collect()).collect();
            let elements: Vec<&DMatrix<f64>> = constrained.iter().map(|own| own.element()).collect();
            Coarse::new(domains.communicator, domains.interface.own.start, &lists, &elements)
        });
        Ok(Partial { constrained, coarse: coarse.transpose()?, own: Vec::new() })
    }

    /// How many coarse unknowns there are.
    pub fn count(&self) -> usize {
        self.coarse.as_ref().map_or(0, Coarse::count)
    }

    /// The inverse times the broken vector takes its place. O(order^2) for each sub-domain, and the coarse problem
    pub fn solve(&mut self, domains: &mut Domains) -> Result<(), DomainError> {
        let constrained = &self.constrained;
        domains.each(&|k, part, work| {
            let mut coarse = std::mem::take(&mut work.coarse);
            coarse.resize(constrained[k].count(), 0.0);
            let done = constrained[k].begin(part, &mut coarse, work);
            work.coarse = coarse;
            done
        })?;
        if let Some(coarse) = &mut self.coarse {
            self.own.clear();
            domains.work.iter().for_each(|work| self.own.extend_from_slice(&work.coarse));
            coarse.solve(domains.communicator, &self.own)?;
        }
        let coarse = &self.coarse;
        domains.each(&|k, part, work| {
            let mut own = std::mem::take(&mut work.coarse);
            if let Some(coarse) = coarse {
                own.iter_mut().zip(coarse.part(k)).for_each(|(own, value)| *own = value);
            }
            let done = constrained[k].finish(part, &own, work);
            work.coarse = own;
            done
        })
    }
}

fn held(recipes: &[Recipe], sharing: Sharing) -> Result<Vec<Arc<Constrained>>, DomainError> {
    let make = |_: usize, recipe: &Recipe| {
        let Recipe { piece, local, rigid, rows } = recipe;
        let domain = piece.number;
        let moves = |freedom: usize| match piece.boundary().get(freedom) {
            Some(&freedom) => DomainError::Mechanism { domain, node: piece.node_of(freedom) },
            None => DomainError::NotHeld { domain },
        };
        let grounded = Grounded::of(local, rigid.clone(), 0.0).map_err(moves)?;
        Constrained::of(local, grounded, rows.clone())?.ok_or(DomainError::NotHeld { domain })
    };
    if sharing == Sharing::Patterns {
        return crate::team::made(recipes, &|k, recipe| make(k, recipe).map(Arc::new));
    }
    let hash = |recipe: &Recipe| {
        let local = Arc::as_ptr(recipe.local) as u64;
        hash_of([local].into_iter().chain(recipe.rigid.iter().map(|value| value.to_bits())))
    };
    let same =
        |a: &Recipe, b: &Recipe| Arc::ptr_eq(a.local, b.local) && a.rigid == b.rigid && a.rows == b.rows;
    shared(recipes, hash, same, make)
}
