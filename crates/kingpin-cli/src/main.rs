//! The `kingpin` command: one file per subcommand, no mechanics.

mod accel;
mod bench;
mod check;
mod completions;
mod examples;
mod explain;
mod export;
mod figures;
mod folder;
mod generate;
mod input;
mod kinematics;
mod list;
mod modes;
mod naming;
mod new;
mod output;
mod page;
mod parameters;
mod plot;
mod ready;
mod report;
mod run;
mod schema;
mod statics;
mod table;
mod topology;
mod view;
mod window;

use clap::{Parser, Subcommand};
use kingpin::words;
use output::Exit;
use std::process::ExitCode;

/// Multibody dynamics: mechanisms described in model files, simulated to a stated accuracy.
#[derive(Parser)]
#[command(name = "kingpin", version, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = output::EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Accel(accel::Args),
    Bench(bench::Args),
    Check(check::Args),
    Completions(completions::Args),
    Explain(explain::Args),
    Export(export::Args),
    Generate(generate::Args),
    Kinematics(kinematics::Args),
    List(list::Args),
    Modes(modes::Args),
    New(new::Args),
    Plot(plot::Args),
    Run(run::Args),
    Schema(schema::Args),
    #[command(name = "static")]
    Statics(statics::Args),
    Topology(topology::Args),
    View(view::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Accel(args) => accel::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Kinematics(args) => kinematics::run(&args),
        Command::List(args) => list::run(&args),
        Command::Modes(args) => modes::run(&args),
        Command::New(args) => new::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Statics(args) => statics::run(&args),
        Command::Topology(args) => topology::run(&args),
        Command::View(args) => view::run(&args),
    };
    done.unwrap_or_else(|error| {
        output::complain(&format!("error: cannot write the output: {error}\n"));
        Exit::Usage
    })
    .into()
}
