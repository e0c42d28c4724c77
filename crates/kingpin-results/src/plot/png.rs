//! A chart as pixels.

mod letters;

use super::PlottedRun;
use super::chart::{Ink, Mark, Spot, chart};
use crate::error::{Error, ErrorKind};
use letters::Letters;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

/// Pixels per unit of length: sharp on screens of today.
const SCALE: f32 = 2.0;
/// The longest side, in pixels.
const MOST: f64 = 20_000.0;

/// The same chart as [`svg`](super::svg) makes, as a PNG file of twice as many pixels.
pub fn png(runs: &[PlottedRun], size: (f64, f64)) -> Result<Vec<u8>, Error> {
    let dir = runs.first().map_or(std::path::Path::new(""), |run| run.reader.dir());
    let unfit = |message: String| Error::new(ErrorKind::Unfit, dir, message, "write an SVG file");
    let most = MOST / f64::from(SCALE);
    if size.0 > most || size.1 > most {
        return Err(unfit(format!(
            "an image of {} x {} exceeds the limit of {most} x {most}",
            size.0, size.1
        )));
    }
    let chart = chart(runs, size)?;
    let [wide, high] = [chart.size.0, chart.size.1].map(|x| (x * f64::from(SCALE)).ceil() as u32);
    let (Some(mut page), Some(letters)) = (Pixmap::new(wide, high), Letters::new()) else {
        return Err(unfit("not enough memory for the image".into()));
    };
    page.fill(Color::WHITE);
    for mark in &chart.marks {
        match mark {
            Mark::Lines { lines, ink, width } => {
                if let Some(path) = path(lines) {
                    let stroke = Stroke {
                        width: *width as f32,
                        line_cap: LineCap::Round,
                        line_join: LineJoin::Round,
                        ..Stroke::default()
                    };
                    page.stroke_path(&path, &paint(*ink), &stroke, Transform::from_scale(SCALE, SCALE), None);
                }
            }
            Mark::Text { at, text, ink, anchor, upright } => {
                if let Some(path) = letters.path(text, *anchor) {
                    let turn = if *upright { -90.0 } else { 0.0 };
                    let place = Transform::from_scale(SCALE, SCALE)
                        .pre_translate(at.0 as f32, at.1 as f32)
                        .pre_rotate(turn);
                    page.fill_path(&path, &paint(*ink), FillRule::Winding, place, None);
                }
            }
        }
    }
    page.encode_png().map_err(|error| unfit(format!("the image cannot be encoded: {error}")))
}

fn paint(ink: Ink) -> Paint<'static> {
    let [_, r, g, b] = ink.to_be_bytes();
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

fn path(lines: &[Vec<Spot>]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for line in lines {
        for (k, (x, y)) in line.iter().map(|(x, y)| (*x as f32, *y as f32)).enumerate() {
            if k == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        // a single point is a dot
        if let [(x, y)] = line[..] {
            path.line_to(x as f32 + 0.01, y as f32);
        }
    }
    path.finish()
}
