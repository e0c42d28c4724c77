//! How near the constraints are to being dependent, and which of them.

use crate::model::Subject;
use crate::system::{RowName, State, System};
use nalgebra::DMatrix;

/// An equation in a dependence.
#[derive(Clone, Debug, PartialEq)]
pub struct Involved {
    /// The equation.
    pub row: RowName,
    /// Its weight, 1 for the heaviest.
    pub weight: f64,
}

/// The dependence that is nearest.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::dynamics) struct Nearness {
    /// Least singular value of the normalised Jacobian: 0 where equations are dependent.
    pub least: f64,
    /// The equations concerned: drivers first, then the heaviest.
    pub rows: Vec<Involved>,
    /// Whether the rates that drivers prescribe contradict the dependence.
    pub contradicts: bool,
}

impl Nearness {
    /// The drivers among the equations.
    pub fn drivers(&self) -> Vec<String> {
        let is_driver = |i: &&Involved| matches!(i.row.subject, Subject::Driver(_));
        self.rows.iter().filter(is_driver).map(|i| i.row.name.clone()).collect()
    }
}

/// Equations up to which this is affordable.
const MOST: usize = 400;
/// Equations that weigh less than this do not count.
const WEIGHT: f64 = 0.03;

/// The least singular value of Phi_v M^-1/2 with rows of length one, without redundant rows; `None` if there are
/// no equations or too many. O(rows^3).
pub(in crate::dynamics) fn nearness(system: &System, redundant: &[bool], state: &State) -> Option<Nearness> {
    let kept: Vec<usize> =
        (0..system.joint_equations()).filter(|&r| !redundant.get(r).copied().unwrap_or(false)).collect();
    if kept.is_empty() || kept.len() > MOST || kept.len() > system.velocities() {
        return None;
    }
    let mut work = system.work();
    system.set_state(&mut work, state);
    system.evaluate_constraints(&mut work);
    let d = system.dimensions();
    let root = |velocity: usize| {
        let (body, k) = system.nodes.of_velocity(velocity);
        let inertia = &system.inertia[body];
        if k < d { inertia.inverse_mass.sqrt() } else { inertia.inverse[k - d][k - d].sqrt() }
    };
    let mut a = DMatrix::<f64>::zeros(kept.len(), system.velocities());
    for (i, &row) in kept.iter().enumerate() {
        let group = &system.layout.groups[system.layout.group_of(row)];
        for block in &system.layout.blocks[group.blocks.clone()] {
            for (column, x) in block.columns().zip(&work.phi_v[block.row(row - group.rows.start)]) {
                a[(i, column)] += x * root(column);
            }
        }
    }
    let sizes: Vec<f64> = a.row_iter().map(|row| row.norm()).collect();
    if sizes.iter().any(|size| !(*size > 0.0 && size.is_finite())) {
        return None;
    }
    for (i, size) in sizes.iter().enumerate() {
        a.row_mut(i).scale_mut(1.0 / size);
    }
    let svd = a.svd(true, false);
    let least = (0..svd.singular_values.len())
        .min_by(|&i, &j| svd.singular_values[i].total_cmp(&svd.singular_values[j]))?;
    let null = svd.u?.column(least).into_owned();
    let heaviest = null.amax();
    let parts = || kept.iter().zip(null.iter()).zip(&sizes).map(|((&row, y), size)| y * work.nu[row] / size);
    let (sum, each) = parts().fold((0.0_f64, 0.0_f64), |(sum, most), x| (sum + x, most.max(x.abs())));
    let mut rows: Vec<Involved> = kept
        .iter()
        .zip(null.iter())
        .filter(|(_, y)| y.abs() > WEIGHT * heaviest)
        .map(|(&row, y)| Involved { row: system.row_name(row), weight: y.abs() / heaviest })
        .collect();
    // drivers first; what is nearly alike comes in the order of the model
    let is_joint = |i: &Involved| !matches!(i.row.subject, Subject::Driver(_));
    rows.sort_by_key(|i| (is_joint(i), std::cmp::Reverse((i.weight * 50.0).round() as u32)));
    Some(Nearness {
        least: svd.singular_values[least],
        rows,
        contradicts: sum.abs() > 1e-6 * each && each > 0.0,
    })
}
