//! The files a model was read from, and where in them each item and field stands.

use kingpin::model::Subject;
use std::collections::HashMap;

/// Some bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From byte positions; files are smaller than 4 GiB (see [`MAX_FILE`]).
    pub fn new(start: usize, end: usize) -> Span {
        let fit = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { start: fit(start), end: fit(end.max(start)) }
    }

    /// As a range of bytes.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The largest model file that is read, in bytes.
pub const MAX_FILE: usize = 1 << 29;

/// A place in one of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Location {
    /// Number of the file, see [`Sources::file`].
    pub file: u32,
    /// The bytes.
    pub span: Span,
}

/// A file that was read.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    /// Its name as shown in messages.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Where an item came from: a table of a file. All items of one table of a pattern share their origin.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The file.
    pub file: u32,
    /// The header of the table, such as `[[joint]]`.
    pub header: Span,
    /// The fields with the places of their values, sorted by name.
    pub fields: Box<[(&'static str, Location)]>,
    /// The assembly it belongs to: where the model asks for it, and its name.
    pub assembly: Option<(Location, String)>,
}

impl Origin {
    /// The place of a field; of the name, or else the header, if the field is empty or was not given.
    pub fn locate(&self, field: &str) -> Location {
        let of = |name: &str| {
            let at = self.fields.binary_search_by(|(key, _)| (*key).cmp(name)).ok()?;
            Some(self.fields[at].1)
        };
        let header = Location { file: self.file, span: self.header };
        of(field).or_else(|| of("name")).unwrap_or(header)
    }
}

/// The kinds of items that are numbered in a model, in the order of [`family`].
const FAMILIES: usize = 17;

/// The places of the items of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    origins: Vec<Origin>,
    /// For each family of items and each item its origin.
    items: [Vec<u32>; FAMILIES],
    /// Places of parameters, top-level keys and simulation settings.
    pub parameters: HashMap<String, Location>,
    pub model: HashMap<&'static str, Location>,
    pub simulation: HashMap<&'static str, Location>,
}

impl SourceMap {
    pub fn add_origin(&mut self, origin: Origin) -> u32 {
        self.origins.push(origin);
        self.origins.len() as u32 - 1
    }

    /// An origin that was added.
    pub fn origin(&self, number: u32) -> Option<&Origin> {
        self.origins.get(number as usize)
    }

    /// The origin of an item some of whose fields are given elsewhere.
    pub fn changed_origin(&mut self, number: u32, places: Vec<(&'static str, Location)>) -> Option<u32> {
        let mut origin = self.origin(number)?.clone();
        let kept = origin.fields.iter().filter(|(name, _)| places.iter().all(|(other, _)| other != name));
        let mut fields: Vec<_> = kept.chain(&places).copied().collect();
        fields.sort_unstable();
        origin.fields = fields.into();
        Some(self.add_origin(origin))
    }

    /// Notes the origin of the next item of a family.
    pub fn add_item(&mut self, subject: &Subject, origin: u32) {
        if let Some((family, index)) = family(subject) {
            debug_assert_eq!(self.items[family].len(), index);
            self.items[family].push(origin);
        }
    }
}

impl SourceMap {
    /// The file that gives a field of an item.
    pub fn file_of(&self, subject: &Subject, field: &str) -> Option<u32> {
        let (family, index) = family(subject)?;
        let origin = self.origin(*self.items[family].get(index)?)?;
        Some(origin.locate(field).file)
    }

    /// Forgets the items of a family that are not kept, by their numbers.
    pub fn keep_items(&mut self, one: &Subject, keep: impl Fn(usize) -> bool) {
        if let Some((family, _)) = family(one) {
            let mut number = 0..;
            self.items[family].retain(|_| number.next().is_some_and(&keep));
        }
    }
}

/// All files of a model and the places of its items.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    map: SourceMap,
}

impl Sources {
    pub(crate) fn new(files: Vec<SourceFile>, map: SourceMap) -> Sources {
        Sources { files, map }
    }

    /// A text that is no model, such as an argument of a command, for messages about it.
    pub fn of_text(name: &str, text: &str) -> Sources {
        Sources {
            files: vec![SourceFile { name: name.into(), text: text.into() }],
            map: SourceMap::default(),
        }
    }

    /// The file of that number.
    pub fn file(&self, number: u32) -> Option<&SourceFile> {
        self.files.get(number as usize)
    }

    /// All files: the one asked for, its includes, and a text for each override.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Where `field` of an item stands; an empty field means the item itself.
    /// If the item does not give the field, the place of the item is returned.
    pub fn locate(&self, subject: &Subject, field: &str) -> Option<Location> {
        let map = &self.map;
        match subject {
            Subject::Model => map.model.get(field).or_else(|| map.model.get("")).copied(),
            Subject::Parameter(name) => map.parameters.get(name).copied(),
            Subject::Simulation => map.simulation.get(field).or_else(|| map.simulation.get("")).copied(),
            _ => {
                let (family, index) = family(subject)?;
                let origin = *map.items[family].get(index)?;
                Some(map.origins[origin as usize].locate(field))
            }
        }
    }

    /// The assembly that an item belongs to: where the model asks for it, and its name.
    pub(crate) fn assembly_of(&self, subject: &Subject) -> Option<(Location, String)> {
        let (family, index) = family(subject)?;
        let origin = *self.map.items[family].get(index)?;
        self.map.origins.get(origin as usize)?.assembly.clone()
    }

    /// Whether a file gives a setting of the simulation.
    pub(crate) fn says_of_simulation(&self, field: &str) -> bool {
        self.map.simulation.contains_key(field)
    }

    /// Line and column, both counted from one, the column in characters.
    pub fn line_column(&self, location: Location) -> Option<(usize, usize)> {
        let text = &self.file(location.file)?.text;
        let before = text.get(..location.span.start as usize)?;
        let line_start = before.rfind('\n').map_or(0, |k| k + 1);
        Some((before.matches('\n').count() + 1, before[line_start..].chars().count() + 1))
    }
}

/// Family and index of a numbered item.
fn family(subject: &Subject) -> Option<(usize, usize)> {
    Some(match *subject {
        Subject::Body(k) => (0, k),
        Subject::Marker(k) => (1, k),
        Subject::Joint(k) => (2, k),
        Subject::Driver(k) => (3, k),
        Subject::Force(k) => (4, k),
        Subject::Measure(k) => (5, k),
        Subject::Event(k) => (6, k),
        Subject::Input(k) => (7, k),
        Subject::Road(k) => (8, k),
        Subject::Shape(k) => (9, k),
        Subject::Beam(k) => (10, k),
        Subject::Superelement(k) => (11, k),
        Subject::Structure(k) => (12, k),
        Subject::Cable(k) => (13, k),
        Subject::State(k) => (14, k),
        Subject::Controller(k) => (15, k),
        Subject::Substructure(k) => (16, k),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_fall_back_to_the_name_then_to_the_header() {
        let mut map = SourceMap::default();
        let text = "[[body]]\nname = \"a\"\n[[shape]]\n";
        let (name, mass) = (Span::new(16, 19), Span::new(4, 5));
        let at = |span| Location { file: 0, span };
        let fields = Box::from([("mass", at(mass)), ("name", at(name))]);
        let body = map.add_origin(Origin { file: 0, header: Span::new(0, 8), fields, assembly: None });
        let (header, fields) = (Span::new(20, 29), Box::from([]));
        let shape = map.add_origin(Origin { file: 0, header, fields, assembly: None });
        map.add_item(&Subject::Body(0), body);
        map.add_item(&Subject::Body(1), body);
        map.add_item(&Subject::Shape(0), shape);
        let sources = Sources::new(vec![SourceFile { name: "a.toml".into(), text: text.into() }], map);
        let at = |subject, field| sources.locate(&subject, field).map(|l| l.span);
        assert_eq!(at(Subject::Body(1), "mass"), Some(mass));
        assert_eq!(at(Subject::Body(0), "inertia"), Some(name));
        assert_eq!(at(Subject::Shape(0), ""), Some(Span::new(20, 29)));
        assert_eq!(at(Subject::Body(2), ""), None);
        assert_eq!(at(Subject::Simulation, "tol"), None);
        assert_eq!(sources.line_column(Location { file: 0, span: name }), Some((2, 8)));
    }
}
