//! Frames of a run under way, as they come.

use super::choice::Chosen;
use super::column::{double, encoded};
use super::data::{Data, Frames, LiveFrames, Solution};
use super::{Limits, solution};
use crate::error::Error;
use crate::store::Reader;
use kingpin::accel::Problem;
use kingpin::model::Model;
use kingpin::system::System;

/// A page that follows a run: which frames it has, and which come next. Frames are thinned as the run grows; when
/// that needs another stride, the page begins anew.
#[derive(Clone, Debug)]
pub struct Live {
    chosen: Chosen,
    limits: Limits,
    stride: u64,
    /// The row of the results to look at next, and the time of the frame before it.
    next: u64,
    last: f64,
    /// Frames that the page has.
    count: u64,
}

impl Live {
    /// A page that has nothing yet.
    pub fn new(reader: &Reader, limits: Limits) -> Live {
        let chosen = Chosen::growing(reader, limits.frames);
        let stride = stride(reader, &chosen, limits);
        Live { chosen, limits, stride, next: 0, last: f64::NEG_INFINITY, count: 0 }
    }

    /// A page that has so many frames; nothing if there are not so many, and it must begin anew.
    pub fn from(reader: &Reader, limits: Limits, count: u64) -> Result<Option<Live>, Error> {
        let mut live = Live::new(reader, limits);
        live.take(reader, count, |_, _| {})?;
        Ok((live.count == count).then_some(live))
    }

    /// Everything a page shows at first, with the frames so far.
    pub fn data(
        &mut self,
        reader: &Reader,
        model: &Model,
        system: &System,
        problem: &Problem,
    ) -> Result<Data, Error> {
        let mut data = super::still(reader, model, system, problem, self.limits, &self.chosen)?;
        let (mut times, mut columns) = (Vec::new(), vec![Vec::new(); self.chosen.places.len()]);
        self.take(reader, u64::MAX, |row, places| {
            times.push(row[0]);
            for (column, &place) in columns.iter_mut().zip(places) {
                column.push(row[1 + place]);
            }
        })?;
        let all = if self.stride > 1 { reader.frames() } else { 0 };
        data.frames = Frames {
            count: times.len(),
            times: double(&times),
            // a column that is the same so far may change
            columns: columns.iter().map(|column| super::column::single(column)).collect(),
            note: self.chosen.note(times.len() as u64, all),
        };
        data.live = Some(true);
        Ok(data)
    }

    /// At most `most` frames that the page does not have, and takes them as sent; nothing if it must begin anew.
    /// Open a new reader to see what a run has added.
    pub fn frames(&mut self, reader: &Reader, most: u64) -> Result<Option<LiveFrames>, Error> {
        if reader.frames() < self.next.saturating_sub(self.stride)
            || stride(reader, &self.chosen, self.limits) != self.stride
        {
            return Ok(None);
        }
        let (first, mut numbers) = (self.count, Vec::new());
        self.take(reader, most, |row, places| {
            numbers.push(row[0]);
            numbers.extend(places.iter().map(|&place| row[1 + place]));
        })?;
        Ok(Some(LiveFrames { first, count: self.count - first, rows: double(&numbers) }))
    }

    /// Hands out at most `most` further frames.
    fn take(
        &mut self,
        reader: &Reader,
        most: u64,
        mut each: impl FnMut(&[f64], &[usize]),
    ) -> Result<(), Error> {
        let mut rows = reader.rows_every(self.stride, self.next)?;
        let end = self.count.saturating_add(most);
        while self.count < end
            && let Some(row) = rows.next_row()?
        {
            self.next += self.stride;
            // times must rise; a run that goes on after an event may repeat one
            if row[0] > self.last {
                self.last = row[0];
                self.count += 1;
                each(row, &self.chosen.places);
            }
        }
        Ok(())
    }
}

/// How the run goes so far: the message `solution` of the live view.
pub fn live_solution(reader: &Reader, limits: Limits) -> Result<Solution, Error> {
    solution::solution(reader, limits.steps)
}

/// A power of two that leaves frames within the limit, so that it changes seldom.
fn stride(reader: &Reader, chosen: &Chosen, limits: Limits) -> u64 {
    let each = encoded(4 * chosen.places.len() + 8);
    let most = (limits.frames / each).max(2) as u64;
    reader.frames().div_ceil(most).max(1).next_power_of_two()
}
