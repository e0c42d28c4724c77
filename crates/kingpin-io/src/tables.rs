//! Tables in files of their own: columns of numbers under a line of names, as spreadsheets write them.

use crate::context::Context;
use crate::number::{Number, Placed};
use crate::source::Span;
use crate::suggest::{listed, suggest};
use kingpin::expr::{Dim, Scope, parse};
use std::path::Path;

/// A file of columns.
pub(crate) struct ColumnFile {
    /// As it is shown in messages.
    name: String,
    columns: Vec<Heading>,
    /// Cells of each line, with its number in the file.
    rows: Vec<(usize, Vec<String>)>,
}

/// What stands above a column.
struct Heading {
    name: String,
    unit: Option<String>,
}

/// A column that is wanted.
pub(crate) struct Wanted<'a> {
    /// The key in the model, such as `t`.
    pub key: &'static str,
    /// The name that is given there.
    pub column: Option<(&'a str, Span)>,
    /// Its place among the columns if no name is given.
    pub place: usize,
    /// The unit that is needed.
    pub unit: &'a str,
}

/// Columns named in messages.
const LISTED: usize = 8;

impl ColumnFile {
    /// Reads a file, relative to that of the context; `None` after a report.
    pub fn open(context: &Context<'_>, name: &str, span: Span) -> Option<ColumnFile> {
        let shown = name.escape_debug().to_string();
        let folder = context.files.folder_of(context.file);
        let text = context
            .files
            .bytes_of(&folder.join(Path::new(name)))
            .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not text".into()));
        match text {
            Ok(text) => ColumnFile::read(context, shown, &text, span),
            Err(why) => {
                let hint = "a table is a text file: a header line with names, then lines of numbers";
                context.error_hint(
                    span,
                    format!("cannot read the table `{shown}`: {why}"),
                    Some(hint.into()),
                );
                None
            }
        }
    }

    fn read(context: &Context<'_>, name: String, text: &str, span: Span) -> Option<ColumnFile> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().enumerate().map(|(k, line)| (k + 1, line.trim()));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
        let Some(&(_, first)) = lines.peek() else {
            context.error(span, format!("the table `{name}` is empty"));
            return None;
        };
        // decimal commas are not read: what stands between most cells of the first line
        let count = |c: char| first.matches(c).count();
        let separator = [',', ';', '\t'].into_iter().max_by_key(|&c| (count(c), c == ',')).unwrap_or(',');
        let head = cells(first, separator);
        let headless = head.iter().all(|cell| cell.parse::<f64>().is_ok());
        let columns: Vec<Heading> = match headless {
            true => (1..=head.len()).map(|k| Heading { name: k.to_string(), unit: None }).collect(),
            false => head.iter().map(|cell| heading(cell)).collect(),
        };
        if !headless {
            lines.next();
        }
        let rows: Vec<_> = lines.map(|(k, line)| (k, cells(line, separator))).collect();
        if let Some((k, row)) = rows.iter().find(|(_, row)| row.len() != columns.len()) {
            let (found, needed) = (row.len(), columns.len());
            let message = format!("`{name}`, line {k} has {found} of {needed} cells");
            context.error(span, message);
            return None;
        }
        Some(ColumnFile { name, columns, rows })
    }

    /// The numbers of a column in SI units; `None` after a report.
    pub fn column(&self, context: &Context<'_>, span: Span, wanted: &Wanted) -> Option<Vec<Placed>> {
        let place = self.find(context, span, wanted)?;
        let factor = self.factor(context, span, place, wanted)?;
        let mut numbers = Vec::with_capacity(self.rows.len());
        for (line, row) in &self.rows {
            let Ok(number) = row[place].parse::<f64>() else {
                let (file, cell, column) = (&self.name, row[place].escape_debug(), &self.columns[place].name);
                let message = format!("`{file}`, line {line}: `{cell}` is not a number (column `{column}`)");
                context.error(span, message);
                return None;
            };
            let number = Number::Fixed(number * factor);
            numbers.push(Placed { number, span, computed: false });
        }
        Some(numbers)
    }

    fn find(&self, context: &Context<'_>, span: Span, wanted: &Wanted) -> Option<usize> {
        let names = || self.columns.iter().map(|column| column.name.as_str());
        let (file, key) = (&self.name, wanted.key);
        let some = || {
            let more = if self.columns.len() > LISTED { ", ..." } else { "" };
            format!("there are {}{more}", listed(names().take(LISTED), "and"))
        };
        match wanted.column {
            Some((name, place)) => {
                let found = names().position(|own| own == name);
                if found.is_none() {
                    let message = format!("the table `{file}` has no column `{}`", name.escape_debug());
                    context.error_hint(place, message, Some(suggest(name, names()).unwrap_or_else(some)));
                }
                found
            }
            None if wanted.place < self.columns.len() && (wanted.place == 0 || self.columns.len() == 2) => {
                Some(wanted.place)
            }
            None => {
                let count = self.columns.len();
                let columns = if count == 1 { "1 column".into() } else { format!("{count} columns") };
                let message = format!("the table `{file}` has {columns}: choose the one for `{key}`");
                context.error_hint(span, message, Some(format!("write `{key} = \"...\"`; {}", some())));
                None
            }
        }
    }

    /// What numbers of a column are multiplied by: the unit in its heading.
    fn factor(&self, context: &Context<'_>, span: Span, place: usize, wanted: &Wanted) -> Option<f64> {
        let Heading { name, unit: Some(unit) } = &self.columns[place] else { return Some(1.0) };
        let (file, shown) = (&self.name, unit.escape_debug());
        // units cannot begin with a division
        let text = match unit.strip_prefix("1/") {
            Some(below) => format!("1/(1 {below})"),
            None => format!("1 {unit}"),
        };
        let Ok(expr) = parse(&text, &Scope::new()) else {
            let message = format!("`{file}`: the unit `{shown}` of column `{name}` is not known");
            context.error_hint(span, message, Some("`kingpin list units` lists all".into()));
            return None;
        };
        if wanted.unit != "*" {
            let needed = if wanted.unit.is_empty() { Dim::NONE } else { Dim::parse(wanted.unit).ok()? };
            if expr.expect(needed).is_err() {
                let found = expr.unit().dim().map_or_else(|| "something else".into(), Dim::noun);
                let (key, noun) = (wanted.key, needed.noun());
                let message = format!(
                    "`{key}` expects {noun}, but column `{name}` of `{file}` in `{shown}` is {found}"
                );
                context.error(span, message);
                return None;
            }
        }
        expr.constant_value()
    }
}

/// A name and, behind it in brackets, a unit.
fn heading(cell: &str) -> Heading {
    // an apostrophe keeps spreadsheets from computing a name
    let cell = cell.strip_prefix('\'').unwrap_or(cell);
    let unit = cell.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match unit {
        Some((name, unit)) if !matches!(unit.trim(), "" | "-" | "1") => {
            Heading { name: name.trim().into(), unit: Some(unit.trim().into()) }
        }
        Some((name, _)) => Heading { name: name.trim().into(), unit: None },
        None => Heading { name: cell.into(), unit: None },
    }
}

/// The cells of a line; quotes hold separators together.
fn cells(line: &str, separator: char) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                cell.push('"');
                chars.next();
            }
            '"' => quoted = !quoted,
            c if c == separator && !quoted => cells.push(std::mem::take(&mut cell).trim().into()),
            c => cell.push(c),
        }
    }
    cells.push(cell.trim().into());
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        assert_eq!(cells("a, \"b, \"\"c\"\"\" ,", ','), ["a", "b, \"c\"", ""]);
        let told = |cell: &str| {
            let Heading { name, unit } = heading(cell);
            (name, unit.unwrap_or_default())
        };
        assert_eq!(told("lift.stroke [mm]"), ("lift.stroke".into(), "mm".into()));
        assert_eq!(told("'-x[1] [m/s]"), ("-x[1]".into(), "m/s".into()));
        assert_eq!(told("n []"), ("n".into(), "".into()));
        assert_eq!(told("x"), ("x".into(), "".into()));
    }
}
