//! `kingpin new`: a new model file.

use crate::examples::{self, Example};
use crate::output::{Exit, complain, print};
use kingpin::expr::closest;
use kingpin_files::{Found, Part, disk, put_aside};
use kingpin_results::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Write a new model file or a copy of an example
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Name of the model; `NAME.toml` is written
    #[arg(value_name = "NAME")]
    name: String,
    /// Write a planar model: bodies move in the x-y plane
    #[arg(long, conflicts_with = "from")]
    planar: bool,
    /// Copy an example and its included files; see `kingpin list examples`
    #[arg(long, value_name = "EXAMPLE")]
    from: Option<String>,
    /// Write even if the files exist; existing files are renamed
    #[arg(long)]
    force: bool,
}

const SPATIAL: &str = include_str!("new/spatial.toml");
const PLANAR: &str = include_str!("new/planar.toml");

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let written = place(&args.name).and_then(|path| {
        let files = files(args, &path)?;
        if !args.force {
            refuse_existing(&files)?;
        }
        refuse_links(&path, &files)?;
        let kept = files.iter().map(|(path, text)| set_aside(path, text)).collect::<Result<Vec<_>, _>>()?;
        files.iter().try_for_each(|(path, text)| write(path, text))?;
        Ok((path, files, kept.into_iter().flatten().collect::<Vec<_>>()))
    });
    match written {
        Ok((path, files, kept)) => {
            let kept: String =
                kept.iter().map(|old| format!("renamed the existing file to {}\n", old.display())).collect();
            print(&(kept + &next(&path, &files))).map(|()| Exit::Good)
        }
        Err(message) => {
            complain(&format!("error: {message}\n"));
            Ok(Exit::Usage)
        }
    }
}

/// The file of a name, if it is a name.
fn place(name: &str) -> Result<PathBuf, String> {
    let path = Path::new(name.strip_suffix(".toml").unwrap_or(name));
    let stem = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let good = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    // a name that begins with a dash would be taken for an option by the next command
    if name.ends_with(['/', '\\']) || !stem.starts_with(char::is_alphanumeric) || !stem.chars().all(good) {
        let shown = name.escape_debug();
        return Err(format!(
            "`{shown}` is not a valid model name\n\n  help: use letters, digits, `_` and `-`, as in `two_arms`"
        ));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(format!("there is no folder `{}`\n\n  help: create it first", folder.display()));
    }
    Ok(path.with_file_name(format!("{stem}.toml")))
}

/// Files with their texts, the model first.
fn files(args: &Args, path: &Path) -> Result<Vec<(PathBuf, &'static str)>, String> {
    let Some(name) = &args.from else {
        return Ok(vec![(path.into(), if args.planar { PLANAR } else { SPATIAL })]);
    };
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let example = Example::named(name).ok_or_else(|| {
        let names = || examples::ALL.iter().map(|example| example.name);
        let advice = match closest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        format!("there is no example `{}`\n\n  help: {advice}", name.escape_debug())
    })?;
    let mut files = vec![(path.to_path_buf(), example.text)];
    files.extend(example.parts().map(|part| (path.with_file_name(part.file()), part.text)));
    Ok(files)
}

/// Files that an example includes lie in folders beside the model: links to folders elsewhere are not followed.
fn refuse_links(model: &Path, files: &[(PathBuf, &str)]) -> Result<(), String> {
    let own = model.parent();
    let above = files.iter().filter_map(|(path, _)| path.parent()).filter(|folder| Some(*folder) != own);
    match above.into_iter().find(|folder| matches!(Found::at(folder), Ok(Found::Link))) {
        None => Ok(()),
        Some(folder) => {
            Err(format!("`{}` is a link\n\n  help: choose another folder, or remove it", folder.display()))
        }
    }
}

fn refuse_existing(files: &[(PathBuf, &str)]) -> Result<(), String> {
    // an included file that is the same already is not in the way
    let taken = |(path, text): &&(PathBuf, &str)| {
        let wanted = *path != files[0].0 && is_same(path, text);
        !is_free(path) && !wanted
    };
    match files.iter().find(taken) {
        None => Ok(()),
        Some((path, _)) => Err(format!(
            "`{}` exists already\n\n  help: choose another name, or use `--force`, which renames the existing file",
            path.display()
        )),
    }
}

/// Gives a file that is there another name, such as `arm.toml.old`, unless it is the same already; nothing is ever
/// replaced.
fn set_aside(path: &Path, text: &str) -> Result<Option<PathBuf>, String> {
    if is_free(path) || is_same(path, text) {
        return Ok(None);
    }
    put_aside(path).map(Some).map_err(|_| {
        format!("`{}` exists already and cannot be renamed\n\n  help: choose another name", path.display())
    })
}

/// Whether nothing has a name, not even a link that leads nowhere.
fn is_free(path: &Path) -> bool {
    Found::at(path).is_ok_and(|found| found.is_nothing())
}

/// Whether a file, and no link to one, has this text already.
fn is_same(path: &Path, text: &str) -> bool {
    Found::at(path).is_ok_and(|found| found.is_file())
        && fs::read(path).is_ok_and(|own| own == text.as_bytes())
}

/// Writes a file where nothing is, or leaves it if it is the same already.
fn write(path: &Path, text: &str) -> Result<(), String> {
    if is_same(path, text) {
        return Ok(());
    }
    let write = || {
        // of included files: a link to a folder elsewhere is not followed
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match folder {
            Some(folder) if !folder.is_dir() => disk::create_dir(folder)?,
            _ => {}
        }
        let mut part = Part::beside(path)?;
        part.write_all(text.as_bytes())?;
        part.sync()?;
        part.place_new(path).map(|_| ())
    };
    write().map_err(|error| Error::io("write", path, &error).to_string())
}

/// What was written, and what to type next.
fn next(path: &Path, files: &[(PathBuf, &str)]) -> String {
    let mut text: String = files.iter().map(|(path, _)| format!("wrote {}\n", path.display())).collect();
    let model = path.display().to_string();
    // results go to the folder in which the command is typed
    let results = format!("{}-results", path.file_stem().unwrap_or_default().to_string_lossy());
    let steps = [
        (format!("kingpin check {model}"), "report bodies, joints and degrees of freedom"),
        (format!("kingpin run {model}"), "simulate it and write a folder of results"),
        (format!("kingpin plot {results}"), "list the channels"),
        (format!("kingpin view {results}"), "show the animation"),
    ];
    let width = steps.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    text += "\nNext:\n";
    text.extend(steps.iter().map(|(command, about)| format!("  {command:<width$}  {about}\n")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        assert_eq!(place("two_arms"), Ok("two_arms.toml".into()));
        assert_eq!(place("two-arms.toml"), Ok("two-arms.toml".into()));
        assert_eq!(place("src/arm2"), Ok("src/arm2.toml".into()));
        assert_eq!(place("v1"), Ok("v1.toml".into()));
        for name in
            ["", ".", "..", "/", "a/", "-x", ".toml", ".hidden", "a b", "a\nb", "a:b", "a*", "no/such/x"]
        {
            assert!(place(name).is_err(), "{name:?}");
        }
    }
}
