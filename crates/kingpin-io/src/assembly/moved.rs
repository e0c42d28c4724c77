//! The fields of an item of an assembly, moved to where the assembly stands.

use super::placement::Placement;
use super::values::{find, is_point, number_of, set, text_of, vector, vector_of};
use crate::catalog::{ItemKind, Parts, Section};
use kingpin::model::describe::FieldValues;
use kingpin::model::value::Value;
use kingpin::model::{GROUND, Orientation, Space, Vec3};

/// A field that cannot be moved, and why.
pub(crate) type Stuck = (&'static str, String);

/// Joints and measures whose axis is a direction to slide along, not to turn about.
const SLIDES: [&str; 5] = ["translational", "point-on-line", "point-in-plane", "pin-in-slot", "offset"];

/// An item on its way.
pub(crate) struct Moving<'a> {
    pub placement: &'a Placement,
    pub space: Space,
    pub section: Section,
    pub kind: &'static ItemKind,
    /// What stands before the names of items of the assembly.
    pub prefix: &'a str,
}

/// Whose axes a vector is given in.
#[derive(Clone, Copy, PartialEq)]
enum Axes {
    Global,
    /// Those of a body of the assembly.
    Own,
    /// Those of a marker of the assembly.
    Marker,
    /// Those of something around the assembly.
    Outer,
}

impl Moving<'_> {
    /// Moves all fields; the error says what cannot be moved.
    pub fn apply(&self, parts: &mut Parts) -> Result<(), Stuck> {
        if self.placement.is_here() {
            return Ok(());
        }
        match self.section {
            Section::Body => self.body(&mut parts.own),
            Section::Superelement | Section::Structure => self.mesh(&mut parts.own)?,
            Section::Marker => self.marker(&mut parts.own)?,
            Section::Beam => self.beam(&mut parts.own)?,
            Section::Cable => {
                for key in ["from", "to"] {
                    vector(&mut parts.own, key, |x| self.placement.point(x));
                }
            }
            _ => self.element(parts)?,
        }
        Ok(())
    }

    /// A body, or a mesh that is placed like one.
    fn body(&self, own: &mut FieldValues) {
        let placement = self.placement;
        let position = vector_of(own, "position").unwrap_or_default();
        set(own, "position", Value::Vector(placement.point(&position)));
        vector(own, "velocity", |x| placement.direction(x));
        vector(own, "angular_velocity", |x| placement.spin_within(x));
        vector(own, "com", |x| placement.within(x));
        if let Some(Value::Inertia(j)) = find(own, "inertia") {
            *j = placement.inertia(j);
        }
        match self.space {
            Space::Planar => {
                let angle = number_of(own, "angle").unwrap_or(0.0);
                set(own, "angle", Value::Number(placement.angle(angle)));
            }
            Space::Spatial => {
                let turn = match find(own, "orientation") {
                    Some(Value::Orientation(given)) => placement.orientation(given),
                    _ => placement.orientation(&Orientation::IDENTITY),
                };
                if turn != Orientation::IDENTITY && !is_point(own) {
                    set(own, "orientation", Value::Orientation(turn));
                }
            }
        }
    }

    fn mesh(&self, own: &mut FieldValues) -> Result<(), Stuck> {
        if self.placement.is_mirrored() {
            return Err(("name", format!("a {} cannot be mirrored", self.section.word())));
        }
        self.body(own);
        vector(own, "load_direction", |x| self.placement.direction(x));
        Ok(())
    }

    fn beam(&self, own: &mut FieldValues) -> Result<(), Stuck> {
        let placement = self.placement;
        if placement.is_mirrored() {
            return Err(("name", "a beam cannot be mirrored".into()));
        }
        if self.space == Space::Spatial && !placement.is_upright() && find(own, "up").is_none() {
            return Err(("name", "a beam of a rotated assembly needs `up`".into()));
        }
        for key in ["from", "to", "through"] {
            vector(own, key, |x| placement.point(x));
        }
        if let Some(Value::Path(path)) = find(own, "path") {
            path.iter_mut().for_each(|x| *x = placement.point(x));
        }
        for key in ["up", "load_direction", "velocity"] {
            vector(own, key, |x| placement.direction(x));
        }
        vector(own, "angular_velocity", |x| placement.spin(x));
        Ok(())
    }

    fn marker(&self, own: &mut FieldValues) -> Result<(), Stuck> {
        let placement = self.placement;
        let given_globally = matches!(find(own, "global"), Some(Value::Flag(true)));
        let axes = match text_of(own, "body") {
            Some(_) if given_globally => Axes::Global,
            Some(body) => self.axes_of(&body),
            None => Axes::Outer,
        };
        if axes == Axes::Outer {
            let why = "is outside the assembly, and its axes are not those of the assembly: set `global = \
                 true`";
            return Err(("body", format!("the body of this marker {why}")));
        }
        let global = axes == Axes::Global;
        let position = vector_of(own, "position").unwrap_or_default();
        let moved = if global { placement.point(&position) } else { placement.within(&position) };
        set(own, "position", Value::Vector(moved));
        if self.space == Space::Planar {
            let angle = number_of(own, "angle").unwrap_or(0.0);
            set(own, "angle", Value::Number(placement.marker_angle(angle, global)));
            return Ok(());
        }
        if find(own, "axis").is_some() {
            vector(own, "axis", |x| if global { placement.spin(x) } else { placement.spin_within(x) });
            return Ok(());
        }
        let given = match find(own, "orientation") {
            Some(Value::Orientation(given)) => *given,
            _ => Orientation::IDENTITY,
        };
        let turn = placement.marker(&given, global, self.space);
        if turn != Orientation::IDENTITY {
            set(own, "orientation", Value::Orientation(turn));
        }
        Ok(())
    }

    fn element(&self, parts: &mut Parts) -> Result<(), Stuck> {
        let placement = self.placement;
        for key in ["at", "at1", "at2"] {
            vector(&mut parts.ends, key, |x| placement.point(x));
        }
        for (body, point, at, axis) in [
            ("body", "point", "at", ""),
            ("body1", "point1", "at1", "axis1"),
            ("body2", "point2", "at2", "axis2"),
        ] {
            self.end(&mut parts.ends, body, [point, at, axis])?;
        }
        vector(&mut parts.ends, "axis", |x| self.turn(Axes::Global, x));
        self.own_fields(parts)?;
        self.fittings(&mut parts.fitting);
        self.start(parts)
    }

    /// One end: a place and an axis on a body.
    fn end(
        &self,
        ends: &mut FieldValues,
        body: &'static str,
        [point, at, axis]: [&'static str; 3],
    ) -> Result<(), Stuck> {
        let Some(name) = text_of(ends, body) else { return Ok(()) };
        let axes = self.axes_of(&name);
        let outside = |key: &'static str, other: &str| {
            let message = format!(
                "`{key}` is in the axes of `{name}`, which is outside the assembly, whose position \
                     it does not follow: give `{other}`"
            );
            Err((key, message))
        };
        let placed = find(ends, at).is_some() || find(ends, "at").is_some();
        match (vector_of(ends, point), axes) {
            (Some(_), Axes::Outer) => return outside(point, at),
            (Some(x), Axes::Own) => set(ends, point, Value::Vector(self.placement.within(&x))),
            (Some(x), _) => set(ends, point, Value::Vector(self.placement.point(&x))),
            // the origin of the ground of the assembly
            (None, Axes::Global) if !placed => {
                set(ends, point, Value::Vector(self.placement.point(&Vec3::zeros())));
            }
            _ => {}
        }
        match vector_of(ends, axis) {
            Some(_) if axes == Axes::Outer => outside(axis, "axis"),
            Some(x) => {
                set(ends, axis, Value::Vector(self.turn(axes, &x)));
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// An axis of the element, by what it is for.
    fn turn(&self, axes: Axes, x: &Vec3) -> Vec3 {
        let slides = self.space == Space::Planar || SLIDES.contains(&self.kind.tag);
        match (axes, slides) {
            (Axes::Global, true) => self.placement.direction(x),
            (Axes::Global, false) => self.placement.spin(x),
            (_, true) => self.placement.within(x),
            (_, false) => self.placement.spin_within(x),
        }
    }

    /// What belongs to kinds of elements.
    fn own_fields(&self, parts: &mut Parts) -> Result<(), Stuck> {
        let (placement, mirrored) = (self.placement, self.placement.is_mirrored());
        let axes = self.only_end(&parts.ends);
        let own = &mut parts.own;
        match (self.section, self.kind.tag) {
            (Section::Shape, "box") if axes == Axes::Global && !placement.is_upright() => {
                return Err(("size", "a box on the ground of a rotated assembly needs a marker".into()));
            }
            (Section::Shape, "mesh") => self.mesh_shape(own, axes)?,
            (Section::Shape, _) => {
                let spatial = self.space == Space::Spatial;
                if axes == Axes::Global && spatial && self.kind.default_of("direction").is_some() {
                    let direction = vector_of(own, "direction").unwrap_or(Vec3::z());
                    set(own, "direction", Value::Vector(direction));
                }
                for key in ["to", "direction"] {
                    if axes == Axes::Outer
                        && find(own, key).is_some()
                        && text_of(&parts.ends, "marker").is_none()
                    {
                        let why = "is in the axes of a body outside the assembly: give the shape a marker";
                        return Err((if key == "to" { "to" } else { "direction" }, format!("`{key}` {why}")));
                    }
                    vector(own, key, |x| match axes {
                        Axes::Global => placement.direction(x),
                        Axes::Own => placement.within(x),
                        Axes::Marker => placement.within_marker(x, self.space),
                        Axes::Outer => *x,
                    });
                }
            }
            (Section::Force, "torque") if self.space == Space::Planar && mirrored => {
                return Err(("magnitude", "a torque cannot be mirrored in a planar model".into()));
            }
            (Section::Force, "torque") if self.space == Space::Planar => {}
            (Section::Force, tag @ ("force" | "torque")) => {
                let fixed = matches!(find(own, "body_fixed"), Some(Value::Flag(true)));
                let given = vector_of(own, "direction").unwrap_or(Vec3::z());
                let sign = if tag == "torque" { placement.sign() } else { 1.0 };
                let moved = match (fixed, axes) {
                    (true, Axes::Outer) => {
                        let why =
                            "rotates with a body outside the assembly, whose position it does not follow";
                        return Err(("direction", format!("`direction` {why}")));
                    }
                    (true, Axes::Own | Axes::Marker) => placement.within(&given),
                    _ => placement.direction(&given),
                };
                set(own, "direction", Value::Vector(sign * moved));
            }
            (Section::Force, "bushing") => self.bushing(&parts.ends, own)?,
            (Section::Joint, "screw") => {
                if let Some(Value::Number(pitch)) = find(own, "pitch") {
                    *pitch *= placement.sign();
                }
            }
            (Section::Force, "torsion-spring" | "motor")
            | (Section::Driver, "angle")
            | (Section::Joint, "rack-and-pinion")
                if mirrored && self.space == Space::Planar =>
            {
                let what = format!("a `{}` {}", self.kind.tag, self.section.word());
                let why = "cannot be mirrored in a planar model, where mirroring reverses angles";
                return Err(("name", format!("{what} {why}")));
            }
            _ => {}
        }
        Ok(())
    }

    /// A mesh, which has axes of its own and is mirrored with its assembly.
    fn mesh_shape(&self, own: &mut FieldValues, axes: Axes) -> Result<(), Stuck> {
        let flip = match axes {
            Axes::Global if !self.placement.is_upright() => {
                let why = "a mesh on the ground of a rotated assembly needs a marker";
                return Err(("file", why.into()));
            }
            Axes::Marker => self.placement.within_marker(&Vec3::new(1.0, 1.0, 1.0), self.space),
            Axes::Global | Axes::Own => self.placement.within(&Vec3::new(1.0, 1.0, 1.0)),
            Axes::Outer => return Ok(()),
        };
        let given = match find(own, "mirror") {
            Some(Value::Texts(given)) => given.clone(),
            _ => Vec::new(),
        };
        let axes = ["x", "y", "z"].into_iter().zip(flip.iter());
        let mirrored = axes.filter(|(axis, flip)| given.iter().any(|own| own == axis) != (**flip < 0.0));
        let mirrored: Vec<String> = mirrored.map(|(axis, _)| axis.to_string()).collect();
        if mirrored != given {
            set(own, "mirror", Value::Texts(mirrored));
        }
        Ok(())
    }

    /// Whether axes that are not given may be others than those of the assembly as it was described: they are chosen
    /// in the axes of the first body.
    pub(super) fn is_loose(&self, ends: &FieldValues) -> bool {
        text_of(ends, "marker1").is_none() && (self.placement.is_mirrored() || self.is_turned_on_others(ends))
    }

    /// Whether the assembly is turned against the first body.
    pub(super) fn is_turned_on_others(&self, ends: &FieldValues) -> bool {
        let own = text_of(ends, "body1").is_some_and(|body| self.axes_of(&body) == Axes::Own);
        !own && !self.placement.is_upright()
    }

    /// A bushing must be alike in all directions across an axis that is given alone.
    fn bushing(&self, ends: &FieldValues, own: &FieldValues) -> Result<(), Stuck> {
        let axis = ["axis", "axis1", "axis2"].into_iter().any(|key| vector_of(ends, key).is_some());
        let by_markers = text_of(ends, "marker1").is_some();
        if self.space == Space::Planar || by_markers {
            return Ok(());
        }
        if !axis && self.is_turned_on_others(ends) {
            let why = "a bushing uses the axes of its first body, relative to which the assembly is rotated: \
                 give markers";
            return Err(("name", why.into()));
        }
        for key in ["stiffness", "damping", "rotational_stiffness", "rotational_damping"] {
            if axis && self.is_loose(ends) && vector_of(own, key).is_some_and(|x| x.x != x.y) {
                let why = "differs along x and y, whose directions an axis alone does not define here: give \
                     markers";
                let field = self.kind.fields.iter().find(|(_, field)| field.name == key);
                return Err((field.map_or("name", |(_, field)| field.name), format!("`{key}` {why}")));
            }
        }
        Ok(())
    }

    /// Whose axes an element with one end is in.
    fn only_end(&self, ends: &FieldValues) -> Axes {
        match (text_of(ends, "marker"), text_of(ends, "body")) {
            (Some(marker), _) if marker.starts_with(self.prefix) => Axes::Marker,
            (Some(_), _) => Axes::Outer,
            (None, Some(body)) => self.axes_of(&body),
            (None, None) => Axes::Global,
        }
    }

    fn axes_of(&self, body: &str) -> Axes {
        match body {
            GROUND => Axes::Global,
            own if own.starts_with(self.prefix) => Axes::Own,
            _ => Axes::Outer,
        }
    }
}
