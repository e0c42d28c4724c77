//! Fields of joints that count the other way where an assembly is mirrored: springs, stops, what joints start from.

use super::moved::{Moving, Stuck};
use super::values::text_of;
use crate::catalog::Parts;
use kingpin::model::describe::FieldValues;
use kingpin::model::value::Value;
use kingpin::model::{Space, Vec3};

impl Moving<'_> {
    /// Springs and stops on a coordinate of a joint that counts the other way in the mirror image.
    pub(super) fn fittings(&self, fitting: &mut FieldValues) {
        let word = match (self.space, self.kind.tag) {
            _ if !self.placement.is_mirrored() => return,
            (Space::Planar, "revolute") => "",
            (Space::Planar, "pin-in-slot") => "angle_",
            (Space::Spatial, "cylindrical" | "screw") => "displacement_",
            _ => return,
        };
        let given = |key: &str, fitting: &mut FieldValues| {
            let at = fitting.iter().position(|(name, _)| name.strip_prefix(word) == Some(key))?;
            match fitting.remove(at).1 {
                Value::Number(x) => Some(-x),
                _ => None,
            }
        };
        let other = [
            ("rest", "rest"),
            ("preload", "preload"),
            ("stops_min", "stops_max"),
            ("stops_max", "stops_min"),
        ];
        let moved = other.map(|(from, to)| (to, given(from, fitting)));
        for (to, value) in moved {
            let field = self.kind.fields.iter().find(|(_, field)| field.name.strip_prefix(word) == Some(to));
            if let (Some(x), Some((_, field))) = (value, field) {
                fitting.push((field.name, Value::Number(x)));
            }
        }
    }

    /// Coordinates that a joint starts from.
    pub(super) fn start(&self, parts: &mut Parts) -> Result<(), Stuck> {
        let (sign, by_markers) = (self.placement.sign(), text_of(&parts.ends, "marker1").is_some());
        let (loose, turned) = (self.is_loose(&parts.ends), self.is_turned_on_others(&parts.ends));
        for (key, value) in &mut parts.start {
            let Value::Number(x) = value else { continue };
            let coordinate = key.strip_suffix("_rate").unwrap_or(key);
            let needs_axes = match coordinate {
                "displacement_x" | "displacement_y" => loose,
                "rotation_x" | "rotation_y" | "rotation_z" => turned && !by_markers,
                _ => false,
            };
            if needs_axes && self.space == Space::Spatial {
                let why = "is along axes that are not given and depend on the orientation of the \
                         assembly: give markers";
                return Err((key, format!("`{key}` {why}")));
            }
            let sense = match (coordinate, self.space) {
                ("angle", Space::Planar) => sign,
                ("displacement", _) if matches!(self.kind.tag, "cylindrical" | "screw") => sign,
                ("rotation_x", _) => self.rotation_sense(Vec3::x(), by_markers),
                ("rotation_y", _) => self.rotation_sense(Vec3::y(), by_markers),
                ("rotation_z", _) => self.rotation_sense(Vec3::z(), by_markers),
                _ => 1.0,
            };
            *x *= sense;
        }
        Ok(())
    }

    /// Whether a rotation about an axis of the first frame goes the other way.
    fn rotation_sense(&self, axis: Vec3, by_markers: bool) -> f64 {
        let mirrored = match by_markers {
            true => self.placement.sign() * self.placement.within_marker(&axis, self.space),
            false => self.placement.spin_within(&axis),
        };
        mirrored.sum()
    }
}
