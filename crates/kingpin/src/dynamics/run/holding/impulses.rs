//! Impulses of stops that are met together.
//!
//! An impulse p on stop k changes the speed a at which stop j is approached by -G_jk p, G being symmetric and not negative.
//! First one stop after the other is struck, with its restitution, as long as any is approached. Between a heavy body and a
//! wall that takes very many strikes of a light one; what is left then is taken by the impulses q >= 0 with a - G q <= 0 and
//! q (a - G q) = 0, which are those of no restitution: an active set, from nothing on.

use nalgebra::{DMatrix, DVector};

/// Strikes, one stop after the other, at most.
const ROUNDS: usize = 300;
/// Speeds that are none, in parts of the greatest.
const NONE: f64 = 1e-14;
/// What is left of a motion that others hold, in parts of what it is alone.
const SAME: f64 = 1e-10;

/// Impulses that leave no stop approached by more than its `floor`.
pub(super) fn impulses(
    coupling: &DMatrix<f64>,
    approach: &DVector<f64>,
    restitution: &[f64],
    floor: &[f64],
) -> DVector<f64> {
    let none = NONE * approach.amax();
    let (mut left, mut all) = (approach.clone(), DVector::zeros(approach.len()));
    for _ in 0..ROUNDS {
        let mut struck = false;
        for k in 0..left.len() {
            if left[k] <= floor[k].max(none) {
                continue;
            }
            let by = (1.0 + restitution[k]) * left[k] / coupling[(k, k)];
            left.axpy(-by, &coupling.column(k), 1.0);
            all[k] += by;
            struck = true;
        }
        if !struck {
            return all;
        }
    }
    all + at_rest(coupling, &left, none)
}

/// Impulses q >= 0 with a - G q <= 0 and q (a - G q) = 0.
fn at_rest(coupling: &DMatrix<f64>, approach: &DVector<f64>, none: f64) -> DVector<f64> {
    let n = approach.len();
    let (mut q, mut active, mut dependent) = (DVector::zeros(n), Vec::<usize>::new(), vec![false; n]);
    // each round takes one in; one that is thrown out again has left others better off
    for _ in 0..3 * n {
        let left = approach - coupling * &q;
        let worst = (0..n)
            .filter(|k| !active.contains(k) && !dependent[*k] && left[*k] > none)
            .max_by(|&a, &b| left[a].total_cmp(&left[b]));
        let Some(worst) = worst else { break };
        active.push(worst);
        loop {
            let Some(goal) = solved(coupling, approach, &active) else {
                // others hold the same motion
                dependent[worst] = true;
                active.retain(|k| *k != worst);
                break;
            };
            let short = |(i, k): (usize, &usize)| (goal[i] <= 0.0).then(|| q[*k] / (q[*k] - goal[i]));
            let Some(step) = active.iter().enumerate().filter_map(short).reduce(f64::min) else {
                active.iter().zip(&goal).for_each(|(k, goal)| q[*k] = *goal);
                break;
            };
            active.iter().zip(&goal).for_each(|(k, goal)| q[*k] += step * (goal - q[*k]));
            let gone = |k: &usize, i: usize| goal[i] <= 0.0 && q[*k] <= NONE * q.amax();
            let kept: Vec<usize> =
                active.iter().enumerate().filter(|(i, k)| !gone(k, *i)).map(|(_, k)| *k).collect();
            (0..n).filter(|k| !kept.contains(k)).for_each(|k| q[k] = 0.0);
            active = kept;
        }
    }
    q
}

/// Impulses that bring some to rest; `None` if these are not independent.
fn solved(coupling: &DMatrix<f64>, approach: &DVector<f64>, active: &[usize]) -> Option<Vec<f64>> {
    let n = active.len();
    let own = DMatrix::from_fn(n, n, |i, j| coupling[(active[i], active[j])]);
    let factor = own.clone().cholesky()?;
    let independent = (0..n).all(|i| factor.l_dirty()[(i, i)].powi(2) > SAME * own[(i, i)]);
    let goal = factor.solve(&DVector::from_fn(n, |i, _| approach[active[i]]));
    independent.then(|| goal.iter().copied().collect())
}

#[cfg(test)]
mod tests;
