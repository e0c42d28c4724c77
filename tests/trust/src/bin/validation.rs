//! Writes `docs/validation.md` and its charts: `validation KINGPIN [TIMED]`, in the folder of the project. Times are
//! those of the second build, if there is one.

use kingpin_trust::validation::{Kingpin, whole};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = |k: usize| {
        let binary = std::env::args().nth(k)?.into();
        Some(Kingpin { binary, root: ".".into() })
    };
    let Some(kingpin) = command(1) else {
        eprintln!("usage: validation KINGPIN [TIMED]");
        return ExitCode::from(2);
    };
    let written = whole(&kingpin, command(2).as_ref()).and_then(|page| {
        let charts = Path::new("docs/validation");
        let write = || {
            std::fs::create_dir_all(charts)?;
            std::fs::write("docs/validation.md", &page.text)?;
            page.charts.iter().try_for_each(|(name, svg)| std::fs::write(charts.join(name), svg))
        };
        write().map_err(|error: std::io::Error| error.to_string())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
