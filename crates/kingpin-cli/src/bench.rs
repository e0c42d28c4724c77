//! `kingpin bench`: how long things take, here and now.

mod accel;
mod bent_chain;
mod bushings;
mod clock;
mod contest;
mod coordinates;
mod domains;
mod growth;
mod integrate;
mod joint;
mod mast;
mod multipliers;
mod numbering;
mod parallel;
mod pcg;
mod stabilisation;
mod standard;
mod stiff;

use crate::output::{Exit, complain};
use std::io;

/// Measure and compare the speed of solvers and methods
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES, disable_help_subcommand = true)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Accel(accel::Args),
    Coordinates(coordinates::Args),
    Domains(domains::Args),
    Growth(growth::Args),
    Integrate(integrate::Args),
    Joint(joint::Args),
    Mast(mast::Args),
    Multipliers(multipliers::Args),
    Numbering(numbering::Args),
    Parallel(parallel::Args),
    Pcg(pcg::Args),
    Stabilisation(stabilisation::Args),
    Stiff(stiff::Args),
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    if cfg!(debug_assertions) {
        complain("note: this is not an optimised build, so the times are not representative\n");
    }
    match &args.what {
        What::Accel(args) => accel::run(args),
        What::Coordinates(args) => coordinates::run(args),
        What::Domains(args) => domains::run(args),
        What::Growth(args) => growth::run(args),
        What::Integrate(args) => integrate::run(args),
        What::Joint(args) => joint::run(args),
        What::Mast(args) => mast::run(args),
        What::Multipliers(args) => multipliers::run(args),
        What::Numbering(args) => numbering::run(args),
        What::Parallel(args) => parallel::run(args),
        What::Pcg(args) => pcg::run(args),
        What::Stabilisation(args) => stabilisation::run(args),
        What::Stiff(args) => stiff::run(args),
    }
}
