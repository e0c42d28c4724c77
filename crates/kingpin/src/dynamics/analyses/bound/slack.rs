//! Motions without stiffness.

use super::{Scatter, orthonormal};
use crate::dynamics::forms::whole::{BoundFactor, BoundPencil, StiffnessSide};
use nalgebra::{DMatrix, DVector};

/// Stiffness below this part of the terms that it is the sum of is round-off.
const NOTHING: f64 = 1e-13;
/// Inverse iterations: each brings what has no stiffness forward by its distance from the rest.
const ROUNDS: usize = 4;
/// Vectors at first, as many as are solved for at once.
const WIDTH: usize = 4;

/// Vectors at most.
const WIDEST: usize = 64;

/// Mass beside a stiffness that is nearly nothing, as a part of the natural one and of the largest.
const NEARLY: f64 = 1e-12;
const ROUNDING: f64 = 1e-14;

/// The factor of a stiffness with as much mass as is nearly nothing beside one that is natural, and that mass; `None` where
/// it is singular.
pub(in crate::dynamics::analyses) fn nearly_nothing(
    pencil: &BoundPencil,
    natural: f64,
) -> Option<(BoundFactor, f64)> {
    let nothing = (NEARLY * natural).max(ROUNDING * pencil.stiffest()).max(f64::MIN_POSITIVE);
    let each = [1.0, 1.07, 2.0, 10.0].map(|by| by * nothing);
    each.into_iter().find_map(|mass| Some((pencil.factor(mass, StiffnessSide::Given)?, mass)))
}

/// Motions without stiffness.
pub(in crate::dynamics::analyses) struct Slack {
    /// An orthonormal basis in the metric of the mass, by columns.
    pub basis: DMatrix<f64>,
    /// Whether it holds all of them; otherwise there are very many.
    pub whole: bool,
}

impl Slack {
    /// No such motions.
    pub fn none(pencil: &BoundPencil) -> Self {
        Self { basis: DMatrix::zeros(pencil.size()[0], 0), whole: true }
    }

    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        self.basis.ncols() == 0
    }
}

/// An orthonormal basis, in the metric of the mass, of the motions that the stiffness takes to zero, by columns: inverse
/// iteration with the factor of K + mu M for a mu that is nearly nothing, in a space that grows until it holds more than
/// them. `natural` is a size below which by far (12 digits) stiffness counts as zero. O(freedoms found^2 n)
pub(in crate::dynamics::analyses) fn slack(
    pencil: &BoundPencil,
    factor: &BoundFactor,
    side: StiffnessSide,
    natural: f64,
) -> Slack {
    let [n, bound] = pencil.size();
    // more vectors than motions would be round-off
    let most = n.saturating_sub(bound);
    let mut width = WIDTH.min(most);
    loop {
        let mut scatter = Scatter::new(0);
        let mut space: Vec<DVector<f64>> =
            (0..width).map(|_| DVector::from_fn(n, |_, _| scatter.next())).collect();
        for _ in 0..ROUNDS {
            space.iter_mut().for_each(|x| *x = pencil.mass_times(x));
            pencil.solve_each(factor, &mut space);
            space = orthonormal(pencil, space);
        }
        let basis = still_parts(pencil, &space, side, natural);
        let whole = basis.ncols() < space.len() || space.len() < width || width == most;
        if whole || width >= WIDEST {
            return Slack { basis, whole };
        }
        width = (2 * width).min(most);
    }
}

/// The part of a space that has no stiffness in it.
fn still_parts(
    pencil: &BoundPencil,
    space: &[DVector<f64>],
    side: StiffnessSide,
    natural: f64,
) -> DMatrix<f64> {
    let n = pencil.size()[0];
    let none = DMatrix::zeros(n, 0);
    if space.is_empty() {
        return none;
    }
    let basis = DMatrix::from_columns(space);
    let forces: Vec<DVector<f64>> = space.iter().map(|x| pencil.stiffness_times(side, x)).collect();
    let within = basis.tr_mul(&DMatrix::from_columns(&forces));
    let most = 1000 + 100 * within.nrows();
    let Some(svd) = within.try_svd(false, true, 5.0 * f64::EPSILON, most) else { return none };
    let Some(v_t) = svd.v_t else { return none };
    let each =
        svd.singular_values.iter().enumerate().map(|(k, value)| (&basis * v_t.row(k).transpose(), *value));
    let still =
        |(x, value): &(DVector<f64>, f64)| *value <= NOTHING * pencil.stiffness_size(x).max(0.1 * natural);
    let found: Vec<DVector<f64>> = each.filter(still).map(|(x, _)| x).collect();
    if found.is_empty() { none } else { DMatrix::from_columns(&found) }
}

/// About the slowest rate of what has stiffness, 1/s: by inverse iteration.
pub(in crate::dynamics::analyses) fn slowest_rate(
    pencil: &BoundPencil,
    factor: &BoundFactor,
    free: &Slack,
) -> f64 {
    let mut scatter = Scatter::new(2);
    let mut x = DVector::from_fn(pencil.size()[0], |_, _| scatter.next());
    let size = |x: &DVector<f64>| pencil.mass_times(x).dot(x).max(0.0).sqrt();
    let mut square = 0.0;
    for _ in 0..ROUNDS {
        let before = size(&x);
        x = pencil.solve(factor, &pencil.mass_times(&x));
        let parts = free.basis.tr_mul(&pencil.mass_times(&x));
        x -= &free.basis * parts;
        let after = size(&x);
        square = before / after;
        if !square.is_normal() {
            return 0.0;
        }
        x /= after;
    }
    square.sqrt()
}
