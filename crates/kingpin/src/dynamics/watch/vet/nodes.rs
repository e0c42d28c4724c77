//! Where a method looks within a step, and the polynomial through what it sees there.

use crate::dynamics::stepping::Method;

/// The nodes of a method with their barycentric weights.
#[derive(Clone, Debug)]
pub(super) struct MethodNodes {
    pub method: Method,
    pub places: &'static [f64],
    weights: Vec<f64>,
    /// Values at the nodes.
    pub values: Vec<f64>,
}

impl MethodNodes {
    pub fn of(method: Method) -> MethodNodes {
        let places = method.entry().nodes;
        let weight = |j: usize| {
            let others = (0..places.len()).filter(|&k| k != j);
            1.0 / others.map(|k| places[j] - places[k]).product::<f64>()
        };
        let weights = (0..places.len()).map(weight).collect();
        MethodNodes { method, places, weights, values: vec![0.0; places.len()] }
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
            let mut nodes = MethodNodes::of(method);
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
