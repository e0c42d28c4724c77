//! The integration Jacobian by differences of accelerations, for forces whose derivatives are not to be trusted.

use super::reduced::Reduced;
use crate::dynamics::instant::Trouble;
use crate::integrate::{Linearisation, SecondOrder};

/// Relative size of the differences of positions and time: the cube root of the rounding error.
const STEP: f64 = 6e-6;
/// The same for rates: accelerations are nearly quadratic in them, and their central differences nearly exact.
const RATE_STEP: f64 = 1e-3;

impl Reduced<'_> {
    /// Central differences in every independent coordinate, its rate and time: Mhat is the identity.
    pub(in crate::dynamics) fn linearise_by_differences(
        &mut self,
        t: f64,
        v: &[f64],
        vdot: &[f64],
        out: &mut Linearisation,
    ) -> Result<(), Trouble> {
        let n = v.len();
        let (mut position, mut rate) = (v.to_vec(), vdot.to_vec());
        let (mut plus, mut minus) = (vec![0.0; n], vec![0.0; n]);
        out.mhat.fill(0.0);
        for k in 0..n {
            out.mhat[k * n + k] = 1.0;
            let h = STEP * (1.0 + v[k].abs());
            position[k] = v[k] + h;
            self.acceleration(t, &position, &rate, &mut plus)?;
            position[k] = v[k] - h;
            self.acceleration(t, &position, &rate, &mut minus)?;
            position[k] = v[k];
            let column = out.m2[k * n..(k + 1) * n].iter_mut();
            column.zip(plus.iter().zip(&minus)).for_each(|(m, (a, b))| *m = (b - a) / (2.0 * h));
            let h = RATE_STEP * (1.0 + vdot[k].abs());
            rate[k] = vdot[k] + h;
            self.acceleration(t, &position, &rate, &mut plus)?;
            rate[k] = vdot[k] - h;
            self.acceleration(t, &position, &rate, &mut minus)?;
            rate[k] = vdot[k];
            let column = out.m1[k * n..(k + 1) * n].iter_mut();
            column.zip(plus.iter().zip(&minus)).for_each(|(m, (a, b))| *m = (b - a) / (2.0 * h));
        }
        let h = STEP * (1.0 + t.abs());
        self.acceleration(t + h, &position, &rate, &mut plus)?;
        self.acceleration(t - h, &position, &rate, &mut minus)?;
        for (out, (a, b)) in out.f_t.iter_mut().zip(plus.iter().zip(&minus)) {
            *out = (a - b) / (2.0 * h);
        }
        // leave the accelerations of the point itself behind
        self.acceleration(t, v, vdot, &mut plus)?;
        self.factor_here()
    }
}
