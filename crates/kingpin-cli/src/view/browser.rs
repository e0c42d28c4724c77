//! Opens the browser.

use std::process::{Command, Stdio};

/// Opens an address in the browser of the user. If there is none, the address was printed.
pub fn open(url: &str) {
    let (program, args): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", "", url])
    } else if cfg!(target_os = "macos") {
        ("open", &[url])
    } else {
        ("xdg-open", &[url])
    };
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // the process is taken from the table of the system when it ends
        std::thread::spawn(move || child.wait());
    }
}
