//! Kingpin model files: TOML into [`kingpin::model::Model`] and back, with messages that point at the place.
//!
//! ```
//! let text = "
//! space = 'planar'
//! [parameters]
//! L = '50 cm'
//! [[body]]
//! name = 'rod'
//! mass = 2
//! inertia = 'mas * L^2 / 12'
//! ";
//! let loaded = kingpin_io::read_text("rod.toml", text, ".", &kingpin_io::Overrides::none());
//! assert!(loaded.model.is_none());
//! assert!(loaded.render(false).contains("rod.toml:8:12"));
//! ```
//!
//! Nothing here knows any element by name: reader, writer, schema and reference page follow from the tables of
//! fields in [`kingpin::model::describe`].

mod assembly;
mod bytes;
mod catalog;
mod changes;
mod check;
mod context;
mod deep;
mod diagnostic;
mod draft;
mod escape;
mod explained;
mod function;
mod item;
mod known;
mod lists;
mod load;
mod memory;
mod meshes;
mod model_file;
mod names;
mod number;
mod orientation;
mod parameters;
mod pattern;
mod plan;
mod read;
mod reference;
mod render;
mod schema;
mod settings;
mod shape;
mod source;
mod structure;
mod suggest;
mod superelement;
mod surface;
mod syntax;
mod tables;
mod template;
mod tree;
mod unit_names;
mod vectors;
mod write;

pub use bytes::text_of_stream;
pub use diagnostic::Diagnostic;
pub use draft::{Draft, ParameterText};
pub use explained::{Explained, explained, explained_unit, meant_word};
pub use memory::available_memory;
pub use model_file::{ModelFile, ReadError};
pub use parameters::{Overrides, ParameterRange};
pub use pattern::Limits;
pub use read::{Loaded, read_path, read_text, read_texts, read_texts_within};
pub use reference::reference_markdown;
pub use render::render;
pub use schema::schema;
pub use settings::simulation_over;
pub use source::{Location, MAX_FILE, SourceFile, Sources, Span};
pub use vectors::FUNCTIONS as VECTOR_FUNCTIONS;
pub use write::{to_toml, to_toml_with};
