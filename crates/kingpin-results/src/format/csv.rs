//! Comma-separated values [RFC 4180].

use super::{Output, chosen, columns};
use crate::error::Error;
use crate::store::{Choice, Reader};
use std::io::Write;

/// A line of names with units, such as `crank.wz [rad/s]`, then a line per whole frame. Numbers have as many digits
/// as it takes to get them back exactly.
pub fn csv(reader: &Reader, choice: &Choice, mut out: Output) -> Result<(), Error> {
    let channels = chosen(reader, choice)?;
    let titles = columns(reader, &channels).into_iter().map(|(name, unit)| match unit {
        "" => quoted(name),
        unit => quoted(&format!("{name} [{unit}]")),
    });
    out.text(&(titles.collect::<Vec<_>>().join(",") + "\r\n"))?;
    let mut rows = reader.selected(choice)?;
    let mut line = Vec::new();
    while let Some(row) = rows.next_row()? {
        line.clear();
        number(&mut line, row[0]);
        for &channel in &channels {
            line.push(b',');
            number(&mut line, row[1 + channel]);
        }
        line.extend(b"\r\n");
        out.bytes(&line)?;
    }
    out.finish()
}

/// Shortest digits that give the number back; `NaN` and `inf` as most programs read them.
fn number(line: &mut Vec<u8>, x: f64) {
    // writing to memory cannot fail
    let _ = write!(line, "{x:?}");
}

fn quoted(name: &str) -> String {
    if name.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.into()
    }
}
