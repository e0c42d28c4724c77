//! `kingpin completions`: shell completion scripts.

use crate::output::{Exit, print};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io;

/// Print a shell completion script
#[derive(clap::Args)]
#[command(after_help = "Examples:
  bash        kingpin completions bash > ~/.local/share/bash-completion/completions/kingpin
  zsh         kingpin completions zsh > ~/.zfunc/_kingpin
  fish        kingpin completions fish > ~/.config/fish/completions/kingpin.fish
  PowerShell  kingpin completions powershell >> $PROFILE")]
pub struct Args {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "kingpin", &mut bytes);
    print(&String::from_utf8_lossy(&bytes))?;
    Ok(Exit::Good)
}
