//! Charts with linear or logarithmic axes, as SVG.

use std::fmt::Write;

/// A curve: its name, and its points.
pub type Curve = (String, Vec<(f64, f64)>);

const COLOURS: [&str; 10] = [
    "#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#0a7ea4", "#bf3989", "#57606a", "#e36209",
    "#2da44e",
];
const WIDE: f64 = 640.0;
const HIGH: f64 = 400.0;
/// Left, right, top, bottom.
const MARGIN: [f64; 4] = [70.0, 170.0, 30.0, 50.0];
/// Curves of more points are drawn without a mark at each.
const MARKED: usize = 50;

/// How values are placed along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From zero, evenly.
    Linear,
    /// By powers of ten; values that are not positive are left out.
    Logarithmic,
}

/// An axis: its label, and its scale.
pub type Axis<'a> = (&'a str, Scale);

/// A chart with logarithmic axes.
pub fn logarithmic(title: &str, axes: [&str; 2], curves: &[Curve]) -> String {
    chart(title, axes.map(|label| (label, Scale::Logarithmic)), curves)
}

/// A chart.
pub fn chart(title: &str, axes: [Axis; 2], curves: &[Curve]) -> String {
    let [(x_label, x_scale), (y_label, y_scale)] = axes;
    let drawn = |(x, y): &&(f64, f64)| x_scale.shows(*x) && y_scale.shows(*y);
    let all = || curves.iter().flat_map(|(_, points)| points).filter(drawn);
    let horizontal = Range::new(x_scale, &mut all().map(|p| p.0));
    let vertical = Range::new(y_scale, &mut all().map(|p| p.1));
    let [left, right, top, bottom] = MARGIN;
    let px = |x: f64| left + horizontal.share(x) * (WIDE - left - right);
    let py = |y: f64| HIGH - bottom - vertical.share(y) * (HIGH - top - bottom);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {HIGH}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDE}\" height=\"{HIGH}\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"18\" font-weight=\"bold\">{title}</text>\n"
    );
    grid(&mut svg, (&horizontal, &px), (&vertical, &py), [x_label, y_label]);
    for (k, (name, points)) in curves.iter().enumerate() {
        let place: Vec<(f64, f64)> = points.iter().filter(drawn).map(|&(x, y)| (px(x), py(y))).collect();
        curve(&mut svg, k, name, &place);
    }
    svg + "</svg>\n"
}

impl Scale {
    /// Whether a value has a place on the axis.
    fn shows(self, x: f64) -> bool {
        x.is_finite() && (self == Scale::Linear || x > 0.0)
    }

    /// A value as it is placed.
    fn map(self, x: f64) -> f64 {
        match self {
            Scale::Linear => x,
            Scale::Logarithmic => x.log10(),
        }
    }
}

/// What an axis spans.
struct Range {
    scale: Scale,
    /// Ends, as they are placed.
    ends: [f64; 2],
    /// Distance of two lines of the grid.
    step: f64,
}

impl Range {
    /// All values and full lines of the grid at both ends.
    fn new(scale: Scale, values: &mut dyn Iterator<Item = f64>) -> Range {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        match scale {
            Scale::Logarithmic => {
                let ends = [(scale.map(low) - 0.05).floor(), (scale.map(high) + 0.05).ceil()];
                Range { scale, ends, step: 1.0 }
            }
            Scale::Linear => {
                // one, two or five times a power of ten, at least four lines
                let span = (high - low.min(0.0)).max(f64::MIN_POSITIVE);
                let power = 10_f64.powf((span / 4.0).log10().floor());
                let step =
                    [5.0, 2.0].into_iter().map(|n| n * power).find(|s| 4.0 * s <= span).unwrap_or(power);
                let ends = [step * (low.min(0.0) / step).floor(), step * (high / step - 1e-9).ceil()];
                Range { scale, ends, step }
            }
        }
    }

    /// Where a value stands between the ends, 0 to 1.
    fn share(&self, x: f64) -> f64 {
        (self.scale.map(x) - self.ends[0]) / (self.ends[1] - self.ends[0])
    }

    /// Lines of the grid: their values, and what is written beside them.
    fn lines(&self) -> Vec<(f64, String)> {
        let [low, high] = self.ends.map(|end| (end / self.step).round() as i32);
        let line = |k: i32| match self.scale {
            Scale::Logarithmic => (10_f64.powi(k), format!("1e{k}")),
            Scale::Linear => {
                let digits = (-self.step.log10().floor()).max(0.0) as usize;
                let value = f64::from(k) * self.step;
                (value, format!("{value:.digits$}"))
            }
        };
        (low..=high).map(line).collect()
    }
}

/// Lines across both axes, and what the axes show. An axis is its range, and where a value is drawn.
fn grid(
    svg: &mut String,
    (horizontal, px): (&Range, &dyn Fn(f64) -> f64),
    (vertical, py): (&Range, &dyn Fn(f64) -> f64),
    labels: [&str; 2],
) {
    let [left, right, top, bottom] = MARGIN;
    for (value, text) in horizontal.lines() {
        let x = px(value);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>",
            HIGH - bottom
        );
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
            HIGH - bottom + 16.0
        );
    }
    for (value, text) in vertical.lines() {
        let y = py(value);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>",
            WIDE - right
        );
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            left - 6.0,
            y + 4.0
        );
    }
    let middle = (left + WIDE - right) / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        HIGH - 12.0,
        labels[0]
    );
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {0})\">{1}</text>",
        HIGH / 2.0,
        labels[1]
    );
}

/// The curve of a number with points where they are drawn, and its name beside the chart.
fn curve(svg: &mut String, k: usize, name: &str, place: &[(f64, f64)]) {
    let [_, right, top, _] = MARGIN;
    let colour = COLOURS[k % COLOURS.len()];
    let dashes = if name.contains("printed") { " stroke-dasharray=\"5 4\"" } else { "" };
    let line: Vec<String> = place.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dashes}/>",
        line.join(" ")
    );
    for (x, y) in place.iter().filter(|_| place.len() <= MARKED) {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    let y = top + 14.0 + 18.0 * k as f64;
    let x = WIDE - right + 12.0;
    let _ = writeln!(
        svg,
        "<line x1=\"{x}\" y1=\"{0}\" x2=\"{1}\" y2=\"{0}\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>",
        y - 4.0,
        x + 20.0
    );
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{name}</text>", x + 26.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(scale: Scale, values: &[f64]) -> (f64, f64, Vec<String>) {
        let range = Range::new(scale, &mut values.iter().copied());
        let labels = range.lines().into_iter().map(|(_, text)| text).collect();
        (range.share(values[0]), range.share(values[1]), labels)
    }

    #[test]
    fn axes_end_at_lines_of_the_grid_beyond_all_values() {
        let (low, high, labels) = range(Scale::Linear, &[0.3, 4.0]);
        assert!((low - 0.075).abs() < 1e-12 && (high - 1.0).abs() < 1e-12);
        assert_eq!(labels, ["0", "1", "2", "3", "4"]);
        let (_, high, labels) = range(Scale::Linear, &[0.0, 0.33]);
        assert!(high < 1.0);
        assert_eq!(labels, ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30", "0.35"]);
        let (low, high, labels) = range(Scale::Logarithmic, &[2e-3, 0.5]);
        assert!(low > 0.0 && high < 1.0);
        assert_eq!(labels, ["1e-3", "1e-2", "1e-1", "1e0"]);
    }

    #[test]
    fn values_without_a_place_are_left_out() {
        let axes = [("x", Scale::Linear), ("y", Scale::Logarithmic)];
        let svg =
            chart("title", axes, &[("a".into(), vec![(0.0, 1.0), (1.0, 0.0), (2.0, 10.0), (3.0, f64::NAN)])]);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
