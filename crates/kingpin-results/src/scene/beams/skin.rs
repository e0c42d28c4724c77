//! The surface of a beam: its section along the rings of its line.

use super::section::{Corner, corners, outward, triangles};
use super::{Line, Ring, SceneBeam};

/// Corners ring by ring, then those of the two ends.
pub(crate) struct Skin {
    line: Line,
    /// Corners of each ring.
    rings: Vec<Vec<Corner>>,
    /// Points of the section at the first and at the last ring.
    ends: [Vec<[f64; 2]>; 2],
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The ring of each triangle.
    pub ring_of: Vec<usize>,
}

/// A corner of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SkinCorner {
    pub ring: usize,
    /// y and z in the section.
    pub at: [f64; 2],
    /// In the axes of the section.
    pub normal: [f64; 3],
}

impl Skin {
    pub fn new(beam: &SceneBeam) -> Skin {
        let line = Line::new(beam);
        let points: Vec<Vec<[f64; 2]>> = (0..line.count()).map(|ring| outline(beam, &line, ring)).collect();
        let ends = [points[0].clone(), points[points.len() - 1].clone()];
        let rings = points.iter().map(|points| corners(points)).collect();
        let mut skin = Skin { line, rings, ends, triangles: Vec::new(), ring_of: Vec::new() };
        skin.close();
        skin
    }

    /// Rings of the surface for poses of the nodes.
    pub fn rings(&self, poses: &[super::Pose]) -> Vec<Ring> {
        self.line.rings(poses)
    }

    /// Rings of an element, both ends among them.
    pub fn each(&self) -> usize {
        self.line.each()
    }

    /// Places along the line: where elements meet, two rings are at one.
    pub fn knots(&self) -> usize {
        self.knot(self.rings.len() - 1) + 1
    }

    /// The place of a ring.
    pub fn knot(&self, ring: usize) -> usize {
        ring - ring / self.each()
    }

    /// All corners.
    pub fn corners(&self) -> Vec<SkinCorner> {
        let [first, last] = &self.ends;
        let side = |(ring, list): (usize, &Vec<Corner>)| {
            let of = move |c: &Corner| SkinCorner { ring, at: c.at, normal: [0.0, c.normal[0], c.normal[1]] };
            list.iter().map(of).collect::<Vec<_>>()
        };
        let end = |points: &[[f64; 2]], ring: usize, x: f64| {
            points.iter().map(|&at| SkinCorner { ring, at, normal: [x, 0.0, 0.0] }).collect::<Vec<_>>()
        };
        let sides = self.rings.iter().enumerate().flat_map(side);
        sides.chain(end(first, 0, -1.0)).chain(end(last, self.rings.len() - 1, 1.0)).collect()
    }

    /// The node of the beam that weighs most in a ring.
    pub fn nearest(&self, ring: usize) -> usize {
        let (element, place) = (ring / self.each(), ring % self.each());
        let weights = self.line.weights(place);
        let most = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or(0);
        element * (weights.len() - 1) + most
    }

    fn close(&mut self) {
        let around = self.rings[0].len() as u32;
        let count = self.rings.len();
        for ring in (0..count - 1).filter(|ring| (ring + 1) % self.line.each() != 0) {
            for side in 0..around / 2 {
                let a = ring as u32 * around + 2 * side;
                self.triangles.extend([[a, a + 1, a + around], [a + 1, a + around + 1, a + around]]);
                self.ring_of.extend([ring; 2]);
            }
        }
        let first = count as u32 * around;
        let last = first + self.ends[0].len() as u32;
        for [a, b, c] in triangles(&self.ends[0]) {
            self.triangles.push([first + a, first + c, first + b]);
            self.ring_of.push(0);
        }
        for triangle in triangles(&self.ends[1]) {
            self.triangles.push(triangle.map(|k| last + k));
            self.ring_of.push(count - 1);
        }
    }
}

/// The section at a ring, between those of the nodes.
fn outline(beam: &SceneBeam, line: &Line, ring: usize) -> Vec<[f64; 2]> {
    let (element, place) = (ring / line.each(), ring % line.each());
    let weights = line.weights(place);
    let nodes = &beam.outlines[element * beam.order..][..=beam.order];
    let point = |k: usize| [0, 1].map(|c| nodes.iter().zip(weights).map(|(o, w)| w * o[k][c]).sum::<f64>());
    outward(&(0..nodes[0].len()).map(point).collect::<Vec<_>>())
}
