//! What can go wrong with sub-domains.

use kingpin_flex::FlexError;
use kingpin_sparse::SparseError;
use std::fmt;

/// Why sub-domains were not set up or solved.
#[derive(Clone, Debug, PartialEq)]
pub enum DomainError {
    /// There is nothing to cut, or nothing that may move.
    Empty,
    /// More ranks than sub-domains.
    TooManyRanks {
        /// How many ranks.
        ranks: usize,
        /// How many sub-domains.
        domains: usize,
    },
    /// A list does not have as many items as it should.
    WrongSize {
        /// Of what.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        given: usize,
    },
    /// The matrix of a sub-domain with its interface held is singular: something inside moves without force.
    Loose {
        /// The sub-domain.
        domain: usize,
        /// The node that moves, by its number in the whole structure.
        node: u64,
    },
    /// A sub-domain has more motions without force than its rigid ones.
    Mechanism {
        /// The sub-domain.
        domain: usize,
        /// The node that moves, by its number in the whole structure.
        node: u64,
    },
    /// What the coarse problem or the chosen local nodes hold does not hold a sub-domain.
    NotHeld {
        /// The sub-domain.
        domain: usize,
    },
    /// The whole structure can move without force.
    Floating,
    /// Iterations did not reach the tolerance.
    NotConverged {
        /// How many there were.
        iterations: usize,
        /// What is left of the residual, in parts of the first.
        residual: f64,
    },
    /// The operator of the iteration is not positive: a matrix is not, or numbers are too large.
    NotDefinite {
        /// At which iteration it was seen.
        iteration: usize,
    },
    /// A method that needs the whole structure was asked for with several ranks.
    OneRankOnly {
        /// The method by its name.
        method: &'static str,
    },
    /// Another rank failed, and tells why.
    OtherRank,
    /// Elements or meshes.
    Flex(FlexError),
    /// Matrices.
    Matrix(SparseError),
}

impl fmt::Display for DomainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there are no elements or no free nodes"),
            Self::TooManyRanks { ranks, domains } => write!(
                f,
                "{ranks} ranks, but only {domains} sub-domains: start fewer ranks or use more sub-domains"
            ),
            Self::WrongSize { what, expected, given } => {
                write!(f, "{what}: {expected} needed, {given} given")
            }
            Self::Loose { domain, node } => write!(
                f,
                "node {node} of sub-domain {domain} is not constrained when its interface is fixed: \
                     check for nodes without stiffness"
            ),
            Self::Mechanism { domain, node } => write!(
                f,
                "node {node} of sub-domain {domain} has a zero-energy motion other than a rigid \
                     body motion: the part may be connected by single nodes only; choose another \
                     partition or the method `direct`"
            ),
            Self::NotHeld { domain } => write!(
                f,
                "the corner nodes do not fix sub-domain {domain}: choose at least two of its nodes \
                     in the plane, or three not on a line in space"
            ),
            Self::Floating => write!(f, "the structure has rigid body motions: fix some of its nodes"),
            Self::NotConverged { iterations, residual } => write!(
                f,
                "not converged after {iterations} iterations (relative residual {residual:.1e}): \
                     allow more iterations, or choose the method `bddc` or `direct`"
            ),
            Self::NotDefinite { iteration } => write!(
                f,
                "the interface problem is not positive definite (iteration {iteration}): a \
                     stiffness or mass is negative, or the structure has rigid body motions"
            ),
            Self::OneRankOnly { method } => {
                write!(f, "the method `{method}` supports only one rank: choose `bddc` or start one rank")
            }
            Self::OtherRank => write!(f, "another rank has failed"),
            Self::Flex(error) => write!(f, "{error}"),
            Self::Matrix(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for DomainError {}

impl From<FlexError> for DomainError {
    fn from(error: FlexError) -> DomainError {
        DomainError::Flex(error)
    }
}

impl From<SparseError> for DomainError {
    fn from(error: SparseError) -> DomainError {
        DomainError::Matrix(error)
    }
}
