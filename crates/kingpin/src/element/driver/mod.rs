//! Drivers: motions prescribed in time, each one equation. One file each and a line below.

use super::compose::Composer;
use crate::model::ends::EndsKind;

/// What every driver must be able to say.
#[doc(hidden)]
pub trait DriverElement {
    /// Which ends it has.
    fn ends(&self) -> EndsKind {
        EndsKind::None
    }
    /// The joint whose coordinate it prescribes, if it is one.
    fn joint(&self) -> Option<&str> {
        None
    }
    /// Its equation.
    fn compose(&self, c: &mut Composer);
}

crate::element_list! {
    /// All drivers.
    pub enum DriverKind: DriverElement {
        angle::DrivenAngle = "angle",
        displacement::DrivenDisplacement = "displacement",
        distance::DrivenDistance = "distance",
        coordinate::DrivenCoordinate = "coordinate",
    }
}
