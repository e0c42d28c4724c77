//! What can be wrong with a pattern, an order, or the numbers.

use std::fmt;

/// Why a matrix was not analysed, factored or solved with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SparseError {
    /// The column starts are not `n + 1` numbers that begin at 0, never decrease, and end at the number of rows.
    ColumnStarts {
        /// The first column whose start is wrong.
        column: usize,
    },
    /// A row lies beyond the order of the matrix.
    RowOutOfRange {
        /// The column it is listed in.
        column: usize,
        /// The row.
        row: usize,
    },
    /// The rows of a column do not strictly increase.
    RowsNotIncreasing {
        /// The column.
        column: usize,
        /// The row that is not larger than the one before it.
        row: usize,
    },
    /// Only the upper triangle may be given.
    BelowDiagonal {
        /// The column.
        column: usize,
        /// The row, larger than the column.
        row: usize,
    },
    /// The order does not name every index exactly once; `index` is missing, repeated or too large.
    NotAPermutation {
        /// The first offending index.
        index: usize,
    },
    /// The matrix or its factor has more entries than 32-bit indices can count.
    TooLarge,
    /// There is not enough memory for the analysis.
    OutOfMemory,
    /// A slice does not fit the pattern.
    WrongLength {
        /// The length that fits.
        expected: usize,
        /// The length given.
        given: usize,
    },
    /// Some indices were kept, so that there is no solution of the whole matrix.
    Kept {
        /// How many.
        kept: usize,
    },
    /// No factorisation has succeeded since the analysis or the last failure.
    NotFactored,
    /// A value of the matrix is infinite or not a number.
    ValueNotFinite {
        /// Its place in the order of the pattern.
        position: usize,
    },
    /// LDLT without pivoting met a pivot that is zero to rounding: the matrix is singular, or only its leading
    /// block in this order.
    ZeroPivot {
        /// The row and column, as the caller numbers them.
        index: usize,
    },
    /// The column depends to rounding on those eliminated before it: the matrix is singular.
    Singular {
        /// The column, as the caller numbers it.
        column: usize,
    },
    /// A component of the solution is infinite or not a number: the right side is, or the numbers overflowed.
    SolutionNotFinite {
        /// The first such component.
        index: usize,
    },
}

impl fmt::Display for SparseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ColumnStarts { column } => {
                write!(f, "the start of column {column} does not match the given number of columns and rows")
            }
            Self::RowOutOfRange { column, row } => {
                write!(f, "row {row} of column {column} is beyond the matrix")
            }
            Self::RowsNotIncreasing { column, row } => {
                write!(f, "the rows of column {column} do not increase at row {row}")
            }
            Self::BelowDiagonal { column, row } => {
                write!(f, "row {row} of column {column} is below the diagonal; give the upper triangle only")
            }
            Self::NotAPermutation { index } => {
                write!(f, "not a permutation: index {index} is missing, repeated or too large")
            }
            Self::TooLarge => write!(f, "the matrix or its factor has too many entries for 32-bit indices"),
            Self::OutOfMemory => write!(f, "not enough memory to analyse the matrix"),
            Self::WrongLength { expected, given } => {
                write!(f, "{expected} numbers are needed, but {given} are given")
            }
            Self::Kept { kept } => {
                write!(f, "{kept} rows are not eliminated: use condense and restore instead of solve")
            }
            Self::NotFactored => write!(f, "the matrix is not factored"),
            Self::ValueNotFinite { position } => write!(f, "value {position} of the matrix is not finite"),
            Self::ZeroPivot { index } => write!(f, "the pivot of row {index} is zero in this order"),
            Self::Singular { column } => {
                write!(f, "the matrix is singular: column {column} depends on the columns before it")
            }
            Self::SolutionNotFinite { index } => write!(f, "component {index} of the solution is not finite"),
        }
    }
}

impl std::error::Error for SparseError {}
