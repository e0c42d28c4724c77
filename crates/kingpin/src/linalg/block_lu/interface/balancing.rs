//! Balancing domain decomposition by constraints: iterations on the unknowns at interfaces.

use super::AtInterfaces;
use super::gmres::InterfaceOperator;
use crate::linalg::block_lu::PivotScalar;

impl<T: PivotScalar> InterfaceOperator<T> for AtInterfaces<'_, T> {
    fn apply(&self, x: &[T]) -> Vec<T> {
        self.product(x)
    }

    /// Forces are shared by weights, displacements of tied copies averaged by the same.
    fn precondition(&self, r: &[T]) -> Vec<T> {
        let found = self.tied(&self.weighed_copies(r));
        let own = found.into_iter().zip(self.team.own());
        let cut = own.map(|(mut x, domain)| {
            x.truncate(self.plan.parts[domain].size);
            x
        });
        self.sum(cut.collect(), true)
    }
}
