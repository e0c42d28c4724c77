//! The outline of a section, for pictures.

use super::Beam;
use super::node::Slices;
use crate::model::{Function, Space};
use std::f64::consts::TAU;

/// Corners of a circle.
const ROUND: usize = 24;

impl Beam {
    /// A closed polygon around its section at a place, [y, z]; of sections without a shape a rectangle that is as stiff.
    /// Nothing if something is wrong with the beam.
    #[doc(hidden)]
    pub fn outline(&self, space: Space, x: f64) -> Option<Vec<[f64; 2]>> {
        let size = |given: &Option<Function>| given.as_ref().map(|f| f.eval(&[x]));
        let [h, w] = match self.section.as_deref() {
            Some("circle" | "tube") => {
                let r = 0.5 * size(&self.diameter)?;
                let corner = |k: usize| (TAU * k as f64 / ROUND as f64).sin_cos();
                return Some((0..ROUND).map(corner).map(|(s, c)| [r * c, r * s]).collect());
            }
            Some("rectangle") => [size(&self.height)?, size(&self.width)?],
            Some(_) => {
                let (h, w) = (0.5 * size(&self.height)?, 0.5 * size(&self.width)?);
                let (t, f) = (0.5 * size(&self.web)?, h - size(&self.flange)?);
                let quarter = [[h, -w], [h, w], [f, w], [f, t], [-f, t], [-f, w]];
                return Some(quarter.into_iter().chain(quarter.map(|[y, z]| [-y, -z])).collect());
            }
            None => {
                let c = Slices::of(self, space).ok()?.at(x).ok()?.stiffness.0;
                let side = |bending: f64| (12.0 * bending / c[0][0]).sqrt();
                let z = if space == Space::Planar { c[5][5] } else { c[4][4] };
                [side(c[5][5]), side(z)]
            }
        };
        let (h, w) = (0.5 * h, 0.5 * w);
        Some(vec![[h, -w], [h, w], [-h, w], [-h, -w]])
    }
}
