//! Roads as polygons, as far as the mechanism travels.

use super::data::{Body, Road};
use crate::error::Error;
use crate::store::Reader;
use kingpin::model::Model;

/// Frames looked at for how far the mechanism travels.
const FRAMES: usize = 200;
/// Points of a road.
const POINTS: usize = 400;

pub(super) fn roads(reader: &Reader, model: &Model, bodies: &[Body]) -> Result<Vec<Road>, Error> {
    if model.roads.is_empty() {
        return Ok(Vec::new());
    }
    let places: Vec<usize> = bodies.iter().filter_map(|body| body.pose.first().copied()).collect();
    let table = reader.table(&places, FRAMES)?;
    let all = table.columns.iter().flatten().filter(|x| x.is_finite());
    let (mut from, mut to) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    if from > to {
        (from, to) = (0.0, 1.0);
    }
    let margin = (0.1 * (to - from)).max(1.0);
    (from, to) = (from - margin, to + margin);
    let road = |road: &kingpin::model::Road| {
        let profile = road.kind.element().profile();
        let mut xs: Vec<f64> = (0..=POINTS).map(|k| from + (to - from) * k as f64 / POINTS as f64).collect();
        let edges = profile.edges();
        if let Some([first, last]) = edges {
            // a bump is short: it gets points of its own
            xs.extend(
                (0..=40)
                    .map(|k| first + (last - first) * f64::from(k) / 40.0)
                    .filter(|x| (from..=to).contains(x)),
            );
            xs.sort_by(f64::total_cmp);
            xs.dedup();
        }
        let on = |x: f64| edges.is_some_and(|[first, last]| (first..=last).contains(&x));
        let points = xs.into_iter().map(|x| [x, profile.height(x, on(x), &[])]);
        Road { name: road.name.clone(), points: points.filter(|p| p[1].is_finite()).collect() }
    };
    Ok(model.roads.iter().map(road).collect())
}
