//! `kingpin plot`: channels over time.

mod channels;

use crate::folder::{FolderArgs, told};
use crate::output::{Exit, complain, may_write, print};
use crate::window::WindowArgs;
use kingpin_results::format::Output;
use kingpin_results::plot::{PlottedRun, png, svg, terminal};
use kingpin_results::{Error, Reader};
use std::io;
use std::path::{Path, PathBuf};

/// Plot channels over time, in the terminal or as an image, or list all channels
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    folder: FolderArgs,
    /// Channels, such as `crank.x`; `*` matches any characters, as in `'*.omega'`. Further results folders before them are
    /// plotted together with the first
    #[arg(value_name = "DIR|CHANNEL")]
    channels: Vec<String>,
    /// Image file, `.svg` or `.png`
    #[arg(short, long, value_name = "FILE", requires = "channels", value_parser = picture)]
    output: Option<PathBuf>,
    /// Size of the image
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x540", value_parser = size)]
    size: (f64, f64),
    #[command(flatten)]
    window: WindowArgs,
    /// Overwrite an existing image
    #[arg(long)]
    force: bool,
}

/// Curves that can be told apart.
const MOST: usize = 24;
/// Lines that a chart takes in the terminal.
const LINES_EACH: usize = 13;

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    match plot(args) {
        Ok(text) => print(&text).map(|()| Exit::Good),
        Err(exit) => Ok(exit),
    }
}

fn plot(args: &Args) -> Result<String, Exit> {
    let is_folder = |name: &&String| kingpin_results::store::is_results(Path::new(name.as_str()));
    let others = args.channels.iter().take_while(is_folder).count();
    let (others, names) = args.channels.split_at(others);
    let folders = std::iter::once(args.folder.dir.clone()).chain(others.iter().map(PathBuf::from));
    let readers = folders.map(|dir| FolderArgs { dir }.open()).collect::<Result<Vec<Reader>, Exit>>()?;
    if names.is_empty() {
        return Ok(readers.iter().map(channels::list).collect::<Vec<String>>().join("\n"));
    }
    let choices =
        readers.iter().map(|reader| args.window.choice(reader, names)).collect::<Result<Vec<_>, _>>()?;
    let labels = labels(&readers);
    let runs: Vec<PlottedRun> = readers
        .iter()
        .zip(&choices)
        .zip(&labels)
        .map(|((reader, choice), label)| PlottedRun { reader, choice, label })
        .collect();
    let curves: usize = choices.iter().map(|choice| choice.channels.as_ref().map_or(0, Vec::len)).sum();
    if curves > MOST {
        complain(&format!(
            "error: {curves} channels are too many for one plot\n\n  help: name at most {MOST}\n"
        ));
        return Err(Exit::Usage);
    }
    let Some(path) = &args.output else {
        return terminal(&runs, width(), LINES_EACH * curves).map_err(told);
    };
    may_write(path, args.force).map_err(|message| {
        complain(&format!("error: {message}"));
        Exit::Usage
    })?;
    draw(&runs, args.size, path).map_err(told)?;
    Ok(format!("wrote {}\n", path.display()))
}

/// What curves of several runs are told apart by; of one by nothing.
fn labels(readers: &[Reader]) -> Vec<String> {
    match readers {
        [_] => vec![String::new()],
        _ => kingpin_results::store::labels(readers.iter().map(Reader::dir)),
    }
}

fn draw(runs: &[PlottedRun], size: (f64, f64), path: &Path) -> Result<(), Error> {
    let bytes = match ending(path).as_str() {
        "png" => png(runs, size)?,
        _ => svg(runs, size)?.into_bytes(),
    };
    let mut out = Output::file(path)?;
    out.bytes(&bytes)?;
    out.finish()
}

/// Columns of the terminal; 80 where there is none.
fn width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0).clamp(40, 200))
}

fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if ["svg", "png"].contains(&ending(&path).as_str()) {
        return Ok(path);
    }
    Err("expected a file name that ends in `.svg` or `.png`".into())
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

fn size(text: &str) -> Result<(f64, f64), String> {
    let side = |text: &str| text.trim().parse().ok().filter(|side: &f64| (100.0..=10_000.0).contains(side));
    let both = text.split_once(['x', '×']).and_then(|(w, h)| Some((side(w)?, side(h)?)));
    both.ok_or_else(|| "expected width and height in pixels, from 100 to 10000, such as `960x540`".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_names_of_pictures() {
        assert_eq!(size("960x540"), Ok((960.0, 540.0)));
        assert!(
            ["", "960", "axb", "10x10", "960x", "1e9x1e9", "NaNx100"].iter().all(|text| size(text).is_err())
        );
        assert!(picture("a.PNG").is_ok() && picture("a.jpg").is_err() && picture("svg").is_err());
    }
}
