//! The command as its users meet it: output, messages and exit codes.

mod accel;
#[cfg(feature = "viewer")]
mod answering;
mod bench;
mod bench_stiff;
mod bits;
mod check;
mod constraints;
mod damages;
mod dependencies;
mod domains;
mod errors;
mod explain;
mod export;
mod failures;
mod generate;
mod guide;
mod hostile;
mod inverse;
mod kills;
mod kinematics;
mod literature;
mod mistakes;
mod modes;
mod new;
mod plot;
mod readme;
mod results;
mod resuming;
mod run;
mod sample;
mod scalars;
mod schema;
mod simulate;
#[cfg(target_os = "linux")]
mod sizes;
mod statics;
mod structures;
mod superelements;
mod sweep;
mod topology;
mod typed;
mod unlucky;
mod usage;
mod validation;
#[cfg(feature = "viewer")]
mod view;
mod wording;
