//! Results of simulations: a folder that survives crashes, exports, reports and plots.
//!
//! A [`store::Writer`] fills a folder while a run goes on, a [`store::Reader`] reads it at any time with bounded
//! memory, and everything else is made from a reader:
//!
//! | module | makes |
//! |---|---|
//! | [`mod@format`] | CSV, NumPy, VTK, glTF, and Parquet with the feature `parquet` |
//! | [`report`] | the data of the report page, and the page itself |
//! | [`plot`] | line charts as SVG, PNG and text |
//!
//! Every failure is an [`Error`] with a path and advice. Nothing is printed.
//!
//! ```
//! use kingpin_results::format::{Output, csv};
//! use kingpin_results::store::{Choice, Header};
//! use kingpin_results::{Error, Reader, Writer};
//!
//! fn export(dir: &std::path::Path, header: &Header, model: &str) -> Result<(), Error> {
//!     let mut writer = Writer::create(dir, header, model, false)?;
//!     writer.frame(&vec![0.0; header.width()])?;
//!     drop(writer); // or `finish`, with a summary
//!     csv(&Reader::open(dir)?, &Choice::default(), Output::file(&dir.join("all.csv"))?)
//! }
//! ```

mod base64;
mod error;
pub mod format;
pub mod plot;
pub mod report;
pub mod scene;
pub mod store;

pub use error::{Error, ErrorKind};
pub use store::{Folder, Reader, Recorder, Writer};
