//! Where an export goes.

use super::{Args, Format};
use crate::output::{Exit, complain, may_write};
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// One thing to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// CSV on standard output.
    Stream,
    /// A table.
    Table(Format, PathBuf),
    /// A motion in one file.
    Gltf(PathBuf),
    /// A motion in a file per frame.
    Vtk(PathBuf),
}

impl Target {
    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Target::Stream => None,
            Target::Table(_, path) | Target::Gltf(path) | Target::Vtk(path) => Some(path),
        }
    }

    /// Whether the model is needed.
    pub fn needs_scene(&self) -> bool {
        matches!(self, Target::Gltf(_) | Target::Vtk(_))
    }
}

impl Format {
    /// How the names of its files end.
    fn ending(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Npy => "npy",
            Format::Parquet => "parquet",
        }
    }
}

/// Name of tables among the results, without its ending.
const STEM: &str = "results";

/// All that is asked for; or what is wrong with it.
pub fn targets(args: &Args) -> Result<Vec<Target>, String> {
    let mut targets = tables(args)?;
    if let Some(path) = &args.gltf {
        if ending(path) != "glb" {
            return Err(format!(
                "`{}` should end in `.glb`\n\n  help: shapes and motion go into one binary glTF file",
                path.display()
            ));
        }
        targets.push(Target::Gltf(path.clone()));
    }
    if let Some(path) = &args.vtk {
        let path = if ending(path) == "pvd" { path.clone() } else { path.join(format!("{STEM}.pvd")) };
        targets.push(Target::Vtk(path));
    }
    Ok(targets)
}

fn tables(args: &Args) -> Result<Vec<Target>, String> {
    let mut formats = Vec::new();
    for &format in &args.format {
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    let output = args.output.as_deref();
    let of_name = output.and_then(|path| {
        let known = Format::value_variants().iter().find(|format| format.ending() == ending(path));
        known.copied()
    });
    if formats.is_empty() {
        match (of_name, output, args.gltf.is_some() || args.vtk.is_some()) {
            (Some(format), ..) => formats.push(format),
            // motions alone are meant
            (None, None, true) => return Ok(Vec::new()),
            _ => formats.push(Format::Csv),
        }
    }
    if formats.contains(&Format::Parquet) && !cfg!(feature = "parquet") {
        return Err(
            "this `kingpin` was built without Parquet\n\n  help: build it with `cargo install --path \
                    crates/kingpin-cli --features parquet`, or export `csv` or `npy`"
                .into(),
        );
    }
    if output == Some(Path::new("-")) {
        return match formats[..] {
            [Format::Csv] => Ok(vec![Target::Stream]),
            _ => {
                Err("only CSV goes to standard output\n\n  help: give a file or a folder behind `-o`".into())
            }
        };
    }
    if let (Some(given), Some(path)) = (of_name, output) {
        return match formats[..] {
            [format] if format == given => Ok(vec![Target::Table(format, path.into())]),
            [format] => Err(format!(
                "`{}` ends in `.{}`, but the format is {}\n\n  help: leave one of the two away",
                path.display(),
                given.ending(),
                format.ending()
            )),
            _ => Err(format!(
                "several formats do not fit into one file `{}`\n\n  help: give a folder behind `-o`",
                path.display()
            )),
        };
    }
    let dir = output.unwrap_or(&args.folder.dir);
    Ok(formats.into_iter().map(|f| Target::Table(f, dir.join(format!("{STEM}.{}", f.ending())))).collect())
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Tells that files are there already: the targets, and what goes beside them.
pub fn refuse_existing(targets: &[Target], force: bool) -> Result<(), Exit> {
    let beside = |target: &Target| match target {
        Target::Table(Format::Npy, path) => {
            let mut name = path.as_os_str().to_os_string();
            name.push(".json");
            Some(PathBuf::from(name))
        }
        Target::Vtk(path) => Some(path.with_extension("")),
        _ => None,
    };
    for target in targets {
        for path in target.path().map(Path::to_path_buf).into_iter().chain(beside(target)) {
            may_write(&path, force).map_err(|message| {
                complain(&format!("error: {message}"));
                Exit::Usage
            })?;
        }
    }
    Ok(())
}
