//! The folder of results.
//!
//! | file | holds |
//! |---|---|
//! | `channels.json` | format and version, model, settings, parameters, names and units of all columns |
//! | `model.toml` | the model as one file, so that results can be understood without the files they came from |
//! | `rows.f64` | frames: rows of little-endian doubles, the time first, then one per channel |
//! | `steps.f64` | accepted steps, likewise: [`STEP_COLUMNS`] |
//! | `events.jsonl` | what happened on the way, one JSON object per line |
//! | `checkpoint` | all that the run remembers, to resume from; replaced as a whole |
//! | `checkpoints/` | earlier ones, the fewer the older they are |
//! | `sums` | which files are ours, with checksums of all the others, chunk by chunk |
//! | `tables` | checksums of tables and the page made of the results |
//! | `lock` | who writes into the folder, as long as somebody does |
//! | `summary.json` | written at the end; without it the run goes on or was interrupted |
//!
//! Whole rows go to the operating system at least once a second while steps or frames come. After a crash the last row may
//! be torn; it is ignored. `numpy.fromfile(path, '<f8').reshape(-1, 1 + channels)` reads the rows as well.

mod checkpoint;
mod choice;
mod events;
mod folder;
mod header;
mod labels;
mod lock;
pub(crate) mod made;
mod names;
mod reader;
mod recorder;
mod resume;
mod rows;
mod scratch;
mod slots;
mod summary;
mod sums;
mod survey;
mod writer;

pub use checkpoint::{Checkpoint, fingerprint};
pub use choice::Choice;
pub use events::EventLine;
pub use folder::Folder;
pub use header::{ChannelInfo, Header, Of, Parameter};
pub use labels::{is_results, labels};
pub use lock::Lock;
pub use reader::{Reader, Rows, Table};
pub use recorder::Recorder;
pub use resume::{Begun, Resumed};
pub use scratch::scratch;
pub use summary::{Fact, FactKind, Outcome, Summary, Warning};
pub use sums::Damage;
pub use writer::{Held, Writer};

use std::path::{Path, PathBuf};

/// Names and units of the columns of `steps.f64`.
pub const STEP_COLUMNS: [(&str, &str); 8] = [
    ("t", "s"),
    ("h", "s"),
    ("error", ""),
    ("order", ""),
    ("rejected", ""),
    ("newton", ""),
    ("position residual", ""),
    ("velocity residual", ""),
];

const HEADER: &str = "channels.json";
const MODEL: &str = "model.toml";
const ROWS: &str = "rows.f64";
const STEPS: &str = "steps.f64";
const EVENTS: &str = "events.jsonl";
const CHECKPOINT: &str = "checkpoint";
const CHECKPOINTS: &str = "checkpoints";
const SUMMARY: &str = "summary.json";
const SUMS: &str = "sums";
const MADE: &str = "tables";
/// The header goes first when results are removed, so that no reader takes halves for the whole.
const ALL: [&str; 8] = [HEADER, MODEL, ROWS, STEPS, EVENTS, CHECKPOINT, SUMMARY, SUMS];
/// What is made of results, at the end of a run or later.
const TABLES: [&str; 6] =
    ["results.csv", "results.npy", "results.npy.json", "results.parquet", "actuators.csv", "report.html"];

/// All files that a folder of results may have.
pub fn files(dir: &Path) -> [PathBuf; 8] {
    ALL.map(|name| dir.join(name))
}
