//! What a sub-domain does by itself: its Schur complement, solutions with its interface held or free.

mod constrained;
mod grounded;
mod sharing;

pub use constrained::Constrained;
pub(crate) use constrained::Rows;
pub use grounded::Grounded;
pub(crate) use sharing::{hash_of, shared};

use crate::DomainError;
use crate::piece::Piece;
use kingpin_flex::structure::SymmetricMatrix;
use kingpin_sparse::{FrontalLdlt, SparseError, symmetric_times};

/// The matrix of a sub-domain, `mass * M + stiffness * K`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mix {
    /// Factor of the mass; zero in statics.
    pub mass: f64,
    /// Factor of the stiffness.
    pub stiffness: f64,
}

impl Mix {
    /// The stiffness alone.
    pub const STATICS: Mix = Mix { mass: 0.0, stiffness: 1.0 };

    /// `M + g^2 K` of an implicit step.
    pub fn step(g: f64) -> Mix {
        Mix { mass: 1.0, stiffness: g * g }
    }

    /// `K - shift M`, for modes next to a frequency.
    pub fn shifted(shift: f64) -> Mix {
        Mix { mass: -shift, stiffness: 1.0 }
    }

    pub(crate) fn values(self, piece: &Piece) -> Vec<f64> {
        let Mix { mass, stiffness } = self;
        if self == Mix::STATICS {
            return piece.stiffness.values.clone();
        }
        piece.stiffness.values.iter().zip(&piece.mass.values).map(|(k, m)| stiffness * k + mass * m).collect()
    }
}

/// A sub-domain with its inside eliminated.
#[derive(Clone, Debug)]
pub struct Local {
    /// factor of the inside, Schur complement of the interface
    factor: FrontalLdlt,
    /// freedoms on interfaces
    boundary: Vec<usize>,
    /// diagonal of the matrix there
    diagonal: Vec<f64>,
    /// the matrix there, before elimination
    lumped: SymmetricMatrix,
    /// largest number on the diagonal of the whole matrix
    largest: f64,
}

/// Memory of one sub-domain.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub(crate) first: Vec<f64>,
    pub(crate) second: Vec<f64>,
    pub(crate) small: Vec<f64>,
    /// its part of the coarse problem
    pub(crate) coarse: Vec<f64>,
    pub(crate) error: Option<SparseError>,
    inner: Vec<f64>,
    sweep: Vec<f64>,
}

impl Local {
    /// Eliminates the inside; `like` is the analysis of the same pattern. O(a factorisation)
    pub(crate) fn of(piece: &Piece, mix: Mix, like: &FrontalLdlt) -> Result<Local, DomainError> {
        let values = mix.values(piece);
        let mut factor = like.unfactored();
        factor.factor(&values).map_err(|error| match error {
            SparseError::ZeroPivot { index } => {
                DomainError::Loose { domain: piece.number, node: piece.node_of(index) }
            }
            other => DomainError::Matrix(other),
        })?;
        let boundary = piece.boundary();
        let (columns, rows) = (&piece.stiffness.columns, &piece.stiffness.rows);
        let mut place = vec![None; piece.freedoms()];
        boundary.iter().enumerate().for_each(|(to, &from)| place[from] = Some(to));
        let mut lumped = SymmetricMatrix { columns: vec![0], ..SymmetricMatrix::default() };
        let (mut diagonal, mut largest) = (Vec::new(), 0.0_f64);
        for column in 0..piece.freedoms() {
            // the last entry of a column is on the diagonal
            let end = columns[column + 1];
            largest = largest.max(values[end - 1]);
            if place[column].is_none() {
                continue;
            }
            diagonal.push(values[end - 1]);
            for k in columns[column]..end {
                if let Some(row) = place[rows[k]] {
                    lumped.rows.push(row);
                    lumped.values.push(values[k]);
                }
            }
            lumped.columns.push(lumped.rows.len());
        }
        Ok(Local { factor, boundary, diagonal, lumped, largest })
    }

    /// The analysis of a pattern, for all sub-domains that have it.
    pub(crate) fn analysis(piece: &Piece) -> Result<FrontalLdlt, DomainError> {
        let matrix = &piece.stiffness;
        let order = matrix.order();
        Ok(FrontalLdlt::analyse_keeping(order, &matrix.columns, &matrix.rows, &piece.boundary())?)
    }

    /// Freedoms on interfaces.
    pub fn order(&self) -> usize {
        self.boundary.len()
    }

    /// The Schur complement: lower triangle by columns.
    pub fn schur(&self) -> &[f64] {
        self.factor.schur()
    }

    /// Numbers on the diagonal of the matrix on interfaces.
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// The largest number on the diagonal of the whole matrix.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// Numbers of the factor of the inside and of the Schur complement.
    pub fn entries(&self) -> (usize, usize) {
        let n = self.order();
        (self.factor.factor_entries() - n * (n + 1) / 2, n * (n + 1) / 2)
    }

    /// `S x`. O(order^2)
    pub fn times(&self, x: &[f64], y: &mut [f64]) -> Result<(), SparseError> {
        if self.order() == 0 {
            return Ok(());
        }
        symmetric_times(self.schur(), x, y)
    }

    /// `K_bb x`. O(entries)
    pub fn times_lumped(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        self.lumped.add_times(x, y);
    }

    /// Load of the interface with the inside eliminated; the rest stays in `work` for [`Local::restore`].
    pub fn condense(&self, load: &[f64], to: &mut [f64], work: &mut Work) -> Result<(), SparseError> {
        self.factor.condense(load, &mut work.inner, to, &mut work.sweep)
    }

    /// All displacements from those of the interface.
    pub fn restore(&self, ends: &[f64], all: &mut [f64], work: &mut Work) -> Result<(), SparseError> {
        self.factor.restore(ends, &mut work.inner, all, &mut work.sweep)
    }
}
