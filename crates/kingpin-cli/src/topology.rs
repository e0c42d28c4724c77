//! `kingpin topology`: the joint graph, the orders of elimination, and what was chosen.

mod draw;
pub mod json;
mod spanning;
pub mod survey;
mod svg;
mod text;
mod tree;

use crate::input::ModelArgs;
use crate::output::{Exit, complain, may_write, print};
use crate::ready::demand;
use kingpin_files::replace;
use std::io;
use std::path::PathBuf;
use survey::Survey;

/// Show the joint graph, the elimination order and the split bodies
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Draw the matrix before and after elimination, and the elimination tree
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Overwrite an existing drawing
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let ready = match demand(&args.model, args.json)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    if let Some(Err(message)) = args.svg.as_ref().map(|path| may_write(path, args.force)) {
        complain(&format!("error: {message}"));
        return Ok(Exit::Usage);
    }
    let survey = Survey::new(&ready);
    if let Some(path) = &args.svg {
        let drawn =
            draw::drawing(&survey).map_err(io::Error::other).and_then(|svg| replace(path, svg.as_bytes()));
        if let Err(error) = drawn {
            complain(&format!("error: cannot write `{}`: {error}\n", path.display()));
            return Ok(Exit::Usage);
        }
    }
    print(&if args.json { json::report(&survey) } else { text::report(&survey) })?;
    Ok(Exit::Good)
}
