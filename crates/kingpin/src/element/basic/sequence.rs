//! Angles of a sequence of three turns between two frames.

use super::jet::{First, Jet};
use super::relative::{Outer, Relative};
use crate::scalar::Scalar;
use crate::spatial::{BodyState, Coords, Pose, euler};
use std::f64::consts::{FRAC_PI_2, TAU};

/// An angle of the turns about three axes, each carried along by those before it, that make frame j of frame i. Spatial
/// only.
///
/// With E the Euler parameters of frame j seen from frame i, a = E_0, b = E_i, c = E_j and d = +-E_k are cosine and sine of
/// half the second angle times those of half the sum (a, b) and half the difference (c, d) of the others, for turns about
/// i, j, i. Turns about i, j, k are turns about i, j, i of a frame that is turned by a right angle about j first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequence {
    /// The frames, the second turned first if the three axes differ.
    relative: Relative,
    /// The axes i, j and the last, 0, 1, 2 for x, y, z.
    axes: [u8; 3],
    /// 0, 1, 2 for the first, second and third angle.
    angle: u8,
}

/// How near to the singular position frames must not be, as a sine.
const NEAR: f64 = 1e-6;

impl Sequence {
    /// An angle (0, 1, 2) of the turns about three axes (0, 1, 2 for x, y, z), neighbours of which differ.
    pub fn new(bodies: [usize; 2], frames: [[f64; 4]; 2], axes: [usize; 3], angle: usize) -> Sequence {
        let mut frames = frames;
        if axes[2] != axes[0] {
            let mut quarter = [0.5_f64.sqrt(), 0.0, 0.0, 0.0];
            quarter[axes[1] + 1] = quarter[0];
            frames[1] = euler::product(&frames[1], &quarter);
        }
        let relative = Relative { bodies, frames };
        Sequence { relative, axes: axes.map(|axis| axis as u8), angle: angle as u8 }
    }

    /// Whether the last axis is the first again.
    fn is_proper(&self) -> bool {
        self.axes[2] == self.axes[0]
    }

    /// Where i, j and k are in E.
    fn places(&self) -> [usize; 3] {
        let [i, j, _] = self.axes.map(usize::from);
        [i + 1, j + 1, 4 - i - j]
    }

    /// Sign of k, and of the third angle.
    fn signs(&self) -> [f64; 2] {
        let sign = if (self.axes[0] + 1) % 3 == self.axes[1] { 1.0 } else { -1.0 };
        [sign, if self.is_proper() { 1.0 } else { -sign }]
    }

    /// Taken away from the second angle.
    fn offset(&self) -> f64 {
        if self.is_proper() { 0.0 } else { FRAC_PI_2 }
    }

    /// Bodies i and j.
    pub fn bodies(&self) -> [usize; 2] {
        self.relative.bodies
    }

    /// a, b, c and d.
    fn halves<T: Scalar>(&self, e: &[T; 4]) -> [T; 4] {
        let [i, j, k] = self.places();
        [e[0], e[i], e[j], e[k].scale(self.signs()[0])]
    }

    /// The definition; first and third angles lie between minus and plus half a turn.
    pub fn value<C: Coords, T: Scalar>(&self, [pi, pj]: [&Pose<T>; 2]) -> T {
        let [a, b, c, d] = self.halves(&self.relative.parameters(&pi.p, &pj.p));
        if self.angle == 1 {
            let (p, q) = (a * a + b * b, c * c + d * d);
            return q.sqrt().atan2(p.sqrt()).scale(2.0) - T::from_f64(self.offset());
        }
        let (sum, difference) = (b.atan2(a), d.atan2(c));
        let angle =
            if self.angle == 0 { sum + difference } else { (sum - difference).scale(self.signs()[1]) };
        angle + T::from_f64(wrapped(angle.value()) - angle.value())
    }

    /// a, b, c and d for rotation coordinates of the bodies.
    pub(super) fn abcd(&self, pi: &[f64; 4], pj: &[f64; 4]) -> [f64; 4] {
        self.halves(&self.relative.parameters(pi, pj))
    }

    /// Whether the first and the last axis are parallel for rotation coordinates of the bodies, so that the angles about
    /// them are not known apart.
    pub fn is_singular(&self, [pi, pj]: [&[f64; 4]; 2]) -> bool {
        let [a, b, c, d] = self.abcd(pi, pj);
        a.hypot(b).min(c.hypot(d)) < NEAR
    }

    /// Its axes, such as `zyx`.
    pub fn name(&self) -> String {
        self.axes.map(|axis| ["x", "y", "z"][usize::from(axis).min(2)]).concat()
    }

    /// The angle as a function of E.
    fn outer(&self, e: &[f64; 4]) -> Outer {
        let abcd = self.halves(e);
        let (value, d1, d2) = match self.angle {
            1 => second(&abcd),
            0 => half_angles(&abcd, [1.0, 1.0]),
            _ => half_angles(&abcd, [self.signs()[1], -self.signs()[1]]),
        };
        let value = if self.angle == 1 { value - self.offset() } else { wrapped(value) };
        // back to the order of E
        let [i, j, k] = self.places();
        let (places, signs) = ([0, i, j, k], [1.0, 1.0, 1.0, self.signs()[0]]);
        let mut outer = Outer { value, d1: [0.0; 4], d2: [[0.0; 4]; 4] };
        for x in 0..4 {
            outer.d1[places[x]] = signs[x] * d1[x];
            for y in 0..4 {
                outer.d2[places[x]][places[y]] = signs[x] * signs[y] * d2[x][y];
            }
        }
        outer
    }

    /// Value, row, curvature.
    pub fn first<C: Coords>(&self, bodies: [&BodyState; 2]) -> First {
        self.relative.first::<C>(bodies, |e| self.outer(e))
    }

    /// Derivatives in coordinates, third ones excepted: it serves forces, not constraints.
    pub fn jet<C: Coords>(&self, bodies: [&BodyState; 2], hessian: bool, jet: &mut Jet) {
        self.relative.jet::<C>(bodies, |e| self.outer(e), hessian, jet);
    }
}

/// Between minus and plus half a turn.
fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// A function of a, b, c and d with first and second derivatives.
type Derived = (f64, [f64; 4], [[f64; 4]; 4]);

/// atan2(b, a) and atan2(d, c), each times a factor.
fn half_angles(&[a, b, c, d]: &[f64; 4], factors: [f64; 2]) -> Derived {
    let (mut d1, mut d2) = ([0.0; 4], [[0.0; 4]; 4]);
    for (at, x, y, factor) in [(0, a, b, factors[0]), (2, c, d, factors[1])] {
        let n = x * x + y * y;
        (d1[at], d1[at + 1]) = (-factor * y / n, factor * x / n);
        let (twice, mixed) = (factor * 2.0 * x * y / (n * n), factor * (y * y - x * x) / (n * n));
        (d2[at][at], d2[at + 1][at + 1]) = (twice, -twice);
        (d2[at][at + 1], d2[at + 1][at]) = (mixed, mixed);
    }
    (factors[0] * b.atan2(a) + factors[1] * d.atan2(c), d1, d2)
}

/// 2 atan2(sqrt q, sqrt p) with p = a^2 + b^2 and q = c^2 + d^2.
fn second(abcd: &[f64; 4]) -> Derived {
    let [a, b, c, d] = *abcd;
    let (p, q) = (a * a + b * b, c * c + d * d);
    let (m, r) = (p + q, (q / p).sqrt());
    // g_p, g_q and their derivatives
    let g = [-r / m, 1.0 / (r * m)];
    let pp = 0.5 * r / (p * m) + r / (m * m);
    let qq = -0.5 / (r * q * m) - 1.0 / (r * m * m);
    let pq = -0.5 * r / (q * m) + r / (m * m);
    let gg = [[pp, pq], [pq, qq]];
    let (mut d1, mut d2) = ([0.0; 4], [[0.0; 4]; 4]);
    for x in 0..4 {
        d1[x] = 2.0 * abcd[x] * g[x / 2];
        for y in 0..4 {
            d2[x][y] = 4.0 * abcd[x] * abcd[y] * gg[x / 2][y / 2];
        }
        d2[x][x] += 2.0 * g[x / 2];
    }
    (2.0 * q.sqrt().atan2(p.sqrt()), d1, d2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::SpatialCoords;

    fn turn(axis: usize, angle: f64) -> [f64; 4] {
        let mut p = [(0.5 * angle).cos(), 0.0, 0.0, 0.0];
        p[axis + 1] = (0.5 * angle).sin();
        p
    }

    /// All twelve sequences give back the angles that frames were turned by.
    #[test]
    fn sequences_give_back_their_angles() {
        let none = [1.0, 0.0, 0.0, 0.0];
        let all = (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]).filter(|[i, j, k]| i != j && j != k);
        let mut count = 0;
        for axes in all {
            count += 1;
            let proper = axes[0] == axes[2];
            for angles in [[0.3, 0.7, -1.1], [-2.9, 1.2, 2.5], [1.0, if proper { 2.8 } else { -1.4 }, 3.0]] {
                let turns: [[f64; 4]; 3] = std::array::from_fn(|k| turn(axes[k], angles[k]));
                let p = euler::product(&euler::product(&turns[0], &turns[1]), &turns[2]);
                for (sign, k) in [(1.0, 0), (-1.0, 1), (1.0, 2), (-1.0, 2)] {
                    let sequence = Sequence::new([0, 1], [none; 2], axes, k);
                    let poses = [none, p.map(|x| sign * x)].map(|p| Pose { r: [0.0; 3], p });
                    let value = sequence.value::<SpatialCoords, f64>([&poses[0], &poses[1]]);
                    assert!((value - angles[k]).abs() < 1e-13, "{axes:?} {k}: {value} for {}", angles[k]);
                    let outer = sequence.outer(&sequence.relative.parameters(&none, &poses[1].p));
                    assert!((outer.value - value).abs() < 1e-13);
                    assert!(!sequence.is_singular([&none, &poses[1].p]));
                    let letters = axes.map(|axis| ["x", "y", "z"][axis]).concat();
                    assert_eq!(sequence.name(), letters);
                }
            }
        }
        assert_eq!(count, 12);
    }

    #[test]
    fn parallel_axes_are_singular() {
        let none = [1.0, 0.0, 0.0, 0.0];
        let euler = Sequence::new([0, 1], [none; 2], [2, 0, 2], 0);
        let cardan = Sequence::new([0, 1], [none; 2], [2, 1, 0], 0);
        assert!(euler.is_singular([&none, &none]) && !cardan.is_singular([&none, &none]));
        assert!(
            cardan.is_singular([&none, &turn(1, FRAC_PI_2)])
                && cardan.is_singular([&none, &turn(1, -FRAC_PI_2)])
        );
    }
}
