//! The report of `kingpin check --json`. Keys are added, never renamed.

use super::examine::Examination;
use crate::beams::{self, BeamSize, CableSize};
use crate::joined::{self, Joined};
use crate::naming;
use crate::structures::{self, StructureSize};
use crate::substructures::{self, SubstructureReport};
use crate::superelements::{self, SuperelementSize};
use kingpin::analysis::{Assembly, Redundancy};
use kingpin::model::Severity;
use kingpin::words::visible_json;
use kingpin_io::{Diagnostic, Sources};
use serde::Serialize;

/// Corrections and time constants listed.
const LISTED: usize = 10;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    size: Option<Size<'a>>,
    #[serde(flatten)]
    assembled: Option<Assembled<'a>>,
    #[serde(flatten)]
    more: Option<More>,
    #[serde(flatten)]
    joined: Option<Joined<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    misfits: Vec<Misfit>,
    warnings: Vec<Message<'a>>,
    errors: Vec<Message<'a>>,
}

/// What is known of every model that compiles.
#[derive(Serialize)]
struct Size<'a> {
    model: &'a str,
    space: &'static str,
    bodies: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beams: Vec<BeamSize<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cables: Vec<CableSize<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    superelements: Vec<SuperelementSize<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    structures: Vec<StructureSize<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    substructures: Vec<SubstructureReport>,
    joints: usize,
    coordinates: usize,
    constraints: usize,
}

/// The other counts.
#[derive(Serialize)]
struct More {
    drivers: usize,
    forces: usize,
    events: usize,
    normalisations: usize,
}

/// What is known of every mechanism that can be assembled.
#[derive(Serialize)]
struct Assembled<'a> {
    dof: usize,
    redundant: Vec<Dependent<'a>>,
    position_residual: f64,
    velocity_residual: f64,
    singular: Vec<Dependent<'a>>,
    iterations: usize,
    corrections: Vec<Correction<'a>>,
    time_constants: Vec<TimeConstant<'a>>,
}

#[derive(Serialize)]
struct Dependent<'a> {
    joint: &'a str,
    equations: usize,
    labels: &'a [&'static str],
    follows_from: &'a [String],
}

#[derive(Serialize)]
struct Correction<'a> {
    body: &'a str,
    what: &'a str,
    amount: f64,
    unit: &'a str,
}

#[derive(Serialize)]
struct TimeConstant<'a> {
    force: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    term: &'a str,
    body: &'a str,
    seconds: f64,
    stiffness: f64,
    damping: f64,
    mass: f64,
}

#[derive(Serialize)]
struct Misfit {
    joint: String,
    length: f64,
    angle: f64,
}

/// The messages alone, where there is nothing to report.
#[derive(Serialize)]
struct Messages<'a> {
    warnings: Vec<Message<'a>>,
    errors: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    code: &'static str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    hint: Option<&'a str>,
}

/// The report as text.
pub fn report(examination: Option<&Examination>, diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let Messages { warnings, errors } = messages(diagnostics, sources);
    let report = Report {
        size: examination.map(size),
        assembled: examination.and_then(|e| e.assembly().ok().map(|assembly| assembled(e, assembly))),
        more: examination.map(more),
        joined: examination.map(|e| joined::json(e.system())),
        misfits: examination.map(open_joints).unwrap_or_default(),
        warnings,
        errors,
    };
    text(&report)
}

/// What other commands print where they have nothing to report.
pub fn messages_only(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    text(&messages(diagnostics, sources))
}

/// A report as JSON text.
pub fn text(report: &impl Serialize) -> String {
    // plain data with text keys always has a JSON form
    let text = serde_json::to_string_pretty(report).unwrap_or_default() + "\n";
    visible_json(&text).into_owned()
}

fn messages<'a>(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Messages<'a> {
    let of = |severity: Severity| {
        let chosen = diagnostics.iter().filter(|d| d.severity == severity);
        chosen.map(|d| message(d, sources)).collect()
    };
    Messages { warnings: of(Severity::Warning), errors: of(Severity::Error) }
}

fn size(e: &Examination) -> Size<'_> {
    Size {
        model: &e.model().name,
        space: naming::space(e.model()),
        bodies: e.model().own_bodies(),
        beams: beams::json(e.model()),
        cables: beams::cables_json(e.model()),
        superelements: superelements::json(e.model()),
        structures: structures::json(e.model()),
        substructures: substructures::json(e.system()),
        joints: e.model().own_joints(),
        coordinates: e.system().coordinates(),
        constraints: e.system().constraints(),
    }
}

fn more(e: &Examination) -> More {
    More {
        drivers: e.model().drivers.len(),
        forces: e.model().own_forces(),
        events: e.model().events.len(),
        normalisations: e.system().normalisations(),
    }
}

fn assembled<'a>(e: &'a Examination, assembly: &'a Assembly) -> Assembled<'a> {
    let corrections = assembly.corrections.iter().take(LISTED).map(|c| Correction {
        body: &c.name,
        what: c.what.name(),
        amount: c.amount,
        unit: c.what.unit(),
    });
    let time_constants = e.time_constants.iter().take(LISTED).map(|c| TimeConstant {
        force: &c.force,
        kind: e.force_type(&c.force),
        term: c.label,
        body: &c.body,
        seconds: c.seconds,
        stiffness: c.stiffness,
        damping: c.damping,
        mass: c.mass,
    });
    Assembled {
        dof: assembly.diagnosis.dof,
        redundant: dependent(&assembly.diagnosis.redundant),
        singular: dependent(&assembly.diagnosis.singular),
        position_residual: assembly.position_residual,
        velocity_residual: assembly.velocity_residual,
        iterations: assembly.iterations,
        corrections: corrections.collect(),
        time_constants: time_constants.collect(),
    }
}

fn dependent(list: &[Redundancy]) -> Vec<Dependent<'_>> {
    let all = list.iter().map(|r| Dependent {
        joint: &r.joint,
        equations: r.equations,
        labels: &r.labels,
        follows_from: &r.follows_from,
    });
    all.collect()
}

fn open_joints(e: &Examination) -> Vec<Misfit> {
    let Err(failure) = e.assembly() else { return Vec::new() };
    let all = kingpin::analysis::explain::misfits(failure).into_iter();
    all.map(|m| Misfit { joint: m.name, length: m.length, angle: m.angle }).collect()
}

fn message<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Message<'a> {
    let at = diagnostic.place.and_then(|place| sources.line_column(place));
    Message {
        code: diagnostic.code,
        message: &diagnostic.message,
        file: diagnostic.place.and_then(|place| sources.file(place.file)).map(|file| file.name.as_str()),
        line: at.map(|(line, _)| line),
        column: at.map(|(_, column)| column),
        hint: diagnostic.hint.as_deref(),
    }
}
