//! The method that is predicted to cost least.

use super::{Method, Options};
use crate::communicate::Communicator;
use crate::piece::Piece;

/// Freedoms up to which the whole is factored at once in a plane, and in space: factors of larger ones fill more than
/// sub-domains and their iterations cost.
const DIRECT: [usize; 2] = [20_000, 4_000];

impl Options {
    /// The method asked for, or the one that costs least: a direct solution where the structure is small or in one piece,
    /// else balancing by constraints.
    pub(super) fn chosen(&self, pieces: &[Piece], communicator: &dyn Communicator) -> Method {
        if let Some(method) = self.method {
            return method;
        }
        let freedoms: usize = pieces.iter().map(Piece::freedoms).sum();
        let axes = pieces.first().map_or(2, |piece| piece.axes);
        let small = freedoms <= DIRECT[usize::from(axes == 3)] || pieces.len() < 2;
        if communicator.ranks() == 1 && small { Method::Direct } else { Method::Bddc }
    }
}
