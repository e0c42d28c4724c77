//! Comments cite works by keys, `[Negrut 1998, Eq 3.147]`, and every key is in docs/bibliography.md.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The comments of a file, one text for each run of lines.
fn comments(text: &str) -> Vec<String> {
    let (mut all, mut own) = (Vec::new(), String::new());
    for line in text.lines().chain([""]) {
        match line.trim_start().strip_prefix("//") {
            Some(comment) => own += &format!(" {}", comment.trim_start_matches(['/', '!']).trim()),
            None => all.push(std::mem::take(&mut own)),
        }
    }
    all.retain(|comment| !comment.is_empty());
    all
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && word.bytes().all(|b| b.is_ascii_digit())
        && (word.starts_with("19") || word.starts_with("20"))
}

/// The key of a citation: all up to its year.
fn key(citation: &str) -> Option<String> {
    let citation = citation.trim();
    let year = citation.split([' ', ',']).find(|word| is_year(word))?;
    let end = citation.find(year)? + year.len();
    citation.starts_with(char::is_uppercase).then(|| citation[..end].to_string())
}

/// Keys that a comment cites in brackets, and what looks like a citation without them.
fn cited(comment: &str) -> (Vec<String>, Vec<String>) {
    let (mut keys, mut rest) = (Vec::new(), String::new());
    let mut parts = comment.split('[');
    rest += parts.next().unwrap_or_default();
    for part in parts {
        let (inside, after) = part.split_once(']').unwrap_or(("", part));
        keys.extend(inside.split("; ").filter_map(key));
        rest += after;
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let bare = words.windows(2).filter(|pair| {
        pair[0].trim_start_matches('(').starts_with(char::is_uppercase)
            && is_year(pair[1].trim_matches(['(', ')', ',', '.', ';', ':']))
    });
    (keys, bare.map(|pair| pair.join(" ")).collect())
}

/// The keys of the list; those of the documents that the program follows first.
fn listed() -> [BTreeSet<String>; 2] {
    let text = fs::read_to_string(root().join("docs/bibliography.md")).expect("the list");
    let mut sections = text.split("\n## ").skip(1);
    let keys = |text: &str| -> BTreeSet<String> {
        let key = |line: &str| Some(line.strip_prefix("- **[")?.split_once(']')?.0.to_string());
        text.lines().filter_map(key).collect()
    };
    [keys(sections.next().expect("the documents")), sections.flat_map(keys).collect()]
}

#[test]
fn citations_are_in_the_bibliography() {
    let (mut files, mut all) = (Vec::new(), BTreeSet::new());
    for folder in ["crates", "tests", "examples"] {
        sources(&root().join(folder), &mut files);
    }
    let [documents, others] = listed();
    let mut wrong = Vec::new();
    for path in files.iter().filter(|path| !path.ends_with("tests/mechanics/bibliography.rs")) {
        for comment in comments(&fs::read_to_string(path).expect("text")) {
            let (keys, bare) = cited(&comment);
            wrong.extend(bare.into_iter().map(|words| format!("{}: `{words}` has no key", path.display())));
            for key in keys {
                if !documents.contains(&key) && !others.contains(&key) {
                    wrong.push(format!("{}: [{key}] is not in the bibliography", path.display()));
                }
                all.insert(key);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(others.difference(&all).collect::<Vec<_>>(), Vec::<&String>::new(), "listed but not cited");
    assert!(documents.len() == 5 && all.len() > 20, "{all:?}");
}

#[test]
fn citations_are_read_off_comments() {
    let text = "/// After [Davis and\n/// Palamadai Natarajan 2010, Algorithm 907], see [`Other`].\nlet x = a[1999];\n// since 1970; Liu (1990)\n";
    let comments = comments(text);
    let found: Vec<_> = comments.iter().map(|comment| cited(comment)).collect();
    assert_eq!(found[0].0, ["Davis and Palamadai Natarajan 2010"]);
    assert_eq!(found[1], (Vec::new(), vec!["Liu (1990)".to_string()]));
}
