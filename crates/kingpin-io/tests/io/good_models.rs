//! Good model files: they read without a word, compile, and read the same after writing.

use kingpin_io::{Loaded, Overrides, read_path, read_text, to_toml_with};
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    assert!(files.len() >= 4);
    files
}

fn read(path: &Path) -> Loaded {
    let loaded = read_path(path, &Overrides::none());
    assert!(loaded.diagnostics.is_empty(), "{}", loaded.render(false));
    loaded
}

#[test]
fn they_compile() {
    for path in files() {
        let mut loaded = read(&path);
        assert!(loaded.compile().is_some(), "{}", loaded.render(false));
    }
}

/// The models that come with the project, and the templates of `kingpin new` and `kingpin generate`.
#[test]
fn shipped_models_are_read_without_a_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for folder in ["models", "crates/kingpin-cli/src/new", "crates/kingpin-cli/src/generate"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "toml") {
                let mut loaded = read(&path);
                assert!(loaded.compile().is_some(), "{}", loaded.render(false));
                assert!(loaded.diagnostics.is_empty(), "{}", loaded.render(false));
                count += 1;
            }
        }
    }
    assert!(count >= 22, "{count}");
}

#[test]
fn they_read_the_same_after_writing() {
    for path in files() {
        let first = read(&path);
        let model = first.model.as_ref().unwrap();
        let text = to_toml_with(model, &first.parameters);
        let again = read_text("again.toml", &text, ".", &Overrides::none());
        assert!(!again.has_errors(), "{text}\n{}", again.render(false));
        assert_eq!(again.model.as_ref(), Some(model), "{text}");
        assert_eq!(again.parameters, first.parameters);
    }
}

#[test]
fn patterns_make_what_was_meant() {
    let chain = files().into_iter().find(|path| path.ends_with("chain.toml")).unwrap();
    let model = read(&chain).model.unwrap();
    let names: Vec<_> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["cart", "link1", "link2", "link3", "link4"]);
    // the includer's length and the included density
    assert_eq!(model.bodies[4].mass, 2.0 * 0.2 * 2.0);
    assert_eq!(model.bodies[2].position.x, 1.5 * 0.2);
    assert_eq!(model.markers.len(), 2 + 3 + 4 + 5);
    assert_eq!(model.shapes[0].ends.body.as_deref(), Some("link4"));
    assert_eq!((model.simulation.t_end, model.simulation.frame), (3.0, Some(0.5)));
}

/// Many items of a pattern cost evaluation only; this would take minutes if anything were quadratic.
#[test]
fn large_patterns_expand() {
    let text = "
        [[pattern]]
        to = 50000
        [[pattern.body]]
        name = 'link{i}'
        mass = '1 + i/1000'
        inertia = [1, 1, '1 + 1/i']
        position = ['(i - 0.5) * 0.1 m', 0, 0]
        [[pattern.joint]]
        type = 'revolute'
        name = 'pin{i}'
        body1 = 'link{if(i == 1, 2, i - 1)}'
        body2 = 'link{i}'
        at = ['0.1 m * (i - 1)', 0, 0]
        axis = [0, 1, 0]
    ";
    let loaded = read_text("large.toml", text, ".", &Overrides::none());
    let model = loaded.model.unwrap();
    assert_eq!((model.bodies.len(), model.joints.len()), (50_000, 50_000));
    assert_eq!(model.joints[49_999].ends.body1.as_deref(), Some("link49999"));
}
