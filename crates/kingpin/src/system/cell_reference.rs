//! Cells by definition, for any scalar.

use super::System;
use crate::scalar::{Dual, Scalar};

impl System {
    /// -sum V E_q : (lambda tr(E + c E') + 2 mu (E + c E')) of all cells.
    pub(super) fn cells_by_definition<T: Scalar>(&self, q: &[T], qdot: &[T], force: &mut [T]) {
        for cell in &self.cells {
            let along = |rates: &dyn Fn(usize) -> T| {
                let lifted = |body: &usize| {
                    let mut place = [Dual::new(T::zero(), T::zero()); 3];
                    for (to, k) in place.iter_mut().zip(self.nodes.q(*body)) {
                        *to = Dual::new(q[k], rates(k));
                    }
                    place
                };
                let places: Vec<[Dual<T>; 3]> = cell.bodies.iter().map(lifted).collect();
                cell.strains_by_definition(&places)
            };
            let moving = along(&|k| qdot[k]);
            for k in cell.bodies.iter().flat_map(|body| self.nodes.q(*body)) {
                let slopes = along(&|l| if k == l { T::one() } else { T::zero() });
                for ((strain, slope), at) in moving.iter().zip(&slopes).zip(&cell.places) {
                    let felt = |e: &Dual<T>| e.re + e.d.scale(cell.damping);
                    let trace = (0..3).fold(T::zero(), |sum, i| sum + felt(&strain[i][i]));
                    for i in 0..3 {
                        force[k] -= (slope[i][i].d * trace).scale(at.volume * cell.lambda);
                        for j in 0..3 {
                            force[k] -=
                                (slope[i][j].d * felt(&strain[i][j])).scale(2.0 * at.volume * cell.mu);
                        }
                    }
                }
            }
        }
    }
}
