//! `kingpin equilibrium --load-path`: equilibria under growing loads.

use crate::check::json::text;
use crate::naming::title;
use crate::output::{Exit, complain, print};
use crate::ready::{Ready, refuse};
use crate::report::{entry, list};
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::dynamics::{LoadPath, LoadPoint, PathChoice, PathEnd};
use kingpin::results::{Channels, Group, Role};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;

/// Digits shown.
const DIGITS: usize = 6;
/// Special points listed.
const LISTED: usize = 20;

/// Follows the loads up to a factor and prints the path.
pub fn run(ready: &Ready, to: f64, json: bool) -> io::Result<Exit> {
    if !to.is_finite() || to == 0.0 {
        complain("error: the load factor `--to` must be a nonzero number\n");
        return Ok(Exit::Usage);
    }
    match ready.load_path(PathChoice { to, ..PathChoice::default() }) {
        Err(error) => refuse(ready, &error.findings(), json),
        Ok(path) => {
            let channels = Channels::new(ready.system());
            print(&if json { in_json(ready, &path, &channels) } else { in_words(ready, &path, &channels) })?;
            Ok(Exit::Good)
        }
    }
}

/// Measures of a point, by number of the channel.
fn measures(ready: &Ready, point: &LoadPoint, channels: &Channels) -> Vec<f64> {
    let mut work = ready.system().work();
    work.load = point.factor;
    ready.system().set_state(&mut work, &point.state);
    ready.system().evaluate_constraints(&mut work);
    ready.system().evaluate_forces(&mut work);
    let mut values = vec![0.0; channels.len()];
    channels.fill(ready.system(), &work, &point.accelerations, &mut values);
    shown(channels).map(|k| values[k]).collect()
}

/// The channels of measures, without rates.
fn shown(channels: &Channels) -> impl Iterator<Item = usize> {
    let is_shown = |k: &usize| {
        let channel = &channels.list()[*k];
        channel.group == Group::Measure && channel.role != Role::Rate
    };
    (0..channels.len()).filter(is_shown)
}

/// How far the body has come that has come farthest.
fn moved(ready: &Ready, point: &LoadPoint) -> f64 {
    let nodes = &ready.system().nodes;
    let places = nodes.split_q(&point.state.q).zip(nodes.split_q(&ready.start.q));
    let far = |((a, _), (b, _)): ((&[f64], _), (&[f64], _))| {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    places.map(far).fold(0.0, f64::max)
}

fn end(path: &LoadPath) -> (&'static str, &'static str) {
    match path.end {
        PathEnd::Reached => ("reached", "all loads are applied"),
        PathEnd::Back => ("back", "the path returns to loads of the same size with the opposite sign"),
        PathEnd::Points => ("points", "the limit of points is reached"),
        PathEnd::Short => ("short", "the step size along the path became too small"),
    }
}

fn in_words(ready: &Ready, path: &LoadPath, channels: &Channels) -> String {
    let heading = |k: usize| {
        let channel = &channels.list()[k];
        let unit = if channel.unit.is_empty() { String::new() } else { format!(" [{}]", channel.unit) };
        (format!("{}{unit}", channel.name), Align::Right)
    };
    let mut columns = vec![("load factor".to_string(), Align::Right), ("moved [m]".into(), Align::Right)];
    columns.extend(shown(channels).map(heading));
    columns.extend([("unstable".into(), Align::Right), ("point".into(), Align::Left)]);
    let row = |point: &LoadPoint| {
        let mut cells = vec![number(point.factor, DIGITS), number(moved(ready, point), DIGITS)];
        cells.extend(measures(ready, point, channels).into_iter().map(|x| number(x, DIGITS)));
        let kind = point.kind.body().map_or("", |_| point.kind.name());
        cells.extend([count(point.unstable_directions), kind.into()]);
        cells
    };
    let table = Table::whole(columns, path.points.iter().map(row).collect());
    let mut text = format!("{}\n\n  Equilibria under growing loads\n\n{table}\n", title(ready.model()));
    entry(&mut text, "points", &count(path.points.len()), "");
    entry(&mut text, "end", end(path).0, end(path).1);
    let special: Vec<String> = path.points.iter().filter_map(told).collect();
    if !special.is_empty() {
        list(&mut text, "Limit and branching points", special.len(), LISTED, special.into_iter());
    }
    text
}

/// What happens at a special point.
fn told(point: &LoadPoint) -> Option<String> {
    let body = point.kind.body()?;
    let what = if point.kind.name() == "limit" { "it snaps, and mostly" } else { "it buckles, and mostly" };
    Some(format!("at {} times the loads {what} `{body}` moves", number(point.factor, DIGITS)))
}

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    t: f64,
    end: &'static str,
    points: Vec<Point<'a>>,
}

#[derive(Serialize)]
struct Point<'a> {
    factor: f64,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a str>,
    unstable_directions: usize,
    moved: f64,
    measures: BTreeMap<&'a str, f64>,
}

fn in_json<'a>(ready: &'a Ready, path: &'a LoadPath, channels: &'a Channels) -> String {
    let names: Vec<&str> = shown(channels).map(|k| channels.list()[k].name.as_str()).collect();
    let point = |point: &'a LoadPoint| Point {
        factor: point.factor,
        kind: point.kind.name(),
        body: point.kind.body(),
        unstable_directions: point.unstable_directions,
        moved: moved(ready, point),
        measures: names.iter().copied().zip(measures(ready, point, channels)).collect(),
    };
    text(&Report {
        model: &ready.model().name,
        t: ready.start.t,
        end: end(path).0,
        points: path.points.iter().map(point).collect(),
    })
}
