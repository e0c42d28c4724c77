//! The spanning tree that solvers in joint coordinates follow, for people and as JSON.

use super::survey::Survey;
use crate::naming::{bodies_of, body_name, type_of};
use crate::report::entry;
use crate::table::{Align, Table};
use crate::words::{count, many};
use kingpin::model::GROUND;
use kingpin::topology::{Operations, Steps};
use serde::Serialize;

/// The tables of the report.
pub fn text(out: &mut String, survey: &Survey) {
    let graph = &survey.choice.spanning;
    *out += "\n  Spanning tree\n\n";
    let bases = match graph.bases().count() {
        0 => String::new(),
        n => many(n, "floating base"),
    };
    entry(out, "joint coordinates", &count(graph.coordinates()), &bases);
    let cut = if graph.cut.is_empty() { String::new() } else { many(graph.cut.len(), "joint") };
    entry(out, "cut equations", &count(graph.cut_equations), &cut);
    entry(out, "height", &count(graph.height()), "joints from the outermost body to the ground or base");
    *out += "\n";
    *out += &bodies(survey).to_string();
    if !graph.cut.is_empty() {
        *out += "\n";
        *out += &cuts(survey).to_string();
    }
    *out += "\n";
    *out += &predictions(survey).to_string();
}

/// Bodies below the bodies that carry them, with the numbers of their coordinates in the order of elimination.
fn bodies(survey: &Survey) -> Table {
    let (system, model) = (survey.ready.system(), survey.ready.model());
    let graph = &survey.choice.spanning;
    let columns = [
        ("body", Align::Left),
        ("carried by", Align::Left),
        ("type", Align::Left),
        ("coordinates", Align::Right),
        ("numbers", Align::Right),
    ];
    let order: Vec<usize> = graph.order.iter().rev().copied().collect();
    Table::new(columns, order.len(), |k| {
        let body = order[k];
        let (joint, kind) = match graph.link[body] {
            Some(group) => {
                let group = &system.layout.groups[group];
                (group.name.clone(), type_of(model, &group.subject))
            }
            None => (String::new(), "floats".into()),
        };
        let name = format!("{}{}", "  ".repeat(graph.depth[body]), body_name(system, body));
        let (first, own) = (graph.start[body] + 1, graph.freedoms[body]);
        let numbers = match own {
            0 => String::new(),
            1 => count(first),
            _ => format!("{}-{}", count(first), count(first + own - 1)),
        };
        [name, joint, kind, count(own), numbers]
    })
}

fn cuts(survey: &Survey) -> Table {
    let (system, model) = (survey.ready.system(), survey.ready.model());
    let cut = &survey.choice.spanning.cut;
    let columns =
        [("cut", Align::Left), ("type", Align::Left), ("bodies", Align::Left), ("equations", Align::Right)];
    Table::new(columns, cut.len(), |k| {
        let index = cut[k];
        let group = &system.layout.groups[index];
        let rows = survey.graph.size(index);
        [group.name.clone(), type_of(model, &group.subject), bodies_of(system, index).join(", "), count(rows)]
    })
}

fn predictions(survey: &Survey) -> Table {
    let work = &survey.choice.spanning.work;
    let mut rows = vec![("sparse (Alg-S)", work.sparse.sum()), ("dense (Alg-D)", work.dense.sum())];
    rows.extend(work.articulated.map(|operations| ("articulated bodies", operations)));
    let columns = [
        ("accelerations", Align::Left),
        ("multiply-adds", Align::Right),
        ("divisions", Align::Right),
        ("square roots", Align::Right),
    ];
    Table::new(columns, rows.len(), |k| {
        let (name, sum) = rows[k];
        let figure = |n: u64| count(n as usize);
        [name.into(), figure(sum.multiply_adds), figure(sum.divisions), figure(sum.roots)]
    })
}

/// The tree as JSON.
#[derive(Serialize)]
pub struct Spanning<'a> {
    coordinates: usize,
    cut_equations: usize,
    height: usize,
    /// In the order of elimination: outboard bodies first.
    order: Vec<Body<'a>>,
    cut: Vec<Cut<'a>>,
    operations: Algorithms,
}

#[derive(Serialize)]
struct Body<'a> {
    body: &'a str,
    inboard: Option<&'a str>,
    joint: Option<&'a str>,
    depth: usize,
    coordinates: usize,
    first: usize,
}

#[derive(Serialize)]
struct Cut<'a> {
    joint: &'a str,
    bodies: Vec<&'a str>,
    equations: usize,
}

#[derive(Serialize)]
struct Algorithms {
    sparse: Algorithm,
    dense: Algorithm,
    articulated: Option<Counted>,
}

#[derive(Serialize)]
struct Algorithm {
    #[serde(flatten)]
    all: Counted,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    step: &'static str,
    #[serde(flatten)]
    operations: Counted,
}

#[derive(Serialize)]
struct Counted {
    multiply_adds: u64,
    divisions: u64,
    square_roots: u64,
}

fn counted(operations: &Operations) -> Counted {
    let &Operations { multiply_adds, divisions, roots } = operations;
    Counted { multiply_adds, divisions, square_roots: roots }
}

fn algorithm(steps: &Steps) -> Algorithm {
    let list = steps.all();
    let step =
        |(step, operations): &(&'static str, Operations)| Step { step, operations: counted(operations) };
    Algorithm { all: counted(&steps.sum()), steps: list.iter().map(step).collect() }
}

/// The tree as it is written.
pub fn json<'a>(survey: &'a Survey) -> Spanning<'a> {
    let (system, graph) = (survey.ready.system(), &survey.choice.spanning);
    let body = |&body: &usize| Body {
        body: body_name(system, body),
        inboard: graph.link[body].map(|_| graph.inboard[body].map_or(GROUND, |up| body_name(system, up))),
        joint: graph.link[body].map(|group| system.layout.groups[group].name.as_str()),
        depth: graph.depth[body],
        coordinates: graph.freedoms[body],
        first: graph.start[body],
    };
    let cut = |&index: &usize| Cut {
        joint: &system.layout.groups[index].name,
        bodies: bodies_of(system, index),
        equations: survey.graph.size(index),
    };
    Spanning {
        coordinates: graph.coordinates(),
        cut_equations: graph.cut_equations,
        height: graph.height(),
        order: graph.order.iter().map(body).collect(),
        cut: graph.cut.iter().map(cut).collect(),
        operations: Algorithms {
            sparse: algorithm(&graph.work.sparse),
            dense: algorithm(&graph.work.dense),
            articulated: graph.work.articulated.as_ref().map(counted),
        },
    }
}
