//! Surfaces of triangles: what they enclose, where they are open, and as text.

mod edges;
mod inside;
mod pieces;
mod shells;
mod text;

pub use edges::Gap;
pub use shells::Turned;

use super::volume::Volume;
use crate::model::value::{FieldType, Mat3, Value, Vec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Triangles between points, counter-clockwise from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// The points, each once, m.
    pub points: Vec<Vec3>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

/// Volumes that are rounding errors, in parts of what they are the sum of.
const NOTHING: f64 = 1e-12;

impl Triangles {
    /// Triangles by their corners: points at the same place are one, and triangles without area at an edge are dropped.
    pub fn new(corners: impl IntoIterator<Item = [Vec3; 3]>) -> Triangles {
        let mut own = Triangles::default();
        let mut known: HashMap<[u64; 3], u32> = HashMap::new();
        for three in corners {
            let numbers = three.map(|corner| {
                // zero has two signs
                let key: [u64; 3] = (corner.map(|x| x + 0.0)).map(f64::to_bits).into();
                *known.entry(key).or_insert_with(|| {
                    own.points.push(corner);
                    own.points.len() as u32 - 1
                })
            });
            let [a, b, c] = numbers;
            if a != b && b != c && c != a {
                own.triangles.push(numbers);
            }
        }
        own
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: &[u32; 3]) -> [Vec3; 3] {
        triangle.map(|corner| self.points[corner as usize])
    }

    /// Stretched along its axes; numbers below zero mirror, which turns triangles around.
    #[must_use]
    pub fn stretched(mut self, scale: &Vec3) -> Triangles {
        self.points.iter_mut().for_each(|point| *point = point.component_mul(scale));
        if scale.product() < 0.0 {
            self.triangles.iter_mut().for_each(|own| own.swap(1, 2));
        }
        self
    }

    /// The largest distance from the origin.
    pub fn reach(&self) -> f64 {
        self.points.iter().map(|point| point.norm()).fold(0.0, f64::max)
    }

    /// The middle of all points.
    fn middle(&self) -> Vec3 {
        self.points.iter().sum::<Vec3>() / (self.points.len().max(1) as f64)
    }

    /// What a closed surface encloses: the sum over tetrahedra between its triangles and a point, exactly but for round-off.
    pub fn volume(&self) -> Volume {
        let middle = self.middle();
        let (mut volume, mut size, mut first, mut second) = (0.0, 0.0_f64, Vec3::zeros(), Mat3::zeros());
        for triangle in &self.triangles {
            let [a, b, c] = self.corners(triangle).map(|corner| corner - middle);
            let own = a.dot(&b.cross(&c)) / 6.0;
            let sum = a + b + c;
            (volume, size) = (volume + own, size + own.abs());
            first += own / 4.0 * sum;
            let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
            second += own / 20.0 * (squares + sum * sum.transpose());
        }
        if volume.abs() <= NOTHING * size {
            return Volume::none();
        }
        let centre = first / volume;
        let about = second - volume * centre * centre.transpose();
        let inertia = about.trace() * Mat3::identity() - about;
        Volume { volume, centre: middle + centre, inertia }
    }
}

/// A surface that may not have been read yet; in files it is a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface(pub Option<Arc<Triangles>>);

impl FieldType for Surface {
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Text(letters) => Some(Surface(text::read(&letters).map(Arc::new))),
            _ => None,
        }
    }
    fn to_value(&self) -> Option<Value> {
        self.0.as_ref().map(|own| Value::Text(text::written(own)))
    }
}

impl From<Triangles> for Surface {
    fn from(own: Triangles) -> Surface {
        Surface(Some(Arc::new(own)))
    }
}

#[cfg(test)]
mod tests;
