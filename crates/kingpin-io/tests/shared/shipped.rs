//! The mechanisms that come with Kingpin.

#![allow(dead_code)]

use std::path::{Path, PathBuf};

/// Their files, in order.
pub fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(folder).expect("models").map(|entry| entry.expect("a file").path());
    let mut list: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    list.sort();
    assert!(list.len() > 15);
    list
}

/// Those with beams or superelements: stiff, and with many more coordinates than bodies that a user names.
pub fn is_flexible(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a text");
    ["[[beam]]", "[[superelement]]"].iter().any(|word| text.contains(word))
}
