//! Shapes as unit bodies, stretched, turned and moved.

use kingpin::element::shape::surface::Triangles;
use kingpin::element::shape::{Part, ShapeKind};
use kingpin::spatial::euler;
use nalgebra::Vector3;
use std::sync::Arc;

/// The unit bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Edges of length 1.
    Cuboid,
    /// Radius 1.
    Sphere,
    /// Radius 1 and length 1, along z.
    Cylinder,
    /// The same with its tip at z = 1/2.
    Cone,
    /// A cylinder with a hole along it, whose radius is so many thousandths.
    Tube(u16),
    /// A mesh of the scene, by its number.
    Mesh(u32),
}

/// How something looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Red, green and blue, 0 to 255.
    pub colour: [u8; 3],
    /// How much it hides what is behind it, 0 to 1.
    pub opacity: f64,
}

impl Look {
    /// Red, green, blue and opacity, 0 to 255.
    pub(crate) fn paint(&self) -> [u8; 4] {
        let [r, g, b] = self.colour;
        [r, g, b, (255.0 * self.opacity).round() as u8]
    }
}

/// A unit body, stretched along its axes, turned, moved, and coloured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// What it is.
    pub form: Form,
    /// Its centre in the axes of the body.
    pub centre: [f64; 3],
    /// Its axes against those of the body: Euler parameters.
    pub orientation: [f64; 4],
    /// Lengths of the unit axes.
    pub scale: [f64; 3],
    /// Colour and opacity.
    pub look: Look,
}

/// Thinner than this nothing is drawn: a box may be flat.
const THIN: f64 = 1e-6;

impl Solid {
    /// The parts of a shape at a place on its body. Meshes that are new join those of the scene.
    pub(super) fn of(
        kind: &ShapeKind,
        (point, turn): ([f64; 3], [f64; 4]),
        look: Look,
        meshes: &mut Vec<Arc<Triangles>>,
    ) -> Vec<Solid> {
        kind.element().drawn().iter().map(|part| Solid::part(part, (point, turn), look, meshes)).collect()
    }

    fn part(
        part: &Part,
        (point, turn): ([f64; 3], [f64; 4]),
        look: Look,
        meshes: &mut Vec<Arc<Triangles>>,
    ) -> Solid {
        let none = [1.0, 0.0, 0.0, 0.0];
        let (form, shift, own, scale) = match part {
            Part::Cuboid { size } => (Form::Cuboid, Vector3::zeros(), none, (*size).into()),
            Part::Ball { radius } => (Form::Sphere, Vector3::zeros(), none, [*radius; 3]),
            Part::Cylinder { radius, length, direction } => {
                (Form::Cylinder, Vector3::zeros(), along(*direction), [*radius, *radius, *length])
            }
            Part::Tube { radius, inner, length, direction } => {
                let hole = (1000.0 * inner / radius).round().clamp(0.0, 999.0) as u16;
                (Form::Tube(hole), Vector3::zeros(), along(*direction), [*radius, *radius, *length])
            }
            Part::Cone { radius, length, direction } => {
                (Form::Cone, Vector3::zeros(), along(*direction), [*radius, *radius, *length])
            }
            Part::Bar { to, radius } => (Form::Cylinder, 0.5 * to, along(*to), [*radius, *radius, to.norm()]),
            Part::Mesh(own) => {
                let known = meshes.iter().position(|known| Arc::ptr_eq(known, own) || known == own);
                let number = known.unwrap_or_else(|| {
                    meshes.push(own.clone());
                    meshes.len() - 1
                });
                (Form::Mesh(number as u32), Vector3::zeros(), none, [1.0; 3])
            }
        };
        let centre = Vector3::from(point) + Vector3::from(euler::rotate(&turn, &shift.into()));
        let scale = scale.map(|length: f64| length.max(THIN));
        Solid { form, centre: centre.into(), orientation: euler::product(&turn, &own), scale, look }
    }

    /// A round bar between two points.
    pub(super) fn bar(from: Vector3<f64>, to: Vector3<f64>, radius: f64, look: Look) -> Solid {
        let scale = [radius, radius, (to - from).norm().max(THIN)];
        let (centre, orientation) = ((0.5 * (from + to)).into(), along(to - from));
        Solid { form: Form::Cylinder, centre, orientation, scale, look }
    }

    /// A ball.
    pub(super) fn ball(centre: Vector3<f64>, radius: f64, look: Look) -> Solid {
        let orientation = [1.0, 0.0, 0.0, 0.0];
        Solid { form: Form::Sphere, centre: centre.into(), orientation, scale: [radius; 3], look }
    }

    /// A point of the unit body in the axes of the body.
    pub(crate) fn place(&self, unit: [f32; 3]) -> [f64; 3] {
        let stretched = [0, 1, 2].map(|k| self.scale[k] * f64::from(unit[k]));
        let turned = euler::rotate(&self.orientation, &stretched);
        [0, 1, 2].map(|k| self.centre[k] + turned[k])
    }
}

/// The shortest turn from z to a direction.
fn along(direction: Vector3<f64>) -> [f64; 4] {
    shortest_turn([0.0, 0.0, 1.0], direction.into())
}

/// Euler parameters of the shortest turn from one direction to another; none if a length is zero.
pub(crate) fn shortest_turn(from: [f64; 3], to: [f64; 3]) -> [f64; 4] {
    let (a, b) = (Vector3::from(from), Vector3::from(to));
    let (Some(a), Some(b)) = (a.try_normalize(1e-12), b.try_normalize(1e-12)) else {
        return [1.0, 0.0, 0.0, 0.0];
    };
    let (e0, e) = (1.0 + a.dot(&b), a.cross(&b));
    let n = (e0 * e0 + e.norm_squared()).sqrt();
    if n > 1e-9 {
        return [e0 / n, e.x / n, e.y / n, e.z / n];
    }
    // half a turn about any axis across
    let across = if a.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let axis = a.cross(&across).normalize();
    [0.0, axis.x, axis.y, axis.z]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_take_one_direction_to_the_other() {
        let directions =
            [[0.0, 0.0, 1.0], [0.0, 0.0, -2.0], [1.0, 0.0, 0.0], [0.3, -0.4, 0.1], [-1.0, 0.0, 0.0]];
        for from in directions {
            for to in directions {
                let p = shortest_turn(from, to);
                let n = Vector3::from(from).norm() / Vector3::from(to).norm();
                let turned = Vector3::from(euler::rotate(&p, &from));
                assert!((turned - n * Vector3::from(to)).norm() < 1e-12, "{from:?} {to:?}");
            }
        }
    }

    #[test]
    fn a_rod_reaches_from_its_place_to_its_end() {
        let rod = kingpin::element::shape::Rod {
            to: Vector3::new(0.0, 2.0, 0.0),
            radius: 0.1,
            ..Default::default()
        };
        // turned by a quarter about z, so that y becomes -x
        let h = 0.5_f64.sqrt();
        let place = ([5.0, 0.0, 0.0], [h, 0.0, 0.0, h]);
        let solid = Solid::of(&rod.into(), place, Look { colour: [0; 3], opacity: 1.0 }, &mut Vec::new())[0];
        for (end, at) in [(-0.5, [5.0, 0.0, 0.0]), (0.5, [3.0, 0.0, 0.0])] {
            let point = Vector3::from(solid.place([0.0, 0.0, end]));
            assert!((point - Vector3::from(at)).norm() < 1e-12, "{point}");
        }
    }
}
