//! The mechanisms of rigid bodies that come with Kingpin; beams and superelements have tests of their own.

use std::path::{Path, PathBuf};

/// Their files, in order.
pub fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(folder).expect("models").map(|entry| entry.expect("a file").path());
    let is_model = |path: &PathBuf| path.extension().is_some_and(|e| e == "toml");
    let is_rigid = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a text");
        !["[[beam]]", "[[superelement]]"].iter().any(|word| text.contains(word))
    };
    let mut list: Vec<_> = files.filter(|path| is_model(path) && is_rigid(path)).collect();
    list.sort();
    assert!(list.len() > 10);
    list
}
