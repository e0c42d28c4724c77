//! The `kingpin` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    kingpin_cli::main(std::env::args_os()).into()
}
