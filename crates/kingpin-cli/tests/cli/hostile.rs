//! Texts of models that a terminal would obey, and names of files that are no text.

use crate::run::{folder, root};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Colours, a title of the window, the screen cleared, a control character of 8 bits, a bell, a backspace, a line that
/// overwrites, writing from right to left, and characters of no width.
const HOSTILE: &str = r"\u001b[31mred\u001b]0;title\u0007\u009b2J\u0008\u007f\u202eabc\u2066d\u200be\u2028f\ufeffg\u061ch\rerror: planted";

/// What nothing of it may become.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A pendulum whose texts are good.
fn planted() -> String {
    pendulum("")
}

/// A pendulum with something at the end of every name and text.
fn pendulum(planted: &str) -> String {
    format!(
        "name = \"n{planted}\"\ndescription = \"d{planted}\"\ngravity = [0, 0, -9.81]\n[simulation]\nt_end = 0.1\n\
         [[body]]\nname = \"b{planted}\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [1, 0, 0]\n\
         [[joint]]\ntype = \"revolute\"\nname = \"j{planted}\"\nbody1 = \"ground\"\nbody2 = \"b{planted}\"\n\
         point2 = [-1, 0, 0]\naxis = [0, 1, 0]\n\
         [[force]]\ntype = \"torsion-spring\"\nname = \"f{planted}\"\njoint = \"j{planted}\"\nstiffness = 10\n\
         [[force]]\ntype = \"force\"\nname = \"idle{planted}\"\nbody = \"b{planted}\"\ndirection = [0, 0, 1]\nmagnitude = 0\n"
    )
}

/// Planted mistakes, each of which is reported with the text.
fn faulty() -> Vec<String> {
    let good = planted();
    vec![
        pendulum(HOSTILE),
        format!("{good}\"key{HOSTILE}\" = 1\n"),
        format!("{good}[[body]]\nname = \"c\"\nmass = 1\ninertia = [1, 1, 1]\n\"field{HOSTILE}\" = 1\n"),
        format!("{good}[[joint]]\ntype = \"type{HOSTILE}\"\nname = \"k\"\n"),
        format!(
            "{good}[[joint]]\ntype = \"fixed\"\nname = \"k\"\nbody1 = \"ground\"\nbody2 = \"other{HOSTILE}\"\n"
        ),
        format!("{good}[parameters]\np = \"1 + unknown{HOSTILE}\"\n"),
        format!("{good}[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n"),
        format!("{good}[[marker]]\nname = \"m\"\nbody = \"b\"\nposition = [\"x{HOSTILE}\", 0, 0]\n"),
        format!("include = [\"file{HOSTILE}.toml\"]\n{good}"),
        // characters as they are, in a comment and in a line that is shown
        format!("{good}mass = 1 # \u{9b}31m\u{202e}\u{2066}\u{200b}\u{7f}\n"),
        format!("{good}\u{9b}31m\u{202e} = 1\n"),
    ]
}

fn kingpin(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
    command.args(args).current_dir(dir).env_remove("NO_COLOR").output().expect("the command ends")
}

/// Nothing that is said of a model has a hidden character.
fn clean(dir: &Path, args: &[&str]) -> String {
    let output = kingpin(dir, args);
    for (stream, bytes) in [("out", &output.stdout), ("err", &output.stderr)] {
        let text = String::from_utf8(bytes.clone()).expect("UTF-8");
        let found = text.lines().find(|line| line.contains(is_hidden));
        assert_eq!(found, None, "kingpin {args:?}: standard {stream}put");
        let faked = text.lines().find(|line| line.starts_with("error: planted"));
        assert_eq!(faked, None, "kingpin {args:?}: standard {stream}put");
    }
    String::from_utf8(output.stderr).expect("UTF-8") + &String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn no_command_hands_on_what_a_terminal_obeys() {
    let dir = folder("hostile");
    fs::write(dir.join("m.toml"), planted()).expect("written");
    let body = "b\u{1b}[31mred";
    for args in [
        &["check", "m.toml"][..],
        &["check", "m.toml", "--json"],
        &["topology", "m.toml"],
        &["topology", "m.toml", "--json"],
        &["accel", "m.toml"],
        &["accel", "m.toml", "--json"],
        &["accel", "m.toml", "--solver", "all"],
        &["static", "m.toml"],
        &["static", "m.toml", "--json"],
        &["modes", "m.toml"],
        &["modes", "m.toml", "--json"],
        &["kinematics", "m.toml"],
        &["kinematics", "m.toml", "--json"],
        &["run", "m.toml", "-o", "out"],
        &["run", "m.toml", "-o", "out"],
        &["run", "m.toml", "--table", body],
        &["run", "m.toml", "--json"],
        &["run", "m.toml", "-o", "bounded", "--method", "dopri5", "--tol", "1e-13", "--t-end", "1e-300"],
        &["plot", "out", body],
        &["plot", "out"],
        &["export", "out", "--format", body],
        &["sweep", "m.toml", "--vary", "p=[1,2]", "--metric", "last(t)", "--output", "study"],
        &["view", "m.toml", "more", "--no-open"],
        &["bench", "accel", "m.toml"],
        &["check", "m.toml", "--set", "a\u{1b}[31m=1"],
        &["check", "m\u{1b}[31m\u{9b}\u{202e}.toml"],
        &["check", "--\u{1b}[31m"],
        &["\u{1b}[31m\u{202e}run", "m.toml"],
        &["new", "\u{1b}[31m\u{9b}", "--from", "\u{1b}[31m"],
        &["explain", "\u{1b}[31m\u{202e}"],
    ] {
        clean(&dir, args);
    }
    for (k, text) in faulty().into_iter().enumerate() {
        fs::write(dir.join("faulty.toml"), text).expect("written");
        for command in ["check", "run", "static", "modes", "kinematics", "accel", "topology"] {
            let said = clean(&dir, &[command, "faulty.toml"]);
            assert!(said.contains("error: "), "{k}: {said}");
        }
        // the text of JSON holds what the model says
        let output = kingpin(&dir, &["check", "faulty.toml", "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(report["errors"][0]["message"].is_string(), "{k}: {report}");
    }
}

/// Names that are bytes and no text.
#[cfg(target_os = "linux")]
#[test]
fn file_names_need_not_be_text() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt;
    let dir = folder("hostile-names");
    let name = |text: &[u8]| OsStr::from_bytes(text).to_os_string();
    let model = name(b"m\xff\xfe.toml");
    fs::copy(root().join("models/pendulum.toml"), dir.join(&model)).expect("copied");
    let out = name(b"out\xff");
    let run = |args: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
        let output = command.args(args).current_dir(&dir).output().expect("the command ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let word = OsString::from;
    for args in [
        vec![word("check"), model.clone()],
        vec![word("topology"), model.clone()],
        vec![word("static"), model.clone()],
        vec![word("run"), model.clone(), word("-o"), out.clone(), word("--t-end"), word("0.1")],
        vec![word("run"), model.clone(), word("--t-end"), word("0.1")],
        vec![
            word("run"),
            model.clone(),
            word("-o"),
            out.clone(),
            word("--t-end"),
            word("0.1"),
            word("--force"),
        ],
        vec![word("plot"), out.clone(), word("bob_x")],
        vec![word("export"), out.clone(), word("--format"), word("csv"), word("-o"), name(b"t\xff.csv")],
        vec![
            word("sweep"),
            model.clone(),
            word("--vary"),
            word("l=[1, 2] m"),
            word("--metric"),
            word("last(bob_x)"),
            word("--t-end"),
            word("0.1"),
            word("--output"),
            name(b"study\xff"),
        ],
        vec![
            word("sweep"),
            model.clone(),
            word("--vary"),
            word("l=[1, 2] m"),
            word("--metric"),
            word("last(bob_x)"),
            word("--t-end"),
            word("0.1"),
            word("--output"),
            name(b"study\xff"),
            word("--resume"),
        ],
    ] {
        let (code, err) = run(&args.iter().map(OsString::as_os_str).collect::<Vec<_>>());
        assert_eq!(code, Some(0), "{args:?}: {err}");
    }
    for made in
        [&b"out\xff/results.csv"[..], b"m\xff\xfe-results/report.html", b"t\xff.csv", b"study\xff/table.csv"]
    {
        let path = dir.join(OsStr::from_bytes(made));
        let there: Vec<_> =
            fs::read_dir(&dir).expect("a folder").filter_map(|e| Some(e.ok()?.file_name())).collect();
        assert!(path.exists(), "{path:?} is not among {there:?}");
    }
}
