//! Parquet, if the build has it.

#[cfg(feature = "parquet")]
mod write;

#[cfg(feature = "parquet")]
pub use write::{parquet, parquet_table};

use super::{Export, Writing};

pub(super) const EXPORT: Export = Export {
    name: "parquet",
    about: "Columns with names and units, for pandas",
    ending: "parquet",
    #[cfg(feature = "parquet")]
    write: Writing::Table(parquet),
    // refused before
    #[cfg(not(feature = "parquet"))]
    write: Writing::Table(|_, _, _| Ok(())),
    beside: None,
    missing: if cfg!(feature = "parquet") {
        None
    } else {
        Some("build it with `cargo install --path crates/kingpin-cli --features parquet`, or export `csv` or `npy`")
    },
};
