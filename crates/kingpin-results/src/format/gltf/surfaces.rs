//! Surfaces that deform: of superelements by morph targets, of structures as skins over their points. They have no normals,
//! so that viewers take those of the triangles as they are now.

use super::{File, opaque};
use super::motion::Motion;
use crate::error::{Error, ErrorKind};
use crate::scene::{Scene, SceneSurface, SurfaceCorner, SurfaceCorners};
use kingpin::spatial::euler;
use serde_json::json;
use std::path::Path;

impl SceneSurface {
    /// The body that it hangs on, if that is one.
    pub(super) fn frame(&self) -> Option<usize> {
        match &self.corners {
            SurfaceCorners::Floating { frame, .. } => Some(*frame),
            SurfaceCorners::Points(_) => None,
        }
    }
}

impl File<'_> {
    /// The node of a surface in a floating frame, and the bodies that are its weights.
    pub(super) fn morphed<'a>(&mut self, surface: &'a SceneSurface, motion: &Motion) -> (usize, &'a [usize]) {
        let SurfaceCorners::Floating { points, amplitudes, shapes, .. } = &surface.corners else {
            return (self.node(json!({ "name": surface.name })), &[]);
        };
        let positions = self.binary.corners(points);
        let targets: Vec<_> = shapes.iter().map(|shape| json!({ "POSITION": self.binary.corners(shape) })).collect();
        let triangles = self.binary.triangles(&surface.triangles);
        let mesh = self.meshes.add(json!({ "POSITION": positions }), triangles, opaque(surface.colour));
        if !targets.is_empty() {
            let now: Vec<f32> = amplitudes.iter().map(|&body| motion.bodies[body].translations[0][0]).collect();
            self.meshes.list[mesh]["primitives"][0]["targets"] = json!(targets);
            self.meshes.list[mesh]["weights"] = json!(now);
        }
        (self.node(json!({ "name": format!("{} surface", surface.name), "mesh": mesh })), amplitudes)
    }

    /// Adds all surfaces over points to the nodes of the scene, `outer`; what it returns are nodes of places that are held.
    pub(super) fn skinned(
        &mut self,
        scene: &Scene,
        top: &[usize],
        up: [f64; 4],
        outer: &mut Vec<usize>,
        motion: &Motion,
        file: &Path,
    ) -> Result<Vec<usize>, Error> {
        let mut held = Vec::new();
        for surface in &scene.surfaces {
            let SurfaceCorners::Points(corners) = &surface.corners else { continue };
            if corners.len() > usize::from(u16::MAX) {
                let message = format!("structure `{}` has more nodes than a glTF skin supports", surface.name);
                return Err(Error::new(ErrorKind::Unfit, file, message, "export it as VTK"));
            }
            // one node at the origin serves all corners that are held
            let is_held = |corner: &SurfaceCorner| matches!(corner, SurfaceCorner::Held(_));
            let ground = corners.iter().any(is_held).then(|| self.node(json!({ "name": format!("{} held", surface.name) })));
            held.extend(ground);
            let mut joints = Vec::new();
            let mut follow = Vec::with_capacity(corners.len());
            let (mut positions, mut inverse) = (Vec::with_capacity(corners.len()), Vec::new());
            for corner in corners {
                let (place, origin) = match corner {
                    SurfaceCorner::Held(place) => (*place, [0.0; 3]),
                    SurfaceCorner::Body(body) => {
                        let place = motion.bodies[*body].translations[0].map(f64::from);
                        (place, place)
                    }
                };
                let joint = match corner {
                    SurfaceCorner::Held(_) => ground.unwrap_or(0),
                    SurfaceCorner::Body(body) => top[*body],
                };
                let number = match (is_held(corner), joints.iter().position(|&own| Some(own) == ground)) {
                    (true, Some(number)) => number,
                    _ => {
                        joints.push(joint);
                        inverse.push(back(up, origin));
                        joints.len() - 1
                    }
                };
                follow.push(number as u16);
                positions.push(euler::rotate(&up, &place).map(|x| x as f32 + 0.0));
            }
            let positions = self.binary.corners(&positions);
            let [joint, weight] = self.binary.bound(&follow);
            let triangles = self.binary.triangles(&surface.triangles);
            let attributes = json!({ "POSITION": positions, "JOINTS_0": joint, "WEIGHTS_0": weight });
            let mesh = self.meshes.add(attributes, triangles, opaque(surface.colour));
            let matrices = self.binary.matrices(&inverse);
            self.skins.push(json!({ "name": surface.name, "joints": joints, "inverseBindMatrices": matrices }));
            outer.push(self.node(json!({ "name": surface.name, "mesh": mesh, "skin": self.skins.len() - 1 })));
        }
        Ok(held)
    }
}

/// What takes a mesh in the axes of glTF into those of the model about a place, column by column.
fn back([e0, e1, e2, e3]: [f64; 4], origin: [f64; 3]) -> [f32; 16] {
    let turn = [e0, -e1, -e2, -e3];
    let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut out = [0.0; 16];
    for (k, column) in columns.iter().enumerate() {
        out[4 * k..4 * k + 3].copy_from_slice(&euler::rotate(&turn, column).map(|x| x as f32 + 0.0));
    }
    out[12..15].copy_from_slice(&origin.map(|x| -x as f32 + 0.0));
    out[15] = 1.0;
    out
}
