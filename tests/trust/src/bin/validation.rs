//! Writes `docs/validation.md` and its charts: `validation KINGPIN`, in the folder of the project.

use kingpin_trust::validation::{Kingpin, whole};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(binary) = std::env::args().nth(1) else {
        eprintln!("usage: validation KINGPIN");
        return ExitCode::from(2);
    };
    let kingpin = Kingpin { binary: binary.into(), root: ".".into() };
    let written = whole(&kingpin).and_then(|page| {
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
