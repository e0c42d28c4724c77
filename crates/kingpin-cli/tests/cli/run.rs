//! Runs the command from the root of the repository.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What came out.
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Starts the command with all streams in our hands.
pub fn start(args: &[&str]) -> Child {
    start_in(&root(), args)
}

/// The same in another folder.
pub fn start_in(dir: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
    command.args(args).current_dir(dir).env_remove("NO_COLOR");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

/// Runs the command with a text as standard input.
pub fn feed(args: &[&str], input: &str) -> Ran {
    let mut child = start(args);
    // commands that do not read their input may be gone by now
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    finish(child)
}

/// Runs the command in a folder, without input.
pub fn run_in(dir: &Path, args: &[&str]) -> Ran {
    finish(start_in(dir, args))
}

/// Waits for the command.
pub fn finish(child: Child) -> Ran {
    let output = child.wait_with_output().expect("the command ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ran {
        code: output.status.code().expect("an exit code"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// An empty folder for a test.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Names of the methods that choose their steps.
pub fn methods() -> Vec<&'static str> {
    let all = kingpin::dynamics::Method::ALL.into_iter();
    all.filter(|method| !method.has_fixed_step()).map(|method| method.name()).collect()
}

/// Runs the command without input.
pub fn run(args: &[&str]) -> Ran {
    feed(args, "")
}

/// Runs the command, which must succeed without a message, and parses its output.
pub fn json(args: &[&str], input: &str) -> serde_json::Value {
    let ran = feed(args, input);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}: {}", ran.out);
    serde_json::from_str(&ran.out).expect("JSON")
}

/// A report whose residuals, if they are round-off, are replaced: they differ between machines.
pub fn steady(report: &str) -> String {
    let line = |line: &str| match line.trim_start().split_once(" residual ") {
        Some((which, rest)) => {
            let value: f64 = rest.split_whitespace().next().expect("a value").parse().expect("a number");
            assert!(value < 1e-12, "{line}");
            format!("  {which} residual    (round-off)\n")
        }
        None => format!("{line}\n"),
    };
    report.lines().map(line).collect()
}
