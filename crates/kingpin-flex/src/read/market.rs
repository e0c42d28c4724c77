//! Matrices of Matrix Market.

use super::lines::{Lines, real};
use super::{Fault, ReadError};
use crate::structure::SymmetricMatrix;
use nalgebra::DMatrix;

/// More rows than this for each entry are no matrix of a structure.
pub(super) const MOST_EMPTY: usize = 100;

/// The words behind `%%MatrixMarket matrix`, and the line of sizes.
fn head<'a>(lines: &mut Lines<'a>) -> Result<(Vec<String>, Vec<usize>), ReadError> {
    let first = lines.wanted("%%MatrixMarket")?.to_lowercase();
    let words: Vec<String> = first.split_whitespace().map(String::from).collect();
    if words.len() < 5 || words[0] != "%%matrixmarket" || words[1] != "matrix" {
        return Err(lines.fault(Fault::Wants("%%MatrixMarket matrix with three more words")));
    }
    if !matches!(words[3].as_str(), "real" | "integer") {
        return Err(lines.fault(Fault::NotSupported(format!("a matrix of {} numbers", words[3]))));
    }
    let mut line = lines.wanted("the size of the matrix")?;
    while line.starts_with('%') {
        line = lines.wanted("the size of the matrix")?;
    }
    let sizes: Vec<usize> =
        line.split_whitespace().map(|word| lines.number(word)).collect::<Result<_, _>>()?;
    if sizes.len() < 2 {
        return Err(lines.fault(Fault::Wants("rows and columns")));
    }
    Ok((words, sizes))
}

/// Reads a symmetric matrix in the format `coordinate`; a `general` one must be symmetric to rounding.
pub fn matrix_market(text: &str) -> Result<SymmetricMatrix, ReadError> {
    let mut lines = Lines::new(text);
    let (words, sizes) = head(&mut lines)?;
    if words[2] != "coordinate" || sizes.len() < 3 {
        return Err(lines.fault(Fault::NotSupported("a sparse matrix that is not `coordinate`".into())));
    }
    if sizes[0] / MOST_EMPTY > sizes[2] {
        return Err(lines.fault(Fault::Wants("a matrix whose rows are not all empty")));
    }
    if sizes[0] != sizes[1] {
        return Err(lines.fault(Fault::Wants("a square matrix")));
    }
    let mut entries = Vec::new();
    for _ in 0..sizes[2] {
        let line = lines.wanted("an entry")?;
        let mut words = line.split_whitespace();
        let (Some(row), Some(column), Some(value)) = (words.next(), words.next(), words.next()) else {
            return Err(lines.fault(Fault::Wants("row, column and value")));
        };
        let [row, column]: [usize; 2] = [lines.number(row)?, lines.number(column)?];
        if !(1..=sizes[0]).contains(&row) || !(1..=sizes[0]).contains(&column) {
            return Err(lines.fault(Fault::Wants("a row and a column of the matrix")));
        }
        entries.push((row - 1, column - 1, real(&lines, value)?));
    }
    match words[4].as_str() {
        "symmetric" => {
            let upper = entries.into_iter().map(|(i, j, x)| (i.min(j), i.max(j), x)).collect();
            Ok(SymmetricMatrix::from_entries(sizes[0], upper))
        }
        "general" => symmetric(sizes[0], entries).map_err(|fault| ReadError { line: 1, fault }),
        other => Err(lines.fault(Fault::NotSupported(format!("a matrix that is {other}")))),
    }
}

/// The upper triangle of a matrix with all entries, which must be symmetric to rounding.
pub(super) fn symmetric(n: usize, entries: Vec<(usize, usize, f64)>) -> Result<SymmetricMatrix, Fault> {
    let largest = entries.iter().fold(0.0_f64, |most, entry| most.max(entry.2.abs()));
    let part = |upper: bool| {
        let own = entries.iter().filter(move |(i, j, _)| if upper { i <= j } else { i >= j });
        let own = own.map(|&(i, j, x)| (i.min(j), i.max(j), x));
        SymmetricMatrix::from_entries(n, own.collect())
    };
    let [upper, lower] = SymmetricMatrix::with_places_of_both(&part(true), &part(false));
    for ((i, j, x), (_, _, y)) in upper.entries().zip(lower.entries()) {
        if (x - y).abs() > 1e-10 * largest {
            return Err(Fault::NotSymmetric { row: i + 1, column: j + 1 });
        }
    }
    Ok(upper)
}

/// Reads a table in the format `array`: places of nodes, fields.
pub fn matrix_market_table(text: &str) -> Result<DMatrix<f64>, ReadError> {
    let mut lines = Lines::new(text);
    let (words, sizes) = head(&mut lines)?;
    if words[2] != "array" || words[4] != "general" {
        return Err(lines.fault(Fault::NotSupported("a table that is not `array` and `general`".into())));
    }
    let count = sizes[0].checked_mul(sizes[1]).filter(|&count| count <= text.len());
    let count = count.ok_or_else(|| lines.fault(Fault::Wants("as many values as the table has")))?;
    let mut values = Vec::new();
    for _ in 0..count {
        let line = lines.wanted("a value")?;
        values.push(real(&lines, line)?);
    }
    Ok(DMatrix::from_vec(sizes[0], sizes[1], values))
}
