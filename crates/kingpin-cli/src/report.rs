//! Pieces that reports for people are made of.

use crate::words::{count, plain};
use std::fmt::Write;

/// One figure with its name and a remark.
pub fn entry(text: &mut String, name: &str, value: &str, remark: &str) {
    let line = format!("  {name:<21}{value:<9} {remark}");
    *text += line.trim_end();
    text.push('\n');
}

/// A list below a heading, cut where it gets long. Writing to a string does not fail.
pub fn list(
    text: &mut String,
    heading: &str,
    total: usize,
    shown: usize,
    lines: impl Iterator<Item = String>,
) {
    let _ = writeln!(text, "\n  {heading}");
    for line in lines.take(shown) {
        let _ = writeln!(text, "    {}", plain(&line));
    }
    if total > shown {
        let _ = writeln!(text, "    … and {} more", count(total - shown));
    }
}
