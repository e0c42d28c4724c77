//! An assembly as it stands in the model: what its items are called, and what names in it mean.

use super::placement::Placement;
use crate::catalog::Section;
use crate::known::Known;
use crate::source::Location;
use kingpin::model::GROUND;
use std::collections::HashMap;

/// One use of the files of an assembly.
pub(crate) struct Instance<'a> {
    /// What stands before the names of its items, such as `left.`.
    pub prefix: String,
    /// Where the model asks for it.
    pub place: Location,
    pub placement: Placement,
    /// What expressions of the model itself may use.
    pub root: &'a Known,
}

/// The names of all items of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemNames {
    /// With the numbers of their kinds.
    names: HashMap<(Section, String), usize>,
}

/// Sections whose items are held at places with names of their own.
const WITH_PLACES: [Section; 4] = [Section::Beam, Section::Cable, Section::Superelement, Section::Structure];

impl ItemNames {
    pub fn insert(&mut self, section: Section, name: String, kind: usize) {
        self.names.insert((section, name), kind);
    }

    pub fn contains(&self, section: Section, name: &str) -> bool {
        self.kind(section, name).is_some()
    }

    /// The number of the kind of an item.
    pub fn kind(&self, section: Section, name: &str) -> Option<usize> {
        self.names.get(&(section, name.to_string())).copied()
    }

    /// The names of a section.
    pub fn of(&self, section: Section) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.names.keys().filter(|(own, _)| *own == section).map(|(_, name)| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Whether there is an item that a reference may mean.
    fn is_held(&self, section: Section, name: &str) -> bool {
        if self.contains(section, name) {
            return true;
        }
        let mut ends = name.match_indices('.').map(|(at, _)| &name[..at]).chain([name]);
        section == Section::Body && ends.any(|of| WITH_PLACES.iter().any(|own| self.contains(*own, of)))
    }

    /// The item that a reference in an assembly means: its own, or else one of what is around it.
    pub fn resolved(&self, prefix: &str, section: Section, name: &str) -> String {
        if section == Section::Body && name == GROUND {
            return name.into();
        }
        let mut level = prefix;
        loop {
            let full = format!("{level}{name}");
            if self.is_held(section, &full) {
                return full;
            }
            match level.strip_suffix('.') {
                Some(own) => level = &level[..own.rfind('.').map_or(0, |at| at + 1)],
                // nobody has that name: what is said of it shows where it was looked for first
                None => return name.into(),
            }
        }
    }

    /// The bodies that a name with `*` in it means: those of the assembly alone; without one, as [`resolved`](Self::resolved).
    pub fn pattern(&self, prefix: &str, name: &str) -> String {
        match name.contains('*') {
            true => format!("{prefix}{name}"),
            false => self.resolved(prefix, Section::Body, name),
        }
    }
}

/// The name of the assembly, without the dot.
pub(crate) fn shown(prefix: &str) -> &str {
    prefix.strip_suffix('.').unwrap_or(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_items_come_first() {
        let mut names = ItemNames::default();
        for (section, name) in [
            (Section::Body, "hub"),
            (Section::Body, "car.left.hub"),
            (Section::Body, "car.frame"),
            (Section::Beam, "car.left.arm"),
        ] {
            names.insert(section, name.into(), 0);
        }
        let body = |name: &str| names.resolved("car.left.", Section::Body, name);
        assert_eq!(body("hub"), "car.left.hub");
        assert_eq!(body("frame"), "car.frame");
        assert_eq!(body("arm.start"), "car.left.arm.start");
        assert_eq!(body("ground"), "ground");
        assert_eq!(body("nobody"), "nobody");
        assert_eq!(names.resolved("", Section::Body, "hub"), "hub");
        let pattern = |name: &str| names.pattern("car.left.", name);
        assert_eq!([pattern("h*"), pattern("frame")], ["car.left.h*", "car.frame"]);
    }
}
