//! No text for users contains a word of `tests/words.txt`: help, messages, topics, field descriptions, page, documents.

use crate::run::{root, run};
use std::fs;
use std::path::{Path, PathBuf};

/// The refused words and phrases, in lower case, with what to write instead.
fn refused() -> Vec<(String, String)> {
    let list = fs::read_to_string(root().join("tests/words.txt")).expect("tests/words.txt");
    let entry = |line: &str| {
        let (word, instead) = line.split_once(" = ").expect("`word = plain word`");
        (word.to_lowercase(), instead.to_string())
    };
    list.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(entry).collect()
}

/// The lines of a text that contain a refused word as a whole word, each with what to write instead.
fn found(place: &str, text: &str, refused: &[(String, String)]) -> Vec<String> {
    let mut all = Vec::new();
    for line in text.lines() {
        let lower = line.to_lowercase();
        for (word, instead) in refused {
            let whole = |at: usize| {
                let (before, after) = (lower[..at].chars().last(), lower[at + word.len()..].chars().next());
                let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                !letter(before) && !letter(after)
            };
            if lower.match_indices(word.as_str()).any(|(at, _)| whole(at)) {
                all.push(format!("{place}: `{word}` (write: {instead}) in: {}", line.trim()));
            }
        }
    }
    all
}

/// Files below a folder with one of some endings, in order.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    all.sort();
    let mut found = Vec::new();
    for path in all {
        if path.is_dir() {
            found.extend(files(&path, endings));
        } else if path.extension().is_some_and(|ending| endings.iter().any(|own| ending == *own)) {
            found.push(path);
        }
    }
    found
}

/// The string literals of Rust or TypeScript code, without those of the unit tests at its end. Identifiers and comments
/// are left out; a literal counts as a text if it has a blank between words.
fn literals(code: &str) -> Vec<String> {
    let code = code.split("\nmod tests {").next().unwrap_or(code);
    let bytes: Vec<char> = code.chars().collect();
    let starts = |at: usize, text: &str| text.chars().enumerate().all(|(k, c)| bytes.get(at + k) == Some(&c));
    let (mut all, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            '/' if starts(at, "//") => {
                while at < bytes.len() && bytes[at] != '\n' {
                    at += 1;
                }
            }
            // a character, not a lifetime
            '\'' if bytes.get(at + 1) == Some(&'\\') => at += 4,
            '\'' if bytes.get(at + 2) == Some(&'\'') => at += 3,
            quote @ ('"' | '`') => {
                let (mut text, mut k) = (String::new(), at + 1);
                while k < bytes.len() && bytes[k] != quote {
                    if bytes[k] == '\\' && bytes.get(k + 1) == Some(&'\n') {
                        // a continued line
                        k += 2;
                        while bytes.get(k).is_some_and(|c| c.is_whitespace()) {
                            k += 1;
                        }
                        continue;
                    }
                    if bytes[k] == '\\' {
                        text.push(' ');
                        k += 2;
                        continue;
                    }
                    text.push(bytes[k]);
                    k += 1;
                }
                if text.trim().contains(' ') {
                    all.push(text);
                }
                at = k + 1;
            }
            _ => at += 1,
        }
    }
    all
}

/// A text without what stands in braces: names of variables.
fn without_braces(text: &str) -> String {
    let mut depth = 0_usize;
    let mut outside = |c: char| match c {
        '{' => {
            depth += 1;
            false
        }
        '}' => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    };
    text.chars().filter(|c| outside(*c)).collect()
}

/// Prose of a page in Markdown: without code blocks and code in backticks, which may name identifiers.
fn prose(page: &str) -> String {
    let mut text = String::new();
    let mut is_code = false;
    for line in page.lines() {
        is_code ^= line.trim_start().starts_with("```");
        if !is_code {
            text.extend(line.split('`').step_by(2));
            text.push('\n');
        }
    }
    text
}

/// Help of a command and of the commands below it.
fn help_of(words: &[&str]) -> String {
    let mut text = run(&[words, &["--help"]].concat()).out;
    if let Some((_, commands)) = text.clone().split_once("Commands:\n") {
        for name in commands.lines().map_while(|line| line.split_whitespace().next()) {
            text += &help_of(&[words, &[name]].concat());
        }
    }
    text
}

#[test]
fn texts_for_users_contain_no_refused_word() {
    let (root, refused) = (root(), refused());
    let mut all = found("--help", &help_of(&[]), &refused);
    for words in [&["explain", "--glossary"][..], &["explain"], &["list"], &["schema", "--reference"]] {
        let shown = run(words).out;
        assert!(shown.len() > 500, "{words:?}");
        all.extend(found(&format!("kingpin {}", words.join(" ")), &shown, &refused));
    }
    let mut sources = files(&root.join("viewer/src"), &["ts"]);
    for folder in fs::read_dir(root.join("crates")).expect("crates") {
        let folder = folder.expect("a crate").path().join("src");
        sources.extend(if folder.is_dir() { files(&folder, &["rs"]) } else { Vec::new() });
    }
    assert!(sources.len() > 300, "{}", sources.len());
    for path in sources {
        let place = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        // what is under test alone is no text for users
        if place.contains("/tests") || place.ends_with("tests.rs") {
            continue;
        }
        for text in literals(&fs::read_to_string(&path).expect("source")) {
            all.extend(found(&place, &without_braces(&text), &refused));
        }
    }
    let mut pages = files(&root.join("docs"), &["md"]);
    pages.extend(
        ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md"].map(|name| root.join(name)),
    );
    for path in pages {
        let place = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        all.extend(found(&place, &prose(&fs::read_to_string(&path).expect("a page")), &refused));
    }
    assert!(all.is_empty(), "{} places\n{}", all.len(), all.join("\n"));
}

/// The search itself: whole words in any case, in literals and prose, and neither in identifiers nor in comments.
#[test]
fn a_planted_word_is_found() {
    let refused = refused();
    let code =
        "// a witness\nlet told = fail(\"the witness is \\\n    unseen by \\\"some\\\"\");\nlet c = '\"';\n";
    let texts = literals(code);
    assert_eq!(texts, ["the witness is unseen by  some "]);
    assert_eq!(found("code", &texts[0], &refused).len(), 2);
    assert_eq!(without_braces("{told} of {}, {a{b}c}"), " of , ");
    assert_eq!(prose("A `ledger` of\n```\nledger\n```\nthe Ledger.").trim(), "A  of\n\nthe Ledger.");
    assert_eq!(found("page", "The Ledger.", &refused).len(), 1);
    assert!(found("page", "The retold story of ledgers, foretold.", &refused).is_empty());
}
