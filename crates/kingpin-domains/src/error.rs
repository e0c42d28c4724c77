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
            Self::Empty => write!(f, "there are no elements, or no node may move"),
            Self::TooManyRanks { ranks, domains } => write!(
                f,
                "{ranks} ranks, but only {domains} sub-domains: start fewer ranks or cut into more sub-domains"
            ),
            Self::WrongSize { what, expected, given } => {
                write!(f, "{what}: {expected} needed, {given} given")
            }
            Self::Loose { domain, node } => write!(
                f,
                "node {node} of sub-domain {domain} moves without force while its interface is held: look for nodes \
                 that no element holds"
            ),
            Self::Mechanism { domain, node } => write!(
                f,
                "node {node} of sub-domain {domain} moves without force, and not as on a rigid body: the part may \
                 hang together by single nodes; choose another partition or the method `direct`"
            ),
            Self::NotHeld { domain } => write!(
                f,
                "the nodes chosen to be local do not hold sub-domain {domain}: choose at least two of its nodes in a \
                 plane, three not on a line in space"
            ),
            Self::Floating => write!(f, "the whole structure moves without force: hold some of its nodes"),
            Self::NotConverged { iterations, residual } => write!(
                f,
                "not solved after {iterations} iterations: {residual:.1e} of the residual is left; allow more, or \
                 choose the method `bddc` or `direct`"
            ),
            Self::NotDefinite { iteration } => write!(
                f,
                "the interface problem is not positive definite, seen at iteration {iteration}: a stiffness or mass \
                 is negative, or the structure moves without force"
            ),
            Self::OneRankOnly { method } => {
                write!(f, "the method `{method}` works on one rank alone: choose `bddc` or start one rank")
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
