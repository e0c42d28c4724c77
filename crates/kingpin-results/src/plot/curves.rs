//! Curves over any quantity, with points marked: what measurements are shown by.

use super::chart::{Anchor, Chart};
use super::svg::page;
use super::ticks::Ticks;

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Its points; those without numbers, or below zero on a logarithmic axis, are left out.
    pub points: Vec<(f64, f64)>,
}

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis<'a> {
    /// What it shows, with its unit.
    pub label: &'a str,
    /// Whether it is logarithmic; else it begins at zero.
    pub logarithmic: bool,
}

impl Axis<'_> {
    fn place(&self, x: f64) -> f64 {
        if self.logarithmic { x.log10() } else { x }
    }

    /// Where it begins and ends.
    fn range(&self, values: impl Iterator<Item = f64>) -> (f64, f64) {
        let all = values.filter(|x| x.is_finite());
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        match (low <= high, self.logarithmic) {
            (false, _) => (0.0, 1.0),
            (_, true) => (low.floor(), high.ceil().max(low.floor() + 1.0)),
            (_, false) => (low.min(0.0), if high > 0.0 { 1.08 * high } else { 1.0 }),
        }
    }

    fn ticks(&self, (low, high): (f64, f64), wanted: usize) -> Ticks {
        if !self.logarithmic {
            return Ticks::new(low, high, wanted);
        }
        let values: Vec<f64> = (low as i32..=high as i32).map(f64::from).collect();
        let labels = values.iter().map(|power| super::chart::powered(*power as i32, "")).collect();
        Ticks { values, labels, power: 0 }
    }
}

/// Curves as an SVG of so many pixels. It needs no other file; texts are escaped.
pub fn curves(title: &str, [x, y]: [Axis; 2], curves: &[Curve], size: (f64, f64)) -> String {
    let places = |curve: &Curve| -> Vec<(f64, f64)> {
        let placed = curve.points.iter().map(|&(a, b)| (x.place(a), y.place(b)));
        placed.filter(|(a, b)| a.is_finite() && b.is_finite()).collect()
    };
    let placed: Vec<Vec<(f64, f64)>> = curves.iter().map(places).collect();
    let ranges = [
        x.range(placed.iter().flatten().map(|point| point.0)),
        y.range(placed.iter().flatten().map(|point| point.1)),
    ];
    let mut chart = Chart { title: title.into(), size, marks: Vec::new() };
    chart.text((0.5 * size.0, 20.0), Anchor::Middle, super::chart::DARK, title);
    let names: Vec<&str> = curves.iter().map(|curve| curve.name.as_str()).collect();
    let ticks = [x.ticks(ranges[0], (size.0 / 110.0) as usize), y.ticks(ranges[1], (size.1 / 60.0) as usize)];
    chart.plane([x.label, y.label], ranges, &ticks, &names, &placed);
    page(&chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_where_they_belong_and_texts_are_escaped() {
        let axis = |label, logarithmic| Axis { label, logarithmic };
        let curve = |name: &str, points: &[(f64, f64)]| Curve { name: name.into(), points: points.to_vec() };
        let all = [curve("a < b", &[(10.0, 1.0), (1000.0, 4.0), (f64::NAN, 1.0)]), curve("none", &[])];
        let page = curves("time & size", [axis("size", true), axis("time [s]", false)], &all, (400.0, 300.0));
        assert!(page.contains("a &lt; b") && page.contains("time &amp; size") && page.contains("time [s]"));
        // ends of the axis at 10 and 1000
        assert!(page.contains("M64.0 ") && page.contains("L380.0 "), "{page}");
        assert!(page.contains(">10²<"), "{page}");
        let empty = curves("", [axis("", true), axis("", true)], &[], (400.0, 300.0));
        assert!(empty.ends_with("</svg>\n"));
    }
}
