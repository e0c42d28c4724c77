//! Surfaces of superelements and structures: corners that amplitudes move in a floating frame, or that are points of
//! the model themselves.

use super::{Scene, colour};
use kingpin::model::{FlexiblePart, MeshStructure, Model, StructurePart, Superelement};
use kingpin::spatial::euler;

/// A surface that deforms.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneSurface {
    /// The name of its superelement or structure.
    pub name: String,
    /// Numbers of corners.
    pub triangles: Vec<[u32; 3]>,
    /// What moves its corners.
    pub corners: SurfaceCorners,
    /// Red, green and blue, 0 to 255.
    pub colour: [u8; 3],
}

/// What moves the corners of a surface.
#[derive(Clone, Debug, PartialEq)]
pub enum SurfaceCorners {
    /// A floating frame, and amplitudes.
    Floating {
        /// The body that is the frame.
        frame: usize,
        /// The bodies that are amplitudes.
        amplitudes: Vec<usize>,
        /// Corners at rest, in the axes of the frame.
        points: Vec<[f32; 3]>,
        /// Displacements of all corners by a unit of each amplitude.
        shapes: Vec<Vec<[f32; 3]>>,
        /// Stresses xx, yy, zz, xy, yz and zx there; empty where they are not known.
        stresses: Vec<Vec<[f32; 6]>>,
    },
    /// Bodies that are points.
    Points(Vec<SurfaceCorner>),
}

/// A corner of a structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceCorner {
    /// A body.
    Body(usize),
    /// A place that is held.
    Held([f64; 3]),
}

/// All surfaces of a model.
pub(super) fn surfaces(model: &Model) -> Vec<SceneSurface> {
    let reduced = model.superelements.iter().zip(model.flexible_parts());
    let structures = model.structures.iter().zip(model.structure_parts());
    let reduced = reduced.filter_map(|(own, part)| floating(own, part));
    reduced.chain(structures.filter_map(|(own, part)| of_points(model, own, part))).collect()
}

fn floating(own: &Superelement, part: &FlexiblePart) -> Option<SceneSurface> {
    let surface = own.reduced.as_ref()?.surface.as_ref()?;
    let corners = SurfaceCorners::Floating {
        frame: part.bodies.start,
        amplitudes: part.amplitudes().collect(),
        points: surface.points.clone(),
        shapes: surface.shapes.clone(),
        stresses: surface.stresses.clone(),
    };
    let colour = colour::of_body(part.bodies.start);
    Some(SceneSurface { name: part.name.clone(), triangles: surface.triangles.clone(), corners, colour })
}

/// The surface of a structure; none where all nodes are held.
fn of_points(model: &Model, own: &MeshStructure, part: &StructurePart) -> Option<SceneSurface> {
    let (mesh, first) = (own.mesh.as_ref()?, part.bodies.clone().next()?);
    let (axes, origin) = (own.axes(model.space), own.fields.position);
    // corners by the order in which they come
    let (mut number, mut corners) = (vec![u32::MAX; mesh.places.len()], Vec::new());
    for &node in mesh.triangles.iter().flatten() {
        let node = node as usize;
        if number[node] == u32::MAX {
            number[node] = corners.len() as u32;
            let held = || SurfaceCorner::Held((origin + axes * mesh.places[node]).into());
            corners.push(part.nodes[node].map_or_else(held, SurfaceCorner::Body));
        }
    }
    let triangles = mesh.triangles.iter().map(|own| own.map(|node| number[node as usize])).collect();
    let (name, colour) = (part.name.clone(), colour::of_body(first));
    Some(SceneSurface { name, triangles, corners: SurfaceCorners::Points(corners), colour })
}

impl SceneSurface {
    /// How many corners it has.
    pub(crate) fn count(&self) -> usize {
        match &self.corners {
            SurfaceCorners::Floating { points, .. } => points.len(),
            SurfaceCorners::Points(corners) => corners.len(),
        }
    }

    /// The body that a triangle is shown to belong to.
    pub(crate) fn body(&self, triangle: &[u32; 3]) -> Option<usize> {
        match &self.corners {
            SurfaceCorners::Floating { frame, .. } => Some(*frame),
            SurfaceCorners::Points(corners) => triangle.iter().find_map(|&k| match corners[k as usize] {
                SurfaceCorner::Body(body) => Some(body),
                SurfaceCorner::Held(_) => None,
            }),
        }
    }

    /// Appends its corners in a row of results.
    pub(crate) fn places(&self, scene: &Scene, row: &[f64], out: &mut Vec<[f64; 3]>) {
        match &self.corners {
            SurfaceCorners::Floating { frame, amplitudes, points, shapes, .. } => {
                let (r, p) = scene.bodies[*frame].pose(row);
                let z: Vec<f64> = amplitudes.iter().map(|&body| scene.bodies[body].pose(row).0[0]).collect();
                out.extend(points.iter().enumerate().map(|(k, point)| {
                    let mut at = point.map(f64::from);
                    for (z, shape) in z.iter().zip(shapes) {
                        (0..3).for_each(|axis| at[axis] += z * f64::from(shape[k][axis]));
                    }
                    let turned = euler::rotate(&p, &at);
                    [0, 1, 2].map(|axis| r[axis] + turned[axis])
                }));
            }
            SurfaceCorners::Points(corners) => out.extend(corners.iter().map(|corner| match corner {
                SurfaceCorner::Body(body) => scene.bodies[*body].pose(row).0,
                SurfaceCorner::Held(place) => *place,
            })),
        }
    }

    /// Appends the equivalent stress of von Mises at its corners; no number where it is not known.
    pub(crate) fn stresses(&self, scene: &Scene, row: &[f64], out: &mut Vec<f64>) {
        let known = match &self.corners {
            SurfaceCorners::Floating { amplitudes, stresses, .. } if !stresses.is_empty() => {
                (amplitudes, stresses)
            }
            _ => return out.extend(std::iter::repeat_n(f64::NAN, self.count())),
        };
        let (amplitudes, stresses) = known;
        let z: Vec<f64> = amplitudes.iter().map(|&body| scene.bodies[body].pose(row).0[0]).collect();
        out.extend((0..self.count()).map(|k| {
            let mut s = [0.0; 6];
            for (z, own) in z.iter().zip(stresses) {
                s.iter_mut().zip(&own[k]).for_each(|(s, own)| *s += z * f64::from(*own));
            }
            von_mises(&s)
        }));
    }
}

/// Of xx, yy, zz, xy, yz and zx.
fn von_mises([xx, yy, zz, xy, yz, zx]: &[f64; 6]) -> f64 {
    let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::von_mises;

    #[test]
    fn equivalent_stresses() {
        assert_eq!(von_mises(&[5.0, 5.0, 5.0, 0.0, 0.0, 0.0]), 0.0);
        assert_eq!(von_mises(&[-3.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 3.0);
        assert!((von_mises(&[0.0, 0.0, 0.0, 0.0, 2.0, 0.0]) - 2.0 * 3_f64.sqrt()).abs() < 1e-15);
    }
}
