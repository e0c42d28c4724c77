//! Beams and cables: what reports say of them, a line each.

use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::model::{BeamPart, CablePart, Model};
use serde::Serialize;

/// One line per beam.
fn table(model: &Model) -> Table {
    let columns = [
        ("beam", Align::Left),
        ("elements", Align::Right),
        ("order", Align::Right),
        ("nodes", Align::Right),
        ("length [m]", Align::Right),
        ("mass [kg]", Align::Right),
    ];
    let parts = model.parts();
    Table::new(columns, parts.len(), |k| {
        let part = &parts[k];
        let counts = [part.spans.len(), part.order, part.bodies.len()].map(count);
        let [elements, order, nodes] = counts;
        [part.name.clone(), elements, order, nodes, number(part.length, 4), number(part.mass, 4)]
    })
}

/// One line per cable.
fn cables(model: &Model) -> Table {
    let columns = [
        ("cable", Align::Left),
        ("elements", Align::Right),
        ("length [m]", Align::Right),
        ("mass [kg]", Align::Right),
    ];
    let parts = model.cable_parts();
    Table::new(columns, parts.len(), |k| {
        let part = &parts[k];
        let elements = count(part.forces.len());
        [part.name.clone(), elements, number(part.length, 4), number(part.mass, 4)]
    })
}

/// Both, those that there are.
pub fn tables(model: &Model) -> Vec<Table> {
    let mut all = Vec::new();
    if !model.parts().is_empty() {
        all.push(table(model));
    }
    if !model.cable_parts().is_empty() {
        all.push(cables(model));
    }
    all
}

/// A beam as JSON.
#[derive(Serialize)]
pub struct BeamSize<'a> {
    name: &'a str,
    elements: usize,
    order: usize,
    nodes: usize,
    length: f64,
    mass: f64,
}

/// All beams of a model.
pub fn json<'a>(model: &'a Model) -> Vec<BeamSize<'a>> {
    let size = |part: &'a BeamPart| BeamSize {
        name: &part.name,
        elements: part.spans.len(),
        order: part.order,
        nodes: part.bodies.len(),
        length: part.length,
        mass: part.mass,
    };
    model.parts().iter().map(size).collect()
}

/// A cable as JSON.
#[derive(Serialize)]
pub struct CableSize<'a> {
    name: &'a str,
    elements: usize,
    length: f64,
    mass: f64,
}

/// All cables of a model.
pub fn cables_json<'a>(model: &'a Model) -> Vec<CableSize<'a>> {
    let size = |part: &'a CablePart| CableSize {
        name: &part.name,
        elements: part.forces.len(),
        length: part.length,
        mass: part.mass,
    };
    model.cable_parts().iter().map(size).collect()
}
