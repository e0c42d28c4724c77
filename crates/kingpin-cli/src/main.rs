//! The `kingpin` command: one file per subcommand, no mechanics.

mod accel;
mod beams;
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
mod joined;
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
mod superelements;
mod sweep;
mod table;
mod topology;
mod view;
mod window;

use clap::{Parser, Subcommand};
use kingpin::words;
use output::Exit;
use std::io;
use std::process::ExitCode;

/// Multibody dynamics: mechanisms described in model files, simulated to a stated accuracy.
#[derive(Parser)]
#[command(name = "kingpin", version, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = output::EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The list of commands: each is a file with its arguments and how it runs.
macro_rules! commands {
    ($($(#[$more:meta])* $name:ident = $module:ident,)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$more])* $name($module::Args),)*
        }

        impl Command {
            fn run(&self) -> io::Result<Exit> {
                match self {
                    $(Command::$name(args) => $module::run(args),)*
                }
            }
        }
    };
}

commands! {
    Accel = accel,
    Bench = bench,
    Check = check,
    Completions = completions,
    Explain = explain,
    Export = export,
    Generate = generate,
    Kinematics = kinematics,
    List = list,
    Modes = modes,
    New = new,
    Plot = plot,
    Run = run,
    Schema = schema,
    #[command(name = "static")]
    Statics = statics,
    Sweep = sweep,
    Topology = topology,
    View = view,
}

fn main() -> ExitCode {
    Cli::parse()
        .command
        .run()
        .unwrap_or_else(|error| {
            output::complain(&format!("error: cannot write the output: {error}\n"));
            Exit::Usage
        })
        .into()
}
