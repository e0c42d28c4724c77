//! Charts with logarithmic axes, as SVG.

use std::fmt::Write;

/// A curve: its name, and its points.
pub type Curve = (String, Vec<(f64, f64)>);

const COLOURS: [&str; 8] =
    ["#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#0a7ea4", "#bf3989", "#57606a"];
const WIDE: f64 = 640.0;
const HIGH: f64 = 400.0;
/// Left, right, top, bottom.
const MARGIN: [f64; 4] = [70.0, 170.0, 30.0, 50.0];

/// A chart with logarithmic axes.
pub fn logarithmic(title: &str, axes: [&str; 2], curves: &[Curve]) -> String {
    let all = || curves.iter().flat_map(|(_, points)| points).filter(|(x, y)| *x > 0.0 && *y > 0.0);
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        ((low.log10() - 0.05).floor(), (high.log10() + 0.05).ceil())
    };
    let (x0, x1) = range(&mut all().map(|p| p.0));
    let (y0, y1) = range(&mut all().map(|p| p.1));
    let [left, right, top, bottom] = MARGIN;
    let px = |x: f64| left + (x - x0) / (x1 - x0) * (WIDE - left - right);
    let py = |y: f64| HIGH - bottom - (y - y0) / (y1 - y0) * (HIGH - top - bottom);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {HIGH}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDE}\" height=\"{HIGH}\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"18\" font-weight=\"bold\">{title}</text>\n"
    );
    grid(&mut svg, (x0, x1, &px), (y0, y1, &py), axes);
    for (k, (name, points)) in curves.iter().enumerate() {
        let seen = points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0);
        let place: Vec<(f64, f64)> = seen.map(|(x, y)| (px(x.log10()), py(y.log10()))).collect();
        curve(&mut svg, k, name, &place);
    }
    svg + "</svg>\n"
}

/// Powers of ten along both axes, and what the axes show. An axis is its ends, and where a power is drawn.
fn grid(
    svg: &mut String,
    (x0, x1, px): (f64, f64, &dyn Fn(f64) -> f64),
    (y0, y1, py): (f64, f64, &dyn Fn(f64) -> f64),
    axes: [&str; 2],
) {
    let [left, right, top, bottom] = MARGIN;
    for k in x0 as i32..=x1 as i32 {
        let x = px(f64::from(k));
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>",
            HIGH - bottom
        );
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">1e{k}</text>",
            HIGH - bottom + 16.0
        );
    }
    for k in y0 as i32..=y1 as i32 {
        let y = py(f64::from(k));
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>",
            WIDE - right
        );
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">1e{k}</text>",
            left - 6.0,
            y + 4.0
        );
    }
    let middle = (left + WIDE - right) / 2.0;
    let _ =
        writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>", HIGH - 12.0, axes[0]);
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {0})\">{1}</text>",
        HIGH / 2.0,
        axes[1]
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
    for (x, y) in place {
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
