//! The strain by definition, for any scalar: what closed forms are checked against.

use super::inner::CellElement;
use crate::scalar::Scalar;

impl CellElement {
    /// Green's strain at each of its places.
    pub fn strains_by_definition<T: Scalar>(&self, places: &[[T; 3]]) -> Vec<[[T; 3]; 3]> {
        let held = self.held.iter().map(|place| place.map(T::from_f64));
        let all: Vec<[T; 3]> = places.iter().copied().chain(held).collect();
        let strain = |at: &super::CellPlace| {
            let mut f = [[T::zero(); 3]; 3];
            for (x, g) in all.iter().zip(&at.gradients) {
                for i in 0..3 {
                    (0..3).for_each(|j| f[i][j] += x[i].scale(g[j]));
                }
            }
            std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    let square = f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j];
                    (square - T::from_f64(at.rest[i][j])).scale(0.5)
                })
            })
        };
        self.places.iter().map(strain).collect()
    }
}
