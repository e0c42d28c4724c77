//! The models that are broken: all that come with the project, and the small ones of the tests.

use std::path::Path;

/// Files by name, and which of them are models of their own.
pub struct Shelf {
    pub files: Vec<(String, String)>,
    pub models: Vec<usize>,
}

/// Folders with models; files below `common` and `parts` are included by others, meshes are named by them.
const FOLDERS: [&str; 9] = [
    "models",
    "models/common",
    "crates/kingpin-io/tests/good",
    "crates/kingpin-io/tests/good/parts",
    "crates/kingpin-cli/src/new",
    "crates/kingpin-cli/src/generate",
    "crates/kingpin-cli/tests/fixtures",
    "crates/kingpin-cli/tests/fixtures/failures",
    "crates/kingpin-cli/tests/fixtures/superelements",
];

/// Models larger than this, with what they include, come less often, because they take long.
const LARGE: usize = 12_000;

impl Shelf {
    pub fn new() -> Shelf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let (mut files, mut models) = (Vec::new(), Vec::new());
        for folder in FOLDERS {
            let mut paths: Vec<_> =
                std::fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
            paths.retain(|path| path.extension().is_some_and(|e| e == "toml" || e == "inp"));
            paths.sort();
            for path in paths {
                let text = std::fs::read_to_string(&path).unwrap();
                let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
                if !folder.ends_with("common") && !folder.ends_with("parts") && !name.ends_with("inp") {
                    let large = text.len() > LARGE || text.contains("hmmwv");
                    models.extend(std::iter::repeat_n(files.len(), if large { 1 } else { 12 }));
                }
                files.push((name, text));
            }
        }
        assert!(files.len() > 30);
        Shelf { files, models }
    }
}
