//! Collocation at the places of Gauss: a polynomial of high degree over a step, known at a few places inside.

use crate::element::beam::legendre;

/// Most places in a step.
pub(in crate::dynamics) const MOST: usize = 8;

/// The places of Gauss on 0 to 1, with what belongs to them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dynamics) struct Gauss {
    /// How many there are.
    pub len: usize,
    places: [f64; MOST],
    weights: [f64; MOST],
}

impl Gauss {
    /// So many places, at most [`MOST`]; exact for polynomials of twice that degree less one.
    pub fn new(len: usize) -> Gauss {
        let len = len.clamp(1, MOST);
        let (mut places, mut weights) = ([0.0; MOST], [0.0; MOST]);
        for k in 0..len {
            let mut x = -(std::f64::consts::PI * (k as f64 + 0.75) / (len as f64 + 0.5)).cos();
            for _ in 0..20 {
                let (p, slope) = legendre(len, x);
                x -= p / slope;
            }
            let (_, slope) = legendre(len, x);
            places[k] = 0.5 * (1.0 + x);
            weights[k] = 1.0 / ((1.0 - x * x) * slope * slope);
        }
        Gauss { len, places, weights }
    }

    /// The places, in order.
    pub fn places(&self) -> &[f64] {
        &self.places[..self.len]
    }

    /// How far the nearest place is from another, in parts of the step.
    pub fn clearance(&self, place: f64) -> f64 {
        self.places().iter().fold(1.0, |least, x| (x - place).abs().min(least))
    }

    /// The weights with which values at the places make the integral of their polynomial from 0 to `part`.
    pub fn up_to(&self, part: f64) -> [f64; MOST] {
        let mut out = [0.0; MOST];
        for (place, weight) in self.places().iter().zip(&self.weights) {
            let x = part * place;
            for (k, out) in out[..self.len].iter_mut().enumerate() {
                let factor = |j: usize| (x - self.places[j]) / (self.places[k] - self.places[j]);
                *out += part * weight * (0..self.len).filter(|&j| j != k).map(factor).product::<f64>();
            }
        }
        out
    }

    /// The weights with which values at the places make the coefficient of the Legendre polynomial of the highest
    /// degree that can be told: what the polynomial through them may lack.
    pub fn highest(&self) -> [f64; MOST] {
        let mut out = [0.0; MOST];
        for (k, out) in out[..self.len].iter_mut().enumerate() {
            let (p, _) = legendre(self.len - 1, 2.0 * self.places[k] - 1.0);
            *out = (2 * self.len - 1) as f64 * self.weights[k] * p;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_integrated_exactly() {
        for len in 2..=MOST {
            let gauss = Gauss::new(len);
            let degree = 2 * len as i32 - 1;
            let whole: f64 =
                gauss.up_to(1.0).iter().zip(gauss.places()).map(|(w, x)| w * x.powi(degree)).sum();
            assert!((whole - 1.0 / f64::from(degree + 1)).abs() < 1e-15, "{len}: {whole}");
            let degree = len as i32 - 1;
            for part in [0.0, 0.3, 1.0, 1.2_f64] {
                let sum: f64 =
                    gauss.up_to(part).iter().zip(gauss.places()).map(|(w, x)| w * x.powi(degree)).sum();
                let exact = part.powi(degree + 1) / f64::from(degree + 1);
                assert!((sum - exact).abs() < 1e-14, "{len} to {part}: {sum} for {exact}");
            }
        }
    }

    #[test]
    fn the_highest_coefficient_is_that_of_legendre() {
        let gauss = Gauss::new(8);
        let coefficient = |f: &dyn Fn(f64) -> f64| -> f64 {
            gauss.highest().iter().zip(gauss.places()).map(|(w, x)| w * f(*x)).sum()
        };
        assert!((coefficient(&|x| 3.0 * legendre(7, 2.0 * x - 1.0).0) - 3.0).abs() < 1e-13);
        assert!(coefficient(&|x| x.powi(4) - x).abs() < 1e-13);
    }

    #[test]
    fn an_even_number_of_places_leaves_the_middle_free() {
        assert!(Gauss::new(8).clearance(0.5) > 0.09);
        assert!(Gauss::new(7).clearance(0.5) < 1e-15);
    }
}
