//! A chart as SVG.

use super::PlottedRun;
use super::chart::{Anchor, Chart, LETTER, Mark, Spot, chart};
use crate::error::Error;
use std::fmt::Write;

const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/// Channels over time, in pixels wide and high. Channels of different units get parts of their own, one above the
/// other over the same time. It needs no other file; texts are escaped.
pub fn svg(runs: &[PlottedRun], size: (f64, f64)) -> Result<String, Error> {
    Ok(page(&chart(runs, size)?))
}

/// A chart as a page of its own.
pub(super) fn page(chart: &Chart) -> String {
    let (wide, high) = chart.size;
    let mut page = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"{FONT}\" font-size=\"{LETTER}\" fill=\"none\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">\n<title>{}</title>\n<rect width=\"{wide}\" height=\"{high}\" fill=\"#ffffff\"/>\n",
        escaped(&chart.title),
    );
    for mark in &chart.marks {
        put(&mut page, mark);
    }
    page += "</svg>\n";
    page
}

/// Writing to memory cannot fail.
fn put(page: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Lines { lines, ink, width } => {
            let path: String = lines.iter().map(|line| path(line)).collect();
            writeln!(page, "<path d=\"{path}\" stroke=\"#{ink:06x}\" stroke-width=\"{width}\"/>")
        }
        Mark::Text { at: (x, y), text, ink, anchor, upright } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let place = match upright {
                false => format!("x=\"{x:.1}\" y=\"{y:.1}\""),
                true => format!("transform=\"translate({x:.1} {y:.1}) rotate(-90)\""),
            };
            writeln!(page, "<text {place}{anchor} fill=\"#{ink:06x}\">{}</text>", escaped(text))
        }
    };
}

fn path(line: &[Spot]) -> String {
    let mut path = String::new();
    for (k, (x, y)) in line.iter().enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { 'M' } else { 'L' });
    }
    // a single point is a dot
    if line.len() == 1 {
        path += "h0";
    }
    path
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
