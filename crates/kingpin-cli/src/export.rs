//! `kingpin export`: results for other programs.

mod study;
mod targets;

use crate::folder::{FolderArgs, model_of, told};
use crate::output::{Exit, complain, print};
use crate::window::WindowArgs;
use crate::words::{count, many};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use kingpin_results::format::{self, EXPORTS, Export, Output, Writing};
use kingpin_results::scene::Scene;
use kingpin_results::store::Choice;
use kingpin_results::{Error, ErrorKind, Reader};
use std::io;
use std::path::PathBuf;
use targets::Target;

/// Export results: tables as CSV, NumPy or Parquet, animations as glTF or VTK, the table of a study
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    folder: FolderArgs,
    /// Formats [default: by the file name extension of `-o`, else CSV]
    #[arg(long, value_parser = format(false), value_name = "FORMATS", value_delimiter = ',')]
    format: Vec<&'static Export>,
    /// File or folder, `-` for standard output [default: `results.csv` or similar in the folder of results]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Channels to export, such as `crank.x,*.omega` [default: all]
    #[arg(long, value_name = "CHANNELS", value_delimiter = ',')]
    channels: Vec<String>,
    /// Export only every N-th frame and the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    #[command(flatten)]
    window: WindowArgs,
    /// Write the animation as one file for Blender, Windows and web pages
    #[arg(long, value_name = "FILE.glb")]
    gltf: Option<PathBuf>,
    /// Write the animation for ParaView: a `.pvd` file and a folder of frames
    #[arg(long, value_name = "FILE.pvd")]
    vtk: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

/// One of the exports, and only tables if motions make no sense.
pub fn format(tables: bool) -> impl TypedValueParser<Value = &'static Export> {
    let all = EXPORTS.iter().filter(move |export| export.is_table() || !tables);
    let names = all.map(|export| PossibleValue::new(export.name).help(export.about));
    PossibleValuesParser::new(names).map(|name| Export::named(&name).unwrap_or(&EXPORTS[0]))
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    Ok(export(args).unwrap_or_else(|exit| exit))
}

fn export(args: &Args) -> Result<Exit, Exit> {
    if kingpin_study::is_study(&args.folder.dir) {
        return study::export(args);
    }
    let reader = args.folder.open()?;
    let mut choice = args.window.choice(&reader, &args.channels)?;
    choice.every = args.every;
    let targets = targets::targets(args, "results").map_err(|message| {
        complain(&format!("error: {message}\n"));
        Exit::Usage
    })?;
    targets::refuse_existing(&targets, args.force)?;
    let frames = reader.selected(&choice).map_err(told)?.len();
    let columns = choice.channels.as_ref().map_or(reader.header().channels.len(), Vec::len);
    let mut scene = None;
    let mut report = String::new();
    for target in &targets {
        if target.needs_scene() && scene.is_none() {
            scene = Some(Scene::new(&model_of(&reader)?, &reader).map_err(told)?);
        }
        write(target, &reader, &choice, scene.as_ref()).map_err(told)?;
        let Some(path) = target.path() else { continue };
        let held =
            if target.needs_scene() { String::new() } else { format!(" of {}", many(columns, "channel")) };
        report += &format!("wrote {}: {}{held}\n", path.display(), many(frames as usize, "frame"));
    }
    if reader.summary().is_none() && !report.is_empty() {
        report += &format!("the run has not finished: {} frames so far\n", count(reader.frames() as usize));
    }
    print(&report).map_err(|error| {
        complain(&format!("error: cannot write the output: {error}\n"));
        Exit::Usage
    })?;
    Ok(Exit::Good)
}

fn write(target: &Target, reader: &Reader, choice: &Choice, scene: Option<&Scene>) -> Result<(), Error> {
    match (target, scene) {
        (Target::Stream, _) => {
            match format::csv(reader, choice, Output::stream("standard output", io::stdout())) {
                // that nobody reads on is no error
                Err(error) if error.kind == ErrorKind::Closed => Ok(()),
                done => done,
            }
        }
        (Target::File(export, path), scene) => match (&export.write, scene) {
            (Writing::Table(write), _) => write(reader, choice, path),
            (Writing::Stream(write), _) => write(reader, choice, Output::file(path)?),
            (Writing::Motion(write), Some(scene)) => write(reader, scene, choice, path),
            // a scene is made before it is needed
            (Writing::Motion(_), None) => Ok(()),
        },
    }
}
