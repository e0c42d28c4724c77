//! The topics: `topics.txt`, taken apart, and what methods and solvers say of themselves.
//!
//! A topic begins with `## name`, perhaps followed by other words for it behind ` = `. Then come its lines, a line
//! that begins with `$ ` (an example), and one that begins with `> ` (see also).

use kingpin::accel;
use kingpin::dynamics::Method;
use kingpin::expr::closest;

const TEXT: &str = include_str!("topics.txt");

/// A word and what it means.
#[derive(Debug, Default)]
pub struct Topic {
    /// The word.
    pub name: &'static str,
    /// Other words for it.
    pub others: Vec<&'static str>,
    /// What it means.
    pub lines: Vec<&'static str>,
    /// A command.
    pub example: &'static str,
    /// Names of other topics.
    pub see_also: Vec<&'static str>,
}

/// All topics, in the order of the alphabet.
pub fn topics() -> Vec<Topic> {
    let methods = Method::ALL.into_iter().map(Method::explained);
    let solvers = accel::Solver::ALL.into_iter().map(accel::Solver::explained);
    let texts = TEXT.split("## ").skip(1).chain(methods).chain(solvers);
    let mut topics: Vec<Topic> = texts.map(topic).collect();
    topics.sort_by_key(|topic| topic.name.to_lowercase());
    topics
}

fn topic(text: &'static str) -> Topic {
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (name, others) = head.split_once(" = ").unwrap_or((head, ""));
    let listed =
        |text: &'static str| text.split(", ").map(str::trim).filter(|word| !word.is_empty()).collect();
    let mut topic = Topic { name: name.trim(), others: listed(others), ..Topic::default() };
    for line in rest.trim().lines() {
        if let Some(example) = line.strip_prefix("$ ") {
            topic.example = example;
        } else if let Some(names) = line.strip_prefix("> ") {
            topic.see_also = listed(names);
        } else {
            topic.lines.push(line);
        }
    }
    while topic.lines.last().is_some_and(|line| line.is_empty()) {
        topic.lines.pop();
    }
    topic
}

/// The topic of a word: by its name or another word for it, in singular or plural, with spaces or dashes.
pub fn find<'a>(all: &'a [Topic], term: &str) -> Option<&'a Topic> {
    let term = same(term);
    all.iter().find(|topic| words(topic).any(|word| same(word) == term))
}

fn words(topic: &Topic) -> impl Iterator<Item = &'static str> {
    [topic.name].into_iter().chain(topic.others.iter().copied())
}

/// Without case, dashes and plural.
fn same(term: &str) -> String {
    let spaced = term.trim().to_lowercase().replace(['-', '_'], " ");
    let words = spaced.split_whitespace().map(|word| match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None if word.ends_with("ss") => word.into(),
        None => word.strip_suffix('s').unwrap_or(word).into(),
    });
    words.collect::<Vec<String>>().join(" ")
}

/// Names that may be meant by an unknown word: spelt like it, or with a word in common.
pub fn near(all: &[Topic], term: &str) -> Vec<&'static str> {
    let (spelt, own) = (closest(&term.to_lowercase(), all.iter().flat_map(words)), same(term));
    let shared = |word: &str| same(word).split(' ').any(|part| own.split(' ').any(|wanted| wanted == part));
    let mut found: Vec<(bool, &str)> = Vec::new();
    for topic in all {
        let is_spelt = words(topic).any(|word| Some(word) == spelt);
        if is_spelt || words(topic).any(shared) {
            found.push((!is_spelt, topic.name));
        }
    }
    // what is spelt like it comes first
    found.sort_by_key(|(later, _)| *later);
    found.into_iter().map(|(_, name)| name).take(5).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_short_and_whole() {
        let all = topics();
        for topic in &all {
            let name = topic.name;
            assert!((2..=10).contains(&topic.lines.len()), "{name}: {} lines", topic.lines.len());
            assert!(topic.lines.iter().all(|line| line.chars().count() <= 92), "{name}: a long line");
            assert!(topic.example.starts_with("kingpin "), "{name}: no example");
            assert!((1..=5).contains(&topic.see_also.len()), "{name}: see also");
            for other in &topic.see_also {
                let target = find(&all, other).unwrap_or_else(|| panic!("{name}: see also {other}"));
                assert!(target.name == *other && target.name != name, "{name}: see also {other}");
            }
            for word in words(topic) {
                assert_eq!(find(&all, word).map(|found| found.name), Some(name), "{word} has two topics");
            }
        }
    }

    #[test]
    fn every_method_and_solver_is_explained_by_name() {
        let all = topics();
        let methods = Method::ALL.map(Method::name).into_iter();
        for name in methods.chain(accel::Solver::ALL.map(accel::Solver::name)) {
            assert_eq!(find(&all, name).map(|topic| topic.name), Some(name));
        }
    }

    #[test]
    fn words_are_found_in_any_form() {
        let all = topics();
        for (term, name) in [
            ("Redundant", "redundant"),
            ("redundant equations", "redundant"),
            ("multipliers", "multiplier"),
            ("degree of freedom", "degrees of freedom"),
            ("time-constants", "time constant"),
            ("bodies", "body"),
        ] {
            assert_eq!(find(&all, term).map(|topic| topic.name), Some(name), "{term}");
        }
        assert_eq!(near(&all, "redundnat").first(), Some(&"redundant"));
        assert!(near(&all, "xyzzy").is_empty());
    }
}
