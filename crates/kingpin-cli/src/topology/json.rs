//! The report of `kingpin topology --json`. Keys are added, never renamed.

use super::spanning::{self, Spanning};
use super::survey::{Row, SplitTable, Survey, measure_name, order_name, split_bodies};
use crate::check::json::text;
use crate::joined::{self, Joined};
use crate::substructures::{self, SubstructureReport};
use kingpin::topology::{Split, WorkMeasure};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    joints: usize,
    bodies: usize,
    topology_index: usize,
    orderings: Vec<Order<'a>>,
    split: Option<Splits<'a>>,
    chosen: Chosen<'a>,
    equations: usize,
    redundant_equations: usize,
    edges: u64,
    loops: usize,
    floating_parts: usize,
    hubs: Vec<String>,
    joint_list: Vec<Joint<'a>>,
    spanning_tree: Spanning<'a>,
    solver: Solver<'a>,
    #[serde(flatten)]
    joined: Joined<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    substructures: Vec<SubstructureReport>,
}

/// The solver of least predicted time, and the system in joint coordinates.
#[derive(Serialize)]
struct Solver<'a> {
    name: &'static str,
    reason: &'a str,
    forecasts: Vec<Forecast>,
    joint_coordinates: usize,
    cut_equations: usize,
    multiplications: u64,
}

#[derive(Serialize)]
struct Forecast {
    name: &'static str,
    ns: f64,
}

#[derive(Serialize)]
struct Order<'a> {
    name: &'a str,
    bandwidth: u64,
    envelope: u64,
    envelope_work: u64,
    additions: u64,
    multiplications: u64,
    inversions: u64,
    fill: u64,
    nonzeros: u64,
    multiply_adds: u64,
    levels: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    split_for: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}

/// The split of least multiply-adds, with the orders tried on all splits.
#[derive(Serialize)]
struct Splits<'a> {
    #[serde(flatten)]
    first: SplitSize,
    orderings: Vec<Order<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<SplitSize>,
}

#[derive(Serialize)]
struct SplitSize {
    topology_index: usize,
    virtual_bodies: usize,
    fixed_joints: usize,
    split_for: &'static str,
    bodies: Vec<SplitBody>,
}

#[derive(Serialize)]
struct SplitBody {
    body: String,
    virtual_bodies: usize,
}

#[derive(Serialize)]
struct Chosen<'a> {
    name: &'static str,
    split: bool,
    measure: &'static str,
    multiply_adds: u64,
    reason: &'a str,
    order: Vec<String>,
    condition: Option<Condition>,
}

#[derive(Serialize)]
struct Condition {
    without_split: f64,
    with_split: f64,
}

#[derive(Serialize)]
struct Joint<'a> {
    name: &'a str,
    equations: usize,
    bodies: Vec<&'a str>,
}

/// The report as text.
pub fn report(survey: &Survey) -> String {
    let (graph, system) = (&survey.graph, survey.ready.system());
    let joint = |k: usize| Joint {
        name: &system.layout.groups[k].name,
        equations: graph.size(k),
        bodies: crate::naming::bodies_of(system, k),
    };
    text(&Report {
        model: &survey.ready.model().name,
        joints: graph.joints(),
        bodies: graph.bodies() - system.states.len(),
        topology_index: graph.topology_index(),
        orderings: orders(&survey.unsplit(), None),
        split: splits(survey),
        chosen: chosen(survey),
        equations: graph.sizes().iter().sum(),
        redundant_equations: survey.ready.assembly().diagnosis.redundant_equations(),
        edges: graph.edges(),
        loops: survey.connectivity.loops,
        floating_parts: survey.connectivity.floating,
        hubs: survey.hubs(),
        joint_list: (0..graph.joints()).map(joint).collect(),
        spanning_tree: spanning::json(survey),
        solver: solver(survey),
        joined: joined::json(system),
        substructures: substructures::json(system),
    })
}

fn solver<'a>(survey: &'a Survey) -> Solver<'a> {
    let choice = &survey.choice;
    Solver {
        name: choice.method.name(),
        reason: &choice.reason,
        forecasts: choice.forecasts.iter().map(|f| Forecast { name: f.method.name(), ns: f.ns }).collect(),
        joint_coordinates: choice.spanning.coordinates(),
        cut_equations: choice.spanning.cut_equations,
        multiplications: kingpin::accel::joint_multiplications(&choice.spanning)[0],
    }
}

/// The orders that were tried; methods left out because of the size of the model have no figures.
fn orders<'a>(rows: &[Row<'a>], split_for: Option<WorkMeasure>) -> Vec<Order<'a>> {
    let order = |row: &Row<'a>| {
        let m = row.candidate.metrics?;
        Some(Order {
            name: row.name,
            bandwidth: m.envelope.bandwidth,
            envelope: m.envelope.envelope,
            envelope_work: m.envelope.work,
            additions: m.counts.additions,
            multiplications: m.counts.multiplications,
            inversions: m.counts.inversions,
            fill: m.counts.fill,
            nonzeros: m.counts.nonzeros,
            multiply_adds: m.scalar_work,
            levels: m.tree_height,
            split_for: split_for.map(measure_name),
            note: &row.candidate.note,
        })
    };
    rows.iter().filter_map(order).collect()
}

fn splits<'a>(survey: &'a Survey) -> Option<Splits<'a>> {
    let tables: Vec<SplitTable<'a>> = survey.splits();
    let size = |table: &SplitTable| split_size(survey, table.split, table.measure);
    Some(Splits {
        first: size(tables.first()?),
        orderings: tables.iter().flat_map(|table| orders(&table.rows, Some(table.measure))).collect(),
        others: tables[1..].iter().map(size).collect(),
    })
}

fn split_size(survey: &Survey, split: &Split, measure: WorkMeasure) -> SplitSize {
    let bodies: Vec<SplitBody> = split_bodies(survey.ready, split)
        .into_iter()
        .map(|(body, virtual_bodies)| SplitBody { body, virtual_bodies })
        .collect();
    SplitSize {
        topology_index: split.graph().topology_index(),
        virtual_bodies: bodies.iter().map(|body| body.virtual_bodies).sum(),
        fixed_joints: split.fixed_joints().len(),
        split_for: measure_name(measure),
        bodies,
    }
}

fn chosen<'a>(survey: &'a Survey) -> Chosen<'a> {
    let plan = &survey.plan;
    let name = |&joint: &usize| survey.joint_name(plan.split.as_ref(), joint);
    Chosen {
        name: order_name(plan.method, WorkMeasure::Scalar),
        split: plan.split.is_some(),
        measure: measure_name(WorkMeasure::Scalar),
        multiply_adds: plan.metrics.scalar_work,
        reason: &plan.reason,
        order: survey.order.order().iter().map(name).collect(),
        condition: survey
            .condition
            .map(|[without_split, with_split]| Condition { without_split, with_split }),
    }
}
