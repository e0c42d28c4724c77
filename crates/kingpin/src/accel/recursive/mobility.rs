//! What a tree joint lets its outboard body do: the kernel that suits the articulation that the joint gives itself.

use super::super::problem::Problem;
use crate::element::articulation::{Articulation, JointMotion, MotionKind, Side};
use crate::model::finding::Subject;
use crate::spatial::V3;
use crate::system::System;

/// A vector fixed to a body; the number of bodies stands for ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axle {
    pub body: usize,
    pub dir: V3,
}

/// A joint point in the axes of the outboard and of the inboard body. Accelerations go from body to body along these
/// arms and not along differences of positions: so points that have drifted apart a little accelerate alike, as
/// their equations say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Points {
    pub outboard: V3,
    pub inboard: V3,
}

/// The motion of a body relative to its inboard body. Points and vectors are in the axes of the outboard body
/// unless said otherwise; `s` is the joint point of that body, where its accelerations are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mobility {
    /// No joint: all velocities of the centre of mass.
    Free,
    /// No joint, and nothing that turns: the velocities of a point.
    Point,
    /// No motion.
    Rigid,
    /// Turns about an axis through the point (planar: about the point).
    Hinge { s: Points, axis: Axle },
    /// Turns about the point.
    Ball { s: Points },
    /// Turns about two pins through the point, one on the inboard and one on the outboard body.
    Universal { s: Points, inboard: Axle, outboard: V3 },
    /// Moves along an axis.
    Slide { s: V3, axis: Axle },
    /// Moves along an axis and turns about it.
    Cylinder { s: V3, axis: Axle },
    /// Whatever the equations leave free: the null space of the block of the joint on its outboard body.
    Algebraic,
}

impl Mobility {
    /// What a joint that holds `outboard` lets it do. A joint without an articulation, or with equations left out
    /// because others say the same, leaves free what its remaining equations leave free.
    pub fn of(system: &System, problem: &Problem, group: usize, outboard: usize) -> Mobility {
        let own = &system.layout.groups[group];
        let complete = problem.groups[group].len() == own.rows.len();
        let given = match own.subject {
            Subject::Joint(k) if complete => system.articulations.get(k).copied().flatten(),
            _ => None,
        };
        match given {
            Some(joint) if joint.outboard == outboard => Mobility::along(&joint),
            Some(joint) if joint.inboard == outboard => Mobility::along(&joint.reverse()),
            _ => Mobility::Algebraic,
        }
    }

    /// The kernel of an articulation; motions that have none are left to the null space.
    fn along(joint: &Articulation) -> Mobility {
        let s = Points { outboard: joint.point_out, inboard: joint.point_in };
        let axle = |motion: &JointMotion| {
            let body = if motion.side == Side::Inboard { joint.inboard } else { joint.outboard };
            Axle { body, dir: motion.axis }
        };
        // by the number of elementary motions and what they are
        match joint.motions() {
            [] => Mobility::Rigid,
            [one] => match one.kind {
                MotionKind::Turn => Mobility::Hinge { s, axis: axle(one) },
                MotionKind::Ball => Mobility::Ball { s },
                MotionKind::Slide => Mobility::Slide { s: s.outboard, axis: axle(one) },
                MotionKind::Screw { .. } => Mobility::Algebraic,
            },
            [one, two] => match (one.kind, two.kind) {
                (MotionKind::Turn, MotionKind::Turn)
                    if (one.side, two.side) == (Side::Inboard, Side::Outboard) =>
                {
                    Mobility::Universal { s, inboard: axle(one), outboard: two.axis }
                }
                (MotionKind::Turn, MotionKind::Slide) | (MotionKind::Slide, MotionKind::Turn)
                    if axle(one) == axle(two) =>
                {
                    Mobility::Cylinder { s: s.outboard, axis: axle(one) }
                }
                _ => Mobility::Algebraic,
            },
            _ => Mobility::Algebraic,
        }
    }

    /// Coordinates, with `n` velocities per body and `rows` equations of the joint.
    pub fn freedoms(&self, n: usize, rows: usize) -> usize {
        match self {
            Mobility::Free | Mobility::Point => n,
            Mobility::Rigid => 0,
            Mobility::Hinge { .. } | Mobility::Slide { .. } => 1,
            Mobility::Ball { .. } => 3,
            Mobility::Universal { .. } | Mobility::Cylinder { .. } => 2,
            Mobility::Algebraic => n - rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::joint::{
        Cylindrical, Distance, Fixed, JointKind, PinInSlot, Planar, Revolute, Screw, Spherical,
        Translational, Universal,
    };
    use crate::model::{Body, Ends, Model, Space};

    /// What a joint between ground and a body lets the body do, the body being its second or its first.
    fn mobility(kind: impl Into<JointKind>, space: Space, ends: [&str; 2]) -> Mobility {
        let mut model = Model::new("one joint", space);
        model.body(if space == Space::Planar {
            Body::planar("b", 1.0, 1.0)
        } else {
            Body::spatial("b", 1.0, [1.0; 3])
        });
        let kind = kind.into();
        let ends = match &kind {
            JointKind::Distance(_) => Ends::points(ends[0], [0.0; 3], ends[1], [0.0, 1.0, 0.0]),
            JointKind::Universal(_) => {
                Ends::at(ends[0], ends[1], [0.0; 3]).axes([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
            }
            JointKind::Spherical(_) | JointKind::Fixed(_) => Ends::at(ends[0], ends[1], [0.0; 3]),
            JointKind::Revolute(_) if space == Space::Planar => Ends::at(ends[0], ends[1], [0.0; 3]),
            _ => Ends::at(ends[0], ends[1], [0.0; 3]).axis([1.0, 0.0, 0.0]),
        };
        model.joint("j", ends, kind);
        let (system, _) = System::compile(&model).expect("a model");
        let problem = Problem::new(&system, &vec![false; system.constraints()]);
        Mobility::of(&system, &problem, 0, 0)
    }

    #[test]
    fn every_articulation_that_has_a_kernel_gets_it() {
        for ends in [["ground", "b"], ["b", "ground"]] {
            let space = |kind: JointKind| mobility(kind, Space::Spatial, ends);
            let plane = |kind: JointKind| mobility(kind, Space::Planar, ends);
            assert_eq!(space(Fixed {}.into()), Mobility::Rigid);
            assert!(matches!(space(Revolute {}.into()), Mobility::Hinge { .. }));
            assert!(matches!(space(Spherical {}.into()), Mobility::Ball { .. }));
            assert!(matches!(space(Universal {}.into()), Mobility::Universal { .. }));
            assert!(matches!(space(Translational {}.into()), Mobility::Slide { .. }));
            assert!(matches!(space(Cylindrical {}.into()), Mobility::Cylinder { .. }));
            assert_eq!(space(Screw { pitch: 0.1 }.into()), Mobility::Algebraic);
            assert_eq!(space(Planar {}.into()), Mobility::Algebraic);
            assert_eq!(space(Distance { length: None }.into()), Mobility::Algebraic);
            assert_eq!(plane(Fixed {}.into()), Mobility::Rigid);
            assert!(matches!(plane(Revolute {}.into()), Mobility::Hinge { .. }));
            assert!(matches!(plane(Translational {}.into()), Mobility::Slide { .. }));
            assert_eq!(plane(PinInSlot {}.into()), Mobility::Algebraic);
        }
    }
}
