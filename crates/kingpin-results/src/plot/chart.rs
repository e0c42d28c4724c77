//! Where everything stands in a chart: marks on a page, for SVG and for pixels.

use super::number::titled;
use super::ticks::Ticks;
use super::trace::Trace;
use super::{PlottedRun, range, read};
use crate::error::Error;

/// Colours of lines, told apart by everybody [Okabe and Ito 2008], darker where the paper is white.
const INKS: [Ink; 8] = [0x0068a8, 0xd55e00, 0x00845c, 0xb0528f, 0xc98a00, 0x3c9bd0, 0x5c4b9b, 0x444444];
const GRID: Ink = 0xe5e7eb;
const AXIS: Ink = 0x9ca3af;
const PALE: Ink = 0x4b5563;
pub(super) const DARK: Ink = 0x111827;
/// Height of letters.
pub(super) const LETTER: f64 = 12.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 44.0;
/// Height of a line of the legend.
const LINE: f64 = 20.0;

/// A colour, as `0xrrggbb`.
pub(super) type Ink = u32;

/// A place on the page, in pixels from its upper left corner.
pub(super) type Spot = (f64, f64);

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    /// Lines; one of a single point is a dot.
    Lines { lines: Vec<Vec<Spot>>, ink: Ink, width: f64 },
    /// A text.
    Text { at: Spot, text: String, ink: Ink, anchor: Anchor, upright: bool },
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A page of marks.
pub(super) struct Chart {
    pub title: String,
    pub size: (f64, f64),
    pub marks: Vec<Mark>,
}

/// A part of the chart: channels of one unit.
struct Panel {
    unit: String,
    /// Places among the channels asked for.
    members: Vec<usize>,
}

/// Channels over time. Those of different units get parts of their own, one above the other over the same time.
pub(super) fn chart(runs: &[PlottedRun], size: (f64, f64)) -> Result<Chart, Error> {
    let (wide, high) = (size.0.max(240.0), size.1.max(160.0));
    let traces = read(runs, (2.0 * wide) as usize)?;
    let mut panels: Vec<Panel> = Vec::new();
    for (k, (_, unit)) in traces.names.iter().enumerate() {
        match panels.iter_mut().find(|panel| panel.unit == *unit) {
            Some(panel) => panel.members.push(k),
            None => panels.push(Panel { unit: unit.clone(), members: vec![k] }),
        }
    }
    let names: Vec<&str> = traces.names.iter().map(|(name, _)| name.as_str()).collect();
    let model = runs.first().map_or("", |run| run.reader.header().model.as_str());
    let title = format!("{model}: {}", names.join(", "));
    let mut chart = Chart { title, size: (wide, high), marks: Vec::new() };
    let each = (high - BOTTOM) / panels.len().max(1) as f64;
    let times = Ticks::new(traces.t.0, traces.t.1, (wide / 110.0) as usize + 1);
    for (k, panel) in panels.iter().enumerate() {
        let last = k + 1 == panels.len();
        let legend = chart.legend(panel, &names, LEFT, each * k as f64 + 8.0, wide - RIGHT);
        let top = (each * k as f64 + 8.0 + legend + 8.0).min(each * (k + 1) as f64 - 20.0);
        let frame = Frame {
            x: (LEFT, wide - RIGHT),
            y: (each * (k + 1) as f64 - if last { 0.0 } else { 10.0 }, top),
            t: traces.t,
            v: range(panel.members.iter().map(|&m| &traces.list[m])),
        };
        chart.axes(&frame, &times, last, &panel.unit);
        for &member in &panel.members {
            chart.curve(&frame, &traces.list[member], INKS[member % INKS.len()]);
        }
    }
    Ok(chart)
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

impl Chart {
    pub(super) fn text(&mut self, at: Spot, anchor: Anchor, ink: Ink, text: impl Into<String>) {
        self.marks.push(Mark::Text { at, text: text.into(), ink, anchor, upright: false });
    }

    /// The legend of a panel from a corner on; returns its height.
    fn legend(&mut self, panel: &Panel, names: &[&str], left: f64, top: f64, right: f64) -> f64 {
        let (mut x, mut y) = (left, top + 0.5 * LINE);
        for &member in &panel.members {
            let wide = 0.58 * LETTER * names[member].chars().count() as f64 + 40.0;
            if x > left && x + wide > right {
                (x, y) = (left, y + LINE);
            }
            let lines = vec![vec![(x, y), (x + 18.0, y)]];
            self.marks.push(Mark::Lines { lines, ink: INKS[member % INKS.len()], width: 2.5 });
            self.text((x + 24.0, y + 4.0), Anchor::Start, DARK, names[member]);
            x += wide;
        }
        y - top + 0.5 * LINE
    }

    fn axes(&mut self, frame: &Frame, times: &Ticks, last: bool, unit: &str) {
        let ((left, right), (bottom, top)) = (frame.x, frame.y);
        let values = Ticks::new(frame.v.0, frame.v.1, ((bottom - top) / 44.0) as usize + 1);
        let across = values.values.iter().map(|v| frame.y(*v)).map(|y| vec![(left, y), (right, y)]);
        let along = times.values.iter().map(|t| frame.x(*t)).map(|x| vec![(x, bottom), (x, top)]);
        self.marks.push(Mark::Lines { lines: across.chain(along).collect(), ink: GRID, width: 1.0 });
        let corner = vec![vec![(left, top), (left, bottom), (right, bottom)]];
        self.marks.push(Mark::Lines { lines: corner, ink: AXIS, width: 1.0 });
        for (value, label) in values.values.iter().zip(&values.labels) {
            self.text((left - 8.0, frame.y(*value) + 4.0), Anchor::End, PALE, label);
        }
        // the unit stands upright beside its axis
        let title = powered(values.power, unit);
        if !title.is_empty() {
            let at = (14.0, 0.5 * (bottom + top));
            self.marks.push(Mark::Text { at, text: title, ink: PALE, anchor: Anchor::Middle, upright: true });
        }
        if last {
            for (t, label) in times.values.iter().zip(&times.labels) {
                self.text((frame.x(*t), bottom + 18.0), Anchor::Middle, PALE, label);
            }
            let title = titled("time", &powered(times.power, "s"));
            self.text((0.5 * (left + right), bottom + 37.0), Anchor::Middle, PALE, title);
        }
    }

    /// A plane with curves and their points, between the labels of its axes.
    pub(super) fn plane(
        &mut self,
        labels: [&str; 2],
        ranges: [(f64, f64); 2],
        [along, values]: &[Ticks; 2],
        names: &[&str],
        curves: &[Vec<Spot>],
    ) {
        let (wide, high) = self.size;
        let panel = Panel { unit: String::new(), members: (0..names.len()).collect() };
        let legend = self.legend(&panel, names, LEFT, 30.0, wide - RIGHT);
        let (x, y) = ((LEFT, wide - RIGHT), (high - BOTTOM, 38.0 + legend));
        let frame = Frame { x, y, t: ranges[0], v: ranges[1] };
        let across = values.values.iter().map(|v| frame.y(*v)).map(|y| vec![(x.0, y), (x.1, y)]);
        let upright = along.values.iter().map(|t| frame.x(*t)).map(|x| vec![(x, y.0), (x, y.1)]);
        self.marks.push(Mark::Lines { lines: across.chain(upright).collect(), ink: GRID, width: 1.0 });
        for (value, label) in values.values.iter().zip(&values.labels) {
            self.text((x.0 - 8.0, frame.y(*value) + 4.0), Anchor::End, PALE, label);
        }
        for (value, label) in along.values.iter().zip(&along.labels) {
            self.text((frame.x(*value), y.0 + 18.0), Anchor::Middle, PALE, label);
        }
        self.text(
            (0.5 * (x.0 + x.1), y.0 + 37.0),
            Anchor::Middle,
            PALE,
            titled(labels[0], &powered(along.power, "")),
        );
        let (at, text) = ((14.0, 0.5 * (y.0 + y.1)), titled(labels[1], &powered(values.power, "")));
        self.marks.push(Mark::Text { at, text, ink: PALE, anchor: Anchor::Middle, upright: true });
        for (k, curve) in curves.iter().enumerate().filter(|(_, curve)| !curve.is_empty()) {
            let line: Vec<Spot> = curve.iter().map(|&(t, v)| (frame.x(t), frame.y(v))).collect();
            let (ink, dots) = (INKS[k % INKS.len()], line.iter().map(|&spot| vec![spot]).collect());
            self.marks.push(Mark::Lines { lines: vec![line], ink, width: 1.75 });
            self.marks.push(Mark::Lines { lines: dots, ink, width: 6.0 });
        }
    }

    fn curve(&mut self, frame: &Frame, trace: &Trace, ink: Ink) {
        let place = |(t, v): &(f64, f64)| (frame.x(*t), frame.y(*v));
        let lines: Vec<Vec<Spot>> =
            trace.lines().iter().map(|line| line.iter().map(place).collect()).collect();
        if !lines.is_empty() {
            self.marks.push(Mark::Lines { lines, ink, width: 1.75 });
        }
    }
}

/// Such as `10³ N`.
pub(super) fn powered(power: i32, unit: &str) -> String {
    if power == 0 {
        return unit.into();
    }
    let raised = |c: char| match c {
        '-' => '⁻',
        digit => digit.to_digit(10).map_or(c, |d| RAISED[d as usize]),
    };
    let power: String = power.to_string().chars().map(raised).collect();
    format!("10{power} {unit}").trim_end().into()
}

/// Digits of exponents.
pub(super) const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
