//! The models that come with the program.

use kingpin::model::Model;
use kingpin_io::{Overrides, read_texts};

/// A shipped model.
pub struct Example {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! model {
    ($name:literal) => {
        Example { name: $name, text: include_str!(concat!(env!("KINGPIN_MODELS"), "/", $name, ".toml")) }
    };
}

/// All of them, the simple ones first.
pub const ALL: [Example; 19] = [
    model!("pendulum"),
    model!("conical_pendulum"),
    model!("double_pendulum_stiff"),
    model!("four_bar"),
    model!("slider_crank"),
    model!("slider_crank_flexible"),
    model!("cantilever"),
    model!("spinning_beam"),
    model!("cable_swing"),
    model!("flexible_four_bar"),
    model!("robot_arm_flexible"),
    model!("jansen"),
    model!("door"),
    model!("andrews"),
    model!("andrews_spatial"),
    model!("stewart"),
    model!("chain50"),
    model!("hmmwv14"),
    model!("hmmwv14_stiff"),
];

/// Files that they include, by the paths under which they do.
pub const PARTS: [Example; 7] = [
    model!("common/andrews"),
    model!("common/hmmwv14"),
    model!("common/hmmwv14_bushings"),
    model!("common/hmmwv14_corner"),
    model!("common/hmmwv14_front"),
    model!("common/hmmwv14_hinge"),
    model!("common/hmmwv14_rear"),
];

/// Meshes that they are made of, by the paths under which they name them.
pub const MESHES: [Example; 1] = [Example {
    name: "meshes/robot_link.inp",
    text: include_str!(concat!(env!("KINGPIN_MODELS"), "/meshes/robot_link.inp")),
}];

impl Example {
    /// The example of that name.
    pub fn named(name: &str) -> Option<&'static Example> {
        ALL.iter().find(|example| example.name == name)
    }

    /// The file it is.
    pub fn file(&self) -> String {
        if self.name.contains('.') { self.name.into() } else { format!("{}.toml", self.name) }
    }

    /// The files it includes, and its meshes.
    pub fn parts(&self) -> impl Iterator<Item = &'static Example> {
        PARTS.iter().chain(&MESHES).filter(|part| self.text.contains(&format!("\"{}\"", part.file())))
    }

    /// Its description, as the model gives it.
    pub fn about(&self) -> String {
        self.model().map_or(String::new(), |model| model.description)
    }

    /// The model; none would be a mistake of ours, which a test finds.
    fn model(&self) -> Option<Model> {
        let file = self.file();
        let parts: Vec<(String, &str)> = self.parts().map(|part| (part.file(), part.text)).collect();
        let mut texts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        texts.push((&file, self.text));
        read_texts(&file, &texts, &Overrides::none()).model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_models_are_shipped_and_say_what_they_are() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let names = |folder: &str| -> BTreeSet<String> {
            let files = std::fs::read_dir(folder).expect("models").map(|entry| entry.expect("a file").path());
            let stem =
                |path: std::path::PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            files.filter(|path| path.is_file()).filter_map(stem).collect()
        };
        assert_eq!(names(folder), ALL.iter().map(|example| example.name.to_string()).collect());
        let parts = names(&format!("{folder}/common"));
        assert_eq!(parts, PARTS.iter().map(|part| part.name.replace("common/", "")).collect());
        for example in &ALL {
            assert!(example.model().is_some(), "{}", example.name);
            assert!(example.about().len() > 20 && example.about().len() < 90, "{}", example.about());
        }
    }
}
