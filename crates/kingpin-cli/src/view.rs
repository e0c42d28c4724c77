//! `kingpin view`: results or a mechanism in the browser.

mod access;
mod browser;
mod folder;
mod guests;
mod moving;
mod serve;
mod source;
mod stamp;
mod start;
mod study;

use crate::output::{Exit, complain, print};
use crate::page;
use access::Access;
use folder::Folder;
use kingpin_results::Error;
use kingpin_study::is_study;
use moving::Moving;
use serve::Served;
use source::Source;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use study::StudyView;

/// Show results, a study, or a model in the browser
///
/// Results of a run or study in progress are updated live. A model is simulated, and simulated again whenever its file
/// is saved or a parameter is changed. The page is served to this computer only, at the printed address, which ends
/// with a token.
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Folder of results or of a study, or a model file
    #[arg(value_name = "RESULTS|MODEL")]
    path: PathBuf,
    /// Further folders of results to compare with the first
    #[arg(value_name = "RESULTS")]
    others: Vec<PathBuf>,
    /// Set a parameter of the model, such as `L=2` or `"k=3 kN/m"`
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = crate::input::assignment)]
    assignments: Vec<String>,
    /// Port of the page server [default: a free port]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Print the address without opening the browser
    #[arg(long)]
    no_open: bool,
    /// Let the page stand in a frame of another page, as notebooks show it; its address then keeps the token
    #[arg(long)]
    embed: bool,
}

/// Runs the command; it ends with the process.
pub fn run(args: &Args) -> io::Result<Exit> {
    let Some(template) = page::TEMPLATE else {
        return Ok(refuse(
            &format!("the page is not available: {}", page::MISSING),
            "build it with the page",
        ));
    };
    let access = Arc::new(Access::new(args.embed)?);
    let served = match served(args, template, &access) {
        Ok(served) => served,
        Err(error) => return Ok(refuse(&error.message, &error.advice)),
    };
    let listener = match TcpListener::bind(("127.0.0.1", args.port)) {
        Ok(listener) => listener,
        Err(error) => {
            let why = match error.kind() {
                io::ErrorKind::AddrInUse => "it is taken".into(),
                io::ErrorKind::PermissionDenied => "permission denied".into(),
                _ => error.to_string(),
            };
            let message = format!("cannot serve at port {}: {why}", args.port);
            return Ok(refuse(&message, "choose another port, or omit `--port` for a free one"));
        }
    };
    let port = listener.local_addr()?.port();
    let url = access.address(port);
    print(&format!("`{}` is shown at {url} (Ctrl-C to stop)\n", args.path.display()))?;
    if !args.no_open {
        browser::open(&url);
    }
    serve::serve(&listener, port, template, &served)?;
    Ok(Exit::Good)
}

/// What the path names.
fn served(args: &Args, template: &'static str, access: &Arc<Access>) -> Result<Served, Error> {
    let shown = |source: Box<dyn Source>| Served::new(source, access.clone());
    let path = args.path.as_path();
    if is_study(path) {
        let alone = args.assignments.is_empty() && args.others.is_empty();
        let advice = "give only its folder";
        alone.then_some(()).ok_or_else(|| unfit(path, "a study cannot be compared", advice))?;
        return StudyView::open(path, template, access.clone()).map(|study| shown(Box::new(study)));
    }
    if path.is_dir() {
        if !args.assignments.is_empty() {
            return Err(unfit(
                path,
                "parameters of existing results cannot be changed",
                "set them in `kingpin run`",
            ));
        }
        return Folder::open(path, &args.others).map(|folder| shown(Box::new(folder)));
    }
    if !path.is_file() {
        let message = format!("there is no folder or file `{}`", path.display());
        return Err(unfit(path, &message, "give a folder of results or a model file"));
    }
    if !args.others.is_empty() {
        return Err(unfit(
            path,
            "a model cannot be compared with results",
            "run it first, and give its results folder",
        ));
    }
    Ok(shown(Box::new(Moving::new(path, &args.assignments))))
}

fn unfit(path: &Path, message: &str, advice: &str) -> Error {
    Error::new(kingpin_results::ErrorKind::Unfit, path, message, advice)
}

fn refuse(message: &str, advice: &str) -> Exit {
    complain(&format!("error: {message}\n\n  help: {advice}\n"));
    Exit::Usage
}
