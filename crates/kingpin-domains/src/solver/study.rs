//! Local multipliers by themselves: the condition number of their flexibility over the penalty.

use super::InterfaceMethod;
use super::local_multipliers::{LocalMultipliers, Multipliers, Tied};
use crate::DomainError;
use crate::communicate::Alone;
use crate::conjugate::{Operator, Tolerance};
use crate::domains::{Domains, Sharing};
use crate::local::Mix;
use crate::piece::Piece;
use nalgebra::DMatrix;

/// What is known of local multipliers for one penalty.
#[derive(Clone, Debug, PartialEq)]
pub struct MultiplierStudy {
    /// Freedoms of the interface.
    pub interface: usize,
    /// Constraints between them and their copies.
    pub constraints: usize,
    /// Eigenvalues of `p^-1/2 F_L p^-1/2`, increasing.
    pub eigenvalues: Vec<f64>,
    /// The largest sum of multipliers at a node, in parts of the largest multiplier: zero by Newton's third law.
    pub imbalance: f64,
}

impl MultiplierStudy {
    /// The condition number of `F_L`.
    pub fn kappa(&self) -> f64 {
        self.eigenvalues[self.eigenvalues.len() - 1] / self.eigenvalues[0]
    }
}

/// Studies local multipliers for a penalty in parts of the largest stiffness. O(constraints^3)
pub fn study_multipliers(
    pieces: &[Piece],
    loads: &[Vec<f64>],
    penalty: f64,
) -> Result<MultiplierStudy, DomainError> {
    let mut domains = Domains::new(pieces, &Alone, Mix::STATICS, Sharing::Numbers)?;
    let mut local = LocalMultipliers::new(&domains, Multipliers::Iterated(penalty))?;
    let (interface, constraints) = local.sizes();
    let counts = domains.interface.starts.windows(2).map(|ends| ends[1] - ends[0]);
    let p: Vec<f64> =
        local.penalties.iter().zip(counts).flat_map(|(&p, count)| std::iter::repeat_n(p, count)).collect();
    let mut flexibility = DMatrix::zeros(constraints, constraints);
    let mut operator = Tied { domains: &mut domains, local: &mut local, kept: Vec::new() };
    let mut unit = vec![0.0; constraints];
    for k in 0..constraints {
        unit.fill(0.0);
        unit[k] = 1.0 / p[k].sqrt();
        operator.apply(&unit, flexibility.column_mut(k).as_mut_slice())?;
        flexibility.column_mut(k).iter_mut().zip(&p).for_each(|(value, p)| *value /= p.sqrt());
    }
    let mut eigenvalues: Vec<f64> =
        (0.5 * (&flexibility + flexibility.transpose())).symmetric_eigenvalues().iter().copied().collect();
    eigenvalues.sort_by(f64::total_cmp);
    domains.condense(loads)?;
    let tight = Tolerance { residual: 1e-13, ..Tolerance::default() };
    local.solve(&mut domains, &mut vec![0.0; constraints], tight)?;
    let imbalance = local.imbalance(&domains);
    Ok(MultiplierStudy { interface, constraints, eigenvalues, imbalance })
}
