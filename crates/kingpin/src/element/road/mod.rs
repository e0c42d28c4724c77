//! Road profiles: height over the distance travelled, as the centre of a wheel sees it.
//! One file each and a line below.

use crate::expr::Curve;
use crate::model::function::Function;
use crate::scalar::Scalar;

/// A profile ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub enum Profile {
    /// The same height everywhere.
    Flat(f64),
    /// A wheel of radius `wheel` rolling over a half cylinder of radius `radius` at `centre`.
    Bump {
        /// Place of the cylinder.
        centre: f64,
        /// Its radius.
        radius: f64,
        /// Radius of the wheel.
        wheel: f64,
    },
    /// Points, joined by a monotone cubic.
    Table(Curve),
    /// An expression of `x`.
    Expression(Function),
}

impl Profile {
    /// Height at `x`, generic so that slope and curvature come along.
    pub fn height<T: Scalar>(&self, x: T) -> T {
        match self {
            Profile::Flat(h) => T::from_f64(*h),
            // path of the lowest point of a rigid wheel: its centre moves on a circle of radius wheel + radius
            Profile::Bump { centre, radius, wheel } => {
                let (s, big) = (x - T::from_f64(*centre), wheel + radius);
                if s.value() * s.value() < big * big - wheel * wheel {
                    (T::from_f64(big * big) - s * s).sqrt() - T::from_f64(*wheel)
                } else {
                    T::zero()
                }
            }
            Profile::Table(curve) => curve.eval(x),
            Profile::Expression(f) => f.eval(&[x]),
        }
    }
}

/// What every road must be able to say.
pub trait RoadElement {
    /// The profile.
    fn profile(&self) -> Profile;
}

crate::element_list! {
    /// All roads.
    pub enum RoadKind: RoadElement {
        flat::FlatRoad = "flat",
        bump::BumpRoad = "bump",
        table::TableRoad = "table",
        expression::ExpressionRoad = "expression",
    }
}
