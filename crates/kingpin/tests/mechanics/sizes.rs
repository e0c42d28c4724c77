//! Files and functions are small enough to be read at one go, in all crates.

use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a file, of half of the files, and of a function.
const FILE: usize = 400;
const MEDIAN: usize = 120;
const FUNCTION: usize = 80;

/// Sources of all crates, tests and examples among them.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["crates", "examples", "tests"] {
        gather(&root.join(folder), &mut files);
    }
    files.sort();
    let read = |path: PathBuf| (fs::read_to_string(&path).expect("text"), path);
    files.into_iter().map(read).map(|(text, path)| (path, text)).collect()
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            gather(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// Name and lines of each function of a text that is laid out as `cargo fmt` does: it ends at the brace below its
/// first letter.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let Some(name) = name(code) else { continue };
        let margin = &line[..line.len() - code.len()];
        let (brace, semicolon) = (format!("{margin}}}"), format!("{margin}) "));
        // a declaration, or a function of a single line
        let ends_here = |line: &&str| line.ends_with(';') || line.ends_with('}');
        let is_end =
            |line: &&str| line.starts_with(&brace) || line.starts_with(&semicolon) && line.ends_with(';');
        let rest = || lines[k..].iter();
        let count = if rest().take(1).any(ends_here) {
            1
        } else {
            rest().skip(1).take_while(|l| !is_end(l)).count() + 2
        };
        found.push((name, count));
    }
    found
}

/// The name of the function that a line begins.
fn name(code: &str) -> Option<String> {
    let (before, after) = code.split_once("fn ")?;
    let before = before.trim();
    let words = before.split_whitespace();
    let known = |word: &str| {
        matches!(word, "pub" | "const" | "unsafe" | "async" | "in")
            || word.starts_with("pub(")
            || word.ends_with(')')
    };
    let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (words.into_iter().all(known) && !name.is_empty()).then_some(name)
}

#[test]
fn files_are_short() {
    let mut lengths = Vec::new();
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= FILE, "{} has {lines} lines", path.display());
        lengths.push(lines);
    }
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= MEDIAN, "half of the files have {median} lines or more");
    assert!(lengths.len() > 500, "{} files", lengths.len());
}

#[test]
fn functions_fit_a_screen() {
    let mut seen = 0;
    for (path, text) in sources() {
        for (name, lines) in functions(&text) {
            assert!(lines <= FUNCTION, "{name} in {} has {lines} lines", path.display());
            seen += 1;
        }
    }
    assert!(seen > 5000, "{seen} functions");
}

#[test]
fn functions_are_counted() {
    let text = "\
fn one() {}
pub(in crate::a) fn two(
    x: f64,
) -> f64 {
    let f = |y: f64| {
        y
    };
    f(x)
}
impl A {
    fn declared(&self);
    pub const unsafe fn three() {
        // fn no() {
    }
    fn wide(
        &self,
    ) -> f64;
}
// a word: fn
let f: fn (f64) = g;
";
    let found = functions(text);
    let found: Vec<(&str, usize)> = found.iter().map(|(name, lines)| (name.as_str(), *lines)).collect();
    assert_eq!(found, [("one", 1), ("two", 8), ("declared", 1), ("three", 3), ("wide", 3)]);
}
