//! A chart as text, drawn with braille dots.

use super::number::{short, titled};
use super::{PlottedRun, range, read};
use crate::error::Error;

/// Columns left of a chart.
const GUTTER: usize = 11;
/// Least size.
const LEAST: (usize, usize) = (30, 5);

/// Channels over time, one above the other, in `width` columns and about `height` lines of characters. Lines have no
/// spaces at their ends.
pub fn terminal(runs: &[PlottedRun], width: usize, height: usize) -> Result<String, Error> {
    let wide = width.max(LEAST.0) - GUTTER;
    let traces = read(runs, 2 * wide)?;
    // a title and an axis for each
    let each = (height / traces.names.len().max(1)).saturating_sub(3).max(LEAST.1);
    let mut text = String::new();
    for (trace, (name, unit)) in traces.list.iter().zip(&traces.names) {
        let (low, high) = range(std::iter::once(trace));
        let mut canvas = Canvas::new(wide, each);
        let (dots, rows) = (2.0 * wide as f64 - 1.0, 4.0 * each as f64 - 1.0);
        let x = |t: f64| (t - traces.t.0) / (traces.t.1 - traces.t.0) * dots;
        let y = |v: f64| (high - v) / (high - low) * rows;
        for line in trace.lines() {
            let places: Vec<(f64, f64)> = line.iter().map(|(t, v)| (x(*t), y(*v))).collect();
            places.first().into_iter().for_each(|place| canvas.dot(*place));
            places.windows(2).for_each(|pair| canvas.line(pair[0], pair[1]));
        }
        text += &format!("{:GUTTER$}{}\n", "", titled(name, unit));
        for (k, row) in canvas.rows().enumerate() {
            let value = match k {
                0 => short(high),
                k if k + 1 == each => short(low),
                k if k == each / 2 => short(high - (high - low) * (k as f64 + 0.5) / each as f64),
                _ => String::new(),
            };
            let mark = if value.is_empty() { '│' } else { '┤' };
            text += format!("{value:>place$} {mark}{row}", place = GUTTER - 2).trim_end();
            text.push('\n');
        }
        text += &format!("{:place$}└{}\n", "", "─".repeat(wide), place = GUTTER - 1);
    }
    let (from, to) = (short(traces.t.0), format!("{} s", short(traces.t.1)));
    let room = (wide + 1).saturating_sub(from.chars().count() + to.chars().count());
    text += &format!("{:place$}{from}{:room$}{to}\n", "", "", place = GUTTER - 1);
    Ok(text)
}

/// Braille characters: two dots wide, four high.
struct Canvas {
    wide: usize,
    cells: Vec<u8>,
}

impl Canvas {
    fn new(wide: usize, high: usize) -> Canvas {
        Canvas { wide, cells: vec![0; wide * high] }
    }

    fn dot(&mut self, (x, y): (f64, f64)) {
        let (x, y) = (x.round().max(0.0) as usize, y.round().max(0.0) as usize);
        // the numbering of the dots in Unicode
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        let place = y / 4 * self.wide + x / 2;
        if let (true, Some(cell)) = (x / 2 < self.wide, self.cells.get_mut(place)) {
            *cell |= BITS[y % 4][x % 2];
        }
    }

    fn line(&mut self, a: (f64, f64), b: (f64, f64)) {
        let steps = (b.0 - a.0).abs().max((b.1 - a.1).abs()).ceil().clamp(1.0, 1e5);
        for k in 0..=steps as usize {
            let part = k as f64 / steps;
            self.dot((a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1)));
        }
    }

    fn rows(&self) -> impl Iterator<Item = String> {
        let letter = |cell: &u8| match cell {
            0 => ' ',
            bits => char::from_u32(0x2800 + u32::from(*bits)).unwrap_or(' '),
        };
        self.cells.chunks(self.wide).map(move |row| row.iter().map(letter).collect())
    }
}
