//! What there is to draw: bodies with their shapes, and where they are in every frame.

mod attach;
mod beams;
mod colour;
mod derived;
mod mesh;
mod solid;
mod surfaces;

pub(crate) use attach::{Attached, Attachments};
pub use beams::SceneBeam;
pub(crate) use beams::{Skin, SkinCorner, beams};
pub(crate) use mesh::Mesh;
pub(crate) use solid::shortest_turn;
pub use solid::{Form, Look, Solid};
pub use surfaces::{SceneSurface, SurfaceCorner, SurfaceCorners};

use crate::error::{Error, ErrorKind};
use crate::store::{Of, Reader};
use kingpin::element::shape::surface::Triangles;
use kingpin::model::{Model, Space};
use kingpin::results::Group;
use std::sync::Arc;

/// The bodies of a model, tied to the channels of results.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Name of the model.
    pub name: String,
    /// The direction against gravity.
    pub up: [f64; 3],
    /// The bodies.
    pub bodies: Vec<SceneBody>,
    /// The beams; their nodes are bodies without shapes of the beam.
    pub beams: Vec<SceneBeam>,
    /// Surfaces of superelements and structures.
    pub surfaces: Vec<SceneSurface>,
    /// What belongs to the ground, in global axes.
    pub ground: Vec<Solid>,
    /// Meshes that shapes are, by the numbers in their forms.
    pub meshes: Vec<Arc<Triangles>>,
}

/// A body to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneBody {
    /// Its name.
    pub name: String,
    /// Channels of its pose: x, y, z, e0, e1, e2, e3, or x, y, angle; of a point x, y, z, or x, y.
    pub pose: Vec<usize>,
    /// Whether it is a point, which has no attitude.
    pub point: bool,
    /// Its shapes, in the axes of its frame.
    pub solids: Vec<Solid>,
}

impl Scene {
    /// The scene of a model and its results; an error if the two do not belong together.
    pub fn new(model: &Model, reader: &Reader) -> Result<Scene, Error> {
        let attachments = Attachments::new(model);
        let (mut shapes, meshes) = derived::shapes(model, &attachments);
        let ground = shapes.pop().unwrap_or_default();
        let poses = pose_channels(model, reader)?;
        let bodies = model.bodies.iter().zip(shapes).zip(poses);
        let bodies = bodies.map(|((body, solids), pose)| SceneBody {
            name: body.name.clone(),
            pose,
            point: body.point,
            solids,
        });
        let g = model.gravity;
        let up = match (g.norm() > 0.0, model.space) {
            (true, _) => (-g / g.norm()).into(),
            (false, Space::Planar) => [0.0, 1.0, 0.0],
            (false, Space::Spatial) => [0.0, 0.0, 1.0],
        };
        let beams = beams(model).into_iter().map(|(_, beam)| beam).collect();
        let (name, surfaces) = (model.name.clone(), surfaces::surfaces(model));
        Ok(Scene { name, up, bodies: bodies.collect(), beams, surfaces, ground, meshes })
    }

    /// The triangles of a form.
    pub(crate) fn mesh(&self, form: Form) -> Mesh {
        match form {
            Form::Mesh(number) => {
                self.meshes.get(number as usize).map(|own| Mesh::flat(own)).unwrap_or_default()
            }
            _ => Mesh::of(form),
        }
    }
}

impl Scene {
    /// Poses of the nodes of a beam in a row of results.
    pub(crate) fn nodes(&self, beam: &SceneBeam, row: &[f64]) -> Vec<([f64; 3], [f64; 4])> {
        beam.nodes.iter().map(|&node| self.bodies[node].pose(row)).collect()
    }
}

impl SceneBody {
    /// Origin and Euler parameters in a row of results.
    pub fn pose(&self, row: &[f64]) -> ([f64; 3], [f64; 4]) {
        let at = |k: usize| row[1 + self.pose[k]];
        if self.point {
            if self.pose.len() == 1 {
                return ([at(0), 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]);
            }
            let z = if self.pose.len() == 3 { at(2) } else { 0.0 };
            return ([at(0), at(1), z], [1.0, 0.0, 0.0, 0.0]);
        }
        if self.pose.len() == 3 {
            return ([at(0), at(1), 0.0], plane_turn(at(2)));
        }
        ([at(0), at(1), at(2)], [at(3), at(4), at(5), at(6)])
    }
}

/// Euler parameters of a turn in the plane.
fn plane_turn(angle: f64) -> [f64; 4] {
    let (s, c) = (0.5 * angle).sin_cos();
    [c, 0.0, 0.0, s]
}

/// The channels of the pose of each body.
pub(crate) fn pose_channels(model: &Model, reader: &Reader) -> Result<Vec<Vec<usize>>, Error> {
    let channels = &reader.header().channels;
    // states are nowhere
    let mut poses = vec![Vec::new(); model.bodies.len() - model.state_parts().len()];
    for (k, channel) in channels.iter().enumerate() {
        let Some(Of::Body(body)) = channel.of else { continue };
        if let (Group::Position | Group::Orientation, Some(pose)) = (channel.group, poses.get_mut(body)) {
            pose.push(k);
        }
    }
    let is_amplitude = |k: usize| model.flexible_parts().iter().any(|part| part.amplitudes().contains(&k));
    for (k, (pose, body)) in poses.iter().zip(&model.bodies).enumerate() {
        let wanted = match (model.space, body.point) {
            _ if is_amplitude(k) => 1,
            (Space::Planar, true) => 2,
            (Space::Planar, false) | (Space::Spatial, true) => 3,
            (Space::Spatial, false) => 7,
        };
        let name = &body.name;
        let named = |&k: &usize| {
            // an amplitude has the name of its body, others add something
            let item = channels[k].name.rsplit_once('.').map_or("", |(item, _)| item);
            item.ends_with(name) || wanted == 1 && channels[k].name.ends_with(name)
        };
        if pose.len() != wanted || !pose.iter().all(named) {
            let message = format!(
                "the results in `{}` do not contain the motion of body `{name}`",
                reader.dir().display()
            );
            let advice = "if the model has changed, run it again";
            return Err(Error::new(ErrorKind::Unfit, reader.dir(), message, advice));
        }
    }
    Ok(poses)
}
