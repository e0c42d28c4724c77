//! The table of a study for other programs.

use super::Args;
use super::targets::{Target, refuse_existing, targets};
use crate::folder::told;
use crate::output::{Exit, complain, print};
use crate::words::many;
use kingpin_results::Error;
use kingpin_results::format::Output;
use kingpin_study::{Definition, TABLE};
use std::fs;
use std::path::Path;

/// Writes the table of the study in the folder.
pub fn export(args: &Args) -> Result<Exit, Exit> {
    let dir = &args.folder.dir;
    let refused = |message: String| {
        complain(&format!("error: {message}\n"));
        Exit::Usage
    };
    let asks_for_frames = !args.channels.is_empty()
        || args.every.is_some()
        || args.window.from.is_some()
        || args.window.to.is_some();
    if asks_for_frames {
        return Err(refused(format!(
            "`{}` is a study, whose table has no frames\n\n  help: omit `--channels`, `--every`, \
                 `--from` and `--to`; recorded channels of points are in `curves`",
            dir.display()
        )));
    }
    let targets = targets(args, "table").map_err(refused)?;
    if let Some(name) = targets.iter().find_map(unfit) {
        return Err(refused(format!(
            "`{}` is a study, which cannot be written as {name}\n\n  help: its table can be `csv` or `parquet`",
            dir.display()
        )));
    }
    // the table is CSV already, and stays as it is
    let own = |target: &Target| target.path().is_some_and(|path| same_file(path, &dir.join(TABLE)));
    if targets.iter().any(own) {
        return Err(refused(format!(
            "`{}` is the table of the study\n\n  help: `-o FILE.csv` makes a copy, `-` prints it",
            dir.join(TABLE).display()
        )));
    }
    refuse_existing(&targets, args.force)?;
    let definition = Definition::open(dir).map_err(told)?;
    kingpin_study::verify(dir, &definition).map_err(told)?;
    let mut report = String::new();
    for target in &targets {
        let rows = write(target, dir, &definition).map_err(told)?;
        if let Some(path) = target.path() {
            report += &format!("wrote {}: {}\n", path.display(), many(rows, "point"));
        }
    }
    print(&report).map_err(|error| {
        complain(&format!("error: cannot write the output: {error}\n"));
        Exit::Usage
    })?;
    Ok(Exit::Good)
}

/// The name of a form that a study cannot have.
fn unfit(target: &Target) -> Option<&'static str> {
    match target {
        Target::File(export, _) if !matches!(export.name, "csv" | "parquet") => Some(export.name),
        _ => None,
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// Writes the points that are there, and counts them.
fn write(target: &Target, dir: &Path, definition: &Definition) -> Result<usize, Error> {
    match target {
        #[cfg(feature = "parquet")]
        Target::File(export, path) if export.name == "parquet" => {
            let table = kingpin_study::columns_of(dir, definition)?;
            let rows = table.first().map_or(0, |(_, _, cells)| cells.len());
            let about = [("model", definition.model.as_str()), ("hash", definition.hash.as_str())];
            kingpin_results::format::parquet_table(&about, table, path)?;
            Ok(rows)
        }
        Target::File(_, path) => copy(dir, definition, Output::file(path)?),
        Target::Stream => {
            match copy(dir, definition, Output::stream("standard output", std::io::stdout())) {
                // that nobody reads on is no error
                Err(error) if error.kind == kingpin_results::ErrorKind::Closed => Ok(0),
                done => done,
            }
        }
    }
}

/// Copies whole lines.
fn copy(dir: &Path, definition: &Definition, mut out: Output) -> Result<usize, Error> {
    out.text(&kingpin_study::heading(&definition.titles()))?;
    let (mut rows, mut failed) = (0, None);
    kingpin_study::rows(dir, definition, &mut |row| {
        failed = out.text(&kingpin_study::line(&row)).err();
        rows += 1;
        failed.is_none()
    })?;
    match failed {
        Some(error) => Err(error),
        None => out.finish().map(|()| rows),
    }
}
