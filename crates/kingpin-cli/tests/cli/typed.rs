//! Commands that the readme and the guide tell to type.

use crate::guide::words;
use crate::run::{root, run};

/// Commands of a page, in blocks and in sentences, without what a shell does with them.
fn commands(page: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for (k, part) in page.split("```").enumerate() {
        if k % 2 == 0 {
            lines.extend(part.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " ")));
        } else if let Some(block) = part.strip_prefix("sh\n") {
            lines.extend(block.replace("\\\n", " ").lines().map(String::from));
        }
    }
    let start = ["kingpin ", "cargo run --release -- ", "mpirun -n "];
    let lines = lines.iter().map(|line| line.trim()).filter(|line| start.iter().any(|s| line.starts_with(s)));
    let one = |line: &str| -> Vec<String> {
        let all = words(line).into_iter().filter(|word| !word.is_empty());
        let own = all.skip_while(|word| word != "kingpin" && word != "--").skip(1);
        own.take_while(|word| !matches!(word.as_str(), "#" | ">" | "|")).collect()
    };
    lines.map(one).filter(|words| words.first().is_some_and(|word| word != "...")).collect()
}

/// Whatever the readme and the guide tell to type is a command with the options that it has.
#[test]
fn commands_of_all_pages_exist() {
    let pages =
        std::fs::read_dir(root().join("docs")).expect("pages").map(|entry| entry.expect("a page").path());
    let pages =
        pages.chain([root().join("README.md")]).filter(|path| path.extension().is_some_and(|e| e == "md"));
    let mut all: Vec<Vec<String>> = Vec::new();
    for path in pages {
        all.extend(commands(&std::fs::read_to_string(path).expect("text")));
    }
    all.sort();
    all.dedup();
    assert!(all.len() > 150, "{}", all.len());
    for mut words in all {
        // letters stand for numbers
        for word in words.iter_mut().filter(|word| matches!(word.as_str(), "N" | "S" | "P" | "E" | "TOL")) {
            *word = if word == "TOL" { "1e-3" } else { "2" }.into();
        }
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.push("--help");
        let ran = run(&words);
        assert_eq!(ran.code, 0, "{words:?}\n{}", ran.err);
    }
}
