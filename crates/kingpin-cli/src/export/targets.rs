//! Where an export goes.

use super::Args;
use crate::output::{Exit, complain, may_write};
use kingpin_results::format::{Export, Writing};
use std::path::{Path, PathBuf};

/// One thing to write.
pub enum Target {
    /// CSV on standard output.
    Stream,
    /// A file in some form.
    File(&'static Export, PathBuf),
}

impl Target {
    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Target::Stream => None,
            Target::File(_, path) => Some(path),
        }
    }

    /// Whether the model is needed.
    pub fn needs_scene(&self) -> bool {
        matches!(self, Target::File(export, _) if !export.is_table())
    }
}

/// All that is asked for; or what is wrong with it. `stem` is the name of files that nobody has named.
pub fn targets(args: &Args, stem: &str) -> Result<Vec<Target>, String> {
    let mut targets = tables(args, stem)?;
    if let Some(path) = &args.gltf {
        if ending(path) != "glb" {
            return Err(format!(
                "`{}` should end in `.glb`\n\n  help: shapes and motion are written to one binary \
                     glTF file",
                path.display()
            ));
        }
        targets.extend(Export::named("gltf").map(|export| Target::File(export, path.clone())));
    }
    if let Some(path) = &args.vtk {
        let path = if ending(path) == "pvd" { path.clone() } else { path.join(format!("{stem}.pvd")) };
        targets.extend(Export::named("vtk").map(|export| Target::File(export, path)));
    }
    Ok(targets)
}

fn tables(args: &Args, stem: &str) -> Result<Vec<Target>, String> {
    let mut formats: Vec<&'static Export> = Vec::new();
    for &format in &args.format {
        if formats.iter().all(|known| known.name != format.name) {
            formats.push(format);
        }
    }
    let output = args.output.as_deref();
    let of_name = output.and_then(Export::of_ending);
    if formats.is_empty() {
        match (of_name, output, args.gltf.is_some() || args.vtk.is_some()) {
            (Some(format), ..) => formats.push(format),
            // motions alone are meant
            (None, None, true) => return Ok(Vec::new()),
            _ => formats.extend(Export::named("csv")),
        }
    }
    if let Some((name, how)) = formats.iter().find_map(|format| Some((format.name, format.missing?))) {
        let (first, rest) = name.split_at(1);
        return Err(format!(
            "this `kingpin` was built without {}{rest}\n\n  help: {how}",
            first.to_uppercase()
        ));
    }
    if output == Some(Path::new("-")) {
        return match formats[..] {
            [format] if matches!(format.write, Writing::Stream(_)) => Ok(vec![Target::Stream]),
            _ => Err("only CSV can be written to standard output\n\n  help: give a file or a folder with \
                     `-o`"
                .into()),
        };
    }
    if let (Some(given), Some(path)) = (of_name, output) {
        return match formats[..] {
            [format] if format.name == given.name => Ok(vec![Target::File(format, path.into())]),
            [format] => Err(format!(
                "`{}` ends in `.{}`, but the format is {}\n\n  help: omit one of them",
                path.display(),
                given.ending,
                format.ending
            )),
            _ => Err(format!(
                "several formats cannot be written to one file `{}`\n\n  help: give a folder with `-o`",
                path.display()
            )),
        };
    }
    let dir = output.unwrap_or(&args.folder.dir);
    Ok(formats.into_iter().map(|f| Target::File(f, dir.join(format!("{stem}.{}", f.ending)))).collect())
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Tells that files are there already: the targets, and what goes beside them.
pub fn refuse_existing(targets: &[Target], force: bool) -> Result<(), Exit> {
    let beside = |target: &Target| match target {
        Target::File(export, path) => export.beside.map(|beside| beside(path)),
        Target::Stream => None,
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
