//! Stiffness of an element that nothing strains.

use super::inner::BeamElement;
use super::strain::{Six, strained};
use crate::spatial::{BodyState, Coords};

impl BeamElement {
    /// `int B^T C B ds` between displacements of the centres of mass and turns of its bodies, both along global axes: rows of
    /// one body after those of the other. It is all the stiffness of an element without stress. Bodies stand still before
    /// and behind. O(p^3)
    pub fn stiffness_at_rest<C: Coords>(&self, bodies: &mut [BodyState]) -> Vec<f64> {
        let n = C::NV * self.nodes();
        // rates of strains at all places, for unit motions of all bodies
        let mut rates: Vec<Vec<Six<f64>>> = Vec::with_capacity(n);
        for &body in &self.bodies {
            let still = bodies[body];
            for motion in 0..C::NV {
                let own = &mut bodies[body];
                if motion < C::D {
                    own.rdot[motion] = 1.0;
                } else {
                    // a turn about a global axis, in the axes of the body; in the plane there is one
                    own.w = if C::M == 1 { [1.0, 0.0, 0.0] } else { still.a[motion - C::D] };
                    own.pdot = C::rates(&own.p, &own.w);
                }
                rates.push((0..self.places()).map(|place| self.strain_rates::<C>(place, bodies)).collect());
                bodies[body] = still;
            }
        }
        let mut matrix = vec![0.0; n * n];
        for place in 0..self.places() {
            let weight = self.rule.gauss[place] * self.half;
            for (j, column) in rates.iter().enumerate() {
                let stress = self.stress::<C>(place, &column[place]);
                for (i, row) in rates.iter().enumerate() {
                    let product: f64 = row[place].iter().zip(&stress).map(|(x, s)| x * s).sum();
                    matrix[n * i + j] += weight * product;
                }
            }
        }
        matrix
    }

    /// Rates of strains at a place of Gauss.
    fn strain_rates<C: Coords>(&self, place: usize, bodies: &[BodyState]) -> Six<f64> {
        let [x, rate] = self.locals::<C>(place, bodies);
        self.strains::<C>(place, &strained::<C, f64>(&x), &rate)[1]
    }
}
