//! The report page of a run.

use crate::ready::Ready;
use kingpin_results::format::Output;
use kingpin_results::report::{Limits, data, embed};
use kingpin_results::{Error, Reader};
use std::path::{Path, PathBuf};

/// The page in a folder of results.
pub const REPORT: &str = "report.html";
/// Why there is no page.
pub const MISSING: &str = "this build has no viewer (it was built with --no-default-features)";

/// The page that data are put into; none if the command was built without.
#[cfg(feature = "viewer")]
pub const TEMPLATE: Option<&str> = Some(include_str!(concat!(env!("OUT_DIR"), "/page.html")));
/// The page that data are put into; none if the command was built without.
#[cfg(not(feature = "viewer"))]
pub const TEMPLATE: Option<&str> = None;

/// Writes `report.html` into a folder of results, as a whole or not at all. Nothing is written, and nothing comes
/// back, if the command was built without the page ([`MISSING`] says so).
pub fn write(dir: &Path, ready: &Ready) -> Result<Option<PathBuf>, Error> {
    let Some(template) = TEMPLATE else { return Ok(None) };
    let reader = Reader::open(dir)?;
    let limits = Limits::default();
    let data = data(&reader, ready.model(), ready.system(), ready.problem(), limits)?;
    let path = dir.join(REPORT);
    let mut out = Output::file(&path)?;
    out.text(&embed(template, &data))?;
    out.finish()?;
    Ok(Some(path))
}
