//! Joints at the start: their coordinates, and their place in the spanning tree.

use super::describe::{Described, Field};
use super::value::Value;
use crate::described;

described! {
    /// Initial coordinates of a joint. Each type accepts its free coordinates, by their names in the results, and
    /// their rates; the assembly keeps the given values. Angles are relative to the given pose of the bodies (or to
    /// coinciding markers), displacements are between the joint points. If any are given, bodies are positioned by
    /// their joints, from ground or floating bodies outwards, before the assembly: bodies whose joint has initial
    /// coordinates, all bodies beyond them, and bodies without a `position`. Coordinates that are not given are those
    /// of the given pose; displacements of bodies without a `position` start at zero.
    pub struct Start {
        /// Whether the joint is part of the spanning tree (`true`) or cut (`false`) when accelerations are computed
        /// in joint coordinates; chosen automatically if not given.
        tree: Option<bool> [Kind::Flag] = None;
        /// Initial angle, counted over full revolutions.
        angle: Option<f64> [Kind::Number("rad")] = None;
        /// Initial rate of the angle.
        angle_rate: Option<f64> [Kind::Number("rad/s")] = None;
        /// Initial displacement along the axis.
        displacement: Option<f64> [Kind::Number("m")] = None;
        /// Initial rate of the displacement.
        displacement_rate: Option<f64> [Kind::Number("m/s")] = None;
        /// Initial angle of the cross on the first body.
        angle1: Option<f64> [Kind::Number("rad")] = None;
        /// Its initial rate.
        angle1_rate: Option<f64> [Kind::Number("rad/s")] = None;
        /// Initial angle of the second body on the cross.
        angle2: Option<f64> [Kind::Number("rad")] = None;
        /// Its initial rate.
        angle2_rate: Option<f64> [Kind::Number("rad/s")] = None;
        /// Initial displacement along the x axis of the first frame.
        displacement_x: Option<f64> [Kind::Number("m")] = None;
        /// Its initial rate.
        displacement_x_rate: Option<f64> [Kind::Number("m/s")] = None;
        /// Initial displacement along the y axis of the first frame.
        displacement_y: Option<f64> [Kind::Number("m")] = None;
        /// Its initial rate.
        displacement_y_rate: Option<f64> [Kind::Number("m/s")] = None;
        /// Initial x component of the rotation vector (axis times angle) from the first frame to the second.
        rotation_x: Option<f64> [Kind::Number("rad")] = None;
        /// Its initial rate.
        rotation_x_rate: Option<f64> [Kind::Number("rad/s")] = None;
        /// Initial y component of that vector.
        rotation_y: Option<f64> [Kind::Number("rad")] = None;
        /// Its initial rate.
        rotation_y_rate: Option<f64> [Kind::Number("rad/s")] = None;
        /// Initial z component of that vector.
        rotation_z: Option<f64> [Kind::Number("rad")] = None;
        /// Its initial rate.
        rotation_z_rate: Option<f64> [Kind::Number("rad/s")] = None;
    }
}

impl Start {
    /// The fields that a joint with these coordinates takes.
    pub fn fields_for(coordinates: &[&str]) -> Vec<Field> {
        // `tree`, then every coordinate with its rate behind it
        let (tree, pairs) = Start::fields().split_at(1);
        let taken = pairs.chunks(2).filter(|pair| coordinates.contains(&pair[0].name));
        tree.iter().chain(taken.flatten()).copied().collect()
    }

    /// The coordinates and rates that are given, with the names of their fields.
    pub fn given(&self) -> Vec<(&'static str, f64)> {
        let number = |(name, value)| match value {
            Value::Number(x) => Some((name, x)),
            _ => None,
        };
        self.values().into_iter().filter_map(number).collect()
    }
}
