//! The report of `kingpin check` for people.

use super::examine::Examination;
use crate::beams;
use crate::joined;
use crate::naming::{bodies_of, title, type_of};
use crate::report::{entry, list};
use crate::structures;
use crate::substructures;
use crate::superelements;
use crate::table::{Align, Table};
use crate::words::{count, many, names, number, quantity};
use kingpin::analysis::explain::{gap, misfits};
use kingpin::analysis::{Assembly, AssemblyFailure, Redundancy};
use kingpin::model::Subject;

/// Corrections and time constants listed.
const LISTED: usize = 5;
/// Joints listed.
const JOINTS_LISTED: usize = 30;

/// The whole report.
pub fn report(e: &Examination, nodes: bool) -> String {
    let mut text = title(e.model()) + "\n";
    let listed = if nodes { e.system().masses() } else { e.model().own_bodies() };
    if listed > 0 {
        text += &format!("\n{}", bodies(e, listed));
    }
    for table in beams::tables(e.model()) {
        text += &format!("\n{table}");
    }
    if !e.model().superelements.is_empty() {
        text += &format!("\n{}", superelements::table(e.model()));
    }
    if !e.model().structures.is_empty() {
        text += &format!("\n{}", structures::table(e.model()));
    }
    if let Some(joints) = joints(e) {
        text += &format!("\n{joints}");
    }
    text += "\n";
    entry(&mut text, "coordinates n", &count(e.system().coordinates()), "");
    entry(&mut text, "constraints m", &count(e.system().constraints()), &constraints(e));
    joined::text(&mut text, e.model(), e.system());
    substructures::text(&mut text, e.system());
    match e.assembly() {
        Ok(assembly) => assembled(&mut text, e, assembly),
        Err(failure) => not_assembled(&mut text, failure),
    }
    text
}

/// The first bodies with their centres of mass, as assembled if that could be done.
fn bodies(e: &Examination, listed: usize) -> Table {
    let system = e.system();
    let q = e.assembly().map_or(&system.given.q, |assembly| &assembly.state.q);
    let largest = system.nodes.split_q(q).flat_map(|(place, _)| place).fold(0.0_f64, |m, x| m.max(x.abs()));
    let place = |body: usize, k: usize| {
        let x = system.nodes[body].along(q, system.nodes[body].q, k);
        number(if x.abs() < 1e-12 * largest { 0.0 } else { x }, 4)
    };
    let mass = |body: usize| number(system.inertia[body].weight, 4);
    let name = |body: usize| system.body_names[body].clone();
    let headers = [
        ("body", Align::Left),
        ("mass [kg]", Align::Right),
        ("x [m]", Align::Right),
        ("y [m]", Align::Right),
    ];
    if system.dimensions() == 2 {
        return Table::new(headers, listed, |b| [name(b), mass(b), place(b, 0), place(b, 1)]);
    }
    let [first, second, x, y] = headers;
    let headers = [first, second, x, y, ("z [m]", Align::Right)];
    Table::new(headers, listed, |b| [name(b), mass(b), place(b, 0), place(b, 1), place(b, 2)])
}

/// Joints and drivers, if there are any.
fn joints(e: &Examination) -> Option<Table> {
    // what holds the corners of beams together is theirs
    let own = |subject: &Subject| !matches!(subject, Subject::Joint(k) if *k >= e.model().own_joints());
    let groups = &e.system().layout.groups;
    let listed: Vec<usize> = (0..groups.len()).filter(|k| own(&groups[*k].subject)).collect();
    let headers =
        [("joint", Align::Left), ("type", Align::Left), ("bodies", Align::Left), ("equations", Align::Right)];
    let table = || {
        Table::new(headers, listed.len(), |row| {
            let k = listed[row];
            let group = &groups[k];
            let kind = type_of(e.model(), &group.subject);
            [group.name.clone(), kind, bodies_of(e.system(), k).join(", "), count(group.rows.len())]
        })
    };
    (!listed.is_empty()).then(table)
}

fn constraints(e: &Examination) -> String {
    match e.system().normalisations() {
        0 => String::new(),
        n => format!("{} of joints, {} of Euler parameters", count(e.system().joint_equations()), count(n)),
    }
}

fn assembled(text: &mut String, e: &Examination, assembly: &Assembly) {
    let diagnosis = &assembly.diagnosis;
    entry(text, "degrees of freedom", &count(diagnosis.dof), "");
    let states: Vec<String> = e.system().states.iter().map(|state| state.name.clone()).collect();
    if !states.is_empty() {
        entry(text, "states", &count(states.len()), &names(&states));
    }
    entry(text, "redundant equations", &count(diagnosis.redundant_equations()), "");
    let iterations = match assembly.iterations {
        0 => "as given".into(),
        n => format!("after {}", many(n, "iteration")),
    };
    entry(text, "position residual", &number(assembly.position_residual, 2), &iterations);
    entry(text, "velocity residual", &number(assembly.velocity_residual, 2), "");
    if !diagnosis.redundant.is_empty() {
        let lines = diagnosis.redundant.iter().map(dependence);
        let heading =
            "Redundant equations: the motion is the same without them, but reactions are not unique";
        list(text, heading, diagnosis.redundant.len(), JOINTS_LISTED, lines);
    }
    if !diagnosis.singular.is_empty() {
        let lines = diagnosis.singular.iter().map(dependence);
        let heading = "Singular position: equations are dependent in this position only, so the mechanism may \
             branch or lock up here";
        list(text, heading, diagnosis.singular.len(), JOINTS_LISTED, lines);
    }
    if !assembly.corrections.is_empty() {
        let lines = assembly.corrections.iter().map(|c| {
            format!("body `{}`: {} changed by {}", c.name, c.what.name(), quantity(c.amount, c.what.unit()))
        });
        list(text, "Largest corrections of the given values", assembly.corrections.len(), LISTED, lines);
    }
    if !e.time_constants.is_empty() {
        let lines = e.time_constants.iter().map(|c| {
            let time = quantity(c.seconds, "s");
            format!("{time:<9} {} `{}`, {}, on body `{}`", e.force_type(&c.force), c.force, c.label, c.body)
        });
        list(text, "Fastest time constants", e.time_constants.len(), LISTED, lines);
    }
}

/// Such as «joint `hinge2`: 5 equations follow from `hinge1`».
fn dependence(redundancy: &Redundancy) -> String {
    let what = if matches!(redundancy.subject, Subject::Driver(_)) { "driver" } else { "joint" };
    let verb = if redundancy.equations == 1 { "follows" } else { "follow" };
    let from = match redundancy.follows_from.as_slice() {
        [] => "its other equations".into(),
        others => names(others),
    };
    format!("{what} `{}`: {} {verb} from {from}", redundancy.joint, many(redundancy.equations, "equation"))
}

fn not_assembled(text: &mut String, failure: &AssemblyFailure) {
    let misfits = misfits(failure);
    if misfits.is_empty() {
        return;
    }
    let lines = misfits.iter().map(|m| {
        let what = if matches!(m.subject, Subject::Driver(_)) { "driver" } else { "joint" };
        format!("{what} `{}`: {} remain", m.name, gap(failure, m.length, m.angle))
    });
    list(text, "Contradicting equations", misfits.len(), JOINTS_LISTED, lines);
}
