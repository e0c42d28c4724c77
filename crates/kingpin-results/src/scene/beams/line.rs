//! The line of a beam between its nodes: places and Euler parameters are polynomials through the nodes of an element
//! with the norm divided out, as the elements themselves have them; in the plane, angles are. Strains are those at the
//! places of Gauss, where the elements take them, and polynomials through these elsewhere.

use super::super::plane_turn;
use super::{Pose, SceneBeam};
use kingpin::element::beam::{BeamRule, Local, shape, strain};
use kingpin::spatial::{Coords, PlanarCoords, SpatialCoords};
use std::f64::consts::TAU;

/// The section at a place of the line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Ring {
    pub place: [f64; 3],
    /// Euler parameters of length one.
    pub turn: [f64; 4],
    /// Stretch, curvature about y and about z, beyond those at rest.
    pub strain: [f64; 3],
}

impl Ring {
    /// A point of the section.
    pub fn point(&self, [y, z]: [f64; 2]) -> [f64; 3] {
        let arm = self.direction([y, z]);
        [0, 1, 2].map(|k| self.place[k] + arm[k])
    }

    /// A direction in the section.
    pub fn direction(&self, [y, z]: [f64; 2]) -> [f64; 3] {
        kingpin::spatial::euler::rotate(&self.turn, &[0.0, y, z])
    }

    /// Strain along the beam at a point of the section.
    pub fn strain_at(&self, [y, z]: [f64; 2]) -> f64 {
        self.strain[0] + z * self.strain[1] - y * self.strain[2]
    }
}

/// Tables of a beam.
pub(crate) struct Line {
    planar: bool,
    elements: usize,
    rule: BeamRule,
    /// What the nodes of an element weigh in each of its rings.
    at: Vec<Vec<f64>>,
    /// What strains at the places of Gauss weigh there.
    spread: Vec<Vec<f64>>,
    /// Half the length of each element.
    half: Vec<f64>,
    /// Strains of the rings at rest.
    rest: Vec<[f64; 3]>,
}

impl Line {
    pub fn new(beam: &SceneBeam) -> Line {
        let rings = 2 * beam.order + 2;
        let rule = BeamRule::new(beam.order);
        let table = |places: &[f64]| {
            let x = |ring: usize| 2.0 * ring as f64 / (rings - 1) as f64 - 1.0;
            let weights = |ring| (0..places.len()).map(|k| shape(places, k, x(ring))[0]).collect();
            (0..rings).map(weights).collect::<Vec<Vec<f64>>>()
        };
        let mut line = Line {
            planar: beam.planar,
            elements: (beam.nodes.len() - 1) / beam.order,
            at: table(&rule.nodes),
            spread: table(&rule.places),
            rule,
            half: Vec::new(),
            rest: Vec::new(),
        };
        line.half = (0..line.elements).map(|e| line.half_length(line.own(e, &beam.rest))).collect();
        line.rest = line.rings(&beam.rest).iter().map(|ring| ring.strain).collect();
        line
    }

    /// Rings of an element, both ends among them: neighbours meet in two rings at one place.
    pub fn each(&self) -> usize {
        self.at.len()
    }

    pub fn count(&self) -> usize {
        self.elements * self.each()
    }

    /// What nodes weigh in a ring of an element.
    pub fn weights(&self, ring: usize) -> &[f64] {
        &self.at[ring]
    }

    fn order(&self) -> usize {
        self.rule.places.len()
    }

    fn own<'a, T>(&self, element: usize, nodes: &'a [T]) -> &'a [T] {
        &nodes[element * self.order()..=(element + 1) * self.order()]
    }

    fn half_length(&self, nodes: &[Pose]) -> f64 {
        let length = |g: usize| {
            let way =
                [0, 1, 2].map(|k| nodes.iter().zip(self.rule.at(g)).map(|(n, s)| s[1] * n.0[k]).sum::<f64>());
            self.rule.gauss[g] * way.iter().map(|x| x * x).sum::<f64>().sqrt()
        };
        0.5 * (0..self.order()).map(length).sum::<f64>()
    }

    /// All rings for poses of the nodes. O(rings * order).
    pub fn rings(&self, poses: &[Pose]) -> Vec<Ring> {
        let mut all = Vec::with_capacity(self.count());
        for element in 0..self.elements {
            let nodes = self.agreeing(self.own(element, poses));
            let strains: Vec<[f64; 3]> =
                (0..self.order()).map(|g| self.strains(&nodes, g, element)).collect();
            for (at, spread) in self.at.iter().zip(&self.spread) {
                let sum = |i: usize| at.iter().zip(&nodes).map(|(w, node)| w * node[i]).sum::<f64>();
                let at_rest = self.rest.get(all.len()).copied().unwrap_or_default();
                let strained =
                    |i: usize| spread.iter().zip(&strains).map(|(w, s)| w * s[i]).sum::<f64>() - at_rest[i];
                let turn = if self.planar { plane_turn(sum(3)) } else { unit([3, 4, 5, 6].map(sum)) };
                all.push(Ring { place: [0, 1, 2].map(sum), turn, strain: [0, 1, 2].map(strained) });
            }
        }
        all
    }

    /// Places and rotation coordinates of nodes; signs of Euler parameters and whole turns of angles agree.
    fn agreeing(&self, nodes: &[Pose]) -> Vec<[f64; 7]> {
        let mut out: Vec<[f64; 7]> = Vec::with_capacity(nodes.len());
        for (r, p) in nodes {
            let before = out.last().copied();
            let mut node = [r[0], r[1], r[2], p[0], p[1], p[2], p[3]];
            if self.planar {
                let angle = 2.0 * p[3].atan2(p[0]);
                let whole = before.map_or(0.0, |before| ((angle - before[3]) / TAU).round());
                node = [r[0], r[1], r[2], angle - TAU * whole, 0.0, 0.0, 0.0];
            } else if before.is_some_and(|b| (3..7).map(|k| b[k] * node[k]).sum::<f64>() < 0.0) {
                (3..7).for_each(|k| node[k] = -node[k]);
            }
            out.push(node);
        }
        out
    }

    /// Stretch and curvatures at a place of Gauss.
    fn strains(&self, nodes: &[[f64; 7]], g: usize, element: usize) -> [f64; 3] {
        // lengths are being measured while there are none
        let half = self.half.get(element).copied().unwrap_or(1.0);
        let sum = |part: usize, k: usize| {
            nodes.iter().zip(self.rule.at(g)).map(|(n, s)| s[part] * n[k]).sum::<f64>()
        };
        let mut x: Local<f64> = [0.0; 11];
        let (d, turns) = if self.planar {
            (PlanarCoords::D, PlanarCoords::K)
        } else {
            (SpatialCoords::D, SpatialCoords::K)
        };
        (0..d).for_each(|k| x[k] = sum(1, k) / half);
        for k in 0..turns {
            x[d + k] = sum(0, 3 + k);
            x[d + turns + k] = sum(1, 3 + k) / half;
        }
        if self.planar {
            let s = strain::<PlanarCoords, f64>(&x);
            return [s[0], 0.0, s[2]];
        }
        let s = strain::<SpatialCoords, f64>(&x);
        [s[0], s[4], s[5]]
    }
}

fn unit(p: [f64; 4]) -> [f64; 4] {
    let n = p.iter().map(|x| x * x).sum::<f64>().sqrt();
    p.map(|x| x / n)
}
