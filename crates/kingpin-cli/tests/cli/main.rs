//! The command as its users meet it: output, messages and exit codes.

mod accel;
mod bench;
mod check;
mod errors;
mod generate;
mod literature;
mod readme;
mod run;
mod schema;
mod simulate;
mod topology;
mod usage;
