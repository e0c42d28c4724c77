//! Van der Pol's equation, to try methods on.

use kingpin::integrate::{DenseMatrix, SecondOrder};
use std::convert::Infallible;

/// Van der Pol's equation, whose jumps bring rejections and new linearisations.
pub struct VanDerPol;

const MU: f64 = 20.0;

impl SecondOrder for VanDerPol {
    type Error = Infallible;
    type Matrix = DenseMatrix;
    fn dim(&self) -> usize {
        1
    }
    fn acceleration(&mut self, _: f64, v: &[f64], d: &[f64], a: &mut [f64]) -> Result<(), Infallible> {
        a[0] = MU * (1.0 - v[0] * v[0]) * d[0] - v[0];
        Ok(())
    }
    fn linearise(&mut self, _: f64, v: &[f64], d: &[f64], out: &mut DenseMatrix) -> Result<(), Infallible> {
        let out = &mut out.linear;
        out.mhat[0] = 1.0;
        out.m1[0] = MU * (v[0] * v[0] - 1.0);
        out.m2[0] = MU * 2.0 * v[0] * d[0] + 1.0;
        Ok(())
    }
}

/// Where it begins.
pub const START: [f64; 2] = [2.0, 0.0];
/// When it ends.
pub const END: f64 = 60.0;
