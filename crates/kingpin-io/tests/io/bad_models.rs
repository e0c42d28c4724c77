//! Every message a user of model files can see, as it is shown: one bad file each under `bad/`.

use kingpin_io::{Overrides, read_text};
use std::path::Path;

/// Reads a file, compiles the model if it is complete, and renders all there is to say.
/// Lines `# --set …` at the top of the file are overrides.
fn messages(path: &Path) -> (String, usize) {
    let text = std::fs::read_to_string(path).unwrap();
    let sets = text.lines().filter_map(|line| line.strip_prefix("# --set "));
    let name = path.file_name().unwrap().to_str().unwrap();
    let mut loaded = read_text(name, &text, path.parent().unwrap(), &Overrides::new(sets));
    loaded.compile();
    (loaded.render(false), loaded.diagnostics.len())
}

#[test]
fn every_bad_file_is_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    assert!(files.len() >= 25);
    for path in files {
        let (text, count) = messages(&path);
        assert!(count > 0, "{} is not bad", path.display());
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(path.file_stem().unwrap().to_str().unwrap(), text);
        });
    }
}
