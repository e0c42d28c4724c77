//! The tables of modules in ARCHITECTURE.md are what the sources say: a module uses those named in its last column, and
//! no other; so do the parts of `dynamics`, which use those above them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Uses = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.to_string_lossy().contains("tests") {
            out.push(path);
        }
    }
}

/// The code of a file, tests and comments left out.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Names that follow a prefix such as `crate::` in code; those of a list in braces too.
fn names(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for after in code.split(prefix).skip(1) {
        let Some(list) = after.strip_prefix('{') else {
            names.push(after);
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (k, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => {
                    names.push(list[start..k].trim());
                    break;
                }
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    names.push(list[start..k].trim());
                    start = k + 1;
                }
                _ => {}
            }
        }
    }
    let word =
        |name: &str| name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_string();
    names.into_iter().map(word).filter(|name| !name.is_empty()).collect()
}

/// The module of a folder to which a file belongs; none for the module of the folder itself.
fn module(path: &Path, folder: &Path) -> Option<String> {
    let inside = path.strip_prefix(folder).expect("a source");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
    let name = first.trim_end_matches(".rs");
    (name != "lib" && name != "mod").then(|| name.to_string())
}

/// Who uses whom among the modules of a folder, by names that follow the prefix; and names that are no modules.
fn seen(folder: &Path, prefix: &str) -> (Uses, Vec<String>) {
    let mut files = Vec::new();
    sources(folder, &mut files);
    let mut uses: Uses =
        files.iter().filter_map(|path| module(path, folder)).map(|name| (name, BTreeSet::new())).collect();
    let (modules, mut others): (BTreeSet<String>, _) = (uses.keys().cloned().collect(), Vec::new());
    for path in &files {
        let Some(own) = module(path, folder) else { continue };
        for name in names(&code(&fs::read_to_string(path).expect("text")), prefix) {
            if !modules.contains(&name) {
                others.push(format!("{}: {prefix}{name}", path.display()));
            } else if name != own {
                uses.entry(own.clone()).or_default().insert(name);
            }
        }
    }
    (uses, others)
}

/// How many modules up `super` may lead a file without leaving its module of a folder.
fn room(path: &Path, folder: &Path) -> usize {
    let depth = path.strip_prefix(folder).expect("a source").components().count();
    if path.file_name().is_some_and(|name| name == "mod.rs") { depth - 2 } else { depth - 1 }
}

/// Rows of the table under a heading: the module in the first column, those it uses in the last.
fn told(heading: &str) -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(root().join("../../ARCHITECTURE.md")).expect("the document");
    let part = text.split(heading).nth(1).expect("the part");
    let words =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_string).collect() };
    let rows =
        part.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.skip(2)
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
            let modules = words(cells[0]);
            assert_eq!(modules.len(), 1, "one module in {row}");
            (modules[0].clone(), words(cells[cells.len() - 1]).into_iter().collect())
        })
        .collect()
}

fn assert_same(seen: &Uses, told: Vec<(String, BTreeSet<String>)>) {
    let rows = |uses: &Uses| {
        let row = |(name, list): (&String, &BTreeSet<String>)| {
            format!("{name}: {}\n", list.iter().cloned().collect::<Vec<_>>().join(", "))
        };
        uses.iter().map(row).collect::<String>()
    };
    assert_eq!(rows(seen), rows(&told.into_iter().collect()), "left: the sources; right: ARCHITECTURE.md");
}

#[test]
fn the_table_tells_who_uses_whom() {
    let (seen, _) = seen(&root().join("src"), "crate::");
    assert_same(&seen, told("## The library"));
}

#[test]
fn parts_of_dynamics_use_those_above_them() {
    let folder = root().join("src/dynamics");
    let (seen, others) = seen(&folder, "crate::dynamics::");
    assert!(others.is_empty(), "only parts are named, not what `dynamics` shows of them: {others:#?}");
    let told = told("**Parts of `dynamics`.**");
    for (k, (part, uses)) in told.iter().enumerate() {
        let above: BTreeSet<String> = told[..k].iter().map(|(name, _)| name.clone()).collect();
        assert!(uses.is_subset(&above), "`{part}` uses what is not above it");
    }
    assert_same(&seen, told);
}

#[test]
fn parts_of_dynamics_are_left_by_their_full_path() {
    let folder = root().join("src/dynamics");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    for path in files.iter().filter(|path| module(path, &folder).is_some()) {
        let code = code(&fs::read_to_string(path).expect("text"));
        let up = "super::".repeat(room(path, &folder) + 1);
        assert!(!code.contains(&up), "{} leaves its part by `super`", path.display());
    }
}

#[test]
fn uses_are_read_off_lists_and_paths() {
    let text =
        "use crate::{a::B, c::{D, e}};\n// crate::no\nfn f() -> crate::g::H {}\n#[cfg(test)]\nuse crate::i;";
    assert_eq!(names(&code(text), "crate::"), ["a", "c", "g"]);
}
