//! Road profiles: height over the distance travelled, as the centre of a wheel sees it.
//! One file each and a line below.

use crate::expr::{Curve, Site};
use crate::model::function::Function;
use crate::scalar::Scalar;

/// A profile ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
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
    /// Points, joined in some way.
    Table(Curve),
    /// An expression of `x`.
    Expression(Function),
}

impl Profile {
    /// Where the height has corners: the places of the wheel centre at which a bump begins and ends.
    pub fn edges(&self) -> Option<[f64; 2]> {
        match self {
            Profile::Bump { centre, radius, wheel } => {
                let half = ((wheel + radius).powi(2) - wheel * wheel).sqrt();
                Some([centre - half, centre + half])
            }
            _ => None,
        }
    }

    /// Where points are joined by corners or steps: their places, the parts between them told by a switch.
    pub fn part(&mut self, switch: usize) -> Vec<f64> {
        let Profile::Table(curve) = self else { return Vec::new() };
        let bends = curve.bends();
        let places = bends.iter().map(|&k| curve.knots()[k]).collect();
        if !bends.is_empty() {
            *curve = curve.clone().parted_by(switch, bends);
        }
        places
    }

    /// Whether the height itself jumps where its parts meet.
    pub fn jumps(&self) -> bool {
        matches!(self, Profile::Table(curve) if curve.jumps())
    }

    /// Height on pieces, for a road whose expression is not smooth.
    pub fn split(&mut self, first: usize) -> Vec<Site> {
        let Profile::Expression(Function::Expr(expr)) = self else { return Vec::new() };
        let Some((on_pieces, mut sites)) = expr.split(first, None, |_| false) else { return Vec::new() };
        *expr = on_pieces;
        // switches of tyres have time first
        sites.iter_mut().for_each(|site| site.gauge = site.gauge.renumber(|_| 1));
        sites
    }

    /// Height at `x`, generic so that slope and curvature come along. `on_bump` chooses the arc of a bump or
    /// the flat road around it, wherever `x` is: both are smooth beyond the edges. Expressions are evaluated on
    /// the given pieces.
    pub fn height<T: Scalar>(&self, x: T, on_bump: bool, pieces: &[u8]) -> T {
        match self {
            Profile::Flat(h) => T::from_f64(*h),
            // path of the lowest point of a rigid wheel: its centre moves on a circle of radius wheel + radius
            Profile::Bump { centre, radius, wheel } if on_bump => {
                arc(x - T::from_f64(*centre), *wheel, *radius)
            }
            Profile::Bump { .. } => T::zero(),
            Profile::Table(curve) => curve.eval_on(x, pieces),
            Profile::Expression(f) => f.eval_on(&[x], pieces),
        }
    }
}

/// sqrt((R + r)^2 - s^2) - R for a wheel of radius R. It ends in a vertical tangent at s = R + r, so half
/// a wheel radius below the edges, where the root is R/2, the tangent takes over.
fn arc<T: Scalar>(s: T, wheel: f64, radius: f64) -> T {
    let (big, root) = (wheel + radius, 0.5 * wheel);
    let limit = (big * big - root * root).sqrt();
    if s.value().abs() <= limit {
        return (T::from_f64(big * big) - s * s).sqrt() - T::from_f64(wheel);
    }
    let beyond = if s.value() > 0.0 { s } else { -s } - T::from_f64(limit);
    T::from_f64(root - wheel) - beyond.scale(limit / root)
}

/// What every road must be able to say.
#[doc(hidden)]
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
