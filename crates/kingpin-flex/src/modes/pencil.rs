//! The matrices of a structure, factored next to a place among its frequencies.

use super::{Modes, dense, lanczos};
use crate::FlexError;
use crate::structure::SymmetricMatrix;
use kingpin_sparse::{FrontalLdlt, SparseError};
use nalgebra::DMatrix;

/// Orders up to which dense matrices are used.
const SMALL: usize = 120;
/// Modes beyond those asked for, among which a gap is looked for.
const MORE: usize = 3;

/// `K - shift M`, factored, with K and M.
pub struct Pencil<'a> {
    /// Stiffness.
    pub(super) stiffness: &'a SymmetricMatrix,
    /// Mass, with the places of the stiffness.
    pub(super) mass: &'a SymmetricMatrix,
    pub(super) shift: f64,
    pub(super) factor: FrontalLdlt,
}

impl<'a> Pencil<'a> {
    /// With a shift of zero: for structures that are held.
    ///
    /// # Errors
    /// [`SparseError::ZeroPivot`] names a coordinate that can move without any force.
    pub fn held(
        stiffness: &'a SymmetricMatrix,
        mass: &'a SymmetricMatrix,
    ) -> Result<Pencil<'a>, SparseError> {
        Pencil::shifted(stiffness, mass, 0.0)
    }

    /// With a shift below zero: for structures that may move freely.
    pub fn free(
        stiffness: &'a SymmetricMatrix,
        mass: &'a SymmetricMatrix,
    ) -> Result<Pencil<'a>, SparseError> {
        // far below the first elastic mode of a fine mesh, far above what rounding makes of rigid motions
        let ratios = stiffness.diagonal().into_iter().zip(mass.diagonal()).filter(|(_, m)| *m > 0.0);
        let fastest = ratios.map(|(k, m)| k / m).fold(0.0, f64::max);
        Pencil::shifted(stiffness, mass, if fastest > 0.0 { -1e-8 * fastest } else { -1.0 })
    }

    fn shifted(
        stiffness: &'a SymmetricMatrix,
        mass: &'a SymmetricMatrix,
        shift: f64,
    ) -> Result<Pencil<'a>, SparseError> {
        let mut factor = FrontalLdlt::analyse(stiffness.order(), &stiffness.columns, &stiffness.rows)?;
        factor.factor(&combined(stiffness, mass, shift))?;
        Ok(Pencil { stiffness, mass, shift, factor })
    }

    /// The place among the squares of angular frequencies next to which it was factored.
    pub fn shift(&self) -> f64 {
        self.shift
    }

    /// Solutions of `(K - shift M) x = b` take the place of right sides.
    pub fn solve(&self, sides: &mut DMatrix<f64>) -> Result<(), SparseError> {
        self.factor.solve(sides.as_mut_slice())
    }

    /// How many modes are slower than a frequency, in Hz. O(a factorisation)
    pub fn count_below(&self, hertz: f64) -> Result<usize, FlexError> {
        self.count((std::f64::consts::TAU * hertz).powi(2))
    }

    /// How many eigenvalues lie below a value: negative pivots by Sylvester's law.
    fn count(&self, value: f64) -> Result<usize, FlexError> {
        let mut factor = self.factor.unfactored();
        // next to an eigenvalue of a leading block a pivot can be zero: then a bit further
        for nudge in [0.0, 1e-7, -1e-7] {
            match factor.factor(&combined(self.stiffness, self.mass, value * (1.0 + nudge))) {
                Ok(()) => return Ok(factor.negatives()),
                Err(SparseError::ZeroPivot { .. }) => {}
                Err(other) => return Err(other.into()),
            }
        }
        Err(FlexError::ModesMissed { found: 0, there: 0 })
    }

    /// So many modes and some more; all of them where dense matrices are used.
    fn search(&self, count: usize) -> Result<Modes, FlexError> {
        let n = self.stiffness.order();
        if count > n {
            return Err(FlexError::NotSoManyModes { wanted: count, there: n });
        }
        if !self.is_small(count) {
            return lanczos::modes(self, count + MORE);
        }
        let all = dense::modes(self)?;
        if all.squares.len() < count {
            return Err(FlexError::NotSoManyModes { wanted: count, there: all.squares.len() });
        }
        Ok(all)
    }

    fn is_small(&self, count: usize) -> bool {
        let n = self.stiffness.order();
        n <= SMALL || 2 * (count + MORE) > n
    }

    /// The slowest modes, and proof that no slower one was left out: the pivots of another factorisation count them.
    pub fn slowest(&self, count: usize) -> Result<Modes, FlexError> {
        if count == 0 {
            return Ok(Modes { squares: Vec::new(), shapes: DMatrix::zeros(self.stiffness.order(), 0) });
        }
        let found = self.search(count)?;
        if self.is_small(count) {
            return Ok(found.select(&(0..count).collect::<Vec<_>>()));
        }
        // the widest gap from there on
        let squares = &found.squares;
        let gap = |k: usize| (squares[k] - squares[k - 1]) / (squares[k].abs() - self.shift);
        let mut at = count;
        for k in count..count + MORE {
            if gap(k) > gap(at) {
                at = k;
            }
        }
        let there = self.count(0.5 * (squares[at - 1] + squares[at]))?;
        if there != at {
            return Err(FlexError::ModesMissed { found: at, there });
        }
        Ok(found.select(&(0..count).collect::<Vec<_>>()))
    }

    /// All modes slower than a frequency, in Hz; the pivots of a factorisation there count them.
    pub fn slower_than(&self, hertz: f64) -> Result<Modes, FlexError> {
        self.all_slower(self.count_below(hertz)?, hertz)
    }

    /// The same where it is known how many there are.
    pub(crate) fn all_slower(&self, there: usize, hertz: f64) -> Result<Modes, FlexError> {
        if there == 0 {
            return self.slowest(0);
        }
        let found = self.search(there)?;
        let limit = (std::f64::consts::TAU * hertz).powi(2);
        let below = found.squares.iter().filter(|&&square| square < limit).count();
        if below != there {
            return Err(FlexError::ModesMissed { found: below, there });
        }
        Ok(found.select(&(0..there).collect::<Vec<_>>()))
    }
}

/// Values of `K - shift M`.
fn combined(stiffness: &SymmetricMatrix, mass: &SymmetricMatrix, shift: f64) -> Vec<f64> {
    stiffness.values.iter().zip(&mass.values).map(|(k, m)| k - shift * m).collect()
}
