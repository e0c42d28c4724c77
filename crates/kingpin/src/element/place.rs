//! From ends as described to frames on numbered bodies.

use super::carrier::{Carrier, misplaced};
use crate::expr::closest;
use crate::model::ends::{Ends, EndsKind};
use crate::model::finding::{Finding, Subject};
use crate::model::value::{Mat3, Vec3};
use crate::model::{GROUND, Marker, Model, Space};
use crate::spatial::{Coords, Planar, Pose, Spatial, euler};
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
            let r = (body.position + a * body.com).into();
            given.poses.push(Pose { r, p });
            given.origins.push(body.position);
            given.rotations.push(a);
            given.coms.push(body.com);
        }
        let p = if spatial { Spatial::identity() } else { Planar::identity() };
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

/// One end before its axes are known.
struct Half {
    body: usize,
    point: Vec3,
    /// Axes of a marker.
    marker: Option<Mat3>,
    /// Direction of the joint axis on the body.
    axis: Option<Vec3>,
}

/// Resolves the ends of elements against a model.
pub struct Resolver<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its bodies in the given pose.
    pub given: &'a Given,
    /// Complaints.
    pub findings: Vec<Finding>,
}

impl Resolver<'_> {
    fn error(&mut self, subject: &Subject, field: &'static str, message: String) {
        self.findings.push(Finding::error(subject.clone(), field, message));
    }

    /// The number of a body; complains if there is none of that name.
    pub fn body(&mut self, subject: &Subject, field: &'static str, name: &str) -> Option<usize> {
        if let Some(&k) = self.given.names.bodies.get(name) {
            return Some(k);
        }
        let bodies = self.model.bodies.iter().map(|b| b.name.as_str());
        self.unknown(subject, field, "body", name, bodies.chain([GROUND]).collect());
        None
    }

    fn unknown(&mut self, subject: &Subject, field: &'static str, what: &str, name: &str, all: Vec<&str>) {
        let mut finding =
            Finding::error(subject.clone(), field, format!("there is no {what} called `{name}`"));
        finding.hint = closest(name, all).map(|n| format!("did you mean `{n}`?"));
        self.findings.push(finding);
    }

    fn marker(&mut self, subject: &Subject, field: &'static str, name: &str) -> Option<Place> {
        let Some(&k) = self.given.names.markers.get(name) else {
            let all = self.model.markers.iter().map(|m| m.name.as_str()).collect();
            self.unknown(subject, field, "marker", name, all);
            return None;
        };
        let marker = &self.model.markers[k];
        // a marker on an unknown body has been complained about where it stands
        let &body = self.given.names.bodies.get(&marker.body)?;
        Some(self.given.marker(body, marker, self.model.space))
    }

    /// The single place of an element, as a pair with the global frame first.
    pub fn one(&mut self, subject: &Subject, ends: &Ends) -> Option<[Place; 2]> {
        let place = match (&ends.marker, &ends.body) {
            (Some(_), Some(_)) => {
                self.error(subject, "marker", "give either `marker` or `body`, not both".into());
                return None;
            }
            (None, None) => {
                self.error(subject, "", "the place is missing: give `marker`, or `body` and `point`".into());
                return None;
            }
            (Some(marker), None) => {
                if ends.point.is_some() || ends.at.is_some() {
                    let field = if ends.point.is_some() { "point" } else { "at" };
                    self.error(subject, field, format!("`{field}` has no meaning beside `marker`"));
                    return None;
                }
                self.marker(subject, "marker", marker)?
            }
            (None, Some(name)) => {
                let body = self.body(subject, "body", name)?;
                let point = match (ends.point, ends.at) {
                    (Some(_), Some(_)) => {
                        self.error(subject, "at", "give either `point` or `at`, not both".into());
                        return None;
                    }
                    (Some(point), None) => point,
                    (None, Some(at)) => self.given.localise(body, at),
                    (None, None) => Vec3::zeros(),
                };
                if !self.given.can_hold(body, &point) {
                    let field = if ends.point.is_some() { "point" } else { "at" };
                    self.error(subject, field, misplaced(name));
                    return None;
                }
                self.given.place(body, point, Mat3::identity())
            }
        };
        Some([self.given.ground_place(), place])
    }

    fn half(&mut self, subject: &Subject, ends: &Ends, second: bool) -> Option<Half> {
        let (body, marker, point, at, axis) = if second {
            (&ends.body2, &ends.marker2, ends.point2, ends.at2, ends.axis2)
        } else {
            (&ends.body1, &ends.marker1, ends.point1, ends.at1, ends.axis1)
        };
        let field = |one: &'static str, two: &'static str| if second { two } else { one };
        let key_body = field("body1", "body2");
        let key_marker = field("marker1", "marker2");
        match (marker, body) {
            (Some(_), Some(_)) => {
                self.error(
                    subject,
                    key_marker,
                    format!("give either `{key_marker}` or `{key_body}`, not both"),
                );
                None
            }
            (None, None) => {
                self.error(subject, "", format!("`{key_body}` is missing (or `{key_marker}`)"));
                None
            }
            (Some(name), None) => {
                for (given, key) in [
                    (point.is_some(), field("point1", "point2")),
                    (at.is_some(), field("at1", "at2")),
                    (axis.is_some(), field("axis1", "axis2")),
                ] {
                    if given {
                        self.error(subject, key, format!("`{key}` has no meaning beside `{key_marker}`"));
                        return None;
                    }
                }
                let place = self.marker(subject, key_marker, name)?;
                let point = Vec3::from(place.s) + self.given.coms[place.body];
                Some(Half { body: place.body, point, marker: Some(place.c), axis: None })
            }
            (None, Some(name)) => {
                let body = self.body(subject, key_body, name)?;
                let ways = [
                    (point, field("point1", "point2")),
                    (at.map(|p| self.given.localise(body, p)), field("at1", "at2")),
                    (ends.at.map(|p| self.given.localise(body, p)), "at"),
                ];
                let mut found = ways.iter().filter(|w| w.0.is_some());
                let (point, key) =
                    found.next().map_or((Vec3::zeros(), ""), |w| (w.0.unwrap_or_default(), w.1));
                if !self.given.can_hold(body, &point) {
                    self.error(subject, key, misplaced(name));
                    return None;
                }
                if let Some(&(_, key)) = found.next() {
                    let message = format!("the place on `{name}` is given twice: `{key}` is one too many");
                    self.error(subject, key, message);
                    return None;
                }
                let common = ends.axis.map(|a| self.given.rotations[body].transpose() * a);
                if axis.is_some() && common.is_some() {
                    let key = field("axis1", "axis2");
                    self.error(subject, key, format!("give either `axis` or `{key}`, not both"));
                    return None;
                }
                Some(Half { body, point, marker: None, axis: axis.or(common) })
            }
        }
    }

    /// The two frames of an element, and whether both are markers; `None` after a complaint.
    pub fn pair(&mut self, subject: &Subject, ends: &Ends, kind: EndsKind) -> Option<([Place; 2], bool)> {
        let (first, second) = (self.half(subject, ends, false), self.half(subject, ends, true));
        let halves = [first?, second?];
        if halves[0].body == halves[1].body {
            let body = self.model.bodies.get(halves[0].body).map_or(GROUND, |b| b.name.as_str());
            self.error(
                subject,
                "",
                format!("both ends are on `{body}`; they must be on two different bodies"),
            );
            return None;
        }
        let spatial = self.model.space == Space::Spatial;
        let need = match kind {
            EndsKind::Axes => true,
            EndsKind::SpatialAxes => spatial,
            _ => false,
        };
        let has = |h: &Half| h.marker.is_some() || h.axis.is_some();
        if need && !halves.iter().any(has) {
            self.error(
                subject,
                "",
                "the axis is missing: give `axis` (global), `axis1` and `axis2`, or markers".into(),
            );
            return None;
        }
        if kind == EndsKind::TwoAxes && !halves.iter().all(has) {
            let key = if has(&halves[0]) { "axis2" } else { "axis1" };
            self.error(subject, "", format!("`{key}` is missing: each end needs an axis of its own"));
            return None;
        }
        let axes = if spatial { self.spatial_axes(&halves) } else { self.planar_axes(&halves) };
        let Some(axes) = axes else {
            self.error(subject, "axis", "the axis has zero length".into());
            return None;
        };
        let both = halves[0].marker.is_some() && halves[1].marker.is_some();
        let place = |k: usize| self.given.place(halves[k].body, halves[k].point, axes[k]);
        Some(([place(0), place(1)], both))
    }

    /// From the axes of body `from` to those of body `to`, in the given pose.
    fn between(&self, from: usize, to: usize) -> Mat3 {
        self.given.rotations[to].transpose() * self.given.rotations[from]
    }

    /// Frames in space: z along the axes; x directions coincide in the given pose.
    fn spatial_axes(&self, h: &[Half; 2]) -> Option<[Mat3; 2]> {
        let across = [self.between(h[1].body, h[0].body), self.between(h[0].body, h[1].body)];
        let own = |k: usize| -> Option<Mat3> { h[k].marker.or_else(|| h[k].axis.and_then(frame_with_z)) };
        Some(match (own(0), own(1)) {
            (Some(a), Some(b)) if h[1].marker.is_some() => {
                let first = if h[0].marker.is_some() { a } else { frame_like(h[0].axis?, &(across[0] * b))? };
                [first, b]
            }
            (Some(a), Some(_)) => [a, frame_like(h[1].axis?, &(across[1] * a))?],
            (Some(a), None) if h[1].axis.is_none() => [a, across[1] * a],
            (None, Some(b)) if h[0].axis.is_none() => [across[0] * b, b],
            (None, None) if h[0].axis.is_none() && h[1].axis.is_none() => [Mat3::identity(), across[1]],
            _ => return None,
        })
    }

    /// Frames in the plane: x along the axes; without any axis those of the bodies.
    fn planar_axes(&self, h: &[Half; 2]) -> Option<[Mat3; 2]> {
        let turned = |axis: Vec3| -> Option<Mat3> {
            let n = axis.norm();
            (n > 1e-12 && n.is_finite()).then(|| {
                let (c, s) = (axis.x / n, axis.y / n);
                Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
            })
        };
        let own = |k: usize| match (h[k].marker, h[k].axis) {
            (Some(m), _) => Some(Some(m)),
            (None, Some(axis)) => turned(axis).map(Some),
            (None, None) => Some(None),
        };
        Some(match (own(0)?, own(1)?) {
            (Some(a), Some(b)) => [a, b],
            (Some(a), None) => [a, self.between(h[0].body, h[1].body) * a],
            (None, Some(b)) => [self.between(h[1].body, h[0].body) * b, b],
            (None, None) => [Mat3::identity(), Mat3::identity()],
        })
    }
}
