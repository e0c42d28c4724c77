//! The guide says what happens.

use crate::run::{folder as empty, root, run, run_in};

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).expect("a page")
}

/// Blocks of a page in their order: language and text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    for (k, part) in page.split("```").enumerate() {
        if k % 2 == 1 {
            blocks.push(part.split_once('\n').expect("a block of lines"));
        }
    }
    blocks
}

/// Words of a command line, as a shell takes them apart.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut quote) = (vec![String::new()], None);
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.push(String::new()),
            (c, _) => words.last_mut().expect("a word").push(c),
        }
    }
    assert_eq!(quote, None, "{line}");
    words
}

#[test]
fn the_walk() {
    let place = empty("guide-walk");
    let (page, mut said, mut commands) = (page("first-model.md"), String::new(), 0);
    for (language, text) in blocks(&page) {
        match language {
            "sh" => {
                for line in text.lines() {
                    let words = words(line);
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    assert_eq!(words[0], "kingpin", "{line}");
                    let ran = run_in(&place, &words[1..]);
                    assert_eq!(ran.code, 0, "{line}\n{}{}", ran.out, ran.err);
                    said = ran.out;
                    commands += 1;
                }
            }
            "text" => {
                for line in text.lines() {
                    assert!(said.contains(line), "the guide promises\n{line}\nbut the command says\n{said}");
                }
            }
            other => panic!("a block of {other}"),
        }
    }
    assert!(commands >= 12, "{commands}");
    for file in [
        "two_arms.toml",
        "two_arms-results/report.html",
        "two_arms-results/results.csv",
        "stiffer/summary.json",
    ] {
        assert!(place.join(file).exists(), "{file}");
    }
    for file in ["arms.png", "arms.csv", "arms.glb", "common/hmmwv14.toml"] {
        assert!(place.join(file).exists(), "{file}");
    }
}

#[test]
fn the_gallery() {
    let place = empty("guide-gallery");
    let machines = std::fs::read_dir(root().join("docs/gallery")).expect("machines");
    let machines: Vec<_> = machines.map(|entry| entry.expect("a machine").path()).collect();
    let page = page("gallery.md");
    for machine in &machines {
        let name = machine.file_name().unwrap_or_default().to_string_lossy();
        assert!(page.contains(&format!("](gallery/{name})")), "{name} has no paragraph");
        std::fs::copy(machine, place.join(&*name)).expect("copied");
    }
    let commands: Vec<&str> = blocks(&page).into_iter().flat_map(|(_, text)| text.lines()).collect();
    // a machine may have several files
    assert!(commands.len() >= 3 * page.matches("\n## ").count(), "{commands:?}");
    for line in commands {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = run_in(&place, &words[1..]);
        assert_eq!(ran.code, 0, "{line}\n{}{}", ran.out, ran.err);
        assert!(!ran.err.contains("warning"), "{line}\n{}", ran.err);
    }
}

#[test]
fn the_failure_is_the_one_explained() {
    let place = empty("guide-failure");
    let model = root().join("crates/kingpin-cli/tests/fixtures/failures/rocker.toml");
    std::fs::copy(model, place.join("rocker.toml")).expect("copied");
    let ran = run_in(&place, &["run", "rocker.toml", "--quiet"]);
    assert_eq!(ran.code, 1);
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = squeezed(&ran.err);
    for (_, text) in blocks(&page("failures.md")) {
        for line in text.lines() {
            assert!(
                said.contains(&squeezed(line)),
                "the guide promises\n{line}\nbut the command says\n{}",
                ran.err
            );
        }
    }
}

#[test]
fn every_page_is_in_the_index_and_links_lead_somewhere() {
    let index = page("README.md");
    for entry in std::fs::read_dir(root().join("docs")).expect("pages") {
        let path = entry.expect("a page").path();
        // pictures are shown in pages
        if path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let other = name == "README.md" || path.is_dir();
        assert!(other || index.contains(&format!("({name})")), "{name}");
        if !name.ends_with(".md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or_default()) {
            let file = link.split('#').next().unwrap_or_default();
            assert!(link.starts_with("http") || root().join("docs").join(file).exists(), "{name}: {link}");
        }
    }
}

/// The table follows from the list of methods: `make generated` puts it there.
#[test]
fn methods_are_all_compared() {
    let table = run(&["list", "methods", "--markdown"]).out;
    assert!(page("methods.md").contains(&format!("--markdown -->\n{table}<!-- end -->\n")), "{table}");
    for method in kingpin::dynamics::Method::ALL {
        assert!(table.contains(&format!("| `{}` |", method.name())), "{}", method.name());
        let [_, kind, suits] = method.compared();
        assert!(!kind.is_empty() && !suits.is_empty(), "{}", method.name());
    }
}

/// What `kingpin explain` suggests can be typed, with the shipped models in the folder.
#[test]
fn examples_of_explanations_work() {
    let place = empty("guide-explain");
    let list = run(&["list", "examples", "--json"]).out;
    let list: serde_json::Value = serde_json::from_str(&list).expect("JSON");
    for example in list["examples"].as_array().expect("examples") {
        let name = example["name"].as_str().expect("a name");
        assert_eq!(run_in(&place, &["new", name, "--from", name]).code, 0);
    }
    let topics =
        std::fs::read_to_string(root().join("crates/kingpin-cli/src/explain/topics.txt")).expect("topics");
    let methods = kingpin::dynamics::Method::ALL.map(|method| method.explained());
    let solvers = kingpin::accel::Solver::ALL.map(|method| method.explained());
    let topics = [&[topics.as_str()], &methods[..], &solvers[..]].concat().join("\n");
    let mut lines: Vec<&str> = topics.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    lines.sort();
    lines.dedup();
    assert!(lines.len() > 40);
    for line in lines {
        let words = words(line);
        let mut words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        // what takes long or needs what is not there must at least be a command; runs are shortened
        if matches!(words[0], "plot" | "bench" | "kinematics") || words.contains(&"--resume") {
            words = vec![words[0], "--help"];
        } else if words[0] == "run" {
            words.extend(["--t-end", "0.01", "--quiet", "-o", "out", "--force"]);
        }
        let ran = run_in(&place, &words);
        let expected = if line.contains("misalign") { 1 } else { 0 };
        assert_eq!(ran.code, expected, "{line}\n{}{}", ran.out, ran.err);
    }
}

#[test]
fn the_page_of_studies() {
    let place = empty("guide-studies");
    let page = page("studies.md");
    let mut tables = String::new();
    for (language, text) in blocks(&page) {
        for line in text.lines() {
            if language == "csv" {
                assert!(tables.lines().any(|found| found == line), "no table has the line\n{line}\n{tables}");
                continue;
            }
            let words = words(line);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let ran = run_in(&place, &words[1..]);
            assert_eq!(ran.code, 0, "{line}\n{}{}", ran.out, ran.err);
            for folder in ["pendulum-study", "drawn", "failing"] {
                tables += &std::fs::read_to_string(place.join(folder).join("table.csv")).unwrap_or_default();
            }
        }
    }
}
