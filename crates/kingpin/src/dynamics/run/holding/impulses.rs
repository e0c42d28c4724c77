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
mod tests {
    use super::*;

    /// A row of bodies in front of a wall, each on the next: approach speeds of all stops, and how impulses change them.
    fn row(masses: &[f64], speeds: &[f64]) -> (DMatrix<f64>, DVector<f64>) {
        let n = masses.len();
        let light = |k: usize| 1.0 / masses[k];
        let coupling = DMatrix::from_fn(n, n, |j, k| match () {
            () if j == k => light(j) + if j > 0 { light(j - 1) } else { 0.0 },
            () if j + 1 == k => -light(j),
            () if k + 1 == j => -light(k),
            () => 0.0,
        });
        let approach = DVector::from_fn(n, |k, _| speeds[k] - if k > 0 { speeds[k - 1] } else { 0.0 });
        (coupling, approach)
    }

    #[test]
    fn a_row_without_restitution_comes_to_rest() {
        for masses in [[1.0, 3.0, 1.0], [1.0, 50.0, 2000.0], [100.0, 1.0, 100.0]] {
            let (coupling, approach) = row(&masses, &[1.0, 1.0, 1.0]);
            let p = impulses(&coupling, &approach, &[0.0; 3], &[0.0; 3]);
            let left = &approach - &coupling * &p;
            assert!(left.amax() < 1e-12, "{masses:?}: {left}");
            // the wall takes the whole momentum
            assert!((p[0] / masses.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{p}");
        }
    }

    /// With restitution nothing approaches afterwards, nothing is gained, and momentum is kept.
    #[test]
    fn nothing_approaches_afterwards() {
        for (masses, e) in [([1.0, 50.0, 3.0], 0.9), ([5.0, 1.0, 400.0], 0.5), ([1.0, 1.0, 1.0], 1.0)] {
            let speeds = [1.0, 1.2, 0.7];
            let (coupling, approach) = row(&masses, &speeds);
            let p = impulses(&coupling, &approach, &[e; 3], &[0.0; 3]);
            let left = &approach - &coupling * &p;
            assert!(
                left.iter().all(|a| *a <= 1e-12) && p.iter().all(|p| *p >= 0.0),
                "{masses:?}: {left} {p}"
            );
            let speed = |k: usize| speeds[k] - (p[k] - if k + 1 < 3 { p[k + 1] } else { 0.0 }) / masses[k];
            let energy = |v: &dyn Fn(usize) -> f64| (0..3).map(|k| masses[k] * v(k).powi(2)).sum::<f64>();
            assert!(energy(&speed) <= (1.0 + 1e-12) * energy(&|k| speeds[k]), "{masses:?}");
        }
    }

    /// Two stops that hold the same motion: one of them does.
    #[test]
    fn twins_do_not_get_in_the_way() {
        let coupling = DMatrix::from_element(2, 2, 1.0);
        let q = at_rest(&coupling, &DVector::from_vec(vec![1.0, 1.0]), 1e-14);
        assert!((q.sum() - 1.0).abs() < 1e-14 && q.iter().all(|q| *q >= 0.0), "{q}");
    }
}
