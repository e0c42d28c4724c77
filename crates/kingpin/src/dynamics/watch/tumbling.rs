//! Free bodies near the unstable axis of their inertia: when they flip depends on next to nothing.
//!
//! A body without joints and forces keeps |J w|^2 = L^2 and w.J w = 2 E. Its distance from the separatrix of Euler's
//! equations, d = L^2 - 2 E j with the middle moment j, decides when it flips: half a turn of the flip takes about
//! ln(16 L^2 / |d|) / rate, so an error of d shifts each flip by its relative size over twice the rate.

use crate::spatial::{M3, V3, apply, dot};
use crate::system::{State, System};
use nalgebra::{Matrix3, SymmetricEigen};

/// A free body whose attitude the run cannot tell to the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tumbling {
    /// The body.
    pub body: usize,
    /// Relative change of its distance from the unstable axis, which ought to be constant.
    pub change: f64,
    /// What that makes of its attitude at the end, rad.
    pub error: f64,
}

/// Predicted errors up to so many tolerances are borne: a third of what a result may be off by.
const BORNE: f64 = 30.0;

/// The first free body whose attitude at the end is off by more than the tolerance explains, as its invariants tell.
/// O(bodies and their joints and forces).
pub fn tumbling(system: &System, start: &State, end: &State, tol: f64) -> Option<Tumbling> {
    if system.dimensions() != 3 {
        return None;
    }
    let mut held = vec![false; system.bodies() + 1];
    system.layout.blocks.iter().for_each(|block| held[block.body] = true);
    system.terms.iter().flat_map(|term| term.targets()).for_each(|body| held[body] = true);
    system.inertances.iter().flat_map(|i| i.basic.bodies()).for_each(|b| held[b] = true);
    system.beams.iter().flat_map(|beam| &beam.bodies).for_each(|&b| held[b] = true);
    system.floating.iter().flat_map(|body| body.nodes()).for_each(|b| held[b] = true);
    system.nodes.normalised().filter(|&body| !held[body]).find_map(|body| {
        let spin = |state: &State| -> V3 { std::array::from_fn(|k| state.v[system.nodes[body].v + 3 + k]) };
        let top = Top::new(&system.inertia[body].tensor)?;
        let (from, to) = (top.at(&spin(start)), top.at(&spin(end)));
        let change = ((to.distance - from.distance) / from.distance).abs();
        let flips = 1.0 + ((end.t - start.t) / from.half_turn).floor();
        let error = flips * change * from.rate / (2.0 * from.growth);
        // half a turn is as uncertain as can be
        let (most, error_at_most) = (change.min(1.0), error.min(std::f64::consts::PI));
        (error > BORNE * tol).then_some(Tumbling { body, change: most, error: error_at_most })
    })
}

/// A body with three different moments.
struct Top {
    tensor: M3,
    /// Principal moments, ascending.
    moments: [f64; 3],
}

/// Its motion at an instant.
struct SpinState {
    /// d.
    distance: f64,
    /// Turns about the middle axis, rad/s.
    rate: f64,
    /// Growth of what is off that axis, 1/s.
    growth: f64,
    /// From flip to flip, s.
    half_turn: f64,
}

impl Top {
    fn new(tensor: &M3) -> Option<Top> {
        let matrix = Matrix3::from_fn(|i, k| tensor[i][k]);
        let mut moments: [f64; 3] = SymmetricEigen::new(matrix).eigenvalues.into();
        moments.sort_by(f64::total_cmp);
        let apart = |a: f64, b: f64| b - a > 1e-9 * b;
        let [a, b, c] = moments;
        (apart(a, b) && apart(b, c)).then_some(Top { tensor: *tensor, moments })
    }

    fn at(&self, w: &V3) -> SpinState {
        let [a, b, c] = self.moments;
        let momentum = apply(&self.tensor, w);
        let square = dot(&momentum, &momentum);
        let distance = square - b * dot(w, &momentum);
        let rate = square.sqrt() / b;
        let growth = rate * ((c - b) * (b - a) / (a * c)).sqrt();
        let half_turn = (16.0 * square / distance.abs()).ln() / growth;
        SpinState { distance, rate, growth, half_turn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, Model, Space};

    fn after(spin: [f64; 3], change: f64) -> Option<Tumbling> {
        let mut model = Model::new("top", Space::Spatial);
        model.body(Body::spatial("top", 1.0, [1.0, 2.0, 3.0]));
        let system = System::compile(&model).expect("valid").0;
        let state = |spin: [f64; 3], t: f64| State {
            t,
            v: [&[0.0; 3][..], &spin[..]].concat(),
            ..system.given.clone()
        };
        let end = [spin[0], spin[1], spin[2] * (1.0 + change)];
        tumbling(&system, &state(spin, 0.0), &state(end, 3.0), 1e-5)
    }

    #[test]
    fn near_the_middle_axis_little_is_much() {
        let found = after([10.0, 0.0, 5.78], 1e-5).expect("too much");
        assert!(found.change > 1e-3 && found.error > 1e-3, "{found:?}");
        // far from it the same change is one of few tolerances
        assert_eq!(after([10.0, 0.0, 1.0], 1e-5), None);
        assert_eq!(after([10.0, 0.0, 5.78], 0.0), None);
    }

    #[test]
    fn a_body_at_rest_is_not_tumbling() {
        assert_eq!(after([0.0; 3], 0.0), None);
    }
}
