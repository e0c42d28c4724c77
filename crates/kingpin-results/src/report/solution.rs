//! How the run went.

use super::column::{double, note, single};
use super::data::{Cell, Cost, Entry, PageOutcome, Residual, Solution, SolutionEvent, Steps};
use crate::error::Error;
use crate::store::{self, Fact, FactKind, Reader, STEP_COLUMNS};
use serde_json::Value;

/// Columns of residuals begin there.
const RESIDUALS: usize = 6;

pub(super) fn solution(reader: &Reader, most: usize) -> Result<Solution, Error> {
    let outcome = match reader.summary() {
        Some(summary) => PageOutcome {
            state: if summary.outcome == store::Outcome::Failed { "failed" } else { "done" },
            message: summary.message.clone(),
        },
        None => PageOutcome { state: "running", message: "the run is in progress or was interrupted".into() },
    };
    let facts = reader.summary().map_or(&[][..], |summary| &summary.facts);
    let warnings = reader.summary().map_or_else(Vec::new, |summary| summary.warnings.clone());
    let (cost, facts): (Vec<&Fact>, Vec<&Fact>) = facts.iter().partition(|fact| cost(fact).is_some());
    let summary = facts.into_iter().map(|fact| entry(&fact.name, &fact.value, &fact.unit)).collect();
    let cost = cost.into_iter().filter_map(self::cost).collect();
    let settings = reader.header().settings.iter().map(|(name, value)| entry(name, value, "")).collect();
    let events = reader.events()?.into_iter().map(|event| SolutionEvent { t: event.t, name: event.what });
    let (steps, events) = (steps(reader, most)?, events.collect());
    Ok(Solution { outcome, warnings, summary, settings, steps, events, cost })
}

/// A part of the time that the run took.
fn cost(fact: &Fact) -> Option<Cost> {
    let seconds = fact.value.as_f64().filter(|_| fact.kind == FactKind::Cost)?;
    Some(Cost { name: fact.name.clone(), seconds })
}

fn entry(name: &str, value: &Value, unit: &str) -> Entry {
    let value = match value {
        Value::Null => Cell::Empty,
        Value::Number(number) => number.as_f64().map_or(Cell::Empty, Cell::Number),
        Value::String(text) => Cell::Text(text.clone()),
        other => Cell::Text(other.to_string()),
    };
    Entry { name: name.into(), value, unit: unit.into() }
}

fn steps(reader: &Reader, most: usize) -> Result<Option<Steps>, Error> {
    let mut rows = reader.step_rows(most)?;
    let mut columns = vec![Vec::new(); STEP_COLUMNS.len()];
    while let Some(row) = rows.next_row()? {
        for (column, x) in columns.iter_mut().zip(row) {
            column.push(*x);
        }
    }
    let count = columns[0].len();
    if count == 0 {
        return Ok(None);
    }
    let residual = |k: usize| {
        let (name, unit) = STEP_COLUMNS[k];
        Residual { name: name.into(), unit: unit.into(), column: single(&columns[k]) }
    };
    Ok(Some(Steps {
        count,
        t: double(&columns[0]),
        h: single(&columns[1]),
        error: single(&columns[2]),
        order: single(&columns[3]),
        rejected: single(&columns[4]),
        newton: single(&columns[5]),
        residuals: (RESIDUALS..STEP_COLUMNS.len()).map(residual).collect(),
        note: note(count as u64, reader.steps(), "steps"),
    }))
}
