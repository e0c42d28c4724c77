//! Whether a mechanism comes back when disturbed.

use super::Unstable;
use crate::dynamics::analyses::pencil::Pencil;
use crate::dynamics::analyses::shares::body_shares;
use crate::dynamics::analyses::spectrum::Spectrum;
use crate::system::System;
use nalgebra::{Complex, DMatrix, DVector, Schur};

/// Negative stiffness below this part of the largest is round-off.
const NOTHING: f64 = 1e-9;

/// Directions without stiffness, and those of negative stiffness; `None` if the eigenvalues cannot be computed.
pub(super) fn stability(system: &System, pencil: &Pencil, natural: f64) -> Option<(usize, Vec<Unstable>)> {
    let k = &pencil.stiffness;
    let spectrum = Spectrum::new(k, natural)?;
    let free = spectrum.basis().0.ncols();
    let most = 1000 + 100 * k.nrows();
    let values = Schur::try_new(k.clone(), f64::EPSILON, most)?.complex_eigenvalues();
    let nothing = NOTHING * k.amax().max(natural);
    let mut negative: Vec<f64> = values.iter().map(|x| x.re).filter(|x| *x < -nothing).collect();
    negative.sort_by(f64::total_cmp);
    let name = |kappa: f64| {
        let direction = direction(k, kappa).unwrap_or_else(|| DVector::zeros(k.nrows()));
        let motion = (&pencil.motions * direction).map(|x| Complex::new(x, 0.0));
        let shares = body_shares(system, &motion);
        shares.first().map_or_else(String::new, |share| share.name.clone())
    };
    Some((free, negative.iter().map(|&x| Unstable { rate: (-x).sqrt(), body: name(x) }).collect()))
}

/// The eigenvector of an eigenvalue.
fn direction(k: &DMatrix<f64>, kappa: f64) -> Option<DVector<f64>> {
    let mut shifted = k.clone();
    (0..k.nrows()).for_each(|i| shifted[(i, i)] -= kappa);
    let svd = shifted.try_svd(false, true, 5.0 * f64::EPSILON, 1000 + 100 * k.nrows())?;
    let least = svd.singular_values.imin();
    Some(svd.v_t?.row(least).transpose())
}
