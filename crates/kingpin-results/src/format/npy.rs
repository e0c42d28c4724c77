//! Arrays of NumPy [NEP 1].

use super::{Export, Writing};
use super::{Output, chosen, columns};
use crate::error::Error;
use crate::store::{Choice, Reader};
use serde::Serialize;
use std::path::Path;

pub(super) const EXPORT: Export = Export {
    name: "npy",
    about: "An array for NumPy, and a JSON file with names and units",
    ending: "npy",
    write: Writing::Table(npy),
    beside: Some(|path| {
        let mut name = path.as_os_str().to_os_string();
        name.push(".json");
        name.into()
    }),
    missing: None,
};

/// What stands beside the array.
#[derive(Serialize)]
struct Sidecar<'a> {
    model: &'a str,
    generator: &'a str,
    rows: u64,
    columns: Vec<ColumnName<'a>>,
}

#[derive(Serialize)]
struct ColumnName<'a> {
    name: &'a str,
    unit: &'a str,
}

/// A row per frame and a column per channel, the time first; names and units go to `<path>.json` beside it.
pub fn npy(reader: &Reader, choice: &Choice, path: &Path) -> Result<(), Error> {
    let channels = chosen(reader, choice)?;
    let mut rows = reader.selected(choice)?;
    let header = reader.header();
    let names = columns(reader, &channels).into_iter().map(|(name, unit)| ColumnName { name, unit });
    let sidecar = Sidecar {
        model: &header.model,
        generator: &header.generator,
        rows: rows.len(),
        columns: names.collect(),
    };
    let mut name = path.as_os_str().to_os_string();
    name.push(".json");
    let mut beside = Output::file(Path::new(&name))?;
    serde_json::to_writer_pretty(&mut beside, &sidecar)
        .map_err(|error| Error::io("write", Path::new(&name), &error.into()))?;
    let mut out = Output::file(path)?;
    out.bytes(&head(rows.len(), 1 + channels.len()))?;
    let mut bytes = Vec::with_capacity(8 * (1 + channels.len()));
    while let Some(row) = rows.next_row()? {
        bytes.clear();
        bytes.extend(row[0].to_le_bytes());
        bytes.extend(channels.iter().flat_map(|&k| row[1 + k].to_le_bytes()));
        out.bytes(&bytes)?;
    }
    beside.finish()?;
    out.finish()
}

/// Magic, version 1.0, and a dictionary padded so that the numbers start at a multiple of 64.
fn head(rows: u64, columns: usize) -> Vec<u8> {
    let dictionary = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let length = (10 + dictionary.len() + 1).next_multiple_of(64) - 10;
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    head.extend((length as u16).to_le_bytes());
    head.extend(dictionary.as_bytes());
    head.resize(10 + length - 1, b' ');
    head.push(b'\n');
    head
}
