//! `kingpin schema`: what model files may hold, for editors and for people.

use crate::output::{Exit, print};
use std::io;

/// Print the JSON schema of model files, for text editors
#[derive(clap::Args)]
pub struct Args {
    /// Print the reference as a Markdown page instead
    #[arg(long)]
    reference: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    if args.reference {
        print(&kingpin_io::reference_markdown())?;
    } else {
        print(&format!("{:#}\n", kingpin_io::schema()))?;
    }
    Ok(Exit::Good)
}
