//! Surfaces of beams, and what points of all that deforms carry.

use super::{Triangles, array};
use crate::scene::{Scene, Skin, SkinCorner};

/// The beams of a scene.
pub(super) struct Surfaces {
    pub skins: Vec<Skin>,
    corners: Vec<Vec<SkinCorner>>,
}

impl Surfaces {
    pub fn new(scene: &Scene) -> Surfaces {
        let skins: Vec<Skin> = scene.beams.iter().map(Skin::new).collect();
        let corners = skins.iter().map(Skin::corners).collect();
        Surfaces { skins, corners }
    }

    /// Appends the corners in a row of results.
    pub fn places(&self, scene: &Scene, row: &[f64], out: &mut Vec<[f64; 3]>) {
        for ((beam, skin), corners) in scene.beams.iter().zip(&self.skins).zip(&self.corners) {
            let rings = skin.rings(&scene.nodes(beam, row));
            out.extend(corners.iter().map(|corner| rings[corner.ring].point(corner.at)));
        }
    }

    /// Strains along the beams, and stresses where the modulus is known.
    fn strains(&self, scene: &Scene, row: &[f64], strains: &mut Vec<f64>, stresses: &mut Vec<f64>) {
        for ((beam, skin), corners) in scene.beams.iter().zip(&self.skins).zip(&self.corners) {
            let rings = skin.rings(&scene.nodes(beam, row));
            let modulus = beam.modulus.unwrap_or(f64::NAN);
            for corner in corners {
                let strain = rings[corner.ring].strain_at(corner.at);
                strains.push(strain);
                stresses.push(modulus * strain);
            }
        }
    }
}

impl Triangles {
    /// What points carry.
    pub(super) fn fields(&self, scene: &Scene, row: &[f64], places: &[[f64; 3]]) -> String {
        let moved = places.iter().zip(&self.start).flat_map(|(now, then)| [0, 1, 2].map(|k| now[k] - then[k]));
        let rigid: usize = self.corners.iter().map(Vec::len).sum();
        let (mut strains, mut stresses) = (vec![f64::NAN; rigid], vec![f64::NAN; rigid]);
        self.beams.strains(scene, row, &mut strains, &mut stresses);
        let mut equivalent = vec![f64::NAN; strains.len()];
        scene.surfaces.iter().for_each(|surface| surface.stresses(scene, row, &mut equivalent));
        strains.resize(equivalent.len(), f64::NAN);
        stresses.resize(equivalent.len(), f64::NAN);
        let mut parts = "<PointData Vectors=\"displacement\">\n".to_owned();
        parts += &array("Float32", "displacement", 3, &singles(moved));
        if !scene.beams.is_empty() {
            parts += &array("Float32", "strain", 1, &singles(strains.into_iter()));
            parts += &array("Float32", "stress", 1, &singles(stresses.into_iter()));
        }
        if !scene.surfaces.is_empty() {
            parts += &array("Float32", "von_mises", 1, &singles(equivalent.into_iter()));
        }
        parts + "</PointData>\n"
    }
}

fn singles(list: impl Iterator<Item = f64>) -> Vec<u8> {
    list.flat_map(|x| (x as f32).to_le_bytes()).collect()
}
