//! The table of modules in ARCHITECTURE.md is what the sources say: a module uses those named in its last column, and
//! no other.

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

/// Names that follow `crate::` in the code of a file, tests and comments left out; those of a list in braces too.
fn names(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut names = Vec::new();
    for after in code.split("crate::").skip(1) {
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
    names.into_iter().map(word).collect()
}

fn module(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("src")).expect("a source");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_string()
}

fn seen() -> Uses {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    let mut uses: Uses = files.iter().map(|path| (module(path), BTreeSet::new())).collect();
    uses.remove("lib");
    let modules: BTreeSet<String> = uses.keys().cloned().collect();
    for path in &files {
        let own = module(path);
        let text = fs::read_to_string(path).expect("text");
        let others = names(&text).into_iter().filter(|name| *name != own && modules.contains(name));
        if let Some(list) = uses.get_mut(&own) {
            list.extend(others);
        }
    }
    uses
}

/// Rows of the table under "The library": the module in the first column, those it uses in the last.
fn told() -> Uses {
    let text = fs::read_to_string(root().join("../../ARCHITECTURE.md")).expect("the document");
    let part = text.split("## The library").nth(1).expect("the part");
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

#[test]
fn the_table_tells_who_uses_whom() {
    let (seen, told) = (seen(), told());
    let rows = |uses: &Uses| {
        let row = |(name, list): (&String, &BTreeSet<String>)| {
            format!("{name}: {}\n", list.iter().cloned().collect::<Vec<_>>().join(", "))
        };
        uses.iter().map(row).collect::<String>()
    };
    assert_eq!(rows(&seen), rows(&told), "left: the sources; right: ARCHITECTURE.md");
}

#[test]
fn uses_are_read_off_lists_and_paths() {
    let text =
        "use crate::{a::B, c::{D, e}};\n// crate::no\nfn f() -> crate::g::H {}\n#[cfg(test)]\nuse crate::i;";
    assert_eq!(names(text), ["a", "c", "g"]);
}
