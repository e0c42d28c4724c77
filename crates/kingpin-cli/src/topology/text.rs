//! The report of `kingpin topology` for people.

use super::spanning;
use super::survey::{Row, Survey, measure_name, split_bodies};
use crate::beams;
use crate::joined;
use crate::naming::title;
use crate::report::entry;
use crate::structures;
use crate::substructures;
use crate::superelements;
use crate::table::{Align, Table};
use crate::words::{count, many, names, number, plain};
use kingpin::accel::joint_multiplications;
use kingpin::topology::{Split, WorkMeasure};

/// Widest line of running text.
const WIDTH: usize = 110;

/// The whole report.
pub fn report(survey: &Survey) -> String {
    let mut text = title(survey.ready.model()) + "\n\n";
    for table in beams::tables(survey.ready.model()) {
        text += &format!("{table}\n");
    }
    if !survey.ready.model().structures.is_empty() {
        text += &format!("{}\n", structures::table(survey.ready.model()));
    }
    if !survey.ready.model().superelements.is_empty() {
        text += &format!("{}\n", superelements::table(survey.ready.model()));
    }
    graph(&mut text, survey);
    if survey.graph.joints() > 0 {
        orders(&mut text, survey);
    }
    spanning::text(&mut text, survey);
    if survey.graph.joints() > 0 {
        solver(&mut text, survey);
    }
    text
}

fn orders(text: &mut String, survey: &Survey) {
    *text += "\n  Elimination orders\n\n";
    *text += &table(&survey.unsplit()).to_string();
    for found in survey.splits() {
        *text += &format!("\n  {}\n\n", plain(&heading(survey, found.split, found.measure)));
        *text += &table(&found.rows).to_string();
    }
    legend(text);
    chosen(text, survey);
}

fn graph(text: &mut String, survey: &Survey) {
    let graph = &survey.graph;
    let equations = graph.sizes().iter().sum();
    let redundant = survey.ready.assembly().diagnosis.redundant_equations();
    let mut remark = many(equations, "equation");
    if redundant > 0 {
        remark += &format!(", without {} redundant", count(redundant));
    }
    if !survey.ready.model().drivers.is_empty() {
        remark += "; drivers count as joints";
    }
    entry(text, "joints", &count(graph.joints()), &remark);
    let hubs = survey.hubs();
    let remark = if hubs.is_empty() { String::new() } else { format!("joints on {}", plain(&names(&hubs))) };
    // states are nodes of their own that no joint holds
    entry(text, "bodies", &count(graph.bodies() - survey.ready.system().states.len()), "");
    joined::text(text, survey.ready.model(), survey.ready.system());
    substructures::text(text, survey.ready.system());
    entry(text, "topology index", &count(graph.topology_index()), &remark);
    entry(text, "edges", &count(graph.edges() as usize), "pairs of joints that share a body");
    entry(text, "closed loops", &count(survey.connectivity.loops), &floating(survey));
}

fn floating(survey: &Survey) -> String {
    match survey.connectivity.floating - survey.ready.system().states.len() {
        0 => String::new(),
        n => format!("{} not connected to the ground", many(n, "part")),
    }
}

fn heading(survey: &Survey, split: &Split, measure: WorkMeasure) -> String {
    let bodies = split_bodies(survey.ready, split);
    let parts: usize = bodies.iter().map(|(_, parts)| parts).sum();
    let bodies: Vec<String> = bodies.into_iter().map(|(name, _)| name).collect();
    format!(
        "With {} split for minimum {}: {} connected by {}, topology index {}",
        names(&bodies),
        measure_name(measure),
        many(parts, "virtual body"),
        many(split.fixed_joints().len(), "fixed joint"),
        split.graph().topology_index(),
    )
}

fn table(rows: &[Row]) -> Table {
    let columns = [
        ("order", Align::Left),
        ("bandwidth", Align::Right),
        ("envelope", Align::Right),
        ("envelope work", Align::Right),
        ("additions", Align::Right),
        ("multiplications", Align::Right),
        ("inversions", Align::Right),
        ("fill", Align::Right),
        ("nonzeros", Align::Right),
        ("multiply-adds", Align::Right),
        ("levels", Align::Right),
        ("note", Align::Left),
    ];
    Table::new(columns, rows.len(), |k| {
        let Row { name, candidate } = &rows[k];
        let figures = candidate.metrics.map(|m| {
            let (e, c) = (m.envelope, m.counts);
            [
                e.bandwidth,
                e.envelope,
                e.work,
                c.additions,
                c.multiplications,
                c.inversions,
                c.fill,
                c.nonzeros,
            ]
            .map(|n| count(n as usize))
        });
        let [a, b, c, d, e, f, g, h] = figures.unwrap_or_default();
        let of = |figure: Option<usize>| figure.map(count).unwrap_or_default();
        let work = of(candidate.metrics.map(|m| m.scalar_work as usize));
        let levels = of(candidate.metrics.map(|m| m.tree_height));
        [(*name).into(), a, b, c, d, e, f, g, h, work, levels, candidate.note.clone()]
    })
}

fn legend(text: &mut String) {
    paragraph(
        text,
        "From bandwidth to nonzeros, one block per joint is counted, as in published tables. \
             Multiply-adds are counted with the actual number of equations of each joint, and determine \
             the choice of the order.",
    );
}

fn chosen(text: &mut String, survey: &Survey) {
    let plan = &survey.plan;
    let folded = if survey.order == plan.permutation {
        ""
    } else {
        " Chains are eliminated from both ends in parallel, at the same cost."
    };
    paragraph(text, &format!("Chosen: {}.{folded}", plan.reason));
    if plan.split.is_some() {
        let condition = match survey.condition {
            Some([without, with]) => {
                format!("condition number {} instead of {}", number(with, 2), number(without, 2))
            }
            None => "multipliers may lose one or two digits".into(),
        };
        paragraph(
            text,
            &format!(
                "Mass, inertia and forces are divided equally among virtual bodies. Accelerations \
                     and multipliers are the same; the reduced matrix is larger, sparser and less well \
                     conditioned: {condition}."
            ),
        );
    }
}

/// The system in joint coordinates, and the solver of least predicted time.
fn solver(text: &mut String, survey: &Survey) {
    let tree = &survey.choice.spanning;
    let (n, m) = (tree.coordinates(), tree.cut_equations);
    if m > 0 {
        let [sparse, gauss] = joint_multiplications(tree);
        paragraph(
            text,
            &format!(
                "In joint coordinates: {}, {} outside the spanning tree; {} multiplications to solve the sparse system \
                 (Gaussian elimination of the same system: {}).",
                many(n, "coordinate"),
                many(m, "equation"),
                count(sparse as usize),
                count(gauss as usize),
            ),
        );
    }
    paragraph(text, &format!("Solver: {}.", survey.choice.reason));
}

/// Running text below an empty line, broken into lines.
fn paragraph(text: &mut String, sentence: &str) {
    text.push('\n');
    let mut line = String::from(" ");
    for word in sentence.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            *text += &line;
            text.push('\n');
            line = String::from(" ");
        }
        line.push(' ');
        line += word;
    }
    *text += &line;
    text.push('\n');
}
