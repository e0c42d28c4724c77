//! The command as its users meet it: output, messages and exit codes.

mod accel;
mod bench;
mod check;
mod errors;
mod failures;
mod generate;
mod kinematics;
mod literature;
mod modes;
mod readme;
mod run;
mod schema;
mod simulate;
mod statics;
mod topology;
mod usage;
#[cfg(feature = "viewer")]
mod view;
