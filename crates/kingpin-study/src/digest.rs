//! What a table comes to: counts, and the range of each scalar.

use crate::point::{Outcome, Row};

/// Counts and ranges over the rows so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Digest {
    /// Rows with all their numbers, with doubts, and without numbers.
    pub good: usize,
    /// Rows whose numbers are doubtful.
    pub doubtful: usize,
    /// Rows without numbers.
    pub failed: usize,
    /// The first reasons of failures and doubts, each with its point.
    pub reasons: Vec<(usize, String)>,
    /// For each scalar its least and its largest value, each with its point.
    pub ranges: Vec<Option<[(f64, usize); 2]>>,
}

/// Reasons that are kept.
const REASONS: usize = 5;

impl Digest {
    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        match &row.outcome {
            Outcome::Good => self.good += 1,
            Outcome::Doubtful(_) => self.doubtful += 1,
            Outcome::Failed(_) => self.failed += 1,
        }
        if row.outcome != Outcome::Good && self.reasons.len() < REASONS {
            self.reasons.push((row.point, row.outcome.words()));
        }
        self.ranges.resize(row.scalars.len(), None);
        for (range, value) in self.ranges.iter_mut().zip(&row.scalars) {
            let Some(value) = *value else { continue };
            let here = (value, row.point);
            let [least, most] = range.get_or_insert([here, here]);
            if value < least.0 {
                *least = here;
            }
            if value > most.0 {
                *most = here;
            }
        }
    }

    /// Rows so far.
    pub fn rows(&self) -> usize {
        self.good + self.doubtful + self.failed
    }
}
