//! All sub-domains assembled and factored as a whole.

use crate::DomainError;
use crate::communicate::Communicator;
use crate::conjugate::Outcome;
use crate::local::Mix;
use crate::piece::Piece;
use kingpin_flex::structure::SymmetricMatrix;
use kingpin_sparse::{FrontalLdlt, SparseError};
use std::collections::BTreeMap;

pub(super) struct Direct<'a> {
    pieces: &'a [Piece],
    /// for each sub-domain the numbers of its freedoms in the whole
    numbers: Vec<Vec<usize>>,
    factor: FrontalLdlt,
    sums: Vec<f64>,
    inner: Vec<f64>,
    sweep: Vec<f64>,
}

impl<'a> Direct<'a> {
    pub fn new(
        pieces: &'a [Piece],
        communicator: &dyn Communicator,
        mix: Mix,
    ) -> Result<Direct<'a>, DomainError> {
        if communicator.ranks() > 1 {
            return Err(DomainError::OneRankOnly { method: "direct" });
        }
        let mut known: BTreeMap<(u64, usize), usize> = BTreeMap::new();
        for piece in pieces {
            for &k in &piece.free {
                known.insert((piece.nodes[k / piece.axes], k % piece.axes), 0);
            }
        }
        known.values_mut().enumerate().for_each(|(k, number)| *number = k);
        let number = |piece: &Piece, k: usize| known[&(piece.nodes[k / piece.axes], k % piece.axes)];
        let numbers: Vec<Vec<usize>> =
            pieces.iter().map(|piece| piece.free.iter().map(|&k| number(piece, k)).collect()).collect();
        let mut entries = Vec::new();
        for (piece, own) in pieces.iter().zip(&numbers) {
            let values = mix.values(piece);
            for (k, (row, column, _)) in piece.stiffness.entries().enumerate() {
                let (a, b) = (own[row], own[column]);
                entries.push((a.min(b), a.max(b), values[k]));
            }
        }
        let count = known.len();
        if count == 0 {
            return Err(DomainError::Empty);
        }
        let matrix = SymmetricMatrix::from_entries(count, entries);
        let mut factor = FrontalLdlt::analyse(count, &matrix.columns, &matrix.rows)?;
        factor.factor(&matrix.values).map_err(|error| match error {
            SparseError::ZeroPivot { .. } => DomainError::Floating,
            other => DomainError::Matrix(other),
        })?;
        let sums = vec![0.0; count];
        Ok(Direct { pieces, numbers, factor, sums, inner: Vec::new(), sweep: Vec::new() })
    }

    pub fn solve(&mut self, loads: &[Vec<f64>], to: &mut [Vec<f64>]) -> Result<Outcome, DomainError> {
        let (expected, given) = (self.pieces.len(), loads.len());
        if expected != given {
            return Err(DomainError::WrongSize { what: "loads of sub-domains", expected, given });
        }
        self.sums.fill(0.0);
        for (load, own) in loads.iter().zip(&self.numbers) {
            load.iter().zip(own).for_each(|(load, &k)| self.sums[k] += load);
        }
        self.factor.condense(&self.sums, &mut self.inner, &mut [], &mut self.sweep)?;
        self.factor.restore(&[], &mut self.inner, &mut self.sums, &mut self.sweep)?;
        for (to, own) in to.iter_mut().zip(&self.numbers) {
            to.iter_mut().zip(own).for_each(|(to, &k)| *to = self.sums[k]);
        }
        Ok(Outcome { iterations: 0, kappa: 1.0, residual: 0.0 })
    }
}
