//! The equations of motion in the forms that integrators need, exactly linearised.

mod balance;
mod chart;
mod columns;
pub(super) mod coordinates;
pub(super) mod descriptor;
mod differences;
pub(super) mod form;
pub(super) mod full;
mod jacobian;
mod measure;
pub(super) mod partition;
mod plane;
mod recover;
pub(super) mod reduced;
mod slopes;
mod slopes_room;
mod tangent;
mod turning;
pub(super) mod whole;
