//! Tables of aligned text.

use crate::words::{count, plain};
use std::fmt;

/// Rows shown of a long table.
const SHOWN: usize = 30;

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// A table being filled. Of a long one only the first rows are kept, the others are counted.
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
    left_out: usize,
}

impl Table {
    /// A table of so many rows, with the headers of its columns, filled row by row.
    pub fn new<const N: usize>(
        columns: [(&str, Align); N],
        rows: usize,
        mut row: impl FnMut(usize) -> [String; N],
    ) -> Table {
        let columns = columns.map(|(header, align)| (header.into(), align)).into();
        Table::with_columns(columns, rows, |k| row(k).into())
    }

    /// The same with columns that are known at run time only; every row has a cell for each.
    pub fn with_columns(
        columns: Vec<(String, Align)>,
        rows: usize,
        mut row: impl FnMut(usize) -> Vec<String>,
    ) -> Table {
        // a line that says «1 more» would be as long as the row itself
        let shown = if rows <= SHOWN + 1 { rows } else { SHOWN };
        let plain_row = |k: usize| row(k).iter().map(|cell| plain(cell)).collect();
        Table { columns, rows: (0..shown).map(plain_row).collect(), left_out: rows - shown }
    }

    /// A table of which every row is shown.
    pub fn whole(columns: Vec<(String, Align)>, rows: Vec<Vec<String>>) -> Table {
        Table { columns, rows, left_out: 0 }
    }

    /// One line, cells padded to the widths of their columns.
    fn line(&self, f: &mut fmt::Formatter<'_>, widths: &[usize], cells: &[&str]) -> fmt::Result {
        let mut line = String::new();
        for ((cell, &width), (_, align)) in cells.iter().zip(widths).zip(&self.columns) {
            let blank = " ".repeat(width - cell.chars().count());
            let (before, after) =
                if *align == Align::Left { ("", blank.as_str()) } else { (blank.as_str(), "") };
            line += &format!("  {before}{cell}{after}");
        }
        writeln!(f, "{}", line.trim_end())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header: Vec<&str> = self.columns.iter().map(|(header, _)| header.as_str()).collect();
        let rows = || self.rows.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>());
        let mut widths = vec![0; header.len()];
        for cells in rows().chain([header.clone()]) {
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = cell.chars().count().max(*width);
            }
        }
        self.line(f, &widths, &header)?;
        let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        self.line(f, &widths, &rule.iter().map(String::as_str).collect::<Vec<_>>())?;
        for cells in rows() {
            self.line(f, &widths, &cells)?;
        }
        if self.left_out > 0 {
            writeln!(f, "  … and {} more", count(self.left_out))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: usize) -> String {
        let columns = [("body", Align::Left), ("mass", Align::Right)];
        Table::new(columns, rows, |k| [format!("link{k}"), format!("{}", 8 + k)]).to_string()
    }

    #[test]
    fn words_go_left_and_numbers_right() {
        let expected = "  body   mass\n  -----  ----\n  link0     8\n  link1     9\n  link2    10\n";
        assert_eq!(table(3), expected);
    }

    #[test]
    fn long_tables_are_cut() {
        assert_eq!(table(31).lines().count(), 33);
        let long = table(10_000);
        assert_eq!(long.lines().count(), 33);
        assert!(long.ends_with("… and 9,970 more\n"), "{long}");
    }
}
