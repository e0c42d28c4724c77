//! From ends as described to frames on numbered bodies.

mod resolver;

pub use resolver::Resolver;

use crate::element::carrier::Carrier;
use crate::model::value::{Mat3, Vec3};
use crate::model::{GROUND, Marker, Model, Space};
use crate::spatial::{Coords, PlanarCoords, Pose, SpatialCoords, euler};
use std::collections::HashMap;

/// A frame on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The body; the number of bodies stands for ground.
    pub body: usize,
    /// Its origin, from the centre of mass in the axes of the body.
    pub s: [f64; 3],
    /// Its axes in the axes of the body, by columns.
    pub c: Mat3,
}

/// Names to numbers.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Bodies.
    pub bodies: HashMap<String, usize>,
    /// Markers.
    pub markers: HashMap<String, usize>,
    /// Joints.
    pub joints: HashMap<String, usize>,
    /// Roads.
    pub roads: HashMap<String, usize>,
}

/// The bodies in the pose they were given.
#[derive(Clone, Debug)]
pub struct Given {
    /// Names to numbers.
    pub names: Names,
    /// Centre of mass and rotation coordinates of each body, ground last.
    pub poses: Vec<Pose<f64>>,
    /// Origin of the body frame of each body, ground last.
    pub origins: Vec<Vec3>,
    /// Rotation matrix of each body, ground last.
    pub rotations: Vec<Mat3>,
    /// Centre of mass in the body frame of each body, ground last.
    pub coms: Vec<Vec3>,
    /// What each body carries frames as, ground last.
    pub carriers: Vec<Carrier>,
    /// Whether joint coordinates will place bodies elsewhere.
    pub moved_by_joints: bool,
}

impl Given {
    /// Numbers the items of a model and places its bodies. Faulty orientations count as none.
    pub fn new(model: &Model) -> Given {
        let number = |names: &mut dyn Iterator<Item = &String>| -> HashMap<String, usize> {
            let mut map = HashMap::new();
            for (k, name) in names.enumerate() {
                map.entry(name.clone()).or_insert(k);
            }
            map
        };
        let mut bodies = number(&mut model.bodies.iter().map(|b| &b.name));
        bodies.insert(GROUND.into(), model.bodies.len());
        let names = Names {
            bodies,
            markers: number(&mut model.markers.iter().map(|m| &m.name)),
            joints: number(&mut model.joints.iter().map(|j| &j.name)),
            roads: number(&mut model.roads.iter().map(|r| &r.name)),
        };
        let spatial = model.space == Space::Spatial;
        let moved_by_joints = model.joints.iter().any(|joint| !joint.start.given().is_empty());
        let carriers = model.bodies.iter().map(Carrier::of).chain([Carrier::Ground]).collect();
        let mut given = Given {
            names,
            poses: vec![],
            origins: vec![],
            rotations: vec![],
            coms: vec![],
            carriers,
            moved_by_joints,
        };
        for body in &model.bodies {
            let turn = crate::model::Orientation::Angle(body.angle);
            let orientation = if spatial { &body.orientation } else { &turn };
            let a = orientation.matrix().unwrap_or_else(|_| Mat3::identity());
            let mut p = [body.angle, 0.0, 0.0, 0.0];
            if spatial {
                p = euler::parameters(&a);
            }
            let r = (body.position + a * body.centre()).into();
            given.poses.push(Pose { r, p });
            given.origins.push(body.position);
            given.rotations.push(a);
            given.coms.push(body.centre());
        }
        let p = if spatial { SpatialCoords::identity() } else { PlanarCoords::identity() };
        given.poses.push(Pose { r: [0.0; 3], p });
        given.origins.push(Vec3::zeros());
        given.rotations.push(Mat3::identity());
        given.coms.push(Vec3::zeros());
        given
    }

    /// The number of ground.
    pub fn ground(&self) -> usize {
        self.poses.len() - 1
    }

    /// The global frame.
    pub fn ground_place(&self) -> Place {
        Place { body: self.ground(), s: [0.0; 3], c: Mat3::identity() }
    }

    /// The frame on `body` with a given origin and axes in the body frame.
    pub fn place(&self, body: usize, point: Vec3, c: Mat3) -> Place {
        // a carrier of one place has it there exactly
        let point = if self.carriers[body].has_extent() { point } else { self.coms[body] };
        Place { body, s: (point - self.coms[body]).into(), c }
    }

    /// Where a frame is, in global axes.
    pub fn point(&self, place: &Place) -> [f64; 3] {
        let at = Vec3::from(self.poses[place.body].r) + self.rotations[place.body] * Vec3::from(place.s);
        at.into()
    }

    /// Whether a body can have a frame at a point of its own axes.
    pub fn can_hold(&self, body: usize, point: &Vec3) -> bool {
        let round_off = 1e-12 * (1.0 + self.origins[body].norm());
        self.carriers[body].has_extent() || point.norm() <= round_off
    }

    /// A point in global axes, in the axes of a body.
    fn localise(&self, body: usize, at: Vec3) -> Vec3 {
        self.rotations[body].transpose() * (at - self.origins[body])
    }

    /// Where a marker is; faulty orientations count as none.
    pub fn marker(&self, body: usize, marker: &Marker, space: Space) -> Place {
        let c = marker_axes(marker, space).unwrap_or_else(|_| Mat3::identity());
        if marker.global {
            let point = self.localise(body, marker.position);
            return self.place(body, point, self.rotations[body].transpose() * c);
        }
        self.place(body, marker.position, c)
    }
}

/// The axes of a marker as its own fields say.
pub fn marker_axes(marker: &Marker, space: Space) -> Result<Mat3, &'static str> {
    if space == Space::Planar {
        return crate::model::Orientation::Angle(marker.angle).matrix();
    }
    match (&marker.orientation, &marker.axis) {
        (Some(_), Some(_)) => Err("give either `orientation` or `axis`, not both"),
        (Some(orientation), None) => orientation.matrix(),
        (None, Some(axis)) => frame_with_z(*axis).ok_or("`axis` has zero length"),
        (None, None) => Ok(Mat3::identity()),
    }
}

/// A frame with its z axis along `z`; its x axis is as near as can be to a coordinate axis.
fn frame_with_z(z: Vec3) -> Option<Mat3> {
    let n = z.norm();
    if n < 1e-12 || !n.is_finite() {
        return None;
    }
    let z = z / n;
    // the coordinate axis least along z, so that a vertical axis gives a horizontal x
    let k = if z.x.abs() <= 0.9 { 0 } else { 1 };
    let e = Vec3::ith(k, 1.0);
    let x = (e - z * z.dot(&e)).normalize();
    Some(Mat3::from_columns(&[x, z.cross(&x), z]))
}

/// A frame with its z axis along `z` and its x axis as near as can be to that of `model`.
fn frame_like(z: Vec3, model: &Mat3) -> Option<Mat3> {
    let n = z.norm();
    if n < 1e-12 || !n.is_finite() {
        return None;
    }
    let z = z / n;
    let mut x: Vec3 = model.column(0) - z * z.dot(&model.column(0));
    if x.norm() < 0.1 {
        x = model.column(1) - z * z.dot(&model.column(1));
    }
    let x = x.normalize();
    Some(Mat3::from_columns(&[x, z.cross(&x), z]))
}
