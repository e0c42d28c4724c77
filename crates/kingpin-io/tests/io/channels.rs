//! The channels of the models that come with Kingpin.

use kingpin::model::Model;
use kingpin::results::{Channels, Group};
use kingpin::system::System;
use kingpin_io::{Overrides, read_path};
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["../../models", "tests/good"] {
        let all = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(all.filter(|path| path.extension().is_some_and(|e| e == "toml")));
    }
    assert!(files.len() >= 14);
    files
}

fn compiled(path: &Path) -> (Model, System) {
    let loaded = read_path(path, &Overrides::none());
    let model = loaded.model.unwrap_or_else(|| panic!("{}", path.display()));
    let (system, _) = System::compile(&model).unwrap();
    (model, system)
}

#[test]
fn names_are_unique_and_every_item_has_channels() {
    for path in files() {
        let (model, system) = compiled(&path);
        let channels = Channels::new(&system);
        for (k, channel) in channels.list().iter().enumerate() {
            // of two equal names at most one could be found
            assert_eq!(channels.find(&channel.name), Some(k), "{} of {}", channel.name, path.display());
        }
        // nodes and elements of beams have channels, the shares of their loads do not, nor do joints inside of superelements
        let (model, _) = model.expand();
        let inside: usize = model.flexible_parts().iter().map(|part| part.joints.len()).sum();
        let joints = model.joints.len() - inside;
        // states, those inside controllers, and outputs
        let made = model.made.iter();
        let mut read: Vec<_> = model.state_parts().iter().map(|part| part.subject.clone()).collect();
        read.extend(made.flat_map(|made| &made.outputs).map(|part| part.subject.clone()));
        read.dedup();
        let bodies = model.bodies.len() - model.state_parts().len();
        let items = read.len() + bodies + joints + model.drivers.len() + model.own_forces();
        let items = items + model.spans.len() + model.structures.len();
        // forces that joints are fitted with
        let fitted: usize =
            model.made.iter().flat_map(|made| &made.fitted).map(|part| part.forces.len()).sum();
        let items = items + fitted;
        let mut subjects: Vec<_> = channels.list().iter().map(|c| c.subject.clone()).collect();
        subjects.dedup();
        assert_eq!(subjects.len(), items + model.measures.len() + 1, "{}", path.display());
    }
}

#[test]
fn names_of_a_slider_crank() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (_, system) = compiled(&root.join("../../models/slider_crank.toml"));
    let channels = Channels::new(&system);
    let of = |group: Group| -> Vec<&str> {
        channels.list().iter().filter(|c| c.group == group).map(|c| c.name.as_str()).collect()
    };
    insta::assert_snapshot!(format!("{:#?}", [Group::JointCoordinate, Group::Energy].map(of)));
}
