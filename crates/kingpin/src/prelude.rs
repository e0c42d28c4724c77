//! The names that most programs need: `use kingpin::prelude::*;`.

#[doc(no_inline)]
pub use crate::elements::*;
#[doc(no_inline)]
pub use crate::mechanism::*;
#[doc(no_inline)]
pub use crate::model::controller::{Pid, StateSpace, TransferFunction};
#[doc(no_inline)]
pub use crate::model::{
    Body, Closure, Controller, Ends, Event, Finding, Function, Input, Marker, Model, Orientation, Severity,
    Simulation, SmoothLaw, Space, Start, StateVariable, Subject, Vec3,
};
