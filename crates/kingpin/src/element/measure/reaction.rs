//! Reactions of joints and drivers.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Composer, Probe};
use crate::element::reading::{Reading, ReadingPart};

described! {
    /// A component of the reaction of a joint or driver: of the force and the torque that it exerts on its second
    /// body, at the joint. It has no rate. A force can depend on it: accelerations and reactions are then solved
    /// together, and implicit methods need dense matrices.
    pub struct MeasuredReaction {
        /// The joint; or give a `driver`.
        joint: Option<String> [Kind::Refer(Target::Joint)] = None;
        /// The driver.
        driver: Option<String> [Kind::Refer(Target::Driver)] = None;
        /// The component, the magnitude of `force` or `torque`, or for a driver the generalized force along its
        /// coordinate, `drive_force` or `drive_torque`.
        component: String [Kind::Choice(&[
            "force", "force_x", "force_y", "force_z", "torque", "torque_x", "torque_y", "torque_z", "drive_force",
            "drive_torque",
        ])];
        /// The body in whose axes components are; default: global axes.
        axes: Option<String> [Kind::Refer(Target::Body)] = None;
        /// The marker in whose axes they are, instead of a body.
        axes_marker: Option<String> [Kind::Refer(Target::Marker)] = None;
    }
}

impl MeasureElement for MeasuredReaction {
    fn unit(&self) -> &'static str {
        if self.component.contains("torque") { "N*m" } else { "N" }
    }
    fn compose(&self, _: &mut Composer) -> Option<Probe> {
        None
    }
    fn reading(&self, c: &mut Composer) -> Option<Reading> {
        let (joints, drivers) = (&c.given.names.joints, &c.model.drivers);
        let group = match (&self.joint, &self.driver) {
            (Some(joint), None) => joints.get(joint).copied(),
            (None, Some(driver)) => {
                let place = drivers.iter().position(|own| own.name == *driver);
                place.map(|place| c.model.joints.len() + place)
            }
            _ => {
                c.complain("joint", "a reaction belongs to a `joint` or a `driver`: give one of them".into());
                None
            }
        }?;
        let (frame, axes) = c.axes_named(self.axes.as_deref(), self.axes_marker.as_deref())?;
        if self.component.starts_with("drive_") {
            if self.driver.is_none() {
                c.complain("component", format!("`{}` belongs to a `driver`", self.component));
                return None;
            }
            return Some(Reading { group, part: ReadingPart::Drive });
        }
        let (what, axis) = self.component.split_once('_').unwrap_or((&self.component, ""));
        let axis = ["x", "y", "z"].iter().position(|name| *name == axis);
        let fits = |axis: usize| c.is_spatial() || (what == "torque") == (axis == 2);
        if let Some(axis) = axis.filter(|&axis| !fits(axis)) {
            let known = if what == "torque" { "`torque_z`" } else { "`force_x` and `force_y`" };
            let message = format!("a planar model has no {what} along {}, only {known}", ["x", "y", "z"][axis]);
            c.complain("component", message);
            return None;
        }
        let column = |axis: usize| axes.column(axis).into_owned().into();
        let part = match (what, axis) {
            ("torque", None) => ReadingPart::TorqueSize,
            ("torque", Some(axis)) => ReadingPart::Torque { along: column(axis), frame },
            (_, None) => ReadingPart::ForceSize,
            (_, Some(axis)) => ReadingPart::Force { along: column(axis), frame },
        };
        Some(Reading { group, part })
    }
}
