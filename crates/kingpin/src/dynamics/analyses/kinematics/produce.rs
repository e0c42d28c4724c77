//! Inverse dynamics: the inputs with which drivers of motions need not push.
//!
//! With nothing free, motion and accelerations follow from the drivers alone. What produces the motion does not: with
//! inputs u the multipliers of the motions are lam(u), and u is where these vanish. Forces are mostly linear in u,
//! lam = lam_0 + L u, so that one step finds it; L is regular where the actuators can move what is prescribed, each in its
//! own way. Others are solved by secants, L over the last step, with steps halved until the multipliers get less.

use super::KinematicFailure;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::Trouble;
use crate::model::Subject;
use nalgebra::{DMatrix, DVector};

/// Motions, and the inputs whose values shall produce them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Production {
    /// Rows of the motions, with the names of their drivers.
    pub motions: Vec<(usize, String)>,
    /// Inputs, with the names of what they drive.
    pub inputs: Vec<(usize, String)>,
}

/// Steps of Newton's method.
const STEPS: usize = 25;
/// Multipliers below this part of the largest are none.
const VANISHED: f64 = 1e-13;
/// Where steps do not help any more, this part will do.
const GOOD: f64 = 1e-9;
/// How often a step is halved, and the least distance of secants in parts of the largest number.
const HALVINGS: usize = 12;
const NEAREST: f64 = 1e-7;
/// Singular values below this part of the largest are none.
const SINGULAR: f64 = 1e-10;
/// Names with a smaller part in a singular vector are not told.
const TOLD: f64 = 0.05;

impl Production {
    /// Finds the inputs at the instant at hand, whose accelerations have been solved for, and leaves these and all
    /// multipliers as they are with them. O(inputs) acceleration problems a step.
    pub(super) fn find(&self, reduced: &mut Reduced) -> Result<(), KinematicFailure> {
        let (mut left, mut size) = self.left(reduced);
        let mut reach = size;
        for _ in 0..STEPS {
            let worst = left.amax();
            if worst <= VANISHED * size {
                return Ok(());
            }
            let way = self.way(reduced, &left, reach)?;
            let start: Vec<f64> =
                self.inputs.iter().map(|(k, _)| reduced.mechanism.work.inputs[*k]).collect();
            // the whole step; less of it as long as it makes nothing better
            let halvings = if worst <= GOOD * size { 0 } else { HALVINGS };
            let mut part = 1.0;
            let better = (0..=halvings).any(|_| {
                self.go(reduced, &start, &way, part);
                if self.solve(reduced).is_ok() {
                    let (now, largest) = self.left(reduced);
                    if now.amax() < worst {
                        (left, size) = (now, largest);
                        return true;
                    }
                }
                part *= 0.5;
                false
            });
            if !better {
                self.go(reduced, &start, &way, 0.0);
                self.solve(reduced)?;
                if halvings == 0 || reach <= NEAREST * size {
                    break;
                }
                reach *= 0.1;
                continue;
            }
            reach = (part * way.amax()).clamp(NEAREST * size, size);
        }
        let (left, size) = self.left(reduced);
        if left.amax() <= GOOD * size {
            return Ok(());
        }
        let worst = left.iamax();
        let (row, motion) = self.motions[worst].clone();
        let subject = reduced.mechanism.system.row_name(row).subject;
        Err(KinematicFailure::Unproduced { t: reduced.t, subject, motion, left: left.amax() / size })
    }

    /// Sets the inputs to part of a way from where they were.
    fn go(&self, reduced: &mut Reduced, start: &[f64], way: &DVector<f64>, part: f64) {
        for (((k, _), start), way) in self.inputs.iter().zip(start).zip(way.iter()) {
            reduced.mechanism.work.inputs[*k] = start + part * way;
        }
    }

    /// Multipliers of the motions, and the size of all.
    fn left(&self, reduced: &Reduced) -> (DVector<f64>, f64) {
        let lam = &reduced.mechanism.result.lam;
        let inputs = self.inputs.iter().map(|(k, _)| reduced.mechanism.work.inputs[*k]);
        let size = lam.iter().copied().chain(inputs).fold(1e-9_f64, |m, x| m.max(x.abs()));
        (DVector::from_iterator(self.motions.len(), self.motions.iter().map(|(row, _)| lam[*row])), size)
    }

    fn solve(&self, reduced: &mut Reduced) -> Result<(), KinematicFailure> {
        let t = reduced.t;
        reduced.solve().map_err(|trouble: Trouble| KinematicFailure::Trouble { t, trouble })
    }

    /// The change of inputs that makes multipliers vanish, by secants over a distance.
    fn way(
        &self,
        reduced: &mut Reduced,
        left: &DVector<f64>,
        reach: f64,
    ) -> Result<DVector<f64>, KinematicFailure> {
        let n = self.inputs.len();
        let mut matrix = DMatrix::zeros(left.len(), n);
        for (c, (k, _)) in self.inputs.iter().enumerate() {
            let before = reduced.mechanism.work.inputs[*k];
            reduced.mechanism.work.inputs[*k] = before + reach;
            self.solve(reduced)?;
            let column = (self.left(reduced).0 - left) / reach;
            matrix.set_column(c, &column);
            reduced.mechanism.work.inputs[*k] = before;
        }
        // forces and torques, lengths and angles: every row and column in its own measure
        let norm = |x: f64| if x > 0.0 { 1.0 / x } else { 1.0 };
        let columns: Vec<f64> = matrix.column_iter().map(|c| norm(c.norm())).collect();
        (0..n).for_each(|c| matrix.column_mut(c).scale_mut(columns[c]));
        let rows: Vec<f64> = matrix.row_iter().map(|r| norm(r.norm())).collect();
        (0..rows.len()).for_each(|r| matrix.row_mut(r).scale_mut(rows[r]));
        let svd = matrix.svd(true, true);
        let (worst, best) = (svd.singular_values.imin(), svd.singular_values.max());
        if svd.singular_values[worst] <= SINGULAR * best {
            return Err(self.powerless(reduced, &svd, worst));
        }
        let load = DVector::from_fn(left.len(), |r, _| -rows[r] * left[r]);
        let found = svd.solve(&load, 0.0).unwrap_or_else(|_| DVector::zeros(n));
        Ok(DVector::from_fn(n, |c, _| columns[c] * found[c]))
    }

    /// Who can do nothing, and to what.
    fn powerless(
        &self,
        reduced: &Reduced,
        svd: &nalgebra::SVD<f64, nalgebra::Dyn, nalgebra::Dyn>,
        k: usize,
    ) -> KinematicFailure {
        let told = |part: Vec<f64>, names: &[(usize, String)]| -> Vec<String> {
            let most = part.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let of = part.iter().zip(names).filter(|(x, _)| x.abs() > TOLD * most);
            of.map(|(_, (_, name))| name.clone()).collect()
        };
        let left = svd.u.as_ref().map_or_else(Vec::new, |u| u.column(k).iter().copied().collect());
        let right = svd.v_t.as_ref().map_or_else(Vec::new, |v| v.row(k).iter().copied().collect());
        let (motions, actuators) = (told(left, &self.motions), told(right, &self.inputs));
        let first = self.motions.iter().find(|(_, name)| motions.contains(name));
        let system = reduced.mechanism.system;
        let subject = first.map_or(Subject::Model, |(row, _)| system.row_name(*row).subject);
        KinematicFailure::Powerless { t: reduced.t, subject, motions, actuators }
    }
}
