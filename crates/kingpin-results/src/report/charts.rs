//! What to plot at first.

use crate::error::Error;
use crate::store::Reader;
use kingpin::results::{Group, Role};

/// Charts at first, and curves in each.
const CHARTS: usize = 3;
const CURVES: usize = 6;
/// Frames looked at.
const FRAMES: usize = 300;
/// A curve that would take less than this part of the height gets a chart of its own.
const PART: f64 = 1.0 / 12.0;

/// Measures of lengths and angles; without any, of whatever; without any, the energies. Curves of one unit share a
/// chart if none of them looks flat beside the others.
pub(super) fn charts(reader: &Reader) -> Result<Vec<Vec<String>>, Error> {
    let channels = &reader.header().channels;
    let group = |group: Group, units: &[&str]| -> Vec<usize> {
        let wanted = |k: &usize| {
            let channel = &channels[*k];
            channel.group == group
                && channel.role != Role::Rate
                && (units.is_empty() || units.contains(&channel.unit.as_str()))
        };
        (0..channels.len()).filter(wanted).take(CHARTS * CURVES).collect()
    };
    let wishes = [(Group::Measure, &["m", "rad"][..]), (Group::Measure, &[]), (Group::Energy, &[])];
    let places = wishes.iter().map(|(own, units)| group(*own, units)).find(|list| !list.is_empty());
    let places = places.unwrap_or_default();
    let table = reader.table(&places, FRAMES)?;
    let ranges: Vec<[f64; 2]> = table.columns.iter().map(|column| range(column)).collect();
    let mut charts: Vec<FirstChart> = Vec::new();
    for (k, &range) in ranges.iter().enumerate() {
        let unit = &channels[places[k]].unit;
        let same = |chart: &FirstChart| {
            *unit == channels[places[chart.curves[0]]].unit && chart.curves.len() < CURVES
        };
        let open = (0..charts.len()).filter(|&c| same(&charts[c]));
        let best = open.max_by(|&a, &b| charts[a].part_with(range).total_cmp(&charts[b].part_with(range)));
        match best {
            Some(c) if charts[c].part_with(range) >= PART || charts.len() == CHARTS => {
                charts[c].add(k, range)
            }
            _ if charts.len() < CHARTS => charts.push(FirstChart::new(k, range)),
            _ => {}
        }
    }
    let name = |k: &usize| channels[places[*k]].name.clone();
    Ok(charts.iter().map(|chart| chart.curves.iter().map(name).collect()).collect())
}

/// Curves in one chart.
struct FirstChart {
    curves: Vec<usize>,
    /// From the least to the greatest value of all.
    all: [f64; 2],
    /// The height of the lowest curve.
    least: f64,
}

impl FirstChart {
    fn new(curve: usize, range: [f64; 2]) -> FirstChart {
        FirstChart { curves: vec![curve], all: range, least: range[1] - range[0] }
    }

    /// The height of the lowest curve, relative to the chart, if another one is added. What hardly changes at all is
    /// a line wherever it is shown, so it does not count.
    fn part_with(&self, range: [f64; 2]) -> f64 {
        let height = self.all[1].max(range[1]) - self.all[0].min(range[0]);
        let heights = [self.least, range[1] - range[0]];
        let seen = heights.into_iter().filter(|own| *own > 1e-3 * height).fold(height, f64::min);
        if height > 0.0 { seen / height } else { 1.0 }
    }

    fn add(&mut self, curve: usize, range: [f64; 2]) {
        self.curves.push(curve);
        self.all = [self.all[0].min(range[0]), self.all[1].max(range[1])];
        self.least = self.least.min(range[1] - range[0]);
    }
}

/// From the least to the greatest number; of nothing, zero.
fn range(column: &[f64]) -> [f64; 2] {
    let numbers = || column.iter().copied().filter(|x| x.is_finite());
    numbers()
        .fold(None, |all: Option<[f64; 2]>, x| {
            let [from, to] = all.unwrap_or([x, x]);
            Some([from.min(x), to.max(x)])
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_that_would_look_flat_do_not_share_a_chart() {
        let wheel = FirstChart::new(0, [0.44, 0.495]);
        assert!(wheel.part_with([0.442, 0.494]) > 0.9);
        assert!(wheel.part_with([0.707, 0.726]) < PART);
        // a total energy that is kept, beside its parts
        assert!(FirstChart::new(0, [0.0, 2300.0]).part_with([-1e-6, 2e-6]) > 0.99);
        assert_eq!(range(&[f64::NAN, 2.0, -1.0]), [-1.0, 2.0]);
        assert_eq!(range(&[]), [0.0, 0.0]);
    }
}
