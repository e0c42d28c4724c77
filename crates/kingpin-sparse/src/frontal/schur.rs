//! What is left of a matrix whose other indices are eliminated, and right sides on their way there and back.

use super::FrontalLdlt;
use crate::SparseError;
use crate::pattern::check_length;

impl FrontalLdlt {
    /// The Schur complement of the indices kept, in their order: the lower triangle by columns, each as long as there are
    /// indices kept; numbers above the diagonal mean nothing. Empty before a factorisation.
    pub fn schur(&self) -> &[f64] {
        if !self.factored || self.analysis.kept == 0 {
            return &[];
        }
        let last = self.analysis.fronts.len() - 1;
        &self.values[self.analysis.panel_starts[last]..self.analysis.panel_starts[last + 1]]
    }

    /// Eliminates from a right side: its numbers at the indices kept become those of the Schur complement, in
    /// their order in `kept`; the others go to `inner`, half way to the solution. O(entries of the factor)
    pub fn condense(
        &self,
        side: &[f64],
        inner: &mut Vec<f64>,
        kept: &mut [f64],
        work: &mut Vec<f64>,
    ) -> Result<(), SparseError> {
        self.check_partial(side.len(), kept.len())?;
        inner.clear();
        inner.extend(self.analysis.order.iter().map(|&index| side[index as usize]));
        self.forward(inner, work);
        kept.copy_from_slice(&inner[side.len() - self.analysis.kept..]);
        Ok(())
    }

    /// The whole solution from that at the indices kept and from what [`FrontalLdlt::condense`] has made of the right
    /// side. O(entries of the factor)
    pub fn restore(
        &self,
        kept: &[f64],
        inner: &mut [f64],
        solution: &mut [f64],
        work: &mut Vec<f64>,
    ) -> Result<(), SparseError> {
        self.check_partial(solution.len(), kept.len())?;
        check_length(inner.len(), solution.len())?;
        inner[solution.len() - self.analysis.kept..].copy_from_slice(kept);
        self.backward(inner, work);
        self.analysis
            .order
            .iter()
            .zip(inner)
            .for_each(|(&index, &mut value)| solution[index as usize] = value);
        Ok(())
    }

    fn check_partial(&self, all: usize, kept: usize) -> Result<(), SparseError> {
        if !self.factored {
            return Err(SparseError::NotFactored);
        }
        check_length(all, self.analysis.order.len())?;
        check_length(kept, self.analysis.kept)
    }
}
