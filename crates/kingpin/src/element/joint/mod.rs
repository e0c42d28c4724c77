//! Joints: one file each, composed of basic constraints. To add one, write its file and a line below.

use super::articulation::Articulation;
use super::basic::Basic;
use super::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

/// A coordinate that a joint leaves free and that can be driven, measured or sprung.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Coordinate {
    /// Angle about the joint axis, from the first body to the second.
    Angle,
    /// Displacement along the joint axis, from the first body to the second.
    Displacement,
}

/// A coordinate of a joint as results show it; its rate is shown beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct Observed {
    /// What it is called behind the name of the joint.
    pub name: &'static str,
    /// What it is, in words.
    pub about: &'static str,
    /// What is probed.
    pub probe: Basic,
}

/// Play between the angles of two hinges: ratio angle 1 + angle 2 stays within a width, but for what teeth yield.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct Play<'a> {
    /// The hinges.
    pub joints: [&'a str; 2],
    /// Weight of the first angle.
    pub ratio: f64,
    /// Width of the play, as an angle of the second.
    pub width: f64,
    /// Torque per angle, and per angular speed, of the second.
    pub teeth: [f64; 2],
}

/// How pictures show a joint; its axis and points come from its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub enum JointSymbol {
    /// A small ball at the first point.
    #[default]
    Dot,
    /// A pin along the axis; in the plane a ring with a pin, on the ground with hatching.
    Pin,
    /// A ball.
    Ball,
    /// A pin on each body, along its axis.
    Cross,
    /// A long sleeve along the axis.
    Sleeve,
    /// A guide along the axis, and what slides in it.
    Guide,
    /// A disc across the axis.
    Disc,
    /// A rod between the points.
    Rod,
    /// A block.
    Block,
}

impl JointSymbol {
    /// Its name in data for pictures.
    pub fn name(self) -> &'static str {
        match self {
            JointSymbol::Dot => "dot",
            JointSymbol::Pin => "pin",
            JointSymbol::Ball => "ball",
            JointSymbol::Cross => "cross",
            JointSymbol::Sleeve => "sleeve",
            JointSymbol::Guide => "guide",
            JointSymbol::Disc => "disc",
            JointSymbol::Rod => "rod",
            JointSymbol::Block => "block",
        }
    }
}

/// What every joint must be able to say.
#[doc(hidden)]
pub trait JointElement {
    /// Which ends it has.
    fn ends(&self) -> EndsKind;
    /// In which models it makes sense.
    fn spaces(&self) -> Spaces;
    /// Its equations.
    fn compose(&self, c: &mut Composer);
    /// The coordinates it leaves free that others may refer to.
    fn coordinates(&self) -> &'static [Coordinate] {
        &[]
    }
    /// How it can carry its second body from its first as a joint of a spanning tree; `None` if it cannot.
    fn articulate(&self, _: &Composer) -> Option<Articulation> {
        None
    }
    /// How it is drawn.
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Dot
    }
    /// The joints that it couples, by name, for pictures and reports.
    fn couples(&self) -> Vec<&str> {
        Vec::new()
    }
    /// The play between the coordinates that it couples, if it has some: a force takes the place of its equations.
    fn play(&self) -> Option<Play<'_>> {
        None
    }
    /// The names of the coordinates that initial values may be given for: those of a tree joint.
    fn starts(&self) -> &'static [&'static str] {
        &[]
    }
    /// The coordinates that results show: those that others may refer to, unless a joint knows better.
    fn observe(&self, c: &mut Composer) -> Vec<Observed> {
        let observe = |coordinate: &Coordinate| match coordinate {
            Coordinate::Angle => {
                let about = "angle about the joint axis from the first body to the second, counted over \
                         full revolutions";
                Observed { name: "angle", about, probe: c.probe_angle() }
            }
            Coordinate::Displacement => {
                let about = "displacement along the joint axis from the first body to the second";
                Observed { name: "displacement", about, probe: c.probe_displacement() }
            }
        };
        self.coordinates().iter().map(observe).collect()
    }
}

crate::element_list! {
    /// All joints.
    pub enum JointKind: JointElement {
        fixed::Fixed = "fixed",
        revolute::Revolute = "revolute",
        translational::Translational = "translational",
        cylindrical::Cylindrical = "cylindrical",
        spherical::Spherical = "spherical",
        universal::Universal = "universal",
        planar::Planar = "planar",
        distance::Distance = "distance",
        revolute_spherical::RevoluteSpherical = "revolute-spherical",
        point_on_line::PointOnLine = "point-on-line",
        pin_in_slot::PinInSlot = "pin-in-slot",
        point_in_plane::PointInPlane = "point-in-plane",
        screw::Screw = "screw",
        gear::Gear = "gear",
        differential::Differential = "differential",
        rack_and_pinion::RackAndPinion = "rack-and-pinion",
        absolute_x::AbsoluteX = "absolute-x",
        absolute_y::AbsoluteY = "absolute-y",
        absolute_angle::AbsoluteAngle = "absolute-angle",
    }
    made {
        interface::Interface = "interface",
    }
}
