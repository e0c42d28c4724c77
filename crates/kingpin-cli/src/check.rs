//! `kingpin check`: errors and properties of a model.

pub mod examine;
pub mod json;
mod text;

use crate::input::{ModelArgs, is_misuse};
use crate::output::{Exit, complain, print, report};
use examine::examine;
use std::io::{self, IsTerminal};

/// Assemble a model and report errors, degrees of freedom, redundancy and time constants
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// List the nodes of beams with the bodies
    #[arg(long)]
    nodes: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Runs the command: messages go to standard error, the report to standard output.
pub fn run(args: &Args) -> io::Result<Exit> {
    let loaded = args.model.load();
    let (model, sources) = (loaded.model, loaded.sources);
    let (examination, mut diagnostics) = match model {
        Some(model) => examine(model, &sources),
        None => (None, Vec::new()),
    };
    diagnostics.splice(0..0, loaded.diagnostics);
    report(&diagnostics, &sources);
    if args.json {
        print(&json::report(examination.as_ref(), &diagnostics, &sources))?;
    } else if let Some(examination) = &examination {
        // a blank line between messages and report, where both go to the same screen
        if !diagnostics.is_empty() && io::stdout().is_terminal() {
            complain("\n");
        }
        print(&text::report(examination, args.nodes))?;
    }
    Ok(match diagnostics.iter().any(|d| d.is_error()) {
        true if is_misuse(&diagnostics, &sources) => Exit::Usage,
        true => Exit::Faulty,
        false => Exit::Good,
    })
}
