//! A name of a type means one thing: no two structs, enums, traits or aliases of a crate share it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that are read; commands name their arguments and reports alike, each in its own file.
const CRATES: [&str; 6] =
    ["kingpin", "kingpin-flex", "kingpin-io", "kingpin-results", "kingpin-sparse", "kingpin-study"];

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

/// The type that a line of code defines; types that belong to traits are not types of their own.
fn defined(line: &str) -> Option<&str> {
    let code = line.trim_start();
    let mut words = code.split_whitespace().skip_while(|word| word.starts_with("pub") || *word == "unsafe");
    let word = words.next()?;
    // `pub(in crate::dynamics) struct`
    let word = if word.starts_with("crate") || word.starts_with("super") { words.next()? } else { word };
    let indented = code.len() < line.len();
    let defines = matches!(word, "struct" | "enum" | "trait" | "union") || (word == "type" && !indented);
    let name = words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (defines && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn no_name_is_given_twice() {
    let mut twice = Vec::new();
    for name in CRATES {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let (mut files, mut places) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
        sources(&root, &mut files);
        files.sort();
        for path in files {
            let text = fs::read_to_string(&path).expect("text");
            let place = path.strip_prefix(&root).expect("a source").display().to_string();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                if let Some(found) = defined(line) {
                    places.entry(found.into()).or_default().push(place.clone());
                }
            }
        }
        assert!(places.len() > 5, "{name} has types");
        let shared = places.iter().filter(|(_, places)| places.len() > 1);
        twice.extend(shared.map(|(found, places)| format!("{name}: `{found}` in {}", places.join(", "))));
    }
    assert!(twice.is_empty(), "{}", twice.join("\n"));
}

#[test]
fn definitions_are_read_off_lines() {
    assert_eq!(defined("pub struct Body {"), Some("Body"));
    assert_eq!(defined("    pub(super) enum Kind<T> {"), Some("Kind"));
    assert_eq!(defined("pub(in crate::dynamics) struct Nodes {"), Some("Nodes"));
    assert_eq!(defined("type Make<S> = Box<S>;"), Some("Make"));
    assert_eq!(defined("    type Target = Body;"), None);
    assert_eq!(defined("let x = y;"), None);
}
