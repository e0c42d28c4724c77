//! The mechanisms that come with Kingpin.

use std::path::{Path, PathBuf};

/// The folder that holds everything: crates, models, documents.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The path of a shipped model, as `four_bar.toml`.
pub fn shipped(name: &str) -> PathBuf {
    root().join("models").join(name)
}

/// The files of all shipped models, in order.
pub fn all_shipped() -> Vec<PathBuf> {
    let files =
        std::fs::read_dir(root().join("models")).expect("models").map(|entry| entry.expect("a file").path());
    let mut list: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    list.sort();
    assert!(list.len() > 15);
    list
}

/// Whether a model has beams or superelements: stiff, and with many more coordinates than bodies that a user names.
pub fn is_flexible(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a text");
    ["[[beam]]", "[[superelement]]"].iter().any(|word| text.contains(word))
}
