//! Places, weights and shape functions of the elements of one order.
//!
//! Nodes are where the slope of the Legendre polynomial P_p vanishes, and the two ends (Gauss, Lobatto and Legendre);
//! strains are taken at the p places of Gauss: one more, and thin elements lock. Mass that is lumped with the weights of
//! the nodes keeps the order 2 p of the ends.

use std::f64::consts::PI;

/// Tables of the elements of order p, on -1 to 1. Once per order.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamRule {
    /// Places of the p + 1 nodes, ascending.
    pub nodes: Vec<f64>,
    /// Their weights, which add up to two.
    pub weights: Vec<f64>,
    /// The p places of Gauss, ascending.
    pub places: Vec<f64>,
    /// Their weights.
    pub gauss: Vec<f64>,
    /// Shape function and its slope at each place of Gauss: those of all nodes, place after place.
    pub shapes: Vec<[f64; 2]>,
    /// What values at the places of Gauss make in the middle.
    pub middle: Vec<f64>,
}

impl BeamRule {
    /// The tables of an order from one on. O(p^4).
    pub fn new(order: usize) -> BeamRule {
        let nodes = lobatto(order);
        let weight = |x: &f64| 2.0 / ((order * (order + 1)) as f64 * legendre(order, *x).0.powi(2));
        let places: Vec<f64> = (0..order).map(|k| gauss_place(order, k)).collect();
        let gauss = |x: &f64| 2.0 / ((1.0 - x * x) * legendre(order, *x).1.powi(2));
        let shapes = places.iter().flat_map(|x| (0..nodes.len()).map(|a| shape(&nodes, a, *x)));
        BeamRule {
            weights: nodes.iter().map(weight).collect(),
            gauss: places.iter().map(gauss).collect(),
            shapes: shapes.collect(),
            middle: (0..order).map(|k| shape(&places, k, 0.0)[0]).collect(),
            places,
            nodes,
        }
    }

    /// Shape functions and slopes of all nodes at a place of Gauss.
    #[inline(always)]
    pub fn at(&self, place: usize) -> &[[f64; 2]] {
        let n = self.nodes.len();
        &self.shapes[place * n..(place + 1) * n]
    }
}

/// A Legendre polynomial on -1 to 1, and its slope between the ends.
pub fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut p) = (0.0, 1.0);
    for k in 0..degree {
        (before, p) = (p, ((2 * k + 1) as f64 * x * p - k as f64 * before) / (k + 1) as f64);
    }
    (p, degree as f64 * (x * p - before) / (x * x - 1.0))
}

/// The k-th zero of a Legendre polynomial, ascending.
fn gauss_place(degree: usize, k: usize) -> f64 {
    if 2 * k + 1 == degree {
        return 0.0;
    }
    let mut x = -(PI * (k as f64 + 0.75) / (degree as f64 + 0.5)).cos();
    for _ in 0..20 {
        let (p, slope) = legendre(degree, x);
        x -= p / slope;
    }
    x
}

/// The ends and the zeros of the slope of a Legendre polynomial, ascending.
fn lobatto(degree: usize) -> Vec<f64> {
    let size = (degree * (degree + 1)) as f64;
    let place = |k: usize| {
        let mut x = -(PI * k as f64 / degree as f64).cos();
        for _ in 0..20 {
            // Legendre's equation gives the second derivative
            let (p, slope) = legendre(degree, x);
            x -= slope * (1.0 - x * x) / (2.0 * x * slope - size * p);
        }
        x
    };
    let inner = (1..degree).map(|k| if 2 * k == degree { 0.0 } else { place(k) });
    std::iter::once(-1.0).chain(inner).chain([1.0]).collect()
}

/// The polynomial that is one at a place of some and zero at the others, and its slope.
pub fn shape(places: &[f64], own: usize, x: f64) -> [f64; 2] {
    let others = || (0..places.len()).filter(move |&k| k != own);
    let factor = |k: usize| (x - places[k]) / (places[own] - places[k]);
    let product = |but: usize| others().filter(|&k| k != but).map(factor).product::<f64>();
    [product(own), others().map(|k| product(k) / (places[own] - places[k])).sum()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14)
    }

    #[test]
    fn places_and_weights_are_those_of_the_books() {
        let rule = BeamRule::new(1);
        assert!(near(&rule.nodes, &[-1.0, 1.0]) && near(&rule.weights, &[1.0, 1.0]));
        assert!(near(&rule.gauss, &[2.0]) && near(&rule.middle, &[1.0]));
        assert_eq!(rule.at(0), [[0.5, -0.5], [0.5, 0.5]]);
        let rule = BeamRule::new(4);
        let inner = (3.0f64 / 7.0).sqrt();
        assert!(near(&rule.nodes, &[-1.0, -inner, 0.0, inner, 1.0]));
        assert!(near(&rule.weights, &[0.1, 49.0 / 90.0, 32.0 / 45.0, 49.0 / 90.0, 0.1]));
        let (near_end, near_middle) = ((18.0 - 30.0f64.sqrt()) / 36.0, (18.0 + 30.0f64.sqrt()) / 36.0);
        assert!(near(&rule.gauss, &[near_end, near_middle, near_middle, near_end]));
    }

    #[test]
    fn polynomials_are_met_exactly() {
        for order in 1..=16 {
            let rule = BeamRule::new(order);
            assert!(rule.nodes.is_sorted());
            let places: Vec<f64> = (0..order).map(|k| gauss_place(order, k)).collect();
            assert!(places.is_sorted());
            for degree in 0..2 * order as i32 {
                let exact = if degree % 2 == 0 { 2.0 / f64::from(degree + 1) } else { 0.0 };
                let sum =
                    |x: &[f64], w: &[f64]| -> f64 { x.iter().zip(w).map(|(x, w)| w * x.powi(degree)).sum() };
                assert!((sum(&rule.nodes, &rule.weights) - exact).abs() < 1e-13, "{order} {degree}");
                assert!((sum(&places, &rule.gauss) - exact).abs() < 1e-13, "{order} {degree}");
            }
            for degree in 0..=order as i32 {
                for (k, x) in places.iter().enumerate() {
                    let sum = |part: usize| -> f64 {
                        rule.at(k).iter().zip(&rule.nodes).map(|(n, y)| n[part] * y.powi(degree)).sum()
                    };
                    let slope = if degree == 0 { 0.0 } else { f64::from(degree) * x.powi(degree - 1) };
                    assert!((sum(0) - x.powi(degree)).abs() < 1e-13, "{order} {degree}");
                    assert!((sum(1) - slope).abs() < 1e-11, "{order} {degree}");
                }
            }
            let middle: f64 = rule.middle.iter().zip(&places).map(|(w, x)| w * (3.0 + x)).sum();
            assert!(order == 1 || (middle - 3.0).abs() < 1e-13, "{order}");
        }
    }
}
