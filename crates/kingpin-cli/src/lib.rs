//! The `kingpin` command: one file per subcommand, no mechanics. What other programs share with it is in [`reports`].

mod accel;
mod beams;
mod bench;
mod check;
mod completions;
mod domains;
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
mod misuse;
mod modes;
mod naming;
mod new;
mod output;
mod page;
mod parameters;
mod plot;
mod ready;
mod renamed;
mod report;
pub mod reports;
mod run;
mod schema;
mod statics;
mod structures;
mod substructures;
mod superelements;
mod sweep;
mod table;
mod topology;
mod view;
mod window;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use kingpin::words;
use output::Exit;
use std::ffi::OsString;
use std::io;

/// Multibody dynamics: simulate mechanisms described in model files to a given accuracy.
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
    #[command(visible_alias = "accel")]
    Accelerations = accel,
    Bench = bench,
    Check = check,
    Completions = completions,
    #[command(visible_alias = "static")]
    Equilibrium = statics,
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
    Sweep = sweep,
    Topology = topology,
    View = view,
}

/// `kingpin help run` is `kingpin run --help`.
fn asked(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut all: Vec<OsString> = arguments.into_iter().collect();
    if all.get(1).is_some_and(|word| word == "help") {
        all.remove(1);
        all.push("--help".into());
    }
    all
}

/// Runs the command with arguments, the first of which is its own name, and returns its exit code. Output goes to the
/// standard streams.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    output::outlive_large_files();
    let (line, notes) = renamed::replace_old_names(asked(arguments));
    output::complain(&notes);
    let command = misuse::lenient(Cli::command());
    let parsed = command.clone().try_get_matches_from(&line).and_then(|found| Cli::from_arg_matches(&found));
    let done = match parsed {
        Ok(cli) => cli.command.run(),
        Err(refused) => {
            if let Some(message) = misuse::message(&refused, &command, &line) {
                output::complain(&message);
                return Exit::Usage.code();
            }
            if refused.use_stderr() && !output::colour() {
                output::complain(&refused.render().to_string());
                return Exit::Usage.code();
            }
            // if standard error is closed, the exit code is the only report left
            let _ = refused.print();
            return if refused.use_stderr() { Exit::Usage.code() } else { Exit::Good.code() };
        }
    };
    let exit = done.unwrap_or_else(|error| {
        output::complain(&format!("error: cannot write the output: {error}\n"));
        Exit::Usage
    });
    output::judged(exit).code()
}
