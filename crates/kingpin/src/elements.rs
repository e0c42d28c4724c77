//! Kinds of joints, drivers, forces, measures, roads and shapes, as [`Model`](crate::model::Model) takes them.

pub use crate::element::driver::*;
pub use crate::element::force::*;
pub use crate::element::joint::*;
pub use crate::element::measure::*;
pub use crate::element::road::*;
pub use crate::element::shape::*;
