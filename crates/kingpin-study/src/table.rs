//! The table of a study: a line for each point, as text that is the same whoever computed it and when.

use crate::point::{Outcome, Row};
use crate::study::Column;
use kingpin_results::format::cell;

/// The first line: number of the point, parameters and scalars with their units, and what became of it.
pub fn heading(columns: &[Column]) -> String {
    let title = |column: &Column| match column.unit.as_str() {
        "" => cell(&column.name),
        unit => cell(&format!("{} [{unit}]", column.name)),
    };
    let titles = columns.iter().map(title);
    let all: Vec<String> =
        ["point".to_string()].into_iter().chain(titles).chain(["outcome".to_string()]).collect();
    all.join(",") + "\n"
}

/// The line of a point. Numbers have as many digits as it takes to get them back exactly; what is missing is empty.
pub fn line(row: &Row) -> String {
    let numbers = row.values.iter().map(|value| format!("{value:?}"));
    let scalars =
        row.scalars.iter().map(|value| value.map_or_else(String::new, |value| format!("{value:?}")));
    let mut cells: Vec<String> = vec![row.point.to_string()];
    cells.extend(numbers.chain(scalars));
    cells.push(cell(&row.outcome.words()));
    cells.join(",") + "\n"
}

/// A row out of its line, without the end of the line; none if it is torn or of another table.
pub fn parse(line: &str, parameters: usize, scalars: usize) -> Option<Row> {
    let mut cells = cells(line)?;
    (cells.len() == parameters + scalars + 2).then_some(())?;
    let outcome = Outcome::from_words(&cells.pop()?)?;
    let point = cells[0].parse().ok()?;
    let values = cells[1..=parameters].iter().map(|cell| cell.parse().ok()).collect::<Option<Vec<f64>>>()?;
    let scalar = |cell: &String| if cell.is_empty() { Some(None) } else { cell.parse().ok().map(Some) };
    let scalars = cells[1 + parameters..].iter().map(scalar).collect::<Option<Vec<Option<f64>>>>()?;
    Some(Row { point, values, scalars, outcome, curves: None })
}

/// The cells of a line; none if a quote does not end.
fn cells(line: &str) -> Option<Vec<String>> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    (!quoted).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_they_were() {
        let why = "models/a.toml:3: `k`, the \"spring\", is -1";
        for outcome in [Outcome::Good, Outcome::Failed(why.into()), Outcome::Doubtful("x: y".into())] {
            let scalars = vec![Some(1.0 / 3.0), None];
            let row = Row { point: 7, values: vec![-1e-20, 12.5], scalars, outcome, curves: None };
            let text = line(&row);
            assert_eq!(parse(text.trim_end(), 2, 2), Some(row), "{text}");
            assert_eq!(parse(text.trim_end(), 2, 3), None);
            assert_eq!(parse(&text[..text.len() / 2], 2, 2), None);
        }
    }
}
