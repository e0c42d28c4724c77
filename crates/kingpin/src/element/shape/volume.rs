//! Volume, centre and moments of what shapes are made of, exactly.

use super::Part;
use crate::model::value::{Mat3, Vec3};
use std::f64::consts::PI;

/// Something of density 1, about a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// Its volume, or its mass.
    pub volume: f64,
    /// Its centre.
    pub centre: Vec3,
    /// Its inertia about the centre.
    pub inertia: Mat3,
}

impl Volume {
    /// Nothing.
    pub fn none() -> Volume {
        Volume { volume: 0.0, centre: Vec3::zeros(), inertia: Mat3::zeros() }
    }

    /// So many times as heavy; a hole for numbers below zero.
    #[must_use]
    pub fn times(self, density: f64) -> Volume {
        Volume { volume: density * self.volume, inertia: density * self.inertia, ..self }
    }

    /// Turned about the origin, then moved.
    #[must_use]
    pub fn placed(self, turn: &Mat3, point: &Vec3) -> Volume {
        let inertia = turn * self.inertia * turn.transpose();
        Volume { centre: point + turn * self.centre, inertia, ..self }
    }

    /// Both together. What is left of a volume and a hole of the same size is about the centre of the first.
    #[must_use]
    pub fn and(self, other: Volume) -> Volume {
        let volume = self.volume + other.volume;
        let centre = match volume {
            0.0 => self.centre,
            _ => (self.volume * self.centre + other.volume * other.centre) / volume,
        };
        let shifted = |own: &Volume| own.inertia + own.volume * steiner(&(own.centre - centre));
        Volume { volume, centre, inertia: shifted(&self) + shifted(&other) }
    }
}

/// The inertia of mass 1 at a point.
fn steiner(d: &Vec3) -> Mat3 {
    d.norm_squared() * Mat3::identity() - d * d.transpose()
}

/// Something round about an axis: moments along it and across.
fn round(direction: &Vec3, along: f64, across: f64) -> Mat3 {
    let axis = direction.normalize();
    across * Mat3::identity() + (along - across) * axis * axis.transpose()
}

impl Part {
    /// Its volume about the place of the shape, in the axes of its body or marker.
    pub fn volume(&self) -> Volume {
        match self {
            Part::Cuboid { size } => {
                let volume = size.product();
                let squares = size.component_mul(size);
                let moment = |i: usize, j: usize| volume * (squares[i] + squares[j]) / 12.0;
                let inertia = Mat3::from_diagonal(&Vec3::new(moment(1, 2), moment(0, 2), moment(0, 1)));
                Volume { volume, centre: Vec3::zeros(), inertia }
            }
            Part::Ball { radius } => {
                let volume = 4.0 / 3.0 * PI * radius.powi(3);
                let inertia = Mat3::from_diagonal_element(0.4 * volume * radius * radius);
                Volume { volume, centre: Vec3::zeros(), inertia }
            }
            Part::Cylinder { radius, length, direction } => tube(*radius, 0.0, *length, direction),
            Part::Tube { radius, inner, length, direction } => tube(*radius, *inner, *length, direction),
            Part::Bar { to, .. } if to.norm() == 0.0 => Volume::none(),
            Part::Bar { to, radius } => {
                let own = tube(*radius, 0.0, to.norm(), to);
                Volume { centre: 0.5 * to, ..own }
            }
            Part::Cone { radius, length, direction } => {
                let volume = PI * radius * radius * length / 3.0;
                let across = volume * (0.15 * radius * radius + 0.0375 * length * length);
                let inertia = round(direction, 0.3 * volume * radius * radius, across);
                Volume { volume, centre: -0.25 * *length * direction.normalize(), inertia }
            }
            Part::Mesh(own) => own.volume(),
        }
    }
}

/// A tube centred at the origin.
fn tube(radius: f64, inner: f64, length: f64, direction: &Vec3) -> Volume {
    let volume = PI * (radius * radius - inner * inner) * length;
    let squares = radius * radius + inner * inner;
    let across = volume * (3.0 * squares + length * length) / 12.0;
    Volume { volume, centre: Vec3::zeros(), inertia: round(direction, 0.5 * volume * squares, across) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume, centre and inertia by summing small cubes.
    fn summed(inside: impl Fn(&Vec3) -> bool, half: f64) -> Volume {
        let n = 120;
        let h = 2.0 * half / f64::from(n);
        let mut sum = (0.0, Vec3::zeros(), Mat3::zeros());
        for k in 0..n * n * n {
            let at = |k: i32| -half + h * (f64::from(k) + 0.5);
            let x = Vec3::new(at(k % n), at(k / n % n), at(k / n / n));
            if inside(&x) {
                sum = (sum.0 + h.powi(3), sum.1 + h.powi(3) * x, sum.2 + h.powi(3) * steiner(&x));
            }
        }
        let centre = sum.1 / sum.0;
        Volume { volume: sum.0, centre, inertia: sum.2 - sum.0 * steiner(&centre) }
    }

    fn near(a: &Volume, b: &Volume) -> bool {
        (a.volume / b.volume - 1.0).abs() < 0.01
            && (a.centre - b.centre).norm() < 0.01
            && (a.inertia - b.inertia).amax() < 0.015 * b.inertia.amax()
    }

    #[test]
    fn formulas_are_what_small_cubes_sum_to() {
        let z = Vec3::z();
        let across = |x: &Vec3| x.x.hypot(x.y);
        for (part, sum) in [
            (
                Part::Cuboid { size: Vec3::new(1.0, 1.6, 0.8) },
                summed(|x| x.x.abs() < 0.5 && x.y.abs() < 0.8 && x.z.abs() < 0.4, 1.0),
            ),
            (Part::Ball { radius: 0.9 }, summed(|x| x.norm() < 0.9, 1.0)),
            (
                Part::Cylinder { radius: 0.5, length: 1.8, direction: z },
                summed(|x| across(x) < 0.5 && x.z.abs() < 0.9, 1.0),
            ),
            (
                Part::Tube { radius: 0.9, inner: 0.5, length: 1.0, direction: -z },
                summed(|x| across(x) < 0.9 && across(x) > 0.5 && x.z.abs() < 0.5, 1.0),
            ),
            (
                Part::Cone { radius: 0.8, length: 1.6, direction: 2.0 * z },
                summed(|x| x.z.abs() < 0.8 && across(x) < 0.5 * (0.8 - x.z), 1.0),
            ),
        ] {
            assert!(near(&part.volume(), &sum), "{part:?}: {:?} {sum:?}", part.volume());
        }
    }

    #[test]
    fn holes_make_a_tube_of_two_cylinders() {
        let direction = Vec3::new(1.0, 2.0, -0.5);
        let cylinder = |radius| Part::Cylinder { radius, length: 0.7, direction }.volume();
        let tube = Part::Tube { radius: 0.3, inner: 0.2, length: 0.7, direction }.volume();
        let both = cylinder(0.3).and(cylinder(0.2).times(-1.0));
        assert!((both.volume - tube.volume).abs() < 1e-15 && (both.inertia - tube.inertia).amax() < 1e-15);
        // two halves of a box are the box
        let half = Part::Cuboid { size: Vec3::new(1.0, 0.5, 2.0) }.volume();
        let at = |y: f64| half.placed(&Mat3::identity(), &Vec3::new(0.0, y, 0.0));
        let (whole, sum) =
            (Part::Cuboid { size: Vec3::new(1.0, 1.0, 2.0) }.volume(), at(-0.25).and(at(0.25)));
        assert!((whole.inertia - sum.inertia).amax() < 1e-15 && sum.centre.norm() < 1e-16);
    }
}
