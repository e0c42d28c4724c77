//! The report of `kingpin accelerations --json`. Keys are added, never renamed.

use super::solve::{Comparison, Entry, Outcome, Solution};
use crate::check::json::text;
use crate::naming::{bodies_of, body_name, space, type_of};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    space: &'static str,
    t: f64,
    solver: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<usize>,
    bodies: Vec<Body<'a>>,
    joints: Vec<Joint<'a>>,
    redundant_equations: usize,
    unique_multipliers: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    solvers: Option<Vec<Solver>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    greatest_disagreement: Option<Disagreement>,
}

/// A body: the acceleration of its centre of mass, and its angular acceleration in global axes.
#[derive(Serialize)]
struct Body<'a> {
    name: &'a str,
    acceleration: Vec<f64>,
    angular_acceleration: Angular,
    /// Second derivatives of the Euler parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    p_ddot: Option<&'a [f64]>,
    /// Multiplier of p.p = 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    normalisation_multiplier: Option<f64>,
}

/// A number in the plane, a vector in space.
#[derive(Serialize)]
#[serde(untagged)]
enum Angular {
    Planar(f64),
    Spatial([f64; 3]),
}

/// A joint or driver: its multipliers, and force and torque on one of its bodies in global axes.
#[derive(Serialize)]
struct Joint<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: String,
    bodies: Vec<&'a str>,
    multipliers: &'a [f64],
    equations: Vec<&'static str>,
    redundant: Vec<bool>,
    on: &'a str,
    force: [f64; 3],
    torque: [f64; 3],
}

#[derive(Serialize)]
struct Solver {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<usize>,
    #[serde(flatten)]
    disagreement: Option<Disagreement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

#[derive(Serialize)]
struct Disagreement {
    acceleration_disagreement: f64,
    multiplier_disagreement: f64,
}

/// The report as text.
pub fn report(solution: &Solution) -> String {
    let (ready, system) = (solution.ready, solution.ready.system());
    let mut qddot = vec![0.0; system.coordinates()];
    system.coordinate_accelerations(&solution.work, &solution.result.acc, &mut qddot);
    let redundant_equations = ready.assembly().diagnosis.redundant_equations();
    text(&Report {
        model: &ready.model().name,
        space: space(ready.model()),
        t: ready.start.t,
        solver: solution.method.name(),
        iterations: solution.iterations,
        bodies: bodies(solution, &qddot),
        joints: (0..system.layout.groups.len()).map(|k| joint(solution, k)).collect(),
        redundant_equations,
        unique_multipliers: redundant_equations == 0,
        solvers: solution.comparison.as_ref().map(|c| c.entries.iter().map(solver).collect()),
        greatest_disagreement: solution.comparison.as_ref().map(greatest),
    })
}

fn bodies<'a>(solution: &'a Solution, qddot: &'a [f64]) -> Vec<Body<'a>> {
    let system = solution.ready.system();
    let d = system.dimensions();
    let turns = system.angular_accelerations(&solution.work, &solution.result.acc);
    let radial = system.normalisation_multipliers(&solution.work, &solution.result);
    let mut of_body = vec![None; system.masses()];
    system.nodes.normalised().zip(radial).for_each(|(body, x)| of_body[body] = Some(x));
    let body = |b: usize| Body {
        name: &system.body_names[b],
        acceleration: {
            let node = &system.nodes[b];
            (0..d).map(|axis| node.along(&solution.result.acc, node.v, axis)).collect()
        },
        angular_acceleration: if d == 2 { Angular::Planar(turns[b][2]) } else { Angular::Spatial(turns[b]) },
        p_ddot: (system.nodes[b].nq == 7).then(|| &qddot[system.nodes.q(b)][d..]),
        normalisation_multiplier: of_body[b],
    };
    (0..system.masses()).map(body).collect()
}

fn joint<'a>(solution: &'a Solution, k: usize) -> Joint<'a> {
    let (ready, system) = (solution.ready, solution.ready.system());
    let (group, reaction) = (&system.layout.groups[k], &solution.reactions[k]);
    Joint {
        name: &group.name,
        kind: type_of(ready.model(), &group.subject),
        bodies: bodies_of(system, k),
        multipliers: &solution.result.lam[group.rows.clone()],
        equations: group.rows.clone().map(|row| system.row_name(row).label).collect(),
        redundant: ready.redundant()[group.rows.clone()].to_vec(),
        on: body_name(system, reaction.body),
        force: reaction.force,
        torque: reaction.torque,
    }
}

fn solver(entry: &Entry) -> Solver {
    let (mut disagreement, mut skipped, mut failed) = (None, None, None);
    match &entry.outcome {
        Outcome::Solved(d) => {
            disagreement = Some(Disagreement {
                acceleration_disagreement: d.accelerations,
                multiplier_disagreement: d.multipliers,
            });
        }
        Outcome::Skipped(why) => skipped = Some(why.clone()),
        Outcome::Failed(why) => failed = Some(why.to_string()),
    }
    Solver { name: entry.method.name(), iterations: entry.iterations, disagreement, skipped, failed }
}

fn greatest(comparison: &Comparison) -> Disagreement {
    Disagreement {
        acceleration_disagreement: comparison.greatest.accelerations,
        multiplier_disagreement: comparison.greatest.multipliers,
    }
}
