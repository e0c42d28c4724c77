//! The files of a model: the one asked for and those it includes.

use crate::bytes::text_of;
use crate::catalog::Section;
use crate::diagnostic::{Diagnostic, Report};
use crate::source::{Location, SourceFile, Span};
use crate::syntax::{self, Fault};
use crate::tree::{Data, Entry, Node, Table};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A file as parsed.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Its number among the sources.
    pub file: u32,
    pub tree: Table,
    pub faults: Vec<Fault>,
    /// Number of the first document that was read on its behalf, itself included.
    pub first: usize,
}

/// All files in the order in which their items are taken: includes before the file that names them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    pub sources: Vec<SourceFile>,
    /// The folder of each, where the files that it names are looked for.
    folders: Vec<PathBuf>,
    pub documents: Vec<Document>,
    /// Files of assemblies, each read once however often it is used.
    units: Vec<Unit>,
    /// The files of each assembly, by the place where it names them.
    assemblies: HashMap<Location, usize>,
    /// Whether something could not be included.
    pub incomplete: bool,
    /// Where includes are looked up.
    shelf: Shelf,
    /// Files that have been or are being read.
    seen: Vec<PathBuf>,
    /// Names of the files being read, outermost first.
    open: Vec<(PathBuf, String)>,
}

/// The files of an assembly, in the order in which their items are taken.
#[derive(Clone, Debug, Default)]
struct Unit {
    /// The files that are named, as they are known to the disk.
    named: Vec<PathBuf>,
    documents: Vec<Document>,
    /// Items that they make at least, whatever the parameters are.
    least: usize,
}

/// Deepest nesting of includes.
const MAX_DEPTH: usize = 32;
/// Most files of a model.
const MAX_FILES: usize = 2000;

/// Where the text of included files comes from.
#[derive(Clone, Debug, Default)]
pub(crate) enum Shelf {
    /// The file system.
    #[default]
    Disk,
    /// Texts by name, and nothing else.
    Texts(Vec<(String, String)>),
}

impl Shelf {
    fn text_of(&self, path: &Path) -> Result<String, String> {
        match self {
            Shelf::Disk => text_of(path),
            Shelf::Texts(texts) => {
                let found = texts.iter().find(|(name, _)| Path::new(name) == path);
                found.map(|(_, text)| text.clone()).ok_or_else(|| "there is no such file".into())
            }
        }
    }
}

impl Files {
    /// The bytes of another file beside the model, or why there are none.
    pub fn bytes_of(&self, path: &Path) -> Result<Vec<u8>, String> {
        match &self.shelf {
            Shelf::Disk => crate::bytes::bytes_of(path),
            Shelf::Texts(_) => self.shelf.text_of(path).map(String::into_bytes),
        }
    }

    /// The folder of a source.
    pub fn folder_of(&self, file: u32) -> &Path {
        self.folders.get(file as usize).map_or(Path::new(""), PathBuf::as_path)
    }

    /// Whether files are those of a disk.
    pub fn is_on_disk(&self) -> bool {
        matches!(self.shelf, Shelf::Disk)
    }

    /// None yet.
    pub fn new(shelf: Shelf) -> Files {
        Files { shelf, ..Files::default() }
    }

    /// The documents of an assembly that names its files at a place.
    pub fn assembly(&self, place: Location) -> Option<&[Document]> {
        let unit = self.units.get(*self.assemblies.get(&place)?)?;
        Some(&unit.documents)
    }

    /// Items that an assembly makes at least.
    pub fn least_items(&self, place: Location) -> usize {
        self.assemblies.get(&place).and_then(|unit| self.units.get(*unit)).map_or(0, |unit| unit.least)
    }

    /// Items that a table makes at least: patterns count as often as their bounds say, if these are numbers. O(text).
    fn items_of(&self, file: u32, table: &Table) -> usize {
        let of_entry = |entry: &Entry| {
            let Data::Array(items) = &entry.value.data else { return 0 };
            let tables = items.iter().filter_map(|item| match &item.data {
                Data::Table(table) => Some(table),
                _ => None,
            });
            let each = |table: &Table| match entry.key.as_str() {
                "assembly" => {
                    let include = table.get("include").map(|node| Location { file, span: node.span });
                    include.map_or(0, |place| self.least_items(place)).saturating_add(1)
                }
                "pattern" => {
                    let bound = |key: &str| table.get(key).map(|node| node.data.number());
                    let (from, to) = (bound("from").unwrap_or(Some(1.0)), bound("to").flatten());
                    let count = from.zip(to).map_or(0.0, |(from, to)| (to - from + 1.0).max(0.0));
                    // a number that is too large becomes the largest there is
                    (count as usize).saturating_mul(self.items_of(file, table).max(1))
                }
                key => usize::from(Section::named(key).is_some()),
            };
            tables.map(each).fold(0, usize::saturating_add)
        };
        table.entries.iter().map(of_entry).fold(0, usize::saturating_add)
    }

    /// Whether there are assemblies.
    pub fn has_assemblies(&self) -> bool {
        !self.assemblies.is_empty()
    }

    /// All documents, those of assemblies too.
    pub fn all_documents(&self) -> impl Iterator<Item = &Document> {
        self.documents.iter().chain(self.units.iter().flat_map(|unit| &unit.documents))
    }

    /// Parses a text and reads its includes, which are relative to `folder`.
    pub fn add(&mut self, name: String, text: String, folder: &Path, identity: PathBuf, report: &mut Report) {
        // some editors put a mark in front of the text
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_string(),
            None => text,
        };
        let (tree, faults) = syntax::parse(&text);
        let file = self.sources.len() as u32;
        let first = self.documents.len();
        self.sources.push(SourceFile { name: name.clone(), text });
        self.folders.push(folder.to_path_buf());
        self.seen.push(identity.clone());
        self.open.push((identity, name));
        if let Some(node) = tree.get("include") {
            self.include(file, node, folder, report);
        }
        self.read_assemblies(file, &tree, folder, report);
        self.open.pop();
        self.documents.push(Document { file, tree, faults, first });
    }

    fn include(&mut self, file: u32, node: &Node, folder: &Path, report: &mut Report) {
        let at = |span: Span| Location { file, span };
        let Data::Array(items) = &node.data else {
            let message = format!("`include` must be an array of file names, not {}", node.data.noun());
            report.push(Diagnostic::error(at(node.span), message));
            self.incomplete = true;
            return;
        };
        for item in items {
            let done = match item.data.text() {
                Some(text) => self.include_file(file, text, folder, report),
                None => Err(format!("`include` must hold file names, not {}", item.data.noun())),
            };
            if let Err(error) = done {
                report.push(Diagnostic::error(at(item.span), error));
                self.incomplete = true;
            }
        }
    }

    /// Reads the files of all assemblies of a table, and of the patterns in it.
    fn read_assemblies(&mut self, file: u32, table: &Table, folder: &Path, report: &mut Report) {
        let lists = table.entries.iter().filter(|entry| matches!(entry.key.as_str(), "assembly" | "pattern"));
        for entry in lists {
            let Data::Array(items) = &entry.value.data else { continue };
            for item in items {
                let Data::Table(inner) = &item.data else { continue };
                match inner.get("include").filter(|_| entry.key == "assembly") {
                    Some(node) => self.read_assembly(file, node, folder, report),
                    None => self.read_assemblies(file, inner, folder, report),
                }
            }
        }
    }

    /// Reads the files that an assembly names, unless another one names the same.
    fn read_assembly(&mut self, file: u32, node: &Node, folder: &Path, report: &mut Report) {
        let Data::Array(items) = &node.data else { return };
        let texts = items.iter().filter_map(|item| item.data.text());
        let named: Vec<PathBuf> = texts.map(|text| identity(&folder.join(text))).collect();
        let place = Location { file, span: node.span };
        if let Some(known) = self.units.iter().position(|unit| unit.named == named) {
            self.assemblies.insert(place, known);
            return;
        }
        let documents = std::mem::take(&mut self.documents);
        let seen = std::mem::take(&mut self.seen);
        self.include(file, node, folder, report);
        let own = std::mem::replace(&mut self.documents, documents);
        self.seen = seen;
        self.assemblies.insert(place, self.units.len());
        let least = own.iter().map(|own| self.items_of(own.file, &own.tree)).fold(0, usize::saturating_add);
        self.units.push(Unit { named, documents: own, least });
    }

    /// Reads an included file, unless that was done before; the error says what is wrong with it.
    fn include_file(
        &mut self,
        file: u32,
        text: &str,
        folder: &Path,
        report: &mut Report,
    ) -> Result<(), String> {
        let path = folder.join(text);
        let shown = text.escape_debug();
        let identity = identity(&path);
        if let Some(start) = self.open.iter().position(|(open, _)| *open == identity) {
            let mut circle: Vec<&str> = self.open[start..].iter().map(|(_, name)| name.as_str()).collect();
            circle.push(&self.open[start].1);
            return Err(format!("files include each other in a cycle: {}", circle.join(" -> ")));
        }
        if self.seen.contains(&identity) {
            return Ok(());
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(format!(
                "cannot include `{shown}`: files include each other more than {MAX_DEPTH} levels deep"
            ));
        }
        if self.sources.len() >= MAX_FILES {
            return Err(format!("cannot include `{shown}`: a model can have at most {MAX_FILES} files"));
        }
        let content = self.shelf.text_of(&path).map_err(|why| format!("cannot include `{shown}`: {why}"))?;
        let includer = self.sources.get(file as usize).map_or("", |source| source.name.as_str());
        let name = Path::new(includer).parent().unwrap_or(Path::new("")).join(text);
        let inner = path.parent().unwrap_or(folder).to_path_buf();
        self.add(name.display().to_string(), content, &inner, identity, report);
        Ok(())
    }
}

/// A path that is the same however the file is named.
pub(crate) fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use crate::{Overrides, read_path, read_text, read_texts};
    use std::path::PathBuf;

    fn good(file: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/good").join(file)
    }

    #[test]
    fn includes_come_first_and_once_and_the_includer_wins() {
        let loaded = read_path(good("includes.toml"), &Overrides::none());
        let said = loaded.render(false);
        let model = loaded.model.expect(&said);
        assert_eq!((model.name.as_str(), model.gravity.y), ("includes", -2.0));
        let names: Vec<_> = model.bodies.iter().map(|body| body.name.as_str()).collect();
        assert_eq!(names, ["base", "left", "right", "own"]);
        // parameters of the includer reach into the included files
        assert_eq!(model.bodies[0].mass, 7.0);
        assert_eq!((model.simulation.t_end, model.simulation.tol), (5.0, 1e-4));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let loaded = read_path("no/such/file.toml", &Overrides::none());
        assert_eq!(
            loaded.render(false).trim(),
            "error: cannot read `no/such/file.toml`: there is no such file\n |\n = help: there is no folder `no/such`"
        );
        assert!(read_path(".", &Overrides::none()).has_errors());
        assert!(read_text("x.toml", "include = ['/dev/zero']", ".", &Overrides::none()).has_errors());
    }

    #[test]
    fn texts_include_each_other_and_nothing_else() {
        let part = "[[body]]\nname = 'part'\nmass = 2\ninertia = 1";
        let whole = "space = 'planar'\ninclude = ['../parts/one.toml']";
        let texts = [("models/whole.toml", whole), ("models/../parts/one.toml", part)];
        let loaded = read_texts("models/whole.toml", &texts, &Overrides::none());
        assert_eq!(loaded.model.map(|model| model.bodies.len()), Some(1));
        // files on disk do not count
        let here = good("includes.toml");
        let text = format!("include = ['{}']", here.display());
        assert!(read_texts("x.toml", &[("x.toml", &text)], &Overrides::none()).has_errors());
        assert!(read_texts("y.toml", &texts, &Overrides::none()).has_errors());
    }
}
