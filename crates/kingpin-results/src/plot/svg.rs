//! A chart as SVG.

use super::number::titled;
use super::ticks::Ticks;
use super::trace::Trace;
use super::{range, read};
use crate::error::Error;
use crate::store::Reader;
use std::fmt::Write;

/// Colours of lines, told apart by everybody [Okabe and Ito 2008], darker where the paper is white.
const INKS: [&str; 8] =
    ["#0068a8", "#d55e00", "#00845c", "#b0528f", "#c98a00", "#3c9bd0", "#5c4b9b", "#444444"];
const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const LETTER: f64 = 12.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 44.0;
/// Height of a line of the legend.
const LINE: f64 = 20.0;

/// A part of the chart: channels of one unit.
struct Panel {
    unit: String,
    /// Places among the channels asked for.
    members: Vec<usize>,
}

/// Channels over time, in pixels wide and high. Channels of different units get parts of their own, one above the
/// other over the same time. It needs no other file; texts are escaped.
pub fn svg(reader: &Reader, channels: &[usize], size: (f64, f64)) -> Result<String, Error> {
    let (wide, high) = (size.0.max(240.0), size.1.max(160.0));
    let traces = read(reader, channels, (2.0 * wide) as usize)?;
    let infos: Vec<_> = channels.iter().map(|&k| &reader.header().channels[k]).collect();
    let mut panels: Vec<Panel> = Vec::new();
    for (k, info) in infos.iter().enumerate() {
        match panels.iter_mut().find(|panel| panel.unit == info.unit) {
            Some(panel) => panel.members.push(k),
            None => panels.push(Panel { unit: info.unit.clone(), members: vec![k] }),
        }
    }
    let names: Vec<&str> = infos.iter().map(|info| info.name.as_str()).collect();
    let mut page = Page(String::new());
    page.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"{FONT}\" font-size=\"{LETTER}\" fill=\"#4b5563\">\n<title>{}</title>\n\
         <rect width=\"{wide}\" height=\"{high}\" fill=\"#ffffff\"/>\n",
        escaped(&format!("{}: {}", reader.header().model, names.join(", "))),
    ));
    let each = (high - BOTTOM) / panels.len().max(1) as f64;
    let times = Ticks::new(traces.t.0, traces.t.1, (wide / 110.0) as usize + 1);
    for (k, panel) in panels.iter().enumerate() {
        let last = k + 1 == panels.len();
        let legend = page.legend(panel, &names, LEFT, each * k as f64 + 8.0, wide - RIGHT);
        let top = (each * k as f64 + 8.0 + legend + 8.0).min(each * (k + 1) as f64 - 20.0);
        let frame = Frame {
            x: (LEFT, wide - RIGHT),
            y: (each * (k + 1) as f64 - if last { 0.0 } else { 10.0 }, top),
            t: traces.t,
            v: range(panel.members.iter().map(|&m| &traces.list[m])),
        };
        page.axes(&frame, &times, last, &panel.unit);
        for &member in &panel.members {
            page.curve(&frame, &traces.list[member], INKS[member % INKS.len()]);
        }
    }
    page.put(format_args!("</svg>\n"));
    Ok(page.0)
}

/// Where numbers go on the page: left and right, bottom and top.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
    t: (f64, f64),
    v: (f64, f64),
}

impl Frame {
    fn x(&self, t: f64) -> f64 {
        self.x.0 + (t - self.t.0) / (self.t.1 - self.t.0) * (self.x.1 - self.x.0)
    }

    fn y(&self, v: f64) -> f64 {
        self.y.0 + (v - self.v.0) / (self.v.1 - self.v.0) * (self.y.1 - self.y.0)
    }
}

struct Page(String);

impl Page {
    fn put(&mut self, text: std::fmt::Arguments) {
        // writing to memory cannot fail
        let _ = self.0.write_fmt(text);
    }

    /// Names with the colours of their lines; the height they take.
    fn legend(&mut self, panel: &Panel, names: &[&str], left: f64, top: f64, right: f64) -> f64 {
        let (mut x, mut y) = (left, top + 0.5 * LINE);
        for &member in &panel.members {
            let wide = 0.58 * LETTER * names[member].chars().count() as f64 + 40.0;
            if x > left && x + wide > right {
                (x, y) = (left, y + LINE);
            }
            let (ink, end, text) = (INKS[member % INKS.len()], x + 18.0, x + 24.0);
            self.put(format_args!(
                "<path d=\"M{x:.1} {y:.1}H{end:.1}\" stroke=\"{ink}\" stroke-width=\"2.5\" stroke-linecap=\"round\"/>\
                 <text x=\"{text:.1}\" y=\"{:.1}\" fill=\"#111827\">{}</text>\n",
                y + 4.0,
                escaped(names[member]),
            ));
            x += wide;
        }
        y - top + 0.5 * LINE
    }

    fn axes(&mut self, frame: &Frame, times: &Ticks, last: bool, unit: &str) {
        let ((left, right), (bottom, top)) = (frame.x, frame.y);
        let values = Ticks::new(frame.v.0, frame.v.1, ((bottom - top) / 44.0) as usize + 1);
        let mut grid = String::new();
        for y in values.values.iter().map(|v| frame.y(*v)) {
            let _ = write!(grid, "M{left:.1} {y:.1}H{right:.1}");
        }
        for x in times.values.iter().map(|t| frame.x(*t)) {
            let _ = write!(grid, "M{x:.1} {bottom:.1}V{top:.1}");
        }
        self.put(format_args!(
            "<path d=\"{grid}\" stroke=\"#e5e7eb\" fill=\"none\"/>\n\
             <path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" stroke=\"#9ca3af\" fill=\"none\"/>\n<g text-anchor=\"end\">"
        ));
        for (value, label) in values.values.iter().zip(&values.labels) {
            self.put(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
                left - 8.0,
                frame.y(*value) + 4.0
            ));
        }
        self.put(format_args!("</g>\n"));
        // the unit stands upright beside its axis
        let title = powered(values.power, unit);
        if !title.is_empty() {
            let (x, y) = (14.0, 0.5 * (bottom + top));
            self.put(format_args!(
                "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                escaped(&title)
            ));
        }
        if last {
            self.put(format_args!("<g text-anchor=\"middle\">"));
            for (t, label) in times.values.iter().zip(&times.labels) {
                self.put(format_args!(
                    "<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
                    frame.x(*t),
                    bottom + 18.0
                ));
            }
            let (x, y) = (0.5 * (left + right), bottom + 37.0);
            self.put(format_args!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text></g>\n",
                titled("time", &powered(times.power, "s"))
            ));
        }
    }

    fn curve(&mut self, frame: &Frame, trace: &Trace, ink: &str) {
        let mut path = String::new();
        for line in trace.lines() {
            for (k, (t, v)) in line.iter().enumerate() {
                let letter = if k == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{letter}{:.1} {:.1}", frame.x(*t), frame.y(*v));
            }
            // a single point is a dot
            if line.len() == 1 {
                path += "h0";
            }
        }
        if !path.is_empty() {
            self.put(format_args!(
                "<path d=\"{path}\" stroke=\"{ink}\" stroke-width=\"1.75\" stroke-linejoin=\"round\" \
                 stroke-linecap=\"round\" fill=\"none\"/>\n"
            ));
        }
    }
}

/// Such as `10³ N`.
fn powered(power: i32, unit: &str) -> String {
    if power == 0 {
        return unit.into();
    }
    let raised = |c: char| match c {
        '-' => '⁻',
        digit => {
            digit.to_digit(10).map_or(c, |d| ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][d as usize])
        }
    };
    let power: String = power.to_string().chars().map(raised).collect();
    format!("10{power} {unit}").trim_end().into()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
