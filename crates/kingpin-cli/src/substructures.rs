//! Substructures that a model names, as reports list them.

use crate::report::entry;
use crate::words::{count, many};
use kingpin::system::{SubstructureSize, System};
use serde::Serialize;

/// Those that a line has room for.
const LISTED: usize = 8;

/// A line of the report, none where nothing is named.
pub fn text(out: &mut String, system: &System) {
    let all = system.substructure_sizes();
    if all.is_empty() {
        return;
    }
    let words = |own: &SubstructureSize| {
        let SubstructureSize { name, bodies, interface } = own;
        match bodies {
            0 => format!("{name} (interfaces only)"),
            _ => format!("{name} ({}, {interface} at interfaces)", many(*bodies, "body")),
        }
    };
    let mut remark = all.iter().take(LISTED).map(words).collect::<Vec<_>>().join(", ");
    if all.len() > LISTED {
        remark += &format!(" and {} more", count(all.len() - LISTED));
    }
    entry(out, "substructures", &count(all.len()), &remark);
}

/// The same as JSON.
#[derive(Serialize)]
pub struct SubstructureReport {
    name: String,
    bodies: usize,
    interface_bodies: usize,
}

/// All of them.
pub fn json(system: &System) -> Vec<SubstructureReport> {
    let report = |SubstructureSize { name, bodies, interface }| SubstructureReport {
        name,
        bodies,
        interface_bodies: interface,
    };
    system.substructure_sizes().into_iter().map(report).collect()
}
