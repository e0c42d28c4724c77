//! The workbench on which elements compose their equations and forces from basic functions.

use super::articulation::{Articulation, Step, Zero};
use super::basic::{Angle, Basic, Coincide, Distance, Dot1, Dot2, Rotation};
use super::bind::Bound;
use super::equation::{Direction, Equation, Form, Term, Words};
use super::joint::Coordinate;
use super::law::{Law, Strength};
use super::place::{Given, Place};
use super::switch::Switch;
use crate::expr::closest;
use crate::model::finding::{Finding, Subject};
use crate::model::function::Function;
use crate::model::value::Vec3;
use crate::model::{Model, Space};
use crate::spatial::{Planar, Pose, Spatial, euler};

/// Distances below this have no direction.
pub const NO_DISTANCE: f64 = 1e-9;
/// What is wrong then.
pub const COINCIDENT: &str = "the two points coincide, so the line between them has no direction";

/// What expressions and constraints can look at.
pub type Probe = Basic;

/// An axis of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// First.
    X,
    /// Second.
    Y,
    /// Third.
    Z,
}

impl Axis {
    /// All three.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];
    /// The entry that belongs to the axis.
    pub fn pick<T: Copy>(self, of: [T; 3]) -> T {
        of[self as usize]
    }
}

/// A joint as other elements see it.
#[derive(Clone, Debug)]
pub struct JointPlace {
    /// Its two frames; `None` if the joint couples other joints or could not be placed.
    pub places: Option<[Place; 2]>,
    /// Whether both frames were given by markers.
    pub by_markers: bool,
    /// Whether the joint itself was faulty, so that nobody should complain about it again.
    pub faulty: bool,
}

/// Collects the equations and terms of one element after the other.
pub struct Composer<'a> {
    /// The model.
    pub model: &'a Model,
    /// Given poses and names.
    pub given: &'a Given,
    /// The joints, for elements that refer to them.
    pub joints: &'a [JointPlace],
    /// What the measures probe, for functions that use them.
    pub measures: &'a [Option<Probe>],
    /// The element at work.
    pub subject: Subject,
    /// Its name.
    pub name: String,
    /// Its frames.
    pub places: Option<[Place; 2]>,
    /// Whether both frames were given by markers, so that their orientation is meant.
    pub by_markers: bool,
    /// Reference angles.
    pub turns: Vec<f64>,
    /// Equations so far.
    pub equations: Vec<Equation>,
    /// Force terms so far.
    pub terms: Vec<Term>,
    /// Switches so far, of all elements.
    pub switches: Vec<Switch>,
    /// Complaints so far.
    pub findings: Vec<Finding>,
}

impl Composer<'_> {
    /// Whether the model is spatial.
    pub fn is_spatial(&self) -> bool {
        self.model.space == Space::Spatial
    }

    /// Reports an error in a field of the element.
    pub fn complain(&mut self, field: &'static str, message: String) {
        self.findings.push(Finding::error(self.subject.clone(), field, message));
    }

    /// Reports an error in a field of the element, with advice.
    pub fn complain_with_hint(&mut self, field: &'static str, message: String, hint: &str) {
        self.findings.push(Finding::error(self.subject.clone(), field, message).hint(hint));
    }

    /// The frames of the element; elements without ends sit on ground.
    fn ends(&self) -> [Place; 2] {
        self.places.unwrap_or_else(|| [self.given.ground_place(); 2])
    }

    fn bodies(&self) -> [usize; 2] {
        self.ends().map(|p| p.body)
    }

    fn axis(&self, end: usize, axis: Axis) -> [f64; 3] {
        self.ends()[end].c.column(axis as usize).into_owned().into()
    }

    fn points(&self) -> [[f64; 3]; 2] {
        self.ends().map(|p| p.s)
    }

    // ---- probes on the own frames

    /// Distance of the two points.
    pub fn probe_distance(&mut self) -> Probe {
        let basic = Basic::Distance(Distance { bodies: self.bodies(), s: self.points() });
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
    pub fn carry(&self, steps: &[Step]) -> Option<Articulation> {
        Articulation::compose(self, steps, Zero::Aligned)
    }

    /// How the joint carries its second body, the frames being as in the given pose where all angles are zero.
    pub fn carry_from_given(&self, steps: &[Step]) -> Option<Articulation> {
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

    /// Global coordinate of the (second) point.
    pub fn probe_coordinate(&self, axis: Axis) -> Probe {
        let mut a = [0.0; 3];
        a[axis as usize] = 1.0;
        self.probe_along(a)
    }

    fn probe_along(&self, a: [f64; 3]) -> Probe {
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

    fn angle_between(&mut self, [i, j]: [Place; 2]) -> Probe {
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

    fn joint(&mut self, field: &'static str, name: &str, wanted: Coordinate) -> Option<[Place; 2]> {
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
            basic.value::<Spatial, f64>(poses, &self.turns)
        } else {
            basic.value::<Planar, f64>(poses, &self.turns)
        }
    }

    // ---- equations

    fn single(&mut self, basic: Basic, motion: Function, label: &'static str) {
        self.equations.push(Equation { form: Form::Single(basic, motion), label });
    }

    /// The points coincide.
    pub fn coincide(&mut self) {
        let form = Form::Coincide(Coincide { bodies: self.bodies(), s: self.points() });
        self.equations.push(Equation { form, label: "points coincide" });
    }

    /// An axis of the first frame stays perpendicular to one of the second.
    pub fn perpendicular(&mut self, a: Axis, b: Axis) {
        let basic = Dot1 { bodies: self.bodies(), a: self.axis(0, a), b: self.axis(1, b) };
        let label = match (a, b) {
            (Axis::Z, Axis::Z) => "axes perpendicular",
            (Axis::X, Axis::Z) => "axes parallel (first direction)",
            (Axis::Y, Axis::Z) => "axes parallel (second direction)",
            _ => "no turn about the axis",
        };
        self.single(Basic::Dot1(basic), Function::Constant(0.0), label);
    }

    /// The z axes stay parallel; in the plane they always are.
    pub fn axes_parallel(&mut self) {
        if self.is_spatial() {
            self.perpendicular(Axis::X, Axis::Z);
            self.perpendicular(Axis::Y, Axis::Z);
        }
    }

    /// The frames keep the same orientation.
    pub fn same_orientation(&mut self) {
        if self.is_spatial() {
            self.axes_parallel();
            self.perpendicular(Axis::X, Axis::Y);
        } else {
            let basic = self.probe_angle_from_given();
            self.single(basic, Function::Constant(0.0), "angles equal");
        }
    }

    /// No gap along an axis of the first frame.
    pub fn no_offset(&mut self, axis: Axis) {
        let basic = self.probe_offset(axis);
        self.single(
            basic,
            Function::Constant(0.0),
            axis.pick(["no offset in x", "no offset in y", "no offset in z"]),
        );
    }

    /// The points keep their distance: the given one, or that of the given pose.
    pub fn distance(&mut self, length: Option<f64>) {
        let basic = self.probe_distance();
        let length = length.unwrap_or_else(|| self.value_in_given_pose(&basic));
        self.single(basic, Function::Constant(length), "distance constant");
    }

    /// A global coordinate keeps its value: the given one, or that of the given pose.
    pub fn absolute(&mut self, axis: Axis, value: Option<f64>) {
        let basic = self.probe_coordinate(axis);
        let value = value.unwrap_or_else(|| self.value_in_given_pose(&basic));
        self.single(basic, Function::Constant(value), axis.pick(["x constant", "y constant", "z constant"]));
    }

    /// The angle of the body keeps its value: the given one, or that of the given pose.
    pub fn absolute_angle(&mut self, value: Option<f64>) {
        let basic = self.probe_absolute_angle();
        let value = value.unwrap_or_else(|| self.value_in_given_pose(&basic));
        self.single(basic, Function::Constant(value), "angle constant");
    }

    /// A sum of probed quantities keeps the value of the given pose.
    pub fn couple(&mut self, terms: Vec<(f64, Probe)>, label: &'static str) {
        let value = terms.iter().map(|(k, probe)| k * self.value_in_given_pose(probe)).sum();
        self.equations.push(Equation { form: Form::Sum(terms, value), label });
    }

    /// A probed quantity follows a function of time.
    pub fn drive(&mut self, probe: Probe, motion: &Function, label: &'static str) {
        let mut bound = Bound::default();
        let mut motion = motion.clone();
        if let Function::Closure(_) = motion {
            motion = self.bind("motion", motion, 1, &mut bound);
        }
        if !bound.inputs.is_empty() || !bound.flags.is_empty() {
            self.complain("motion", "a motion can depend on the time `t` alone".into());
        }
        let motion = self.switched(motion, &Bound::default(), true);
        self.single(probe, motion, label);
    }

    // ---- forces

    /// A spring, damper and actuator on a probed quantity.
    pub fn spring(&mut self, probe: Probe, mut law: Law, words: Words) {
        let mut bound = Bound { inputs: vec![probe], names: vec![words.value.into()], flags: Vec::new() };
        law.actuator = self.bind("actuator", law.actuator, 3, &mut bound);
        law.actuator = self.switched(law.actuator, &bound, false);
        law.spring = law.spring.map(|curve| self.bent(curve, probe, 1, law.rest));
        law.damper = law.damper.map(|curve| self.bent(curve, probe, 2, 0.0));
        let Bound { inputs, names, flags } = bound;
        let (strength, direction) = (Strength::Spring(Box::new(law)), Direction::Along(probe, -1.0));
        self.terms.push(Term { strength, inputs, names, flags, direction, words });
    }

    /// A force at the point of the element.
    pub fn push_force(&mut self, magnitude: &Function, direction: Vec3, body_fixed: bool) {
        let (dir, end) = (self.unit("direction", direction), self.ends()[1]);
        let direction = if body_fixed {
            Direction::BodyForce { body: end.body, s: end.s, dir }
        } else {
            Direction::Along(self.probe_along(dir), 1.0)
        };
        self.magnitude(magnitude, direction, Words::strength("force", "force"));
    }

    /// A torque on the body of the element.
    pub fn push_torque(&mut self, magnitude: &Function, direction: Vec3, body_fixed: bool) {
        let dir = self.unit("direction", direction);
        let direction = Direction::Torque { body: self.ends()[1].body, dir, body_fixed };
        self.magnitude(magnitude, direction, Words::strength("torque", "torque"));
    }

    fn magnitude(&mut self, magnitude: &Function, direction: Direction, words: Words) {
        let mut bound = Bound::default();
        let magnitude = self.bind("magnitude", magnitude.clone(), 1, &mut bound);
        let strength = Strength::Magnitude(self.switched(magnitude, &bound, false));
        let Bound { inputs, names, flags } = bound;
        self.terms.push(Term { strength, inputs, names, flags, direction, words });
    }

    fn unit(&mut self, field: &'static str, v: Vec3) -> [f64; 3] {
        let n = v.norm();
        if n < 1e-12 || !n.is_finite() {
            self.complain(field, format!("`{field}` has zero length"));
            return [1.0, 0.0, 0.0];
        }
        (v / n).into()
    }
}

/// `a`/`an` in front of a tag.
fn article(tag: &str) -> String {
    let vowel = tag.starts_with(['a', 'e', 'i', 'o']);
    format!("{} `{tag}` joint", if vowel { "an" } else { "a" })
}
