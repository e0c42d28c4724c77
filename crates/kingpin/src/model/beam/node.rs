//! Nodes of a beam: where they are, how they are turned, and what they weigh.

use super::elements::Border;
use super::frames::{Reference, angle_behind, twist_at};
use super::path::BeamPath;
use super::section::{Slice, slice};
use super::{Beam, BeamFault, Stations};
use crate::element::beam::BeamRule;
use crate::model::Space;
use crate::model::value::{Mat3, Vec3};
use crate::spatial::euler;

/// A node before it is a body.
#[derive(Clone, Debug)]
pub(super) struct PlannedNode {
    /// Part of the length.
    pub x: f64,
    pub place: Vec3,
    pub along: Vec3,
    pub axes: Mat3,
    /// The angle, in the plane.
    pub angle: f64,
    /// Length that it carries.
    pub share: f64,
    pub name: Option<String>,
}

/// An element before it is one: its nodes and its length.
pub(super) struct PlannedElement {
    pub nodes: Vec<usize>,
    pub length: f64,
    /// Parts of the length of the beam at its places of Gauss.
    pub places: Vec<f64>,
}

/// All nodes and elements of a beam.
pub(super) struct BeamMesh {
    pub nodes: Vec<PlannedNode>,
    pub elements: Vec<PlannedElement>,
    /// Pairs of nodes at corners.
    pub corners: Vec<[usize; 2]>,
}

/// Nodes and elements between the borders.
pub(super) fn mesh(
    beam: &Beam,
    space: Space,
    path: &BeamPath,
    borders: &[Border],
) -> Result<BeamMesh, BeamFault> {
    let rule = BeamRule::new(beam.order);
    let mut mesh = BeamMesh { nodes: Vec::new(), elements: Vec::new(), corners: Vec::new() };
    for pair in borders.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        let (half, middle) = (0.5 * (to.s - from.s), 0.5 * (to.s + from.s));
        let piece = path.piece_at(middle);
        let mut own = Vec::with_capacity(rule.nodes.len());
        for (a, (xi, w)) in rule.nodes.iter().zip(&rule.weights).enumerate() {
            let last = mesh.nodes.len().checked_sub(1);
            if let (0, Some(last), false) = (a, last, from.corner) {
                mesh.nodes[last].share += w * half;
                own.push(last);
                continue;
            }
            if let (0, Some(last), true) = (a, last, from.corner) {
                mesh.corners.push([last, last + 1]);
            }
            let s = if a == 0 {
                from.s
            } else if a == beam.order {
                to.s
            } else {
                middle + half * xi
            };
            let (place, along) = path.on(piece, s);
            let name = match a {
                0 if !from.corner => from.name.clone(),
                _ if a == beam.order => to.name.clone(),
                _ => None,
            };
            let (x, share) = (s / path.length(), w * half);
            let (axes, angle) = (Mat3::identity(), 0.0);
            own.push(mesh.nodes.len());
            mesh.nodes.push(PlannedNode { x, place, along, axes, angle, share, name });
        }
        let places = rule.places.iter().map(|xi| (middle + half * xi) / path.length()).collect();
        mesh.elements.push(PlannedElement { nodes: own, length: 2.0 * half, places });
    }
    turn(beam, space, &mut mesh.nodes)?;
    Ok(mesh)
}

/// Turns the sections of all nodes.
fn turn(beam: &Beam, space: Space, nodes: &mut [PlannedNode]) -> Result<(), BeamFault> {
    if space == Space::Planar {
        let mut angle = 0.0;
        for node in nodes {
            angle = angle_behind(angle, &node.along);
            node.angle = angle;
            let (s, c) = angle.sin_cos();
            node.axes = Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0);
        }
        return Ok(());
    }
    let reference = Reference::of(beam, nodes.iter().map(|node| node.along));
    for node in nodes {
        node.axes = reference.axes(&node.along, twist_at(beam, space, node.x)?)?;
    }
    Ok(())
}

impl PlannedNode {
    /// Euler parameters of its section.
    pub fn parameters(&self) -> [f64; 4] {
        euler::parameters(&self.axes)
    }
}

/// Slices along a beam; those of a uniform one are all the same.
pub(super) struct Slices<'a> {
    beam: &'a Beam,
    space: Space,
    uniform: Option<Slice>,
}

impl<'a> Slices<'a> {
    pub fn of(beam: &'a Beam, space: Space) -> Result<Slices<'a>, BeamFault> {
        let sizes = [&beam.diameter, &beam.wall, &beam.height, &beam.width, &beam.web, &beam.flange];
        let sums = [&beam.area, &beam.second_moment_y, &beam.second_moment_z, &beam.torsion_constant];
        let all = sizes.into_iter().chain(sums).chain([&beam.mass_per_length]).flatten();
        let tables = [&beam.stiffness, &beam.mass_matrix].into_iter().flatten();
        let same = all.into_iter().all(|f| f.constant_value().is_some())
            && tables.into_iter().all(Stations::is_uniform);
        let uniform = if same { Some(slice(beam, space, 0.0)?) } else { None };
        Ok(Slices { beam, space, uniform })
    }

    pub fn at(&self, x: f64) -> Result<Slice, BeamFault> {
        self.uniform.map_or_else(|| slice(self.beam, self.space, x), Ok)
    }

    /// Stiffness of the sections of an element.
    pub fn along(&self, element: &PlannedElement) -> Result<Vec<[[f64; 6]; 6]>, BeamFault> {
        if let Some(same) = self.uniform {
            return Ok(vec![same.stiffness.0]);
        }
        element.places.iter().map(|x| self.at(*x).map(|slice| slice.stiffness.0)).collect()
    }
}
