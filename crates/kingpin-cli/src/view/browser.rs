//! Opens the browser.

use kingpin_results::store::scratch;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Time in which a browser has read the file that sends it on.
const READ: Duration = Duration::from_secs(60);

/// Opens an address in the browser of the user. All users of the machine can read the arguments of a command, so the browser
/// is given a file that only its user may read, and that sends it on. If that fails, the address was printed.
pub fn open(url: &str) {
    let Ok(dir) = scratch() else { return };
    let file = dir.join("view.html");
    let page = format!(
        "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={url}\"><title>kingpin</title>\n"
    );
    if fs::write(&file, page).is_ok() {
        start(&file);
    }
    std::thread::spawn(move || {
        std::thread::sleep(READ);
        // what is left of a folder for temporary files is for the system to clean up
        let _ = fs::remove_dir_all(&dir);
    });
}

fn start(file: &Path) {
    let (program, args): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(args).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // the process is taken from the table of the system when it ends
        std::thread::spawn(move || child.wait());
    }
}
