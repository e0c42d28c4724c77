//! Where a method looks within a step, and the polynomial through what it sees there.

use crate::dynamics::Method;

/// The nodes of a method with their barycentric weights.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    pub method: Method,
    pub places: &'static [f64],
    weights: Vec<f64>,
    /// Values at the nodes.
    pub values: Vec<f64>,
}

const DOP853: &[f64] = &[0.0, 0.0789, 0.1184, 0.2816, 0.3333, 0.6, 0.6513, 0.8571, 1.0];
const DOPRI5: &[f64] = &[0.0, 0.2, 0.3, 0.8, 0.8889, 1.0];
const TRAPEZOID: &[f64] = &[0.0, 1.0];
const SDIRK: &[f64] = &[0.25, 0.5, 0.75, 1.0];
const ROSENBROCK: &[f64] = &[0.0, 0.21, 0.386, 0.63, 1.0];
/// A multistep method takes its smoothness from steps before, so it gets the benefit of more places.
const ADAMS: &[f64] = &[0.0, 0.0381, 0.1464, 0.3087, 0.5, 0.6913, 0.8536, 0.9619, 1.0];

impl Nodes {
    pub fn of(method: Method) -> Nodes {
        let places = match method {
            Method::Dop853 => DOP853,
            Method::Dopri5 => DOPRI5,
            Method::Adams => ADAMS,
            Method::SspTrap | Method::InflTrap | Method::Newmark | Method::Hht => TRAPEZOID,
            Method::ForSdirk | Method::InflSdirk => SDIRK,
            Method::ForRosen | Method::Auto => ROSENBROCK,
        };
        let weight = |j: usize| {
            let others = (0..places.len()).filter(|&k| k != j);
            1.0 / others.map(|k| places[j] - places[k]).product::<f64>()
        };
        let weights = (0..places.len()).map(weight).collect();
        Nodes { method, places, weights, values: vec![0.0; places.len()] }
    }

    /// The polynomial through the values at the nodes.
    pub fn polynomial(&self, theta: f64) -> f64 {
        let (mut top, mut bottom) = (0.0, 0.0);
        for ((place, weight), value) in self.places.iter().zip(&self.weights).zip(&self.values) {
            if theta == *place {
                return *value;
            }
            let w = weight / (theta - place);
            top += w * value;
            bottom += w;
        }
        top / bottom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_reproduced() {
        for method in Method::ALL {
            let mut nodes = Nodes::of(method);
            let degree = nodes.places.len() as i32 - 1;
            let f = |x: f64| (x - 0.4).powi(degree) + x;
            nodes.values = nodes.places.iter().map(|&x| f(x)).collect();
            for k in 0..=20 {
                let x = f64::from(k) / 20.0;
                assert!((nodes.polynomial(x) - f(x)).abs() < 1e-12, "{}", method.name());
            }
        }
    }
}
