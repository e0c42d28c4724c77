//! Licences, sources and versions of all dependencies, by the rules of `deny.toml`.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The rules that are checked here.
struct Rules {
    licences: BTreeSet<String>,
    /// names of packages that may be there in several versions
    several: BTreeSet<String>,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn rules() -> Rules {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let strings = |section: &str, key: &str| {
        let list = table[section][key].as_array().unwrap().iter();
        list.map(|entry| entry.as_str().unwrap_or_else(|| entry["crate"].as_str().unwrap()).to_string())
            .collect()
    };
    Rules { licences: strings("licenses", "allow"), several: strings("bans", "skip") }
}

/// Whether a licence expression can be met by allowed licences: OR of ANDs, with parentheses; `/` is an old OR.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut place = 0;
    alternatives(&words, &mut place, allowed) && place == words.len()
}

fn alternatives(words: &[&str], place: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = all(words, place, allowed);
    while words.get(*place) == Some(&"OR") {
        *place += 1;
        met |= all(words, place, allowed);
    }
    met
}

fn all(words: &[&str], place: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = one(words, place, allowed);
    while words.get(*place) == Some(&"AND") {
        *place += 1;
        met &= one(words, place, allowed);
    }
    met
}

fn one(words: &[&str], place: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let Some(&word) = words.get(*place) else { return false };
    *place += 1;
    if word == "(" {
        let met = alternatives(words, place, allowed);
        let closed = words.get(*place) == Some(&")");
        *place += 1;
        return met && closed;
    }
    if words.get(*place) == Some(&"WITH") {
        let whole = format!("{word} WITH {}", words.get(*place + 1).copied().unwrap_or(""));
        *place += 2;
        return allowed.contains(&whole);
    }
    allowed.contains(word)
}

/// What the rules refuse in the output of `cargo metadata`, one line each.
fn refused(metadata: &Value, rules: &Rules) -> Vec<String> {
    let mut lines = Vec::new();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut registries = BTreeSet::new();
    for package in metadata["packages"].as_array().unwrap() {
        let (name, version) = (package["name"].as_str().unwrap(), package["version"].as_str().unwrap());
        versions.entry(name).or_default().insert(version);
        match package["license"].as_str() {
            Some(licence) if is_allowed(licence, &rules.licences) => {}
            licence => lines.push(format!(
                "{name} {version}: the licence {} is not allowed",
                licence.unwrap_or("(none)")
            )),
        }
        match package["source"].as_str() {
            // a member of this workspace
            None => {}
            Some(source) if source.starts_with("registry+") => _ = registries.insert(source),
            Some(source) => lines.push(format!("{name} {version}: comes from {source}, not from a registry")),
        }
    }
    if registries.len() > 1 {
        lines.push(format!("several registries: {registries:?}"));
    }
    for (name, found) in
        versions.iter().filter(|(name, found)| found.len() > 1 && !rules.several.contains(**name))
    {
        lines.push(format!(
            "{name}: several versions, {}",
            found.iter().copied().collect::<Vec<_>>().join(", ")
        ));
    }
    for name in
        rules.several.iter().filter(|name| versions.get(name.as_str()).is_none_or(|found| found.len() < 2))
    {
        lines.push(format!("deny.toml: {name} is there in one version, so it need not be skipped"));
    }
    lines
}

#[test]
fn all_dependencies_keep_the_rules() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(metadata["packages"].as_array().unwrap().len() > 100);
    let lines = refused(&metadata, &rules());
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn planted_faults_are_refused() {
    let package = |name: &str, version: &str, licence: Value, source: &str| json!({ "name": name, "version": version, "license": licence, "source": source });
    let registry = "registry+https://one.example";
    let metadata = json!({ "packages": [
        package("good", "1.0.0", json!("MIT OR AGPL-3.0-only"), registry),
        package("good", "2.0.0", json!("(MIT OR GPL-2.0-only) AND Unicode-3.0"), registry),
        package("viral", "1.0.0", json!("MIT AND AGPL-3.0-only"), registry),
        package("silent", "1.0.0", Value::Null, registry),
        package("forked", "1.0.0", json!("MIT/Apache-2.0"), "git+https://forge.example/forked"),
        package("mirrored", "1.0.0", json!("Apache-2.0 WITH LLVM-exception"), "registry+https://two.example"),
    ]});
    let rules = Rules {
        licences: ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"]
            .map(String::from)
            .into(),
        several: ["gone".to_string()].into(),
    };
    assert_eq!(
        refused(&metadata, &rules),
        [
            "viral 1.0.0: the licence MIT AND AGPL-3.0-only is not allowed",
            "silent 1.0.0: the licence (none) is not allowed",
            "forked 1.0.0: comes from git+https://forge.example/forked, not from a registry",
            "several registries: {\"registry+https://one.example\", \"registry+https://two.example\"}",
            "good: several versions, 1.0.0, 2.0.0",
            "deny.toml: gone is there in one version, so it need not be skipped",
        ]
    );
}
