//! What the command leaves behind: text on its two streams, and an exit code.

use kingpin::words::visible;
use kingpin_files::{Found, put_aside};
use kingpin_io::{Diagnostic, Sources};
use kingpin_results::Error;
use kingpin_results::format::Output;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit codes, for the help text.
pub const EXIT_CODES: &str =
    "Exit codes: 0 success; 1 the model cannot be simulated; 2 wrong usage or unreadable input.";

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All good.
    Good,
    /// The model cannot be simulated.
    Faulty,
    /// Bad usage or unreadable input.
    Usage,
    /// The user stopped it.
    Interrupted,
}

impl Exit {
    /// What the system is told.
    pub fn code(self) -> u8 {
        match self {
            Exit::Good => 0,
            Exit::Faulty => 1,
            Exit::Usage => 2,
            Exit::Interrupted => 130,
        }
    }
}

/// Whether this process prints nothing, because another rank prints for it.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Whether something was warned of.
static WARNED: AtomicBool = AtomicBool::new(false);
/// Whether warnings end the command with the exit code of a faulty model.
static STRICT: AtomicBool = AtomicBool::new(false);

/// From now on warnings count.
pub fn be_strict() {
    STRICT.store(true, Ordering::Relaxed);
}

/// Something was warned of.
pub fn note_warning() {
    WARNED.store(true, Ordering::Relaxed);
}

/// How the command ends, where warnings may count.
pub fn judged(exit: Exit) -> Exit {
    let warned = WARNED.load(Ordering::Relaxed) && STRICT.load(Ordering::Relaxed);
    if exit == Exit::Good && warned { Exit::Faulty } else { exit }
}

/// Writes messages about a model to standard error.
pub fn report(diagnostics: &[Diagnostic], sources: &Sources) {
    if diagnostics.iter().any(|diagnostic| !diagnostic.is_error()) {
        note_warning();
    }
    complain_styled(&kingpin_io::render(diagnostics, sources, colour()));
}

/// Writes a warning of a kind to standard error; blank lines may stand around it.
pub fn warn(code: &str, text: &str) {
    note_warning();
    complain(&format!("warning[{code}]: {text}"));
}

/// From now on nothing is written to either stream.
pub fn be_silent() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Writes a text to standard output, with control characters shown. A closed pipe (`kingpin … | head`) is not an error.
pub fn print(text: &str) -> io::Result<()> {
    if SILENT.load(Ordering::Relaxed) {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    match out.write_all(visible(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Whether a file may be written: one that is there only with `force`, a model or a link never. Or what is in the way.
pub fn may_write(path: &Path, force: bool) -> Result<(), String> {
    let shown = path.display();
    let found = match Found::at(path) {
        Ok(found) => found,
        Err(error) => return Err(Error::io("write", path, &error).to_string() + "\n"),
    };
    match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        _ if found.is_nothing() => Ok(()),
        _ if matches!(found, Found::Link) => {
            let advice = "files are not written through links: name the file itself, or another one";
            Err(format!("`{shown}` is a link\n\n  help: {advice}\n"))
        }
        true => Err(format!(
            "`{shown}` may be a model\n\n  help: models are never overwritten; choose another name\n"
        )),
        false if force => Ok(()),
        false => {
            let advice = "choose another name, or overwrite it with `--force`";
            Err(format!("`{shown}` exists already\n\n  help: {advice}\n"))
        }
    }
}

/// Writes a text file atomically. An existing file with other content is renamed.
pub fn write_beside(path: &Path, text: &str) -> Result<(), Error> {
    let fail = |error: io::Error| Error::io("write", path, &error);
    let same = std::fs::read(path).is_ok_and(|own| own == text.as_bytes());
    if !same && !Found::at(path).map_err(fail)?.is_nothing() {
        put_aside(path).map_err(fail)?;
    }
    let mut out = Output::file(path)?;
    out.text(text)?;
    out.finish()
}

/// Writes a text to standard error, with control characters shown; errors of that are ignored.
pub fn complain(text: &str) {
    complain_styled(&visible(text));
}

/// The same of a text with colours or of a line that is drawn anew: where it was made, hidden characters were shown.
pub fn complain_styled(text: &str) {
    if !SILENT.load(Ordering::Relaxed) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// A file that outgrows `ulimit -f` shall be an error of writing it, which is reported, and not end the process.
pub fn outlive_large_files() {
    #[cfg(unix)]
    {
        #![allow(unsafe_code)]
        // SAFETY: the signal is ignored from here on; no handler of ours runs
        unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    }
}

/// Whether messages on standard error may have colours.
pub fn colour() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stderr().is_terminal() && !unwanted
}
