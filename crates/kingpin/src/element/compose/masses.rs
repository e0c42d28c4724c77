//! Mass that elements bring: what a point carries, and what two points share.

use super::{Axis, Composer};
use crate::element::basic::{Basic, Dot2, Midpoint};
use crate::element::carrier::Carrier;
use crate::element::equation::{Direction, Inertance, PairMass, PointMass, Term, Words};
use crate::element::law::Strength;
use crate::element::place::Place;
use crate::model::function::Function;
use crate::spatial::V3;

/// Rows of mass are no results of their own.
const UNSHOWN: Words = Words::strength("inertia", "");

impl Composer<'_> {
    /// Mass on the velocities of the two points of the element, and its weight.
    ///
    /// With v_i, v_j the velocities of the points, own_i v_i^2 + 2 shared v_i . v_j + own_j v_j^2 is
    /// (own_i - shared) v_i^2 + (own_j - shared) v_j^2 + 4 shared ((v_i + v_j) / 2)^2: masses at the points, and one at
    /// the midpoint of the two. The first are parts of nodes where the ends are points; all else is made of
    /// inertances.
    pub fn pair_mass(&mut self, mass: &PairMass) {
        let (ends, ground) = (self.ends(), self.given.ground());
        let moves = ends.map(|end| end.body != ground);
        // what is shared with the ground is not felt
        let shared = if moves == [true; 2] { mass.shared } else { 0.0 };
        for (k, end) in ends.iter().enumerate().filter(|(k, _)| moves[*k]) {
            self.point_mass(end, mass.own[k] - shared, mass.own[k] + mass.shared);
        }
        if shared > 0.0 {
            let (bodies, s) = (ends.map(|end| end.body), ends.map(|end| end.s));
            for e in self.directions() {
                let basic = Basic::Midpoint(Midpoint { bodies, s, e });
                self.inertances.push(Inertance { basic, amount: 4.0 * shared, words: UNSHOWN });
            }
        }
    }

    /// Inertia and weight at a point of what carries it.
    fn point_mass(&mut self, end: &Place, inertia: f64, weight: f64) {
        if self.given.carriers[end.body] == Carrier::Point {
            self.masses.push(PointMass { body: end.body, inertia, weight });
            return;
        }
        // from where the point was given: only changes matter
        let (bodies, from) = ([self.given.ground(), end.body], self.given.point(end));
        let along = |a: V3| Basic::Dot2(Dot2 { bodies, a, s: [from, end.s] });
        if inertia > 0.0 {
            for e in self.directions() {
                self.inertances.push(Inertance { basic: along(e), amount: inertia, words: UNSHOWN });
            }
        }
        let gravity = self.model.gravity;
        let pull = weight * gravity.norm();
        if pull > 0.0 {
            let strength = Strength::Magnitude(Function::Constant(pull));
            let direction = Direction::Along(along((gravity / gravity.norm()).into()), 1.0);
            let words = Words::strength("weight", "");
            let (inputs, names, flags) = Default::default();
            self.terms.push(Term { strength, inputs, names, flags, direction, words });
        }
    }

    /// Unit vectors of the space.
    fn directions(&self) -> impl Iterator<Item = V3> + use<> {
        let all = if self.is_spatial() { 3 } else { 2 };
        Axis::ALL.into_iter().take(all).map(|axis| {
            let mut e = [0.0; 3];
            e[axis as usize] = 1.0;
            e
        })
    }
}
