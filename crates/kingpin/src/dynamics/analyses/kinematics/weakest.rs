//! The equations that are nearest to being dependent.

use crate::system::{System, Work};
use nalgebra::DMatrix;

/// Left singular vector of the smallest singular value of Phi_v.
pub(super) fn weakest(system: &System, work: &Work, rows: &[usize]) -> Option<Vec<f64>> {
    let mut place = vec![usize::MAX; system.joint_equations()];
    rows.iter().enumerate().for_each(|(k, &row)| place[row] = k);
    let mut jacobian = DMatrix::zeros(rows.len(), system.velocities());
    for block in &system.layout.blocks {
        let first = system.layout.groups[block.group].rows.start;
        for r in 0..block.rows {
            if place[first + r] != usize::MAX {
                for (c, x) in block.columns().zip(&work.phi_v[block.row(r)]) {
                    jacobian[(place[first + r], c)] = *x;
                }
            }
        }
    }
    if rows.is_empty() || !jacobian.iter().all(|x| x.is_finite()) {
        return None;
    }
    let svd = jacobian.try_svd(true, false, 5.0 * f64::EPSILON, 1000 + 100 * rows.len())?;
    let least = svd.singular_values.imin();
    Some(svd.u?.column(least).iter().copied().collect())
}
