//! Parquet, column by column with units.

use crate::error::{Error, ErrorKind};
use crate::format::{Cells, Output, chosen, columns};
use crate::store::{Choice, Reader};
use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::Compression;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Numbers held in memory at a time.
const NUMBERS: usize = 4_000_000;

/// A column of doubles per channel, the time first. The metadata of each field carry its `unit`, those of the file
/// the `model` and the `generator`.
pub fn parquet(reader: &Reader, choice: &Choice, path: &Path) -> Result<(), Error> {
    let channels = chosen(reader, choice)?;
    let fields: Vec<Field> = columns(reader, &channels)
        .into_iter()
        .map(|(name, unit)| field(name, unit, DataType::Float64, false))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let header = reader.header();
    let about = [("model", &header.model), ("generator", &header.generator), ("hash", &header.hash)];
    let rows_at_once = (NUMBERS / (1 + channels.len())).max(1);
    let properties = properties(&about.map(|(key, value)| (key, value.as_str())), rows_at_once);
    let fail = |error: ::parquet::errors::ParquetError| explained(path, error);
    let mut out = Output::file(path)?;
    let mut writer = ArrowWriter::try_new(&mut out, schema.clone(), Some(properties)).map_err(fail)?;
    let mut rows = reader.selected(choice)?;
    let mut lists: Vec<Vec<f64>> = vec![Vec::new(); 1 + channels.len()];
    loop {
        let row = rows.next_row()?;
        let ended = row.is_none();
        if let Some(row) = row {
            lists[0].push(row[0]);
            for (list, &channel) in lists[1..].iter_mut().zip(&channels) {
                list.push(row[1 + channel]);
            }
        }
        if (ended || lists[0].len() == rows_at_once) && !lists[0].is_empty() {
            let array = |list: &mut Vec<f64>| Arc::new(Float64Array::from(std::mem::take(list))) as ArrayRef;
            let batch = RecordBatch::try_new(schema.clone(), lists.iter_mut().map(array).collect());
            let batch = batch.map_err(|error| explained(path, error.into()))?;
            writer.write(&batch).map_err(fail)?;
        }
        if ended {
            break;
        }
    }
    writer.close().map_err(fail)?;
    out.finish()
}

/// A table of columns of one length, each with its name and unit. The metadata of the file say what it is `about`.
pub fn parquet_table(
    about: &[(&str, &str)],
    table: Vec<(String, String, Cells)>,
    path: &Path,
) -> Result<(), Error> {
    let fail = |error: ::parquet::errors::ParquetError| explained(path, error);
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (name, unit, cells) in table {
        let (kind, gaps, array): (_, _, ArrayRef) = match cells {
            Cells::Counts(list) => (DataType::UInt64, false, Arc::new(UInt64Array::from(list))),
            Cells::Numbers(list) => (DataType::Float64, true, Arc::new(Float64Array::from(list))),
            Cells::Words(list) => (DataType::Utf8, false, Arc::new(StringArray::from(list))),
        };
        fields.push(field(&name, &unit, kind, gaps));
        arrays.push(array);
    }
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(|error| fail(error.into()))?;
    let mut out = Output::file(path)?;
    let properties = properties(about, NUMBERS);
    let mut writer = ArrowWriter::try_new(&mut out, schema, Some(properties)).map_err(fail)?;
    writer.write(&batch).map_err(fail)?;
    writer.close().map_err(fail)?;
    out.finish()
}

fn field(name: &str, unit: &str, kind: DataType, gaps: bool) -> Field {
    let metadata = HashMap::from([("unit".to_string(), unit.to_string())]);
    Field::new(name, kind, gaps).with_metadata(metadata)
}

fn properties(about: &[(&str, &str)], rows_at_once: usize) -> WriterProperties {
    let about = about.iter().map(|(key, value)| KeyValue::new((*key).to_string(), (*value).to_string()));
    WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(rows_at_once))
        .set_key_value_metadata(Some(about.collect()))
        .build()
}

/// Failures of the system keep their meaning.
fn explained(path: &Path, error: ::parquet::errors::ParquetError) -> Error {
    if let ::parquet::errors::ParquetError::External(inner) = &error
        && let Some(inner) = inner.downcast_ref::<std::io::Error>()
    {
        return Error::io("write", path, inner);
    }
    let message = format!("cannot write `{}`: {error}", path.display());
    Error::new(ErrorKind::Io, path, message, "write another format, such as CSV")
}
