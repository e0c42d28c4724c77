//! The joint graph, and what elimination makes of it.

use super::data::{Cell, Count, Edge, Node, Pattern, Topology};
use super::tables::{table, text};
use kingpin::accel::Problem;
use kingpin::model::{GROUND, Subject};
use kingpin::system::System;
use kingpin::topology::{JointGraph, Metrics, Permutation, Plan, Split, Symbolic, fold_chains};
use std::collections::HashSet;

/// Blocks of a pattern up to which it is shown.
const MOST_BLOCKS: u64 = 60_000;

/// What solvers of accelerations follow.
pub(super) fn topology(system: &System, problem: &Problem) -> Topology {
    let given = problem.graph();
    let plan = problem.plan(true);
    let split = plan.split.as_ref();
    let graph = plan.graph(&given);
    let order = fold_chains(graph, &plan.permutation);
    let before = Permutation::identity(given.joints());
    let patterns = [
        pattern(system, "As given", &given, None, &before),
        pattern(system, "As eliminated", graph, split, &order),
    ];
    let edges = edges(system, graph, split);
    let mut nodes = nodes(system, graph, split);
    // a ground that holds nothing would stand apart
    if edges.iter().any(|edge| edge.nodes.contains(&nodes.len())) {
        nodes.push(Node { name: GROUND.into(), kind: "ground" });
    }
    Topology {
        nodes,
        edges,
        patterns: patterns.into_iter().flatten().collect(),
        counts: counts(&Metrics::new(&given, &before), &Metrics::new(graph, &order)),
        chosen: Some(plan.reason.clone()),
        tables: vec![orders(plan)],
    }
}

/// Bodies of the graph, virtual ones included.
fn nodes(system: &System, graph: &JointGraph, split: Option<&Split>) -> Vec<Node> {
    let mut nodes: Vec<Node> =
        system.body_names.iter().map(|name| Node { name: name.clone(), kind: "body" }).collect();
    nodes.resize(graph.bodies(), Node { name: String::new(), kind: "body" });
    for original in split.into_iter().flat_map(Split::split_bodies) {
        let name = system.body_names.get(original).map_or(GROUND, String::as_str);
        for (k, part) in split.into_iter().flat_map(|split| split.parts_of(original)).enumerate() {
            if let Some(node) = nodes.get_mut(part.body) {
                *node = Node { name: format!("{name} {}", k + 1), kind: "virtual" };
            }
        }
    }
    nodes
}

fn edges(system: &System, graph: &JointGraph, split: Option<&Split>) -> Vec<Edge> {
    let ground = graph.bodies();
    let mut edges = Vec::with_capacity(graph.joints());
    for joint in 0..graph.joints() {
        let kind = match system.layout.groups.get(joint).map(|group| &group.subject) {
            Some(Subject::Driver(_)) => "driver",
            Some(_) => "joint",
            None => "fixed",
        };
        let (name, equations) = (joint_name(system, split, joint), graph.size(joint));
        // a joint of one moving body is held by the ground; a coupling of several is shown as a chain of edges
        let bodies = graph.bodies_of(joint);
        match bodies {
            [] => {}
            [body] => edges.push(Edge { name, nodes: [ground, *body], kind, equations }),
            _ => edges.extend(bodies.windows(2).map(|pair| Edge {
                name: name.clone(),
                nodes: [pair[0], pair[1]],
                kind,
                equations,
            })),
        }
    }
    edges
}

/// The name of a joint; the fixed joint between two parts of a body is called `body 1-2`.
fn joint_name(system: &System, split: Option<&Split>, joint: usize) -> String {
    let groups = &system.layout.groups;
    if let Some(group) = groups.get(joint) {
        return group.name.clone();
    }
    let fixed = split.and_then(|split| Some((split, split.fixed_joints().get(joint - groups.len())?)));
    let Some((split, fixed)) = fixed else { return String::new() };
    let parts = split.parts_of(fixed.original);
    let number = |body: usize| parts.iter().position(|part| part.body == body).map_or(0, |k| k + 1);
    let [a, b] = fixed.bodies.map(number);
    format!("{} {a}-{b}", system.body_names.get(fixed.original).map_or(GROUND, String::as_str))
}

fn pattern(
    system: &System,
    title: &str,
    graph: &JointGraph,
    split: Option<&Split>,
    order: &Permutation,
) -> Option<Pattern> {
    let metrics = Metrics::new(graph, order);
    if metrics.counts.nonzeros + metrics.counts.fill > MOST_BLOCKS || graph.joints() == 0 {
        return None;
    }
    let (symbolic, position) = (Symbolic::new(graph, order), order.position());
    let mut coupled = HashSet::new();
    for body in 0..graph.bodies() {
        let joints = graph.joints_on(body);
        for (k, &i) in joints.iter().enumerate() {
            let pair = |&j: &usize| (position[i].max(position[j]), position[i].min(position[j]));
            coupled.extend(joints[..k].iter().map(pair));
        }
    }
    let (mut entries, mut fill) = (Vec::new(), Vec::new());
    for column in 0..graph.joints() {
        for &row in symbolic.columns.row(column) {
            if coupled.contains(&(row, column)) { &mut entries } else { &mut fill }.extend([row, column]);
        }
    }
    Some(Pattern {
        title: title.into(),
        note: None,
        size: graph.joints(),
        labels: order.order().iter().map(|&joint| joint_name(system, split, joint)).collect(),
        entries,
        fill,
    })
}

fn counts(before: &Metrics, after: &Metrics) -> Vec<Count> {
    let count = |name, of: fn(&Metrics) -> u64| {
        let [before, after] = [before, after].map(|metrics| Some(of(metrics) as f64));
        Count { name, before, after, unit: "" }
    };
    vec![
        count("multiply-adds", |m| m.scalar_work),
        count("block multiplications", |m| m.counts.multiplications),
        count("block inversions", |m| m.counts.inversions),
        count("fill", |m| m.counts.fill),
        count("bandwidth", |m| m.envelope.bandwidth),
        count("levels of the elimination tree", |m| m.tree_height as u64),
    ]
}

/// All orders that were tried.
fn orders(plan: &Plan) -> super::data::PageTable {
    let rows = plan.candidates.iter().map(|candidate| {
        let number = |x: Option<u64>| x.map_or(Cell::Empty, |x| Cell::Number(x as f64));
        let metrics = candidate.metrics;
        vec![
            text(candidate.method.name()),
            text(if candidate.split { "yes" } else { "no" }),
            number(metrics.map(|m| m.scalar_work)),
            number(metrics.map(|m| m.counts.multiplications)),
            number(metrics.map(|m| m.counts.fill)),
            number(metrics.map(|m| m.tree_height as u64)),
            text(&candidate.note),
        ]
    });
    let heads = ["order", "split", "multiply-adds", "block multiplications", "fill", "levels", "note"];
    table("Elimination orders", &heads.map(|name| (name, "")), rows.collect())
}
