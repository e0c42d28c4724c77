//! Forces: one file each, composed of laws acting along directions. To add one, write its file and a line below.

use super::compose::Composer;
use crate::expr::Curve;
use crate::model::describe::Spaces;
use crate::model::ends::{Ends, EndsKind};
use crate::model::value::Vec3;

/// How pictures show a force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub enum ForceSymbol {
    /// A ring about the axis at the first point.
    #[default]
    Ring,
    /// A coil, a damper or both between two points, as stiffness and damping are.
    Coil,
    /// A damper between two points.
    Damper,
    /// An arrow along the direction, as long as the force is large.
    Arrow,
    /// The same with two tips; in the plane a ring.
    TwoTips,
    /// An arrow against gravity, from the radius below the point.
    Contact,
    /// A rod between two points, as thick as the radius says.
    Bar,
}

impl ForceSymbol {
    /// Its name in data for pictures.
    pub fn name(self) -> &'static str {
        match self {
            ForceSymbol::Ring => "ring",
            ForceSymbol::Coil => "coil",
            ForceSymbol::Damper => "damper",
            ForceSymbol::Arrow => "arrow",
            ForceSymbol::TwoTips => "two-tips",
            ForceSymbol::Contact => "contact",
            ForceSymbol::Bar => "bar",
        }
    }
}

/// Which road a force runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub enum OnRoad<'a> {
    /// On none.
    Nowhere,
    /// On the only one there is.
    Only,
    /// On the one of that name.
    Named(&'a str),
}

/// What pictures and reports show of a force.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(hidden)]
pub struct Portrait {
    /// How it is drawn.
    pub symbol: ForceSymbol,
    /// Its stiffness: mean slope, the largest of several directions.
    pub stiffness: Option<f64>,
    /// Its damping, likewise.
    pub damping: Option<f64>,
    /// The direction it acts along.
    pub direction: Option<Vec3>,
    /// Whether the direction turns with the body.
    pub body_fixed: Option<bool>,
    /// The radius of a wheel or a bar.
    pub radius: Option<f64>,
}

impl Portrait {
    /// A spring with a damper, each with what a curve adds.
    fn of_law(
        symbol: ForceSymbol,
        (stiffness, spring): (f64, Option<&Curve>),
        (damping, damper): (f64, Option<&Curve>),
    ) -> Portrait {
        let slope = |curve: Option<&Curve>| curve.map_or(0.0, Curve::mean_slope);
        Portrait {
            symbol,
            stiffness: Some(stiffness + slope(spring)),
            damping: Some(damping + slope(damper)),
            ..Portrait::default()
        }
    }

    /// Something applied along a direction.
    fn applied(symbol: ForceSymbol, direction: Vec3, body_fixed: bool) -> Portrait {
        Portrait { symbol, direction: Some(direction), body_fixed: Some(body_fixed), ..Portrait::default() }
    }
}

/// What every force must be able to say.
#[doc(hidden)]
pub trait ForceElement {
    /// Which ends it has.
    fn ends(&self) -> EndsKind;
    /// Which ends it has, given the ends that were described: an element that may refer to a joint instead
    /// has none then.
    fn ends_of(&self, _: &Ends) -> EndsKind {
        self.ends()
    }
    /// In which models it makes sense.
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    /// The joint it sits on, where it has no ends of its own.
    fn joint(&self) -> Option<&str> {
        None
    }
    /// The road it runs on.
    fn road(&self) -> OnRoad<'_> {
        OnRoad::Nowhere
    }
    /// Whether it belongs to the inside of a body: its ends are nodes of one body then.
    fn is_inner(&self) -> bool {
        false
    }
    /// What is shown of it.
    fn portrait(&self) -> Portrait {
        Portrait::default()
    }
    /// Its terms.
    fn compose(&self, c: &mut Composer);
}

crate::element_list! {
    /// All forces.
    pub enum ForceKind: ForceElement {
        spring::Spring = "spring",
        torsion_spring::TorsionSpring = "torsion-spring",
        bushing::Bushing = "bushing",
        applied_force::AppliedForce = "force",
        applied_torque::AppliedTorque = "torque",
        tyre::Tyre = "tyre",
        inerter::Inerter = "inerter",
        bar::Bar = "bar",
        cable::Cable = "cable",
        actuator::Actuator = "actuator",
        motor::Motor = "motor",
    }
    made {
        joint_spring::JointSpring = "joint-spring",
        joint_stops::JointStops = "joint-stops",
        joint_play::JointPlay = "joint-play",
        joint_friction::JointFriction = "joint-friction",
    }
}
