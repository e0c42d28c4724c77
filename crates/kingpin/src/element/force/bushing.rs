//! Bushing: stiffness and damping in all directions.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::{Axis, Composer};
use crate::element::equation::Words;
use crate::element::law::Law;
use crate::model::ends::EndsKind;
use crate::model::value::Vec3;

described! {
    /// An elastic bearing between two frames: springs and dampers along and about the three axes of the first frame
    /// (two and one in planar models). Displacements are the components of d in the first frame; rotations are the
    /// components of the rotation vector (axis times angle) from the first frame to the second, so that large
    /// rotations derive from an energy. It is unloaded when the frames coincide: coinciding markers, or bodies in the
    /// given pose.
    pub struct Bushing {
        /// Forces per displacement along x, y, z.
        stiffness: Vec3 [Kind::Vector("N/m"), range = Range::NonNegative] = Vec3::zeros();
        /// Forces per speed along x, y, z.
        damping: Vec3 [Kind::Vector("N*s/m"), range = Range::NonNegative] = Vec3::zeros();
        /// Torques per angle about x, y, z.
        rotational_stiffness: Vec3 [Kind::Spin("N*m/rad"), range = Range::NonNegative] = Vec3::zeros();
        /// Torques per angular speed about x, y, z.
        rotational_damping: Vec3 [Kind::Spin("N*m*s/rad"), range = Range::NonNegative] = Vec3::zeros();
    }
}

impl ForceElement for Bushing {
    fn ends(&self) -> EndsKind {
        EndsKind::Frames
    }
    fn portrait(&self) -> Portrait {
        Portrait::of_law(ForceSymbol::Ring, (self.stiffness.max(), None), (self.damping.max(), None))
    }
    fn compose(&self, c: &mut Composer) {
        let slides: &[Axis] = if c.is_spatial() { &Axis::ALL } else { &Axis::ALL[..2] };
        for &axis in slides {
            let k = axis as usize;
            let law = Law { stiffness: self.stiffness[k], damping: self.damping[k], ..Law::default() };
            let probe = c.probe_offset(axis);
            let label = axis.pick(["force along x", "force along y", "force along z"]);
            let (value, strength) = (axis.pick(["dx", "dy", "dz"]), axis.pick(["fx", "fy", "fz"]));
            c.spring(probe, law, Words { label, value, rate: "", strength, power: "", about: None });
        }
        if !c.is_spatial() {
            let law = Law {
                stiffness: self.rotational_stiffness.z,
                damping: self.rotational_damping.z,
                ..Law::default()
            };
            let probe = c.probe_angle_from_given();
            let words = Words { label: "torque", value: "angle", rate: "", strength: "t", power: "", about: None };
            c.spring(probe, law, words);
            return;
        }
        for axis in Axis::ALL {
            let k = axis as usize;
            let law = Law {
                stiffness: self.rotational_stiffness[k],
                damping: self.rotational_damping[k],
                ..Law::default()
            };
            let probe = c.probe_rotation(axis);
            let label = axis.pick(["torque about x", "torque about y", "torque about z"]);
            let (value, strength) = (axis.pick(["rx", "ry", "rz"]), axis.pick(["tx", "ty", "tz"]));
            c.spring(probe, law, Words { label, value, rate: "", strength, power: "", about: None });
        }
    }
}
