//! Places and weights of sums that stand for integrals over an element.

use crate::mesh::Shape;
use nalgebra::Vector3;
use std::sync::OnceLock;

/// Places in the coordinates of the element, and weights.
pub(super) type Rule = Vec<(Vector3<f64>, f64)>;

/// Exact for the stiffness of elements with straight edges.
pub(super) fn stiffness_rule(shape: Shape) -> &'static Rule {
    static FOUR: OnceLock<Rule> = OnceLock::new();
    match shape {
        Shape::Tetrahedron => FOUR.get_or_init(four_points),
        _ => cube(shape),
    }
}

/// Exact for the mass of elements with straight edges.
pub(super) fn mass_rule(shape: Shape) -> &'static Rule {
    static FIFTEEN: OnceLock<Rule> = OnceLock::new();
    match shape {
        Shape::Tetrahedron => FIFTEEN.get_or_init(fifteen_points),
        _ => cube(shape),
    }
}

/// Two places in each direction of a line, a square or a cube from -1 to 1.
fn cube(shape: Shape) -> &'static Rule {
    static CUBES: [OnceLock<Rule>; 3] = [const { OnceLock::new() }; 3];
    let axes = match shape {
        Shape::Bar => 1,
        Shape::Membrane => 2,
        _ => 3,
    };
    let side = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 } / 3.0_f64.sqrt();
    let place = |k: usize| Vector3::from_fn(|axis, _| if axis < axes { side(k, axis) } else { 0.0 });
    CUBES[axes - 1].get_or_init(|| (0..1 << axes).map(|k| (place(k), 1.0)).collect())
}

/// Places in a tetrahedron from its four coordinates, of which all orders are taken.
fn orders(coordinates: [f64; 4], weight: f64, rule: &mut Rule) {
    let mut seen: Vec<[f64; 4]> = Vec::new();
    for code in 0..256 {
        let index = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
        let distinct = (0..4).all(|k| index.contains(&k));
        let turned = index.map(|k| coordinates[k]);
        if distinct && !seen.contains(&turned) {
            seen.push(turned);
            rule.push((Vector3::new(turned[1], turned[2], turned[3]), weight / 6.0));
        }
    }
}

/// Of degree 2.
fn four_points() -> Rule {
    let (mut rule, root) = (Rule::new(), 5.0_f64.sqrt());
    let a = (5.0 - root) / 20.0;
    orders([(5.0 + 3.0 * root) / 20.0, a, a, a], 0.25, &mut rule);
    rule
}

/// Of degree 5 [Stroud 1971, T3:5-1].
fn fifteen_points() -> Rule {
    let (mut rule, root) = (Rule::new(), 15.0_f64.sqrt());
    orders([0.25; 4], 16.0 / 135.0, &mut rule);
    for sign in [-1.0, 1.0] {
        let a = (7.0 + sign * root) / 34.0;
        orders([1.0 - 3.0 * a, a, a, a], (2665.0 - sign * 14.0 * root) / 37800.0, &mut rule);
    }
    let (a, b) = ((10.0 - 2.0 * root) / 40.0, (10.0 + 2.0 * root) / 40.0);
    orders([a, a, b, b], 10.0 / 189.0, &mut rule);
    rule
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factorial(n: i32) -> f64 {
        (1..=n).map(f64::from).product()
    }

    #[test]
    fn polynomials_on_a_tetrahedron_are_integrated_exactly() {
        for (rule, degree) in [(four_points(), 2), (fifteen_points(), 5)] {
            for code in 0..216 {
                let [i, j, k] = [code % 6, code / 6 % 6, code / 36];
                if i + j + k <= degree {
                    let sum: f64 =
                        rule.iter().map(|(p, w)| w * p.x.powi(i) * p.y.powi(j) * p.z.powi(k)).sum();
                    let exact = factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
                    assert!((sum - exact).abs() < 1e-15, "x^{i} y^{j} z^{k}: {sum} {exact}");
                }
            }
        }
        assert_eq!(fifteen_points().len(), 15);
    }
}
