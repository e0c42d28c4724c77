//! Beams as skins: a mesh as it lies in the first frame, whose corners follow the rings they belong to.

use super::{File, opaque};
use super::motion::Path;
use crate::error::{Error, ErrorKind};
use crate::scene::{SceneBeam, Skin};
use kingpin::spatial::euler;
use serde_json::json;
use std::path::Path as FilePath;

impl File<'_> {
    /// The node of the mesh of a beam; those of its rings are added to `top`. A mesh with a skin is not moved by nodes
    /// above it, so it stands outside of them and is turned by itself.
    pub(super) fn beam(
        &mut self,
        beam: &SceneBeam,
        skin: &Skin,
        rings: &[Path],
        up: [f64; 4],
        top: &mut Vec<usize>,
        file: &FilePath,
    ) -> Result<usize, Error> {
        if rings.len() > usize::from(u16::MAX) {
            let message = format!("beam `{}` has more elements than a glTF skin supports", beam.name);
            return Err(Error::new(ErrorKind::Unfit, file, message, "export it as VTK, or use fewer elements"));
        }
        let joints: Vec<usize> = rings.iter().enumerate().map(|(k, ring)| self.ring(&beam.name, k, ring)).collect();
        top.extend(&joints);
        let bound: Vec<Bound> = rings.iter().map(|ring| Bound::new(ring, up)).collect();
        let corners = skin.corners();
        let at = |corner: [f64; 3], ring: usize| bound[skin.knot(ring)].place(corner);
        let positions: Vec<[f32; 3]> =
            corners.iter().map(|c| at([0.0, c.at[0], c.at[1]], c.ring).map(single)).collect();
        let normals: Vec<[f32; 3]> =
            corners.iter().map(|c| euler::rotate(&bound[skin.knot(c.ring)].turn, &c.normal).map(single)).collect();
        let follow: Vec<u16> = corners.iter().map(|c| skin.knot(c.ring) as u16).collect();
        let inverse: Vec<[f32; 16]> = bound.iter().map(Bound::inverse).collect();
        let (positions, normals) = (self.binary.corners(&positions), self.binary.corners(&normals));
        let [joint, weight] = self.binary.bound(&follow);
        let triangles = self.binary.triangles(&skin.triangles);
        let attributes =
            json!({ "POSITION": positions, "NORMAL": normals, "JOINTS_0": joint, "WEIGHTS_0": weight });
        let mesh = self.meshes.add(attributes, triangles, opaque(beam.colour));
        let matrices = self.binary.matrices(&inverse);
        self.skins.push(json!({ "name": beam.name, "joints": joints, "inverseBindMatrices": matrices }));
        Ok(self.node(json!({ "name": beam.name, "mesh": mesh, "skin": self.skins.len() - 1 })))
    }

    fn ring(&mut self, beam: &str, number: usize, path: &Path) -> usize {
        let name = format!("{beam} ring {number}");
        self.node(json!({ "name": name, "translation": path.translations[0], "rotation": path.rotations[0] }))
    }
}

/// Where a ring lies in the first frame, in the axes of glTF.
struct Bound {
    origin: [f64; 3],
    turn: [f64; 4],
}

impl Bound {
    fn new(path: &Path, up: [f64; 4]) -> Bound {
        let [x, y, z, w] = path.rotations[0].map(f64::from);
        let origin = euler::rotate(&up, &path.translations[0].map(f64::from));
        Bound { origin, turn: euler::product(&up, &[w, x, y, z]) }
    }

    fn place(&self, s: [f64; 3]) -> [f64; 3] {
        let arm = euler::rotate(&self.turn, &s);
        [0, 1, 2].map(|k| self.origin[k] + arm[k])
    }

    /// What takes the mesh into the axes of the ring, column by column.
    fn inverse(&self) -> [f32; 16] {
        let [e0, e1, e2, e3] = self.turn;
        let back = [e0, -e1, -e2, -e3];
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], self.origin.map(|x| -x)];
        let mut out = [0.0; 16];
        for (k, column) in columns.iter().enumerate() {
            out[4 * k..4 * k + 3].copy_from_slice(&euler::rotate(&back, column).map(single));
        }
        out[15] = 1.0;
        out
    }
}

/// In single precision, without negative zeros: they would make bounds ambiguous.
fn single(x: f64) -> f32 {
    x as f32 + 0.0
}
