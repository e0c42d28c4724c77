//! A text line by line.

use super::{Fault, ReadError};
use std::str::FromStr;

/// Lines that are not empty, with their numbers.
pub(super) struct Lines<'a> {
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
    /// number of the last line, from 1
    pub number: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Lines<'a> {
        Lines { rest: text.lines().enumerate(), number: 0 }
    }

    pub fn next(&mut self) -> Option<&'a str> {
        for (k, line) in self.rest.by_ref() {
            self.number = k + 1;
            if !line.trim().is_empty() {
                return Some(line.trim());
            }
        }
        None
    }

    /// The next line, which must be there.
    pub fn wanted(&mut self, what: &'static str) -> Result<&'a str, ReadError> {
        match self.next() {
            Some(line) => Ok(line),
            None => Err(self.fault(Fault::Wants(what))),
        }
    }

    /// The numbers of the next line, at least so many.
    pub fn numbers<T: FromStr>(&mut self, least: usize, what: &'static str) -> Result<Vec<T>, ReadError> {
        let line = self.wanted(what)?;
        let found: Vec<T> =
            line.split_whitespace().map(|word| self.number(word)).collect::<Result<_, _>>()?;
        if found.len() < least { Err(self.fault(Fault::Wants(what))) } else { Ok(found) }
    }

    /// A word as a number.
    pub fn number<T: FromStr>(&self, word: &str) -> Result<T, ReadError> {
        word.trim().parse().map_err(|_| self.fault(Fault::NotANumber(word.trim().into())))
    }

    /// What is wrong in the last line.
    pub fn fault(&self, fault: Fault) -> ReadError {
        ReadError { line: self.number, fault }
    }
}

/// Real numbers may have the exponent of Fortran.
pub(super) fn real(lines: &Lines, word: &str) -> Result<f64, ReadError> {
    let value: f64 = lines.number(&word.replace(['d', 'D'], "e"))?;
    if value.is_finite() { Ok(value) } else { Err(lines.fault(Fault::NotANumber(word.trim().into()))) }
}
