//! Parquet, column by column with units.

use crate::format::{Output, chosen, columns};
use crate::error::{Error, ErrorKind};
use crate::store::{Choice, Reader};
use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::Compression;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use arrow_array::{ArrayRef, Float64Array, RecordBatch};
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
    let field = |(name, unit): (&str, &str)| {
        let metadata = HashMap::from([("unit".to_string(), unit.to_string())]);
        Field::new(name, DataType::Float64, false).with_metadata(metadata)
    };
    let fields: Vec<Field> = columns(reader, &channels).into_iter().map(field).collect();
    let schema = Arc::new(Schema::new(fields));
    let header = reader.header();
    let about = [("model", &header.model), ("generator", &header.generator), ("hash", &header.hash)];
    let about = about.map(|(key, value)| KeyValue::new(key.to_string(), value.clone()));
    let rows_at_once = (NUMBERS / (1 + channels.len())).max(1);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(rows_at_once))
        .set_key_value_metadata(Some(about.into()))
        .build();
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
