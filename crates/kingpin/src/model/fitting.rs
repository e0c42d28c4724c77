//! What a joint is fitted with on the coordinates it leaves free: springs, dampers, stops, friction. Before a model is compiled
//! they become forces named after the joint.

use super::describe::{Described, Field, FieldValues, Kind};
use super::finding::{Finding, Subject};
use super::{Force, Joint, Model};
use crate::described;
use crate::element::force::{ForceKind, JointFriction, JointPlay, JointSpring, JointStops};
use crate::element::joint::Coordinate;
use std::sync::LazyLock;

described! {
    /// Springs, dampers, stops and friction on a free coordinate of a joint, its `angle` or its `displacement`. Units
    /// are those of angles; for a displacement they are m, N, N/m and N*s/m. A joint with both coordinates has each
    /// field twice, as `angle_stiffness` and `displacement_stiffness`. Fields with a common prefix can be given as a
    /// table: `stops = { min = ..., max = ... }`. Their forces are named after the joint with the suffix `.spring`,
    /// `.stops` or `.friction` (`.angle_spring`, ... if both coordinates are free).
    pub struct Fitting {
        /// Stiffness of a spring on the joint, which pulls the second body towards `rest`.
        stiffness: Option<f64> [Kind::Number("N*m/rad"), range = Range::NonNegative] = None;
        /// Damping coefficient of a damper on the joint.
        damping: Option<f64> [Kind::Number("N*m*s/rad"), range = Range::NonNegative] = None;
        /// Coordinate at which the load of the spring is `preload`; default zero.
        rest: Option<f64> [Kind::Number("rad")] = None;
        /// Torque at `rest`, positive if it decreases the coordinate.
        preload: Option<f64> [Kind::Number("N*m")] = None;
        /// Lower stop of the coordinate; no stop on that side if not given.
        stops_min: Option<f64> [Kind::Number("rad")] = None;
        /// Upper stop of the coordinate.
        stops_max: Option<f64> [Kind::Number("rad")] = None;
        /// Stiffness of the stops.
        stops_stiffness: Option<f64> [Kind::Number("N*m/rad"), range = Range::Positive] = None;
        /// Damping of the stops. The sum of both torques can push but not pull: contact ends when it vanishes. The
        /// torque of a stop with damping jumps at first contact.
        stops_damping: Option<f64> [Kind::Number("N*m*s/rad"), range = Range::NonNegative] = None;
        /// Coefficient of restitution of rigid stops, instead of `stops_stiffness`. At an impact all velocities of
        /// the mechanism jump, consistent with all joints. Bounces too small to be resolved end in rest on the stop,
        /// which can push but not pull.
        stops_restitution: Option<f64> [Kind::Number(""), range = Range::Share] = None;
        /// Coefficient of sliding friction. The friction force is the coefficient times the normal force, for angles
        /// at a radius, and opposes the motion; at rest the joint sticks while the required friction force is less
        /// than `friction_static` times the normal force.
        friction_coefficient: Option<f64> [Kind::Number(""), range = Range::NonNegative] = None;
        /// Coefficient of static friction; default: that of sliding friction.
        friction_static: Option<f64> [Kind::Number(""), range = Range::NonNegative] = None;
        /// Radius of the sliding surfaces; required for friction on angles.
        friction_radius: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
        /// Stribeck velocity v_s, by which the coefficient falls from `friction_static` to `friction_coefficient` as
        /// exp(-(v/v_s)^2); if not given, it jumps.
        friction_stribeck: Option<f64> [Kind::Number("m/s"), range = Range::Positive] = None;
        /// Additional viscous friction coefficient.
        friction_viscous: Option<f64> [Kind::Number("N*m*s/rad"), range = Range::NonNegative] = None;
        /// Normal force in addition to the reaction, such as that of a seal or a clamp.
        friction_preload: Option<f64> [Kind::Number("N"), range = Range::NonNegative] = None;
        /// Whether the normal force includes the magnitude of the reaction force of the joint (without moments);
        /// default `true`.
        friction_reaction: Option<bool> [Kind::Flag] = None;
        /// Sliding speed over which friction is smoothed by a hyperbolic tangent, instead of exact sticking: without
        /// events, but with creep at rest.
        friction_smooth: Option<f64> [Kind::Number("m/s"), range = Range::Positive] = None;
    }
}

/// What a joint has on its free coordinates.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Fittings {
    /// On its angle.
    pub angle: Fitting,
    /// On its displacement.
    pub displacement: Fitting,
}

/// What was made of the fittings of one joint.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FittedPart {
    /// The joint.
    pub joint: usize,
    /// Forces made of them.
    pub forces: std::ops::Range<usize>,
}

/// The coordinates that can be fitted, with the words in front of the names of fields where a joint has both.
const BOTH: [(Coordinate, &str); 2] =
    [(Coordinate::Angle, "angle_"), (Coordinate::Displacement, "displacement_")];

/// Names of fields with the words in front of them, made once.
static PREFIXED: LazyLock<[Vec<&'static str>; 2]> = LazyLock::new(|| {
    BOTH.map(|(_, word)| {
        let name = |field: &Field| -> &'static str { format!("{word}{}", field.name).leak() };
        Fitting::fields().iter().map(name).collect()
    })
});

/// The unit for a displacement where that of an angle is this.
fn of_displacement(unit: &'static str) -> &'static str {
    match unit {
        "rad" => "m",
        "N*m" => "N",
        "N*m/rad" => "N/m",
        "N*m*s/rad" => "N*s/m",
        other => other,
    }
}

impl Fitting {
    /// The key of field number `k` on a coordinate of a joint with these coordinates.
    fn key(coordinates: &[Coordinate], coordinate: Coordinate, k: usize) -> &'static str {
        let plain = Fitting::fields()[k].name;
        match coordinates {
            [_, _, ..] => PREFIXED[coordinate as usize][k],
            _ => plain,
        }
    }

    /// The fields that a joint with these free coordinates takes.
    pub fn fields_for(coordinates: &[Coordinate]) -> Vec<Field> {
        let on = |&coordinate: &Coordinate| {
            Fitting::fields().iter().enumerate().map(move |(k, field)| {
                let kind = match (coordinate, field.kind) {
                    (Coordinate::Displacement, Kind::Number(unit)) => Kind::Number(of_displacement(unit)),
                    (_, kind) => kind,
                };
                Field { name: Fitting::key(coordinates, coordinate, k), kind, ..*field }
            })
        };
        coordinates.iter().flat_map(on).collect()
    }

    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        *self == Fitting::default()
    }

    /// The spring, if there is one.
    fn spring(&self, joint: &str, coordinate: Coordinate) -> Option<JointSpring> {
        let any = [self.stiffness, self.damping, self.preload].iter().any(Option::is_some);
        let number = |x: Option<f64>| x.unwrap_or(0.0);
        any.then(|| JointSpring {
            joint: joint.into(),
            angle: coordinate == Coordinate::Angle,
            stiffness: number(self.stiffness),
            damping: number(self.damping),
            rest: number(self.rest),
            preload: number(self.preload),
        })
    }

    /// The stops, if there are any.
    fn stops(&self, joint: &str, coordinate: Coordinate) -> Option<JointStops> {
        if self.stops_min.is_none() && self.stops_max.is_none() {
            return None;
        }
        Some(JointStops {
            joint: joint.into(),
            angle: coordinate == Coordinate::Angle,
            min: self.stops_min,
            max: self.stops_max,
            stiffness: self.stops_stiffness.unwrap_or(0.0),
            damping: self.stops_damping.unwrap_or(0.0),
            restitution: self.stops_restitution,
        })
    }

    /// The friction, if there is some.
    fn friction(&self, joint: &str, coordinate: Coordinate) -> Option<JointFriction> {
        let coefficient = self.friction_coefficient?;
        let angle = coordinate == Coordinate::Angle;
        Some(JointFriction {
            joint: joint.into(),
            angle,
            coefficient,
            at_rest: self.friction_static.unwrap_or(coefficient),
            arm: if angle { self.friction_radius.unwrap_or(0.0) } else { 1.0 },
            stribeck: self.friction_stribeck,
            viscous: self.friction_viscous.unwrap_or(0.0),
            preload: self.friction_preload.unwrap_or(0.0),
            reaction: self.friction_reaction.unwrap_or(true),
            smooth: self.friction_smooth,
        })
    }

    /// What is wrong with what is given: the field and a sentence.
    fn fault(&self, coordinate: Coordinate) -> Option<(&'static str, String)> {
        let given = |name: &str| self.values().iter().any(|(field, _)| *field == name);
        let stops = given("stops_min") || given("stops_max");
        if let (Some(min), Some(max)) = (self.stops_min, self.stops_max)
            && min > max
        {
            return Some(("stops_max", format!("the upper stop, {max}, is below the lower one, {min}")));
        }
        if let Some(name) = ["stops_stiffness", "stops_damping", "stops_restitution"]
            .into_iter()
            .find(|name| given(name) && !stops)
        {
            return Some((name, "`stops` needs `min` or `max`".into()));
        }
        if stops && !given("stops_stiffness") && !given("stops_restitution") {
            let first = if given("stops_min") { "stops_min" } else { "stops_max" };
            return Some((first, "a stop needs a `stiffness`, or a `restitution` if it is rigid".into()));
        }
        if let Some(name) = ["stops_stiffness", "stops_damping"]
            .into_iter()
            .find(|name| given(name) && given("stops_restitution"))
        {
            return Some((
                name,
                "a stop with `restitution` is rigid: it has no stiffness and no damping".into(),
            ));
        }
        if given("rest") && !given("stiffness") {
            return Some(("rest", "`rest` belongs to a spring, but there is no `stiffness`".into()));
        }
        self.friction_fault(coordinate)
    }

    fn friction_fault(&self, coordinate: Coordinate) -> Option<(&'static str, String)> {
        let values = self.values();
        let mut others = values.iter().map(|(name, _)| *name).filter(|name| name.starts_with("friction_"));
        let Some(coefficient) = self.friction_coefficient else {
            return others.next().map(|name| (name, "friction needs a `coefficient`".into()));
        };
        if let Some(at_rest) = self.friction_static.filter(|at_rest| *at_rest < coefficient) {
            let message = format!("static friction, {at_rest}, is less than sliding friction, {coefficient}");
            return Some(("friction_static", message));
        }
        if coordinate == Coordinate::Angle && self.friction_radius.is_none() {
            return Some(("friction_coefficient", "friction on an angle needs a `radius`".into()));
        }
        if coordinate == Coordinate::Displacement && self.friction_radius.is_some() {
            return Some(("friction_radius", "friction on a displacement has no `radius`".into()));
        }
        let idle = self.friction_reaction == Some(false) && self.friction_preload.is_none();
        idle.then(|| ("friction_reaction", "with `reaction = false`, friction needs a `preload`".into()))
    }
}

impl Fittings {
    /// That of one coordinate.
    pub fn on(&self, coordinate: Coordinate) -> &Fitting {
        match coordinate {
            Coordinate::Angle => &self.angle,
            Coordinate::Displacement => &self.displacement,
        }
    }

    /// That of one coordinate, to be changed.
    pub fn on_mut(&mut self, coordinate: Coordinate) -> &mut Fitting {
        match coordinate {
            Coordinate::Angle => &mut self.angle,
            Coordinate::Displacement => &mut self.displacement,
        }
    }

    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        self.angle.is_empty() && self.displacement.is_empty()
    }

    /// From values that were checked against the fields for these coordinates; `None` if one has the wrong kind.
    pub fn from_values(coordinates: &[Coordinate], values: &FieldValues) -> Option<Fittings> {
        let mut all = Fittings::default();
        for &coordinate in coordinates {
            let own = Fitting::fields().iter().enumerate().filter_map(|(k, field)| {
                let key = Fitting::key(coordinates, coordinate, k);
                let value = values.iter().find(|(name, _)| *name == key)?.1.clone();
                Some((field.name, value))
            });
            *all.on_mut(coordinate) = Fitting::from_values(&mut own.collect())?;
        }
        Some(all)
    }

    /// The values of all fields that are set, for a joint with these coordinates.
    pub fn values(&self, coordinates: &[Coordinate]) -> FieldValues {
        let on = |&coordinate: &Coordinate| {
            let own = self.on(coordinate).values().into_iter();
            own.filter_map(move |(name, value)| Some((key_of(coordinates, coordinate, name)?, value)))
        };
        coordinates.iter().flat_map(on).collect()
    }
}

/// The key of a field of [`Fitting`] on a coordinate.
fn key_of(coordinates: &[Coordinate], coordinate: Coordinate, name: &str) -> Option<&'static str> {
    let k = Fitting::fields().iter().position(|field| field.name == name)?;
    Some(Fitting::key(coordinates, coordinate, k))
}

/// What is wrong with the fittings of joints.
pub(super) fn errors(model: &Model, findings: &mut Vec<Finding>) {
    for (k, joint) in model.joints.iter().enumerate() {
        let coordinates = joint.kind.element().coordinates();
        for &coordinate in coordinates {
            if let Some((name, message)) = joint.fittings.on(coordinate).fault(coordinate) {
                let field = key_of(coordinates, coordinate, name).unwrap_or_default();
                findings.push(Finding::error(
                    Subject::Joint(k),
                    field,
                    format!("joint `{}`: {message}", joint.name),
                ));
            }
        }
    }
}

/// Adds what all joints are fitted with, behind the forces of the model.
pub(super) fn take_apart(model: &mut Model) -> Vec<FittedPart> {
    let mut parts = Vec::new();
    for k in 0..model.joints.len() {
        let made = forces_of(&model.joints[k]);
        if made.is_empty() {
            continue;
        }
        let first = model.forces.len();
        model.forces.extend(made);
        parts.push(FittedPart { joint: k, forces: first..model.forces.len() });
    }
    parts
}

/// The forces that the fittings of a joint are made into.
fn forces_of(joint: &Joint) -> Vec<Force> {
    let coordinates = joint.kind.element().coordinates();
    let mut forces: Vec<Force> = played(joint).into_iter().collect();
    for &(coordinate, word) in BOTH.iter().filter(|(coordinate, _)| coordinates.contains(coordinate)) {
        let own = joint.fittings.on(coordinate);
        let prefix = if coordinates.len() > 1 { word } else { "" };
        let mut add = |what: &str, kind: Option<ForceKind>| {
            let name = format!("{}.{prefix}{what}", joint.name);
            forces.extend(kind.map(|kind| Force { name, ends: Default::default(), kind }));
        };
        add("spring", own.spring(&joint.name, coordinate).map(Into::into));
        add("stops", own.stops(&joint.name, coordinate).map(Into::into));
        add("friction", own.friction(&joint.name, coordinate).map(Into::into));
    }
    forces
}

/// The force that takes the place of the equations of a joint with play.
fn played(joint: &Joint) -> Option<Force> {
    let play = joint.kind.element().play()?;
    let [joint1, joint2] = play.joints.map(String::from);
    let [stiffness, damping] = play.teeth;
    let (owner, ratio, width) = (joint.name.clone(), play.ratio, play.width);
    let kind = JointPlay { owner, joint1, joint2, ratio, width, stiffness, damping };
    Some(Force { name: format!("{}.play", joint.name), ends: Default::default(), kind: kind.into() })
}

/// Whether a joint makes forces.
pub(super) fn makes_forces(joint: &Joint) -> bool {
    !joint.fittings.is_empty() || joint.kind.element().play().is_some()
}
