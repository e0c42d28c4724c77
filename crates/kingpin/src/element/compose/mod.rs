//! The workbench on which elements compose their equations and forces from basic functions.

mod follow;
mod holds;
mod line;
mod masses;
mod probes;
mod stops;

pub use line::{ElasticLine, Short};

use crate::element::bar_law::BarLaw;
use crate::element::basic::{Basic, Coincide, Dot1};
use crate::element::bind::Bound;
use crate::element::equation::{Direction, Equation, EquationForm, Inertance, PointMass, Term, Words};
use crate::element::hold::JointHold;
use crate::element::law::{Law, Strength};
use crate::element::place::{Given, Place};
use crate::element::reading::Reading;
use crate::element::switch::Switch;
use crate::model::finding::{Finding, Subject};
use crate::model::function::Function;
use crate::model::value::Vec3;
use crate::model::{Model, Space};

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
    /// Inertances so far.
    pub inertances: Vec<Inertance>,
    /// Masses of points so far.
    pub masses: Vec<PointMass>,
    /// Switches so far, of all elements.
    pub switches: Vec<Switch>,
    /// What may hold coordinates so far, of all elements.
    pub holds: Vec<JointHold>,
    /// Reactions that are inputs, so far: those of measures first.
    pub readings: Vec<Reading>,
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

    // ---- equations

    fn single(&mut self, basic: Basic, motion: Function, label: &'static str) {
        self.equations.push(Equation { form: EquationForm::Single(basic, motion), label });
    }

    /// The points coincide.
    pub fn coincide(&mut self) {
        let form = EquationForm::Coincide(Coincide { bodies: self.bodies(), s: self.points() });
        self.equations.push(Equation { form, label: "points coincide" });
    }

    /// An axis of the first frame stays perpendicular to one of the second.
    pub fn perpendicular(&mut self, a: Axis, b: Axis) {
        let basic = Dot1 { bodies: self.bodies(), a: self.axis(0, a), b: self.axis(1, b) };
        let label = match (a, b) {
            (Axis::Z, Axis::Z) => "axes perpendicular",
            (Axis::X, Axis::Z) => "axes parallel (first direction)",
            (Axis::Y, Axis::Z) => "axes parallel (second direction)",
            _ => "no rotation about the axis",
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
        self.equations.push(Equation { form: EquationForm::Sum(terms, value), label });
    }

    /// A probed quantity follows a function of time.
    pub fn drive(&mut self, probe: Probe, motion: &Function, label: &'static str) {
        let mut bound = Bound::default();
        let mut motion = motion.clone();
        if let Function::Closure(_) = motion {
            motion = self.bind("motion", motion, &["t"], &mut bound);
        }
        if !bound.inputs.is_empty() || !bound.flags.is_empty() {
            self.complain("motion", "a motion can depend on the time `t` only".into());
        }
        let motion = self.switched(motion, &Bound::default(), true);
        self.single(probe, motion, label);
    }

    // ---- forces

    /// A spring, damper and actuator on a probed quantity.
    pub fn spring(&mut self, probe: Probe, mut law: Law, words: Words) {
        let name = if words.value.is_empty() { "coordinate" } else { words.value };
        let mut bound = Bound { inputs: vec![probe], names: vec![name.into()], flags: Vec::new() };
        law.actuator = self.bind("actuator", law.actuator, &["t", words.value, words.rate], &mut bound);
        law.actuator = self.switched(law.actuator, &bound, false);
        law.spring = law.spring.map(|curve| self.bent(curve, probe, 1, law.rest));
        law.damper = law.damper.map(|curve| self.bent(curve, probe, 2, 0.0));
        let Bound { inputs, names, flags } = bound;
        let (strength, direction) = (Strength::Spring(Box::new(law)), Direction::Along(probe, -1.0));
        self.terms.push(Term { strength, inputs, names, flags, direction, words });
    }

    /// The tension of a bar on a probed length.
    pub fn bar(&mut self, probe: Probe, law: BarLaw, words: Words) {
        let (strength, direction) = (Strength::Bar(law), Direction::Along(probe, -1.0));
        let (inputs, names, flags) = (vec![probe], vec![words.value.into()], Vec::new());
        self.terms.push(Term { strength, inputs, names, flags, direction, words });
    }

    /// Inertia on the rate of a probed quantity.
    pub fn inertance(&mut self, probe: Probe, amount: f64, words: Words) {
        self.inertances.push(Inertance { basic: probe, amount, words });
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

    /// What pushes a probed quantity on.
    pub fn actuate(&mut self, probe: Probe, force: &Function, words: Words) {
        let mut bound = Bound { inputs: vec![probe], names: vec![words.value.into()], flags: Vec::new() };
        let force = self.bind(words.strength, force.clone(), &["t", words.value, words.rate], &mut bound);
        let strength = Strength::Magnitude(self.switched(force, &bound, false));
        let Bound { inputs, names, flags } = bound;
        let direction = Direction::Along(probe, 1.0);
        self.terms.push(Term { strength, inputs, names, flags, direction, words });
    }

    fn magnitude(&mut self, magnitude: &Function, direction: Direction, words: Words) {
        let mut bound = Bound::default();
        let magnitude = self.bind("magnitude", magnitude.clone(), &["t"], &mut bound);
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
