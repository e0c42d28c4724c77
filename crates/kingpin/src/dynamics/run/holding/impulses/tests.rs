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
        assert!(left.iter().all(|a| *a <= 1e-12) && p.iter().all(|p| *p >= 0.0), "{masses:?}: {left} {p}");
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
