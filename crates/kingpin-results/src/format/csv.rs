//! Comma-separated values [RFC 4180].

use super::{Export, Writing};
use super::{Output, chosen, columns};
use crate::error::Error;
use crate::store::{Choice, Reader};
use std::io::Write;

pub(super) const EXPORT: Export = Export {
    name: "csv",
    about: "Comma-separated values, for spreadsheets and MATLAB",
    ending: "csv",
    write: Writing::Stream(csv),
    beside: None,
    missing: None,
};

/// A line of names with units, such as `crank.wz [rad/s]`, then a line per whole frame. Numbers have as many digits
/// as it takes to get them back exactly. Names that a spreadsheet would take for a formula get an apostrophe.
pub fn csv(reader: &Reader, choice: &Choice, mut out: Output) -> Result<(), Error> {
    let channels = chosen(reader, choice)?;
    let titles = columns(reader, &channels).into_iter().map(|(name, unit)| match unit {
        "" => cell(name),
        unit => cell(&format!("{name} [{unit}]")),
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

/// A text as a cell. Spreadsheets compute what begins with one of these signs, quoted or not: an apostrophe in
/// front keeps it a text.
pub fn cell(text: &str) -> String {
    let computed = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    let guarded = if computed && text.parse::<f64>().is_err() { format!("'{text}") } else { text.into() };
    if guarded.contains(['"', ',', '\r', '\n', '\t']) || guarded != text {
        format!("\"{}\"", guarded.replace('"', "\"\""))
    } else {
        guarded
    }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn formulas_stay_texts() {
        for (text, written) in [
            ("crank.x [m]", "crank.x [m]"),
            ("a-b=c+d@e", "a-b=c+d@e"),
            ("=1+1", "\"'=1+1\""),
            ("=HYPERLINK(\"http://x\",1)", "\"'=HYPERLINK(\"\"http://x\"\",1)\""),
            ("+a [m]", "\"'+a [m]\""),
            ("-left.x", "\"'-left.x\""),
            ("@sum", "\"'@sum\""),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            ("＝1", "\"'＝1\""),
            // numbers stay numbers
            ("-1.5e3", "-1.5e3"),
            ("+2", "+2"),
            ("-2 m", "\"'-2 m\""),
            ("a, b", "\"a, b\""),
            ("", ""),
        ] {
            assert_eq!(cell(text), written);
        }
    }
}
