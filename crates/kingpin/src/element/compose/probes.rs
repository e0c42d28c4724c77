//! Probes: what a composition measures between its two ends, or of joints it names.

use super::{Axis, COINCIDENT, Composer, NO_DISTANCE, Probe, article};
use crate::element::articulation::{Articulation, Move, Zero};
use crate::element::basic::{Angle, Basic, Dot2, Rotation, Separation, Sequence};
use crate::element::joint::Coordinate;
use crate::element::place::Place;
use crate::expr::closest;
use crate::model::finding::Finding;
use crate::spatial::{PlanarCoords, Pose, SpatialCoords, euler};

impl Composer<'_> {
    // ---- probes on the own frames

    /// Distance of the two points.
    pub fn probe_distance(&mut self) -> Probe {
        let basic = Basic::Distance(Separation { bodies: self.bodies(), s: self.points() });
        // where joints place the bodies, that is seen later
        if !self.given.moved_by_joints && self.value_in_given_pose(&basic) < NO_DISTANCE {
            self.complain("", COINCIDENT.into());
        }
        basic
    }

    /// Gap along an axis of the first frame.
    pub fn probe_offset(&self, axis: Axis) -> Probe {
        Basic::Dot2(Dot2 { bodies: self.bodies(), a: self.axis(0, axis), s: self.points() })
    }

    /// Displacement along the joint axis.
    pub fn probe_displacement(&self) -> Probe {
        self.probe_offset(if self.is_spatial() { Axis::Z } else { Axis::X })
    }

    /// Angle about the joint axis.
    pub fn probe_angle(&mut self) -> Probe {
        self.angle_between(self.ends())
    }

    /// Angle about the joint axis in the given pose.
    pub fn angle_in_given_pose(&self) -> f64 {
        let [i, j] = self.ends();
        let column = |p: &Place, k: usize| -> [f64; 3] { p.c.column(k).into_owned().into() };
        let (x_i, y_i, x_j) = (column(&i, 0), column(&i, 1), column(&j, 0));
        let slot = usize::MAX;
        self.value_in_given_pose(&Basic::Angle(Angle {
            bodies: [i.body, j.body],
            x_i,
            y_i,
            x_j,
            offset: 0.0,
            slot,
        }))
    }

    /// How the joint carries its second body, the frames coinciding where all angles are zero.
    pub fn carry(&self, steps: &[Move]) -> Option<Articulation> {
        Articulation::compose(self, steps, Zero::Aligned)
    }

    /// How the joint carries its second body, the frames being as in the given pose where all angles are zero.
    pub fn carry_from_given(&self, steps: &[Move]) -> Option<Articulation> {
        Articulation::compose(self, steps, Zero::AsGiven)
    }

    /// Planar angle, zero where the frames coincide (markers) or in the given pose (bodies).
    pub fn probe_angle_from_given(&mut self) -> Probe {
        let mut basic = self.probe_angle();
        let now = self.value_in_given_pose(&basic);
        if let (Basic::Angle(angle), false) = (&mut basic, self.by_markers) {
            angle.offset -= now;
        }
        basic
    }

    /// Component of the rotation vector from the first to the second frame.
    pub fn probe_rotation(&self, axis: Axis) -> Probe {
        let frames = self.ends().map(|p| euler::parameters(&p.c));
        Basic::Rotation(Rotation { bodies: self.bodies(), frames, axis: axis as usize })
    }

    /// An angle (0, 1, 2) of the turns about three axes that make the second frame of the first.
    pub fn probe_sequence(&self, axes: [Axis; 3], angle: usize) -> Probe {
        let frames = self.ends().map(|p| euler::parameters(&p.c));
        Basic::Sequence(Sequence::new(self.bodies(), frames, axes.map(|axis| axis as usize), angle))
    }

    /// Global coordinate of the (second) point.
    pub fn probe_coordinate(&self, axis: Axis) -> Probe {
        let mut a = [0.0; 3];
        a[axis as usize] = 1.0;
        self.probe_along(a)
    }

    pub(super) fn probe_along(&self, a: [f64; 3]) -> Probe {
        let end = self.ends()[1];
        Basic::Dot2(Dot2 { bodies: [self.given.ground(), end.body], a, s: [[0.0; 3], end.s] })
    }

    /// Angle of the (second) body in the plane.
    pub fn probe_absolute_angle(&mut self) -> Probe {
        self.angle_between([self.given.ground_place(), self.ends()[1]])
    }

    /// A coordinate by its name; complains if there is no such coordinate.
    pub fn named_coordinate(&mut self, field: &'static str, name: &str) -> Option<Probe> {
        match name {
            "x" => Some(self.probe_coordinate(Axis::X)),
            "y" => Some(self.probe_coordinate(Axis::Y)),
            "z" if self.is_spatial() => Some(self.probe_coordinate(Axis::Z)),
            "angle" if !self.is_spatial() => Some(self.probe_absolute_angle()),
            _ => {
                let space = if self.is_spatial() { "spatial" } else { "planar" };
                self.complain(field, format!("a {space} body has no coordinate `{name}`"));
                None
            }
        }
    }

    /// The two angles of a cross joint with its pins along the z axes, zero in the given pose: of the cross on
    /// the first body about the first pin, and of the second body on the cross about the second pin.
    pub fn probe_cross(&mut self) -> [Probe; 2] {
        let [x, y, z] = Axis::ALL;
        let [i, j] = self.bodies();
        let axis = |end, axis| self.axis(end, axis);
        // the second pin seen from the first body; the first pin seen from the second body, against the turn
        let first = (axis(0, x), axis(0, y), axis(1, z));
        let second = (axis(1, x), axis(1, y).map(|e| -e), axis(0, z));
        [([i, j], first), ([j, i], second)].map(|(bodies, (x_i, y_i, x_j))| {
            let slot = self.turns.len();
            let mut angle = Angle { bodies, x_i, y_i, x_j, offset: 0.0, slot };
            angle.offset = -self.value_in_given_pose(&Basic::Angle(angle));
            self.turns.push(0.0);
            Basic::Angle(angle)
        })
    }

    pub(super) fn angle_between(&mut self, [i, j]: [Place; 2]) -> Probe {
        let column = |p: &Place, k: usize| -> [f64; 3] { p.c.column(k).into_owned().into() };
        // in the plane the frames only add their own angles
        let turn = |p: &Place| p.c[(1, 0)].atan2(p.c[(0, 0)]);
        let offset = if self.is_spatial() { 0.0 } else { turn(&j) - turn(&i) };
        let slot = self.turns.len();
        let (x_i, y_i, x_j) = (column(&i, 0), column(&i, 1), column(&j, 0));
        let basic = Basic::Angle(Angle { bodies: [i.body, j.body], x_i, y_i, x_j, offset, slot });
        let now = self.value_in_given_pose(&basic);
        self.turns.push(now);
        basic
    }

    // ---- probes on other joints

    pub(super) fn joint(
        &mut self,
        field: &'static str,
        name: &str,
        wanted: Coordinate,
    ) -> Option<[Place; 2]> {
        let Some(&index) = self.given.names.joints.get(name) else {
            let names = self.model.joints.iter().map(|j| j.name.as_str());
            let mut finding =
                Finding::error(self.subject.clone(), field, format!("there is no joint called `{name}`"));
            finding.hint = closest(name, names).map(|n| format!("did you mean `{n}`?"));
            self.findings.push(finding);
            return None;
        };
        let joint = &self.model.joints[index];
        if !joint.kind.element().coordinates().contains(&wanted) {
            let word = if wanted == Coordinate::Angle { "angle" } else { "displacement" };
            let message = format!("joint `{name}` is {} and has no {word}", article(joint.kind.tag()));
            self.complain(field, message);
            return None;
        }
        self.joints[index].places
    }

    /// The angle of another joint; complains if there is none.
    pub fn joint_angle(&mut self, field: &'static str, name: &str) -> Option<Probe> {
        let places = self.joint(field, name, Coordinate::Angle)?;
        Some(self.angle_between(places))
    }

    /// The displacement of another joint; complains if there is none.
    pub fn joint_displacement(&mut self, field: &'static str, name: &str) -> Option<Probe> {
        let [i, j] = self.joint(field, name, Coordinate::Displacement)?;
        let axis = if self.is_spatial() { 2 } else { 0 };
        let a = i.c.column(axis).into_owned().into();
        Some(Basic::Dot2(Dot2 { bodies: [i.body, j.body], a, s: [i.s, j.s] }))
    }

    /// The value of a basic function in the pose the bodies were given.
    pub fn value_in_given_pose(&self, basic: &Basic) -> f64 {
        let poses: [&Pose<f64>; 2] = basic.bodies().map(|b| &self.given.poses[b]);
        if self.is_spatial() {
            basic.value::<SpatialCoords, f64>(poses, &self.turns)
        } else {
            basic.value::<PlanarCoords, f64>(poses, &self.turns)
        }
    }
}
